"""Choosing sources and platforms."""

from __future__ import annotations

import pytest
from fakes.lock_files import every_verdict
from fakes.running import AUTO, LINUX, SOURCES
from msgspec.structs import replace

from lockwarden.core.cli_config.settings import FilesystemMirror
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.origins import Origin
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.tui.render.source_lines import source_lines
from lockwarden.tui.state.source_choice import PlatformMode, SourceChoice, known_platforms

MAC = Platform("darwin", "arm64")
ODD = Platform("plan9", "mips")
FOLDER = SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location="/srv/mirror")


def review() -> Review:
    world = every_verdict()
    started = Review.start(world.lock_file(), settings=ClientSettings(), platforms=())
    for audit in world.audits:
        started = started.with_audit(audit)
    return started


@pytest.mark.parametrize(
    ("choice", "mode"),
    [
        (AUTO, PlatformMode.AUTO),
        (PlatformChoice(wanted=frozenset({LINUX})), PlatformMode.CURRENT),
        (PlatformChoice(wanted=frozenset({LINUX}), every=True), PlatformMode.ALL),
        (PlatformChoice(wanted=frozenset({LINUX, MAC})), PlatformMode.CHOSEN),
        (PlatformChoice(wanted=frozenset({MAC})), PlatformMode.CHOSEN),
        (PlatformChoice(wanted=frozenset({LINUX, MAC}), explain=True), PlatformMode.AUTO),
    ],
)
def test_a_draft_begins_with_what_runs_now_and_would_run_it_again(choice: PlatformChoice, mode: PlatformMode) -> None:
    draft = SourceChoice.of(SOURCES, choice, LINUX)

    assert draft.mode is mode
    assert draft.choice == choice
    assert not draft.problem


def test_platforms_that_auto_always_looks_at_come_back_with_it() -> None:
    draft = SourceChoice.of(SOURCES, PlatformChoice(wanted=frozenset({LINUX, MAC}), explain=True), LINUX)
    there_and_back = draft.with_mode(PlatformMode.CURRENT).with_mode(PlatformMode.AUTO)

    assert draft.with_mode(PlatformMode.CURRENT).choice == PlatformChoice(wanted=frozenset({LINUX}))
    assert there_and_back.choice.wanted == {LINUX, MAC}


def test_sources_are_added_once_and_removed() -> None:
    draft = SourceChoice.of(SOURCES, AUTO, LINUX)

    assert draft.with_source(FOLDER).sources == (*SOURCES, FOLDER)
    assert draft.with_source(SOURCES[0]) is draft
    assert draft.without_source(SOURCES[0]).sources == SOURCES[1:]


def test_a_draft_that_cannot_be_run_says_what_is_missing() -> None:
    draft = SourceChoice.of((), AUTO, LINUX)
    chosen = SourceChoice.of(SOURCES, AUTO, LINUX).with_mode(PlatformMode.CHOSEN)

    assert draft.problem == "add at least one source"
    assert chosen.with_chosen([]).problem == "choose at least one platform"
    assert not chosen.with_chosen([ODD]).problem


def test_known_platforms_are_the_usual_ones_and_those_that_a_source_named() -> None:
    draft = replace(SourceChoice.of(SOURCES, AUTO, LINUX), chosen=frozenset({ODD}))

    assert known_platforms(None, draft)[0] == LINUX
    assert known_platforms(None, draft)[-1] == ODD
    assert MAC in known_platforms(review(), SourceChoice.of(SOURCES, AUTO, LINUX))


def test_each_source_tells_what_it_said_last() -> None:
    draft = SourceChoice.of(SOURCES, AUTO, LINUX).with_source(FOLDER)
    direct, mirror, folder = source_lines(draft, SOURCES, review())

    assert direct.said == "answered for 6 providers"
    assert mirror.said == "3 answered, 2 not there, 1 no answer: the connection was reset"
    assert folder.said == "not asked yet"
    assert {line.said for line in source_lines(draft, SOURCES, None)} == {"not asked yet"}


def test_a_source_that_was_removed_and_added_again_keeps_what_it_said() -> None:
    draft = SourceChoice.of(SOURCES, AUTO, LINUX).without_source(SOURCES[0]).with_source(SOURCES[0])

    assert [line.said for line in source_lines(draft, SOURCES, review())][1] == "answered for 6 providers"


def test_without_a_configuration_no_source_says_whom_it_serves() -> None:
    lines = source_lines(SourceChoice.of(SOURCES, AUTO, LINUX), SOURCES, review(), review().providers[0].address)
    assert {(line.configured, line.serves) for line in lines} == {("", None)}


def test_a_configured_source_says_for_whom_it_is_and_where_that_stands() -> None:
    address = review().providers[0].address
    mirror = replace(
        FOLDER,
        method=FilesystemMirror(
            origin=Origin.of_file("/home/me/.tofurc", 2),
            path="/srv/mirror",
            exclude=(ProviderPattern.parse(str(address)),),
        ),
    )
    draft = SourceChoice.of((SOURCES[0], mirror), AUTO, LINUX)
    direct, folder = source_lines(draft, (), None, address)
    assert (direct.configured, direct.serves) == ("", True)
    assert folder.configured == f"for all providers but not {address}, /home/me/.tofurc:2"
    assert folder.serves is False
    other = review().providers[1].address
    assert [line.serves for line in source_lines(draft, (), None, other)] == [True, True]
    assert [line.serves for line in source_lines(draft, (), None, None)] == [None, None]


def test_what_the_audit_did_counts_more_than_the_patterns() -> None:
    mirror = replace(SOURCES[1], method=FilesystemMirror(origin=Origin.of_file("/home/me/.tofurc", 2), path="/m"))
    audit = review().providers[0].audit
    assert audit is not None
    audited = replace(audit, source_answers=audit.source_answers[:1])
    now = review().with_audit(audited)
    lines = source_lines(SourceChoice.of((SOURCES[0], mirror), AUTO, LINUX), (SOURCES[0], mirror), now, audited.address)
    assert [line.serves for line in lines] == [True, False]
