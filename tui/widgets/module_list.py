"""The module calls, two lines each; what could not be read of the configuration comes first."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message

from lockwarden.core.modules.listing import ListedCall, ReadingProblem
from lockwarden.tui.render.modules import entry_rows, list_title
from lockwarden.tui.render.text import plain
from lockwarden.tui.state.modules import ModulesState
from lockwarden.tui.widgets.line_list import LineList
from lockwarden.tui.widgets.titles import retitle


class ModuleList(LineList[int]):
    """A list by place; which entry is selected is up to whoever hears of it."""

    class EntryChosen(Message):
        """A person moved to an entry."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__(id="module-list")
        self._entries: tuple[ReadingProblem | ListedCall, ...] = ()
        self._drawn: dict[int, tuple[ReadingProblem | ListedCall, int, Content]] = {}
        """What was drawn last of each entry, and what it was drawn from."""

    def show(self, state: ModulesState) -> None:
        """Show another moment."""
        self._entries = state.entries
        retitle(self, plain(list_title(state.listing)), Content(""))
        self.show_entries(range(len(self._entries)), state.selected if self._entries else None)

    @property
    def entry_height(self) -> int:
        """Always two lines."""
        return 2

    def content_of(self, key: int, width: int) -> Content:
        """The lines of an entry."""
        entry, before = self._entries[key], self._drawn.get(key)
        if before is None or before[0] is not entry or before[1] != width:
            rows = [each.truncate(width, ellipsis=True) for each in entry_rows(entry, width).split("\n")]
            self._drawn[key] = before = (entry, width, Content("\n").join(rows))
        return before[2]

    def tell(self, key: int, *, opened: bool) -> None:  # noqa: ARG002 - its text stands beside it
        """Tell where a person moved."""
        self.post_message(self.EntryChosen(key))
