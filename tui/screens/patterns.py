"""For which providers a rule is to hold: some addresses, or everything of their namespaces."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, OptionList, Static

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.tui.render.text import plain, shorten_start
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.widgets.picker import Picker


class PatternsScreen(ModalScreen[tuple[ProviderPattern, ...]]):
    """Ends with the patterns that were chosen; with none when it was given up."""

    CSS_PATH = "patterns.tcss"
    AUTO_FOCUS = "#patterns"
    BINDINGS: ClassVar[list[BindingType]] = [
        help_key("patterns", show=False),
        Binding("escape", "answer(False)", "Back", id="patterns.back", tooltip="Go back without a change"),
        Binding("left", "app.focus_previous", "Previous", show=False, id="patterns.previous"),
        Binding("right", "app.focus_next", "Next", show=False, id="patterns.next"),
    ]

    def __init__(self, title: str, addresses: tuple[ProviderAddress, ...], *, warning: str = "") -> None:
        """The addresses are chosen at first; their namespaces can be. `warning` stands between title and choice."""
        super().__init__()
        self._title = title
        self._warning = warning
        self._patterns = _patterns(addresses)
        self._chosen = {str(each) for each in addresses}

    def compose(self) -> ComposeResult:
        """The patterns, and the answers, the safe one first."""
        with Vertical(id="question"):
            yield Static(plain(self._title, "bold"), markup=False)
            if self._warning:
                yield Static(plain(self._warning, "$text-error"), markup=False)
            yield Picker(id="patterns", one=False)
            yield Static(id="problem", markup=False)
            with Horizontal(id="answers"):
                yield Button("Cancel", id="cancel")
                yield Button("Look at the change", id="look")

    def on_mount(self) -> None:
        """Show what there is to choose from."""
        self._draw()

    def on_resize(self) -> None:
        """Lay the lines out anew for another width."""
        self._draw()

    def _draw(self) -> None:
        picker = self.query_one(Picker)
        width = max(10, self.size.width - 16)
        picker.show((text, plain(shorten_start(text, width)), text in self._chosen) for text in self._patterns)
        self.query_one("#look", Button).disabled = not self._chosen
        problem = self.query_one("#problem", Static)
        problem.update(plain("choose at least one with space", "$text-warning"))
        problem.display = not self._chosen

    @on(OptionList.OptionSelected)
    def _toggled(self, event: OptionList.OptionSelected) -> None:
        self._chosen ^= {event.option_id or ""}
        self._draw()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.action_answer(event.button.id == "look")

    def action_answer(self, agreed: bool) -> None:
        """Answer without a button."""
        self.dismiss(tuple(self._patterns[each] for each in self._patterns if each in self._chosen) if agreed else ())


def _patterns(addresses: tuple[ProviderAddress, ...]) -> dict[str, ProviderPattern]:
    """Patterns by their text: the addresses, then the namespaces that they are in."""
    texts = dict.fromkeys(str(each) for each in addresses)
    texts |= dict.fromkeys(f"{each.hostname.display}/{each.namespace}/*" for each in addresses)
    return {text: ProviderPattern.parse(text) for text in texts}
