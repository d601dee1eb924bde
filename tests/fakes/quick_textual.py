"""Textual without what no test looks at: pictures that nobody sees, and styles that were worked out before.

All here is private to Textual and changes how long it takes, not what it does; the pictures of `tests/snapshots`, and
every test that reads the screen, are the same without it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import pytest
from rich.console import RenderableType
from textual._compositor import Compositor
from textual.app import App
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

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
    """Let apps draw only while a driver looks at the screen, or a picture is made of it, and style what has changed.

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
        patch.setattr(Stylesheet, "apply", _apply)
        patch.setattr(RuleSet, "__hash__", object.__hash__)
        patch.setattr(MessagePump, "_get_dispatch_methods", _dispatch_methods)
        yield


def share_styles(app: App[Any]) -> None:
    """Give an app the style sheet of another of the same theme: they are parsed once and not for every app."""
    app.stylesheet = _STYLESHEETS.setdefault(app.theme, app.stylesheet)


class _Known(NamedTuple):
    """The outcome for nodes that look the same to every selector."""

    rules: RulesMap
    hover: bool
    focus_within: bool


_APPLY: Final = Stylesheet.apply
_KNOWN: Final[WeakKeyDictionary[Stylesheet, tuple[list[RuleSet], dict[object, _Known]]]] = WeakKeyDictionary()


def _apply(
    sheet: Stylesheet, node: DOMNode, *, animate: bool = False, cache: dict[tuple[object, ...], RulesMap] | None = None
) -> None:
    """Style a node as another one was styled that no selector could tell from it."""
    rules = sheet.rules
    if (kept := _KNOWN.get(sheet)) is None or kept[0] is not rules:
        _KNOWN[sheet] = kept = (rules, {})
    key = _as_seen_by_selectors(node)
    if (known := kept[1].get(key)) is None:
        _APPLY(sheet, node, animate=animate, cache=cache)
        if not (node._has_order_style or node._has_odd_or_even):
            base = node.styles.base
            kept[1][key] = _Known(base._rules.copy(), node._has_hover_style, node._has_focus_within)
        return
    node._has_hover_style, node._has_focus_within = known.hover, known.focus_within
    node._has_order_style = node._has_odd_or_even = False
    if node.styles.base._rules == known.rules:
        node.notify_style_update()
    else:
        sheet.replace_rules(node, known.rules, animate=animate)
    sheet._process_component_classes(node)


def _as_seen_by_selectors(node: DOMNode) -> object:
    path = node.css_path_nodes
    screen = next((each for each in path if isinstance(each, Screen)), None)
    focused = screen.focused if screen is not None else None
    within = focused.css_path_nodes if focused is not None else ()
    return tuple(_state(each, within) for each in path)


def _state(node: DOMNode, within: Iterable[DOMNode]) -> tuple[object, ...]:
    seen = (type(node), node._id, frozenset(node._classes))
    if isinstance(node, Widget):
        focus = any(each is node for each in within)
        return (*seen, node.mouse_hover, node.has_focus, node.disabled, node.can_focus, focus)
    if isinstance(node, App):
        return (*seen, node.app_focus, node.theme, node.is_inline, node.native_ansi_color, node.no_color)
    return seen


_Handler = Callable[[Message], Awaitable[Any]]
_DISPATCH: Final = MessagePump._get_dispatch_methods
_HEARD: Final[dict[tuple[type, type, str], bool]] = {}


def _dispatch_methods(pump: MessagePump, method_name: str, message: Message) -> Iterable[tuple[type, _Handler]]:
    """Look for those who handle a message only where somebody of this kind does."""
    key = (type(pump), type(message), method_name)
    if (heard := _HEARD.get(key)) is None:
        heard = _HEARD[key] = _handles(*key)
    return _DISPATCH(pump, method_name, message) if heard else ()


def _handles(pump: type, message: type, method_name: str) -> bool:
    """Whether a class, or one that it is made of, has a method for a message."""
    return any(
        f"_{method_name}" in each.__dict__
        or method_name in each.__dict__
        or any(kind in each.__dict__.get("_decorated_handlers", ()) for kind in message.__mro__)
        for each in pump.__mro__
    )
