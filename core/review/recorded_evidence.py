"""What an evidence bundle can prove, and what of an audit that rests on one counts.

Whoever can write the file can write any answer of a registry into it, the keys that it offers included, and any hash of
a package's content. Two things are left that they cannot make: a signature over a document by a key that the policy
pins, and a signature over the file by a key that the operator, or the policy for that provider, names. So of a file
that nobody vouches for, a good signature of a pinned key counts, and nothing else does. Of one that somebody vouches
for, everything counts as it would where the sources were asked, as recorded then by them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from lockwarden.core.evidence.observations import ComputedLocally, Observation, OtherSignature, SignedBy
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.evidence.source_answers import (
    DIRECT,
    Audit,
    HashList,
    Outcome,
    PackageFacts,
    SourceAnswer,
    SourceKind,
    SourceRef,
)
from lockwarden.core.policy.model import OtherKey, Policy
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.values.signature_schemes import SignatureScheme

_REFUSED: Final = "it stands in evidence that nobody whom you named has signed"
HOW_TO_VOUCH: Final = (
    "have its maker sign it, and name their key with --evidence-signers; or pin the providers' keys in the policy"
)
_PACKAGE: Final = "what it holds is the word of whoever made the evidence, which nobody whom you named has signed"


def as_recorded(audit: Audit, recorded: RecordedEvidence) -> Audit:
    """The audit as one that a bundle has answered: nothing of it was computed here, whatever else is verified again."""

    def told(seen: Observation) -> Observation:
        if not isinstance(seen, ComputedLocally):
            return seen
        return replace(seen, recorded=True, computed_on=seen.computed_on or recorded.made)

    answers = (
        replace(answer, observations=tuple((hash_, told(seen)) for hash_, seen in answer.observations))
        for answer in audit.source_answers
    )
    return replace(audit, source_answers=tuple(answers), recorded=recorded)


def limited(audit: Audit, policy: Policy, now: datetime) -> Audit:
    """The audit as far as its evidence can prove anything under a policy, whose keys' windows are judged at `now`.

    One that rests on no bundle, or on one that somebody vouches for, is as it was.
    """
    recorded = audit.recorded
    if recorded is None or recorded.vouched:
        return audit
    if (key := _signer(recorded, policy, audit, now)) is not None:
        signer = f"{key.owner or 'the key'} of {key.rule}"
        return replace(audit, recorded=replace(recorded, signer=signer, doubt=""))
    pinned = frozenset(each.fingerprint for each in policy.keys_for(audit.address))
    answers = tuple(_limited(answer, pinned, recorded) for answer in audit.source_answers)
    return replace(audit, source_answers=(*answers, *_left_out(audit, recorded)))


def _left_out(audit: Audit, recorded: RecordedEvidence) -> Iterator[SourceAnswer]:
    """The origin registry, where the bundle does not have it among those that were asked.

    That is its maker's word, too. Whoever asked nobody else, so that what a mirror gives out counts by itself, has to
    be somebody who is believed.
    """
    if audit.origin is None:
        taken = {answer.source.id for answer in audit.source_answers}
        name = next(each for each in (DIRECT, f"{DIRECT} (not recorded)") if each not in taken)
        source = SourceRef(id=name, kind=SourceKind.DIRECT, location="origin registries")
        yield SourceAnswer(
            source=source,
            outcome=Outcome.NO_ANSWER,
            detail=f"the evidence does not have it, which counts for nothing, since {recorded.doubt}",
            hint=HOW_TO_VOUCH,
        )


def _signer(recorded: RecordedEvidence, policy: Policy, audit: Audit, now: datetime) -> OtherKey | None:
    """The key of the policy that signed the bundle, and whose signatures count for the provider."""
    for key in policy.other_keys_for(audit.address):
        signed = key.scheme is SignatureScheme.SSHSIG and key.fingerprint == recorded.fingerprint
        if signed and recorded.fingerprint and (key.not_after is None or now <= key.not_after):
            return key
    return None


def _limited(answer: SourceAnswer, pinned: Collection[str], recorded: RecordedEvidence) -> SourceAnswer:
    observations = tuple((hash_, _marked(seen, pinned)) for hash_, seen in answer.observations)
    if not any(seen.vouches for _, seen in observations):
        unheard = answer.outcome in {Outcome.NO_ANSWER, Outcome.NOT_ASKED}
        return replace(
            answer,
            outcome=answer.outcome if unheard else Outcome.NO_ANSWER,
            detail=answer.detail if unheard else f"what the evidence says counts for nothing, since {recorded.doubt}",
            hint=answer.hint if unheard else HOW_TO_VOUCH,
            observations=observations,
            packages=tuple(map(_unproven, answer.packages)),
            lists=(),
            absent=frozenset(),
            unlisted=None,
        )
    signed = frozenset(seen.document.sha256 for _, seen in observations if isinstance(seen, SignedBy) and seen.vouches)
    return replace(
        answer,
        observations=observations,
        packages=tuple(map(_unproven, answer.packages)),
        lists=tuple(_lists(answer.lists, pinned, signed)),
        absent=frozenset(),
    )


def _marked(seen: Observation, pinned: Collection[str]) -> Observation:
    """The observation, refused unless it is a good signature of a pinned key."""
    if seen.refused or (isinstance(seen, SignedBy) and seen.vouches and seen.fingerprint in pinned):
        return seen
    if isinstance(
        seen, OtherSignature
    ):  # the policy's own keys verify it again, and it never counts without the origin
        return seen
    return replace(seen, refused=_REFUSED)


def _unproven(package: PackageFacts) -> PackageFacts:
    if package.outcome is not Outcome.ANSWERED:
        return package
    return PackageFacts(
        platform=package.platform,
        outcome=Outcome.NO_ANSWER,
        location=package.location,
        detail=_PACKAGE,
        hint=HOW_TO_VOUCH,
    )


def _lists(lists: Iterable[HashList], pinned: Collection[str], signed: Collection[str]) -> Iterator[HashList]:
    """Those of which a pinned key has signed every document."""
    for each in lists:
        if each.documents and all(document.sha256 in signed for document in each.documents):
            yield replace(each, signers=each.signers & frozenset(pinned))


def resting_on(recorded: RecordedEvidence, counted: Collection[Observation]) -> Reason:
    """What a verdict rests on that a bundle told, where `counted` are the observations that count."""
    signed = any(isinstance(each, SignedBy | OtherSignature) for each in counted)
    again = "; its signature was verified again here" if signed else ""
    return Reason(tone=Tone.NOTE, text=f"recorded on {recorded.when}, by {recorded.maker}{again}")
