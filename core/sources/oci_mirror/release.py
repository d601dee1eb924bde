"""One provider version at an OCI mirror: what its registry names for each platform, and what it really gives out.

What a registry names is a bare claim: the digest of a layer is the `zh` of the archive, once the archive was hashed
here. A tag may be moved at any time, so it is asked again after every package, and everything else goes by digest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.observations import Document, ListedByMirror, Observation
from lockwarden.core.evidence.source_answers import OciChain, Outcome, PackageFacts, Problem, SourceAnswer, SourceRef
from lockwarden.core.sources.checked_packages import CheckedPackages, PackageReports
from lockwarden.core.sources.oci_mirror.signatures import NONE_BESIDE, SignaturesBeside
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import NotThereError, SourceError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

TERRAFORM_REFUSAL: Final = "Terraform knows no OCI mirrors, so that this source does not exist for it"
BytesProgress = Callable[[int, int | None], None]
"""Told how many bytes of a package there are so far, and of how many in all."""


class Claim(Struct, frozen=True, kw_only=True):
    """A hash that the registry's documents claim for a platform's package."""

    hash: Hash
    document: Document


class ExaminedManifest(Struct, frozen=True, kw_only=True):
    """What looking at one platform's package gave."""

    package: PackageFacts
    manifest_digest: str = ""
    layer_digests: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    false_claim: str = ""
    """Why the claims are known to be wrong, or cannot be those of the package."""
    observations: tuple[tuple[Hash, Observation], ...] = ()
    problems: tuple[Problem, ...] = ()


class MirrorPackages(Protocol):
    """The packages of a release, of whatever shape."""

    @property
    def platforms(self) -> frozenset[Platform]:
        """The platforms that there are packages for."""
        ...

    @property
    def read(self) -> Mapping[Platform, ExaminedManifest]:
        """What the registry's documents say of the platforms whose documents were read; nothing was downloaded."""
        ...

    @property
    def signed_packages(self) -> Iterable[tuple[Platform, Hash]]:
        """The archives that the index leads to, as the client selects them, by documents that were read."""
        ...

    async def examine(self, platform: Platform, progress: BytesProgress) -> ExaminedManifest:
        """Get and hash the package of one of the platforms. Failures are part of what it gives."""
        ...


@dataclass(kw_only=True)
class OciRelease:
    """The packages behind one tag, looked at one by one."""

    source: SourceRef
    address: ProviderAddress
    version: Version
    chain: OciChain
    """The part that all platforms share."""
    packages: MirrorPackages
    resolve: Callable[[], Awaitable[Digest]]
    """What the tag leads to now; raises SourceError."""
    credentials: Callable[[], str]
    """Where the credentials came from that were used so far."""
    report: Report
    problems: tuple[Problem, ...] = ()
    signatures: SignaturesBeside = NONE_BESIDE
    _tag: Problem | None = None

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """The platforms that the index names packages for."""
        return self.packages.platforms

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        """What the registry's documents claim for each platform whose documents were read."""
        return {
            platform: frozenset(claim.hash for claim in known.claims)
            for platform, known in self.packages.read.items()
            if known.claims
        }

    @cached_property
    def _reports(self) -> PackageReports:
        return PackageReports(address=self.address, version=self.version, source=self.source.id, report=self.report)

    @cached_property
    def _checked(self) -> CheckedPackages[ExaminedManifest]:
        return CheckedPackages(self._reports, self._look_at)

    async def check(self, platform: Platform) -> None:
        """Get and hash the package of one platform, once."""
        await self._checked.check(platform)

    async def _look_at(self, platform: Platform) -> ExaminedManifest:
        if platform not in self.packages.platforms:
            return ExaminedManifest(package=self._checked.missing(platform))
        examined = await self.packages.examine(platform, partial(self._reports.progress, platform))
        await self._look_at_tag()
        return examined

    async def _look_at_tag(self) -> None:
        """Ask once more what the tag leads to. A move that was seen stays seen."""
        if self._tag is not None and self._tag.severity is Severity.ERROR:
            return
        tag = f"the tag {self.chain.tag} in {self.chain.repository}"
        try:
            now = await self.resolve()
        except NotThereError:
            self._tag = self._moved(ProblemCode.OCI_TAG_GONE, f"{tag} was taken away while it was audited")
        except SourceError as error:
            self._tag = Problem(
                code=ProblemCode.OCI_TAG_UNREAD,
                severity=Severity.WARNING,
                message=f"whether {tag} still leads to what was audited could not be asked: {error.message}",
                hint=error.hint,
                source=self.source.id,
            )
        else:
            before = self.chain.index_digest
            moved = f"{tag} was moved while it was audited: from {before} to {now}"
            self._tag = None if str(now) == before else self._moved(ProblemCode.OCI_TAG_MOVED, moved)

    def _moved(self, code: ProblemCode, message: str) -> Problem:
        return Problem(
            code=code,
            severity=Severity.ERROR,
            message=message,
            hint="a client would install something else than what was looked at here; audit again, ask who moved it",
            source=self.source.id,
        )

    def source_answer(self) -> SourceAnswer:
        """What is known so far, packages in the order of their platforms."""
        looked_at = self._checked.in_order
        known = {**self.packages.read, **self._checked.known}
        unasked = [each for platform, each in sorted(known.items()) if platform not in self._checked.known]
        problems = [problem for each in (*looked_at, *unasked) for problem in each.problems]
        return SourceAnswer(
            source=self.source,
            outcome=Outcome.ANSWERED,
            observations=(
                *(told for platform, each in sorted(known.items()) for told in self._listed(platform, each)),
                *(observation for each in looked_at for observation in each.observations),
                *self.signatures.over(self.source.id, self.packages.signed_packages),
            ),
            packages=tuple(each.package for each in looked_at),
            platforms=self.platforms,
            problems=(*self.problems, *(() if self._tag is None else (self._tag,)), *problems),
            chains=tuple(self._chains(known)),
            other_signatures=self.signatures.signatures,
            signature_gaps=(*self.signatures.gaps, *self._unread()),
        )

    def _unread(self) -> Iterator[str]:
        """The platforms of a signed index of which is not known to which archive it leads."""
        if self.signatures.can_count:
            covered = {platform for platform, _ in self.packages.signed_packages}
            for platform in sorted(self.packages.platforms - covered, key=by_popularity):
                yield f"to which {platform} package the signed index leads could not be read"

    def _listed(self, platform: Platform, known: ExaminedManifest) -> Iterator[tuple[Hash, Observation]]:
        for claim in known.claims:
            yield (
                claim.hash,
                ListedByMirror(
                    source=self.source.id, document=claim.document, platform=platform, refused=known.false_claim
                ),
            )

    def _chains(self, known: Mapping[Platform, ExaminedManifest]) -> Iterator[OciChain]:
        shared = replace(self.chain, credentials=self.credentials())
        reached = [(platform, each) for platform, each in sorted(known.items()) if each.manifest_digest]
        for platform, each in reached:
            yield replace(
                shared,
                platform=platform,
                manifest_digest=each.manifest_digest,
                layer_digests=each.layer_digests,
            )
        if not reached:
            yield shared
