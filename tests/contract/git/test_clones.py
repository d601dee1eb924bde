"""Lock files of whole clones, read from what is committed: bare or not, hostile or not, nothing of theirs has a say."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.document_signing import NAMESPACE, ed25519
from builders.reading import SECOND_READER
from contract.git.hostile import set_trap
from contract.git.repositories import LOCK, Home, Work, lock_text

from lockwarden.core.engine.organisation.committed_lock_files import CommittedState, LockFileReader, StateReader
from lockwarden.core.engine.organisation.committed_standards import OrganisationPolicy
from lockwarden.core.engine.organisation.places import places_of
from lockwarden.core.git.clones import open_clone
from lockwarden.core.values.errors import GitError

HEADER = '# This file is maintained automatically by "tofu init".\n'
OLD = "registry.terraform.io/hashicorp/null"
REQUIRED = 'terraform {{\n  required_providers {{\n    null = {{\n      source = "{}"\n    }}\n  }}\n}}\n'


def read(home: Home, *words: str, environ: dict[str, str] | None = None) -> tuple[CommittedState, ...]:
    reader = StateReader(
        environ=environ or home.environ,
        files=LockFileReader(SECOND_READER, None),
        policy=OrganisationPolicy(None),
        now=datetime(2026, 6, 1, tzinfo=UTC),
    )
    return tuple(map(reader.read, places_of(words, directory=home.folder)))


def bare(work: Work, folder: Path) -> Path:
    """The repository without its working tree, with all that it configures."""
    shutil.copytree(work.folder / ".git", folder, symlinks=True)
    work.git("config", "-f", str(folder / "config"), "core.bare", "true")
    return folder


def hashes(state: CommittedState) -> dict[str, list[str]]:
    return {
        each.path: [str(locked.hash) for locked in each.loaded.lock_file.providers[0].hashes]
        for each in state.files
        if each.loaded.lock_file is not None
    }


@pytest.mark.parametrize("without_tree", [False, True], ids=["working tree", "bare"])
def test_no_program_of_a_hostile_clone_runs_and_what_is_committed_is_read(home: Home, without_tree: bool) -> None:
    trap = set_trap(home, url="ssh://git@remote.test/repo.git")
    folder = bare(trap.work, home.folder / "hostile.git") if without_tree else trap.work.folder
    trap.marks()
    (state,) = read(home, str(folder), environ=trap.environ)
    assert (state.problems, state.commit) == ((), trap.signed)
    assert list(hashes(state)) == [LOCK]
    assert "h1:now" not in hashes(state)[LOCK], "which lies only in the working tree"
    assert trap.marks() == set()


def test_an_object_that_the_clone_lacks_is_told_for_its_file_alone(home: Home) -> None:
    trap = set_trap(home, url="ssh://git@remote.test/repo.git")
    (state,) = read(home, f"{trap.work.folder}@{trap.commits[0]}", environ=trap.environ)
    told = {each.path: [problem.message for problem in each.loaded.problems] for each in state.files}
    assert told[f"old/{LOCK}"] == []
    assert "does not hold the objects" in told[trap.lost][0]
    assert trap.marks() == set()


def test_a_folder_that_only_looks_like_a_bare_repository_is_refused(home: Home, work: Work) -> None:
    work.commit()
    folder = bare(work, home.folder / "odd.git")
    work.git("config", "-f", str(folder / "config"), "core.bare", "false")
    with pytest.raises(GitError, match="looks like a bare repository"):
        open_clone(folder, home.environ)


def test_what_is_no_repository_is_refused_and_one_without_a_commit_has_no_revision(home: Home) -> None:
    (home.folder / "plain").mkdir()
    with pytest.raises(GitError, match="is no git repository"):
        open_clone(home.folder / "plain", home.environ)
    home.init("empty")
    (state,) = read(home, "empty")
    assert [each.code for each in state.problems] == ["revision-unknown"]


def test_a_tag_that_is_called_head_is_not_what_the_clone_stands_on(home: Home, work: Work) -> None:
    """As in a mirror whose default branch was renamed: git itself would take the tag, which anyone may have pushed."""
    work.write(LOCK, lock_text("h1:planted"))
    planted = work.commit()
    folder = bare(work, home.folder / "mirror.git")
    git = home.at(folder).git
    git("update-ref", "refs/tags/HEAD", planted)
    git("symbolic-ref", "HEAD", "refs/heads/gone")
    git("update-ref", "refs/tags/refs/heads/gone", planted)
    assert git("rev-parse", "HEAD") == planted
    (state,) = read(home, "mirror.git")
    assert (state.commit, [each.code for each in state.problems]) == ("", ["revision-unknown"])
    assert "refs/heads/gone, which is not there" in state.problems[0].message


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away, so another owner was NOT tested")
def test_a_bare_repository_of_another_user_is_refused(home: Home, work: Work) -> None:
    work.commit()
    folder = bare(work, home.folder / "theirs.git")
    os.chown(folder, 12345, 12345)
    with pytest.raises(GitError, match="belongs to another user") as caught:
        open_clone(folder, home.environ)
    assert caught.value.code == "untrusted-repository"


@pytest.mark.parametrize(
    ("committed", "moved"),
    [
        (REQUIRED.format(OLD), False),
        (REQUIRED.format("hashicorp/null"), True),
        (REQUIRED.format(OLD) + 'module "out" {\n  source = "../../elsewhere"\n}\n', True),
        ("terraform {\n", True),
        ("", True),
    ],
    ids=["the old address alone", "no host", "a module outside", "broken", "no configuration"],
)
def test_what_the_committed_configuration_requires_decides_and_not_what_lies_on_disk(
    home: Home, work: Work, committed: str, moved: bool
) -> None:
    entry = f'provider "{OLD}" {{\n  version = "3.2.1"\n  hashes = [\n    "zh:{"0" * 64}",\n  ]\n}}\n'
    work.write(f"live/{LOCK}", (HEADER + entry).encode())
    if committed:
        work.write("live/main.tf", committed.encode())
    work.commit()
    work.write("live/main.tf", REQUIRED.format(OLD if moved else "hashicorp/null").encode())
    (state,) = read(home, "repo")
    (file,) = state.files
    assert file.loaded.lock_file is not None
    assert bool(file.loaded.lock_file.moved) is moved


def test_links_in_a_tree_are_followed_within_it_and_never_out_of_it(home: Home, work: Work) -> None:
    work.write(f"common/{LOCK}", lock_text("h1:common"))
    for name, target in (("inside", f"../common/{LOCK}"), ("outside", "/etc/hostname"), ("above", f"../../{LOCK}")):
        (work.folder / name).mkdir()
        (work.folder / name / LOCK).symlink_to(target)
    work.commit()
    (home.folder / LOCK).write_bytes(lock_text("h1:outside"))
    (state,) = read(home, "repo")
    assert hashes(state) == {f"inside/{LOCK}": ["h1:common"], f"common/{LOCK}": ["h1:common"]}
    unread = {each.path: each.loaded.problems[0].message for each in state.files if each.loaded.lock_file is None}
    assert {path for path, told in unread.items() if "leads out of the repository" in told} == {
        f"outside/{LOCK}",
        f"above/{LOCK}",
    }


def test_a_submodule_is_told_and_not_looked_into(home: Home, work: Work) -> None:
    inner = home.init("inner")
    inner.write(LOCK, lock_text("h1:inner"))
    inner.commit()
    work.write(LOCK, lock_text("h1:outer"))
    work.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "modules/inner")
    work.commit()
    (state,) = read(home, "repo")
    assert hashes(state) == {LOCK: ["h1:outer"]}
    assert [each.code for each in state.problems] == ["submodule-not-looked-at"]


RECORD = """\
approval "registry.terraform.io/hashicorp/null" {
  version = "3.2.1"
  hashes  = ["h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
  verdict = "unexplained"
  by      = "Ada"
  at      = "2026-05-28T05:00:00Z"
  reason  = "ours"
}
"""


@pytest.mark.parametrize("without_tree", [False, True])
def test_the_committed_signature_decides_where_a_clones_policy_wants_approvals_signed(
    home: Home, work: Work, without_tree: bool
) -> None:
    ada, text = ed25519(), 'document {\n  serial = 1\n  signer = "ada@example.test"\n}\n' + RECORD
    work.write(LOCK, lock_text("h1:a"))
    work.write(".lockwarden.hcl", b'approvals {\n  signed = true\n  allowed_signers = "keys/allowed"\n}\n')
    work.write("keys/allowed", f'ada@example.test namespaces="{NAMESPACE}" {ada.public}\n'.encode())
    work.write(".lockwarden/approvals.hcl", text.encode())
    cases: tuple[tuple[str | None, int, list[str]], ...] = (
        (None, 0, ["approvals-not-signed"]),
        (ada.over(text.encode()), 1, []),
        (ed25519(bytes(32)).over(text.encode()), 0, ["approvals-not-signed"]),
    )
    for number, (signature, counted, told) in enumerate(cases):
        if signature is not None:
            work.write(".lockwarden/approvals.hcl.sig", signature.encode())
        work.commit()
        place = bare(work, home.folder / f"{number}.git") if without_tree else work.folder
        (state,) = read(home, str(place))
        (file,) = state.files
        standards = file.loaded.standards
        assert len(standards.approvals.records) == counted
        assert [each.code for each in standards.problems] == told
