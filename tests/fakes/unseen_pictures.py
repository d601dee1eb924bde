"""Textual without pictures that nobody sees.

What this changes is private to Textual, and only how long something takes: the pictures of `tests/snapshots`, and every
test that reads the screen, are the same without it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from rich.console import RenderableType
from textual._compositor import Compositor
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.widget import Widget

_STYLESHEETS: Final[dict[str, Stylesheet]] = {}


class _NothingKept:
    """A cache of a line that keeps nothing: few lines are asked twice, and seven caches for each cost more."""

    __slots__ = ()

    def get(self, key: object, default: object = None) -> object:
        """Nothing."""
        return default

    def __setitem__(self, key: object, value: object) -> None:
        """Nothing is kept."""


_NOTHING_KEPT: Final = _NothingKept()


def _apply_once(apply: Callable[..., None]) -> Callable[..., None]:
    """Leave a widget its styles while neither the rules nor anything that their selectors look at has changed."""
    names: list[tuple[object, frozenset[str]]] = []

    def looked_at(rules: list[RuleSet]) -> frozenset[str]:
        """The pseudo-classes that any of the rules asks for."""
        if not names or names[0][0] is not rules:
            names[:] = [(rules, frozenset(name for rule in rules for name in rule.pseudo_classes))]
        return names[0][1]

    def look(node: DOMNode, wanted: frozenset[str], seen: dict[object, object]) -> object:
        """What selectors can see of a node and of what it lies in."""
        known = seen.get(node)
        if known is None:
            above = look(node._parent, wanted, seen) if isinstance(node._parent, DOMNode) else None
            holding: dict[str, Callable[[Any], bool]] = node._PSEUDO_CLASSES
            states = tuple(name for name, holds in holding.items() if name in wanted and holds(node))
            known = seen[node] = (above, type(node), node._id, node.classes, states)
        return known

    def apply_once(
        sheet: Stylesheet, node: DOMNode, *, animate: bool = False, cache: dict[object, Any] | None = None
    ) -> None:
        if cache is not None and isinstance(node, Widget):
            rules = sheet.rules
            now = look(node, looked_at(rules), cache.setdefault(_LOOKS, {}))
            before = node.__dict__.get(_LOOKS)
            if before is not None and before[0] is rules and before[1] == now:
                return
            node.__dict__[_LOOKS] = (rules, now)
        apply(sheet, node, animate=animate, cache=cache)

    return apply_once


_LOOKS: Final = "_look_when_styled"


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
        patch.setattr(Stylesheet, "apply", _apply_once(Stylesheet.apply))
        patch.setattr("textual.strip.FIFOCache", lambda size: _NOTHING_KEPT)
        patch.setattr(Compositor, "render_update", render_update)
        patch.setattr(App, "export_screenshot", export_screenshot)
        yield


def share_styles(app: App[Any]) -> None:
    """Give an app the style sheet of another of the same theme: they are parsed once and not for every app."""
    app.stylesheet = _STYLESHEETS.setdefault(app.theme, app.stylesheet)
