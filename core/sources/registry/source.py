"""The source “direct”: every provider's own origin registry, which alone can say what belongs to a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from lockwarden.core.evidence.events import LookupStarted, Report
from lockwarden.core.evidence.source_answers import DIRECT, Outcome, Problem, SourceKind, SourceRef
from lockwarden.core.http.client import HttpClient
from lockwarden.core.sources.absent_release import AbsentRelease
from lockwarden.core.sources.port import OpenRelease, SignatureVerifierPort
from lockwarden.core.sources.protocols.probing import Probes
from lockwarden.core.sources.protocols.registry_documents import VersionsAnswer
from lockwarden.core.sources.registry.client import RegistryClient
from lockwarden.core.sources.registry.documents import DocumentReader
from lockwarden.core.sources.registry.fetched_release import FetchedRelease
from lockwarden.core.sources.registry.release import RegistryRelease
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import SourceError
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

_SHOWN: Final = 5
_CORRECT_LIST: Final = "ask who runs the registry to correct its list of versions"
_NO_SERVICES: Final[Mapping[str, Mapping[str, str | None]]] = MappingProxyType({})


class RegistrySource:
    """Asks each provider's origin registry, finds out what a client would make of the answers, and keeps the evidence.

    What it reports is what the registry says and which keys stand behind it: not that a package is harmless, and not
    who holds a key.
    """

    def __init__(
        self,
        http: HttpClient,
        store: PackageStore,
        verifier: SignatureVerifierPort,
        settings: ClientSettings,
        *,
        id: str = DIRECT,  # noqa: A002 - the port's word
        services: Mapping[str, Mapping[str, str | None]] = _NO_SERVICES,
        probes: Probes | None = None,
    ) -> None:
        """`services` gives what hosts (in comparison form) offer, service to URL, instead of discovery.

        The sources of one audit share `probes`, so that no host is probed twice.
        """
        self.ref = SourceRef(id=id, kind=SourceKind.DIRECT, location="origin registries")
        self._verifier = verifier
        self._settings = settings
        self._client = RegistryClient(http, store, client=settings.client, services=services, probes=probes)

    async def open(
        self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
    ) -> OpenRelease:
        """Read the list of versions, and the metadata and signed documents for `platforms`."""
        report(LookupStarted(address=address, version=version, source=self.ref.id))
        try:
            versions = await self._client.versions(address)
        except SourceError as error:
            return AbsentRelease.of_error(self.ref, error)
        problems = tuple(self._problems(versions, address))
        if version not in versions.versions:
            if unread := _invalid_versions(versions):
                return AbsentRelease(self.ref, Outcome.NO_ANSWER, unread, problems, hint=_CORRECT_LIST)
            withdrawn = _withdrawn(versions, address, version, source=self.ref.id)
            return AbsentRelease(
                self.ref, Outcome.NOT_THERE, withdrawn.message, (*problems, withdrawn), hint=withdrawn.hint
            )
        known = FetchedRelease(
            ref=self.ref,
            address=address,
            version=version,
            settings=self._settings,
            refusal=_invalid_versions(versions),
            announced=versions.platforms.get(version),
            problems=list(problems),
        )
        reader = DocumentReader(address, version, settings=self._settings, client=self._client, verifier=self._verifier)
        release = RegistryRelease(known, client=self._client, reader=reader, report=report)
        failure = await release.read(platforms)
        if failure is None:
            return release
        return AbsentRelease.of_error(self.ref, failure, problems, packages=known.denied(platforms))

    def _problems(self, versions: VersionsAnswer, address: ProviderAddress) -> Iterator[Problem]:
        host = address.hostname.display
        if refusal := _invalid_versions(versions):
            yield Problem(
                code=ProblemCode.VERSIONS_INVALID,
                severity=Severity.WARNING,
                message=f"the clients refuse {address}: {refusal}",
                hint=_CORRECT_LIST,
                source=self.ref.id,
            )
        for warning in versions.warnings[:_SHOWN]:
            yield Problem(
                code=ProblemCode.REGISTRY_WARNING,
                severity=Severity.NOTE,
                message=f"{host} says: {warning[:500]}",
                source=self.ref.id,
            )


def _invalid_versions(versions: VersionsAnswer) -> str:
    """Why the clients refuse the whole list of versions; a sentence, empty when they do not."""
    if not versions.invalid:
        return ""
    return f"the registry's list of versions has an invalid version “{versions.invalid[0][:80]}”"


def _withdrawn(versions: VersionsAnswer, address: ProviderAddress, version: Version, *, source: str) -> Problem:
    newest = ", ".join(str(each) for each in sorted(set(versions.versions), reverse=True)[:_SHOWN])
    others = f"the newest that it lists are {newest}" if newest else "it lists no version at all"
    return Problem(
        code=ProblemCode.VERSION_WITHDRAWN,
        severity=Severity.ERROR,
        message=f"{address.hostname.display} does not list version {version} of {address}; {others}",
        hint="the release was withdrawn, or the lock file names another registry's"
        + ("; choose a listed version" if newest else ""),
        source=source,
    )
