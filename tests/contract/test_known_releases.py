"""What origins vouched for outlives a run; what is damaged, forged or another's counts as absent."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.audits import ADDRESS, DEFAULT_HOST_ADDRESS, h1, zh

from lockwarden.core.store import known_releases
from lockwarden.core.store.known_releases import KnownReleases
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

MONDAY = 1_795_000_000.0
ONE, TWO = Version.parse("1.0.0"), Version.parse("1.1.0")
HASHES = frozenset({zh("one"), h1("one")})


def releases(folder: Path, whose: str = "mine") -> KnownReleases:
    key = UserKey.at(folder / "state" / whose)
    assert key is not None
    return KnownReleases(folder / "releases", key)


def known(folder: Path, whose: str = "mine") -> dict[Version, frozenset[Hash]]:
    return {each.version: each.hashes for each in releases(folder, whose).of(ADDRESS)}


def file_of(folder: Path) -> Path:
    (file,) = (folder / "releases").iterdir()
    return file


def test_a_release_is_known_to_later_runs_with_the_day(tmp_path: Path) -> None:
    assert known(tmp_path) == {}
    releases(tmp_path).add(ADDRESS, ONE, HASHES, now=MONDAY)
    releases(tmp_path).add(ADDRESS, TWO, {zh("two")}, now=MONDAY)
    assert known(tmp_path) == {ONE: HASHES, TWO: {zh("two")}}
    assert releases(tmp_path).of(ADDRESS)[0].on == datetime.fromtimestamp(MONDAY, UTC)
    assert releases(tmp_path).of(DEFAULT_HOST_ADDRESS) == ()


def test_what_a_run_saw_less_of_is_not_forgotten_and_more_is_added(tmp_path: Path) -> None:
    for hashes, later in ((HASHES, HASHES), ({zh("one")}, HASHES), (set(), HASHES), ({*HASHES, zh("x")},) * 2):
        releases(tmp_path).add(ADDRESS, ONE, hashes, now=MONDAY)
        assert known(tmp_path) == {ONE: later}


def test_another_users_a_damaged_and_a_misplaced_file_say_nothing(tmp_path: Path) -> None:
    releases(tmp_path).add(ADDRESS, ONE, HASHES, now=MONDAY)
    assert known(tmp_path, "theirs") == {}
    file = file_of(tmp_path)
    sealed = file.read_bytes()
    releases(tmp_path).add(DEFAULT_HOST_ADDRESS, ONE, HASHES, now=MONDAY)
    (other,) = set((tmp_path / "releases").iterdir()) - {file}
    for data in (sealed[:-1], sealed[:40] + b"x" + sealed[41:], b"", other.read_bytes()):
        file.write_bytes(data)
        assert known(tmp_path) == {}
    file.write_bytes(sealed)
    assert known(tmp_path) == {ONE: HASHES}


@pytest.mark.parametrize(
    "content", [b"[]", b'{"1.0.0": {"hashes": [], "on": "x"}}', b'{"x": {"hashes": [], "on": 1}}', b"{"]
)
def test_content_of_another_form_is_absent_under_the_right_seal_too(tmp_path: Path, content: bytes) -> None:
    releases(tmp_path).add(ADDRESS, ONE, HASHES, now=MONDAY)
    key = UserKey.at(tmp_path / "state" / "mine")
    assert key is not None
    purpose = f"known releases of {ADDRESS}, rules {known_releases.RULES}"
    file_of(tmp_path).write_bytes(key.seal(purpose, content))
    assert known(tmp_path) == {}


def test_the_newest_releases_stay_and_a_huge_one_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_releases, "MAX_RELEASES", 2)
    versions = [Version.parse(f"1.{number}.0") for number in range(3)]
    for each in versions:
        releases(tmp_path).add(ADDRESS, each, HASHES, now=MONDAY)
    assert set(known(tmp_path)) == set(versions[1:])
    monkeypatch.setattr(known_releases, "MAX_SIZE", 500)
    releases(tmp_path).add(ADDRESS, ONE, {zh(str(number)) for number in range(20)}, now=MONDAY)
    monkeypatch.undo()
    assert set(known(tmp_path)) == set(versions[1:])


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "releases").write_text("in the way")
    releases(tmp_path).add(ADDRESS, ONE, HASHES, now=MONDAY)
    assert known(tmp_path) == {}


def test_a_release_that_was_made_anew_is_known_as_it_was_before_with_who_had_signed_it(tmp_path: Path) -> None:
    kept = releases(tmp_path)
    assert kept.states(ADDRESS, ONE) == ()
    for day, hashes in enumerate(({zh("one")}, {zh("one"), h1("one")}, {zh("two")}, {zh("two"), h1("two")})):
        kept.add(ADDRESS, ONE, hashes, now=MONDAY + day, signers=[f"{day}" * 40])
    states = kept.states(ADDRESS, ONE)
    assert [(each.hashes, each.on.timestamp() - MONDAY, each.signers) for each in states] == [
        ({zh("one"), h1("one")}, 1, {"1" * 40}),
        ({zh("two"), h1("two")}, 3, {"3" * 40}),
    ]
    assert known(tmp_path) == {ONE: {zh("two"), h1("two")}}
    for day in range(9):
        kept.add(ADDRESS, ONE, {zh(f"{day}")}, now=MONDAY)
    assert len(kept.states(ADDRESS, ONE)) == known_releases.MAX_STATES + 1
