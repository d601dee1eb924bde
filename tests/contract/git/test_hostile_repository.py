"""Reading a hostile repository runs none of the programs that it names, fetches nothing and changes nothing."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from contract.git.hostile import HOOKS, Trap, set_trap
from contract.git.repositories import LOCK, Home, lock_text

from lockwarden.core.git import program
from lockwarden.core.git.identity import identity
from lockwarden.core.git.repository import Repository, find_repository
from lockwarden.core.values.errors import GitError, UnknownRevisionError

SSH = "ssh://git@remote.test/repo.git"
RUN_BY_PLAIN_GIT = frozenset(
    {
        "alias.st",
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.bad.command",
        "diff.bad.textconv",
        "filter.bad.clean",
        "gpg.program",
        "hooks.reference-transaction",
    }
)
"""Of all that the repository names, what the commands of the control have a use for."""


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Trap:
    """For all who only read it, as all of the product does."""
    return set_trap(Home(folder=tmp_path_factory.mktemp("hostile").resolve()), url=SSH)


def opened(trap: Trap) -> Repository:
    repository = find_repository(trap.work.folder / LOCK, trap.environ)
    assert repository is not None
    return repository


def state(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Everything below a folder: modes, times and contents."""
    return {
        str(path): (path.lstat().st_mode, path.lstat().st_mtime_ns, digest(path)) for path in sorted(folder.rglob("*"))
    }


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def test_control_plain_git_runs_what_the_repository_names(home: Home) -> None:
    trap = set_trap(home, url=SSH)
    ran = trap.plain("status")
    assert {"core.fsmonitor", "filter.bad.clean"} <= ran
    trap.work.write("main.tf", b"# two\n")
    ran |= trap.plain("-c", "core.fsmonitor=false", "diff", "HEAD~1")
    ran |= trap.plain("diff", "--no-ext-diff", "HEAD~1")
    ran |= trap.plain("log", "-p", "-2")
    ran |= trap.plain("log", terminal=True)
    ran |= trap.plain("st")
    ran |= trap.plain("cat-file", "-p", f"{trap.commits[0]}:{trap.lost}")
    ran |= trap.plain("update-ref", "refs/heads/new", "HEAD")
    assert ran >= RUN_BY_PLAIN_GIT


def test_opening_and_resolving_runs_nothing(trap: Trap) -> None:
    repository = opened(trap)
    for name in ("HEAD", "main", "HEAD~1", "origin/HEAD", "@{upstream}", trap.signed[:12]):
        assert repository.resolve(name).id in trap.commits
    for name in ("nope", f":{LOCK}", f":0:{LOCK}", "f" * 40):
        with pytest.raises(UnknownRevisionError):
            repository.resolve(name)
    assert trap.marks() == set()


def test_a_command_that_would_verify_signatures_runs_nothing(trap: Trap) -> None:
    git = program.Git.at(trap.work.folder, trap.environ)
    printed = git.tell("log", "-3", "--format=%H", trap.signed, doing="list commits")
    assert trap.signed in printed.decode("ascii").split()
    assert trap.marks() == set()


def test_reading_files_runs_nothing(trap: Trap) -> None:
    repository = opened(trap)
    first, second, signed = (repository.resolve(each) for each in trap.commits)
    path = trap.work.folder / LOCK
    for revision in (second, signed):
        found = repository.file_at(revision, path, now=lock_text("h1:now"))
        assert found is not None
        assert found.data == lock_text()
    renamed = repository.file_at(first, path, now=lock_text())
    assert renamed is not None
    assert renamed.renamed_from == f"old/{LOCK}"
    assert trap.marks() == set()


def test_what_a_partial_clone_lacks_is_an_error_and_never_fetched(trap: Trap) -> None:
    repository = opened(trap)
    with pytest.raises(GitError) as caught:
        repository.file_at(repository.resolve(trap.commits[0]), trap.work.folder / trap.lost)
    assert caught.value.code == "missing-object", caught.value.message
    with pytest.raises(GitError) as caught:
        repository.file_at(repository.resolve(trap.commits[0]), trap.work.folder / LOCK, now=lock_text("h1:like lost"))
    assert caught.value.code == "missing-object", caught.value.message
    assert trap.marks() == set()


LAZY, PROTOCOL = "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"
BOTH = [LAZY, PROTOCOL]
"""What keeps git from fetching; the first is new to some gits, so that the second has to be enough."""
ONCE_MORE = [pytest.param(each, [LAZY], False, marks=pytest.mark.thorough) for each in ("file", "git")]


@pytest.mark.parametrize(
    ("kind", "missing", "asked"),
    [
        ("ssh", [LAZY], False),
        ("ext", [LAZY], False),
        ("helper", [LAZY], False),
        *ONCE_MORE,
        ("ext", [PROTOCOL], False),
        ("ext", BOTH, True),
    ],
)
def test_what_a_partial_clone_lacks_is_not_fetched_as_long_as_one_of_two_guards_holds(
    home: Home, monkeypatch: pytest.MonkeyPatch, kind: str, missing: list[str], asked: bool
) -> None:
    script = home.folder / "trap" / "bin" / "core.sshCommand"
    urls = {
        "ssh": SSH,
        "ext": f"ext::{script} x",
        "file": f"file://{home.folder}/hostile",
        "helper": "bad::x",
        "git": "git://127.0.0.1:9/x",
    }
    trap = set_trap(home, url=urls[kind])
    for name in missing:
        monkeypatch.delitem(program._FIXED, name, raising=False)
    repository = opened(trap)
    with pytest.raises(GitError) as caught:
        repository.file_at(repository.resolve(trap.commits[0]), trap.work.folder / trap.lost)
    assert (caught.value.code == "missing-object") is not asked, caught.value.message
    assert trap.marks() == ({"core.sshCommand"} if asked else set())


def test_what_no_command_of_ours_has_git_do_would_run_nothing_either(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these is held by one setting alone, should ever a command be asked that comes to it."""
    trap = set_trap(home, url=SSH)
    monkeypatch.delitem(program._FIXED, PROTOCOL)
    git = program.Git.at(trap.work.folder, trap.environ)
    git.tell("update-ref", "refs/heads/new", "HEAD", doing="make a branch")
    assert trap.marks() == set(), "hooks"
    asked = git.ask("credential", "fill", given=b"protocol=https\nhost=example.test\n\n", doing="ask for a password")
    assert trap.marks() == set(), "helpers for passwords"
    assert "terminal prompts disabled" in asked.complaint
    git.ask("ls-remote", SSH, doing="ask a server")
    assert trap.marks() == set(), "ssh"
    trap.run([*git._words, "log", "-1"], git.environ, terminal=True)
    assert trap.marks() == set(), "pagers"


def test_the_picker_the_sides_the_standards_and_the_identity_run_nothing(trap: Trap) -> None:
    repository = opened(trap)
    path = trap.work.folder / LOCK
    past = repository.recent_revisions(path, now=lock_text("h1:now"))
    assert [(each.revision.subject, each.path) for each in past] == [("Two", LOCK), ("One", f"old/{LOCK}")]
    assert [each.revision.name for each in repository.suggestions()] == ["origin/main"]
    assert [each.revision.id for each in repository.sides()] == [trap.signed, trap.commits[0]]
    head = repository.resolve("HEAD")
    assert repository.nearest_file(head, LOCK.encode(), "main.tf") is not None
    assert repository.plain_file(head, "nowhere") is None
    assert repository.gone(head, "nowhere") == ()
    assert identity(trap.work.folder, trap.environ) == "Ada Example <ada@example.test>"
    assert trap.marks() == set()


def test_nothing_is_told_where_the_settings_of_the_operator_have_git_tell_what_it_does(home: Home) -> None:
    work = home.init("told")
    work.write(LOCK, lock_text())
    work.commit()
    told = [home.folder / f"told-{kind}" for kind in ("normal", "event", "perf")]
    for path in told:
        work.git("config", "--global", f"trace2.{path.name.removeprefix('told-')}Target", str(path))
    work.git("version")
    assert all(path.exists() for path in told), "as any git does"
    for path in told:
        path.unlink()
    assert find_repository(work.folder / LOCK, work.environ) is not None
    assert not any(path.exists() for path in told)


def test_an_index_that_has_to_be_looked_at_again_is_not_written(home: Home) -> None:
    work = home.init("looked")
    path = work.write("main.tf", b"# one\n")
    work.commit()
    os.utime(path, (0, 0))
    before = state(work.folder / ".git")
    program.Git.at(work.folder, work.environ).tell("status", doing="compare")
    assert state(work.folder / ".git") == before


def test_reading_writes_nothing(trap: Trap) -> None:
    before = state(trap.work.folder)
    repository = opened(trap)
    path = trap.work.folder / LOCK
    for each in repository.recent_revisions(path):
        repository.file_at(each.revision, path, now=lock_text())
    repository.sides()
    repository.suggestions()
    assert state(trap.work.folder) == before


def test_every_hook_in_the_repository_is_a_program_that_would_leave_its_mark(trap: Trap) -> None:
    for name in HOOKS:
        assert os.access(trap.work.folder / ".git" / "hooks" / name, os.X_OK)
