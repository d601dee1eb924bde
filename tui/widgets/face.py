"""A face: what a screen shows instead of its content while it loads, when it is empty, or when something failed."""

from __future__ import annotations

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from lockwarden.tui.render.prose import QUIET, hanging, sentence
from lockwarden.tui.render.styles import Look
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.widgets.prose_view import ProseView


class Face(Struct, frozen=True, kw_only=True):
    """What happened, the details one by one, and what can be done."""

    look: Look
    title: str
    rows: tuple[tuple[str, str], ...] = ()
    """Sentences, each with its hint or the empty string."""
    keys: tuple[tuple[str, str], ...] = ()
    """Keys that help, and what they do."""
    harmless: bool = False
    """What it stands for is no failure, so that the review behind it counts."""


class FaceView(VerticalScroll, can_focus=True):
    """Shows one face."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._face: Face | None = None

    def compose(self) -> ComposeResult:
        """One block of text."""
        yield ProseView()

    def show(self, face: Face | None) -> None:
        """Show the face, or nothing."""
        if face == self._face:
            return
        self._face = face
        self.query_one(ProseView).show(lambda width: Content("") if face is None else face_told(face, width))


def face_told(face: Face, width: int) -> Content:
    """The face as prose."""
    rows = [*sentence(face.look, face.title, width, style=f"bold {face.look.style}".strip())]
    for text, hint in face.rows:
        rows += [Content(""), *hanging(Content("  "), plain(text), width)]
        if hint:
            rows += hanging(Content("  → "), plain(hint, QUIET), width)
    if face.keys:
        rows.append(Content(""))
    for key, does in face.keys:
        rows += hanging(Content.styled(f"  {key:<6} ", "bold $text-accent"), Content(does), width)
    return lines(*rows)
