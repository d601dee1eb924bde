"""Trees of commits of modules, fetched by a real git from a real one, as a server with the smart protocol does it."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from lockwarden.core.git.running import git_bounds
from lockwarden.core.module_packages.git_packages import GitPackages
from lockwarden.core.module_packages.git_remotes import GitRemotes
from lockwarden.core.module_packages.trees import tree_in
from lockwarden.core.modules.resolution import GitRepository, Unresolved
from lockwarden.core.values.errors import ArchiveError

_SSH = '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n'
"""What stands for ssh: it runs the command that the server would run."""


class Elsewhere:
    """A repository behind ssh, and what fetches from it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir()
        program = folder / "ssh"
        program.write_text(_SSH)
        program.chmod(0o755)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_SSH_COMMAND": str(program)}
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.test", "-c", "protocol.file.allow=always")
        done = subprocess.run(["git", *who, *words], cwd=self.work, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=x")
        return self.git("rev-parse", "HEAD")

    def check_out(self, commit: str, *, seconds: float = 60.0) -> tuple[Unresolved | None, Path]:
        folder = self.folder / f"into-{commit[:8]}"
        folder.mkdir(exist_ok=True)
        packages = GitPackages(self.environ, bounds=git_bounds(seconds=seconds, output_bytes=1024 * 1024))
        repository = GitRepository(f"ssh://git@example.test{self.work}", "")
        return asyncio.run(packages.check_out(repository, commit, folder)), folder


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


def test_no_address_is_ever_an_option(tmp_path: Path) -> None:
    program, told = tmp_path / "git", tmp_path / "told"
    program.write_text(f'#!/bin/sh\necho "$*" >> {told}\n')
    program.chmod(0o755)
    (tmp_path / "into").mkdir()
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    repository = GitRepository("--upload-pack=touch", "main")
    asyncio.run(GitRemotes(environ).commit_of(repository))
    asyncio.run(GitPackages(environ).check_out(repository, "a" * 40, tmp_path / "into"))
    asked = [line for line in told.read_text().splitlines() if repository.url in line]
    assert len(asked) == 2
    assert all(f" -- {repository.url} " in line for line in asked)


def test_one_commit_is_fetched_and_nothing_else_with_the_bytes_of_a_clone(elsewhere: Elsewhere) -> None:
    (elsewhere.work / "main.tf").write_text("# one\n")
    (elsewhere.work / ".gitattributes").write_text("*.tf eol=crlf\n")
    (elsewhere.work / "linked.tf").symlink_to("main.tf")
    first = elsewhere.commit()
    (elsewhere.work / "main.tf").write_text("# two\n")
    elsewhere.commit()
    failure, folder = elsewhere.check_out(first)
    assert failure is None
    assert (folder / ".git" / "shallow").read_text() == f"{first}\n"
    tree = tree_in(folder, name="x")
    assert {path: file.content for path, file in tree.files.items()} == {
        ".gitattributes": b"*.tf eol=crlf\n",
        "linked.tf": b"# one\r\n",
        "main.tf": b"# one\r\n",
    }
    assert all(each.content is None for each in tree_in(folder, name="x", contents=False).files.values())


def test_a_tree_that_is_too_deep_is_not_checked_out(elsewhere: Elsewhere) -> None:
    deep = elsewhere.work / ("d/" * 257)
    deep.mkdir(parents=True)
    (deep / "f").touch()
    refused, folder = elsewhere.check_out(elsewhere.commit())
    assert refused is not None
    assert refused.reason == "it has more than 256 folders within each other"
    assert not (folder / "d").exists()


def test_a_commit_that_is_gone_a_submodule_and_a_server_that_says_nothing_are_told(elsewhere: Elsewhere) -> None:
    elsewhere.commit()
    gone, _ = elsewhere.check_out("a" * 40)
    assert gone is not None
    assert gone.absent
    assert "does not have the commit" in gone.reason

    elsewhere.git("submodule", "--quiet", "add", str(elsewhere.work), "inner")
    submodule, folder = elsewhere.check_out(elsewhere.commit())
    assert submodule is not None
    assert submodule.reason == "it has submodules, which are not fetched"
    assert not (folder / "inner").exists()

    (elsewhere.folder / "ssh").write_text("#!/bin/sh\nexec sleep 600\n")
    hanging, _ = elsewhere.check_out("b" * 40, seconds=1.0)
    assert hanging is not None
    assert not hanging.absent
    assert "within 1 seconds" in hanging.reason


def test_what_is_no_package_is_no_tree(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("secret\n")
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "link").symlink_to("../outside")
    with pytest.raises(ArchiveError, match="leads out of it"):
        tree_in(folder, name="x")
    (folder / "link").unlink()
    (folder / os.fsdecode(b"\xff")).touch()
    with pytest.raises(ArchiveError, match="not UTF-8"):
        tree_in(folder, name="x")
