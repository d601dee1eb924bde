"""`lockwarden modules --resolve`: what tags and branches mean today, in a registry and in a real git repository."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders.schema import violations
from contract.oci.kinds import Shelf
from end_to_end.module_packages import HOST, ZIP, Bare, call, module, serve, zipped
from servers.https import Breakage, Broken, HttpsServer
from servers.installed import Lockwarden
from servers.oci_registry import digest_of

from lockwarden.demo.responses import Response

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "modules.schema.json").read_text(encoding="utf-8"))
OCI = f"oci://{HOST}/mods/vpc"
GIT = f"git::https://{HOST}/vpc.git"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def resolved(lockwarden: Lockwarden, root: Path, *, expected: int) -> dict[str, Any]:
    done = lockwarden.run("modules", "--resolve", "--format", "json", folder=root, expected=expected)
    assert list(violations(done.report, SCHEMA)) == []
    return {each["key"]: each for each in done.report["configurations"][0]["calls"]}


def test_a_tag_that_moves_means_something_else_and_a_digest_or_commit_does_not(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path, tmp_path: Path
) -> None:
    shelf, bare = Shelf(), Bare(tmp_path / "vpc.git")
    first = module(shelf, ZIP, tag="1.0.0")
    registry = serve(https_server, shelf)

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return registry(host, path, headers) if path.startswith("/v2/") else bare.respond(path)

    https_server.serve(respond)
    (root / "main.tf").write_text(
        call("oci", f"{OCI}//child?tag=1.0.0")
        + call("pinned", f"{OCI}?digest={first}")
        + call("git", f"{GIT}//child?ref=v1.0.0")
        + call("branch", GIT)
        + call("commit", f"{GIT}?ref={bare.first}")
        + call("again", f"{GIT}?ref=v1.0.0")
        + call("local", "./local")
    )
    (root / "local").mkdir()
    (root / "local" / "main.tf").touch()
    before = resolved(lockwarden, root, expected=0)
    assert before["oci"]["resolved"] == {
        "revision": first,
        "package": digest_of(ZIP),
        "how": "its tag 1.0.0",
        "pinned": f"{OCI}//child?digest={first}",
    }
    assert before["git"]["resolved"] == {
        "revision": bare.first,
        "package": None,
        "how": "its tag v1.0.0",
        "pinned": f"{GIT}//child?ref={bare.first}",
    }
    assert before["pinned"]["resolved"]["pinned"] is None
    assert before["commit"]["resolved"]["revision"] == bare.first
    assert before["local"]["resolved"] is None
    assert lockwarden.leftovers() == []

    second = module(shelf, zipped({"main.tf": b"other"}), tag="1.0.0")
    bare.move_tag(moved := bare.commit("second"))
    after = resolved(lockwarden, root, expected=0)
    assert {key: each["resolved"] and each["resolved"]["revision"] for key, each in after.items()} == {
        "oci": second,
        "pinned": first,
        "git": moved,
        "branch": moved,
        "commit": bare.first,
        "again": moved,
        "local": None,
    }
    text = lockwarden.run("modules", "--resolve", folder=root, expected=0).out
    assert f"      today {moved}: its branch" not in text
    assert f"      today {moved}: its default branch\n        pinned: {GIT}?ref={moved}\n" in text


def test_what_is_not_there_is_a_finding_and_what_did_not_answer_or_was_not_asked_is_open(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path, tmp_path: Path
) -> None:
    bare = Bare(tmp_path / "vpc.git")
    https_server.serve(lambda host, path, headers: bare.respond(path))
    (root / "main.tf").write_text(call("git", f"{GIT}?ref=v2.0.0") + call("oci", OCI))
    found = resolved(lockwarden, root, expected=1)
    assert [[each["code"] for each in call["problems"]] for call in found.values()] == [["module-absent"]] * 2

    (root / "main.tf").write_text(call("gone", f"git::https://{HOST}/gone.git") + call("registry", "acme/vpc/aws"))
    found = resolved(lockwarden, root, expected=3)
    assert [[each["code"] for each in call["problems"]] for call in found.values()] == [["module-unresolved"]] * 2

    def down(host: str, path: str, headers: Mapping[str, str]) -> Response:
        raise Broken(Breakage.CLOSE)

    https_server.serve(down)
    (root / "main.tf").write_text(call("git", GIT) + call("oci", OCI))
    found = resolved(lockwarden, root, expected=3)
    assert [[each["code"] for each in call["problems"]] for call in found.values()] == [["module-unresolved"]] * 2


def test_an_archive_means_the_bytes_that_lie_there(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path
) -> None:
    https_server.serve(lambda host, path, headers: Response(status=200 if "zip" in path else 403, body=path.encode()))
    url = f"https://{HOST}/vpc.zip"
    digest = digest_of(b"/vpc.zip?token=s3cret")
    (root / "main.tf").write_text(
        call("archive", f"{url}//child?token=s3cret&archive=zip")
        + call("pinned", f"{url}?token=s3cret&checksum={digest}")
        + call("refused", f"https://{HOST}/vpc.tgz")
    )
    done = lockwarden.run("modules", "--resolve", "--format", "json", folder=root, expected=1)
    first, second, third = done.report["configurations"][0]["calls"]
    shown = f"{url}//child?token=(secret)&archive=zip"
    assert first["resolved"]["revision"] == second["resolved"]["revision"] == digest
    assert (first["resolved"]["pinned"], second["resolved"]["pinned"]) == (f"{shown}&checksum={digest}", None)
    assert [each["code"] for each in third["problems"]] == ["module-unresolved"]
    assert "s3cret" not in done.out + done.err
    assert lockwarden.leftovers() == []


def test_half_a_character_in_a_source_ends_nothing(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path
) -> None:
    https_server.serve(lambda host, path, headers: Response(status=404))
    half = "\\ud800"
    sources = [f"git::https://{HOST}/v{half}?ref={half}", f"https://{HOST}/{half}.zip", f"https://{half}/v.zip", half]
    sources += [f"./{half}", "./a\\u0000b", f"oci://{HOST}/{half}?tag={half}"]
    (root / "main.tf").write_text("".join(call(f"m{place}", each) for place, each in enumerate(sources)))
    for arguments in ((), ("--resolve",), ("--lock",)):
        for form in ("text", "json"):
            done = lockwarden.run("modules", *arguments, "--format", form, folder=root)
            assert done.code == 2  # a folder of such a name cannot be read
            assert "internal error" not in done.err


def test_without_the_option_nobody_is_asked(https_server: HttpsServer, lockwarden: Lockwarden, root: Path) -> None:
    https_server.journal.clear()
    (root / "main.tf").write_text(call("git", GIT) + call("oci", OCI))
    lockwarden.run("modules", folder=root, expected=0)
    assert https_server.journal.requests == ()


def test_nothing_of_the_checkout_configures_the_git_that_asks(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path, tmp_path: Path
) -> None:
    bare = Bare(tmp_path / "vpc.git")
    https_server.serve(lambda host, path, headers: bare.respond(path))
    (root / "main.tf").write_text(call("git", f"{GIT}?ref=main") + call("ext", "git::ext::sh -c 'touch ran'"))
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git" / "objects").mkdir()
    (root / ".git" / "refs").mkdir()
    (root / ".git" / "config").write_text(
        f'[url "https://elsewhere.example.test/"]\n\tinsteadOf = https://{HOST}/\n[core]\n\tsshCommand = touch ran\n'
        '[credential]\n\thelper = "!touch ran"\n[protocol]\n\tallow = always\n'
    )
    found = resolved(lockwarden, root, expected=1)
    assert found["git"]["resolved"]["revision"] == bare.first
    assert "module-transport" in {each["code"] for each in found["ext"]["problems"]}
    assert {request.host for request in https_server.journal.requests} == {HOST}
    assert not (root / "ran").exists()
