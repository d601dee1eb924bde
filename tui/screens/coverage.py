"""Whether a client would install with this lock file: platforms by sources, and why not where not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen

from lockwarden.core.coverage.matrix import CoverageMatrix
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.write_warnings import entry_as_decided, matrix_of
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.coverage import overview, render_matrix
from lockwarden.tui.render.prose import QUIET, heading
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.review_app import app_of
from lockwarden.tui.state.session import decisions_of
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.prose_view import ProseView


class CoverageScreen(Screen[None]):
    """One text for all providers: the selected one first, then the others as the review lists them."""

    CSS_PATH = "coverage.tcss"
    AUTO_FOCUS = "#coverage"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll(1)", "Down", show=False, id="coverage.down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="coverage.up"),
        Binding("question_mark,f1", "help", "Help", id="coverage.help", tooltip="Show all keys"),
        Binding("escape,q,c", "close", "Back", id="coverage.close", tooltip="Go back to the review"),
    ]

    def __init__(self, order: tuple[ProviderAddress, ...]) -> None:
        """The providers are told in this order."""
        super().__init__()
        self._order = order
        self._matrices: dict[ProviderAddress, tuple[ProviderReview, LockedProvider, CoverageMatrix | None]] = {}
        self._drawn: Review | None = None

    def compose(self) -> ComposeResult:
        """One long text."""
        with VerticalScroll(id="coverage"):
            yield ProseView()
        yield KeyLine()

    def on_mount(self) -> None:
        """Follow the session."""
        self.query_one("#coverage").border_title = plain("Would a client install with this lock file?")
        self.watch(self.app, "session", self._draw)

    def _draw(self) -> None:
        """Lay the text out anew when an audit has ended or a decision was made, not at every byte that arrives."""
        review = app_of(self).session.review
        if review is None or review is self._drawn:
            return
        self._drawn = review
        providers = sorted(review.providers, key=lambda each: self._place(each.address))
        found = [(each, self._matrix(review, each)) for each in providers]
        pending = decisions_of(app_of(self).session)
        self.query_one("#coverage").border_subtitle = plain(
            f"as with {counted(pending, 'decision')} unwritten" if pending else ""
        )
        self.query_one(ProseView).show(lambda width: lines(*_render(found, width)))

    def _place(self, address: ProviderAddress) -> int:
        return self._order.index(address) if address in self._order else len(self._order)

    def _matrix(self, review: Review, provider: ProviderReview) -> CoverageMatrix | None:
        """Its table as it would be once the decisions are written."""
        known, entry = self._matrices.get(provider.address), entry_as_decided(review, provider)
        if known is None or known[0] is not provider or known[1] != entry:
            known = (provider, entry, matrix_of(review, provider, entry))
            self._matrices[provider.address] = known
        return known[2]

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    def action_scroll(self, step: int) -> None:
        """Scroll a line."""
        self.query_one("#coverage", VerticalScroll).scroll_relative(y=step, animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def _render(found: list[tuple[ProviderReview, CoverageMatrix | None]], width: int) -> Iterator[Content]:
    yield from overview((matrix for _, matrix in found), width)
    for provider, matrix in found:
        yield from heading(f"{provider_name(provider.address)} {provider.entry.version}", width)
        if matrix is None:
            yield plain("… its audit has not ended yet", QUIET)
        else:
            yield from render_matrix(matrix, width)
