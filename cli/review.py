"""`lockwarden [PATH…]`: the interactive review, or its report where there is no terminal to draw it on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from lockwarden.cli.evidence import with_evidence
from lockwarden.cli.on_screen import ReviewOnScreen, run_app
from lockwarden.cli.output import complain, complain_of, on_terminal, tell_left_out
from lockwarden.cli.own_settings import options_with, settings_here
from lockwarden.cli.process_runtime import finder_for, guarded_runtime, process_runtime
from lockwarden.core.engine.lock_file_reading import file_of
from lockwarden.core.engine.lock_files import Loaded, held, load, load_displaced, search
from lockwarden.core.engine.options import AuditOptions, GivenOptions
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.lockfile.summaries import IN_CONFLICT
from lockwarden.core.review.absence_rules import OBJECTING_CODES
from lockwarden.core.review.exit_codes import ExitCode, code_for, code_of_finding, worst
from lockwarden.core.values.terminals import Signs

if TYPE_CHECKING:
    from lockwarden.core.engine.displaced_lock_files import BaseFiles
    from lockwarden.core.engine.opened_evidence import OpenedEvidence
    from lockwarden.core.registry_metadata.journal_lines import JournalLine
    from lockwarden.tui.state.ports import ReviewSetup


_IN_CONFLICT: Final = frozenset(each.code for each in IN_CONFLICT)


def review(
    paths: Sequence[str],
    given: GivenOptions,
    *,
    recursive: bool = False,
    journals: tuple[str, ...] = (),
    read_only: bool = False,
    in_browser: bool = False,
) -> int:
    """Open the review of lock files and return the exit code; without a terminal, print the report of `check`.

    With `in_browser` another process draws it, as `lockwarden serve` has it.
    """
    if not on_terminal() and not in_browser:
        from lockwarden.cli.check import check

        code = check(tuple(paths), given, form="text", verbose=bool(journals), recursive=recursive, journals=journals)
        complain("there is no terminal, so the review was printed", hint="“lockwarden check” does the same", prefix="")
        return code
    settings = settings_here(paths, recursive=recursive, insecure_http=given.insecure_http)
    options = options_with(settings, given)
    runtime = process_runtime(options, paths, recursive=recursive)
    evidence, options, runtime = with_evidence(given, options, runtime)
    finder = finder_for(options, runtime)
    journal = _journaled(journals)
    named = tuple(paths) or (".",)
    base_files = _base_files(finder, options.base)
    found = search(named, finder, base_files, recursive=recursive)
    tell_left_out(found.left_out)
    hidden = {each.path for each in found.displaced if not each.how.readable}
    shown = tuple(name for name in found.order if name not in hidden)
    readable, unread = _read(shown, finder, options, evidence, all_held=bool(found.displaced))
    lost = (
        {}
        if base_files is None
        else load_displaced(found.displaced, base_files, readable, runtime.second_reader, client=options.client)
    )
    in_conflict = any(problem.code in _IN_CONFLICT for each in unread for problem in each.problems)
    if not readable and not in_conflict:
        complain_of(unread)
        return int(worst((_tell_displaced(lost.values()), code_for(unusable=bool(unread)))))
    # Another base is other evidence.
    held_to = None if evidence is not None else partial(guarded_runtime, paths=named, recursive=recursive)
    code = run_app(
        ReviewOnScreen(
            paths=_each_once(shown),
            options=options,
            runtime=runtime,
            known=readable[0].lock_file if readable else None,
            runtime_for=held_to,
            journal=journal,
            settings=settings,
            adapted=partial(_adapted, read_only=read_only, in_browser=in_browser),
        )
    )
    return int(worst((ExitCode(code), _tell_displaced(lost.values())))) if code in set(ExitCode) else code


def _journaled(journals: tuple[str, ...]) -> tuple[JournalLine, ...]:
    """The lines of the journals that were named. Raises InputError for one that cannot be used."""
    if not journals:
        return ()
    from lockwarden.cli.check import journaled

    return journaled(journals)


def _base_files(finder: StandardsFinder, base: str) -> BaseFiles | None:
    if not base:
        return None
    from lockwarden.core.engine.displaced_lock_files import BaseFiles

    return BaseFiles(finder, base)


def _read(
    paths: Sequence[str],
    finder: StandardsFinder,
    options: AuditOptions,
    evidence: OpenedEvidence | None,
    *,
    all_held: bool,
) -> tuple[list[Loaded], list[Loaded]]:
    """The lock files that can be reviewed, and those that cannot, before a screen is drawn.

    One of them, or all with `all_held`, is held against its standards: what speaks against that is told at once.
    """
    readable: list[Loaded] = []
    unread: list[Loaded] = []
    for each in paths:
        loaded = load(each, finder.second_reader, client=options.client)
        if evidence is not None and loaded.lock_file is not None:
            evidence.hold([loaded.lock_file])
        if loaded.lock_file is None:
            unread.append(loaded)
        elif not readable or all_held:
            one = held(loaded, finder, base=options.base)
            (readable if one.lock_file is not None else unread).append(one)
    return readable, unread


def _tell_displaced(lost: Iterable[Loaded]) -> ExitCode:
    """Tell on stderr what no screen shows: lock files of the base that are out of sight. Returns what that means."""
    codes = []
    for each in lost:
        for problem in each.standards.problems:
            if problem.code in OBJECTING_CODES:
                complain(problem.message, hint=problem.hint, prefix=f"{each.path}: {problem.severity}: ")
                codes.append(code_of_finding(problem.severity))
    return worst(codes)


def _each_once(paths: Sequence[str]) -> tuple[Path, ...]:
    """The lock files that paths name, or the folders of; one that is named twice, or by a link, only once."""
    by_place: dict[str, Path] = {}
    for each in map(Path, paths):
        try:
            file = file_of(each)
            place = os.path.realpath(file)
        except (OSError, ValueError):  # what is wrong with it is told where it is read
            file, place = each, str(each)
        by_place.setdefault(place, file)
    return tuple(by_place.values())


def _adapted(setup: ReviewSetup, *, read_only: bool, in_browser: bool) -> ReviewSetup:
    """What a review that writes nothing, or that is in a browser, is given: there, it begins no other program."""
    from lockwarden.cli import read_only as writing_nothing

    if in_browser:
        setup = replace(setup, programs=None, look=replace(setup.look, signs=Signs.UNICODE))
    return writing_nothing.read_only(setup) if read_only else setup
