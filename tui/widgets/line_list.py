"""A list of which only the lines that can be seen are made, so that a thousand entries are as quick as ten."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size, Spacing
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from lockwarden.tui.widgets.drawing import Drawing

KeyT = TypeVar("KeyT", bound=Hashable)
_KEPT: Final = 4
"""Screens of drawn entries that are kept."""


# Textual takes the default styles of the first base that is a widget, which this must not be.
if TYPE_CHECKING:
    _AnyWidget = Widget
else:
    _AnyWidget = object


class KeepsReverse(_AnyWidget):
    """A widget whose components may be drawn the other way round, which Textual leaves out of their styles."""

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """The style of some components; reversed where the style sheet says so."""
        style = super().get_visual_style(*component_classes, partial=partial)
        app = self.app
        if not (app.native_ansi_color or app.no_color):  # elsewhere no style sheet of ours says so
            return style
        if any(self.get_component_styles(each).text_style.reverse for each in component_classes):
            return style + Style(reverse=True)
        return style


class LineList(KeepsReverse, ScrollView, Generic[KeyT], can_focus=True):
    """Entries by key, each as many lines high as all others.

    What is selected is up to whoever hears of a move. The cursor does not wait for the answer, so that no key is lost
    when several come at once.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-list--header",
        "line-list--line",
        "line-list--selected",
        "line-list--fixed",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("home,g", "end(-1)", "Top", show=False),
        Binding("end,G", "end(1)", "Bottom", show=False),
    ]

    def __init__(self, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._keys: tuple[KeyT, ...] = ()
        self._selectable = 0
        """So many keys from the first one can be selected."""
        self._cursor: KeyT | None = None
        self._agreed: KeyT | None = None
        """What was selected when the entries were shown last."""
        self._asked: deque[KeyT] = deque()
        """Where a person moved, as far as nobody has answered yet."""
        self._painted: dict[KeyT, Content] = {}
        """The contents that are on the screen."""
        self._drawing = Drawing(self, self._get_style)
        self._strips: dict[KeyT, tuple[Content, tuple[str, Style], int, list[Strip]]] = {}
        """What was drawn last of each entry that can be seen, and what it was drawn from."""

    @abstractmethod
    def content_of(self, key: KeyT, width: int) -> Content:
        """An entry in lines of `width` cells at most; the same object as before when nothing has changed."""

    @property
    @abstractmethod
    def entry_height(self) -> int:
        """Lines that an entry takes."""

    has_header: ClassVar[bool] = False
    """Whether a line stays above the entries."""

    def header(self, width: int) -> Content:  # noqa: ARG002
        """The line above the entries."""
        return Content("")

    @abstractmethod
    def tell(self, key: KeyT, *, opened: bool) -> None:
        """A person moved to an entry, or clicked on it."""

    @property
    def cursor(self) -> KeyT | None:
        """The entry that the cursor is on."""
        return self._cursor

    @property
    def on_the_way(self) -> KeyT | None:
        """Where a person has moved, while nobody has heard of it yet; None otherwise."""
        return self._asked[-1] if self._asked else None

    @property
    def line_width(self) -> int:
        """Cells of a line."""
        return max(1, self.scrollable_content_region.width)

    def show_entries(self, keys: Sequence[KeyT], selected: KeyT | None, *, fixed: Collection[KeyT] = ()) -> None:
        """Show these entries, and then the fixed ones, which cannot be selected; only what differs is painted anew."""
        before, self._keys, self._selectable = self._keys, (*keys, *fixed), len(keys)
        line = self._line_of_cursor(before)
        moved = self._follow(selected)
        self._fit()
        if self._keys == before:
            self._refresh_changed()
        else:
            self._painted.clear()
            self.refresh()
            if not moved and line is not None and self._cursor in self._keys:
                top = self._keys.index(self._cursor) * self.entry_height - line
                self.call_after_refresh(self.scroll_to, y=max(0, top), animate=False)
                return
        if moved or self._keys != before:
            self.call_after_refresh(self._show_cursor)

    def _line_of_cursor(self, keys: Sequence[KeyT]) -> int | None:
        """The line of the screen that the cursor is on, to be kept when the entries around it are others."""
        return keys.index(self._cursor) * self.entry_height - self.scroll_offset.y if self._cursor in keys else None

    def _fit(self) -> None:
        self.virtual_size = Size(0, self._headers + len(self._keys) * self.entry_height)

    @property
    def _headers(self) -> int:
        """Lines above the entries."""
        return 1 if self.has_header else 0

    @property
    def _room(self) -> int:
        """Lines of the screen for entries."""
        return max(0, self.scrollable_content_region.height - self._headers)

    def _follow(self, selected: KeyT | None) -> bool:
        """Take the selection over, unless a person has moved on meanwhile. Whether the cursor moved."""
        if selected in self._asked:
            while self._asked.popleft() != selected:
                pass
        elif selected != self._agreed or any(each not in self._keys for each in self._asked):
            self._asked.clear()
        self._agreed = selected
        return not self._asked and self._put_cursor(selected)

    def _put_cursor(self, key: KeyT | None) -> bool:
        if key == self._cursor:
            return False
        for each in (self._cursor, key):
            if each is not None:
                self._painted.pop(each, None)
        self._cursor = key
        self._refresh_changed()
        return True

    def _refresh_changed(self) -> None:
        """Paint the entries anew that can be seen and look another way now."""
        height, width = self.entry_height, self.line_width
        first = self.scroll_offset.y // height
        last = (self.scroll_offset.y + self._room) // height
        for place, key in enumerate(self._keys[first : last + 1], start=first):
            if self._painted.get(key) is not self.content_of(key, width):
                self.refresh_lines(self._headers + place * height, height)

    def _show_cursor(self) -> None:
        if self._cursor in self._keys:
            height = self.entry_height
            headers = self._headers
            region = Region(0, headers + self._keys.index(self._cursor) * height, self.line_width, height)
            self.scroll_to_region(region, spacing=Spacing(top=headers), animate=False, force=True)

    def on_resize(self) -> None:
        """Lay everything out for another width, and keep the selected entry in view."""
        self._fit()
        self.refresh()
        self._show_cursor()

    def render_line(self, y: int) -> Strip:
        """What is on one line of the screen."""
        width, height, headers = self.line_width, self.entry_height, self._headers
        if y < headers:
            style = self.get_visual_style("line-list--header")
            return self._drawing.strips(self.header(width), style, width, 1)[0]
        place, line = divmod(self.scroll_offset.y + y - headers, height)
        if place >= len(self._keys):
            return Strip.blank(width, self.get_visual_style("line-list--line").rich_style)
        key = self._keys[place]
        if place >= self._selectable:
            style = self.get_visual_style("line-list--line", "line-list--fixed")
        elif key == self._cursor:
            style = self.get_visual_style("line-list--line", "line-list--selected")
        else:
            style = self.get_visual_style("line-list--line")
        content = self.content_of(key, width)
        self._painted[key] = content
        strips = self._strips_of(key, content, style, width)
        return strips[line] if line < len(strips) else Strip.blank(width)

    def _strips_of(self, key: KeyT, content: Content, style: Style, width: int) -> list[Strip]:
        """The lines of an entry; drawn anew only where it looks another way than before."""
        if self.text_selection is not None:
            return self._drawing.strips(content, style, width, self.entry_height)
        looks = (self.app.theme, style)
        known = self._strips.get(key)
        if known is None or known[0] is not content or known[1] != looks or known[2] != width:
            if len(self._strips) > _KEPT * max(1, self._room):
                self._strips.clear()
            known = (content, looks, width, self._drawing.strips(content, style, width, self.entry_height))
            self._strips[key] = known
        return known[3]

    def action_move(self, step: int) -> None:
        """Move by some entries."""
        self._go(self._at + step)

    def action_page(self, step: int) -> None:
        """Move by as many entries as can be seen."""
        self._go(self._at + step * max(1, self._room // self.entry_height - 1))

    def action_end(self, step: int) -> None:
        """Move to the first or the last entry."""
        self._go(self._selectable if step > 0 else 0)

    def action_open(self) -> None:
        """Open the selected entry."""
        if self._cursor is not None:
            self.tell(self._cursor, opened=True)

    @property
    def _at(self) -> int:
        return self._keys.index(self._cursor) if self._cursor in self._keys else 0

    def _go(self, place: int) -> None:
        if not self._selectable:
            return
        key = self._keys[max(0, min(place, self._selectable - 1))]
        if key != self._cursor:
            self._asked.append(key)
            self._put_cursor(key)
            self._show_cursor()
            self.tell(key, opened=False)

    def on_click(self, event: events.Click) -> None:
        """Tell which entry was clicked."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self._headers:
            return
        place = (self.scroll_offset.y + offset.y - self._headers) // self.entry_height
        if place < self._selectable:
            self.clicked(self._keys[place])

    def clicked(self, key: KeyT) -> None:
        """An entry was clicked: select it, and open the one that is selected."""
        self.tell(key, opened=key == self._cursor)
