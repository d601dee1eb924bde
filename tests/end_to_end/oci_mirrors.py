"""OCI mirrors for tests of the installed command: what is in them, lock files that fit, options that lead there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders.three_providers import PLATFORMS, ThreeProviders
from contract.oci.kinds import Shelf
from servers.installed import Ended, Lockwarden
from servers.oci_registry import PASSWORD, USER, Registry, basic

from lockwarden.demo.releases import Release

HOST = "registry.example.test"
PATTERN = "providers/{namespace}/{type}"
ASKED = tuple(word for platform in PLATFORMS for word in ("--platform", platform))
ON_LINUX = ("--platform", "linux_amd64", "--format", "json")


def filled(registry: Registry, three_providers: ThreeProviders) -> Registry:
    """Push the three providers as OpenTofu wants them."""
    for release in three_providers.releases:
        shelf = Shelf()
        shelf.provider(release.version, {name: package.archive for name, package in release.packages.items()})
        shelf.push(registry, f"providers/acme/{release.name}")
    return registry


def written(folder: Path, releases: tuple[Release, ...], *, known: bool) -> Path:
    lines = ['# This file is maintained automatically by "tofu init".', "# Manual edits may be lost in future updates."]
    for release in sorted(releases, key=lambda each: each.address):
        lines += ["", f'provider "{release.address}" {{', f'  version = "{release.version}"']
        hashes = [release.packages["linux_amd64"].h1, *sorted(each.zh for each in release.packages.values())]
        lines += ["  hashes = [", *(f'    "{each}",' for each in hashes), "  ]"] if known else []
        lines += ["}"]
    folder.mkdir()
    (folder / ".terraform.lock.hcl").write_text("\n".join([*lines, ""]))
    return folder


def plain(registry: Registry, pattern: str = PATTERN) -> tuple[str, ...]:
    return ("--source", f"oci://{registry.address}/{pattern}", "--insecure-http", registry.address)


def over_https(pattern: str = PATTERN) -> tuple[str, ...]:
    return ("--source", f"oci://{HOST}/{pattern}")


def said(done: Ended, name: str = "one") -> Any:
    (finding,) = done.provider(name)["findings"]
    return finding


def configured(lockwarden: Lockwarden, domain: str, secret: str) -> Path:
    """The program's CLI configuration, with a user name and a password for a registry."""
    file = Path(lockwarden.environment["TF_CLI_CONFIG_FILE"])
    file.write_text(f'oci_credentials "{domain}" {{\n  username = "{USER}"\n  password = "{secret}"\n}}\n')
    return file


def assert_no_secret(done: Ended, *more: str) -> None:
    told = done.out + done.err
    assert not any(secret in told for secret in (PASSWORD, basic().removeprefix("Basic "), *more))
