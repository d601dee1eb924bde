"""Signing keys as plain text: who they claim to be, whether they are good today, and what they signed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from lockwarden.core.evidence.signature_words import signature_evidence, signature_in_words
from lockwarden.core.review.key_use import KeyUse, SignedByKey, UnknownIssuer
from lockwarden.core.review.other_signings import OtherSigning
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.review.trusted_keys import Trust, trust_in_words
from lockwarden.core.values.signing_keys import KeySeen


def _untold(_use: KeyUse) -> Trust:
    return None


def key_lines(uses: Iterable[KeyUse], trust: Callable[[KeyUse], Trust] = _untold) -> Iterator[str]:
    """The lines about every key. User IDs are claims of whoever made the key; `trust` tells what the policy says."""
    for place, use in enumerate(uses):
        if place:
            yield ""
        key = use.key
        yield f"Key {fingerprint_groups(key.fingerprint)}"
        yield f"  ID {key.key_id}, {key.algorithm}, {_life(key)}, {key.state} now"
        yield from (f"  claims to be {user_id}" for user_id in key.user_ids)
        if said := trust_in_words(trust(use)):
            yield f"  {said}"
        yield from (f"  {line}" for line in _signed(use))


def unknown_issuer_lines(found: Iterable[UnknownIssuer]) -> Iterator[str]:
    """Signatures whose maker is among none of the keys that were offered: the one beside the others."""
    for each in found:
        yield ""
        yield f"Unknown issuer: {each.document} of {each.address} {each.version} at {each.source}"
        yield from (f"  signed by {fingerprint_groups(issuer)}" for issuer in each.issuers)
        yield from (f"  offered is {fingerprint_groups(offered)}" for offered in each.offered)


def other_lines(found: Iterable[OtherSigning]) -> Iterator[str]:
    """Signatures of other schemes than GPG, with what came of each."""
    for each in found:
        yield ""
        seen = each.signature
        yield f"{seen.scheme} signature for {each.address} {each.version} at {each.source}: {seen.state}"
        yield f"  {signature_in_words(seen)}"
        yield from (f"  {line}" for line in signature_evidence(seen))
        yield f"  covers {len(each.hashes)} hashes{'' if seen.counts else ', and counts for none of them'}"
        if seen.rule:
            yield f"  {seen.rule} names the signer"


def other_line(signing: OtherSigning) -> str:
    """One of them on one line."""
    seen = signing.signature
    rule = f"; {seen.rule} names the signer" if seen.rule else ""
    return f"{signature_in_words(seen)}; covers {len(signing.hashes)} hashes{rule}"


def key_line(key: KeySeen) -> str:
    """One key on one line."""
    names = ", ".join(key.user_ids) or "no user ID"
    return f"{fingerprint_groups(key.fingerprint)}  {names}  {key.algorithm}, {_life(key)}, {key.state}"


def _life(key: KeySeen) -> str:
    expires = f"expires {_day(key.expires)}" if key.expires else "never expires"
    return f"created {_day(key.created)}, {expires}"


def _day(time: datetime | None) -> str:
    return "at an unknown time" if time is None else f"{time.astimezone(UTC):%Y-%m-%d}"


def _signed(use: KeyUse) -> Iterator[str]:
    if not any(signing.made_here for signing in use.signings):
        yield "signed nothing that was looked at"
    for signing in use.signings:
        what = f"{signing.address} {signing.version}: {signing.document} of {signing.source}"
        if not signing.made_here:
            yield f"offered for {what}, but: {signing.state}"
            continue
        why = f", {signing.detail}" if signing.detail else ""
        yield f"signed {what}, on {_day(signing.signed_at)}: {signing.state}{why}{_then(signing)}"
        yield f"  covers {len(signing.hashes)} hashes"
        if signing.signing_fingerprint != use.key.fingerprint:
            yield f"  made by the subkey {fingerprint_groups(signing.signing_fingerprint)}"


def _then(signing: SignedByKey) -> str:
    return ", valid when it signed" if signing.valid_when_signed else ", not valid when it signed"
