"""Limits on archives, what is told about their members, and how their files are opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders.zips import BINARY, FOLDER, Entry, Zip, codes, inspect, plain

from lockwarden.core.archives.inspection import ArchiveLimits, OddityCode, inspect_archive
from lockwarden.core.values.errors import ArchiveError

PLAIN = Zip(entries=plain()).bytes()


def test_more_members_than_the_limit_are_not_read(tmp_path: Path) -> None:
    facts = inspect(tmp_path, Zip(entries=plain()), ArchiveLimits(members=1))
    assert (codes(facts, fatal=True), facts.members, facts.h1_archive) == ({"too-many-members"}, 2, None)


def test_a_larger_directory_than_the_limit_is_not_read(tmp_path: Path) -> None:
    facts = inspect(tmp_path, Zip(entries=plain()), ArchiveLimits(directory_size=100))
    assert codes(facts, fatal=True) == {"too-many-members"}


def test_announced_sizes_over_the_limit_stop_before_anything_is_inflated(tmp_path: Path) -> None:
    facts = inspect(tmp_path, Zip(entries=plain()), ArchiveLimits(unpacked_size=33))
    assert (codes(facts, fatal=True), facts.unpacked_size) == ({"too-large"}, 0)


BOMB = Entry(name="zeros", content=bytes(64 * 1024 * 1024), deflate=True)


def test_a_bomb_is_stopped_by_its_ratio_soon_after_the_ratio_counts(tmp_path: Path) -> None:
    facts = inspect(tmp_path, Zip(entries=[BOMB]), ArchiveLimits(ratio=100, ratio_floor=8 * 1024 * 1024))
    assert (codes(facts, fatal=True), facts.h1_archive) == ({"ratio"}, None)
    assert facts.unpacked_size <= 10 * 1024 * 1024


def test_a_bomb_that_lies_about_its_size_is_stopped_at_that_size(tmp_path: Path) -> None:
    lie = Entry(name="zeros", data=BOMB.stored, size=10, method=8)
    facts = inspect(tmp_path, Zip(entries=[lie]))
    assert codes(facts, fatal=True) == {"wrong-size"}
    assert facts.unpacked_size <= 2 * 1024 * 1024


def test_what_really_comes_out_counts_against_the_limit(tmp_path: Path) -> None:
    lie = Entry(name="zeros", data=BOMB.stored, size=10, method=8)
    facts = inspect(tmp_path, Zip(entries=[lie]), ArchiveLimits(unpacked_size=1000))
    assert codes(facts, fatal=True) == {"too-large"}


def test_hashing_stops_when_it_is_told_to(tmp_path: Path) -> None:
    path = tmp_path / "package.zip"
    path.write_bytes(PLAIN)
    with pytest.raises(ArchiveError) as caught:
        inspect_archive(path, stop=lambda: True)
    assert caught.value.code == "stopped"


def test_a_link_to_the_archive_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.zip").write_bytes(PLAIN)
    (tmp_path / "link.zip").symlink_to("real.zip")
    assert inspect_archive(tmp_path / "link.zip") == inspect_archive(tmp_path / "real.zip")


@pytest.mark.parametrize(
    ("kind", "code"), [("missing", "unreadable"), ("folder", "not-a-file"), ("pipe", "not-a-file")]
)
def test_what_is_no_readable_file_is_an_error(kind: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(ArchiveError) as caught:
        inspect_archive(path)
    assert caught.value.code == code


def test_two_candidates_for_the_executable_are_told(tmp_path: Path) -> None:
    more = Entry(name="terraform-provider-demo_v1.2.2", content=b"old")
    inner = Entry(name="docs/terraform-provider-demo", content=b"")
    facts = inspect(tmp_path, Zip(entries=plain(more, inner)))
    assert codes(facts) == {"several-executables"}
    assert facts.executables == ("terraform-provider-demo_v1.2.2", BINARY)


def test_an_unreadable_mode_is_told(tmp_path: Path) -> None:
    assert codes(inspect(tmp_path, Zip(entries=plain(Entry(name="a", mode=0o100000))))) == {"unreadable-mode"}


def test_many_oddities_of_one_kind_are_one_that_counts(tmp_path: Path) -> None:
    links = [Entry(name=f"link{number}", content=b"a", mode=0o120777) for number in range(4)]
    (oddity,) = inspect(tmp_path, Zip(entries=plain(*links))).oddities
    assert oddity.code is OddityCode.LINK
    assert oddity.message.startswith("“link0” is a symbolic link")
    assert oddity.message.endswith("(and 3 more like it)")


def test_a_kind_that_is_fatal_once_is_fatal(tmp_path: Path) -> None:
    entries = [Entry(name="a", content=b"x", mode=FOLDER), Entry(name="b/", content=b"x", mode=FOLDER)]
    (oddity,) = (o for o in inspect(tmp_path, Zip(entries=entries)).oddities if o.fatal)
    assert oddity.message == "the folder “b/” has content (and 1 more like it)"


def test_long_and_undecodable_names_are_shown_short_and_escaped(tmp_path: Path) -> None:
    facts = inspect(tmp_path, Zip(entries=plain(Entry(name=b"/\xe9" + b"x" * 200))))
    (oddity,) = facts.oddities
    assert oddity.message == "“/\\xe9" + "x" * 115 + "…” is an absolute name"
