"""Packages whose headers say something else than their bodies are: what counts is what the clients make of them."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from adversarial.scene import LINUX, Scene, entry, packages
from adversarial.test_mirrors import mirrored
from builders.three_providers import HOST, MIRROR
from servers.https import Respond
from servers.terraform import Workspace, installation

from lockwarden.demo.lockfile import NAME
from lockwarden.demo.releases import Release
from lockwarden.demo.world import Response

CHUNKED = ("Transfer-Encoding", "chunked")


def encoded(*encodings: str) -> tuple[tuple[str, str], ...]:
    return tuple(("Content-Encoding", each) for each in encodings)


def with_headers(*headers: tuple[str, str]) -> Callable[[bytes], Response]:
    return lambda package: Response(headers=headers, body=package)


def packed(*headers: tuple[str, str]) -> Callable[[bytes], Response]:
    return lambda package: Response(headers=headers, body=gzip.compress(package))


TAKEN: Mapping[str, Callable[[bytes], Response]] = {
    "gzip": packed(*encoded("gzip")),
    "gzip-first": packed(*encoded("gzip", "identity")),
    "plain-as-x-gzip": with_headers(*encoded("x-gzip")),
    "plain-as-aws-chunked": with_headers(*encoded("aws-chunked")),
    "chunked-and-shorter": with_headers(CHUNKED, ("Content-Length", "7")),
    "chunked-and-longer": with_headers(CHUNKED, ("Content-Length", "999999")),
}
REFUSED: Mapping[str, Callable[[bytes], Response]] = {
    "x-gzip": packed(*encoded("x-gzip")),
    "gzip-of-two": packed(*encoded("gzip, identity")),
    "plain-as-gzip": with_headers(*encoded("gzip")),
    "other-success": lambda package: Response(status=203, body=package),
}
"""By what `terraform` 1.11.4 does with a locked package that comes so; Go's transport undoes `gzip` alone."""


@pytest.fixture
def configuration(scene: Scene) -> Path:
    """Each form under the name of a provider, at a mirror that the CLI configuration names."""
    forms = {**TAKEN, **REFUSED}

    def answering(respond: Respond) -> Respond:
        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            right = respond(host, path, headers)
            return forms[path.split("/")[-2]](right.body) if path.endswith(".zip") else right

        return answer

    releases = [Release(address=f"{HOST}/acme/{name}", version="1.0.0", packages=packages(name)) for name in forms]
    scene.serve(*releases, at_mirror=[mirrored(each) for each in releases], through=answering)
    scene.lock(*(entry(each, *each.packages["linux_amd64"].hashes) for each in releases))
    configuration = scene.folder.parent / "mirror.tfrc"
    configuration.write_text(installation("network_mirror", MIRROR))
    scene.environment["TF_CLI_CONFIG_FILE"] = str(configuration)
    return configuration


def test_a_package_counts_in_the_form_in_which_the_clients_get_it(scene: Scene, configuration: Path) -> None:
    assert configuration.exists()
    done = scene.check(*LINUX, "--client", "terraform", expected=1)
    accepted = {
        name
        for name in (*TAKEN, *REFUSED)
        if [each["outcome"] for each in done.provider(name)["coverage"] if each["platform"] == "linux_amd64"]
        == ["accepted"]
    }
    assert accepted == set(TAKEN)
    assert {name for name in REFUSED if done.confirmed(name)} == set()
    assert {name for name in TAKEN if "unchecked" in done.verdicts(name).values()} == set()


def test_the_real_client_takes_the_same_forms(scene: Scene, configuration: Path) -> None:
    assert configuration.exists()
    addresses = {f"{HOST}/acme/{name}": "1.0.0" for name in (*TAKEN, *REFUSED)}
    workspace = Workspace.make(scene.folder.parent / "workspace", scene.environment, addresses)
    workspace.lock_file.write_bytes((scene.folder / NAME).read_bytes())
    done = subprocess.run(
        [workspace.program, "init", "-no-color"],
        cwd=workspace.folder,
        env=scene.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert {name for name in (*TAKEN, *REFUSED) if f"- Installed {HOST}/acme/{name} v" in done.stdout} == set(TAKEN)


def test_packages_behind_a_password_of_netrc_are_open_to_terraform_alone(scene: Scene) -> None:
    release = Release(address=f"{HOST}/acme/widget", version="1.0.0", packages=packages("widget"))

    def guarded(respond: Respond) -> Respond:
        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            closed = path.endswith(".zip") and headers.get("authorization") != "Basic bWU6cHc="  # me:pw
            return Response.of_status(401, text="who?") if closed else respond(host, path, headers)

        return answer

    scene.serve(release, at_mirror=[mirrored(release)], through=guarded)
    scene.lock(entry(release, *release.packages["linux_amd64"].hashes))
    (scene.folder.parent / "netrc").write_text("machine mirror.example.test login me password pw\n")
    (scene.folder.parent / "mirror.tfrc").write_text(installation("network_mirror", MIRROR))
    scene.environment |= {
        "NETRC": str(scene.folder.parent / "netrc"),
        "TF_CLI_CONFIG_FILE": str(scene.folder.parent / "mirror.tfrc"),
    }
    done = scene.check(*LINUX, "--client", "terraform", expected=3)
    (problem,) = done.provider("widget")["problems"]
    assert "while Terraform shows what .netrc has for the host" in problem["hint"]
    workspace = Workspace.make(scene.folder.parent / "workspace", scene.environment, {release.address: "1.0.0"})
    workspace.lock_file.write_bytes((scene.folder / NAME).read_bytes())
    assert "has been successfully initialized" in workspace.run("init")
