"""Signatures beside GPG's on the screen of keys: a line for the list, everything for the pane beside it. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from textual.content import Content

from lockwarden.core.evidence.seen_signatures import signature_in_words
from lockwarden.core.review.other_signings import OtherSigning
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.signature_schemes import EvidenceState
from lockwarden.tui.render.prose import QUIET, hanging, heading, labelled, sentence
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.signing_keys import list_row
from lockwarden.tui.render.styles import DASH, Hue, Look
from lockwarden.tui.render.text import lines, plain

_COUNTS: Final = Look("✓", Hue.GOOD)
_ASIDE: Final = Look("·", Hue.QUIET)
_OPEN: Final = Look(DASH, Hue.OPEN)
_ALARM: Final = Look("✗", Hue.BAD)
_LOUD: Final = frozenset(
    {
        EvidenceState.BAD,
        EvidenceState.MALFORMED,
        EvidenceState.SOMETHING_ELSE,
        EvidenceState.KEY_EXPIRED,
        EvidenceState.KEY_NOT_YET_VALID,
        EvidenceState.KEY_REVOKED,
        EvidenceState.CERTIFICATE_NOT_VALID,
    }
)
_ASK: Final = (
    "whatever the policy names, this one counts for nothing: ask whoever signs these packages, by another way than this"
    " registry"
)
_NAME: Final = (
    "no registry brings the keys of this scheme: it counts once the policy names a key or an identity that you have"
    " from its owner, by another way than this registry"
)
_OPEN_STATES: Final = frozenset({EvidenceState.UNSUPPORTED, EvidenceState.LOG_PROOF_MISSING, EvidenceState.LOG_UNKNOWN})


def is_loud(signing: OtherSigning) -> bool:
    """Whether somebody has to look at the signature before anything else."""
    return signing.signature.state in _LOUD


def other_row(signing: OtherSigning, width: int) -> Content:
    """One signature: by whom, its scheme, what came of it and for whom it is."""
    seen = signing.signature
    name = "unknown key" if seen.state is EvidenceState.NO_KNOWN_KEY else seen.signer.name or "unknown signer"
    told = f"{'named by the policy' if seen.counts else seen.state}, {provider_name(signing.address)}"
    return list_row(_look(signing), name, seen.scheme, told, width)


def other_detail(signing: OtherSigning, width: int) -> Content:
    """Everything about one signature that is not GPG's."""
    return lines(*_detail(signing, width))


def _look(signing: OtherSigning) -> Look:
    if signing.signature.counts:
        return _COUNTS
    if is_loud(signing):
        return _ALARM
    return _OPEN if signing.signature.state in _OPEN_STATES else _ASIDE


def _detail(signing: OtherSigning, width: int) -> Iterator[Content]:
    seen = signing.signature
    what = f"{provider_name(signing.address)} {signing.version} at {signing.source}"
    yield from sentence(_look(signing), f"{what}: {signature_in_words(seen)}", width)
    yield from labelled("scheme", str(seen.scheme), width)
    signer = seen.signer
    if signer.fingerprint:
        claimed = "says it is of" if seen.state is EvidenceState.NO_KNOWN_KEY else "key"
        yield from labelled(claimed, plain(signer.fingerprint, "bold"), width)
    for label, value in (
        ("identity", signer.subject),
        ("issuer", signer.issuer),
        ("built from", signer.source_repository),
        ("at", signer.source_ref),
    ):
        if value:
            yield from labelled(label, value, width)
    yield from labelled("document", f"{seen.document.kind} {seen.document.digest}", width)
    yield from labelled("found at", seen.found_at, width)
    yield from labelled("time", f"{seen.signed_at:%Y-%m-%d %H:%M} UTC" if seen.signed_at else "none is proven", width)
    yield from labelled("log", str(seen.log), width)
    for name, value in seen.claims:
        yield from labelled("signer states", f"{name}: {value}", width)
    yield from heading("Trust", width)
    yield from _trust(signing, width)
    if signing.hashes:
        yield from heading(f"Leads to {counted(len(signing.hashes), 'hash', 'hashes')}", width)
        for hash_ in sorted(signing.hashes):
            yield from hanging(Content(""), plain(hash_.text), width)


def _trust(signing: OtherSigning, width: int) -> Iterator[Content]:
    seen = signing.signature
    if seen.counts:
        yield from sentence(_COUNTS, f"{seen.rule} names the signer for {provider_name(signing.address)}", width)
        return
    advice = _ASK if is_loud(signing) else _NAME
    yield from hanging(Content("→ "), plain(advice, QUIET), width)
