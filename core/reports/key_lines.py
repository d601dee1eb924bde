"""Signing keys as plain text: who they claim to be, whether they are good today, and what they signed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from lockwarden.core.keys import KeySeen
from lockwarden.core.review.key_use import KeyUse, Signing
from lockwarden.core.review.sentences import fingerprint_groups


def key_lines(uses: Iterable[KeyUse]) -> Iterator[str]:
    """The lines about every key. User IDs are claims of whoever made the key."""
    for place, use in enumerate(uses):
        if place:
            yield ""
        key = use.key
        yield f"Key {fingerprint_groups(key.fingerprint)}"
        yield f"  ID {key.key_id}, {key.algorithm}, {_life(key)}, {key.state} now"
        yield from (f"  claims to be {user_id}" for user_id in key.user_ids)
        yield from (f"  {line}" for line in _signed(use))


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
        yield f"signed {what}, on {_day(signing.signed_at)}: {signing.state}{_then(signing)}"
        yield f"  covers {len(signing.hashes)} hashes"
        if signing.signing_fingerprint != use.key.fingerprint:
            yield f"  made by the subkey {fingerprint_groups(signing.signing_fingerprint)}"


def _then(signing: Signing) -> str:
    return ", valid when it signed" if signing.valid_when_signed else ", not valid when it signed"
