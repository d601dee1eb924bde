"""Opens an evidence bundle, so that an audit is answered from it and nobody is asked."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.bundles.archive import MAX_SIZE, read_bundle
from lockwarden.core.bundles.folders import RecordedFolder
from lockwarden.core.bundles.model import FolderRecord
from lockwarden.core.bundles.replaying import Replayer
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.evidence_recording import lock_file_digest
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.evidence.source_answers import SourceRef
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.sources.local.reading import FolderReading
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.oci_references import OciRepository

_UNSIGNED: Final = "nobody has signed it"


class OpenedEvidence(Struct, frozen=True, kw_only=True):
    """A bundle that was read, and what is known of who vouches for it."""

    name: str
    replayer: Replayer
    recorded: RecordedEvidence

    def hold(self, lock_files: Iterable[LockFile]) -> None:
        """Raise InputError for a lock file that it was not made for: it proves nothing of that."""
        for each in lock_files:
            if lock_file_digest(each.data) not in self.replayer.lock_files:
                raise InputError(
                    f"the evidence in {self.name} was made for another lock file than {each.path}, and proves nothing"
                    " of this one",
                    hint="a lock file that has changed needs evidence of its own: make it with “lockwarden bundle”",
                )

    def options(self, options: AuditOptions, *, platforms_named: bool) -> AuditOptions:
        """The options of a run over it: what the audit was that it was made of, but for platforms that are named."""
        plan = self.replayer.plan
        choice = PlatformChoice(wanted=plan.platforms, explain=plan.explain, every=plan.every)
        return replace(
            options,
            sources=tuple(SourceSpec(kind=each.kind, location=each.location, id=each.id) for each in plan.sources),
            platforms=options.platforms if platforms_named else choice,
            offline=False,
            keep_cache=False,
        )

    def place(self, place: Runtime) -> Runtime:
        """The place of a run over it: nothing of the CLI configuration counts here, and no secret is looked up."""
        told = f"{self.name} is evidence recorded on {self.recorded.when}"
        doubt = "" if self.recorded.vouched else f"; {self.recorded.doubt}"
        return replace(place, evidence=self, configured=None, oci_credentials=None, notes=(*place.notes, told + doubt))

    def names(self, ref: SourceRef) -> RecordedNames:
        """How an OCI mirror led from providers to their repositories."""
        return RecordedNames(ref.location.removeprefix("oci://"), self.replayer.plan.repositories[ref.id])

    def folder(self, ref: SourceRef) -> FolderReading:
        """What a folder held."""
        told = self.replayer.folders.get(ref.id)
        return told or RecordedFolder(FolderRecord(source=ref.id, searches=[]))


class RecordedNames(Struct, frozen=True):
    """Leads from a provider to its repository as a bundle has it."""

    text: str
    repositories: Mapping[ProviderAddress, OciRepository]

    def expand(self, address: ProviderAddress) -> OciRepository:
        """The repository of a provider. Raises InputError where the bundle has none."""
        if address not in self.repositories:
            raise InputError("it is not in the evidence")
        return self.repositories[address]


def open_evidence(path: str, place: Runtime) -> OpenedEvidence:
    """Read a bundle. Raises InputError for what is none.

    That it can be read says nothing about who made it; `recorded` tells what is known of that.
    """
    data = _content(path)
    replayer = Replayer(read_bundle(data, path), path)
    recorded = RecordedEvidence(
        digest=replayer.digest,
        made=replayer.made,
        age=place.now() - replayer.made,
        tool=replayer.tool,
        doubt=_UNSIGNED,
    )
    return OpenedEvidence(name=path, replayer=replayer, recorded=recorded)


def _content(path: str) -> bytes:
    try:
        file = open_to_read(Path(path), follow=True)
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise InputError(f"the evidence in {path} cannot be used: it is no file", hint="name a file")
            return opened.read(MAX_SIZE + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no path"
        raise InputError(f"the evidence in {path} cannot be read: {why}", hint="check its name") from error
