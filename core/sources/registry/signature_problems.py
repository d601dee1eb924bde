"""What a person should know about the signature of a list of checksums, in sentences with a hint each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.values.clients import CLIENT_NAMES
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import DOES_NOT_FIT, ConclusionKind, KeyJudgement, SignatureState

"""How sentences call the clients."""
WEAK_DIGESTS: Final = frozenset({"md5", "sha1", "ripemd160"})
"""Digests that a signature should not rest on: others can be found that make the same one."""

_EXPIRED: Final = frozenset({SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE})
_SHOWN: Final = 4


def signature_problems(listed: SignedSums, *, source: str) -> Iterator[Problem]:
    """The problems of one document's signature; none for a good one that the client accepts."""
    for code, severity, message, hint in _problems(listed):
        yield Problem(code=code, severity=severity, message=message, hint=hint, source=source)


_Told = tuple[ProblemCode, Severity, str, str]


def _problems(listed: SignedSums) -> Iterator[_Told]:
    if not listed.report.judgements:
        yield _no_key(listed)
        return
    weight = Severity.WARNING if listed.signers else Severity.ERROR
    by_state: dict[SignatureState, list[KeyJudgement]] = {}
    for judgement in listed.report.judgements:
        by_state.setdefault(judgement.state, []).append(judgement)
    if SignatureState.BAD in by_state:
        yield _bad(listed, by_state[SignatureState.BAD][0], weight)
    for judgement in by_state.get(SignatureState.REVOKED, ())[:_SHOWN]:
        yield _revoked(listed, judgement, weight)
    for judgement in [each for state in by_state if state in _EXPIRED for each in by_state[state]][:_SHOWN]:
        yield _expired(listed, judgement)
    if SignatureState.UNDECODABLE_SIGNATURE in by_state:
        yield _undecodable_signature(listed, by_state[SignatureState.UNDECODABLE_SIGNATURE][0], weight)
    if SignatureState.UNDECODABLE_KEY in by_state:
        yield _undecodable_keys(listed, by_state[SignatureState.UNDECODABLE_KEY])
    if set(by_state) <= {SignatureState.UNKNOWN_ISSUER, SignatureState.UNDECODABLE_KEY}:
        yield _unknown_issuer(listed)
    yield from _beyond_the_states(listed)


def _beyond_the_states(listed: SignedSums) -> Iterator[_Told]:
    weak = sorted(WEAK_DIGESTS & {each.lower() for each in listed.report.digest_algorithms})
    if weak:
        yield (
            ProblemCode.SIGNATURE_WEAK_DIGEST,
            Severity.WARNING,
            f"a signature of {listed.document.name} rests on {' and '.join(weak)}, for which forgeries can be computed",
            "ask the provider's author to sign with SHA-256 or better",
        )
    if listed.signers and listed.conclusion.kind is ConclusionKind.REFUSED:
        yield (
            ProblemCode.CLIENT_REFUSES_SIGNATURE,
            Severity.WARNING,
            (
                f"{CLIENT_NAMES[listed.settings.client]} refuses this release because {listed.conclusion.reason}, "
                "though another offered key stands behind it"
            ),
            "ask who runs the registry to remove the key that is in the way",
        )


def _no_key(listed: SignedSums) -> _Told:
    host = listed.address.hostname.display
    if listed.conclusion.kind is ConclusionKind.SKIPPED:
        return (
            ProblemCode.SIGNING_SKIPPED,
            Severity.WARNING,
            f"{host} offers no signing key for this provider, so nobody vouches for {listed.document.name}",
            "compare with a registry that has the author's key, and set OPENTOFU_ENFORCE_GPG_VALIDATION=true to refuse",
        )
    return (
        ProblemCode.SIGNING_KEY_MISSING,
        Severity.ERROR,
        f"{host} offers no signing key for this provider, and {CLIENT_NAMES[listed.settings.client]} refuses that",
        "ask who runs the registry to add the author's public key",
    )


def _bad(listed: SignedSums, judgement: KeyJudgement, weight: Severity) -> _Told:
    name = listed.document.name
    if judgement.detail not in {"", DOES_NOT_FIT}:
        return (
            ProblemCode.SIGNATURE_BAD,
            weight,
            f"the signature of {name} by {judgement.key_id} is bad: {judgement.detail}",
            "the clients refuse it as well; ask the author to sign the list again",
        )
    own = next((line for line in listed.sums.lines if line.file_name.endswith("SHA256SUMS.sig")), None)
    if own is not None:
        return (
            ProblemCode.SIGNATURE_BAD,
            weight,
            (
                f"the signature of {name} by {judgement.key_id} is bad; line {own.number} lists the signature itself, "
                "so the list was changed after it was signed"
            ),
            "some release tools are known to add that line; ask the author to sign the list again",
        )
    return (
        ProblemCode.SIGNATURE_BAD,
        weight,
        f"the signature of {name} by {judgement.key_id} is bad: it was made over another document",
        "the list was changed after it was signed, or is of another version; do not use it before that is explained",
    )


def _revoked(listed: SignedSums, judgement: KeyJudgement, weight: Severity) -> _Told:
    why = f" ({judgement.detail})" if judgement.detail else ""
    return (
        ProblemCode.SIGNING_KEY_REVOKED,
        weight,
        f"{listed.document.name} is signed with {judgement.key_id}, a key that its holder revoked{why}",
        "ask the author for a release that is signed with their current key",
    )


def _expired(listed: SignedSums, judgement: KeyJudgement) -> _Told:
    name, key = listed.document.name, judgement.key_id
    what = "key" if judgement.state is SignatureState.EXPIRED_KEY else "signature"
    hint = "ask the author to extend the key's validity and who runs the registry to offer it anew"
    if not judgement.valid_when_signed:
        severity = Severity.WARNING if listed.signers else Severity.ERROR
        why = f": {judgement.detail}" if judgement.detail else ""
        text = f"the {what} of {key} that signed {name} was not valid when it signed{why}"
        return (ProblemCode.SIGNED_OUTSIDE_VALIDITY, severity, text, hint)
    if listed.enforced_against(judgement):
        severity = Severity.WARNING if listed.signers else Severity.ERROR
        text = f"the {what} of {key} that signed {name} has expired since, which the settings refuse"
        return (ProblemCode.SIGNING_KEY_EXPIRED, severity, text, hint)
    text = f"the {what} of {key} that signed {name} has expired since; it was valid when it signed"
    return (ProblemCode.SIGNING_KEY_EXPIRED, Severity.WARNING, text, hint)


def _undecodable_signature(listed: SignedSums, judgement: KeyJudgement, weight: Severity) -> _Told:
    why = f": {judgement.detail}" if judgement.detail else ""
    return (
        ProblemCode.SIGNATURE_UNDECODABLE,
        weight,
        f"the signature of {listed.document.name} cannot be decoded{why}",
        "it has to be a binary OpenPGP signature, detached from the document",
    )


def _undecodable_keys(listed: SignedSums, judgements: list[KeyJudgement]) -> _Told:
    places = ", ".join(f"{each.position + 1}" for each in judgements[:_SHOWN])
    more = ", …" if len(judgements) > _SHOWN else ""
    detail = f": {judgements[0].detail}" if judgements[0].detail else ""
    stops = listed.conclusion.kind is ConclusionKind.REFUSED
    return (
        ProblemCode.SIGNING_KEY_UNDECODABLE,
        Severity.ERROR if stops else Severity.WARNING,
        f"of the {len(listed.report.judgements)} signing keys offered, number {places}{more} cannot be decoded{detail}",
        "the clients give up at such a key when no earlier one fits; ask who runs the registry to replace it",
    )


def _unknown_issuer(listed: SignedSums) -> _Told:
    made_by = " and ".join(listed.report.issuers[:_SHOWN]) or "a key that it does not name"
    offered = [key.fingerprint for judgement in listed.report.judgements for key in judgement.keys]
    unique = list(dict.fromkeys(offered))
    more = ", …" if len(unique) > _SHOWN else ""
    against = f"offers {', '.join(unique[:_SHOWN])}{more}" if unique else "offers no key that can be read"
    return (
        ProblemCode.SIGNATURE_UNKNOWN_ISSUER,
        Severity.ERROR,
        f"{listed.document.name} is signed by {made_by}, while {listed.address.hostname.display} {against}",
        "the author may have changed keys, or somebody else made the release; ask the author for the fingerprint",
    )
