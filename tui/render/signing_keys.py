"""What is known of the signing keys: a line for the list, everything for the pane beside it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from textual.content import Content

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.key_use import KeyUse, SignedByKey, UnknownIssuer
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.review.trusted_keys import is_distrusted, is_trusted, key_trust
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.signing_keys import KeySeen, KeyState, SignatureState
from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.prose import QUIET, hanging, heading, labelled, sentence
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.styles import DASH, KEYS, OUTCOMES, Hue, Look
from lockwarden.tui.render.text import cells, lines, plain, shorten, spaced

_ALARM: Final = Look("✗", Hue.BAD)
_TRUSTED: Final = Look("✓", Hue.GOOD)
_ASIDE: Final = Look("·", Hue.QUIET)
_WARNED: Final = Look("!", Hue.OPEN)
_NOBODY: Final = Look(DASH, Hue.OPEN)
_SIGNATURES: Final = {
    SignatureState.GOOD: Look("✓", Hue.GOOD),
    SignatureState.EXPIRED_KEY: Look("!", Hue.OPEN),
    SignatureState.EXPIRED_SIGNATURE: Look("!", Hue.OPEN),
}
_ON_ONE_LINE: Final = 64
"""Cells from which on a key takes one line of the list instead of two."""
_NAME: Final = 34
_SHORT_ID: Final = 8
"""Digits of the key IDs that keys were once told apart by, and can be made to have in common."""


class Keyless(Struct, frozen=True, kw_only=True):
    """A release without a key, and why."""

    name: str
    """The provider and its version."""
    why: str
    outcome: Outcome = Outcome.ANSWERED
    """What came of asking for it; only an answer says that there is no key."""
    hint: str = ""
    """What may help to get an answer."""


def key_row(use: KeyUse, policy: Policy, width: int) -> Content:
    """One key: who it claims to be, its ID, whether it is good and whom it signed for. Two lines where it is narrow."""
    key = use.key
    distrusted = is_distrusted(policy, use)
    look = _ALARM if distrusted else KEYS[key.state]
    states = ["not trusted"] if distrusted else ["trusted"] if is_trusted(policy, use) else []
    states += [] if key.state is KeyState.VALID else [str(key.state)]
    made = sum(signing.made_here and signing.state is not SignatureState.BAD for signing in use.signings)
    told = ", ".join([*states, f"signed {made}" if made else "signed nothing"])
    return list_row(look, _owner(key), key.key_id, told, width)


def unknown_issuer_row(unknown_issuer: UnknownIssuer, width: int) -> Content:
    """A signature by a key that nobody offered."""
    return list_row(_ALARM, "unknown issuer", unknown_issuer.issuers[0][-16:], unknown_issuer.address.short, width)


def keyless_row(keyless: Keyless, width: int) -> Content:
    """A release that no key was offered for, or of which nobody knows."""
    if keyless.outcome is Outcome.ANSWERED:
        return list_row(_NOBODY, "no key", "", keyless.name, width)
    return list_row(OUTCOMES[keyless.outcome], "no key known", "", keyless.name, width)


def list_row(look: Look, name: str, id_: str, told: str, width: int) -> Content:
    """One line of the list of keys, or two where it is narrow."""
    glyph, room = Content.styled(f"{look.glyph} ", look.style), max(1, width - 2)
    if width < _ON_ONE_LINE:
        first = plain(shorten(id_, room))
        second = spaced(first, plain(shorten(told, room - first.cell_length - 2 if id_ else room)))
        return lines(glyph + Content.styled(shorten(name, room), "bold"), Content("  ") + second.stylize(QUIET))
    left = min(_NAME, room - 16 - 4 - 22)
    first = Content.styled(shorten(name, left), "bold").pad_right(left - min(left, cells(name)))
    return glyph + spaced(first, plain(f"{id_:<16}"), plain(shorten(told, room - left - 20), QUIET))


def _owner(key: KeySeen) -> str:
    return key.user_ids[0] if key.user_ids else "no user ID"


def key_detail(use: KeyUse, others: Sequence[KeyUse], policy: Policy, width: int) -> Content:
    """Everything about one key: the key itself, who trusts it, each document it was offered for, what it signed.

    `others` are looked through for keys that claim to be the same.
    """
    return lines(*_key_detail(use, others, policy, width))


def _key_detail(use: KeyUse, others: Sequence[KeyUse], policy: Policy, width: int) -> Iterator[Content]:
    key = use.key
    look = KEYS[key.state]
    yield from labelled("fingerprint", plain(fingerprint_groups(key.fingerprint), "bold"), width)
    yield from labelled("key ID", key.key_id, width)
    for number, user_id in enumerate(key.user_ids or ("none",)):
        yield from labelled("claims to be" if number == 0 else "", user_id, width)
    yield from labelled("algorithm", key.algorithm, width)
    yield from labelled("created", _day(key.created), width)
    yield from labelled("expires", _day(key.expires) if key.expires else "never", width)
    yield from labelled("valid now", plain(f"{look.glyph} {_now(use)}", look.style), width)
    for subkey in key.signing_subkeys:
        yield from labelled("signing subkey", fingerprint_groups(subkey), width)
    for note in key.notes:
        yield from labelled("note", note, width)
    for text, fingerprint in _look_alikes(key, others):
        yield from sentence(_WARNED, text, width)
        yield from hanging(Content("  "), plain(fingerprint_groups(fingerprint)), width)
    yield from heading("Trust", width)
    yield from _trust(use, policy, width)
    yield from heading("Signatures", width)
    if not use.signings:
        yield from hanging(Content(""), plain("it was offered for nothing that was looked at", QUIET), width)
    for signing in use.signings:
        yield from _signing(signing, use, width)
    yield from _hashes(use, width)


def _look_alikes(key: KeySeen, others: Sequence[KeyUse]) -> Iterator[tuple[str, str]]:
    """Other keys with the same name or the same short ID, and their fingerprints, which alone tell them apart."""
    for other in (each.key for each in others if each.key.fingerprint != key.fingerprint):
        if set(key.user_ids) & set(other.user_ids):
            yield "another key claims the same name:", other.fingerprint
        elif other.fingerprint[-_SHORT_ID:] == key.fingerprint[-_SHORT_ID:]:
            yield "another key ends with the same digits:", other.fingerprint


def _now(use: KeyUse) -> str:
    """Whether the key is in force today, and why not where a signature tells."""
    if use.key.state is KeyState.VALID:
        return "yes"
    states = {KeyState.REVOKED: SignatureState.REVOKED, KeyState.EXPIRED: SignatureState.EXPIRED_KEY}
    why = next((each.detail for each in use.signings if each.state is states[use.key.state] and each.detail), "")
    return f"no, {use.key.state}{f': {why}' if why else ''}"


def _trust(use: KeyUse, policy: Policy, width: int) -> Iterator[Content]:
    told: dict[str, Look] = {}
    for signing in use.signings:
        trust = key_trust(policy, signing.address, use.key.fingerprint)
        name = provider_name(signing.address)
        if trust:
            told[f"trusted for {name} by {trust}"] = _TRUSTED
        elif trust is False:
            rules = ", ".join(dict.fromkeys(str(each.rule) for each in policy.keys_for(signing.address)))
            if signing.made_here:
                told[f"signs for {name}, for which {rules} names another key"] = _ALARM
            else:
                told.setdefault(f"not trusted for {name}: {rules} names another key", _ASIDE)
    for text, look in told.items():
        yield from sentence(look, text, width)
    if _ALARM in told.values():
        advice = "ask the maintainers whether they changed their key, by another way than the registry"
        yield from hanging(Content("→ "), plain(advice), width)
    if not told:
        yield from hanging(
            Content(""),
            plain("no policy names keys for these providers, so any key counts that its registry offers", QUIET),
            width,
        )


def _signing(signing: SignedByKey, use: KeyUse, width: int) -> Iterator[Content]:
    what = f"{provider_name(signing.address)} {signing.version}"
    document = f"{signing.document} of {signing.source}"
    if not signing.made_here:
        why = "" if signing.state is SignatureState.UNKNOWN_ISSUER else f": {signing.state}"
        yield from sentence(_ASIDE, f"{what}: offered, and did not sign {document}{why}", width)
        return
    look = _SIGNATURES.get(signing.state, _ALARM)
    state = "good signature" if signing.state is SignatureState.GOOD else str(signing.state)
    why = f", {signing.detail}" if signing.detail else ""
    yield from sentence(look, f"{what}: {state}{why}, on {document}", width)
    if signing.state is SignatureState.BAD:
        yield from hanging(Content("  "), plain("the signature names this key, which did not sign the document"), width)
        return
    then = "valid when it signed" if signing.valid_when_signed else "not valid when it signed"
    facts = spaced(
        plain(f"signed on {_day(signing.signed_at)}, {then}"),
        plain(f"covers {counted(len(signing.hashes), 'hash', 'hashes')}"),
        gap=2,
    )
    yield from hanging(Content("  "), facts, width)
    if signing.signing_fingerprint != use.key.fingerprint:
        subkey = f"made by the subkey {fingerprint_groups(signing.signing_fingerprint)}"
        yield from hanging(Content("  "), plain(subkey, QUIET), width)


def _hashes(use: KeyUse, width: int) -> Iterator[Content]:
    """What the key stands behind, whole, by release."""
    for signing in use.signings:
        if signing.hashes:
            yield from heading(f"Hashes of {provider_name(signing.address)} {signing.version}", width)
            for hash_ in sorted(signing.hashes):
                yield from hanging(Content(""), plain(hash_.text), width)


def unknown_issuer_detail(unknown_issuer: UnknownIssuer, width: int) -> Content:
    """The signature's own word for its maker beside the keys that were offered."""
    return lines(*_unknown_issuer_detail(unknown_issuer, width))


def _unknown_issuer_detail(seen: UnknownIssuer, width: int) -> Iterator[Content]:
    what = f"{seen.document} of {provider_name(seen.address)} {seen.version} at {seen.source}"
    yield from sentence(_ALARM, f"{what} is signed by a key that the registry does not offer", width)
    for issuer in seen.issuers:
        yield from labelled("signature says", fingerprint_groups(issuer), width)
    for offered in seen.offered or ("none",):
        yield from labelled("registry offers", fingerprint_groups(offered) if seen.offered else offered, width)
    advice = "the signature may be right: its key is missing, so that it proves nothing; ask the provider's maintainers"
    yield from hanging(Content("→ "), plain(advice, QUIET), width)


def keyless_detail(keyless: Keyless, width: int) -> Content:
    """Why a release has no key."""
    if keyless.outcome is not Outcome.ANSWERED:
        advice = f"whether anybody signed it is not known{f'; {keyless.hint}' if keyless.hint else ''}"
        rows = [*sentence(OUTCOMES[keyless.outcome], f"No key known for {keyless.name}: {keyless.why}", width)]
        return lines(*rows, *hanging(Content("→ "), plain(on_screen(advice), QUIET), width))
    advice = "nobody's signature stands behind its hashes; ask the provider's maintainers to publish their key"
    rows = [*sentence(_NOBODY, f"No key for {keyless.name}: {keyless.why}", width)]
    return lines(*rows, *hanging(Content("→ "), plain(advice, QUIET), width))


def _day(time: datetime | None) -> str:
    return "at an unknown time" if time is None else f"{time.astimezone(UTC):%Y-%m-%d}"
