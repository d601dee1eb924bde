"""Hashes that are another version's: by the base, by its history, and by the other lock files of the run."""

from __future__ import annotations

from datetime import date

import pytest
from builders.audits import ADDRESS, DARWIN, LINUX, audit, h1, listed, origin_with, signed, zh, zh_list
from builders.policies import base
from builders.reading import parse
from builders.reviews import HEADER, entry, entry_text, lock_file, review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.locked_elsewhere import LockedElsewhere, locked_in_run, of_another_version, vouched_for
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

OLD_ZH, OLD_H1, OLD_DARWIN = zh("old"), h1("old"), zh("old darwin")
OWN = (zh("linux_amd64"), h1("linux_amd64"))
NEVER = Hash("zh:" + "A" * 64)
CODE = "hashes-of-another-version"


def after(version: str, *hashes: Hash, before: str, known: Audit | None = None) -> Review:
    begun = Review.start(
        lock_file(entry_text(*hashes, version=version)),
        settings=ClientSettings(),
        platforms=[LINUX],
        standards=Standards(sides=(base(lock_file(before), name="main"),)),
    )
    return begun if known is None else begun.with_audit(known)


def alarms(done: Review) -> list[str]:
    return [each.message for each in done.providers[0].problems if each.code == CODE]


OLD = entry_text(OLD_ZH, OLD_H1, OLD_DARWIN, version="1.2.2")
NEW = audit(origin_with(LINUX, DARWIN))


@table(
    ("version", "hashes", "known", "count"),
    [
        ("1.2.3", (OLD_ZH, OLD_H1, OLD_DARWIN), None, "3 of 3 hashes"),
        ("1.2.3", (OLD_ZH, OLD_H1, OLD_DARWIN), NEW, "3 of 3 hashes"),
        ("1.2.3", (OLD_ZH, OLD_DARWIN, *OWN), NEW, "2 of 4 hashes"),
        ("1.2.3", (OLD_H1, *OWN), NEW, "an h1 hash"),
        # One zh may be of a file that both releases have.
        ("1.2.3", (OLD_ZH, *OWN), NEW, ""),
        ("1.2.3", (OLD_ZH, *OWN), None, ""),
        ("1.2.3", OWN, None, ""),
        # The version that they are of, and what can never match.
        ("1.2.2", (OLD_ZH, OLD_H1), None, ""),
        ("1.2.3", (NEVER, *OWN), None, ""),
    ],
)
def test_a_version_line_that_changed_while_hashes_stayed(
    version: str, hashes: tuple[Hash, ...], known: Audit | None, count: str
) -> None:
    told = alarms(after(version, *hashes, before=OLD, known=known))
    assert told == ([] if not count else told[:1])
    assert count == "" or f"says 1.2.3, and {count} of it belong" in told[0]
    assert count == "" or "to 1.2.2, as locked at main" in told[0]


def test_hashes_that_the_new_version_has_too_are_no_alarm() -> None:
    before = entry_text(*OWN, zh("darwin_arm64"), version="1.2.2")
    done = after("1.2.3", *OWN, zh("darwin_arm64"), before=before, known=NEW)
    assert alarms(done) == []
    assert {row.verdict for row in done.providers[0].rows if row.locked} == {Verdict.CONFIRMED}


def test_rows_say_whose_hashes_they_are_instead_of_advising_to_drop_them() -> None:
    done = after("1.2.3", OLD_ZH, OLD_H1, before=OLD, known=NEW)
    rows = {row.hash: row for row in done.providers[0].rows}
    assert rows[OLD_ZH].verdict is Verdict.DISOWNED
    for each in (OLD_ZH, OLD_H1):
        texts = [reason.text for reason in rows[each].reasons]
        assert texts[0] == "belongs to 1.2.2, as locked at main"
        assert not any(text.startswith("drop it") for text in texts)
        assert any("go back to the version" in text for text in texts)


def test_one_equal_zh_is_only_told() -> None:
    done = after("1.2.3", OLD_ZH, *OWN, before=OLD, known=NEW)
    (row,) = [each for each in done.providers[0].rows if each.hash == OLD_ZH]
    assert "also of 1.2.2, as locked at main: it may be of a file that both releases have" in map(str, row.reasons)


def named(path: str, *hashes: Hash, version: str) -> LockFile:
    return parse((HEADER + entry_text(*hashes, version=version)).encode(), path=path)


class TestOneRun:
    """Of the files of one run nobody knows which is right, so that more of them decide."""

    def test_only_providers_with_several_versions_are_held(self) -> None:
        assert locked_in_run([named("a", OLD_ZH, version="1.2.2"), named("b", OLD_H1, version="1.2.2")]) == {}
        found = locked_in_run([named("a", OLD_ZH, version="1.2.2"), named("b", OLD_ZH, version="1.2.3")])
        assert [(each.how, each.files) for each in found[ADDRESS]] == [("as locked in a", 1), ("as locked in b", 1)]

    @pytest.mark.parametrize(("right", "wrong"), [(1, 1), (3, 1), (2, 2)])
    def test_the_fewer_are_told(self, right: int, wrong: int) -> None:
        files = [named(f"r{n}", OLD_ZH, OLD_H1, version="1.2.2") for n in range(right)]
        files += [named(f"w{n}", OLD_ZH, OLD_H1, version="1.2.3") for n in range(wrong)]
        standards = Standards().with_run(locked_in_run(files))
        assert len(standards.of_another_version(files[-1].providers[0])) == 2
        assert bool(standards.of_another_version(files[0].providers[0])) is (right == wrong)

    @pytest.mark.parametrize(("right", "tie"), [(1, True), (2, False)])
    def test_where_as_many_say_the_one_as_the_other_no_version_is_said_to_be_right(self, right: int, tie: bool) -> None:
        files = [named(f"r{n}", OLD_ZH, OLD_H1, version="1.2.2") for n in range(right)]
        files.append(named("w", OLD_ZH, OLD_H1, version="1.2.3"))
        standards = Standards().with_run(locked_in_run(files))
        done = Review.start(files[-1], settings=ClientSettings(), platforms=[LINUX], standards=standards)
        (told,) = alarms(done)
        reasons = {row.reasons[0].text for row in done.providers[0].rows}
        if tie:
            assert "2 of 2 hashes of it are also those of 1.2.2, as locked in r0: only one of the two" in told
            advice = {row.reasons[-1].text for row in done.providers[0].rows}
            assert {each.partition(";")[0] for each in advice} == {"the origin registry knows which is wrong"}
            assert reasons == {"also of 1.2.2, as locked in r0: only one of the two can be right"}
        else:
            assert "2 of 2 hashes of it belong to 1.2.2, as locked in r0" in told
            assert reasons == {"belongs to 1.2.2, as locked in r0"}

    def test_the_origin_decides_a_tie(self) -> None:
        files = [named("r", OLD_ZH, OLD_H1, version="1.2.2"), named("w", OLD_ZH, OLD_H1, version="1.2.3")]
        standards = Standards().with_run(locked_in_run(files))
        begun = Review.start(files[-1], settings=ClientSettings(), platforms=[LINUX], standards=standards)
        done = begun.with_audit(NEW)
        assert alarms(done)[0].endswith("2 of 2 hashes of it belong to 1.2.2, as locked in r")
        locked = [row for row in done.providers[0].rows if row.locked]
        assert {row.reasons[0].text for row in locked} == {"belongs to 1.2.2, as locked in r"}

    def test_a_file_that_many_releases_have_decides_nothing_about_the_hashes_beside_it(self) -> None:
        manifest = zh("manifest")
        files = [named("a", OLD_ZH, OLD_H1, manifest, version="1.2.2")]
        files += [named(f"o{n}", zh(f"o{n}"), manifest, version=f"1.1.{n}") for n in range(3)]
        files.append(named("w", OLD_ZH, OLD_H1, manifest, version="1.2.3"))
        standards = Standards().with_run(locked_in_run(files))
        for own, other, place in ((files[0], "1.2.3", "w"), (files[-1], "1.2.2", "a")):
            done = Review.start(own, settings=ClientSettings(), platforms=[LINUX], standards=standards)
            (told,) = alarms(done)
            assert f"2 of 3 hashes of it are also those of {other}, as locked in {place}: only one of the two" in told
            reasons = {row.hash: row.reasons[0].text for row in done.providers[0].rows if row.hash != manifest}
            assert set(reasons.values()) == {f"also of {other}, as locked in {place}: only one of the two can be right"}
            (row,) = (each for each in done.providers[0].rows if each.hash == manifest)
            assert "it may be of a file that both releases have" in row.reasons[-1].text

    def test_of_several_versions_that_have_a_hash_the_likeliest_is_named(self) -> None:
        manifest = zh("manifest")
        files = [named("o", zh("other"), manifest, version="1.1.0")]
        files += [named(f"r{n}", OLD_ZH, OLD_H1, manifest, version="1.2.2") for n in range(2)]
        files.append(named("w", OLD_ZH, OLD_H1, manifest, version="1.2.3"))
        standards = Standards().with_run(locked_in_run(files))
        done = Review.start(files[-1], settings=ClientSettings(), platforms=[LINUX], standards=standards)
        (told,) = alarms(done)
        assert told.endswith("3 of 3 hashes of it belong to 1.2.2, as locked in r0")

    def test_what_the_base_has_for_the_version_is_not_doubted_by_another_file(self) -> None:
        files = [named("a", OLD_ZH, OLD_H1, version="1.2.2"), named("b", OLD_ZH, OLD_H1, version="1.2.3")]
        sides = (base(files[0], name="main"),)
        standards = Standards(sides=sides, proposed=Standards(sides=sides)).with_run(locked_in_run(files))
        assert standards.of_another_version(files[0].providers[0]) == {}
        assert standards.proposed is not None
        assert standards.proposed.in_run == standards.in_run


class TestEarlierRuns:
    """What an origin was seen to have for a version speaks against its hashes at another one, and for none."""

    OTHER = LockedElsewhere.seen(
        Version.parse("1.2.2"), frozenset({OLD_ZH, OLD_H1, OLD_DARWIN}), origin="example.test", on=date(2026, 11, 1)
    )
    SAME = replace(OTHER, version=Version.parse("1.2.3"))

    @table(
        ("locked", "seen", "known", "count"),
        [
            ((OLD_ZH, OLD_H1), (OTHER,), None, "2 of 2 hashes"),
            ((OLD_ZH, OLD_H1), (OTHER,), NEW, "2 of 2 hashes"),
            ((OLD_H1, *OWN), (OTHER,), None, "an h1 hash"),
            ((OLD_ZH, *OWN), (OTHER,), None, ""),
            (OWN, (OTHER,), NEW, ""),
            # The same bytes were seen as the version's own, too.
            ((OLD_ZH, OLD_H1), (OTHER, SAME), None, ""),
            ((OLD_ZH, OLD_H1), (), None, ""),
        ],
    )
    def test_hashes_that_were_seen_for_another_version(
        self, locked: tuple[Hash, ...], seen: tuple[LockedElsewhere, ...], known: Audit | None, count: str
    ) -> None:
        done = review(locked, *([known] if known else []), standards=Standards(seen={ADDRESS: seen}))
        told = alarms(done)
        assert bool(told) is bool(count)
        assert all(f"{count} of it belong" in each for each in told)
        assert all("1.2.2, as example.test had it on 2026-11-01" in each for each in told)

    def test_only_packages_that_the_origin_stands_behind_are_remembered(self) -> None:
        manifest, claimed = zh("manifest"), h1("claimed")
        plain = origin_with(LINUX)
        listing = zh_list(zh("linux_amd64"), manifest)
        seen = (*plain.observations, (manifest, signed()), (claimed, listed(LINUX)))
        answered = replace(plain, observations=seen, lists=(listing,))
        assert Evidence(audit(answered)).confirms(manifest)
        assert vouched_for(audit(answered)) == set(OWN)
        assert vouched_for(audit(replace(answered, outcome=Outcome.NO_ANSWER))) == frozenset()
        assert vouched_for(audit()) == frozenset()


class TestHistory:
    def test_what_the_history_locked_for_another_version_is_told(self) -> None:
        past = LockedElsewhere(
            version=Version.parse("1.0.0"), hashes=frozenset({OLD_H1}), how="as locked in the history of main"
        )
        assert of_another_version(entry(OLD_H1), [past]) == {OLD_H1: past}
        assert of_another_version(entry(OLD_H1), [past, replace(past, version=Version.parse("1.2.3"))]) == {}

    @pytest.mark.parametrize("again", [True, False])
    def test_a_swap_for_what_was_locked_before_is_quieter(self, again: bool) -> None:
        past = LockedElsewhere.of(entry(OLD_H1 if again else h1("x")), "in the history of main")
        side = base(lock_file(entry_text(h1("there"))), name="main")
        done = review([OLD_H1], standards=Standards(sides=(side,), before={ADDRESS: (past,)}))
        (swap,) = [each for each in done.providers[0].changes if each.kind is ChangeKind.HASHES_SWAPPED]
        assert swap.severity is (Severity.WARNING if again else Severity.ERROR)
        assert ("locked for 1.2.3 before, in the history of main" in swap.message) is again
        assert ("lockwarden lock --platform OS_ARCH" in swap.hint) is again

    @table(
        ("gone", "known", "severity"),
        [
            ((OLD_ZH, OLD_DARWIN, OLD_H1), None, Severity.WARNING),
            ((OLD_ZH, OLD_DARWIN, OLD_H1), NEW, Severity.WARNING),
            ((OLD_ZH, OLD_H1), None, Severity.WARNING),
            # One that went was never another version's, or one zh alone that two releases may share.
            ((OLD_ZH, OLD_DARWIN, zh("honest")), None, Severity.ERROR),
            ((OLD_ZH, OLD_DARWIN, zh("honest")), NEW, Severity.ERROR),
            ((OLD_ZH,), None, Severity.ERROR),
        ],
    )
    def test_a_swap_that_takes_another_versions_hashes_out_is_quieter(
        self, gone: tuple[Hash, ...], known: Audit | None, severity: Severity
    ) -> None:
        past = LockedElsewhere.of(entry(OLD_ZH, OLD_H1, OLD_DARWIN, version="1.2.2"), "in the history of main")
        wrong = LockedElsewhere.of(entry(*gone), "in the history of main")
        side = base(lock_file(entry_text(*gone)), name="main")
        standards = Standards(sides=(side,), before={ADDRESS: (past, wrong)})
        done = review(OWN, *([known] if known else []), standards=standards)
        swaps = [each for each in done.providers[0].changes if each.kind is ChangeKind.HASHES_SWAPPED]
        assert {each.severity for each in swaps} == {severity}
        told = "those that went belong to 1.2.2, as locked in the history of main"
        assert all((told in each.message) is (severity is Severity.WARNING) for each in swaps)
        assert all(each.hint.startswith("taking them out mends") is (severity is Severity.WARNING) for each in swaps)
        assert not any("nothing confirms" in each.message for each in swaps if severity is Severity.WARNING)
