"""What the app of a review is given on this machine: its ports to files, audits and git, and what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec.structs

from lockwarden.cli.outside_programs import ProgramsOfThisMachine
from lockwarden.cli.process_place import check_source, finder_for
from lockwarden.cli.theme_choice import keep_theme
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.audit_runner import AuditRunner, audit_runner
from lockwarden.core.engine.configured_sources import repository_names
from lockwarden.core.engine.conflict_files import ConflictFilesOnDisk
from lockwarden.core.engine.files_on_disk import SeenFiles
from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.engine.many_files import earlier_audits, releases_of
from lockwarden.core.engine.module_files import ModuleFilesOnDisk
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec, parse_source
from lockwarden.core.engine.user_settings import UserSettings
from lockwarden.core.engine.wanted_platforms import policy_choice
from lockwarden.core.evidence.events import AuditEvent, EarlierAudited, Report, ignore
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.platforms import current_platform
from lockwarden.tui.state.ports import Appearance, AuditGroup, GroupReport, ReviewSetup

PlaceFor = Callable[[AuditOptions], Runtime]
"""Makes the place of a run anew for other options. It blocks, and raises LockwardenError for what is refused."""


@dataclass(frozen=True, kw_only=True)
class ReviewRun:
    """One run of the review: its lock files, its options, and where it runs."""

    paths: tuple[Path, ...]
    options: AuditOptions
    place: Runtime
    load: Callable[[Path], LockFile]
    look: Appearance
    settings: UserSettings
    title: str = ""
    place_for: PlaceFor | None = None
    """Makes the place for a base that is chosen on the screen; without it, no other base can be chosen there."""

    def setup(self) -> ReviewSetup:
        """What the app is given."""
        options, place = self.options, self.place
        finder = finder_for(options, place)
        return ReviewSetup(
            paths=self.paths,
            load=self.load,
            save=save,
            audit=self._audit,
            sources=place.sources_for(options),
            platforms=options.platforms,
            settings_for=place.settings_of,
            parse_source=self._parse_source,
            list_repositories=self._list_repositories,
            store=finder,
            now=place.now,
            second_reader=place.second_reader,
            current_platform=current_platform(),
            base=options.base,
            title=self.title,
            configuration=place.used_configuration(options),
            notes=place.notes,
            held_to=None if self.place_for is None else partial(self._held_to, self.place_for),
            # No evidence is about modules, and nobody is asked.
            modules=ModuleFilesOnDisk(
                options if place.evidence is None else msgspec.structs.replace(options, offline=True), place
            ),
            conflicts=ConflictFilesOnDisk(options, place, finder),
            programs=ProgramsOfThisMachine(place.reach, editor=self.settings.editor),
            differs=SeenFiles().differs,
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

        async with audit_runner(self.options, self.place, retried) as runner:
            for group in groups:
                await _audited(runner, group, sources, platforms, partial(report, group.settings))

    def _parse_source(self, text: str) -> SourceSpec:
        spec = parse_source(text, directory=Path.cwd(), insecure_hosts=self.options.insecure_hosts)
        check_source(spec, Path.cwd(), self.place.reach)
        return spec

    async def _list_repositories(self, source: SourceSpec) -> tuple[OciRepository, ...]:
        async with audit_runner(self.options, self.place, ignore) as runner:
            return await runner.repositories(repository_names(source.location, source.method))

    def _held_to(self, place_for: PlaceFor, base: str, typed: Sequence[SourceSpec], /) -> ReviewSetup:
        """As the run would have begun with another base: what the change can write counts as it does there."""
        options = msgspec.structs.replace(self.options, base=base)
        place = msgspec.structs.replace(place_for(options), second_reader=self.place.second_reader)
        for each in typed:
            check_source(each, Path.cwd(), place.reach)
        if self.place.cache_folder is None:  # it cannot be used, as was told at the beginning
            place = msgspec.structs.replace(place, cache_folder=None)
        return replace(self, options=options, place=place).setup()


async def _audited(
    runner: AuditRunner, group: AuditGroup, specs: Sequence[SourceSpec], platforms: PlatformChoice, report: Report
) -> None:
    """Audit the files of one client: first what was locked before, then what is locked now, each release once."""
    earlier = await earlier_audits(runner, group.files, specs=specs, settings=group.settings)
    if earlier:
        report(EarlierAudited(audits=earlier))
    choice = policy_choice(platforms, (standards for _, standards in group.files))
    await runner.audit(releases_of(group.files), specs=specs, platforms=choice, settings=group.settings, report=report)
