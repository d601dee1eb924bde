"""Records an audit as it runs, and makes an evidence bundle of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from lockwarden.core.bundles.folders import RecordingFolder
from lockwarden.core.bundles.model import PlatformsRecord, ReleaseRecord, SourceRecord, lock_file_digest
from lockwarden.core.bundles.recording import Recorder
from lockwarden.core.bundles.reducing import bare
from lockwarden.core.cli_config.settings import NetworkMirror
from lockwarden.core.engine.audit import PlatformChoice, ReleasePlan
from lockwarden.core.engine.configured_sources import repository_names
from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import SourceKind, SourceRef
from lockwarden.core.sources.local.reading import FolderReading
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.oci_templates import repository_of

_FOLDERS: Final = frozenset({SourceKind.FILESYSTEM_MIRROR, SourceKind.PLUGIN_CACHE, SourceKind.INSTALLED})
_HOMES: Final = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


def recorder_for(options: AuditOptions, runtime: Runtime, directory: Path) -> Recorder:
    """A recorder that has heard nothing yet. It keeps the names of this machine's folders out of the bundle."""
    folders = (str(each) for each in (directory, runtime.cache_folder, runtime.state_folder) if each is not None)
    named = (spec.location for spec in runtime.sources_for(options) if spec.kind in _FOLDERS)
    roots = (*folders, *named, *(runtime.environ.get(name, "") for name in _HOMES))
    return Recorder(now=runtime.now, roots=tuple(each.rstrip("/") for each in roots if each.rstrip("/")))


class RecordedPlan:
    """Tells a recorder which releases are audited, and by what they are served."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._names: dict[str, str] = {}

    def sources(self, refs: Iterable[SourceRef], specs: Mapping[str, SourceSpec]) -> None:
        """Note the sources. Of a folder only its name is told."""
        for ref in refs:
            name = self._name(ref)
            mirror = specs[ref.id].method
            self._recorder.sources.setdefault(
                name,
                SourceRecord(
                    id=name,
                    kind=ref.kind,
                    location=name if ref.kind in _FOLDERS else bare(ref.location),
                    trusted=isinstance(mirror, NetworkMirror) and mirror.trust_all_hashes,
                ),
            )

    def releases(
        self,
        releases: Sequence[ReleasePlan],
        refs: Sequence[SourceRef],
        specs: Mapping[str, SourceSpec],
        client: Client,
    ) -> None:
        """Note what each release is served by."""
        for release in releases:
            served = [ref for ref in refs if release.sources is None or ref.id in release.sources]
            for ref in served:
                if ref.kind is SourceKind.OCI_MIRROR:
                    self._note_repository(ref, specs[ref.id], release.address)
            record = ReleaseRecord(
                address=str(release.address),
                version=str(release.version),
                sources=sorted(map(self._name, served)),
                chain=[self._names.get(each, each) for each in release.chain],
            )
            self._recorder.plan(client, record)

    def reading(self, ref: SourceRef, reading: FolderReading) -> FolderReading:
        """The same folder, and what is found there is written down."""
        return RecordingFolder(reading, self._recorder, self._name(ref))

    def _name(self, ref: SourceRef) -> str:
        """The source's id; where that is the path of a folder, one that says nothing."""
        if ref.id not in self._names:
            told = ref.kind not in _FOLDERS or not Path(ref.id).is_absolute()
            self._names[ref.id] = ref.id if told else f"folder {len(self._names) + 1}"
        return self._names[ref.id]

    def _note_repository(self, ref: SourceRef, spec: SourceSpec, address: ProviderAddress) -> None:
        try:
            repository = repository_of(repository_names(ref.location, spec.method), address)
        except InputError:
            return  # it has none, then or later
        self._recorder.sources[self._name(ref)].repositories[str(address)] = str(repository)


def made_bundle(
    recorder: Recorder, loaded: Iterable[Loaded], choice: PlatformChoice, runtime: Runtime, *, tool: str
) -> bytes:
    """The bytes of a bundle with all that was heard in the audit of some lock files. Raises BundleTooLargeError."""
    return recorder.bundle(
        tool=tool,
        lock_files=[lock_file_digest(each.lock_file.data) for each in loaded if each.lock_file is not None],
        platforms=PlatformsRecord(wanted=sorted(map(str, choice.wanted)), explain=choice.explain, every=choice.every),
        services={}
        if runtime.configured is None
        else {client: runtime.configured.services(client) for client in Client},
    )
