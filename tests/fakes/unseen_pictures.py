"""Textual without pictures that nobody sees.

What this changes is private to Textual, and only how long something takes: the pictures of `tests/snapshots`, and every
test that reads the screen, are the same without it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from rich.console import RenderableType
from textual._compositor import Compositor
from textual.app import App
from textual.css.stylesheet import Stylesheet

_STYLESHEETS: Final[dict[str, Stylesheet]] = {}


@dataclass
class _Eyes:
    open: bool = True


_EYES: Final = _Eyes()


@contextlib.contextmanager
def eyes(*, open: bool) -> Iterator[None]:  # noqa: A002 - eyes are open or not
    """Whether somebody looks at the screen."""
    before, _EYES.open = _EYES.open, open
    try:
        yield
    finally:
        _EYES.open = before


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """Let apps draw only while a driver looks at the screen, or a picture is made of it.

    Without a terminal an app draws for nobody, after every change of anything. What was not drawn is drawn when
    somebody looks, from the same state.
    """
    update, export = Compositor.render_update, App.export_screenshot

    def render_update(compositor: Compositor, *given: Any, **options: Any) -> RenderableType | None:
        if _EYES.open:
            return update(compositor, *given, **options)
        compositor._dirty_regions.clear()
        return None

    def export_screenshot(app: App[object], *, title: str | None = None, simplify: bool = False) -> str:
        with eyes(open=True):
            return export(app, title=title, simplify=simplify)

    with pytest.MonkeyPatch.context() as patch, eyes(open=False):
        patch.setattr(Compositor, "render_update", render_update)
        patch.setattr(App, "export_screenshot", export_screenshot)
        yield


def share_styles(app: App[Any]) -> None:
    """Give an app the style sheet of another of the same theme: they are parsed once and not for every app."""
    app.stylesheet = _STYLESHEETS.setdefault(app.theme, app.stylesheet)
