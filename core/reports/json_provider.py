"""One provider of the JSON report, with its hashes: everything that the screens show of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec import UNSET, Struct, UnsetType

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.chain import ChainVerdict, chain_of
from lockwarden.core.coverage.matrix import named_platforms
from lockwarden.core.coverage.outcomes import Coverage
from lockwarden.core.evidence.dispositions import Summary
from lockwarden.core.reports.bounds import Room
from lockwarden.core.reports.json_answers import FindingJson
from lockwarden.core.reports.json_coverage import ChainJson, CoverageJson
from lockwarden.core.reports.json_keys import KeyJson
from lockwarden.core.reports.json_observations import ObservationJson, observation_json
from lockwarden.core.reports.json_signatures import FoundSignatureJson, SignerJson
from lockwarden.core.reports.json_standards import ApprovalJson, ChangeJson
from lockwarden.core.reports.json_values import HexDigits, ProblemJson, platforms_json
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.key_use import key_uses
from lockwarden.core.review.other_signings import signings_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow, Moved
from lockwarden.core.review.trusted_keys import key_trust
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.signature_schemes import SignatureScheme


class HashJson(Struct, frozen=True, kw_only=True):
    """One hash that is locked or was seen, and what is known of it."""

    hash: str
    """SCHEME:VALUE."""
    locked: bool
    line: int | None
    """Line in the lock file, from 1; null when it is not locked."""
    verdict: Verdict
    decision: Decision
    moved: Moved | None
    """How it moved against the base; null when it did not, or when there is no base."""
    approval: ApprovalJson | None
    """Null when there is none."""
    reasons: list[str]
    """The sentences that led to the verdict, the deciding ones first."""
    platforms: list[str]
    signed_by_gpg_key_ids: list[HexDigits]
    signed_by_fingerprints: list[HexDigits]
    signed_by: list[SignerJson]
    """Everybody whose signature counts, by whatever scheme; GPG's primary keys by their fingerprints."""
    reported_by_registry: bool
    reported_by_trusted_mirror: bool
    verified_locally: bool
    observations: list[ObservationJson]

    @classmethod
    def of(cls, review: Review, provider: ProviderReview, row: HashRow) -> Self:
        """One row of a provider's review."""
        disposition = row.disposition
        return cls(
            hash=row.hash.text,
            locked=row.locked,
            line=row.line,
            verdict=row.verdict,
            decision=review.decision(provider, row),
            moved=row.moved,
            approval=None if row.approval is None else ApprovalJson.of(row.approval),
            reasons=[reason.text for reason in row.reasons],
            platforms=platforms_json(row.platforms),
            signed_by_gpg_key_ids=sorted(disposition.signed_by_gpg_key_ids),
            signed_by_fingerprints=sorted(disposition.signed_by_fingerprints),
            signed_by=[
                *(SignerJson(scheme=SignatureScheme.GPG, signer=x) for x in sorted(disposition.signed_by_fingerprints)),
                *map(SignerJson.of, sorted(disposition.signed_otherwise_by)),
            ],
            reported_by_registry=disposition.reported_by_registry,
            reported_by_trusted_mirror=disposition.reported_by_trusted_mirror,
            verified_locally=disposition.verified_locally,
            observations=[observation_json(observation) for observation in row.observations],
        )


class OmittedJson(Struct, frozen=True, kw_only=True):
    """How many of a member are left out for want of room, by its name."""

    changes: int | UnsetType = UNSET
    problems: int | UnsetType = UNSET
    hashes: int | UnsetType = UNSET
    keys: int | UnsetType = UNSET
    other_signatures: int | UnsetType = UNSET
    coverage: int | UnsetType = UNSET
    chain: int | UnsetType = UNSET
    findings: int | UnsetType = UNSET


class ProviderJson(Struct, frozen=True, kw_only=True):
    """One provider of the lock file."""

    address: str
    """HOSTNAME/NAMESPACE/TYPE."""
    version: str
    constraints: str
    line: int
    """Where its block begins, from 1."""
    summary: Summary | None
    """What a client prints for it. Null where no source answered, since then it installs nothing."""
    changes: list[ChangeJson]
    """Against the base, the heaviest first; empty without a change or a base."""
    alarmed: bool
    """Whether a key signs that the policy does not name for the provider."""
    keys: list[KeyJson]
    other_signatures: list[FoundSignatureJson]
    """Signatures of other schemes than GPG, whatever they are worth."""
    problems: list[ProblemJson]
    coverage: list[CoverageJson]
    """One for each platform that was asked for or that some source names, and each source."""
    chain: list[ChainJson]
    """One for each platform that was asked for, where several installation methods of the CLI configuration serve the
    provider; else empty."""
    findings: list[FindingJson]
    hashes: list[HashJson]
    moved_from: str | UnsetType = UNSET
    """The entry of the lock file that OpenTofu takes for this one as well; absent where it has a block of its own."""
    omitted: OmittedJson | UnsetType = UNSET
    """Absent when nothing is left out."""

    @classmethod
    def of(cls, review: Review, provider: ProviderReview, room: Room) -> Self:
        """What there is room for, in this order: what the answer depends on comes first."""
        audit = provider.audit
        answers = () if audit is None else audit.source_answers
        changes = room.taken("changes", map(ChangeJson.of, provider.changes))
        problems = room.taken("problems", map(ProblemJson.of, provider.problems))
        hashes = _hashes(review, provider, room)
        keys = room.taken("keys", _keys(review, provider))
        others = room.taken("other_signatures", _other_signatures(review, provider))
        coverage = room.taken("coverage", map(CoverageJson.of, _coverage(review, provider)))
        chain = room.taken("chain", map(ChainJson.of, _chain(review, provider)))
        findings = room.taken("findings", map(FindingJson.of, answers))
        return cls(
            address=str(provider.address),
            version=str(provider.entry.version),
            constraints=provider.entry.constraints,
            line=provider.entry.line,
            summary=None if audit is None else audit.client_word,
            changes=changes,
            alarmed=provider.alarmed,
            keys=keys,
            other_signatures=others,
            problems=problems,
            coverage=coverage,
            chain=chain,
            findings=findings,
            hashes=hashes,
            moved_from=UNSET if provider.entry.moved_from is None else str(provider.entry.moved_from),
            omitted=OmittedJson(**room.omitted) if room.omitted else UNSET,
        )


def _hashes(review: Review, provider: ProviderReview, room: Room) -> list[HashJson]:
    """The hashes in their order; where there is not room for all, those first that count for the answer."""
    order = sorted(range(len(provider.rows)), key=lambda place: _weight(provider.rows[place]))
    told = room.taken("hashes", (HashJson.of(review, provider, provider.rows[place]) for place in order))
    return [each for _, each in sorted(zip(order, told, strict=False), key=lambda pair: pair[0])]


def _weight(row: HashRow) -> tuple[bool, bool, bool]:
    return (not row.objects, row.verdict is not Verdict.UNCHECKED, not row.locked)


def _keys(review: Review, provider: ProviderReview) -> Iterator[KeyJson]:
    for use in () if provider.audit is None else key_uses([provider.audit]):
        yield KeyJson.of(use, key_trust(review.standards.policy, provider.address, use.key.fingerprint))


def _other_signatures(review: Review, provider: ProviderReview) -> Iterator[FoundSignatureJson]:
    for each in () if provider.audit is None else signings_of(review.standards, provider.audit):
        yield FoundSignatureJson.of_signing(each)


def _coverage(review: Review, provider: ProviderReview) -> tuple[Coverage, ...]:
    """Every platform that some source names, also where it was not looked at."""
    if provider.audit is None:
        return ()
    platforms = named_platforms(provider.audit, review.platforms)
    return coverage_of(provider.entry, provider.audit, settings=review.settings, platforms=platforms)


def _chain(review: Review, provider: ProviderReview) -> tuple[ChainVerdict, ...]:
    if provider.audit is None:
        return ()
    return chain_of(provider.entry, provider.audit, settings=review.settings, platforms=review.platforms)
