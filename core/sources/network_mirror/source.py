"""A network mirror: two JSON documents a provider version, and the archives that they point at.

Protocol: OpenTofu, "Provider Network Mirror Protocol". A mirror signs nothing, and what it lists are its own claims.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from lockwarden.core.evidence.events import LookupStarted, Report
from lockwarden.core.evidence.observations import Document
from lockwarden.core.evidence.source_answers import Problem, SourceKind, SourceRef, Unlisted
from lockwarden.core.http.client import HttpClient
from lockwarden.core.sources.absent_release import AbsentRelease
from lockwarden.core.sources.network_mirror.documents import MirrorDocuments
from lockwarden.core.sources.network_mirror.release import Fetched, MirrorRelease
from lockwarden.core.sources.package_work import PackageWork, package_evidence
from lockwarden.core.sources.port import OpenRelease
from lockwarden.core.sources.protocols.mirror_documents import MirrorArchive, MirrorIndex
from lockwarden.core.sources.protocols.mirror_urls import archive_url
from lockwarden.core.sources.protocols.probing import Probes
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import OWN_REFUSALS, BadAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.urls import redacted
from lockwarden.core.values.versions import Version

_SHOWN: Final = 5


class NetworkMirrorSource:
    """The mirror at `base_url`, which ends in a slash."""

    def __init__(
        self,
        http: HttpClient,
        store: PackageStore,
        base_url: str,
        settings: ClientSettings,
        *,
        id: str = "",  # noqa: A002 - the port's word
        trusted: bool = False,
        probes: Probes | None = None,
        refusal: str = "",
    ) -> None:
        """Without an `id` the mirror is called by its host. `trusted` is OpenTofu's `trust_all_hashes`. `refusal` says
        why the clients fail before they ask there, so that nobody does; it is empty where they do not.

        The sources of one audit share `probes`, so that no host is probed twice.
        """
        self._documents = MirrorDocuments(http, base_url, probes or Probes(http))
        location = redacted(base_url)
        self.ref = SourceRef(id=id or self._documents.host, kind=SourceKind.NETWORK_MIRROR, location=location)
        self._http = http
        self._store = store
        self._refusal = refusal
        self._trust_all = trusted and settings.client is Client.OPENTOFU

    async def open(
        self,
        address: ProviderAddress,
        version: Version,
        *,
        platforms: Sequence[Platform],  # noqa: ARG002 - one document names the archives of every platform
        report: Report,
    ) -> OpenRelease:
        """Read the index of the provider and the list of archives of one version."""
        report(LookupStarted(address=address, version=version, source=self.ref.id))
        problems: tuple[Problem, ...] = ()
        try:
            if self._refusal:
                raise _unusable(self._refusal)
            index = await self._documents.index(address)
            problems = self._index_problems(index, address)
            if version not in index.versions:
                raise NotThereError(f"{self.ref.id} does not have version {version} of {address}", stage=Stage.INDEX)
            listed = await self._documents.archives(address, version)
        except SourceError as error:
            unlisted = await self._unlisted(error, address, version)
            return AbsentRelease.of_error(self.ref, error, (*problems, *self._misdirection(error)), unlisted=unlisted)
        document = listed.document
        return MirrorRelease(
            source=self.ref,
            address=address,
            version=version,
            document=Document(name=f"{version}.json", url=redacted(document.url), sha256=document.sha256),
            archives=listed.archives,
            trust_all=self._trust_all,
            fetch=partial(self._fetch, document.url),
            report=report,
            problems=problems,
        )

    async def _unlisted(self, error: SourceError, address: ProviderAddress, version: Version) -> Unlisted | None:
        """What the mirror has of a version that its index does not name; None where that decides nothing."""
        if (
            not isinstance(error, NotThereError)
            or error.code == ProblemCode.REGISTRY_INSTEAD_OF_MIRROR
            or ":" in address.hostname.ascii
        ):
            return None
        try:
            listed = await self._documents.archives(address, version)
        except SourceError as failure:
            if failure.code in OWN_REFUSALS:
                return None
            gone = failure.code == ProblemCode.MIRROR_CONTRADICTS_ITSELF
            return Unlisted(failure=f"it has no list of archives for {version}" if gone else failure.message)
        return Unlisted(platforms=frozenset(each.platform for each in listed.archives if each.platform is not None))

    async def _fetch(self, document: str, archive: MirrorArchive, on_bytes: Callable[[int], None]) -> Fetched:
        url = archive_url(document, archive.url)
        work = PackageWork(url=url, promised=frozenset(archive.hashes))
        evidence = await package_evidence(self._http, self._store, work, on_bytes=on_bytes)
        return Fetched(location=evidence.location, stored=evidence.package)

    def _misdirection(self, error: SourceError) -> tuple[Problem, ...]:
        """That a registry seems to stand here, which "not there" alone would hide."""
        if error.code != ProblemCode.REGISTRY_INSTEAD_OF_MIRROR:
            return ()
        return (
            Problem(
                code=error.code,
                severity=Severity.WARNING,
                message=f"{self.ref.id} may be no network mirror: {error.message}",
                hint=error.hint,
                source=self.ref.id,
            ),
        )

    def _index_problems(self, index: MirrorIndex, address: ProviderAddress) -> tuple[Problem, ...]:
        if not index.skipped:
            return ()
        names = ", ".join(f"“{text[:80]}”" for text in index.skipped[:_SHOWN])
        rest = len(index.skipped) - _SHOWN
        return (
            Problem(
                code=ProblemCode.MIRROR_VERSION_MALFORMED,
                severity=Severity.NOTE,
                message=f"{self.ref.id} lists versions of {address} that are none: {names}"
                + (f", and {rest} more" if rest > 0 else ""),
                hint="the clients pass over them",
                source=self.ref.id,
            ),
        )


def _unusable(refusal: str) -> SourceError:
    return BadAnswerError(
        refusal,
        stage=Stage.INDEX,
        code=ProblemCode.MIRROR_HOST_UNUSABLE,
        hint="give the server a name of letters, digits and dashes, and write that name in the CLI configuration",
    )
