"""What is told of a kept package that nobody gives out now."""

from __future__ import annotations

from datetime import UTC, datetime

from builders.audits import ADDRESS, DARWIN, FINGERPRINT, LINUX, VERSION, audit, h1, origin_with, package, zh
from builders.reviews import review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.modules.package_diff import PackageDiff, PackageFile, PackageTree
from lockwarden.core.registry_metadata.journal_lines import JournalLine, Subject
from lockwarden.core.registry_metadata.journal_lines import State as JournalState
from lockwarden.core.reports.json_rereleases import RereleaseJson
from lockwarden.core.reports.rerelease_lines import rerelease_lines
from lockwarden.core.review.backfill_sightings import MOST, Came, packages_with, sightings
from lockwarden.core.review.locked_elsewhere import signers_of
from lockwarden.core.review.rereleases import (
    MOST_CANDIDATES,
    OriginState,
    PackageRelation,
    Rerelease,
    SameKey,
    given_out_today,
    most_like,
    nearest,
    wondered_at,
)
from lockwarden.core.values.hashes import Hash

OLD, NEW = zh("old"), zh("linux_amd64")
MAY, JUNE = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
KEY, OTHER = frozenset({"A" * 40}), frozenset({"B" * 40})
FOUND = Rerelease(address=ADDRESS, version=VERSION, locked=(OLD,), old=OLD, new=None, why_not="its bytes are gone")


def state(on: datetime, signers: frozenset[str] = KEY, *, had: bool) -> OriginState:
    return OriginState(on=on, had_the_old=had, signers=signers)


@table(
    ("after", "h1s", "relation"),
    [
        (OLD, (None, None), PackageRelation.SAME_BYTES),
        (NEW, (h1("x"), h1("x")), PackageRelation.SAME_CONTENT),
        (NEW, (h1("x"), h1("y")), PackageRelation.OTHER_CONTENT),
        (NEW, (None, None), PackageRelation.OTHER_CONTENT),
    ],
)
def test_packages_stand_to_each_other_by_their_bytes_and_then_by_their_files(
    after: Hash, h1s: tuple[Hash | None, Hash | None], relation: PackageRelation
) -> None:
    assert PackageRelation.of(OLD, after, *h1s) is relation


@table(
    ("states", "now", "key"),
    [
        ((), KEY, SameKey.UNKNOWN),
        ((state(MAY, had=True),), frozenset(), SameKey.UNKNOWN),
        ((state(MAY, frozenset(), had=True),), KEY, SameKey.UNKNOWN),
        ((state(MAY, OTHER, had=False),), KEY, SameKey.UNKNOWN),
        ((state(MAY, had=True),), KEY | OTHER, SameKey.SAME),
        ((state(MAY, had=True), state(JUNE, OTHER, had=False)), OTHER, SameKey.OTHER),
    ],
)
def test_the_key_is_told_only_where_both_are_known(
    states: tuple[OriginState, ...], now: frozenset[str], key: SameKey
) -> None:
    assert replace(FOUND, states=states, signers_now=now).same_key is key


def test_when_it_was_there_and_since_when_not_is_what_earlier_runs_saw() -> None:
    assert (FOUND.had_until, FOUND.gone_since) == (None, None)
    there = replace(FOUND, states=(state(MAY, had=True),))
    assert (there.had_until, there.gone_since) == (MAY, None)
    gone = replace(FOUND, states=(state(MAY, had=False), state(MAY, had=True), state(JUNE, had=False)))
    assert (gone.had_until, gone.gone_since) == (MAY, JUNE)


def test_what_is_wondered_at_is_what_something_speaks_against() -> None:
    made = audit(origin_with(LINUX))
    (provider,) = review([NEW, OLD, h1("nobody"), Hash("h1:bad")], made).providers
    wondered = wondered_at(provider)
    assert wondered is not None
    assert set(wondered.hashes) == {OLD, h1("nobody")}
    assert {zh_: each.platform for zh_, each in given_out_today(provider).items()} == {NEW: LINUX}
    assert signers_of(made) == {FINGERPRINT}
    (well,) = review([NEW], made).providers
    assert wondered_at(well) is None
    (alone,) = review([NEW], audit()).providers
    assert (given_out_today(alone), signers_of(audit())) == ({}, frozenset())
    (waiting,) = review([OLD]).providers
    assert (wondered_at(waiting), given_out_today(waiting)) == (None, {})


def test_of_a_large_release_only_the_archives_of_about_the_size_are_looked_into() -> None:
    packages = {zh(str(size)): replace(package(LINUX, zh=zh(str(size))), size=size) for size in range(0, 200, 10)}
    packages[zh("unknown")] = package(LINUX, zh=zh("unknown"))
    found = nearest(101, packages)
    assert len(found) == MOST_CANDIDATES
    assert found[:3] == (zh("100"), zh("110"), zh("90"))
    assert zh("unknown") not in found


def tree(*, program: str = "", **files: str) -> PackageTree:
    made = {name: PackageFile.of(text.encode()) for name, text in files.items()}
    made["run"] = replace(PackageFile.of(b"program"), program=program)
    return PackageTree(name="package", files=made)


def test_the_most_alike_is_for_the_same_machine_first_and_then_has_the_same_files() -> None:
    before = tree(program="ELF x86-64", a="1", b="2")
    same_machine = (zh("c"), tree(program="ELF x86-64", x="9"))
    same_files = (zh("b"), tree(program="PE x86-64", a="1", b="2"))
    fewer_files = (zh("a"), tree(program="PE x86-64", a="1", b="other"))
    assert most_like(before, [fewer_files, same_files, same_machine]) == zh("c")
    assert most_like(before, [fewer_files, same_files]) == zh("b")
    assert most_like(before, [fewer_files]) == zh("a")
    assert most_like(before, []) is None


def test_the_lines_never_say_more_than_was_seen() -> None:
    assert list(rerelease_lines([])) == []
    told = "\n".join(rerelease_lines([FOUND]))
    assert "? no earlier run saw that it was this version's" in told
    assert "signed by nobody today; who signed then is not known" in told
    assert "? what is other today is not known: its bytes are gone" in told
    made = replace(
        FOUND,
        states=(state(MAY, had=True), state(JUNE, OTHER, had=False)),
        signers_now=OTHER,
        given_out=(("registry x", MAY), ("", JUNE)),
        new=NEW,
        platform=DARWIN,
        relation=PackageRelation.SAME_CONTENT,
        diff=PackageDiff(before="old", after="new", files=(), alike=3),
    )
    told = "\n".join(rerelease_lines([made]))
    assert "it when it was asked on 2026-05-01, and first without it on 2026-06-01" in told
    assert f"signed by another key than then: {'B' * 40} today, {'A' * 40} then" in told
    assert "seen at some place, last on 2026-06-01" in told
    assert "▲ another archive with the same files, beside the darwin_arm64 package of today" in told


URL = "https://user:secret@dl.example.test/w.zip?token=1"


def journal_line(state: JournalState, finished: str = "2026-05-01T00:00:00Z", **more: object) -> JournalLine:
    given: dict[str, object] = {"key": "", "url": URL, "zh_expected": OLD.value, "state": state, "finished": finished}
    if state in {JournalState.DONE, JournalState.CONFLICT}:
        given |= {"zh": OLD.value, "h1_archive": h1("a").text, "h1_dir": h1("d").text}
    return JournalLine(**{**given, **more})  # type: ignore[arg-type]


def test_a_journal_tells_since_when_something_else_is_given_out() -> None:
    subject = Subject(f"{ADDRESS.namespace}/{ADDRESS.type}", str(VERSION), "linux_amd64")
    lines = [
        journal_line(JournalState.MISSING, "2026-07-01T00:00:00Z"),
        journal_line(JournalState.CHANGED, "2026-06-01T02:00:00+02:00", zh=NEW.value, subjects=(subject,)),
        journal_line(JournalState.DONE, subjects=(Subject("other/name", str(VERSION), "linux_amd64"),)),
        journal_line(JournalState.DONE, subjects=(Subject("other/name", str(VERSION), "linux_amd64"),)),
        journal_line(JournalState.CONFLICT, "2026-05-02T00:00:00Z"),
        journal_line(JournalState.CHANGED, "2026-06-02T00:00:00Z", zh="not a digest"),
        # What says nothing of it: no answer, no time, a time that nobody can place, another package.
        journal_line(JournalState.FAILED),
        journal_line(JournalState.DONE, "some day"),
        journal_line(JournalState.DONE, "2026-05-01T00:00:00"),
        journal_line(JournalState.DONE, "0001-01-01T00:00:00+05:00"),
        journal_line(JournalState.DONE, zh_expected=NEW.value),
    ]
    found = sightings(lines, OLD, ADDRESS, VERSION)
    assert [(f"{each.on:%m-%d}", each.came, each.instead, each.of_this_version) for each in found] == [
        ("05-01", Came.IT, None, False),
        ("05-02", Came.IT, None, False),
        ("06-01", Came.OTHER_BYTES, NEW, True),
        ("06-02", Came.OTHER_BYTES, None, False),
        ("07-01", Came.NOTHING, None, False),
    ]
    assert {each.place for each in found} == {"https://dl.example.test/w.zip"}
    told = "\n".join(rerelease_lines([replace(FOUND, sightings=found)]))
    assert f"{OLD} was seen; locked are" in told
    assert "▲ it was this version's, as the metadata of a registry had it" in told
    assert f"a backfill got other bytes from https://dl.example.test/w.zip on 2026-06-01: {NEW}" in told
    assert "a backfill got it from https://dl.example.test/w.zip on 2026-05-01" in told
    assert "a backfill found nothing at https://dl.example.test/w.zip on 2026-07-01" in told
    assert "? no earlier run saw" in "\n".join(rerelease_lines([replace(FOUND, sightings=found[:1])]))
    # A key that is in two places stands for both; only what was seen whole has an h1.
    assert packages_with(lines, frozenset({h1("a"), h1("x")})) == {h1("a"): (OLD,)}
    assert packages_with(lines, frozenset({h1("d")})) == {h1("d"): (OLD,)}


def test_what_a_journal_saw_of_another_package_is_not_told_of_this_one() -> None:
    lines = [journal_line(JournalState.DONE), journal_line(JournalState.DONE, zh_expected=NEW.value, zh=NEW.value)]
    assert [each.on for each in sightings(lines, OLD, ADDRESS, VERSION)] == [MAY]
    assert [each.on for each in sightings(lines[1:], NEW, ADDRESS, VERSION)] == [MAY]
    assert sightings(lines[1:], OLD, ADDRESS, VERSION) == ()


def test_of_very_many_sightings_the_first_and_the_last_are_told() -> None:
    lines = [journal_line(JournalState.DONE, f"2026-05-{day:02}T00:00:00Z") for day in range(1, 29)]
    days = [each.on.day for each in sightings(lines, OLD, ADDRESS, VERSION)]
    assert len(days) == MOST
    assert days == [1, 2, 3, 4, 5, 24, 25, 26, 27, 28]


def test_json_says_of_a_package_what_the_lines_do() -> None:
    unknown = RereleaseJson.of(FOUND)
    assert (unknown.old, unknown.new, unknown.unknown, unknown.files) == (OLD.text, None, "its bytes are gone", [])
    assert (unknown.had_until, unknown.gone_since, unknown.platform) == (None, None, None)
    made = replace(
        FOUND,
        states=(state(MAY, had=True), state(JUNE, OTHER, had=False)),
        given_out=(("registry x", MAY),),
        new=NEW,
        platform=DARWIN,
        diff=PackageDiff(before="old", after="new", files=(), alike=3, left_out=2),
        sightings=sightings([journal_line(JournalState.CHANGED, zh=NEW.value)], OLD, ADDRESS, VERSION),
    )
    told = RereleaseJson.of(made)
    assert (told.new, told.platform, told.unknown, told.alike, told.left_out) == (NEW.text, str(DARWIN), None, 3, 2)
    assert (told.had_until, told.gone_since) == ("2026-05-01", "2026-06-01")
    (given,), (seen,) = told.given_out, told.sightings
    assert (given.place, given.last_on) == ("registry x", "2026-05-01")
    assert (seen.on, seen.came, seen.instead) == ("2026-05-01", Came.OTHER_BYTES, NEW.text)
