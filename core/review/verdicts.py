"""Verdicts: what an audit means for one hash, with the ordered reasons that led there.

Two rules hold for all of it: one observation more never makes the verdict worse for the hash it is about, and a source
that stays silent never makes one better. Both are property tests.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ReportedByRegistry
from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.review.disowned import is_disowned, why_disowned
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.open_questions import open_questions, what_settles
from lockwarden.core.review.recorded_evidence import resting_on
from lockwarden.core.review.sentences import Reason, Tone, describe
from lockwarden.core.values.hashes import H1, PREFERRED_SCHEMES, ZH, Hash


class Verdict(StrEnum):
    """What is known of one hash of the review. The first four are of locked hashes, the last two of others."""

    DISOWNED = "disowned"
    UNEXPLAINED = "unexplained"
    UNCHECKED = "unchecked"
    CONFIRMED = "confirmed"
    NEW = "new"
    OFFERED = "offered"

    @property
    def is_finding(self) -> bool:
        """Whether the verdict objects to the lock file, so that no bulk approval may ever cover it."""
        return self in {Verdict.DISOWNED, Verdict.UNEXPLAINED}


class Judgement(Struct, frozen=True, kw_only=True):
    """A verdict and the reasons that produced it, the deciding ones first."""

    verdict: Verdict
    reasons: tuple[Reason, ...]
    beyond_the_client: bool = False
    """It is new by a signature that no client reads, and that a rule of the policy lets count."""


def judge_locked(hash_: Hash, evidence: Evidence) -> Judgement:
    """The verdict on a hash that the lock file holds.

    `confirmed` says that some source vouches, never that the package is harmless.
    """
    judgement = _judged_locked(hash_, evidence)
    return _with_record(judgement, hash_, evidence)


def _judged_locked(hash_: Hash, evidence: Evidence) -> Judgement:
    if hash_.flaw:
        return _never_matches(hash_, evidence)
    told = _told(hash_, evidence)
    if evidence.confirms(hash_):
        return Judgement(verdict=Verdict.CONFIRMED, reasons=told)
    if is_disowned(hash_, evidence):
        return Judgement(
            verdict=Verdict.DISOWNED, reasons=(why_disowned(hash_, evidence), *told, _advice(hash_, evidence))
        )
    questions = open_questions(hash_, evidence)
    if questions:
        opened = tuple(Reason(tone=Tone.OPEN, text=question) for question in questions)
        settle = Reason(tone=Tone.ADVICE, text=what_settles(hash_, evidence))
        return Judgement(verdict=Verdict.UNCHECKED, reasons=(*told, *opened, settle))
    nobody = Reason(tone=Tone.AGAINST, text=_nobody(hash_, evidence))
    return Judgement(verdict=Verdict.UNEXPLAINED, reasons=(nobody, *told, _advice(hash_, evidence)))


def _with_record(judgement: Judgement, hash_: Hash, evidence: Evidence) -> Judgement:
    """The judgement with a last reason that says on which record it rests, and how old that is."""
    recorded = evidence.audit.recorded
    if recorded is None:
        return judgement
    rests = resting_on(recorded, [each for each in evidence.observations(hash_) if evidence.counts(hash_, each)])
    return replace(judgement, reasons=(*judgement.reasons, rests))


def _never_matches(hash_: Hash, evidence: Evidence) -> Judgement:
    """Of a scheme that the clients know, nothing is left to check. Another may be a newer client's."""
    known = hash_.scheme in PREFERRED_SCHEMES
    advice = "drop it" if known else "drop it unless a newer client is meant to read it"
    flaw = Reason(tone=Tone.AGAINST if known else Tone.OPEN, text=hash_.flaw)
    return Judgement(
        verdict=Verdict.UNEXPLAINED if known else Verdict.UNCHECKED,
        reasons=(flaw, *_told(hash_, evidence), Reason(tone=Tone.ADVICE, text=f"it protects nothing; {advice}")),
    )


def judge_unlocked(hash_: Hash, evidence: Evidence, *, recorded: str) -> Judgement:
    """The verdict on a hash that some source offers and the lock file lacks.

    `recorded` is the reason why the client would record it, empty when it would not.
    """
    return _with_record(_judged_unlocked(hash_, evidence, recorded), hash_, evidence)


def _judged_unlocked(hash_: Hash, evidence: Evidence, recorded: str) -> Judgement:
    told = _told(hash_, evidence)
    objection = _objection(hash_, evidence)
    if recorded and not objection:
        return Judgement(
            verdict=Verdict.NEW, reasons=(Reason(tone=Tone.FOR, text=f"a client would record it: {recorded}"), *told)
        )
    if recorded:
        return Judgement(
            verdict=Verdict.OFFERED,
            reasons=(Reason(tone=Tone.AGAINST, text=f"a client would record it, but {objection}"), *told),
        )
    signature = None if objection else evidence.signed_beyond_the_client(hash_)
    if signature is not None:
        seen = signature.signature
        text = f"{seen.rule} names the signer, {seen.signer.name}; no client would record it by this signature"
        return Judgement(verdict=Verdict.NEW, reasons=(Reason(tone=Tone.FOR, text=text), *told), beyond_the_client=True)
    why = objection or "the selection rule does not record it: nothing that the client trusts stands behind it here"
    tone = Tone.AGAINST if objection else Tone.NOTE
    return Judgement(verdict=Verdict.OFFERED, reasons=(Reason(tone=tone, text=why), *told))


def _told(hash_: Hash, evidence: Evidence) -> tuple[Reason, ...]:
    reasons = [
        describe(
            hash_,
            observation,
            counts=evidence.counts(hash_, observation),
            contradiction=evidence.contradiction(hash_, observation),
            rule=evidence.rule_for(observation),
        )
        for observation in evidence.observations(hash_)
    ]
    order = (Tone.FOR, Tone.AGAINST, Tone.OPEN, Tone.NOTE)
    return tuple(sorted(reasons, key=lambda reason: order.index(reason.tone)))


def _objection(hash_: Hash, evidence: Evidence) -> str:
    """Why a hash that is not locked should not be taken by itself, whatever a client would do."""
    if hash_.flaw:
        return hash_.flaw
    seen = evidence.observations(hash_)
    if evidence.confirms(hash_):
        return ""
    reports = [each for each in seen if isinstance(each, ReportedByRegistry) and each.vouches]
    # What a mirror gives out says nothing against what the registry itself reports: else its silence would help.
    for observation in reports or seen:
        if contradiction := evidence.contradiction(hash_, observation):
            return contradiction
    if is_disowned(hash_, evidence):
        return f"the signed list of {evidence.origin_name} does not contain it"
    if reports and hash_.scheme == ZH:
        return f"no list of checksums of {evidence.origin_name} has it"
    if reports:
        return evidence.report_doubt
    if refusals := _refusals(hash_, evidence):
        return f"what speaks for it does not count: {refusals}"
    if evidence.decided:
        return f"nothing of {' or '.join(evidence.authorities) or 'the mirror that the policy trusts'} confirms it"
    return ""


def _refusals(hash_: Hash, evidence: Evidence) -> str:
    return "; ".join(dict.fromkeys(each.refused for each in evidence.observations(hash_) if each.refused))


def _nobody(hash_: Hash, evidence: Evidence) -> str:
    if refusals := _refusals(hash_, evidence):
        return f"nothing that speaks for it counts: {refusals}"
    if evidence.mirror_answered:
        first, *others = evidence.authorities
        who = f"neither {' nor '.join([first, *others])} has a" if others else f"{first} has no"
        return f"{who} package of {evidence.release} with this hash"
    if not evidence.origin_decides:
        return f"{evidence.origin_name} does not know {evidence.release}, and no other source has such a package"
    if evidence.trusted_keys and hash_.scheme == H1:
        return f"every package of {evidence.release} that a pinned key has signed was hashed, and none has this h1"
    if evidence.trusted_keys:
        return (
            f"{evidence.origin_name} lists its zh hashes for {evidence.release} without the signature of a pinned"
            " key, and this is not one of them"
        )
    if hash_.scheme == H1:
        return f"every package of {evidence.release} was hashed, and none has this h1"
    return f"{evidence.origin_name} lists its zh hashes for {evidence.release}, unsigned, and this is not one of them"


def _advice(hash_: Hash, evidence: Evidence) -> Reason:
    mirrors = sorted(
        {
            o.source
            for o in evidence.observations(hash_)
            if evidence.origin is None or o.source != evidence.origin.source.id
        }
    )
    if evidence.origin is not None and evidence.origin.outcome is Outcome.NOT_THERE:
        remedy = evidence.origin.hint or "check the address and the version"
        text = f"{remedy}; a hash of a release that {evidence.origin_name} does not have need not be a wrong one"
    elif mirrors:
        text = f"drop it, or ask who runs {', '.join(mirrors)} why the package differs from the origin's"
    else:
        text = "drop it, unless you know where it came from: a client would accept the package it stands for"
    return Reason(tone=Tone.ADVICE, text=text)
