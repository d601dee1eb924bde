"""The title in a pane's border."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget


def retitle(widget: Widget, title: Content, subtitle: Content) -> None:
    """Give a pane these titles. Those that it has already are left alone: setting one paints the whole pane anew."""
    if widget.border_title != title.markup:
        widget.border_title = title
    if widget.border_subtitle != subtitle.markup:
        widget.border_subtitle = subtitle
