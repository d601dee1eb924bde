"""`lockwarden [PATH]`: the interactive review, or its report where there is no terminal to draw it on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockwarden.core.audit import PlatformChoice
from lockwarden.core.events import EarlierAudited, Report, ignore
from lockwarden.core.findings import Audit
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.oci.references import Repository
from lockwarden.core.platforms import current_platform
from lockwarden.core.review.standards import Standards
from lockwarden.core.sources.choose import SourceSpec, parse_source
from lockwarden.core.sources.configured import repository_names
from lockwarden.tui.commands.auditing import earlier_audits, releases_of
from lockwarden.tui.commands.check import check
from lockwarden.tui.commands.interruption import run_to_end
from lockwarden.tui.commands.lock_files import complain_of, load
from lockwarden.tui.commands.options import AuditOptions, read_options
from lockwarden.tui.commands.output import complain, on_terminal
from lockwarden.tui.commands.places import finder_for, process_place
from lockwarden.tui.wanted_platforms import policy_choice
from lockwarden.tui.wiring import Place, audit_runner

if TYPE_CHECKING:
    from lockwarden.tui.app import LockwardenApp


def review(path: str, **said: Any) -> int:
    """Open the review of a lock file and return the exit code; without a terminal, print the report of `check`."""
    if not on_terminal():
        code = check((path,), form="text", verbose=False, **said)
        complain("there is no terminal, so the review was printed", hint="“lockwarden check” does the same", prefix="")
        return code
    options = read_options(directory=Path.cwd(), current=current_platform(), **said)
    place = process_place()
    loaded = load(path)
    if loaded.lock_file is None:
        complain_of([loaded])
        return 2
    # What cannot be held against is told here, before a screen is drawn.
    finder_for(options, place).standards(loaded.lock_file, base=options.base)
    return run_app(Path(loaded.path), options, place)


def run_app(path: Path, options: AuditOptions, place: Place, *, title: str = "") -> int:
    """Run the app on one lock file until it is left."""
    return run_to_end(app_for(path, options, place, title=title).run_async()) or 0


def app_for(path: Path, options: AuditOptions, place: Place, *, title: str = "") -> LockwardenApp:
    """The app on one lock file; `title` is what the screen calls the file, its path if empty."""
    from lockwarden.core.lockfile.read import read
    from lockwarden.core.lockfile.save import save
    from lockwarden.tui.app import LockwardenApp

    async def audit(
        lock_file: LockFile,
        standards: Standards,
        sources: tuple[SourceSpec, ...],
        platforms: PlatformChoice,
        report: Report,
    ) -> tuple[Audit, ...]:
        pairs = [(lock_file, standards)]
        settings = place.settings_of(lock_file)
        choice = policy_choice(platforms, [standards])
        async with audit_runner(options, place, report) as runner:
            earlier = await earlier_audits(runner, pairs, specs=sources, settings=settings)
            if earlier:
                report(EarlierAudited(audits=earlier))
            return await runner.audit(releases_of(pairs), specs=sources, platforms=choice, settings=settings)

    async def list_repositories(source: SourceSpec) -> tuple[Repository, ...]:
        async with audit_runner(options, place, ignore) as runner:
            return await runner.repositories(repository_names(source.location, source.method))

    return LockwardenApp(
        path=path,
        load=read,
        save=save,
        audit=audit,
        sources=place.sources_for(options),
        platforms=options.platforms,
        settings_for=place.settings_of,
        parse_source=lambda text: parse_source(text, directory=Path.cwd(), insecure_hosts=options.insecure_hosts),
        list_repositories=list_repositories,
        keeper=finder_for(options, place),
        base=options.base,
        title=title,
    )
