"""A line to type in. Of a text of several lines that is pasted it takes the first, and says so."""

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
