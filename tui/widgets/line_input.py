"""A line to type in, whose keys count in their order. Of a text of several lines it takes the first, and says so."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import Input


class LineInput(Input):
    """Shows one line, and takes no more."""

    class LinesLeftOut(Message):
        """Of so many pasted lines only the first was taken."""

        def __init__(self, lines: int) -> None:
            super().__init__()
            self.lines = lines

        @property
        def told(self) -> str:
            """That, for a person."""
            return f"{self.lines} lines were pasted, and only the first was taken"

    _typed = 0
    """Characters that were typed into the line since it has the focus, at its cursor."""

    async def on_key(self, event: events.Key) -> None:
        """Count what is typed; do what a key of the line does in its turn, before what is typed behind it.

        Textual does so once the key came back to the app, and letters that were typed meanwhile are in the line then.
        """
        self._typed = self._typed + 1 if event.is_printable else 0
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return

    def on_blur(self) -> None:
        """What is typed next is typed anew."""
        self._typed = 0

    def take_before(self, text: str) -> None:
        """Take what was typed before the line had the focus, and came to others: before what was typed since."""
        self.call_later(self._take_before, text)  # in its turn: whatever is selected when the focus comes is replaced

    def _take_before(self, text: str) -> None:
        if self.selection.is_empty:
            cursor = self.cursor_position
            self.insert(text, max(0, cursor - self._typed))
            self.cursor_position = cursor + len(text)
        else:
            self.replace(text, *self.selection)

    def on_paste(self, event: events.Paste) -> None:
        """Take the first line that says something."""
        event.stop()
        event.prevent_default()
        lines = said_lines(event.text)
        if lines:
            self.insert_text_at_cursor(lines[0])
        if len(lines) > 1:
            self.post_message(self.LinesLeftOut(len(lines)))


def said_lines(text: str) -> list[str]:
    """The lines of a text that are not blank, without the blanks around them."""
    return [each.strip() for each in text.splitlines() if each.strip()]
