"""One or two lines above the hash table: the client's word, who signed, and what each source said."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from lockwarden.core.evidence.dispositions import Summary
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.review.trusted_keys import Trust, key_trust
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.signing_keys import KeySeen, KeyState
from lockwarden.tui.render.styles import KEYS, STYLES, Hue, of_answer
from lockwarden.tui.render.text import cells, plain, shorten, spaced
from lockwarden.tui.state.progress import ProviderProgress

_QUIET: Final = STYLES[Hue.QUIET]
_NAME: Final = 14
"""Cells that the name of a key keeps, with the gap before it."""
_ROOMY: Final = 70
"""Cells from which on there is room for the name beside a key."""
_WORDS: Final = {
    Summary.SIGNED: ("✓ signed", Hue.GOOD),
    Summary.SIGNING_SKIPPED: ("! signing skipped", Hue.OPEN),
    Summary.VERIFIED_CHECKSUM: ("! verified checksum", Hue.OPEN),
    Summary.UNAUTHENTICATED: ("! unauthenticated", Hue.OPEN),
}


def signing_keys(audit: Audit) -> tuple[KeySeen, ...]:
    """The keys whose signature stands behind what a source listed, each once."""
    vouching = {
        judgement.fingerprint
        for answer in audit.source_answers
        for signature in answer.signatures
        for judgement in signature.judgements
        if judgement.vouches
    }
    seen = {key.fingerprint: key for answer in audit.source_answers for key in answer.keys}
    return tuple(key for fingerprint, key in seen.items() if fingerprint in vouching)


class ProviderSummary(Widget):
    """The selected provider at a glance."""

    provider: reactive[ProviderReview | None] = reactive(None)
    policy: reactive[Policy] = reactive(NO_POLICY)
    progress: reactive[ProviderProgress] = reactive(ProviderProgress())

    def watch_provider(self) -> None:
        """Lay the screen out anew only where there are more lines to show, or fewer."""
        if self.size.height != max(1, self.render().plain.count("\n") + 1):
            self.refresh(layout=True)

    def render(self) -> Content:
        """Two lines on a wide screen, one where every line counts."""
        provider = self.provider
        if provider is None:
            return Content("")
        width = self.size.width
        if provider.audit is None:
            return Content.styled(shorten(f"… {self.progress.summary or 'waiting'}", width), _QUIET)
        if self.has_class("-two-lines"):
            word = _word(provider, provider.audit)
            first = spaced(word, self._keys(provider.audit, width - word.cell_length - 2))
            return Content("\n").join([first, _sources(provider, provider.audit, width)])
        word = _word(provider, provider.audit)
        for_key = 24 if width >= _ROOMY else 10
        sources = _sources(provider, provider.audit, max(10, width - word.cell_length - for_key - 2))
        room = width - word.cell_length - sources.cell_length - 4
        return spaced(word, self._keys(provider.audit, room), sources).truncate(width, ellipsis=True)

    def _keys(self, audit: Audit, width: int) -> Content:
        """The key that counts most, as much of it as fits: its ID, what is wrong with it, its name, who trusts it."""
        trusts = {key: key_trust(self.policy, audit.address, key.fingerprint) for key in signing_keys(audit)}
        keys = sorted(trusts, key=lambda key: not trusts[key])
        if not keys or width < 8:
            return Content("")
        key = keys[0]
        name = key.user_ids[0] if key.user_ids else "no user ID"
        id_ = fingerprint_groups(key.key_id) if width >= 40 else key.key_id[-8:]
        state = "" if key.state is KeyState.VALID else f"{KEYS[key.state].glyph} {key.state}"
        more = f"+{counted(len(keys) - 1, 'key')}" if len(keys) > 1 else ""
        room = width - len(id_) - len(state) - len(more) - 2 * (1 + bool(state) + bool(more))
        trust = _trust(trusts[key], room)
        room -= trust.cell_length + 2 if trust else 0
        return spaced(
            plain(id_),
            plain(shorten(name, room), _QUIET) if room > 3 else Content(""),
            plain(state, KEYS[key.state].style),
            trust,
            plain(more, _QUIET),
        )


def _trust(trust: Trust, room: int) -> Content:
    """What the policy says of the key, beside a name that keeps some room; nothing where no policy speaks of keys."""
    if trust is None:
        return Content("")
    long, short, hue = (
        (f"trusted by {trust}", "trusted", Hue.GOOD) if trust else ("not trusted by the policy", "not trusted", Hue.BAD)
    )
    told = next((each for each in (long, short) if cells(each) + _NAME <= room), short if cells(short) <= room else "")
    return plain(told, STYLES[hue])


def _word(provider: ProviderReview, audit: Audit) -> Content:
    """What a client would say; but a signature by another key than the policy names is no good news.

    Nothing where no source answered: a client would install nothing, and have nothing to say of it.
    """
    if not provider.alarmed and audit.client_word is None:
        return Content("" if audit.source_answers else "? no source")
    text, hue = ("✗ signed by another key", Hue.BAD) if provider.alarmed else _WORDS[audit.summary]
    return Content.styled(text, STYLES[hue])


def _sources(provider: ProviderReview, audit: Audit, width: int) -> Content:
    """What each source said, and, where there is room, how much of the release was looked at."""
    parts = []
    for answer in audit.source_answers:
        look, word = of_answer(provider, answer)
        parts.append(Content.assemble(plain(f"{answer.source.id} "), (f"{look.glyph} {word}".rstrip(), look.style)))
    looked = {
        facts.platform for each in audit.source_answers for facts in each.packages if facts.outcome is Outcome.ANSWERED
    }
    known: set[object] = set()
    for answer in audit.source_answers:
        known |= answer.platforms or frozenset()
    said = spaced(*parts)
    platforms = plain(f"{len(looked)} of {counted(len(known), 'platform')} hashed", _QUIET)
    if known and said.cell_length + platforms.cell_length + 2 <= width:
        return spaced(said, platforms)
    return said.truncate(width, ellipsis=True)
