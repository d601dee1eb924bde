"""Audits through an OCI mirror with the installed command: a real registry, plain on this machine and behind HTTPS."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from contract.oci.kinds import KINDS, Shelf
from end_to_end.oci_mirrors import (
    ASKED,
    HOST,
    ON_LINUX,
    PATTERN,
    assert_no_secret,
    configured,
    over_https,
    plain,
    said,
    written,
)
from servers.https import Breakage, Broken, HttpsServer
from servers.installed import PATIENCE, Ended, Lockwarden
from servers.oci_registry import OCI_INDEX, PASSWORD, Registry, TokenGate, basic

from lockwarden.demo.responses import Response


def test_the_mirror_and_a_folder_of_the_same_packages_give_the_same_hashes(
    folder: Path, registry: Registry, three_providers: ThreeProviders, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    three_providers.write_folder(tmp_path / "mirror")
    through_oci = lockwarden.run("check", *plain(registry), *ASKED, "--format", "json", folder=folder, expected=0)
    through_folder = lockwarden.run(
        "check", "--source", tmp_path / "mirror", *ASKED, "--format", "json", folder=folder, expected=0
    )
    for release in three_providers.releases:
        every = {hash_ for package in release.packages.values() for hash_ in package.hashes}
        verdicts = through_oci.verdicts(release.name)
        assert set(verdicts) == every
        assert verdicts == through_folder.verdicts(release.name)


def test_lock_writes_the_same_file_through_the_mirror_and_a_folder(
    registry: Registry, three_providers: ThreeProviders, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    three_providers.write_folder(tmp_path / "mirror")
    sources = {"oci": plain(registry), "folder": ("--source", str(tmp_path / "mirror"))}
    files = {}
    for name, source in sources.items():
        place = written(tmp_path / name, three_providers.releases, known=False)
        lockwarden.run("lock", *source, *ASKED, folder=place, expected=0)
        files[name] = (place / ".terraform.lock.hcl").read_text()
    assert files["oci"] == files["folder"]
    for release in three_providers.releases:
        for package in release.packages.values():
            assert all(f'"{hash_}",' in files["oci"] for hash_ in package.hashes)


@pytest.mark.parametrize("gated", [False, True], ids=["open", "behind a token server"])
def test_a_registry_over_https_is_audited_anonymously(
    folder: Path, registry: Registry, https_server: HttpsServer, lockwarden: Lockwarden, gated: bool
) -> None:
    guarded = TokenGate(behind=registry.respond, realm=f"https://{HOST}/token", anonymous=True)
    https_server.serve(guarded.respond if gated else registry.respond)
    done = lockwarden.run("check", *over_https(), *ASKED, "--format", "json", folder=folder, expected=0)
    assert done.report["sources"] == [{"id": HOST, "kind": "OCI mirror", "location": f"oci://{HOST}/{PATTERN}"}]
    assert {chain["credentials"] for chain in said(done)["chains"]} == {"anonymous"}
    tokens = [token for token, _ in guarded.given]
    assert len(tokens) == (3 if gated else 0)
    sent = {request.authorization for request in https_server.journal.requests} - {None}
    assert sent == {f"Bearer {token}" for token in tokens}
    assert not any(token in done.out + done.err for token in tokens)


def test_the_report_has_the_chain_from_the_tag_to_the_package(
    folder: Path, registry: Registry, three_providers: ThreeProviders, lockwarden: Lockwarden
) -> None:
    done = lockwarden.run("check", *plain(registry), *ON_LINUX, folder=folder)
    one = three_providers.releases[0]
    chain = next(each for each in said(done)["chains"] if each["platform"] == "linux_amd64")
    assert (chain["repository"], chain["tag"]) == (f"{registry.address}/providers/acme/one", "1.4.0")
    zh = one.packages["linux_amd64"].zh
    assert chain["layers"] == [{"digest": zh.replace("zh:", "sha256:"), "zh": zh}]
    index = registry.request("GET", "/v2/providers/acme/one/manifests/1.4.0", headers={"Accept": OCI_INDEX})
    assert ("Docker-Content-Digest", chain["index_digest"]) in index.headers
    assert chain["manifest_digest"] in {each["digest"] for each in json.loads(index.body)["manifests"]}
    told = lockwarden.run("check", "--verbose", *plain(registry), *ON_LINUX[:2], folder=folder).out
    for step in (chain["index_digest"], chain["manifest_digest"], f"layer = zh {chain['layers'][0]['digest']}"):
        assert step in told


def test_a_module_in_the_place_of_a_provider_is_called_one(
    folder: Path, registry: Registry, lockwarden: Lockwarden
) -> None:
    shelf = Shelf()
    KINDS["module"](shelf)
    shelf.tags = dict.fromkeys(["1.4.0"], shelf.tags["1.2.3"])
    shelf.push(registry, "modules/acme/one")
    source = plain(registry, "modules/{namespace}/{type}")
    done = lockwarden.run("check", *source, *ON_LINUX, folder=folder, expected=3)
    (problem,) = done.provider("one")["problems"]
    assert (problem["code"], problem["severity"]) == ("oci-wrong-kind", "warning")
    assert "selected OCI artifact is an OpenTofu module package, not a provider package" in problem["message"]
    assert problem["hint"]
    assert [chain["tag"] for chain in said(done)["chains"]] == ["1.4.0"]
    assert "module package, not a provider package" in lockwarden.run("check", *source, folder=folder, expected=3).out


def test_a_registry_that_is_down_could_not_be_asked(
    folder: Path, https_server: HttpsServer, lockwarden: Lockwarden
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there while we hold it
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        source = ("--source", f"oci://{address}/{PATTERN}", "--insecure-http", "127.0.0.1")
        assert_unanswered(lockwarden.run("check", *source, *ON_LINUX, folder=folder, expected=3))

    def down(host: str, path: str, headers: Mapping[str, str]) -> Response:
        raise Broken(Breakage.CLOSE)

    https_server.serve(down)
    assert_unanswered(lockwarden.run("check", *over_https(), *ON_LINUX, folder=folder, expected=3))


def assert_unanswered(done: Ended) -> None:
    assert said(done)["outcome"] == "no answer"
    assert set(done.verdicts("one").values()) == {"unchecked"}


def test_a_registry_without_the_provider_is_an_answer(folder: Path, registry: Registry, lockwarden: Lockwarden) -> None:
    done = lockwarden.run("check", *plain(registry, "nowhere/{type}"), *ON_LINUX, folder=folder, expected=3)
    assert said(done)["outcome"] == "not there"
    assert "nowhere/one" in said(done)["detail"]


def test_a_registry_on_this_machine_is_not_spoken_to_without_tls_unless_it_is_named(
    folder: Path, registry: Registry, lockwarden: Lockwarden
) -> None:
    done = lockwarden.run("check", *plain(registry)[:2], *ON_LINUX, folder=folder, expected=3)
    assert said(done)["outcome"] == "no answer"
    other = ("--insecure-http", "127.0.0.1:1")
    done = lockwarden.run("check", *plain(registry)[:2], *other, *ON_LINUX, folder=folder, expected=3)
    assert said(done)["outcome"] == "no answer"


def test_offline_no_registry_is_asked(folder: Path, https_server: HttpsServer, lockwarden: Lockwarden) -> None:
    https_server.journal.clear()
    done = lockwarden.run("check", "--offline", *over_https(), *ON_LINUX, folder=folder, expected=3)
    assert said(done)["outcome"] == "not asked"
    assert https_server.journal.requests == ()


def test_a_registry_that_wants_a_password_is_told_of_without_one(
    folder: Path, password_registry: Registry, lockwarden: Lockwarden
) -> None:
    done = lockwarden.run("check", *plain(password_registry), *ON_LINUX, folder=folder, expected=3)
    (problem,) = done.provider("one")["problems"]
    assert problem["code"] == "credentials-required"
    assert "oci_credentials" in problem["hint"]


@pytest.mark.parametrize("form", [("--format", "json"), ("--verbose",)], ids=["json", "text"])
def test_the_configured_password_opens_the_registry_and_shows_nowhere(
    folder: Path, password_registry: Registry, lockwarden: Lockwarden, form: tuple[str, ...]
) -> None:
    file = configured(lockwarden, password_registry.address, PASSWORD)
    done = lockwarden.run("check", *plain(password_registry), *ASKED, *form, folder=folder, expected=0)
    assert str(file) in done.out
    assert_no_secret(done)


def test_a_password_that_is_rejected_shows_nowhere(
    folder: Path, password_registry: Registry, lockwarden: Lockwarden
) -> None:
    file = configured(lockwarden, password_registry.address, f"wrong-{PASSWORD}")
    for form in (("--format", "json"), ("--verbose",)):
        done = lockwarden.run("check", *plain(password_registry), *form, folder=folder, expected=3)
        assert "rejected the given authentication credentials" in done.out
        assert str(file) in done.out
        assert_no_secret(done)


def test_over_https_the_password_goes_to_the_registry_and_its_token_server_only(
    folder: Path, registry: Registry, https_server: HttpsServer, lockwarden: Lockwarden
) -> None:
    configured(lockwarden, HOST, PASSWORD)
    guarded = TokenGate(behind=registry.respond, realm=f"https://{HOST}/token")
    https_server.serve(guarded.respond)
    done = lockwarden.run("check", *over_https(), *ASKED, "--format", "json", folder=folder, expected=0)
    assert_no_secret(done, *(token for token, _ in guarded.given))
    seen = {(request.host, request.authorization) for request in https_server.journal.requests}
    tokens = {(HOST, f"Bearer {token}") for token, _ in guarded.given}
    assert seen == {(HOST, None), (HOST, basic()), *tokens}

    elsewhere = TokenGate(behind=registry.respond, realm="https://elsewhere.example.test/token")
    https_server.serve(elsewhere.respond)
    done = lockwarden.run("check", *over_https(), *ON_LINUX, folder=folder, expected=3)
    assert [problem["code"] for problem in done.provider("one")["problems"]] == ["credentials-withheld"]
    assert_no_secret(done)
    assert {request.authorization for request in https_server.journal.requests} == {None}


def test_a_template_that_cannot_be_used_ends_with_the_form_and_without_its_password(
    folder: Path, lockwarden: Lockwarden
) -> None:
    done = lockwarden.run("check", "--source", f"oci://auditor:{PASSWORD}@{HOST}/{{type}}", folder=folder, expected=2)
    assert "oci_credentials" in done.err
    assert PASSWORD not in done.out + done.err
    done = lockwarden.run("check", "--source", f"oci://{HOST}/${{type}}", folder=folder, expected=2)
    assert "is the form of the CLI configuration" in done.err


def test_on_a_terminal_the_source_picker_lists_the_repositories_of_the_registry(
    folder: Path, registry: Registry, lockwarden: Lockwarden
) -> None:
    with lockwarden.in_terminal("--no-cache", *plain(registry), ".", folder=folder) as terminal:
        terminal.wait_for(b"confirmed", seconds=PATIENCE)
        terminal.press(b"s")
        found = f"{registry.address} lists 3 repositories that fit; locked providers among them: 3 of 3"
        terminal.wait_for(found.encode(), seconds=PATIENCE)
        for name in ("one", "two", "three"):
            terminal.wait_for(f" providers/acme/{name}".encode(), seconds=PATIENCE)
        terminal.press(b"\x11")  # ctrl+q
        assert terminal.process.wait(timeout=PATIENCE) in {0, 3}
    assert b"Traceback" not in terminal.shown
    assert lockwarden.leftovers() == []
