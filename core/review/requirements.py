"""Whether an entry has what the policy requires of it. Every objection names the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lockwarden.core.approvals.model import Approval
from lockwarden.core.evidence.observations import (
    ComputedLocally,
    Observation,
    OtherSignature,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.evidence.source_answers import Outcome, Problem
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.policy.model import PolicyRequirement
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.open_questions import open_questions
from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.hashes import PREFERRED_SCHEMES, Hash
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import DOCUMENT_SCHEMES, SignatureScheme

ApprovalOf = Callable[[Hash], Approval | None]
"""The record that accepts a hash of an entry today; None without one."""


def place_problems(address: ProviderAddress, requirements: Sequence[PolicyRequirement]) -> Iterator[Problem]:
    """Objections to where a provider comes from; they need no audit."""
    for each in requirements:
        if each.hosts is not None and address.hostname.ascii not in each.hosts:
            yield Problem(
                code=ProblemCode.HOST_NOT_ALLOWED,
                severity=Severity.ERROR,
                message=f"{each.rule} does not allow providers from {_spelt(address.hostname)}",
                hint=f"it allows {_names(each.hosts)}",
            )
        if each.namespaces is not None and address.namespace not in each.namespaces:
            yield Problem(
                code=ProblemCode.NAMESPACE_NOT_ALLOWED,
                severity=Severity.ERROR,
                message=f"{each.rule} does not allow providers of the namespace {address.namespace}",
                hint=f"it allows {_names(each.namespaces)}",
            )


def entry_problems(
    entry: LockedProvider,
    evidence: Evidence,
    requirements: Sequence[PolicyRequirement],
    *,
    approved: ApprovalOf,
) -> Iterator[Problem]:
    """Objections to what the entry locks. `approved` gives the record that accepts a hash, whatever else covers it.

    What could not be asked is no objection: then the requirement is open, and the audit is incomplete.
    """
    for each in requirements:
        if each.signed:
            yield from _unsigned(entry, evidence, each, approved)
        for scheme in sorted(each.signatures):
            yield from _without_signature(entry, evidence, each, scheme, approved)
        yield from _schemes(entry, each)
        yield from _platforms(entry, evidence, each)


def unsigned_hashes(entry: LockedProvider, evidence: Evidence) -> tuple[Hash, ...]:
    """Confirmed hashes that no counting signature covers, itself or the archive that they were computed from.

    What a mirror that the policy trusts gives out needs no signature: the policy has said so.
    """
    return tuple(hash_ for hash_ in sorted(entry.hash_set) if evidence.confirms(hash_) and not _backed(hash_, evidence))


def _backed(hash_: Hash, evidence: Evidence) -> bool:
    for seen in evidence.observations(hash_):
        if not evidence.counts(hash_, seen):
            continue
        match seen:
            case SignedBy():
                return True
            case ComputedLocally() if seen.package_zh is not None and _signed(seen.package_zh, evidence):
                return True
            case ComputedLocally() | ReportedByTrustedMirror() if seen.source in evidence.trusted_mirrors:
                return True
            case _:
                pass
    return False


def _signed(zh: Hash, evidence: Evidence) -> bool:
    return any(isinstance(seen, SignedBy) and seen.vouches for seen in evidence.observations(zh))


def _unsigned(
    entry: LockedProvider, evidence: Evidence, requirement: PolicyRequirement, approved: ApprovalOf
) -> Iterator[Problem]:
    bare = [hash_ for hash_ in unsigned_hashes(entry, evidence) if approved(hash_) is None]
    if bare:
        count = "hash is" if len(bare) == 1 else "hashes are"
        yield Problem(
            code=ProblemCode.NOT_SIGNED,
            severity=Severity.ERROR,
            message=f"{len(bare)} locked {count} not covered by any signature that counts, such as {bare[0]},"
            f" and {requirement.rule} requires one",
            hint=f"{_to_be_signed(evidence)}, or record an approval of the hashes",
        )


def _to_be_signed(evidence: Evidence) -> str:
    if evidence.origin is None:
        return f"add the source “direct”, so that {evidence.origin_name} is asked for signatures"
    return "ask the provider's maintainers to publish their signing key"


def no_record(_: Hash) -> Approval | None:
    """Of hashes that nobody has approved."""
    return None


def covered_by(scheme: SignatureScheme, hash_: Hash, evidence: Evidence, approved: ApprovalOf = no_record) -> bool:
    """Whether a signature of the scheme that counts covers the hash, or the archive that it was computed from.

    Approvals are documents, too: what a record names is covered by the signature that it stands under.
    """
    if _approved_by(scheme, hash_, approved):
        return True
    for seen in evidence.observations(hash_):
        match seen:
            case SignedBy() | OtherSignature() if _of_scheme(seen, scheme):
                return True
            case ComputedLocally(package_zh=Hash() as archive) if evidence.counts(hash_, seen):
                if _approved_by(scheme, archive, approved):
                    return True
                if any(_of_scheme(each, scheme) for each in evidence.observations(archive)):
                    return True
            case _:
                pass
    return False


def _approved_by(scheme: SignatureScheme, hash_: Hash, approved: ApprovalOf) -> bool:
    record = approved(hash_)
    return record is not None and record.signature is not None and record.signature.scheme == scheme


def without_signature(
    entry: LockedProvider, evidence: Evidence, scheme: SignatureScheme, approved: ApprovalOf
) -> tuple[tuple[Hash, ...], bool]:
    """The locked hashes that nothing objects to and no signature of a scheme covers; and whether there are any at all.

    What a record accepts is among them: a record that nobody has signed is no signature.
    """
    held = [hash_ for hash_ in sorted(entry.hash_set) if evidence.confirms(hash_) or approved(hash_) is not None]
    return tuple(hash_ for hash_ in held if not covered_by(scheme, hash_, evidence, approved)), bool(held)


def _of_scheme(seen: Observation, scheme: SignatureScheme) -> bool:
    match seen:
        case SignedBy():
            return scheme is SignatureScheme.GPG and seen.vouches
        case OtherSignature():
            return scheme is seen.signature.scheme and seen.vouches
        case _:
            return False


def _without_signature(
    entry: LockedProvider,
    evidence: Evidence,
    requirement: PolicyRequirement,
    scheme: SignatureScheme,
    approved: ApprovalOf,
) -> Iterator[Problem]:
    """A scheme whose signature is required and is not there; that none was found is no excuse."""
    bare, any_held = without_signature(entry, evidence, scheme, approved)
    if any_held and not bare:
        return
    lacking = f"{len(bare)} of the locked hashes, such as {bare[0]}" if bare else "any locked hash"
    yield Problem(
        code=ProblemCode.SIGNATURE_REQUIRED,
        severity=Severity.ERROR,
        message=f"no {scheme} signature that counts covers {lacking}, and {requirement.rule} requires one",
        hint="record approvals of the hashes, and have them signed: lockwarden approve-sign"
        if scheme in DOCUMENT_SCHEMES
        else "see which signatures were found and why they do not count: lockwarden keys",
    )


def _schemes(entry: LockedProvider, requirement: PolicyRequirement) -> Iterator[Problem]:
    for scheme in sorted(requirement.schemes):
        if not any(each.scheme == scheme and each.usable for each in entry.hash_set):
            yield Problem(
                code=ProblemCode.SCHEME_REQUIRED,
                severity=Severity.ERROR,
                message=f"the entry for {entry.address} has no usable {scheme} hash, which {requirement.rule} requires",
                hint="“lockwarden lock” adds what the sources can vouch for",
            )


def _platforms(entry: LockedProvider, evidence: Evidence, requirement: PolicyRequirement) -> Iterator[Problem]:
    for platform in sorted(requirement.platforms, key=by_popularity):
        package = None if evidence.origin is None else evidence.origin.package(platform)
        absent = package is not None and package.outcome is Outcome.NOT_THERE
        for scheme in sorted(requirement.schemes or {""}):
            schemes = {scheme} if scheme else PREFERRED_SCHEMES
            known = {
                hash_
                for hash_ in evidence.audit.observations
                if platform in evidence.platforms_of(hash_) and hash_.scheme in schemes and evidence.confirms(hash_)
            }
            if known & entry.hash_set:
                continue
            what = f"{scheme} hash of {platform}" if scheme else f"hash of {platform}"
            if known:
                yield Problem(
                    code=ProblemCode.PLATFORM_REQUIRED,
                    severity=Severity.ERROR,
                    message=f"no {what} is locked, which {requirement.rule} requires",
                    hint=f"“lockwarden lock --platform {platform}” adds it",
                )
            elif absent:
                yield Problem(
                    code=ProblemCode.PLATFORM_REQUIRED,
                    severity=Severity.ERROR,
                    message=f"{evidence.origin_name} has no {platform} package of {evidence.release}, which"
                    f" {requirement.rule} requires",
                    hint="choose a version that has one, or take the platform out of the rule",
                )
            elif not any(each.scheme in schemes and _unchecked(each, evidence) for each in entry.hash_set):
                yield Problem(
                    code=ProblemCode.PLATFORM_UNCHECKED,
                    severity=Severity.WARNING,
                    message=f"it is not known whether the {what} is locked, which {requirement.rule} requires",
                    hint=_to_know(platform, evidence),
                )


def _to_know(platform: Platform, evidence: Evidence) -> str:
    """What tells whether a platform is locked: looking at its package, or what lets it be looked at."""
    origin = evidence.origin
    package = None if origin is None else origin.package(platform)
    if package is not None and package.outcome is not Outcome.NOT_ASKED:
        return package.hint or "ask again when the source gives out its package"
    if origin is not None and origin.outcome in {Outcome.NO_ANSWER, Outcome.NOT_ASKED}:
        return origin.hint or "ask again when the source answers"
    return f"look at that platform, too: --platform {platform}"


def _unchecked(hash_: Hash, evidence: Evidence) -> bool:
    """Whether the hash may be of any platform, which its own verdict says already."""
    return hash_.usable and not evidence.confirms(hash_) and bool(open_questions(hash_, evidence))


def _spelt(host: Hostname) -> str:
    """A host with its ASCII form where that differs: look-alike letters are told apart in no other way."""
    return f"{host.display} ({host.ascii})" if host.international else host.display


def _names(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
