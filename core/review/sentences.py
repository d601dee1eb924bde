"""Reasons in sentences: what each observation means for a person who has to decide, with its evidence."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from lockwarden.core.evidence.observations import (
    Basis,
    ComputedLocally,
    Document,
    ListedByMirror,
    ListShape,
    Observation,
    OtherSignature,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.evidence.seen_signatures import signature_evidence, signature_in_words
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signing_keys import SignatureState


class Tone(StrEnum):
    """What a reason does for the hash."""

    FOR = "for"
    AGAINST = "against"
    OPEN = "open"
    NOTE = "note"
    ADVICE = "advice"


class Reason(Struct, frozen=True, kw_only=True):
    """One sentence of a verdict, and the evidence behind it."""

    tone: Tone
    text: str
    evidence: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


def fingerprint_groups(fingerprint: str) -> str:
    """A fingerprint in groups of four digits, as people compare them."""
    return " ".join(fingerprint[start : start + 4] for start in range(0, len(fingerprint), 4))


def describe(hash_: Hash, observation: Observation, *, counts: bool, contradiction: str, rule: str = "") -> Reason:
    """The observation as a reason; `counts` says whether it is enough alone, a contradiction speaks against it.

    `rule` names the rule of the policy that trusts whoever is behind it, if one does.
    """
    tone = Tone.FOR if counts else Tone.AGAINST if contradiction or observation.refused else Tone.NOTE
    doubt = contradiction or observation.refused
    text, evidence = _tell(hash_, observation)
    if rule:
        text = f"{text}; {rule} {_trusts(observation)}"
    return Reason(tone=tone, text=f"{text}; but {doubt}" if doubt else text, evidence=evidence)


def _trusts(observation: Observation) -> str:
    match observation:
        case SignedBy():
            return "trusts this key"
        case OtherSignature():
            return "names this signer"
        case _:
            return "trusts this mirror"


def _tell(hash_: Hash, observation: Observation) -> tuple[str, tuple[str, ...]]:
    match observation:
        case SignedBy():
            return _tell_signed(observation)
        case ReportedByRegistry():
            return _tell_reported(hash_, observation)
        case ReportedByTrustedMirror():
            return f"the trusted mirror {observation.source} lists it", (_document(observation.document),)
        case ListedByMirror():
            place = f" for {observation.platform}" if observation.platform else ""
            return f"{observation.source} claims it{place}, which proves nothing", (_document(observation.document),)
        case ComputedLocally():
            return _tell_computed(observation)
        case OtherSignature():
            return _tell_other(observation)
        case _:
            assert_never(observation)


def _tell_signed(observation: SignedBy) -> tuple[str, tuple[str, ...]]:
    when = f" on {observation.signed_at:%Y-%m-%d}" if observation.signed_at else ""
    match observation.state:
        case SignatureState.GOOD:
            state = "the signature is good"
        case SignatureState.EXPIRED_KEY | SignatureState.EXPIRED_SIGNATURE if observation.valid_when_signed:
            state = f"{observation.state}, valid when it signed"
        case _:
            state = f"{observation.state}"
    text = f"{_place(observation.document, observation.line)} is signed{when} by {observation.key_id}: {state}"
    evidence = [f"key {fingerprint_groups(observation.fingerprint)}"]
    if observation.signing_fingerprint not in {"", observation.fingerprint}:
        evidence.append(f"signing subkey {fingerprint_groups(observation.signing_fingerprint)}")
    evidence.append(_document(observation.document))
    return text, tuple(evidence)


def _tell_other(observation: OtherSignature) -> tuple[str, tuple[str, ...]]:
    seen = observation.signature
    return f"{signature_in_words(seen)}, at {observation.source}", signature_evidence(seen)


def _tell_reported(hash_: Hash, observation: ReportedByRegistry) -> tuple[str, tuple[str, ...]]:
    evidence = (_document(observation.document),)
    if observation.shape is ListShape.SUMS:
        name = f" as {observation.file_name}" if observation.file_name else ""
        return f"the origin registry lists it in {_place(observation.document, observation.line)}{name}", evidence
    where = f" for {observation.platform}" if observation.platform else ""
    unsigned = ", unsigned" if hash_.scheme == "h1" else ""
    return f"the origin registry reports it in “{observation.shape}”{where}{unsigned}", evidence


def _tell_computed(observation: ComputedLocally) -> tuple[str, tuple[str, ...]]:
    thing = "directory" if observation.basis is Basis.DIRECTORY else "package"
    text = f"computed here from the {observation.platform} {thing} of {observation.source}"
    if observation.recorded:
        day = "" if observation.computed_on is None else f" on {observation.computed_on:%Y-%m-%d}"
        text = (
            f"computed{day} from the {observation.platform} {thing} of {observation.source} by whoever made the"
            " evidence, and not here"
        )
    elif observation.computed_on is not None:
        text = (
            f"computed here on {observation.computed_on:%Y-%m-%d} from bytes with the digest of the"
            f" {observation.platform} {thing} of {observation.source}, which were not fetched again"
        )
    evidence = [observation.location] if observation.location else []
    if observation.package_zh is not None:
        evidence.append(f"archive {observation.package_zh}")
    return text, tuple(evidence)


def _place(document: Document, line: int | None) -> str:
    return document.name if line is None else f"{document.name} line {line}"


def _document(document: Document) -> str:
    return f"{document.name} sha256 {document.sha256}, {document.url}"
