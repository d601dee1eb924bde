"""`lockwarden modules --resolve`: what tags and branches mean today, in a registry and in a real git repository."""

from __future__ import annotations

import asyncio
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

from lockwarden.cli.surroundings import clock
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.module_files import ModuleFilesOnDisk
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.modules.resolution import Unresolved
from lockwarden.demo.world import Response

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

    (root / "main.tf").write_text(call("gone", f"git::https://{HOST}/gone.git") + call("hg", f"hg::https://{HOST}/v"))
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


def test_offline_the_screen_asks_nobody(https_server: HttpsServer, lockwarden: Lockwarden, root: Path) -> None:
    https_server.journal.clear()
    (root / "main.tf").write_text(call("git", GIT) + call("oci", OCI) + call("registry", f"{HOST}/acme/vpc/aws"))
    options = AuditOptions(sources=(), platforms=PlatformChoice(wanted=frozenset()), offline=True)
    files = ModuleFilesOnDisk(options, Runtime(environ=lockwarden.environment, cache_folder=None, now=clock))
    counts: list[tuple[int, int]] = []
    listing = asyncio.run(
        files.resolved(files.read(root, base="").listing, lambda answered, of: counts.append((answered, of)))
    )
    said = [each.resolution for each in listing.calls]
    assert [isinstance(each, Unresolved) and "because of --offline" in each.reason for each in said] == [True] * 3
    assert counts == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert https_server.journal.requests == ()


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


def registry(host: str, path: str, headers: Mapping[str, str], bare: Bare) -> Response:
    """A module registry whose versions lie in git, behind a page that leads on, and at the URL of an archive."""
    given = {name.lower(): value for name, value in headers.items()}
    path = path.partition("?")[0] if "terraform-get" not in path else path
    if path == "/.well-known/terraform.json":
        return Response(status=200, body=b'{"modules.v1": "/modules"}')
    if path.startswith("/modules/"):
        assert given["authorization"] == "Bearer t0ken"
        assert given["x-terraform-version"]
    match path.removeprefix("/modules/acme/"):
        case "vpc/aws/versions":
            versions = [{"version": each} for each in ("1.0.0", "v1.2.0", "2.0.0", "2.1.0-rc1")]
            return Response(status=200, body=json.dumps({"modules": [{"versions": versions}]}).encode())
        case "vpc/aws/1.2.0/download":
            return Response(status=204, headers=(("X-Terraform-Get", f"{GIT}//child?ref=v1.0.0"),))
        case "vpc/aws/2.0.0/download":
            return Response(status=200, body=b'{"location": "../../../../../pages/vpc"}')
        case "vpc/aws/2.1.0-rc1/download":
            return Response(
                status=200, body=b'{"location": "https://files.example.test/x", "use_registry_credentials": false}'
            )
        case "loop/aws/versions":
            return Response(status=200, body=b'{"modules": [{"versions": [{"version": "1.0.0"}]}]}')
        case "loop/aws/1.0.0/download":
            return Response(status=200, body=b'{"location": "/pages/round"}')
        case "html/aws/versions":
            return Response(status=200, body=b"<html>log in</html>")
    if path.startswith("/modules/"):
        return Response(status=404)
    assert "authorization" not in given
    match path:
        case "/pages/vpc?terraform-get=1":
            page = f'<html><head><meta name="terraform-get" content="https://{HOST}/files/v.zip?archive=zip"></head>'
            return Response(status=200, headers=(("Content-Type", "text/html"),), body=page.encode())
        case "/pages/round?terraform-get=1":
            return Response(status=200, headers=(("X-Terraform-Get", f"https://{HOST}/pages/round"),))
        case "/pages/nothing?terraform-get=1":
            return Response(status=200, body=b"<html></html>")
        case "/files/v.zip":
            return Response(status=200, body=b"the archive")
        case "/x":
            return Response(status=200, body=b"direct")
    return bare.respond(path)


def test_registries_and_pages_are_followed_to_what_they_lead_to(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path, tmp_path: Path
) -> None:
    bare = Bare(tmp_path / "vpc.git")
    https_server.serve(lambda host, path, headers: registry(host, path, headers, bare))
    vpc = f"{HOST}/acme/vpc/aws"

    def versioned(name: str, source: str, version: str) -> str:
        return call(name, source).replace("\n}", f'\n  version = "{version}"\n}}')

    (root / "main.tf").write_text(
        versioned("git", f"{vpc}//deeper", "~> 1.0")
        + call("page", vpc)
        + versioned("direct", vpc, "2.1.0-rc1")
        + versioned("none", vpc, "> 3")
        + call("unknown", f"{HOST}/acme/gone/aws")
        + call("loop", f"{HOST}/acme/loop/aws")
        + call("html", f"{HOST}/acme/html/aws")
        + call("plain", f"https://{HOST}/pages/vpc")
        + call("nothing", f"https://{HOST}/pages/nothing")
        + call("gone", f"https://{HOST}/pages/gone")
        + call("bucket", "s3::https://s3.amazonaws.com/bucket/vpc.zip")
    )
    token = {f"TF_TOKEN_{HOST.replace('.', '_')}": "t0ken"}
    done = lockwarden.run("modules", "--resolve", "--format", "json", folder=root, expected=1, **token)
    calls = {each["key"]: each for each in done.report["configurations"][0]["calls"]}
    archive = digest_of(b"the archive")
    resolved = {key: each["resolved"] and each["resolved"]["revision"] for key, each in calls.items()}
    nothing = dict.fromkeys(("none", "unknown", "loop", "html", "nothing", "gone", "bucket"))
    found = {"git": bare.first, "page": archive, "direct": digest_of(b"direct"), "plain": archive}
    assert resolved == found | nothing
    assert calls["git"]["resolved"]["how"] == f"version 1.2.0, which leads to {GIT}//child?ref=v1.0.0: its tag v1.0.0"
    assert calls["page"]["resolved"]["how"].startswith("version 2.0.0, which leads to ")
    assert calls["page"]["resolved"]["pinned"] is None
    said = {key: [(each["code"], each["message"]) for each in call["problems"]] for key, call in calls.items()}
    for key, code, words in (
        ("none", "module-absent", "has no version that fits “> 3”"),
        ("unknown", "module-absent", "does not have a module"),
        ("loop", "module-unresolved", "servers led on more than 10 times"),
        ("html", "module-unresolved", "the list of versions of"),
        ("nothing", "module-unresolved", "does not say where the package is"),
        ("gone", "module-absent", "answered 404"),
        ("bucket", "module-unresolved", "it cannot be resolved here: buckets are asked"),
    ):
        assert [each for each, message in said[key] if words in message] == [code], said[key]
    assert "t0ken" not in done.out + done.err
    assert lockwarden.leftovers() == []


def test_a_module_that_a_registry_may_hide_without_credentials_is_open_and_its_words_are_shown(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path
) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if path == "/.well-known/terraform.json":
            return Response.of_json({"modules.v1": "/modules/"})
        known = "/shut/" in path
        return Response.of_json({"errors": ["not for you" if known else "Not Found"]}, status=403 if known else 404)

    https_server.serve(respond)
    public = "registry.opentofu.org"
    (root / "main.tf").write_text(
        call("hidden", f"{HOST}/acme/vpc/aws")
        + call("shut", f"{HOST}/acme/shut/aws")
        + call("public", f"{public}/acme/vpc/aws")
        + call("filtered", f"{public}/acme/shut/aws")
    )

    def told(**extra: str) -> dict[str, tuple[str, str, str]]:
        done = lockwarden.run("modules", "--resolve", "--format", "json", folder=root, expected=1, **extra)
        calls = done.report["configurations"][0]["calls"]
        return {
            each["key"]: (problem["code"], problem["message"], problem["hint"])
            for each in calls
            for problem in each["problems"]
        }

    found = told()
    assert {key: code for key, (code, _, _) in found.items()} == {
        "hidden": "module-unresolved",
        "shut": "module-unresolved",
        "public": "module-absent",
        "filtered": "module-unresolved",
    }
    assert "; it may hide it" in found["hidden"][1]
    assert "since no credentials were sent: add a credentials block" in found["hidden"][2]
    assert "the server says “not for you”" in found["shut"][1]
    assert found["shut"][2].startswith("add a credentials block for")
    assert found["filtered"][2].startswith("this registry needs no credentials")
    found = told(**{f"TF_TOKEN_{HOST.replace('.', '_')}": "t0ken"})
    assert found["hidden"][0] == "module-absent"
    assert found["shut"][2] == f"renew the token for {HOST}, or check what it may read"


def test_the_beginning_of_a_commit_is_found_at_the_end_of_a_branch_and_pinned(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path, tmp_path: Path
) -> None:
    bare = Bare(tmp_path / "vpc.git")
    https_server.serve(lambda host, path, headers: bare.respond(path))
    (root / "main.tf").write_text(call("short", f"{GIT}?ref={bare.first[:9]}") + call("other", f"{GIT}?ref=0123abc"))
    found = resolved(lockwarden, root, expected=3)
    assert found["short"]["class"] == "named, mutable"
    assert found["short"]["resolved"]["pinned"] == f"{GIT}?ref={bare.first}"
    assert "the beginning of the ID of no commit" in found["other"]["problems"][0]["message"]
