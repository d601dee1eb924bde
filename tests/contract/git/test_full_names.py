"""Names that stand for several commits are refused, whoever made them; full names and what follows them stay usable."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from builders.tables import table
from contract.git.repositories import Home, Work

from lockwarden.core.values.errors import UnknownRevisionError


def refused(work: Work, name: str) -> UnknownRevisionError:
    with pytest.raises(UnknownRevisionError) as caught:
        work.repository().resolve(name)
    assert caught.value.code == "ambiguous-revision"
    assert caught.value.hint
    return caught.value


@pytest.fixture
def clone(home: Home, work: Work) -> Work:
    """A clone whose `refs/remotes/origin/main` is behind its own branch."""
    work.commit("first")
    work.commit("base")
    made = home.clone(work.folder, "clone")
    made.git("config", "user.name", "Eve")
    made.git("config", "user.email", "eve@example.test")
    made.git("switch", "--quiet", "--create", "change")
    made.commit("the change")
    return made


def base(clone: Work) -> str:
    return clone.git("rev-parse", "refs/remotes/origin/main")


@pytest.mark.parametrize(
    "planted",
    ["refs/tags/origin/main", "refs/heads/origin/main", "refs/origin/main", "refs/remotes/origin/main/HEAD"],
)
def test_whatever_else_is_called_like_the_base_makes_it_ambiguous(clone: Work, planted: str) -> None:
    commit = base(clone)
    if planted.startswith("refs/remotes/origin/main/"):
        clone.git("update-ref", "-d", "refs/remotes/origin/main")  # a folder of references and a branch cannot be both
        clone.git("update-ref", planted, "HEAD")
        error = refused(clone, "origin/main")
        assert planted in error.message
        return
    clone.git("update-ref", planted, "HEAD")
    for name in ("origin/main", "origin/main~1", "origin/main^", "origin/main^{commit}"):
        error = refused(clone, name)
        assert f"{planted} ({clone.git('rev-parse', 'HEAD')[:12]})" in error.message
        assert f"refs/remotes/origin/main ({commit[:12]})" in error.message
        assert "refs/remotes/origin/main" in error.hint
    revision = clone.repository().resolve("refs/remotes/origin/main")
    assert (revision.id, revision.ref) == (commit, "refs/remotes/origin/main")
    assert clone.repository().resolve("refs/remotes/origin/main~1").subject == "first"


def test_names_for_one_and_the_same_commit_are_no_danger(clone: Work) -> None:
    clone.git("tag", "-a", "-m", "annotated", "origin/main", base(clone))
    assert clone.repository().resolve("origin/main").id == base(clone)
    assert clone.repository().resolve("origin/main~1").subject == "first"
    clone.git("tag", "main", "main")
    refused(clone, "main@{0}")  # what was there before is another thing for each of them


@pytest.fixture
def followed(clone: Work) -> Work:
    """The same, whose branch follows that of the remote, which was fetched by name."""
    clone.git("branch", "--quiet", "--set-upstream-to=origin/main")
    clone.git("fetch", "--quiet", "origin", "main")
    return clone


@table(
    ("name", "ref"),
    [
        ("origin/main", "refs/remotes/origin/main"),
        ("remotes/origin/main", "refs/remotes/origin/main"),
        ("origin/main~1", "refs/remotes/origin/main~1"),
        ("HEAD", "refs/heads/change"),
        ("@", "refs/heads/change"),
        ("HEAD^", "refs/heads/change^"),
        ("change@{upstream}", "refs/remotes/origin/main"),
        ("@{u}", "refs/remotes/origin/main"),
        ("HEAD@{u}", "refs/remotes/origin/main"),
        ("@{-1}", "refs/heads/main"),
        ("origin", "refs/remotes/origin/HEAD"),
        ("main", "refs/heads/main"),
        ("main@{0}", "refs/heads/main@{0}"),
        ("FETCH_HEAD", "FETCH_HEAD"),
    ],
)
def test_a_name_is_told_in_full(followed: Work, name: str, ref: str) -> None:
    assert followed.repository().resolve(name).ref == ref


def test_an_id_goes_by_no_name(clone: Work) -> None:
    id_ = base(clone)
    clone.git("tag", id_, "HEAD")  # git takes 40 digits for the id, and so do we
    for name in (id_, id_[:12], f"{id_}~1"):
        assert clone.repository().resolve(name).ref == ""
    assert clone.repository().resolve(id_).id == id_
    assert clone.repository().left_at(clone.repository().resolve("origin/main")).ref == "refs/remotes/origin/main"


@pytest.mark.parametrize("kind", ["tags", "heads"])
def test_an_abbreviated_id_that_something_else_is_called_is_ambiguous(clone: Work, kind: str) -> None:
    short = base(clone)[:9]
    for name in (short, f"v1-3-g{short}"):
        clone.git("update-ref", f"refs/{kind}/{name}", "HEAD")
        error = refused(clone, name)
        assert base(clone) in error.message
        assert f"refs/{kind}/{name}" in error.message


def test_what_is_in_the_place_of_a_branch_that_was_not_fetched_is_not_that_branch(clone: Work) -> None:
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    for name in ("origin/main", "remotes/origin/main", "refs/remotes/origin/main", "heads/main", "FETCH_HEAD"):
        clone.git("update-ref", f"refs/tags/{name}", "HEAD")
    clone.git("branch", "--quiet", "--delete", "--force", "main")
    for name in ("origin/main", "remotes/origin/main", "refs/remotes/origin/main", "heads/main", "FETCH_HEAD"):
        assert f"refs/tags/{name}" in refused(clone, name).message


def test_a_tag_is_no_branch_that_only_a_remote_has(clone: Work) -> None:
    clone.git("branch", "--quiet", "--delete", "--force", "main")
    clone.git("tag", "main")
    assert "refs/tags/main" in refused(clone, "main").message
    clone.git("tag", "v1")
    assert clone.repository().resolve("v1").ref == "refs/tags/v1"


def test_nothing_else_is_head_and_other_notes_of_git_may_be_ambiguous(clone: Work) -> None:
    clone.git("fetch", "--quiet", "origin", "main")
    for name in ("HEAD", "FETCH_HEAD"):
        clone.git("update-ref", f"refs/tags/{name}", "HEAD~1")
        clone.git("update-ref", f"refs/heads/{name}", "HEAD~2")
    assert clone.repository().resolve("HEAD").subject == "the change"
    assert clone.repository().resolve("HEAD^").id == base(clone)
    assert "refs/tags/FETCH_HEAD" in refused(clone, "FETCH_HEAD").message


def test_the_newest_commit_with_some_message_is_whosever_it_is(clone: Work) -> None:
    assert "any commit" in refused(clone, ":/base").message
    assert clone.repository().resolve("refs/remotes/origin/main^{/first}").subject == "first"


def test_neither_replacements_nor_grafts_change_which_commit_is_meant(clone: Work) -> None:
    first, main = clone.git("rev-parse", "origin/main~1"), base(clone)
    clone.git("replace", main, clone.git("rev-parse", "HEAD"))
    folder = clone.folder / ".git" / "info"
    folder.mkdir(exist_ok=True)
    (folder / "grafts").write_text(f"{main}\n")
    repository = clone.repository()
    assert repository.resolve("origin/main").id == main
    assert repository.resolve("origin/main").subject == "base"
    assert repository.resolve("origin/main~1").id == first


def test_a_made_up_graph_of_commits_changes_neither_which_one_is_meant_nor_where_a_branch_left(clone: Work) -> None:
    """The file says that the base comes from the change, so that two commits back from the change is the change."""
    first, main, change = clone.git("rev-parse", "HEAD~2", "origin/main", "HEAD").split()
    clone.git("commit-graph", "write", "--reachable")
    set_parent(clone.folder / ".git" / "objects" / "info" / "commit-graph", main, change)
    assert clone.git("rev-parse", "HEAD~2") == change  # whoever reads the graph is led astray
    repository = clone.repository()
    assert repository.resolve("HEAD~2").id == first
    clone.git(
        "update-ref", "refs/remotes/origin/main", clone.git("commit-tree", "-p", first, "-m", "on", "HEAD^{tree}")
    )
    assert repository.left_at(repository.commit_at("origin/main")).id == first


def set_parent(graph: Path, commit: str, parent: str) -> None:
    """Have a commit graph, gitformat-commit-graph(5), name another parent of a commit."""
    data = bytearray(graph.read_bytes())
    table = range(8, 8 + 12 * data[6], 12)
    chunks = {bytes(data[at : at + 4]): int.from_bytes(data[at + 4 : at + 12]) for at in table}
    ids, facts = chunks[b"OIDL"], chunks[b"CDAT"]

    def position(id_: str) -> int:
        return (data.index(bytes.fromhex(id_), ids) - ids) // 20

    place = facts + 36 * position(commit) + 20
    data[place : place + 4] = position(parent).to_bytes(4)
    data[-20:] = hashlib.sha1(data[:-20], usedforsecurity=False).digest()
    graph.chmod(0o600)
    graph.write_bytes(data)
