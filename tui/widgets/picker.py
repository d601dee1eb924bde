"""A list to choose from, each choice with a mark that is not only a colour: `(•)` for one of many, `[x]` for any."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from lockwarden.tui.widgets.line_list import KeepsReverse

_MARKS = {(True, True): "(•)", (True, False): "( )", (False, True): "[x]", (False, False): "[ ]"}


class VimList(KeepsReverse, OptionList):
    """A list that letters move in, too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]


class Picker(VimList):
    """Choosing is enter, space or a click; what it means is up to whoever hears of it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", "Choose", show=False)]

    def __init__(self, *, id: str, one: bool) -> None:  # noqa: A002
        super().__init__(id=id, markup=False, compact=True)
        self._one = one

    def show(self, choices: Iterable[tuple[str, Content, bool]]) -> None:
        """Show these choices: name, what is said of it, and whether it is chosen. The cursor keeps its place."""
        at = self.highlighted or 0
        self.set_options(
            Option(Content.assemble(_MARKS[self._one, chosen], " ", told), id=name) for name, told, chosen in choices
        )
        if self.option_count:
            self.highlighted = min(at, self.option_count - 1)
