"""A review that writes nothing: everything can be looked at and decided, and no file changes, whatever is pressed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict

from lockwarden.cli.read_only import ReadOnlyError, read_only
from lockwarden.cli.serve import listening, review_command
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.review.decisions import Decision
from lockwarden.core.values.errors import InputError
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.state.ports import ConflictFiles, ModuleAccess, ReviewSetup, StandardsStore


class Recording:
    """A port that hears which of its methods are called."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def __getattr__(self, name: str) -> object:
        return lambda *_, **__: self.called.append(name)


def methods(port: type) -> set[str]:
    return {name for name in vars(port) if not name.startswith("_")}


@pytest.mark.parametrize("port", [StandardsStore, ModuleAccess, ConflictFiles])
def test_all_that_a_port_saves_is_refused_and_all_else_is_its_own(port: type) -> None:
    recording = Recording()
    made = app_of(every_verdict()).setup
    setup: ReviewSetup = read_only(_with(made, recording))
    ports: dict[type, object] = {
        StandardsStore: setup.store,
        ModuleAccess: setup.modules,
        ConflictFiles: setup.conflicts,
    }
    closed = ports[port]
    for name in sorted(methods(port)):
        if name.startswith("save"):
            with pytest.raises(ReadOnlyError, match="read only"):
                getattr(closed, name)()
        else:
            getattr(closed, name)()
    assert set(recording.called) == {name for name in methods(port) if not name.startswith("save")}


def _with(setup: ReviewSetup, port: object) -> ReviewSetup:
    from msgspec.structs import replace

    return replace(setup, store=port, modules=port, conflicts=port)


def test_a_lock_file_is_not_saved_and_no_program_is_begun_with_another_base_either() -> None:
    from msgspec.structs import replace

    made = app_of(every_verdict()).setup

    def begin(base: str, typed: Sequence[SourceSpec], /) -> ReviewSetup:
        return replace(made, base=base)

    setup = read_only(replace(made, held_to=begin))
    assert setup.held_to is not None
    for each in (setup, setup.held_to("origin/main", ())):
        assert each.programs is None
        assert each.title.endswith("(read only)")
        with pytest.raises(ReadOnlyError):
            each.save(Path("any"), b"", expected=b"")


def test_what_is_decided_stays_a_decision_and_writing_says_why_not() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("space")
        assert d.decision is Decision.DROP
        await d.press("w")
        await d.press("right", "enter")
        await d.until_shown("this review is read only")
        assert d.decision is Decision.DROP
        await d.press("escape")
        assert "prod/ (read only)" in d.lines[0]  # what a narrow title leaves out is the name of the file

    drive(LockwardenApp(read_only(app_of(every_verdict()).setup)), scenario, size=(60, 20))


def test_what_a_browser_is_shown_is_read_only_unless_it_may_write() -> None:
    words = ["--base", "origin/main; rm -rf ~", "a b"]
    for write in (False, True):
        begun = shlex.split(review_command(words, write=write))
        assert begun[1:4] == ["-I", "-m", "lockwarden.cli"]
        assert ("--read-only" in begun) is not write
        assert begun[-3:] == words


def test_a_port_that_another_program_has_is_said_in_a_sentence() -> None:
    with listening(0) as first:
        with pytest.raises(InputError, match="cannot be had"):
            listening(first.getsockname()[1])
        assert first.getsockname()[0] == "127.0.0.1"
