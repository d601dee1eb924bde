"""Which repositories words stand for, what they are called, and that a list says what it seems to say."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.core.engine.organisation.places import RepositoryRef, places_of
from lockwarden.core.engine.organisation.repository_lists import split_revision
from lockwarden.core.values.errors import InputError


def clone(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    return folder


def bare(folder: Path) -> Path:
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def told(places: tuple[RepositoryRef, ...]) -> list[tuple[str, str, str]]:
    return [(each.name, each.revision, "" if each.problem is None else str(each.problem.code)) for each in places]


@table(
    ("text", "expected"),
    [
        ("payments", ("payments", "")),
        ("payments@main", ("payments", "main")),
        ("team/payments@refs/heads/a@b", ("team/payments@refs/heads/a", "b")),
        ("payments@main@{yesterday}", ("payments", "main@{yesterday}")),
        ("payments@@{upstream}", ("payments", "@{upstream}")),
        ("odd@name@", ("odd@name", "")),
        ("@main", ("", "main")),
    ],
)
def test_the_last_at_sign_that_begins_a_revision_divides(text: str, expected: tuple[str, str]) -> None:
    assert split_revision(text) == expected


def test_folders_are_searched_to_the_clones_and_no_further_and_links_are_told(tmp_path: Path) -> None:
    clone(tmp_path / "all" / "b" / "one")
    clone(tmp_path / "all" / "b" / "one" / "nested")
    bare(tmp_path / "all" / "a" / "two.git")
    clone(tmp_path / "outside")
    (tmp_path / "all" / "b" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "all" / "b" / "file").symlink_to(tmp_path / "outside" / "no")
    (tmp_path / "all" / "b" / "circle").symlink_to("circle")
    (tmp_path / "all" / "empty").mkdir()
    found = places_of(["all"], directory=tmp_path)
    assert told(found) == [("a/two.git", "", ""), ("b/link", "", "repository-is-a-link"), ("b/one", "", "")]
    assert told(places_of(["all/empty"], directory=tmp_path)) == [("all/empty", "", "repository-missing")]


def test_a_pattern_finds_repositories_and_folders_of_them_and_follows_no_link(tmp_path: Path) -> None:
    clone(tmp_path / "a" / "infra")
    clone(tmp_path / "b" / "infra")
    (tmp_path / "b" / "readme").write_text("")
    (tmp_path / "c").symlink_to(tmp_path / "a")
    found = places_of(["*/infra", "[ab]", "c*"], directory=tmp_path)
    assert told(found) == [("a/infra", "", ""), ("b/infra", "", ""), ("c", "", "repository-is-a-link")]
    # Nor one on the way, by which a clone would put its name on another's repository, or show one that is nobody's.
    clone(tmp_path / "all" / "team" / "infra" / "live")
    clone(tmp_path / "all" / "evil")
    (tmp_path / "all" / "evil" / "infra").symlink_to(tmp_path / "all" / "team" / "infra")
    found = places_of(["all/*/infra/live"], directory=tmp_path)
    assert told(found) == [("all/evil/infra", "", "repository-is-a-link"), ("all/team/infra/live", "", "")]
    (tmp_path / "mine").symlink_to(tmp_path / "all")
    assert told(places_of(["mine/t*/infra/live"], directory=tmp_path)) == [("mine/team/infra/live", "", "")]


def test_hundreds_of_namesakes_are_told_apart_and_none_is_taken_twice(tmp_path: Path) -> None:
    for number in range(300):
        clone(tmp_path / f"list{number}" / "infra")
        (tmp_path / f"list{number}" / "all.txt").write_text("infra\ninfra\ninfra@main\n")
    found = places_of([f"list{number}/all.txt" for number in range(300)], directory=tmp_path)
    assert len(found) == 600
    assert len({(each.name, each.revision) for each in found}) == 600
    assert found[0].name == str(tmp_path / "list0" / "infra")


def test_a_list_names_clones_elsewhere_bare_ones_and_what_is_not_there(tmp_path: Path) -> None:
    clone(tmp_path / "clones" / "one")
    bare(tmp_path / "clones" / "two.git")
    (tmp_path / "clones" / "three").mkdir()
    (tmp_path / "own.txt").write_text("# ours\n\n one@v1 \none\ntwo\nthree\nfour\n")
    found = places_of(["own.txt"], directory=tmp_path, clones=tmp_path / "clones")
    assert told(found) == [
        ("one", "v1", ""),
        ("one", "", ""),
        ("two", "", ""),
        ("three", "", "repository-missing"),
        ("four", "", "repository-missing"),
    ]
    assert found[2].folder == (tmp_path / "clones" / "two.git").resolve()
    assert found[4].problem is not None
    assert found[4].problem.message.endswith("(own.txt:7)")


@pytest.mark.parametrize("line", ["@main", "a\x1b[2Jb", "a\0b"])
def test_a_line_that_names_no_repository_is_told_with_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "own.txt").write_text(f"one\n{line}\n")
    with pytest.raises(InputError, match=r"own\.txt:2: “.*” names no repository"):
        places_of(["own.txt"], directory=tmp_path)


def test_this_folder_is_called_by_its_name(tmp_path: Path) -> None:
    assert told(places_of(["."], directory=clone(tmp_path / "payments"))) == [("payments", "", "")]
    with pytest.raises(InputError, match="empty"):
        places_of([""], directory=tmp_path)
