"""The steps from one moment of several lock files to the next."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from builders.reading import SECOND_READER, parse
from fakes.lock_files import EDGE, MADE_UP, NULL, PLANTED, RELAY, TIME, block
from fakes.many_files import (
    AMD,
    AUDITS,
    BROKEN,
    EDGE_ENTRY,
    LONE,
    NULL_ENTRY,
    OLD,
    PROD,
    RELAY_ENTRY,
    STAGE,
    TEST,
    TIME_ENTRY,
    TIME_OLD,
    of,
    repository,
)
from fakes.pull_request import record
from fakes.releases import DIRECT
from fakes.running import AUTO, LINUX, SOURCES
from msgspec.structs import replace

from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.evidence.events import (
    AuditFinished,
    AuditPlanned,
    EarlierAudited,
    LookupStarted,
    ProviderAudited,
    RetryScheduled,
)
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import LockFileInvalidError, Stage, ToolError
from lockwarden.tui.state import files, placeholders
from lockwarden.tui.state.files import Files, Read
from lockwarden.tui.state.files_compared import compared
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.state.session import Session

SETTINGS = ClientSettings()
OTHERS = ClientSettings(client=Client.TERRAFORM)
START = Session(sources=SOURCES, platforms=AUTO)
SUSPECT = HashKey.of(EDGE.address, PLANTED)
NEW = HashKey.of(NULL.address, NULL.zh("linux_arm64"))


def found(data: bytes, path: Path, settings: ClientSettings = SETTINGS, standards: Standards = NO_STANDARDS) -> Read:
    return parse(data, path=str(path)), settings, standards


def of_repository() -> Files:
    """Every file was read, or could not be."""
    now = files.begun(tuple(repository()), START)
    for path, data in repository().items():
        try:
            now = files.read(now, {path: found(data, path)})
        except LockFileInvalidError as error:
            now = files.read(now, {path: placeholders.unreadable(error)})
    return compared(now)


def audited(now: Files | None = None, settings: ClientSettings = SETTINGS) -> Files:
    """The audit of all files has ended."""
    events = [ProviderAudited(audit=each) for each in AUDITS]
    return files.ended(files.after_events(files.restarted(now or of_repository()), settings, events), Phase.FINISHED)


def two(first: bytes, second: bytes, standards: Standards = NO_STANDARDS, other: Standards = NO_STANDARDS) -> Files:
    """Two files, audited."""
    now = files.begun((PROD, STAGE), START)
    now = files.read(now, {PROD: found(first, PROD, standards=standards), STAGE: found(second, STAGE, standards=other)})
    return audited(now)


def review_of(now: Files, path: Path) -> Review:
    review = now.sessions[path].review
    assert review is not None
    return review


def decide(now: Files, path: Path, *choices: tuple[HashKey, Decision]) -> tuple[Files, int]:
    return files.decided(now, path, review_of(now, path).decisions.decide(choices))


def made(now: Files, path: Path) -> dict[HashKey, Decision]:
    return dict(review_of(now, path).decisions.made)


def only(now: Files, *paths: Path) -> Files:
    """The same run over some of the files."""
    return replace(now, sessions={path: now.sessions[path] for path in paths}, current=paths[0])


def test_no_file_was_read_at_first_and_the_first_one_is_selected() -> None:
    now = files.begun((PROD, STAGE), START)

    assert now.several
    assert now.current == PROD
    assert now.session == START
    assert now.groups == ()
    assert not files.begun((PROD,), START).several


def test_a_file_that_cannot_be_read_stops_no_other() -> None:
    now = of_repository()

    assert now.sessions[BROKEN].placeholder is not None
    assert now.sessions[BROKEN].review is None
    assert {str(entry.address) for entry in review_of(now, PROD).lock_file.providers} == {
        str(each.address) for each in (NULL, EDGE, TIME)
    }


def test_files_of_one_client_are_audited_together_and_empty_ones_not_at_all() -> None:
    now = files.begun((PROD, STAGE, OLD, TEST), START)
    now = files.read(
        now,
        {
            PROD: found(of(NULL_ENTRY), PROD),
            STAGE: found(of(EDGE_ENTRY), STAGE, OTHERS),
            OLD: found(of(TIME_ENTRY), OLD),
            TEST: found(of(), TEST),
        },
    )
    groups = {each.settings: [Path(lock_file.path) for lock_file, _ in each.files] for each in now.groups}

    assert groups == {SETTINGS: [PROD, OLD], OTHERS: [STAGE]}


def test_each_result_reaches_every_file_that_holds_its_release_and_no_other() -> None:
    now = audited()

    for path in (PROD, STAGE, TEST):
        assert review_of(now, path).provider(EDGE.address).counts[Verdict.DISOWNED] == 1
    assert review_of(now, OLD).provider(TIME.address).audit == AUDITS[3]
    assert review_of(now, PROD).provider(TIME.address).audit == AUDITS[2]
    assert not any(each.waiting for path in (PROD, STAGE, TEST, OLD, LONE) for each in review_of(now, path).providers)


def test_entries_that_lock_the_same_have_one_judgement_and_their_own_lines() -> None:
    now = two(of(EDGE_ENTRY), of(NULL_ENTRY, EDGE_ENTRY))
    one, other = (review_of(now, path).provider(EDGE.address) for path in (PROD, STAGE))

    assert one.counts == other.counts
    assert [row.verdict for row in one.rows] == [row.verdict for row in other.rows]
    assert [row.line for row in one.rows] != [row.line for row in other.rows]
    assert other.entry == review_of(now, STAGE).lock_file.provider(EDGE.address)


def test_with_every_platform_what_was_looked_at_is_wanted() -> None:
    start = replace(START, platforms=PlatformChoice(wanted=frozenset({LINUX}), every=True))
    wide = audited(files.read(files.begun((PROD,), start), {PROD: found(of(EDGE_ENTRY), PROD)}))
    narrow = audited(files.read(files.begun((PROD,), START), {PROD: found(of(EDGE_ENTRY), PROD)}))

    assert review_of(wide, PROD).platforms == {LINUX}
    assert review_of(wide, PROD).counts[Verdict.NEW] >= review_of(narrow, PROD).counts[Verdict.NEW]


def test_the_results_of_one_client_do_not_count_for_the_files_of_another() -> None:
    now = files.begun((PROD, STAGE), START)
    now = files.read(now, {PROD: found(of(EDGE_ENTRY), PROD), STAGE: found(of(EDGE_ENTRY), STAGE, OTHERS)})
    now = files.after_events(files.restarted(now), OTHERS, [ProviderAudited(audit=AUDITS[1])])

    assert review_of(now, PROD).provider(EDGE.address).waiting
    assert not review_of(now, STAGE).provider(EDGE.address).waiting
    assert (now.progress.done, now.progress.total) == (1, 2)


def test_progress_is_counted_once_for_each_release_and_told_for_each_file() -> None:
    now = files.restarted(of_repository())
    doing = LookupStarted(address=TIME.address, version=TIME.version, source=DIRECT.id)
    retry = RetryScheduled(url="https://x.test/", stage=Stage.DISCOVERY, attempt=1, delay=1.0, reason="busy")
    planned = AuditPlanned(releases=())
    now = files.after_events(now, SETTINGS, [planned, doing, retry, ProviderAudited(audit=AUDITS[0]), AuditFinished()])

    assert now.progress.phase is Phase.RUNNING
    assert (now.progress.done, now.progress.total, now.progress.retries) == (1, 4, 1)
    own = now.session.progress
    assert (own.done, own.total) == (1, 3)
    assert own.of(TIME.address).summary == "asking direct"
    old = files.selected(now, OLD).session.progress
    assert old.of(TIME_OLD.address).summary == "waiting"
    assert files.selected(now, BROKEN).session.progress.total == 0


def test_an_audit_that_failed_says_why_in_every_file_until_the_next_one() -> None:
    failure = ToolError("gpg is missing", hint="install it")
    now = files.ended(files.restarted(of_repository()), Phase.FAILED, failure)

    assert now.progress.phase is Phase.FAILED
    assert all(session.failure is failure for session in now.sessions.values())
    assert files.restarted(now).session.failure is None


def test_other_sources_hold_for_all_files() -> None:
    now = files.restarted(of_repository(), SOURCES[:1], PlatformChoice(wanted=frozenset({LINUX})))

    assert {session.sources for session in now.sessions.values()} == {SOURCES[:1]}
    assert not any(session.platforms.explain for session in now.sessions.values())


def test_audits_of_earlier_versions_reach_the_files_that_have_a_base() -> None:
    base = parse(of(EDGE_ENTRY.replace("2.0.0", "1.0.0")), path="base")
    against = Standards(sides=(BaseSide(name="main", commit="0" * 40, lock_file=base),))
    now = files.begun((PROD,), START)
    now = files.read(now, {PROD: found(of(EDGE_ENTRY), PROD, standards=against)})
    earlier = replace(AUDITS[1], version=base.providers[0].version)
    now = files.after_events(now, SETTINGS, [EarlierAudited(audits=(earlier,))])

    assert review_of(now, PROD).standards.sides[0].audits == (earlier,)


def test_drift_is_known_by_file_and_gone_where_nothing_differs() -> None:
    now = of_repository()

    assert [each.address for each in now.drifts_of(now.sessions[PROD])] == [TIME.address]
    assert {str(form.version) for form in now.drifts_of(now.sessions[OLD])[0].forms} == {"0.12.1", "0.11.0"}
    assert now.drifts_of(now.sessions[TEST]) == ()
    assert now.drifts_of(now.sessions[BROKEN]) == ()


def test_a_decision_is_made_in_all_files_that_hold_the_same_entry() -> None:
    now, others = decide(audited(), PROD, (SUSPECT, Decision.DROP))

    assert others == 2
    assert made(now, PROD) == made(now, STAGE) == made(now, TEST) == {SUSPECT: Decision.DROP}
    assert made(now, OLD) == made(now, LONE) == {}
    assert now.unwritten == (PROD, STAGE, TEST)


def test_a_decision_does_not_follow_where_the_entry_has_other_hashes_or_another_version() -> None:
    other_hashes = of(EDGE_ENTRY.replace(f'    "{EDGE.h1("linux_amd64").text}",\n', ""))
    now, others = decide(two(of(EDGE_ENTRY), other_hashes), PROD, (SUSPECT, Decision.DROP))
    assert others == 0
    assert made(now, STAGE) == {}

    other_version = of(EDGE_ENTRY.replace('"2.0.0"', '"2.0.1"'))
    _, others = decide(two(of(EDGE_ENTRY), other_version), PROD, (SUSPECT, Decision.DROP))
    assert others == 0


def test_a_decision_does_not_follow_where_the_hash_has_another_verdict() -> None:
    accepting = Standards(approvals=read_approvals(record(RELAY, MADE_UP), path="approvals"), today=date(2026, 6, 1))
    now = two(of(RELAY_ENTRY), of(RELAY_ENTRY), other=accepting)
    here, there = (
        next(row for row in review_of(now, path).provider(RELAY.address).rows if row.hash == MADE_UP)
        for path in (PROD, STAGE)
    )
    assert here.objects
    assert not there.objects

    _, others = decide(now, PROD, (HashKey.of(RELAY.address, MADE_UP), Decision.KEEP))
    assert others == 0


def test_a_decision_does_not_follow_into_a_file_that_is_not_audited_yet() -> None:
    now = files.begun((PROD, STAGE), START)
    now = files.read(now, {PROD: found(of(EDGE_ENTRY), PROD), STAGE: found(of(EDGE_ENTRY), STAGE, OTHERS)})
    now = files.after_events(files.restarted(now), SETTINGS, [ProviderAudited(audit=AUDITS[1])])

    _, others = decide(now, PROD, (SUSPECT, Decision.DROP))
    assert others == 0


def test_undo_and_redo_follow_everywhere() -> None:
    now, _ = decide(audited(), PROD, (SUSPECT, Decision.DROP))
    now, others = files.decided(now, STAGE, review_of(now, STAGE).decisions.undo())
    assert others == 2
    assert now.unwritten == ()
    assert not review_of(now, TEST).decisions.past

    now, others = files.decided(now, TEST, review_of(now, TEST).decisions.redo())
    assert others == 2
    assert made(now, PROD) == {SUSPECT: Decision.DROP}
    assert not review_of(now, PROD).decisions.future


def test_undo_of_a_step_takes_nothing_else_back_in_files_that_went_on() -> None:
    now, _ = decide(audited(), PROD, (SUSPECT, Decision.DROP))
    now, others = decide(now, LONE, (NEW, Decision.ADD))
    assert others == 2
    now, _ = files.decided(now, TEST, review_of(now, TEST).decisions.undo())

    assert made(now, TEST) == {}
    assert made(now, PROD) == made(now, STAGE) == {NEW: Decision.ADD}
    now, _ = files.decided(now, PROD, review_of(now, PROD).decisions.undo())
    assert made(now, PROD) == made(now, STAGE) == {SUSPECT: Decision.DROP, NEW: Decision.ADD}


def test_a_step_over_several_providers_follows_as_far_as_each_file_holds_them() -> None:
    now, others = decide(audited(), PROD, (SUSPECT, Decision.DROP), (NEW, Decision.ADD))

    assert others == 3
    assert made(now, STAGE) == {SUSPECT: Decision.DROP, NEW: Decision.ADD}
    assert made(now, TEST) == {SUSPECT: Decision.DROP}
    assert made(now, LONE) == {NEW: Decision.ADD}


def test_deciding_what_is_decided_there_already_changes_no_other_file() -> None:
    now, _ = decide(audited(), PROD, (SUSPECT, Decision.DROP))
    again, others = decide(now, STAGE, (SUSPECT, Decision.DROP))

    assert others == 0
    assert review_of(again, PROD).decisions == review_of(now, PROD).decisions
    assert files.decided(now, BROKEN, review_of(now, PROD).decisions) == (now, 0)


def test_after_writing_one_file_the_others_keep_their_decisions() -> None:
    now, _ = decide(audited(), PROD, (SUSPECT, Decision.DROP))
    after = files.written(now, TEST, found(review_of(now, TEST).next_lock_file(SECOND_READER), TEST))

    assert after.unwritten == (PROD, STAGE)
    assert not review_of(after, TEST).provider(EDGE.address).waiting
    drifting = compared(after)
    assert EDGE.address in {each.address for each in drifting.drifts_of(drifting.sessions[TEST])}


def test_a_file_that_cannot_be_read_after_writing_has_a_face() -> None:
    now = files.written(audited(), PROD, placeholders.unreadable(ToolError("it is gone")))

    assert now.sessions[PROD].placeholder is not None


def test_the_exit_code_is_that_of_the_worst_file() -> None:
    def code(*paths: Path) -> ExitCode:
        return only(audited(), *paths).exit_code

    assert code(*repository()) is ExitCode.UNUSABLE_INPUT
    assert code(PROD, OLD, LONE) is ExitCode.FINDINGS
    assert code(OLD, LONE) is ExitCode.NOTHING_TO_OBJECT
    assert only(of_repository(), OLD).exit_code is ExitCode.INCOMPLETE


def test_other_standards_hold_for_one_file() -> None:
    later = Standards(today=date(2030, 1, 1))
    now = files.held_against(audited(), PROD, later)

    assert review_of(now, PROD).standards == later.with_run(now.in_run)
    assert review_of(now, STAGE).standards == NO_STANDARDS.with_run(now.in_run)


def swapped(version: bytes, other: bytes) -> Files:
    """One of several files whose entry has the hashes of the version that the others lock, and another version."""
    data = repository()[PROD]
    wrong = data.replace(version, other)
    assert wrong != data
    now = files.begun((PROD, STAGE, TEST), START)
    return files.read(now, {PROD: found(data, PROD), STAGE: found(data, STAGE), TEST: found(wrong, TEST)})


def alarmed(now: Files) -> set[Path]:
    code = "hashes-of-another-version"
    return {
        path
        for path, session in now.sessions.items()
        if session.review is not None
        if any(each.code == code for provider in session.review.providers for each in provider.problems)
    }


def test_hashes_of_the_version_that_other_files_lock_are_told_with_any_base_and_until_they_are_written() -> None:
    version = f'"{EDGE.version}"'.encode()
    now = swapped(version, b'"9.9.9"')
    assert alarmed(now) == set()
    now = compared(now)
    assert alarmed(now) == {TEST}
    assert alarmed(files.restarted(now)) == {TEST}
    rebased = files.held_against(now, TEST, Standards(today=date(2030, 1, 1)))
    assert alarmed(rebased) == {TEST}
    mended = files.written(rebased, TEST, found(repository()[PROD], TEST))
    assert (alarmed(mended), mended.in_run) == (set(), {})


def test_hashes_of_another_files_provider_are_told_once_all_is_audited_and_by_whatever_policy() -> None:
    now = two(of(block(str(EDGE.address), "2.0.0", [TIME.zh(AMD)])), of(TIME_ENTRY))
    owner = f"belongs to {TIME.address} 0.12.1, whose own sources have it"

    def told(now: Files) -> list[str]:
        provider = review_of(now, PROD).provider(EDGE.address)
        return [row.reasons[0].text for row in provider.rows if row.hash == TIME.zh(AMD)]

    assert told(now) == [owner]
    again = files.held_against(now, PROD, Standards(today=date(2026, 6, 1)))
    assert told(again) == [owner]
    lock_file, settings, standards = found(review_of(now, PROD).lock_file.data, PROD)
    assert told(files.written(now, PROD, (lock_file, settings, standards))) == [owner]
