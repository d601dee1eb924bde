"""Several lock files: their list, one audit for all, opening one and coming back."""

from __future__ import annotations

import pytest
from fakes.driving import Driver, drive
from fakes.many_files import (
    AUDITS,
    BROKEN,
    EDGE_ENTRY,
    LONE,
    NULL_ENTRY,
    OLD,
    PROD,
    TEST,
    FilesOnDisk,
    alike,
    drop_the_planted_hash,
    files_app,
    line_with,
    of,
    repository,
)
from fakes.running import SOURCES, PreparedAudit

from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.errors import ToolError
from lockwarden.tui.screens.files import FilesScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.sources import SourcesScreen
from lockwarden.tui.state.progress import Phase


def test_the_list_tells_of_every_file_its_answer_its_counts_and_where_it_drifts() -> None:
    async def scenario(d: Driver) -> None:
        assert d.shows(FilesScreen)
        assert "Do not commit yet" in line_with(d, "infra/prod/ ")
        assert "✗ 1  + 10  ✓ 11" in line_with(d, "infra/prod/ ")
        assert "≠ drifts" in line_with(d, "infra/old/ ")
        assert "≠" not in line_with(d, "infra/prod/ ")  # only some h1 hash is missing elsewhere
        assert "≠" not in line_with(d, "infra/test/ ")
        assert "Nothing to object to" in line_with(d, "infra/old/ ")
        assert "✗ 3 with findings" in d.text
        assert "≠ 1 drifts" in d.text
        await d.press("q")
        await d.settle()

    assert drive(files_app(repository()), scenario) == 2


def test_a_file_that_cannot_be_read_says_why_and_the_others_go_on() -> None:
    disk = FilesOnDisk({PROD: repository()[PROD], BROKEN: repository()[BROKEN]})

    async def scenario(d: Driver) -> None:
        assert "Cannot be read: line 3: an argument “odd” is not expected here" in d.text
        assert "and 1 more" in d.text
        assert "Cannot be read: there is no lock file at infra/lone" in d.prose
        await d.press("j")
        assert "line 4" in d.prose
        assert "Do not commit yet" in line_with(d, "infra/prod/ ")
        await d.press("enter")
        assert d.shows(ReviewScreen)
        assert "cannot be used" in d.text
        await d.press("q")
        assert d.shows(FilesScreen)
        disk.data[BROKEN] = repository()[TEST]
        disk.data[LONE] = repository()[LONE]
        await d.press("r")
        await d.settle()
        assert "Cannot be read" not in d.text
        await d.press("q")
        await d.settle()

    assert drive(files_app(disk, missing=(LONE,)), scenario) == 1


def test_every_release_is_audited_once_and_opening_a_file_audits_nothing() -> None:
    audit = PreparedAudit(AUDITS)

    async def scenario(d: Driver) -> None:
        assert len(audit.audited) == len(set(audit.audited)) == 4
        await d.press("enter")
        assert d.shows(ReviewScreen)
        assert d.review.counts[Verdict.DISOWNED] == 1
        assert "infra/prod" in d.lines[0]
        await d.press("q", "j", "enter")
        assert "infra/stage" in d.lines[0]
        assert len(audit.runs) == 1
        await d.press("r")
        await d.settle()
        assert len(audit.runs) == 2
        assert len(audit.audited) == 8

    drive(files_app(repository(), audit=audit), scenario)


def test_results_arrive_in_the_list_and_in_the_file_that_is_open() -> None:
    audit = PreparedAudit(AUDITS, held=True, held_after=1)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        assert "1/4 providers" in d.lines[0]
        assert "Still checking" in line_with(d, "infra/test/ ")
        assert "Nothing to object to" in line_with(d, "infra/lone/ ")
        await d.press("j", "enter")
        assert "1/3 providers" in d.lines[0]
        assert "asking direct" in d.text
        audit.gate.set()
        await d.settle()
        assert "3/3 providers" in d.lines[0]
        assert "disowned" in d.text
        await d.press("escape")
        assert d.shows(FilesScreen)
        assert "4/4 providers" in d.lines[0]

    drive(files_app(repository(), audit=audit), scenario, settled=False)


def test_esc_in_a_review_leads_back_and_only_in_the_list_it_cancels_the_audit() -> None:
    audit = PreparedAudit(AUDITS, held=True, held_after=1)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        await d.press("enter", "escape")
        assert d.shows(FilesScreen)
        assert d.app.files.progress.phase is Phase.RUNNING
        await d.press("escape")
        await d.settle()
        assert audit.cleaned_up == 1
        assert d.app.files.progress.phase is Phase.CANCELLED
        assert "Not everything was checked" in line_with(d, "infra/test/ ")
        await d.press("escape")
        assert "no audit is running; q leaves" in d.lines[-1]

    drive(files_app(repository(), audit=audit), scenario, settled=False)


async def drift_is_told_in_sentences_below_the_list(d: Driver) -> None:
    assert "registry.opentofu.org/acme/time is locked here at 0.12.1" in d.prose
    assert "the same version without 1 hash that this file has (h1:" in d.prose
    assert "0.11.0 in 1 other file: infra/old/" in d.prose
    await d.press("j")
    assert "the same version with 1 hash that this file lacks (h1:" in d.prose
    await d.press("D")
    assert d.screen.focused is d.screen.query_one("#file-detail")
    await d.press("escape")
    assert d.screen.focused is d.screen.query_one("#files")
    await d.press("j", "D")
    assert "no other file locks it differently" in d.lines[-1]


@pytest.mark.parametrize(
    ("paths", "code"),
    [
        ((OLD, LONE), 0),
        ((BROKEN, PROD), 2),
        pytest.param((OLD, PROD), 1, marks=pytest.mark.thorough),
        pytest.param((LONE, OLD, BROKEN), 2, marks=pytest.mark.thorough),
    ],
)
def test_the_exit_code_is_that_of_the_worst_file(paths: tuple[object, ...], code: int) -> None:
    async def scenario(d: Driver) -> None:
        await d.press("q")
        await d.settle()

    assert drive(files_app({path: data for path, data in repository().items() if path in paths}), scenario) == code


def test_other_sources_hold_for_all_files() -> None:
    audit = PreparedAudit(AUDITS)

    async def scenario(d: Driver) -> None:
        await d.press("s")
        assert d.shows(SourcesScreen)
        await d.press("j", "x", "r")
        await d.settle()
        assert audit.runs[-1][0] == SOURCES[:1]
        assert {session.sources for session in d.app.files.sessions.values()} == {SOURCES[:1]}
        assert "asking anew" in d.lines[-1]

    drive(files_app(repository(), audit=audit), scenario)


def test_an_audit_that_fails_is_told_in_every_review() -> None:
    audit = PreparedAudit(AUDITS, failure=ToolError("gpg is missing", hint="install it"))

    async def scenario(d: Driver) -> None:
        assert "failed" in d.lines[0]
        assert "Not everything was checked" in line_with(d, "infra/lone/ ")
        await d.press("enter")
        assert "The audit failed: gpg is missing" in d.text

    drive(files_app(repository(), audit=audit), scenario)


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.thorough)])
def test_many_files_are_listed_decided_and_written_together(count: int) -> None:
    disk = FilesOnDisk(alike(count))
    audit = PreparedAudit(AUDITS)

    async def scenario(d: Driver) -> None:
        assert f"✗ {count:,} with findings" in d.text
        assert len(audit.audited) == 3
        assert disk.reads == count
        await d.press("G")
        assert f"stack-{count - 1:04}" in d.text
        assert "stack-0000" not in d.text
        await d.press("pageup", "g", "j", "enter")
        assert "stack-0001" in d.lines[0]
        await drop_the_planted_hash(d)
        assert f"also in {count - 1} files" in d.lines[-1]
        await d.press("q")
        assert f"● {count:,} decisions unwritten" in d.text
        await d.press("z", "enter", "z", "q")
        assert "unwritten" not in d.text

    drive(files_app(disk, audit=audit), scenario)


@pytest.mark.parametrize(
    "width", [60, 70, 100, *(pytest.param(each, marks=pytest.mark.thorough) for each in (80, 140))]
)
def test_no_word_of_an_answer_is_cut_at_any_width(width: int) -> None:
    async def scenario(d: Driver) -> None:
        assert "Do not commit yet" in line_with(d, "prod/ ")
        assert "Nothing to object to" in line_with(d, "old/ ")
        assert "≠" in line_with(d, "old/ ")
        assert all(len(line) <= width for line in d.lines)
        assert not d.screen.query_one("#files").show_horizontal_scrollbar
        await d.press("enter")
        await drop_the_planted_hash(d)
        await d.press("q")
        assert "● 1" in line_with(d, "prod/ ")
        assert "decisions unwritten" in d.prose

    drive(files_app(repository()), scenario, size=(width, 20))


def test_a_long_path_is_cut_in_its_middle_and_told_whole_below() -> None:
    long = PROD.parent / "a-folder-with-a-long-name" / "and-another-one" / PROD.name
    files = {long: of(NULL_ENTRY), OLD: of(EDGE_ENTRY)}

    async def scenario(d: Driver) -> None:
        assert "infra/prod…-name/and-another-one/  Nothing to object to" in d.lines[4]  # no answer needs more room
        assert str(long) in d.prose.replace(" ", "")
        await d.press("enter")
        assert "and-another-one/ " in d.lines[0]

    drive(files_app(files), scenario, size=(60, 20))


def test_a_path_has_what_room_the_answers_and_counts_of_all_files_leave_once_their_audit_has_ended() -> None:
    long = PROD.parent / "europe-west-1" / "platform-services" / "cluster-of-the-first-team" / PROD.name
    audit = PreparedAudit(AUDITS, held=True, held_after=1)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        assert f"{long.parent}/ " not in d.text
        assert "of-the-first-team/ " in d.text
        audit.gate.set()
        await d.settle()
        assert f"{long.parent}/  Nothing to object to  + 5  ✓ 2 " in d.text

    drive(files_app({long: of(NULL_ENTRY), OLD: of(EDGE_ENTRY)}, audit=audit), scenario, settled=False, size=(120, 20))


def test_a_path_is_found_by_letters_that_the_system_takes_apart() -> None:
    apart = PROD.parent / "e\N{COMBINING ACUTE ACCENT}clair" / PROD.name

    async def scenario(d: Driver) -> None:
        await d.press("slash", *"Éc")
        assert "Lock files: 1 of 2" in d.text
        assert d.app.files.current == apart

    drive(files_app({OLD: of(EDGE_ENTRY), apart: of(NULL_ENTRY)}), scenario)


def test_a_provider_that_every_file_locks_in_its_own_way_is_not_told_without_end() -> None:
    files = {
        PROD.parent / f"stack-{number}" / PROD.name: of(EDGE_ENTRY.replace('"2.0.0"', f'"2.0.{number}"'))
        for number in range(20)
    }

    async def scenario(d: Driver) -> None:
        assert "2.0.19 in 1 other file" in d.prose
        assert "and in 9 other ways" in d.prose
        assert "≠ 19 drift" in d.text

    drive(files_app(files), scenario, size=(120, 50))


async def a_review_is_opened_again_where_it_was_left(d: Driver) -> None:
    await d.press("enter", "h", "j", "l", "j", "j")
    here = (d.state.provider, d.state.hash)
    await d.press("q", "j", "enter", "q", "k", "enter")
    assert (d.state.provider, d.state.hash) == here


async def n_goes_from_one_objection_to_the_next(d: Driver) -> None:
    await d.press("n", "n", "n")
    assert d.app.files.current == BROKEN
    await d.press("n")
    assert d.app.files.current == PROD
    await d.press("N")
    assert d.app.files.current == BROKEN


def test_help_names_the_keys_of_the_list_first() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("question_mark")
        assert d.shows(HelpScreen)
        assert d.text.index("On the list of lock files") < d.text.index("Write all lock files")
        assert "most lock files have some provider in another version, or with other zh hashes" in d.prose
        await d.press("escape")
        assert d.shows(FilesScreen)

    drive(files_app(repository()), scenario, size=(120, 50))


async def a_click_selects_a_file_and_a_second_one_opens_it(d: Driver) -> None:
    await d.click("#files", offset=(5, 3))
    assert d.app.files.current == TEST
    await d.click("#files", offset=(5, 3))
    assert d.shows(ReviewScreen)
    assert "infra/test" in d.lines[0]


async def without_a_base_v_says_so(d: Driver) -> None:
    await d.press("v")
    assert "there is no base to compare with" in d.lines[-1]


def test_the_list_its_keys_and_a_click() -> None:
    drive(
        files_app(repository()),
        drift_is_told_in_sentences_below_the_list,
        a_review_is_opened_again_where_it_was_left,
        n_goes_from_one_objection_to_the_next,
        a_click_selects_a_file_and_a_second_one_opens_it,
        without_a_base_v_says_so,
    )
