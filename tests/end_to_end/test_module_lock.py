"""The module lock, by the command: written for what lies here, and held against what is installed and what it means."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from builders.schema import violations
from contract.oci.kinds import Shelf
from end_to_end.module_packages import HOST, ZIP, Bare, call, module, serve, zipped
from servers.https import Breakage, Broken, HttpsServer
from servers.installed import Ended, Lockwarden

from lockwarden.demo.world import Response

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "modules.schema.json").read_text(encoding="utf-8"))
OCI = f"oci://{HOST}/mods/vpc"
GIT = f"git::https://{HOST}/vpc.git?ref=v1.0.0"
ADA = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *ADA, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a configuration whose one module is installed."""
    folder = tmp_path / "root"
    modules = folder / ".terraform" / "modules"
    modules.mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "main.tf").write_text(call("vpc", f"{OCI}?tag=1.0.0"))
    entry = {"Key": "vpc", "Source": f"{OCI}?tag=1.0.0", "Dir": ".terraform/modules/vpc"}
    (modules / "modules.json").write_text(json.dumps({"Modules": [entry]}))
    (modules / "vpc" / ".git").mkdir(parents=True)
    (modules / "vpc" / ".git" / "HEAD").write_text("x")
    (modules / "vpc" / "main.tf").write_text("# main\n")
    (modules / "vpc" / ".hidden").write_text("hidden\n")
    return folder


def codes(done: Ended) -> list[str]:
    assert list(violations(done.report, SCHEMA)) == []
    return [each["code"] for call in done.report["configurations"][0]["calls"] for each in call["problems"]]


def run(lockwarden: Lockwarden, root: Path, *arguments: str, expected: int) -> Ended:
    return lockwarden.run("modules", *arguments, "--format", "json", folder=root, expected=expected)


def test_a_tag_that_moves_and_a_byte_that_changes_are_found_and_named(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path
) -> None:
    shelf = Shelf()
    first = module(shelf, ZIP, tag="1.0.0")
    serve(https_server, shelf)
    done = run(lockwarden, root, "--lock", expected=0)
    lock = root / ".lockwarden" / "modules.hcl"
    assert f"note: {lock}: added {OCI}?tag=1.0.0\n" in done.err
    (found,) = done.report["configurations"][0]["calls"]
    assert found["locked"]["revision"] == first
    written = lock.read_text()
    assert "  .hidden" in written
    assert ".git" not in written
    assert run(lockwarden, root, "--resolve", expected=0).report["configurations"][0]["calls"][0]["locked"]
    assert run(lockwarden, root, "--lock", expected=0).err == ""
    assert lock.read_text() == written

    second = module(shelf, zipped({"main.tf": b"other"}), tag="1.0.0")
    done = run(lockwarden, root, "--resolve", expected=1)
    assert codes(done) == ["module-moved"]
    assert first in done.out
    assert second in done.out
    assert codes(run(lockwarden, root, expected=0)) == []
    assert codes(run(lockwarden, root, "--lock", expected=1)) == ["module-moved"]
    assert lock.read_text() == written

    def down(host: str, path: str, headers: Mapping[str, str]) -> Response:
        raise Broken(Breakage.CLOSE)

    https_server.serve(down)
    assert codes(run(lockwarden, root, "--resolve", expected=3)) == ["module-unresolved"]

    installed = root / ".terraform" / "modules" / "vpc"
    (installed / "main.tf").write_text("# Main\n")
    done = run(lockwarden, root, expected=1)
    assert codes(done) == ["module-changed"]
    assert "main.tf is changed" in done.out
    assert (
        "✗ what is installed is not what was locked: main.tf is changed" in lockwarden.run("modules", folder=root).out
    )
    (installed / "main.tf").write_text("# main\n")
    (installed / "linked").symlink_to(root)
    assert codes(run(lockwarden, root, expected=3)) == ["module-not-compared"]
    (installed / "linked").unlink()
    (installed / ".hidden").unlink()
    assert codes(run(lockwarden, root, expected=0)) == []


def test_a_call_that_is_not_in_the_lock_is_a_finding_and_a_secret_never_gets_there(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path, tmp_path: Path
) -> None:
    bare = Bare(tmp_path / "vpc.git")
    https_server.serve(lambda host, path, headers: bare.respond(path))
    secret = "git::https://ada:s3cret@example.test/vpc.git"
    (root / "main.tf").write_text(call("git", GIT) + call("secret", secret) + call("registry", "acme/vpc/aws"))
    done = run(lockwarden, root, "--lock", expected=1)
    assert "main.tf:5: warning: it is not locked: its address holds what may be a secret" in done.err
    assert "main.tf:8: warning: it is not locked: it is neither installed nor known what it means today" in done.err
    assert codes(done).count("module-not-locked") == 2
    text = (root / ".lockwarden" / "modules.hcl").read_text()
    assert f'revision = "{bare.first}"' in text
    assert "s3cret" not in text + done.out + done.err
    bare.move_tag(moved := bare.commit("second"))
    done = run(lockwarden, root, "--resolve", expected=1)
    assert codes(done)[0] == "module-moved"
    assert moved in done.out


def test_with_a_base_the_lock_of_the_base_counts(lockwarden: Lockwarden, root: Path) -> None:
    line = 'module "oci://registry.example.test/mods/vpc?tag=1.0.0" {\n  by = "x"\n  at = "2026-11-28T05:00:00Z"\n'
    lock = root / ".lockwarden" / "modules.hcl"
    lock.parent.mkdir()
    lock.write_text(f'{line}  revision = "{"a" * 40}"\n}}\n')
    git(root, "add", ".lockwarden")
    git(root, "commit", "--quiet", "--message=x")
    lock.write_text(f'{line}  revision = "{"b" * 40}"\n}}\n')
    done = run(lockwarden, root, "--base", "HEAD", expected=1)
    assert done.report["configurations"][0]["calls"][0]["locked"]["revision"] == "a" * 40
    assert codes(done) == ["module-relocked", "module-not-compared"]
    assert f"{'a' * 40} before, {'b' * 40} with it" in done.out
    assert "is not that of HEAD, which is the one that counts" in done.err
    lock.unlink()
    assert codes(run(lockwarden, root, "--base", "HEAD", expected=1)) == ["module-unlocked", "module-not-compared"]
    assert "exclude each other" in lockwarden.run("modules", "--lock", "--base", "HEAD", folder=root, expected=2).err
    assert "no git repository" in lockwarden.run("modules", "--base", "HEAD", folder=outside(root), expected=2).err


def outside(root: Path) -> Path:
    folder = root.parent / "outside"
    folder.mkdir()
    (folder / "main.tf").touch()
    return folder


def test_a_lock_that_cannot_be_read_or_written_is_told(
    https_server: HttpsServer, lockwarden: Lockwarden, root: Path
) -> None:
    shelf = Shelf()
    module(shelf, ZIP, tag="1.0.0")
    serve(https_server, shelf)
    (root / "elsewhere").mkdir()
    (root / ".lockwarden").symlink_to("elsewhere")
    assert "symbolic link" in run(lockwarden, root, "--lock", expected=2).err
    assert list((root / "elsewhere").iterdir()) == []
    assert "its folder is a symbolic link" in run(lockwarden, root, expected=2).err
    (root / ".lockwarden").unlink()
    (root / ".lockwarden").mkdir()
    (root / ".lockwarden" / "modules.hcl").write_text("modul {}\n")
    done = lockwarden.run("modules", folder=root, expected=2)
    assert done.err.startswith(".lockwarden/modules.hcl:1: error: there is no block “modul” here")
    assert done.out == ""
