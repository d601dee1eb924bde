"""One provider version in a folder on this machine: which packages there are, and what each hashes to.

Nobody vouches for what lies in a folder: no package is promised anything, and a client installs what it finds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.observations import Basis, ComputedLocally, Observation
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, Problem, SourceAnswer, SourceRef
from lockwarden.core.sources.checked_packages import CheckedPackages, PackageReports
from lockwarden.core.sources.local.layout import LocalPackage, LocalProvider, below
from lockwarden.core.sources.local.reading import FolderReading
from lockwarden.core.sources.package_content import executable_problem, no_executable
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.archive_faults import ArchiveFault, package_code
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

_NOTHING: Final[Mapping[Platform, frozenset[Hash]]] = MappingProxyType({})
_SHOWN: Final = 5
_OUR_LIMITS: Final = frozenset({ArchiveFault.TOO_MANY_FILES, ArchiveFault.TOO_LARGE, ArchiveFault.SPECIAL_FILE})
"""Reasons for which a folder was not hashed that would not stop a client."""


class ExaminedFolder(Struct, frozen=True, kw_only=True):
    """What looking at one package gave."""

    package: PackageFacts
    observations: tuple[tuple[Hash, Observation], ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(kw_only=True)
class LocalRelease:
    """The packages of one provider version, examined one by one."""

    source: SourceRef
    address: ProviderAddress
    version: Version
    found: Mapping[Platform, LocalPackage]
    """The one package of each platform that a client would use."""
    examine: Callable[[LocalPackage], Awaitable[ExaminedFolder]]
    """Looks at one package; failures are part of what it gives."""
    report: Report
    problems: tuple[Problem, ...] = ()

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """The platforms that the folder holds packages for."""
        return frozenset(self.found)

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        """Nothing: a folder lists no hashes."""
        return _NOTHING

    @cached_property
    def _packages(self) -> CheckedPackages[ExaminedFolder]:
        reports = PackageReports(address=self.address, version=self.version, source=self.source.id, report=self.report)
        return CheckedPackages(reports, self._look_at)

    async def check(self, platform: Platform) -> None:
        """Hash the package of one platform, once."""
        await self._packages.check(platform)

    async def _look_at(self, platform: Platform) -> ExaminedFolder:
        package = self.found.get(platform)
        if package is None:
            return ExaminedFolder(package=self._packages.missing(platform))
        return await self.examine(package)

    def source_answer(self) -> SourceAnswer:
        """What is known so far, packages in the order of their platforms."""
        known = self._packages.in_order
        return SourceAnswer(
            source=self.source,
            outcome=Outcome.ANSWERED,
            observations=tuple(each for examined in known for each in examined.observations),
            packages=tuple(examined.package for examined in known),
            platforms=self.platforms,
            problems=(*self.problems, *(each for examined in known for each in examined.problems)),
        )


async def examine_folder(
    package: LocalPackage, reading: FolderReading, *, source: SourceRef, provider_type: str
) -> ExaminedFolder:
    """Hash an unpacked package. Only an `h1` can be had, and the folder may change the moment after."""
    location = str(package.path)
    try:
        facts = await reading.unpacked(package)
    except ArchiveError as error:
        return _unhashable(package, error, source)
    problem = executable_problem(facts.executables, provider_type, platform=package.platform, source=source.id)
    computed = ComputedLocally(
        source=source.id,
        platform=package.platform,
        basis=Basis.DIRECTORY,
        location=location,
        package_zh=None,
    )
    return ExaminedFolder(
        package=PackageFacts(
            platform=package.platform,
            outcome=Outcome.ANSWERED,
            location=location,
            basis=Basis.DIRECTORY,
            h1_directory=facts.h1,
            client_refusal="" if problem is None else no_executable(provider_type),
        ),
        observations=((facts.h1, computed),),
        problems=() if problem is None else (problem,),
    )


def _unhashable(package: LocalPackage, error: ArchiveError, source: SourceRef) -> ExaminedFolder:
    unread = error.code in {
        ArchiveFault.UNREADABLE,
        ArchiveFault.NOT_A_FOLDER,
        ArchiveFault.CHANGED,
        ArchiveFault.STOPPED,
    }
    refusal = "" if unread or error.code in _OUR_LIMITS else f"its content cannot be hashed: {error.message}"
    return ExaminedFolder(
        package=PackageFacts(
            platform=package.platform,
            outcome=Outcome.NO_ANSWER if unread else Outcome.ANSWERED,
            location=str(package.path),
            basis=Basis.DIRECTORY,
            client_refusal=refusal,
            detail=error.message,
        ),
        problems=(
            Problem(
                code=package_code(error.code),
                severity=Severity.WARNING,
                message=f"the {package.platform} package in {source.id} cannot be hashed: {error.message}",
                hint=error.hint or "look at what lies there; a package is a folder of plain files",
                source=source.id,
            ),
        ),
    )


def first_of_each(packages: Sequence[LocalPackage]) -> dict[Platform, LocalPackage]:
    """The package of each platform that a client comes across first, which is the one that it uses."""
    first: dict[Platform, LocalPackage] = {}
    for package in packages:
        first.setdefault(package.platform, package)
    return first


def layout_problems(found: LocalProvider, version: Version, base: Path, source: SourceRef) -> tuple[Problem, ...]:
    """Twins, copies and names that the clients pass over, as problems."""
    told: list[tuple[ProblemCode, Severity, str, str]] = []
    if len(found.folders) > 1:
        names = ", ".join(f"“{below(base, folder)}”" for folder in found.folders[:_SHOWN])
        told.append(
            (
                ProblemCode.TWIN_FOLDERS,
                Severity.WARNING,
                f"{len(found.folders)} folders in {source.id} stand for one provider: {names}",
                "their names differ only in case or Unicode form; keep one, or one day the other is taken",
            )
        )
    packages = found.of_version(version)
    for platform, used in first_of_each(packages).items():
        others = [each for each in packages if each.platform == platform and each != used]
        if others:
            names = ", ".join(f"“{below(base, each.path)}”" for each in others[:_SHOWN])
            told.append(
                (
                    ProblemCode.SEVERAL_COPIES,
                    Severity.WARNING,
                    (
                        f"{source.id} has more than one {platform} package of {version}: the clients use"
                        f" “{below(base, used.path)}” and never look at {names}"
                    ),
                    "keep one of them; nothing says that they hold the same",
                )
            )
    if found.ignored:
        rest = len(found.ignored) - _SHOWN
        more = f", and {rest} more" if rest > 0 else ""
        told.append(
            (
                ProblemCode.ENTRIES_PASSED_OVER,
                Severity.NOTE,
                f"the clients pass over some of {source.id}: {'; '.join(found.ignored[:_SHOWN])}{more}",
                "rename or replace what should be found",
            )
        )
    return tuple(
        Problem(code=code, severity=severity, message=message, hint=hint, source=source.id)
        for code, severity, message, hint in told
    )
