"""What stands in the place of a review, laid out as prose. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from textual.content import Content

from lockwarden.tui.render.advice import on_screen, with_keys
from lockwarden.tui.render.prose import advice, hanging, sentence
from lockwarden.tui.render.styles import WAITING, Hue, Look
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.state.placeholders import Placeholder, PlaceholderKind

_LOOKS: Final = MappingProxyType(
    {
        PlaceholderKind.LOADING: WAITING,
        PlaceholderKind.EMPTY: Look("·", Hue.QUIET),
        PlaceholderKind.FAILED: Look("✗", Hue.BAD),
    }
)


def render_placeholder(placeholder: Placeholder, width: int) -> Content:
    """The title, every detail with its hint, and the keys that help."""
    look = _LOOKS[placeholder.kind]
    rows = [*sentence(look, placeholder.title, width, style=f"bold {look.style}".strip())]
    for text, hint in placeholder.rows:
        rows += [Content(""), *hanging(Content("  "), plain(on_screen(text)), width)]
        rows += advice(hint, width)
    if placeholder.keys:
        rows.append(Content(""))
    for key, does in placeholder.keys:
        rows += hanging(Content.styled(f"  {with_keys(key):<6} ", "bold $text-accent"), Content(does), width)
    return lines(*rows)
