"""Everything that is known of the selected hash or provider, on the full screen."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rereleases import Rerelease
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.render.details import hash_detail, provider_detail
from lockwarden.tui.render.reasons import about_the_configuration, about_the_file, provider_name
from lockwarden.tui.render.text import plain
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.screens.review_below import ReviewBelow
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state import review_state as state
from lockwarden.tui.state.ports import KeptPackages
from lockwarden.tui.state.review_state import Pane
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.prose_view import ProseView

_OF_A_HASH: Final = frozenset({"decide", "copy", "record"})
_SHOWS_NO_HASH: Final = "this is about the provider, and no hash is shown: go back, and open one with ⟨open⟩"


class DetailScreen(SpeakingScreen):
    """Follows the review below: what arrives meanwhile is shown, and keys that decide work here, too."""

    CSS_PATH = "detail.tcss"
    AUTO_FOCUS = "#detail"
    # What the review does is on its keys here, too, those that a person chose.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "decide", "Decide", id="review.decide", tooltip="Decide this hash: keep, add, drop"),
        Binding("y", "copy", "Copy", id="review.copy", tooltip="Copy the whole hash to the clipboard"),
        Binding("R", "record", "Record", id="review.record", tooltip="Record why this hash is accepted"),
        Binding("o", "browse", "Browse", id="review.browse", tooltip="Open an address in the browser"),
        Binding("e", "edit", "Edit", show=False, id="review.edit", tooltip="Open the lock file in your editor"),
        Binding("z", "undo", "Undo", id="review.undo", tooltip="Undo the last decision"),
        Binding("n", "finding(1)", "Next", id="review.finding", tooltip="Go to the next finding"),
        Binding("N", "finding(-1)", "Previous", show=False, id="review.previous", tooltip="Go to the previous finding"),
        Binding("j", "scroll(1)", "Down", show=False, id="detail.down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="detail.up"),
        help_key("detail"),
        Binding("escape,q,enter,left,h,i", "close", "Back", id="detail.close", tooltip="Go back to the review"),
    ]

    def __init__(self, review: ReviewBelow, *, about_provider: bool = False) -> None:
        """With `about_provider` it speaks of the selected provider, else of what the why-pane speaks of."""
        super().__init__()
        self._review_screen = review
        self._about_provider = about_provider
        self._kept: dict[HashKey, tuple[ProviderReview, tuple[Rerelease, ...]]] = {}
        """What earlier runs kept of the packages of hashes that were looked at, by what was known of the provider."""

    def compose(self) -> ComposeResult:
        """One long text."""
        with VerticalScroll(id="detail"):
            yield ProseView()
        yield KeyLine()
        yield Notice()

    def on_mount(self) -> None:
        """Follow the session."""
        self.watch(self.app, "session", self._draw)

    def _draw(self) -> None:
        below = self._review_screen
        provider = None if below.session.review is None else state.selected_provider(below.state, below.review)
        name = "" if provider is None else f"{provider_name(provider.address)} {provider.entry.version}"
        self.query_one("#detail").border_title = plain(name)
        self.query_one(ProseView).show(self._prose)
        self.refresh_bindings()
        self._look_for_kept()

    def _look_for_kept(self) -> None:
        """Look for what earlier runs kept of the package of a hash that something speaks against."""
        below, kept = self._review_screen, self.lockwarden.setup.kept
        if kept is None or below.session.review is None or self._shows_provider:
            return
        provider = state.selected_provider(below.state, below.review)
        row = state.selected_row(below.state, below.review)
        if provider is None or row is None or not row.objects or below.session.progress.running:
            return
        key = HashKey.of(provider.address, row.hash)
        if (known := self._kept.get(key)) is None or known[0] is not provider:
            self._kept[key] = (provider, ())
            self._find_kept(key, provider, kept)

    @work(group="kept", exit_on_error=False)
    async def _find_kept(self, key: HashKey, provider: ProviderReview, kept: KeptPackages) -> None:
        try:
            found = tuple(each for each in await kept(provider) if key.hash in map(str, each.locked))
        except LockwardenError as error:
            self.say(f"what earlier runs kept cannot be used: {error.message}")
            return
        if found:
            self._kept[key] = (provider, found)
            self.query_one(ProseView).show(self._prose)

    def _prose(self, width: int) -> Content:
        below = self._review_screen
        if below.session.review is None:
            return Content("")
        provider = state.selected_provider(below.state, below.review)
        row = state.selected_row(below.state, below.review)
        if provider is None:
            return Content("")
        if row is None or self._shows_provider:
            progress = below.session.progress.of(provider.address)
            setup = self.lockwarden.setup
            about = (
                *about_the_file(below.review),
                *about_the_configuration(setup.configuration, setup.notes),
            )
            return provider_detail(provider, progress, about, width, standards=below.review.standards)
        decision = below.review.decision(provider, row)
        _, kept = self._kept.get(HashKey.of(provider.address, row.hash), (None, ()))
        return hash_detail(provider, row, decision, width, standards=below.review.standards, kept=kept)

    @property
    def _shows_provider(self) -> bool:
        """Whether it speaks of the provider, so that no hash is on the screen."""
        return self._about_provider or self._review_screen.state.subject is Pane.PROVIDERS

    def why_not(self, action: str) -> str:
        """Why a key does nothing now, by the rules of the review. Nothing is decided of a hash that is not shown."""
        name = action.partition("(")[0]
        if name in _OF_A_HASH and self._shows_provider:
            return _SHOWS_NO_HASH
        return self._review_screen.why_not(action) if name in _OF_A_HASH | {"undo", "finding", "browse"} else ""

    def action_decide(self) -> None:
        """Go round the decisions of this hash, of no other that is marked below."""
        self._review_screen.give_up_marks()
        self._review_screen.action_decide()

    def action_record(self) -> None:
        """Record that this hash is accepted, and no other that is marked below."""
        self._review_screen.give_up_marks()
        self._review_screen.action_record()

    def action_browse(self) -> None:
        """Open an address of what is shown."""
        self._review_screen.action_browse()

    def action_edit(self) -> None:
        """Open the lock file in the operator's editor, and go back to what was saved."""
        self.action_close()
        self._review_screen.action_edit()

    def action_undo(self) -> None:
        """Take the last decision back."""
        self._review_screen.action_undo()

    def action_copy(self) -> None:
        """Copy the whole hash."""
        self._review_screen.action_copy()

    def action_finding(self, step: int) -> None:
        """Go on to another finding."""
        below = self._review_screen
        self._about_provider = False
        below.state = state.with_next_finding(below.state, below.review, step=step)
        self._draw()
        self.query_one("#detail", VerticalScroll).scroll_home(animate=False)

    def action_scroll(self, step: int) -> None:
        """Scroll a line."""
        self.query_one("#detail", VerticalScroll).scroll_relative(y=step, animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
        self._review_screen.focus_pane()
