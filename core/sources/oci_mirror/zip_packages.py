"""Packages as OpenTofu has them in OCI registries: an index, a manifest a platform, one layer that is the zip."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Basis, ComputedLocally, Document, Observation
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, Problem, SourceRef
from lockwarden.core.oci.blobs import Blob, Blobs
from lockwarden.core.oci.documents import Descriptor, read_image
from lockwarden.core.oci.manifests import Manifest, Manifests
from lockwarden.core.sources.oci_mirror.offers import IndexOffers, LayerChoice, ambiguity, layer_of
from lockwarden.core.sources.oci_mirror.release import TERRAFORM_REFUSAL, BytesProgress, Claim, ExaminedManifest
from lockwarden.core.sources.package_content import archive_observations, stored_problems, stored_refusal, unhashable
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import NoAnswerError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

READ_AHEAD: Final = 64
"""Manifests that are read before a package is asked for, to show their claims. Go knows fewer platforms."""
_OTHER_BYTES: Final = "what the registry gives out does not have this digest"


@dataclass(kw_only=True)
class ZipPackages:
    """The packages that an index names."""

    source: SourceRef
    provider_type: str
    settings: ClientSettings
    offers: IndexOffers
    manifests: Manifests
    blobs: Blobs
    refusal: str = ""
    """Why the client refuses everything behind this tag."""
    _read: dict[Platform, _Target] = field(default_factory=dict)

    @property
    def platforms(self) -> frozenset[Platform]:
        """The platforms that the index names packages for."""
        return frozenset(self.offers.offers)

    @property
    def read(self) -> Mapping[Platform, ExaminedManifest]:
        """What the manifests say that were read; those that failed are a problem."""
        return {platform: self._described(target) for platform, target in self._read.items()}

    async def read_ahead(self, first: Iterable[Platform]) -> None:
        """Read the manifests of these platforms, and of others, as many as an honest index has."""
        wanted = dict.fromkeys(platform for platform in first if platform in self.platforms)
        wanted |= dict.fromkeys(sorted(self.platforms, key=by_popularity))
        async with asyncio.TaskGroup() as group:
            for platform in list(wanted)[:READ_AHEAD]:
                group.create_task(self._target(platform))

    @property
    def signed_packages(self) -> Iterator[tuple[Platform, Hash]]:
        """The one archive of each manifest that was read and that the client would take; what it refuses is none."""
        for platform, target in self._read.items():
            zh = None if target.choice is None else target.choice.zh
            if zh is not None and not target.refusal and not self.offers.refusal:
                yield platform, zh

    async def _target(self, platform: Platform) -> _Target:
        known = self._read.get(platform)
        if known is None or isinstance(known.error, NoAnswerError):
            self._read[platform] = await self._read_target(platform)
        return self._read[platform]

    async def _read_target(self, platform: Platform) -> _Target:
        entries = self.offers.offers[platform]
        if refusal := ambiguity(platform, entries):
            return _Target(platform=platform, refusal=refusal)
        try:
            manifest = await self.manifests.get(entries[0], stage=Stage.METADATA)
            choice = layer_of(read_image(manifest.body), platform)
        except SourceError as error:
            return _Target(platform=platform, entry=entries[0], error=error)
        except BodyError as error:
            return _Target(platform=platform, entry=entries[0], refusal=f"invalid manifest content: it {error}")
        return _Target(platform=platform, entry=entries[0], manifest=manifest, choice=choice, refusal=choice.refusal)

    def _described(self, target: _Target) -> ExaminedManifest:
        problems = tuple(self._target_problems(target))
        facts = PackageFacts(platform=target.platform, outcome=Outcome.NOT_ASKED)
        if target.error is not None:
            facts = replace(facts, outcome=Outcome.NO_ANSWER, detail=target.error.message)
        elif target.refusal:
            facts = replace(facts, outcome=Outcome.ANSWERED, detail=target.refusal)
        if facts.outcome is Outcome.ANSWERED:
            facts = replace(facts, client_refusal=self._client_refusal(target, ""))
        return ExaminedManifest(
            package=facts,
            manifest_digest=target.manifest_digest,
            layer_digests=tuple(layer.digest for layer in target.layers),
            claims=tuple(target.claims),
            false_claim=target.refusal,
            problems=problems,
        )

    def _target_problems(self, target: _Target) -> Iterator[Problem]:
        if target.error is not None:
            yield Problem(
                code=target.error.code or ProblemCode.PACKAGE_FAILED,
                severity=Severity.WARNING,
                message=f"the {target.platform} package that {self.source.id} names could not be had:"
                f" {target.error.message}",
                hint=target.error.hint,
                source=self.source.id,
            )
        if target.refusal:
            yield Problem(
                code=ProblemCode.OCI_PACKAGE_REFUSED,
                severity=Severity.WARNING,
                message=f"the {target.platform} package of {self.source.id} is refused by the client: {target.refusal}",
                hint="whoever pushed it has to push it anew, as OpenTofu expects it",
                source=self.source.id,
            )
        if any(layer.urls for layer in target.layers):
            yield Problem(
                code=ProblemCode.OCI_FOREIGN_URLS,
                severity=Severity.WARNING,
                message=f"the manifest of the {target.platform} package in {self.source.id} names other places for its"
                " content (“urls”); nobody asks there",
                hint="such places are outside of the registry's control; ask who pushed it",
                source=self.source.id,
            )

    async def examine(self, platform: Platform, progress: BytesProgress) -> ExaminedManifest:
        """Download and hash the package of a platform, unless it is known what bytes with its digest are."""
        target = await self._target(platform)
        known = self._described(target)
        if target.error is not None or target.refusal or not target.layers:
            return known
        layer = target.layers[0]
        try:
            blob = await self.blobs.examined(layer, on_bytes=lambda got: progress(got, layer.size))
        except SourceError as error:
            return self._failed(known, error)
        return self._judged(known, target, blob, Digest.parse(layer.digest))

    def _failed(self, known: ExaminedManifest, error: SourceError) -> ExaminedManifest:
        # Also a blob that is missing is no answer: the index names the package, so the release has it.
        platform = known.package.platform
        problem = Problem(
            code=error.code or ProblemCode.PACKAGE_FAILED,
            severity=Severity.WARNING,
            message=f"the {platform} package that {self.source.id} names could not be had: {error.message}",
            hint=error.hint,
            source=self.source.id,
        )
        facts = PackageFacts(platform=platform, outcome=Outcome.NO_ANSWER, detail=error.message)
        return replace(known, package=facts, problems=(*known.problems, problem))

    def _judged(self, known: ExaminedManifest, target: _Target, blob: Blob, digest: Digest) -> ExaminedManifest:
        stored, platform = blob.stored, target.platform
        wrong = "" if digest.zh == stored.zh else f"provider package does not match digest {digest}"
        facts = PackageFacts(
            platform=platform,
            outcome=Outcome.ANSWERED,
            location=blob.location,
            basis=Basis.BLOB,
            size=stored.size,
            zh=stored.zh,
            h1_archive=None if stored.facts is None else stored.facts.h1_archive,
            h1_directory=None if stored.facts is None else stored.facts.h1_directory,
            promised=frozenset() if wrong else frozenset({stored.zh}),
            client_refusal=self._client_refusal(target, wrong or stored_refusal(stored, self.provider_type)),
            detail=unhashable(stored),
        )
        problems = [*known.problems]
        if wrong:
            problems.append(self._mismatch(platform, wrong, stored.zh))
        problems += stored_problems(stored, self.provider_type, platform=platform, source=self.source.id)
        return replace(
            known,
            package=facts,
            false_claim=_OTHER_BYTES if wrong else "",
            observations=tuple(self._observed(blob, platform, wrong)),
            problems=tuple(problems),
        )

    def _observed(self, blob: Blob, platform: Platform, wrong: str) -> Iterator[tuple[Hash, Observation]]:
        stored = blob.stored
        computed: Iterable[tuple[Hash, ComputedLocally]] = archive_observations(
            stored.zh,
            stored.facts,
            source=self.source.id,
            platform=platform,
            location=blob.location,
            computed_on=stored.computed_on,
            refused=wrong,
        )
        for hash_, observation in computed:
            yield hash_, replace(observation, basis=Basis.BLOB) if hash_ == stored.zh else observation

    def _mismatch(self, platform: Platform, wrong: str, given: Hash) -> Problem:
        return Problem(
            code=ProblemCode.DIGEST_MISMATCH,
            severity=Severity.ERROR,
            message=f"the {platform} package of {self.source.id}: {wrong}; the registry gave out bytes with {given}",
            hint="do not use this registry before somebody has found out who changed its answer",
            source=self.source.id,
        )

    def _client_refusal(self, target: _Target, content: str) -> str:
        if self.settings.client is Client.TERRAFORM:
            return TERRAFORM_REFUSAL
        return self.refusal or self.offers.refusal or target.refusal or content


class _Target(Struct, frozen=True, kw_only=True):
    """What is known of one platform's package before it is downloaded."""

    platform: Platform
    entry: Descriptor | None = None
    """What the index says of the manifest; None where it says two things."""
    manifest: Manifest | None = None
    choice: LayerChoice | None = None
    error: SourceError | None = None
    """Why the manifest could not be had."""
    refusal: str = ""
    """Why the client refuses it, having read it."""

    @property
    def layers(self) -> tuple[Descriptor, ...]:
        """The layers that are archives."""
        return () if self.choice is None else self.choice.packages

    @property
    def manifest_digest(self) -> str:
        """The digest by which the index names the manifest."""
        return "" if self.entry is None else self.entry.digest

    @property
    def claims(self) -> Iterator[Claim]:
        """The `zh` of every archive that the manifest names."""
        if self.manifest is None:
            return
        document = Document(
            name=f"manifest of {self.platform}",
            url=self.manifest.url,
            sha256=hashlib.sha256(self.manifest.body).hexdigest(),
        )
        for layer in self.layers:
            try:
                zh = Digest.parse(layer.digest).zh
            except ValueError:
                continue  # told as the reason of the refusal
            if zh is not None:
                yield Claim(hash=zh, document=document)
