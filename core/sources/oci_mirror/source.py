"""An OCI mirror: provider packages in the repositories of a registry of container images, versions as tags.

Protocol: OpenTofu, "Provider mirrors in OCI registries", over the OCI Distribution Specification. A mirror signs
nothing; its digests only say which bytes it means.
"""

from __future__ import annotations

from collections.abc import Sequence

from lockwarden.core.evidence.events import LookupStarted, Report
from lockwarden.core.evidence.source_answers import SourceKind, SourceRef
from lockwarden.core.oci.registry import Registries
from lockwarden.core.oci.tags import TagList, list_tags
from lockwarden.core.sources.absent_release import AbsentRelease
from lockwarden.core.sources.oci_mirror.lookup import Lookup
from lockwarden.core.sources.once import Once
from lockwarden.core.sources.port import OpenRelease
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import InputError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.oci_templates import RepositoryNames, repository_of
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.versions import Version


class OciMirrorSource:
    """The mirror whose repositories `names` leads to."""

    def __init__(
        self,
        registries: Registries,
        store: PackageStore,
        names: RepositoryNames,
        settings: ClientSettings,
        *,
        id: str = "",  # noqa: A002 - the port's word
    ) -> None:
        """Without an `id` the mirror is called by its template up to the first slash."""
        self.ref = SourceRef(
            id=id or names.text.partition("/")[0], kind=SourceKind.OCI_MIRROR, location=f"oci://{names.text}"
        )
        self._registries = registries
        self._store = store
        self._names = names
        self._settings = settings
        self._tags: Once[OciRepository, TagList] = Once()

    async def open(
        self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
    ) -> OpenRelease:
        """Find the version's tag, read what it leads to, and the manifests of its platforms; download nothing."""
        report(LookupStarted(address=address, version=version, source=self.ref.id))
        try:
            repository = self._repository(address)
        except SourceError as error:
            return AbsentRelease.of_error(self.ref, error)
        lookup = Lookup(
            source=self.ref,
            address=address,
            version=version,
            settings=self._settings,
            registries=self._registries,
            access=self._registries.pulling(repository),
            store=self._store,
            first=tuple(platforms),
            report=report,
        )
        try:
            lookup.check_listed(await self._tags.get(repository, lambda: list_tags(self._registries, lookup.access)))
            return await lookup.release()
        except SourceError as error:
            return lookup.failed(error)

    def _repository(self, address: ProviderAddress) -> OciRepository:
        try:
            return repository_of(self._names, address)
        except InputError as error:
            raise NoAnswerError(
                f"selecting OCI repository address for {address}: {error.message}",
                stage=Stage.DISCOVERY,
                code=ProblemCode.OCI_REPOSITORY_ADDRESS,
                hint="leave the provider out of this mirror; names with other letters cannot be mapped",
            ) from error
