"""One host that does not answer, and all that wait for it: told once in every report and over all lock files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from builders.three_providers import HOST, MIRROR, ThreeProviders
from servers.https import HttpsServer
from servers.installed import Lockwarden

from lockwarden.demo.world import Response

HASH = "h1:" + "A" * 43 + "="
AT_ONCE = {"TF_REGISTRY_DISCOVERY_RETRY": "0", "TF_PROVIDER_DOWNLOAD_RETRY": "0"}


def entry(name: str) -> str:
    return f'provider "{HOST}/acme/{name}" {{\n  version = "1.4.0"\n  hashes = [\n    "{HASH}",\n  ]\n}}\n'


def busy_for(ending: str, three_providers: ThreeProviders, server: HttpsServer) -> None:
    """Serve the three providers, but answer 503 to what is asked by a path with this ending."""
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return Response(status=503) if path.endswith(ending) else world.respond(host, path)

    server.serve(respond)


@pytest.mark.parametrize("ending", ["terraform.json", "/versions", "/amd64", "SHA256SUMS", ".zip"])
def test_it_is_told_once_with_the_providers_and_the_files_that_wait_for_it(
    ending: str, lockwarden: Lockwarden, https_server: HttpsServer, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    busy_for(ending, three_providers, https_server)
    for folder, names in {"one": ("one", "two"), "two": ("three",)}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / ".terraform.lock.hcl").write_text("\n".join(map(entry, names)))
    reports = {form: tmp_path / f"report.{form}" for form in ("sarif", "junit", "markdown", "text")}
    written = [word for form, path in reports.items() for word in ("--report", f"{form}:{path}")]
    lockwarden.run("check", "--recursive", ".", *written, folder=tmp_path, expected=3, **AT_ONCE)
    for path in reports.values():
        text = path.read_text().replace("`", "")
        told = [line for line in text.splitlines() if "could not be asked" in line]
        assert len(told) == 1, path
        assert "3 providers wait for it: " in text
    results = json.loads(reports["sarif"].read_text())["runs"][0]["results"]
    assert [each["level"] for each in results] == ["warning"]
    assert "1 hash unchecked, line 4" in results[0]["message"]["text"]


def test_what_is_open_for_more_than_the_host_is_told_whole(
    lockwarden: Lockwarden, https_server: HttpsServer, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    busy_for(".zip", three_providers, https_server)
    (tmp_path / ".terraform.lock.hcl").write_text(entry("one"))
    done = lockwarden.run("check", "--platform", "linux_amd64", folder=tmp_path, expected=3, **AT_ONCE)
    _, _, open_ = done.out.partition("Not checked\n")
    assert "? the package of linux_amd64 could not be had: registry.example.test answered 503" in open_
    assert "? the package of darwin_arm64 was not downloaded" in open_
    assert "→ downloading the package of darwin_arm64 or windows_amd64 may settle it; the server is over" in open_


def test_a_source_with_the_name_of_its_host_is_named_once(
    lockwarden: Lockwarden, https_server: HttpsServer, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    busy_for("index.json", three_providers, https_server)
    (tmp_path / ".terraform.lock.hcl").write_text("\n".join(map(entry, ("one", "two"))))
    done = lockwarden.run("check", "--source", MIRROR, folder=tmp_path, expected=3)
    assert "  warning: mirror.example.test could not be asked (mirror index): it answered 503 Service Un" in done.out
    assert "answered 503 Service Unavailable\n" in done.out
    assert done.out.startswith(".terraform.lock.hcl: Not everything was checked: 2 unchecked, 1 warning\n")


@pytest.mark.parametrize("options", [("--offline",), ()], ids=["offline", "dead"])
def test_nobody_is_told_to_be_no_signer_where_nobody_answered(
    options: tuple[str, ...],
    lockwarden: Lockwarden,
    https_server: HttpsServer,
    three_providers: ThreeProviders,
    tmp_path: Path,
) -> None:
    busy_for("terraform.json", three_providers, https_server)
    (tmp_path / ".terraform.lock.hcl").write_text(entry("one"))
    told = {
        form: lockwarden.run("check", *words, *options, folder=tmp_path, expected=3, **AT_ONCE)
        for form, words in {
            "every hash": ("-v",),
            "one provider": ("--explain", "one"),
            "markdown": ("--format", "markdown"),
            "json": ("--format", "json"),
        }.items()
    }
    assert all("unauthenticated" not in done.out for done in told.values())
    assert "| - | not known | 1 unchecked |" in told["markdown"].out
    assert told["json"].provider("one")["summary"] is None
