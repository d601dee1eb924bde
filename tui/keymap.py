"""Which keys a person may put actions on, and what is wrong with those that they chose."""

from __future__ import annotations

import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, Keys

from lockwarden.tui.render.text import reveal
from lockwarden.tui.screens.bindings import (
    FILES_BINDINGS,
    MODULES_BINDINGS,
    RESOLVING_BINDINGS,
    REVIEW_BINDINGS,
    SIGNING_KEY_BINDINGS,
    SOURCES_BINDINGS,
)

_ALL: Final = (
    *REVIEW_BINDINGS,
    *SIGNING_KEY_BINDINGS,
    *SOURCES_BINDINGS,
    *MODULES_BINDINGS,
    *RESOLVING_BINDINGS,
    *FILES_BINDINGS,
)
BY_NAME: Final[Mapping[str, Binding]] = {each.id: each for each in _ALL if each.id is not None}
"""Everything that a key can be chosen for."""
_PUNCTUATION: Final = [
    unicodedata.name(each).lower().replace("-", "_").replace(" ", "_") for each in string.punctuation
]
_KEYS: Final = frozenset(
    (*(each.value for each in Keys), *(KEY_NAME_REPLACEMENTS.get(each, each) for each in _PUNCTUATION))
)
_EXAMPLES: Final = (
    "d",
    "ctrl+d",
    "f2",
    "slash",
    "space",
    "enter",
    "escape",
    "tab",
    "home",
    "end",
    "pageup",
    "pagedown",
)
"""Keys that have names, and how others are written; one of them is named where a key is not known."""
_WITH: Final = ("alt+", "shift+", "ctrl+", "super+", "meta+", "hyper+")


class KeymapError(Exception):
    """What is wrong with one entry; instead of `word` one of the names that are `known` may have been meant."""

    def __init__(self, entry: str, message: str, *, word: str = "", known: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.entry = entry
        self.message = message
        self.word = word
        self.known = tuple(known)


def checked_keymap(chosen: Mapping[str, str]) -> dict[str, str]:
    """The keys as Textual takes them: by the name of what they do, with commas between several.

    Raises KeymapError for a name or a key that is not known, and for a key that two things on one screen would have.
    """
    keymap: dict[str, str] = {}
    for name, text in chosen.items():
        if name not in BY_NAME:
            raise KeymapError(name, "nothing is called that", word=name, known=BY_NAME)
        keys = [each.strip() for each in text.split(",")] if text != "," else ["comma"]
        for key in keys:
            if not _is_key(key):
                raise KeymapError(name, f"there is no key “{reveal(key)}”", word=key, known=_EXAMPLES)
        keymap[name] = ",".join(keys)
    for name in keymap:
        for key in _keys(name, keymap):
            if others := sorted(other for other in _having(key, name, keymap) if other != name):
                raise KeymapError(name, f"{key} is that of {others[0]} as well; give that another one")
    return keymap


def _is_key(key: str) -> bool:
    while (plain := next((key.removeprefix(each) for each in _WITH if key.startswith(each)), key)) != key:
        key = plain
    return (len(key) == 1 and key.isprintable()) or key in _KEYS


def _keys(name: str, keymap: Mapping[str, str]) -> Iterator[str]:
    """The keys of an action, as Textual names them."""
    text = keymap.get(name) or BY_NAME[name].key
    for each in Binding.make_bindings([Binding(text, "none", "")]):
        yield each.key


def _having(key: str, name: str, keymap: Mapping[str, str]) -> Iterator[str]:
    """What on the same screen has a key."""
    screens: defaultdict[str, list[str]] = defaultdict(list)
    for each in BY_NAME:
        screens[each.partition(".")[0]].append(each)
    return (each for each in screens[name.partition(".")[0]] if key in _keys(each, keymap))
