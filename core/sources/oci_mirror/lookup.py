"""From a version's tag to the packages behind it: what the tag leads to, and what that is.

Whatever is no provider gets an error that says what it is.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import OciChain, Problem, SourceAnswer, SourceRef
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.blobs import Blobs
from lockwarden.core.oci.documents import IndexDocument, read_index
from lockwarden.core.oci.manifests import Manifest, Manifests, ResolvedTag
from lockwarden.core.oci.media_types import DOCKER_LIST, IMAGES, OCI_INDEX, PROVIDER, PROVIDER_TARGET
from lockwarden.core.oci.referrers import Referrers
from lockwarden.core.oci.registry import Registries
from lockwarden.core.oci.tags import TagList
from lockwarden.core.sources.absent_release import AbsentRelease
from lockwarden.core.sources.oci_mirror.image_packages import ImagePackages, ImageReader, images_of, likeliest
from lockwarden.core.sources.oci_mirror.offers import offers_of
from lockwarden.core.sources.oci_mirror.release import MirrorPackages, OciRelease
from lockwarden.core.sources.oci_mirror.signatures import NONE_BESIDE, signatures_beside
from lockwarden.core.sources.oci_mirror.wrong_kinds import (
    unlabelled,
    wrong_entries,
    wrong_image,
    wrong_index,
    wrong_kind,
    wrong_media_type,
)
from lockwarden.core.sources.oci_mirror.zip_packages import ZipPackages
from lockwarden.core.sources.port import OpenRelease
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import BadAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.oci_references import Digest, tag_of
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

_SHOWN: Final = 5


class Lookup:
    """One provider version on its way from a tag to a release."""

    def __init__(
        self,
        *,
        source: SourceRef,
        address: ProviderAddress,
        version: Version,
        settings: ClientSettings,
        registries: Registries,
        access: Access,
        store: PackageStore,
        first: tuple[Platform, ...],
        report: Report,
    ) -> None:
        self.source = source
        self.address = address
        self.version = version
        self.settings = settings
        self.access = access
        self.tag = tag_of(version)
        self.registries = registries
        self.manifests = Manifests(registries, access)
        self.blobs = Blobs(registries, access, store)
        self.first = first
        self.report = report
        self.chain = OciChain(repository=str(access.repository), tag=self.tag)
        self.problems: list[Problem] = []
        self._index: Manifest | None = None

    def check_listed(self, tags: TagList) -> None:
        """Raises NotThereError when no tag stands for the version, BadAnswerError when its own tag is missing."""
        written = tags.versions.get(self.version)
        if written is None:
            raise NotThereError(
                f"{self.access.repository} has no tag for version {self.version}{_instead(tags, self.version)}",
                stage=Stage.VERSIONS,
            )
        if self.tag not in written:
            named = ", ".join(f"“{tag}”" for tag in written[:_SHOWN])
            raise BadAnswerError(
                f"resolving tag “{self.tag}”: not found in {self.access.repository}; the clients take the tag"
                f" {named} for version {self.version}, and then ask for “{self.tag}”",
                stage=Stage.INDEX,
                code=ProblemCode.OCI_TAG_MISSING,
                hint=f"give what has the tag {named} the tag “{self.tag}”, too",
            )
        if len(written) > 1:
            self._note_twins(written)

    def _note_twins(self, written: tuple[str, ...]) -> None:
        others = ", ".join(f"“{tag}”" for tag in written[:_SHOWN] if tag != self.tag)
        self.problems.append(
            Problem(
                code=ProblemCode.OCI_TAGS_ALIKE,
                severity=Severity.NOTE,
                message=f"{self.access.repository} has several tags for version {self.version}: the clients use"
                f" “{self.tag}” and never look at {others}",
                hint="nothing says that they lead to the same",
                source=self.source.id,
            )
        )

    async def release(self) -> OpenRelease:
        """Read what the tag leads to. Raises SourceError."""
        resolved = await self._resolved()
        self.chain = replace(self.chain, index_digest=str(resolved.digest))
        index = await self._manifest(resolved) if resolved.media_type in {OCI_INDEX, DOCKER_LIST} else None
        packages = await self._packages(resolved)
        signatures = NONE_BESIDE
        if index is not None:
            referrers = Referrers(self.registries, self.access, self.manifests, self.blobs)
            name = f"the index under the tag {self.tag} in {self.access.repository}"
            signatures = await signatures_beside(referrers, index.body, name=name)
        return OciRelease(
            source=self.source,
            address=self.address,
            version=self.version,
            chain=self.chain,
            packages=packages,
            resolve=self._digest_now,
            credentials=lambda: self.access.credentials,
            report=self.report,
            problems=tuple(self.problems),
            signatures=signatures,
        )

    async def _resolved(self) -> ResolvedTag:
        try:
            resolved = await self.manifests.resolve(self.tag)
        except NotThereError as error:
            raise BadAnswerError(
                f"resolving tag “{self.tag}”: {error.message}, though it is listed",
                stage=Stage.INDEX,
                code=ProblemCode.OCI_TAG_MISSING,
                hint="the registry contradicts itself; try again, or ask who runs it",
            ) from error
        if resolved.client_refusal:
            self.problems.append(
                Problem(
                    code=ProblemCode.OCI_TAG_UNRESOLVED,
                    severity=Severity.WARNING,
                    message=f"{self.source.id} cannot be used by the client: {resolved.client_refusal}",
                    hint="the registry does not follow the distribution protocol; ask who runs it",
                    source=self.source.id,
                )
            )
        return resolved

    async def _digest_now(self) -> Digest:
        return (await self.manifests.resolve(self.tag)).digest

    async def _packages(self, resolved: ResolvedTag) -> MirrorPackages:
        if resolved.media_type in {OCI_INDEX, DOCKER_LIST}:
            manifest = await self._manifest(resolved)
            index = _read_index(manifest)
            if resolved.media_type == OCI_INDEX and index.artifact_type == PROVIDER:
                return await self._zips(index, resolved)
            return await self._images(index, resolved.media_type)
        if resolved.media_type in IMAGES:
            return await self._image(resolved)
        raise wrong_media_type(resolved.media_type)

    async def _manifest(self, resolved: ResolvedTag) -> Manifest:
        if self._index is None:
            self._index = resolved.content or await self.manifests.get(resolved.descriptor, stage=Stage.INDEX)
        return self._index

    async def _zips(self, index: IndexDocument, resolved: ResolvedTag) -> ZipPackages:
        offers = offers_of(index)
        if not offers.offers and offers.refusal:
            raise wrong_kind(offers.refusal)
        if not offers.typed:
            raise wrong_entries(offers.foreign)
        if offers.refusal:
            self._note_refused(offers.refusal)
        packages = ZipPackages(
            source=self.source,
            provider_type=self.address.type,
            settings=self.settings,
            offers=offers,
            manifests=self.manifests,
            blobs=self.blobs,
            refusal=resolved.client_refusal,
        )
        await packages.read_ahead(self.first)
        return packages

    def _note_refused(self, why: str) -> None:
        self.problems.append(
            Problem(
                code=ProblemCode.OCI_INDEX_REFUSED,
                severity=Severity.WARNING,
                message=f"the client refuses the index of {self.version} in {self.access.repository}: {why}",
                hint="whoever pushed it has to push it anew, as OpenTofu expects it",
                source=self.source.id,
            )
        )

    async def _images(self, index: IndexDocument, media_type: str) -> ImagePackages:
        """An index that is no provider's: perhaps the images that it names are labelled as one."""
        targets = any(entry.artifact_type == PROVIDER_TARGET for entry in index.manifests)
        if index.artifact_type or targets:
            raise wrong_index(index.artifact_type, entries_are_targets=targets)
        images = images_of(index)
        first = likeliest(images, self.first)
        if first is None:
            if media_type == DOCKER_LIST:
                raise unlabelled(media_type)
            raise wrong_index(index.artifact_type, entries_are_targets=False)
        reader = ImageReader(manifests=self.manifests, blobs=self.blobs, tagged=media_type)
        labelled = await reader.read(first)
        return ImagePackages(
            source=self.source,
            provider_type=self.address.type,
            settings=self.settings,
            images=images,
            reader=reader,
            blobs=self.blobs,
            known={first: labelled},
        )

    async def _image(self, resolved: ResolvedTag) -> ImagePackages:
        """An image that the tag leads to directly: perhaps it is labelled as a provider."""
        manifest = await self._manifest(resolved)
        reader = ImageReader(manifests=self.manifests, blobs=self.blobs, tagged=resolved.media_type)
        labelled = await reader.labelled(manifest)
        if labelled.config.platform is None:
            raise wrong_image("", "")
        return ImagePackages(
            source=self.source,
            provider_type=self.address.type,
            settings=self.settings,
            images={labelled.config.platform: (resolved.descriptor,)},
            reader=reader,
            blobs=self.blobs,
            known={resolved.descriptor: labelled},
        )

    def failed(self, error: SourceError) -> OpenRelease:
        """The release of which only the failure is known, and how far the way to it was found."""
        chain = replace(self.chain, credentials=self.access.credentials)
        absent = AbsentRelease.of_error(self.source, error, tuple(self.problems))
        answer = replace(absent.source_answer(), chains=(chain,))
        if error.code == ProblemCode.OCI_WRONG_KIND:
            answer = replace(answer, problems=(*self.problems, self._wrong_kind(error)))
        return _FailedRelease(answer)

    def _wrong_kind(self, error: SourceError) -> Problem:
        return Problem(
            code=ProblemCode.OCI_WRONG_KIND,
            severity=Severity.WARNING,
            message=f"{self.access.repository}:{self.tag} is no provider package: {error.message}",
            hint=error.hint,
            source=self.source.id,
        )


class _FailedRelease(AbsentRelease):
    """A release that cannot be looked at, with what was learned on the way."""

    def __init__(self, answer: SourceAnswer) -> None:
        super().__init__(answer.source, answer.outcome, answer.detail, answer.problems)
        self._finding = answer


def _read_index(manifest: Manifest) -> IndexDocument:
    try:
        return read_index(manifest.body)
    except BodyError as error:
        raise wrong_kind(f"invalid manifest content: the document {manifest.digest} {error}") from error


def _instead(tags: TagList, version: Version) -> str:
    """What of the tags could have been meant for the version."""
    prefixed = f"v{tag_of(version)}"
    if prefixed in tags.tags:
        return f"; there is a tag “{prefixed}”, but the clients pass over tags with a “v”"
    if tags.versions or not tags.tags:
        return "" if tags.tags else ", nor any other"
    more = f", and {len(tags.tags) - _SHOWN} more" if len(tags.tags) > _SHOWN else ""
    named = ", ".join(f"“{tag[:80]}”" for tag in tags.tags[:_SHOWN])
    return f"; none of its tags stands for a version: {named}{more}"
