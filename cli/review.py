"""`lockwarden [PATH…]`: the interactive review, or its report where there is no terminal to draw it on."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from lockwarden.cli.check import check
from lockwarden.cli.exit_handling import UNUSABLE
from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.output import complain, complain_of, on_terminal, tell_left_out
from lockwarden.cli.own_settings import NO_SETTINGS, options_with, settings_here
from lockwarden.cli.process_place import check_source, finder_for, guarded_place, process_place
from lockwarden.cli.process_tuning import collect_rarely
from lockwarden.cli.terminal_background import BackgroundQuestion
from lockwarden.cli.theme_choice import keep_theme, theme_said
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.audit_runner import AuditRunner, audit_runner
from lockwarden.core.engine.configured_sources import repository_names
from lockwarden.core.engine.displaced_lock_files import BaseFiles
from lockwarden.core.engine.lock_file_reading import file_of
from lockwarden.core.engine.lock_files import Loaded, held, load, load_displaced, search
from lockwarden.core.engine.many_files import earlier_audits, releases_of
from lockwarden.core.engine.options import AuditOptions, GivenOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec, parse_source
from lockwarden.core.engine.user_settings import UserSettings
from lockwarden.core.engine.wanted_platforms import policy_choice
from lockwarden.core.evidence.events import AuditEvent, EarlierAudited, Report, ignore
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.summaries import IN_CONFLICT
from lockwarden.core.review.absence_rules import OBJECTING_CODES
from lockwarden.core.review.exit_codes import ExitCode, code_of_finding, worst
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.platforms import current_platform
from lockwarden.core.values.terminals import Signs

if TYPE_CHECKING:
    from lockwarden.tui.app import LockwardenApp
    from lockwarden.tui.state.ports import AuditGroup, GroupReport, Look, ReviewSetup


_IN_CONFLICT: Final = frozenset(each.code for each in IN_CONFLICT)


def review(
    paths: Sequence[str],
    given: GivenOptions,
    *,
    recursive: bool = False,
    read_only: bool = False,
    in_browser: bool = False,
) -> int:
    """Open the review of lock files and return the exit code; without a terminal, print the report of `check`.

    With `in_browser` another process draws it, as `lockwarden serve` has it.
    """
    if not on_terminal() and not in_browser:
        code = check(tuple(paths), given, form="text", verbose=False, recursive=recursive)
        complain("there is no terminal, so the review was printed", hint="“lockwarden check” does the same", prefix="")
        return code
    settings = settings_here(paths, recursive=recursive, insecure_http=given.insecure_http)
    options = options_with(settings, given)
    place = process_place(options, paths, recursive=recursive)
    evidence = None
    if given.evidence is not None:
        from lockwarden.cli.evidence import evidence_of

        evidence = evidence_of(given, place)
        options, place = evidence.options(options, platforms_named=bool(given.platform)), evidence.place(place)
    finder = finder_for(options, place)
    named = tuple(paths) or (".",)
    base_files = BaseFiles(finder, options.base) if options.base else None
    found = search(named, finder, base_files, recursive=recursive)
    tell_left_out(found.left_out)
    readable = {each.path for each in found.displaced if each.how.readable}
    hidden = {each.path for each in found.displaced} - readable
    # What cannot be held against is told here, before a screen is drawn; unreadable files only when all are.
    unread: list[Loaded] = []
    looked_at: list[Loaded] = []
    for each in (name for name in found.order if name not in hidden):
        loaded = load(each, place.second_reader, client=options.client)
        if evidence is not None and loaded.lock_file is not None:
            evidence.hold([loaded.lock_file])
        if loaded.lock_file is None:
            unread.append(loaded)
        elif not looked_at or found.displaced:
            one = held(loaded, finder, base=options.base)
            (looked_at if one.lock_file is not None else unread).append(one)
    lost = (
        {}
        if base_files is None
        else load_displaced(found.displaced, base_files, looked_at, place.second_reader, client=options.client)
    )
    in_conflict = any(problem.code in _IN_CONFLICT for each in unread for problem in each.problems)
    if not looked_at and not in_conflict:
        complain_of(unread)
        return int(worst((_told(lost.values()), ExitCode.UNUSABLE_INPUT if unread else ExitCode.NOTHING_TO_OBJECT)))
    shown = tuple(name for name in found.order if name not in hidden)
    # Another base is other evidence.
    held_to = None if evidence is not None else partial(guarded_place, paths=named, recursive=recursive)
    code = run_app(
        _each_once(shown),
        options,
        place,
        known=looked_at[0].lock_file if looked_at else None,
        place_for=held_to,
        settings=settings,
        adapted=partial(_adapted, read_only=read_only, in_browser=in_browser),
    )
    return int(worst((ExitCode(code), _told(lost.values())))) if code in set(ExitCode) else code


def _told(lost: Iterable[Loaded]) -> ExitCode:
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


Adapted = Callable[["ReviewSetup"], "ReviewSetup"]
"""Changes what the app is given."""
PlaceFor = Callable[[AuditOptions], Runtime]
"""Makes the place of a run anew for other options. It blocks, and raises LockwardenError for what is refused."""


def run_app(
    paths: Sequence[Path],
    options: AuditOptions,
    place: Runtime,
    *,
    title: str = "",
    known: LockFile | None = None,
    place_for: PlaceFor | None = None,
    settings: UserSettings = NO_SETTINGS,
    adapted: Adapted | None = None,
) -> int:
    """Run the app on lock files until it is left; one that is `known` was read just now.

    `place_for` makes the place for a base that is chosen on the screen; without it, the place is the same for all.
    `adapted` has the last word about what the app is given.

    However it ends before a person has left it, that is no answer, and the decisions that were not written are named.
    """
    with BackgroundQuestion(wanted=not any(theme_said(settings))) as question:
        app = app_for(
            paths,
            options,
            place,
            title=title,
            known=known,
            place_for=place_for,
            settings=settings,
            question=question,
            adapted=adapted,
        )
    collect_rarely(on_screen=True)
    answer: int | None = None
    try:
        answer = run_to_end(app.run_async())
    finally:
        if answer is None:
            _tell_unfinished(app)
    return UNUSABLE if answer is None else answer


def _tell_unfinished(app: LockwardenApp) -> None:
    from lockwarden.tui.render.unfinished import lost_decisions

    with contextlib.suppress(OSError):  # the terminal may be what is gone
        if app.fault:
            complain(f"the review ended early: {app.fault}", hint="if this is a bug, please report it")
        if lost := tuple(lost_decisions(app.files)):
            complain("what was decided is not in the lock file:")
            for each in lost:
                complain(each, prefix="  ")


def app_for(
    paths: Sequence[Path] | Path,
    options: AuditOptions,
    place: Runtime,
    *,
    title: str = "",
    known: LockFile | None = None,
    place_for: PlaceFor | None = None,
    settings: UserSettings = NO_SETTINGS,
    question: BackgroundQuestion | None = None,
    adapted: Adapted | None = None,
) -> LockwardenApp:
    """The app on lock files; `title` is what the screen calls the one file, its path if empty.

    `question` is put to the terminal meanwhile. Raises InputError for a theme or a key that there is not.
    """
    from lockwarden.cli.look import look_here
    from lockwarden.core.engine.client_lock_files import read_for_client
    from lockwarden.tui.app import LockwardenApp

    just_read = {} if known is None else {known.path: known}

    def read_once(path: Path) -> LockFile:
        """Read a lock file, unless it was read just now; what it is when it is asked for again is read anew."""
        known = just_read.pop(str(path), None)
        return known or read_for_client(path, place.second_reader, client=options.client)

    named = (paths,) if isinstance(paths, Path) else tuple(paths)
    look = look_here(settings, question or BackgroundQuestion(wanted=False))
    setup = _setup(
        options,
        place,
        paths=named,
        load_file=read_once,
        title=title,
        place_for=place_for,
        settings=settings,
        look=look,
    )
    return LockwardenApp(setup if adapted is None else adapted(setup))


def _adapted(setup: ReviewSetup, *, read_only: bool, in_browser: bool) -> ReviewSetup:
    """What a review that writes nothing, or that is in a browser, is given: there, it begins no other program."""
    from lockwarden.cli import read_only as writing_nothing

    if in_browser:
        setup = replace(setup, programs=None, look=replace(setup.look, signs=Signs.UNICODE))
    return writing_nothing.read_only(setup) if read_only else setup


def _setup(
    options: AuditOptions,
    place: Runtime,
    *,
    paths: tuple[Path, ...],
    load_file: Callable[[Path], LockFile],
    title: str,
    place_for: PlaceFor | None,
    settings: UserSettings,
    look: Look,
) -> ReviewSetup:
    from lockwarden.cli.outside_programs import ProgramsOfThisMachine
    from lockwarden.core.engine.conflict_files import ConflictFilesOnDisk
    from lockwarden.core.engine.files_on_disk import FilesOnDisk
    from lockwarden.core.engine.lock_file_saving import save
    from lockwarden.core.engine.module_files import ModuleFilesOnDisk
    from lockwarden.tui.state.ports import ReviewSetup

    async def audit(
        groups: Sequence[AuditGroup],
        sources: tuple[SourceSpec, ...],
        platforms: PlatformChoice,
        report: GroupReport,
    ) -> None:
        if not groups:
            return

        def retried(event: AuditEvent) -> None:
            report(groups[0].settings, event)

        async with audit_runner(options, place, retried) as runner:
            for group in groups:
                await _audited(runner, group, sources, platforms, partial(report, group.settings))

    def parse(text: str) -> SourceSpec:
        spec = parse_source(text, directory=Path.cwd(), insecure_hosts=options.insecure_hosts)
        check_source(spec, Path.cwd(), place.reach)
        return spec

    async def list_repositories(source: SourceSpec) -> tuple[OciRepository, ...]:
        async with audit_runner(options, place, ignore) as runner:
            return await runner.repositories(repository_names(source.location, source.method))

    def held_to(base: str, typed: Sequence[SourceSpec]) -> ReviewSetup:
        """As the run would have begun with another base: what the change can write counts as it does there."""
        assert place_for is not None  # noqa: S101 - or it is not offered
        now = replace(options, base=base)
        there = replace(place_for(now), second_reader=place.second_reader)
        for each in typed:
            check_source(each, Path.cwd(), there.reach)
        if place.cache_folder is None:  # it cannot be used, as was told at the beginning
            there = replace(there, cache_folder=None)
        return _setup(
            now,
            there,
            paths=paths,
            load_file=load_file,
            title=title,
            place_for=place_for,
            settings=settings,
            look=look,
        )

    finder = finder_for(options, place)
    return ReviewSetup(
        paths=paths,
        load=load_file,
        save=save,
        audit=audit,
        sources=place.sources_for(options),
        platforms=options.platforms,
        settings_for=place.settings_of,
        parse_source=parse,
        list_repositories=list_repositories,
        store=finder,
        now=place.now,
        second_reader=place.second_reader,
        current_platform=current_platform(),
        base=options.base,
        title=title,
        configuration=place.used_configuration(options),
        notes=place.notes,
        held_to=None if place_for is None else held_to,
        # No evidence is about modules, and nobody is asked.
        modules=ModuleFilesOnDisk(options if place.evidence is None else replace(options, offline=True), place),
        conflicts=ConflictFilesOnDisk(options, place, finder),
        programs=ProgramsOfThisMachine(place.reach, editor=settings.editor),
        differs=FilesOnDisk().differs,
        look=look,
        keep_theme=partial(keep_theme, settings=settings),
    )


async def _audited(
    runner: AuditRunner, group: AuditGroup, specs: Sequence[SourceSpec], platforms: PlatformChoice, report: Report
) -> None:
    """Audit the files of one client: first what was locked before, then what is locked now, each release once."""
    earlier = await earlier_audits(runner, group.files, specs=specs, settings=group.settings)
    if earlier:
        report(EarlierAudited(audits=earlier))
    choice = policy_choice(platforms, (standards for _, standards in group.files))
    await runner.audit(releases_of(group.files), specs=specs, platforms=choice, settings=group.settings, report=report)
