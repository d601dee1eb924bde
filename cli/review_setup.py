"""What the app of a review is given on this machine: its ports to files, audits and git, and what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec.structs

from lockwarden.cli.interruption import another_program_has_the_keyboard
from lockwarden.cli.output import complain
from lockwarden.cli.process_runtime import check_source, finder_for
from lockwarden.cli.surroundings import environment
from lockwarden.cli.theme_choice import keep_theme
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.audit_runner import AuditRunner, audit_runner
from lockwarden.core.engine.configured_sources import repository_names
from lockwarden.core.engine.conflict_files import ConflictFilesOnDisk
from lockwarden.core.engine.lock_file_reading import SeenFiles
from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.engine.many_files import earlier_audits, releases_of
from lockwarden.core.engine.module_files import ModuleFilesOnDisk
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec, parse_source_spec
from lockwarden.core.engine.user_settings import UserSettings
from lockwarden.core.engine.wanted_platforms import policy_choice
from lockwarden.core.evidence.events import AuditEvent, EarlierAudited, Report, ignore
from lockwarden.core.git.reach import NO_REACH, Reach
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rereleases import Rerelease
from lockwarden.core.system.outside_programs import browser_command, editor_command, run_beside, run_in_foreground
from lockwarden.core.values.errors import ToolError
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.platforms import current_platform
from lockwarden.tui.state.ports import Appearance, AuditGroup, GroupReport, ReviewSetup

RuntimeFor = Callable[[AuditOptions], Runtime]
"""Makes the runtime of a run anew for other options. It blocks, and raises LockwardenError for what is refused."""


@dataclass(frozen=True, kw_only=True)
class ReviewRun:
    """One run of the review: its lock files, its options, and where it runs."""

    paths: tuple[Path, ...]
    options: AuditOptions
    runtime: Runtime
    load: Callable[[Path], LockFile]
    look: Appearance
    settings: UserSettings
    title: str = ""
    journal: Sequence[JournalLine] = ()
    """What backfills have seen of packages that nobody gives out now."""
    runtime_for: RuntimeFor | None = None
    """Makes the runtime for a base that is chosen on the screen; without it, no other base can be chosen there."""

    def setup(self) -> ReviewSetup:
        """What the app is given."""
        options, runtime = self.options, self.runtime
        finder = finder_for(options, runtime)
        return ReviewSetup(
            paths=self.paths,
            load=self.load,
            save=save,
            audit=self._audit,
            sources=runtime.sources_for(options),
            platforms=options.platforms,
            settings_for=runtime.settings_of,
            parse_source=self._parse_source,
            list_repositories=self._list_repositories,
            store=finder,
            now=runtime.now,
            second_reader=runtime.second_reader,
            current_platform=current_platform(),
            base=options.base,
            title=self.title,
            configuration=runtime.used_configuration(options),
            notes=runtime.notes,
            held_to=None if self.runtime_for is None else partial(self._held_to, self.runtime_for),
            # No evidence is about modules, and nobody is asked.
            modules=ModuleFilesOnDisk(
                options if runtime.evidence is None else msgspec.structs.replace(options, offline=True), runtime
            ),
            conflicts=ConflictFilesOnDisk(options, runtime, finder),
            programs=ProgramsOfThisMachine(runtime.reach, editor=self.settings.editor),
            differs=SeenFiles().differs,
            kept=self._kept,
            look=self.look,
            keep_theme=partial(keep_theme, settings=self.settings),
        )

    async def _audit(
        self,
        groups: Sequence[AuditGroup],
        sources: tuple[SourceSpec, ...],
        platforms: PlatformChoice,
        report: GroupReport,
    ) -> None:
        if not groups:
            return

        def retried(event: AuditEvent) -> None:
            report(groups[0].settings, event)

        async with audit_runner(self.options, self.runtime, retried) as runner:
            for group in groups:
                await _audited(runner, group, sources, platforms, partial(report, group.settings))

    async def _kept(self, provider: ProviderReview) -> tuple[Rerelease, ...]:
        from lockwarden.core.engine.rereleases import rereleases_of

        return await rereleases_of((provider,), self.options, self.runtime, self.journal)

    def _parse_source(self, text: str) -> SourceSpec:
        spec = parse_source_spec(text, directory=Path.cwd(), insecure_hosts=self.options.insecure_hosts)
        check_source(spec, Path.cwd(), self.runtime.reach)
        return spec

    async def _list_repositories(self, source: SourceSpec) -> tuple[OciRepository, ...]:
        async with audit_runner(self.options, self.runtime, ignore) as runner:
            return await runner.repositories(repository_names(source.location, source.method))

    def _held_to(self, runtime_for: RuntimeFor, base: str, typed: Sequence[SourceSpec], /) -> ReviewSetup:
        """As the run would have begun with another base: what the change can write counts as it does there."""
        options = msgspec.structs.replace(self.options, base=base)
        runtime = msgspec.structs.replace(runtime_for(options), second_reader=self.runtime.second_reader)
        for each in typed:
            check_source(each, Path.cwd(), runtime.reach)
        if self.runtime.cache_folder is None:  # it cannot be used, as was told at the beginning
            runtime = msgspec.structs.replace(runtime, cache_folder=None)
        return replace(self, options=options, runtime=runtime).setup()


async def _audited(
    runner: AuditRunner, group: AuditGroup, specs: Sequence[SourceSpec], platforms: PlatformChoice, report: Report
) -> None:
    """Audit the files of one client: first what was locked before, then what is locked now, each release once."""
    earlier = await earlier_audits(runner, group.files, specs=specs, settings=group.settings)
    if earlier:
        report(EarlierAudited(audits=earlier))
    choice = policy_choice(platforms, (standards for _, standards in group.files))
    await runner.audit(releases_of(group.files), specs=specs, platforms=choice, settings=group.settings, report=report)


class ProgramsOfThisMachine:
    """Programs that the environment names; none that lies in the `reach` of the change under review."""

    def __init__(self, reach: Reach = NO_REACH, *, editor: str = "") -> None:
        """`editor` is a command of the operator's settings, which counts before the environment."""
        self._reach, self._editor = reach, editor

    def editor(self, path: Path, line: int) -> Sequence[str]:
        """The command that opens a file at a line. Raises ToolError."""
        return self._allowed(editor_command(environment(), path, line, setting=self._editor))

    def run(self, command: Sequence[str]) -> int:
        """Let a program have the terminal until it ends. Raises ToolError."""
        complain("the review goes on when the editor is closed", prefix="lockwarden: ")
        with another_program_has_the_keyboard():
            return run_in_foreground(command, environment())

    def browse(self, address: str) -> None:
        """Open an address of the web. Raises ToolError."""
        run_beside(self._allowed(browser_command(environment(), address)), environment())

    def _allowed(self, command: Sequence[str]) -> Sequence[str]:
        entered = self._reach.entered(command[0], Path.cwd())
        if entered is not None:
            raise ToolError(
                f"{command[0]} lies in the working tree that is reviewed, and the change could have written it",
                hint="name a program outside of it",
            )
        return command
