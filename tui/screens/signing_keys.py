"""The signing keys of all providers: who they claim to be, what they signed, whether they were and are good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.key_use import KeyUse, UnknownIssuer, key_uses, unknown_issuers, why_no_key
from lockwarden.core.review.other_signings import OtherSigning, signings_in_run
from lockwarden.core.review.review import Review
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.review.trusted_keys import is_distrusted
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.render.other_signings import is_loud, other_detail, other_row
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.signing_keys import (
    Keyless,
    key_detail,
    key_row,
    keyless_detail,
    keyless_row,
    unknown_issuer_detail,
    unknown_issuer_row,
)
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.screens.bindings import SIGNING_KEY_BINDINGS
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state.session import Session
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.picker import VimList
from lockwarden.tui.widgets.prose_view import Prose, ProseView

_Item = KeyUse | UnknownIssuer | OtherSigning | Keyless
_BESIDE: Final = 120
"""Cells from which on a whole fingerprint fits on a line beside the list."""
_OF_A_KEY: Final = frozenset({"trust", "copy", "export"})


class SigningKeysScreen(SpeakingScreen):
    """Follows the audit below it: keys that arrive meanwhile are listed, and the cursor stays on its key."""

    CSS_PATH = "signing_keys.tcss"
    AUTO_FOCUS = "#key-list"
    BINDINGS: ClassVar[list[BindingType]] = [
        *SIGNING_KEY_BINDINGS,
        Binding("right,l", "app.focus_next", "Text", show=False, id="keys.next"),
        Binding("left,h", "app.focus_previous", "Keys", show=False, id="keys.previous"),
    ]

    def __init__(self, selected: ProviderAddress | None = None) -> None:
        """The cursor begins on the key of the `selected` provider, as soon as one is known."""
        super().__init__()
        self._selected = selected
        self._items: dict[str, _Item] = {}
        self._drawn: tuple[Review | None, bool, int] | None = None

    @property
    def _policy(self) -> Policy:
        review = self.lockwarden.session.review
        return NO_POLICY if review is None else review.standards.policy

    def compose(self) -> ComposeResult:
        """The keys, and everything about the selected one."""
        with Horizontal(id="key-panes"):
            yield VimList(id="key-list", markup=False)
            with VerticalScroll(id="key-detail"):
                yield ProseView()
        yield KeyLine()
        yield Notice()

    def on_mount(self) -> None:
        """Follow the session."""
        self.watch(self.app, "session", self._draw)

    def on_resize(self) -> None:
        """Lay the list out anew for another width."""
        self.set_class(self.size.width >= _BESIDE, "-beside")
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        session = self.lockwarden.session
        keys = self.query_one("#key-list", VimList)
        width = max(10, keys.scrollable_content_region.width - 1)
        drawn = (session.review, session.progress.running, width)
        if self._drawn is not None and self._drawn[0] is session.review and self._drawn[1:] == drawn[1:]:
            return  # by its identity: to compare two reviews takes longer than to draw
        self._drawn, chosen = drawn, self._selected_id
        self._items = _items(session.review)
        count = sum(isinstance(each, KeyUse) for each in self._items.values())
        others = sum(isinstance(each, OtherSigning) for each in self._items.values())
        beside = f", {counted(others, 'other signature')}" if others else ""
        keys.border_title = Content(f"{counted(count, 'key')}{beside}")
        keys.set_options(Option(self._row(item, width), id=name) for name, item in self._items.items())
        if self._items:
            begin = _line_for(self._selected, session.review, self._items)
            if begin:
                chosen, self._selected = begin, None
            keys.highlighted = list(self._items).index(chosen) if chosen in self._items else 0
        self._show()

    def _row(self, item: _Item, width: int) -> Content:
        match item:
            case KeyUse():
                return key_row(item, self._policy, width)
            case UnknownIssuer():
                return unknown_issuer_row(item, width)
            case OtherSigning():
                return other_row(item, width)
            case Keyless():
                return keyless_row(item, width)

    @property
    def _selected_id(self) -> str:
        option = self.query_one("#key-list", VimList).highlighted_option
        return "" if option is None else option.id or ""

    @property
    def _key(self) -> KeyUse | None:
        item = self._items.get(self._selected_id)
        return item if isinstance(item, KeyUse) else None

    def _show(self) -> None:
        title, prose = self._title_and_prose(self._items.get(self._selected_id))
        self.query_one("#key-detail", VerticalScroll).border_title = Content(title)
        self.query_one(ProseView).show(prose)
        self.refresh_bindings()

    def _title_and_prose(self, item: _Item | None) -> tuple[str, Prose]:
        """What the selected line is called and all there is to say of it."""
        policy = self._policy
        others = [each for each in self._items.values() if isinstance(each, KeyUse)]
        match item:
            case None:
                empty = _nothing(self.lockwarden.session)
                return "Key", lambda _: empty
            case KeyUse():
                return "Key", lambda width: key_detail(item, others, policy, width)
            case UnknownIssuer():
                return "Signature without a key", lambda width: unknown_issuer_detail(item, width)
            case OtherSigning():
                return f"Signature: {item.signature.scheme}", lambda width: other_detail(item, width)
            case Keyless():
                return "No key", lambda width: keyless_detail(item, width)

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        self._show()
        self.query_one("#key-detail", VerticalScroll).scroll_home(animate=False)

    def notice_a_person(self) -> None:
        """From the first key on, the cursor is where a person puts it."""
        self._selected = None
        super().notice_a_person()

    def why_not(self, action: str) -> str:
        """Why a key does nothing now: a line that is no signing key cannot be trusted, copied or exported."""
        lacking = action in _OF_A_KEY and self._key is None
        return "no key is selected, so there is none to trust, copy or export" if lacking else ""

    def action_copy(self) -> None:
        """Copy the fingerprint."""
        if self._key is not None:
            self.app.copy_to_clipboard(self._key.key.fingerprint)
            self.say(f"copied {self._key.key.fingerprint}")

    def action_trust(self) -> None:
        """Choose for which providers, look at what is written, and write it."""
        if self._key is not None:
            self.lockwarden.standards.trust_key(self._key)

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    def action_export(self) -> None:
        """Save the armour, after a look at where."""
        use = self._key
        if use is None:
            return
        path = self.lockwarden.files.current.parent / f"{use.key.fingerprint}.asc"
        question = Confirmation(
            title="Save the key's armour",
            rows=(
                (f"The key is written to {path}, as its registry offered it.", "a file that is there is not replaced"),
                (fingerprint_groups(use.key.fingerprint), "its user IDs are claims that nobody has checked"),
            ),
            safe="Cancel",
            risky="Save",
        )

        def answered(agreed: bool | None) -> None:
            if agreed:
                self.lockwarden.standards.save_armor(use.key, path)

        self.app.push_screen(ConfirmScreen(question), answered)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def _items(review: Review | None) -> dict[str, _Item]:
    """Every line of the list by a name of its own: what is alarming first, then the keys by their owners."""
    if review is None:
        return {}
    audits = [each.audit for each in review.providers if each.audit is not None]
    policy = review.standards.policy
    uses = sorted(
        key_uses(audits),
        key=lambda use: (
            not is_distrusted(policy, use),
            not any(each.made_here for each in use.signings),
            use.key.user_ids[:1],
            use.key.fingerprint,
        ),
    )
    keyless = [
        Keyless(
            name=f"{provider_name(audit.address)} {audit.version}",
            why=why_no_key(answer),
            outcome=answer.outcome,
            hint=answer.hint,
        )
        for audit in audits
        for answer in audit.source_answers
        if answer.source.is_origin and not answer.keys
    ]
    found: dict[str, _Item] = {f"stranger-{place}": each for place, each in enumerate(unknown_issuers(audits))}
    found |= {f"key-{use.key.fingerprint}": use for use in uses}
    others = sorted(
        signings_in_run([review]),
        key=lambda each: (not is_loud(each), not each.signature.counts, each.address.sort_key),
    )
    found |= {f"other-{place}": each for place, each in enumerate(others)}
    return found | {f"keyless-{place}": each for place, each in enumerate(keyless)}


def _line_for(address: ProviderAddress | None, review: Review | None, items: Mapping[str, _Item]) -> str:
    """The line of the key that signed for a provider, else of one that was offered, else of why there is none."""
    if address is None or review is None:
        return ""
    names = [
        f"{provider_name(each.address)} {each.entry.version}" for each in review.providers if each.address == address
    ]
    ranks: dict[str, int] = {}
    for line, item in items.items():
        match item:
            case KeyUse():
                own = [each.made_here for each in item.signings if each.address == address]
                rank = (1 if any(own) else 3) if own else 0
            case UnknownIssuer():
                rank = 2 if item.address == address else 0
            case OtherSigning():
                rank = (1 if item.signature.counts else 3) if item.address == address else 0
            case Keyless():
                rank = 4 if item.name in names else 0
        if rank:
            ranks[line] = rank
    return min(ranks, key=ranks.__getitem__, default="")


def _nothing(session: Session) -> Content:
    """Why no key is listed, and what changes that."""
    if session.review is None or session.progress.running:
        return Content("No key was seen yet; the audit is still running.")
    return lines(
        plain("No key was seen: only origin registries have any of GPG."),
        plain(with_keys("→ go back and choose sources with ⟨sources⟩"), "$text-muted"),
    )
