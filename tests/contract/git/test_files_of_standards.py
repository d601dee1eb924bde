"""Files that are found from a place upwards at a revision, and every name that a path has in a tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract.git.repositories import Home, Work

from lockwarden.core.git.model import ObjectKind
from lockwarden.core.git.places import way_of
from lockwarden.core.values.errors import GitError

RULES = ".lockwarden.hcl"


def test_the_nearest_upwards_counts_and_what_lies_above_a_link_still_does(work: Work) -> None:
    work.write(RULES, b"root")
    work.write(f"live/{RULES}", b"live")
    work.write("live/eu/main.tf", b"")
    (work.folder / "linked").symlink_to("live")
    work.commit()
    repository = work.repository()
    head = repository.resolve("HEAD")
    found = {
        place: repository.nearest_file(head, place.encode(), RULES)
        for place in ("live/eu/x", "live/gone/deep/x", "x", "linked/eu/x", "live/eu/main.tf/x")
    }
    assert found == {
        "live/eu/x": (f"live/{RULES}", b"live"),
        "live/gone/deep/x": (f"live/{RULES}", b"live"),
        "x": (RULES, b"root"),
        "linked/eu/x": (RULES, b"root"),
        "live/eu/main.tf/x": (f"live/{RULES}", b"live"),
    }
    assert repository.nearest_file(head, b"live/x", "nothing") is None
    assert repository.kind_at(head, work.folder / "linked" / "eu") is ObjectKind.SYMLINK
    assert repository.kind_at(head, work.folder / "gone") is None
    assert repository.kind_at(head, work.folder) is None


def test_a_link_in_the_place_of_a_file_is_an_error_and_is_not_passed_over(work: Work) -> None:
    work.write(RULES, b"root")
    work.write("live/main.tf", b"")
    (work.folder / "live" / RULES).symlink_to("../real")
    (work.folder / ".lockwarden").symlink_to("live")
    work.commit()
    repository = work.repository()
    head = repository.resolve("HEAD")
    with pytest.raises(GitError, match="is a symbolic link there") as caught:
        repository.nearest_file(head, b"live/x", RULES)
    assert caught.value.code == "not-a-file"
    with pytest.raises(GitError, match="is a symbolic link there"):
        repository.plain_file(head, ".lockwarden/approvals.hcl")
    assert repository.plain_file(head, RULES) == b"root"
    assert repository.plain_file(head, "nowhere/x") is None


def test_files_behind_a_link_are_gone_from_their_own_place(work: Work) -> None:
    for name in ("one/x", "two/x", "three/y"):
        work.write(name, name.encode())
    work.commit()
    repository = work.repository()
    head = repository.resolve("HEAD")
    assert repository.gone(head, "x") == ()
    (work.folder / "one" / "x").unlink()
    (work.folder / "one").rmdir()
    (work.folder / "one").symlink_to("two")
    (work.folder / "three" / "y").unlink()
    assert repository.gone(head, "x") == (b"one/x",)
    assert repository.gone(head, "y") == (b"three/y",)


@pytest.mark.parametrize(
    ("path", "names", "enters"),
    [
        ("root/a/x", ["a/x"], True),
        ("root/link/x", ["link/x", "a/x"], True),
        ("root/out/x", ["out/x"], True),
        ("root/a/../a/./x", ["a/x"], True),
        ("root/link/../x", ["x"], True),
        ("root/a/../../y", [], True),
        ("root/../y", [], False),
        ("into/x", ["a/x"], True),
        ("y", [], False),
        ("root/circle/x", ["circle/x"], True),
    ],
)
def test_a_path_has_the_name_that_is_written_and_each_that_a_link_gives_it(
    home: Home, path: str, names: list[str], enters: bool
) -> None:
    top = home.folder
    (top / "root" / "a").mkdir(parents=True)
    (top / "elsewhere").mkdir()
    (top / "root" / "link").symlink_to("a")
    (top / "root" / "out").symlink_to(top / "elsewhere")
    (top / "root" / "circle").symlink_to("circle")
    (top / "into").symlink_to(top / "root" / "a")
    way = way_of(Path(f"{top}/{path}"), top / "root")
    assert ([name.decode() for name in way.names], way.enters) == (names, enters)
