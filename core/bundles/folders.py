"""Folders of packages in a bundle: what was found in them, and what each package is. Where they lay is not told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

from lockwarden.core.bundles.model import (
    FolderContent,
    FolderRecord,
    FoundRecord,
    PackageRecord,
    SearchRecord,
    UnpackedRecord,
)
from lockwarden.core.bundles.recording import Recorder
from lockwarden.core.bundles.reducing import without_places
from lockwarden.core.sources.local.layout import LocalPackage, LocalProvider, below
from lockwarden.core.sources.local.reading import FolderReading
from lockwarden.core.store.known_facts import KnownPackage, WrittenError
from lockwarden.core.store.unpacked_folders import FolderFacts
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.versions import Version

_T = TypeVar("_T")
_HINT: Final = "make the evidence anew, with the same options"


class RecordingFolder:
    """A folder that is read, and what is found there written down."""

    def __init__(self, reading: FolderReading, recorder: Recorder, source: str) -> None:
        self.base = reading.base
        self._reading = reading
        self._recorder = recorder
        self._record = recorder.folders.setdefault(source, FolderRecord(source=source, searches=[]))

    def search(self, address: ProviderAddress, *, packed: bool) -> LocalProvider:
        """Search, and write down the names that were found."""
        try:
            found = self._reading.search(address, packed=packed)
        except SourceError as error:
            record = SearchRecord(address=str(address), packed=packed, error=self._recorder.error_record(error))
            self._record.searches.append(record)
            raise
        self._record.searches.append(
            SearchRecord(
                address=str(address),
                packed=packed,
                packages=[
                    FoundRecord(
                        version=str(each.version),
                        platform=str(each.platform),
                        place=below(self.base, each.path),
                        packed=each.packed,
                    )
                    for each in found.packages
                ],
                folders=[below(self.base, each) for each in found.folders],
                ignored=list(found.ignored),
            )
        )
        return found

    async def archive(self, package: LocalPackage) -> KnownPackage:
        """Hash a package, and write down what it is."""
        place = below(self.base, package.path)
        try:
            known = await self._reading.archive(package)
        except SourceError as error:
            self._record.archives.append(self._recorder.package_record(place, error))
            raise
        self._record.archives.append(self._recorder.package_record(place, known))
        return known

    async def unpacked(self, package: LocalPackage) -> FolderFacts:
        """Hash a package, and write down what it is."""
        place = below(self.base, package.path)
        try:
            facts = await self._reading.unpacked(package)
        except ArchiveError as error:
            self._record.unpacked.append(UnpackedRecord(place=place, error=self._written(error)))
            raise
        self._record.unpacked.append(UnpackedRecord(place=place, content=FolderContent.of(facts)))
        return facts

    def _written(self, error: ArchiveError) -> WrittenError:
        roots = self._recorder.roots
        return WrittenError(error.code, without_places(error.message, roots), without_places(error.hint, roots))


class RecordedFolder:
    """A folder as it is told; nothing on this machine is looked at. Its places begin with the source's name."""

    def __init__(self, record: FolderRecord) -> None:
        """Raises InputError, ValueError and OverflowError for what no folder can hold."""
        self.base = Path(record.source)
        self._searches: Mapping[tuple[ProviderAddress, bool], LocalProvider | SourceError] = {
            (ProviderAddress.parse(each.address), each.packed): self._found(each) for each in record.searches
        }
        self._archives = {each.place: outcome_of(each) for each in record.archives}
        self._unpacked = {each.place: _unpacked(each) for each in record.unpacked}

    def _found(self, record: SearchRecord) -> LocalProvider | SourceError:
        if record.error is not None:
            return record.error.error()
        return LocalProvider(
            packages=tuple(
                LocalPackage(
                    version=Version.parse(each.version),
                    platform=Platform.parse(each.platform),
                    path=self.base / each.place.lstrip("/"),
                    packed=each.packed,
                )
                for each in record.packages
            ),
            folders=tuple(self.base / each.lstrip("/") for each in record.folders),
            ignored=tuple(record.ignored),
        )

    def search(self, address: ProviderAddress, *, packed: bool) -> LocalProvider:
        """What the search found then."""
        found = self._searches.get((address, packed))
        if found is None:
            raise _missing(f"the search for {address} in {self.base}")
        return _given(found)

    async def archive(self, package: LocalPackage) -> KnownPackage:
        """What the package was."""
        known = self._archives.get(below(self.base, package.path))
        if known is None:
            raise _missing(f"the package {package.path}")
        return _given(known)

    async def unpacked(self, package: LocalPackage) -> FolderFacts:
        """What the package held."""
        facts = self._unpacked.get(below(self.base, package.path))
        if facts is None:
            raise ArchiveError("it is not in the evidence", code=ArchiveFault.UNREADABLE, hint=_HINT)
        if isinstance(facts, ArchiveError):
            raise facts
        return facts


def _given(outcome: _T | SourceError) -> _T:
    if isinstance(outcome, SourceError):
        raise outcome
    return outcome


def outcome_of(record: PackageRecord) -> KnownPackage | SourceError:
    """What a record says of a package. Raises ValueError, OverflowError, OSError and InputError."""
    if record.error is not None and record.package is None:
        return record.error.error()
    known = None if record.package is None or record.error is not None else record.package.known()
    if known is None or not known.zh.usable or known.size < 0:
        raise ValueError("a package contradicts itself")
    return known


def _unpacked(record: UnpackedRecord) -> FolderFacts | ArchiveError:
    if record.error is not None and record.content is None:
        return record.error.error()
    if record.content is None or record.error is not None:
        raise ValueError("a folder contradicts itself")
    return record.content.facts()


def _missing(what: str) -> SourceError:
    return NoAnswerError(
        f"{what} is not in the evidence", stage=Stage.FOLDER, code=ProblemCode.NOT_IN_EVIDENCE, hint=_HINT
    )
