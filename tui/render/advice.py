"""Advice as the screen gives it: where a command's options or other commands would help, the key that does it.

What the core advises is worded for whoever reads a report. On the screen nobody is at a command line, so that each such
phrase has its counterpart here, with the key that does it now; of what no key can do, it says how to begin.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from functools import partial
from types import MappingProxyType
from typing import Final

from textual.keys import format_key

_KEYS: Final = "⟨accept⟩ accepts what is suggested, ⟨write⟩ writes it"
_CONFIG: Final = r"“lockwarden config(?: \S+)?” (?:with the address )?shows all methods"
_PLATFORM: Final = r"(?P<platform>[\w*]+)"
_PHRASES: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (
            rf"review the package and add (?P<what>[\w ]+) with “lockwarden lock --platform {_PLATFORM}”",
            rf"review the package and add \g<what>: ⟨sources⟩ looks at \g<platform>, {_KEYS}",
        ),
        (rf"“lockwarden lock --platform {_PLATFORM}” adds it", rf"⟨sources⟩ looks at \g<platform>, {_KEYS}"),
        (r"“lockwarden lock --platform” adds it", f"⟨sources⟩ looks at the platform, {_KEYS}"),
        (r"“lockwarden lock” adds the hashes of the platforms that you name", f"⟨sources⟩ names platforms, {_KEYS}"),
        (r"“lockwarden lock” adds (?P<what>[\w ]+)", r"⟨accept⟩ accepts \g<what>, ⟨write⟩ writes it"),
        (r"add them: lockwarden lock --platform OS_ARCH", f"add them: ⟨sources⟩ names them, {_KEYS}"),
        (r"(?P<add>[Aa]dd its hashes), as “lockwarden lock” does", rf"\g<add>: {_KEYS}"),
        (
            r"“lockwarden resolve” shows what each side locks, and writes what is confirmed of it",
            "⟨resolve⟩ shows what each side locks, and writes what is confirmed of it",
        ),
        (r"ask less at once with --jobs", "let the review begin with fewer packages at the same time"),
        (r"leave it out with --no-cache", "let the review begin without it"),
        (r"lockwarden keys prints it", "⟨keys⟩ shows it"),
        (r"(?P<look>[Ss]ee which signatures were found[\w ]*): lockwarden keys", r"\g<look>: ⟨keys⟩"),
        (r"lockwarden approve-sign", "the command approve-sign"),
        (
            r"remove “hashes” from the entry, and “lockwarden lock” makes them anew",
            f"drop those hashes one by one with ⟨decide⟩; {_KEYS}",
        ),
        (rf"check again with “--platform {_PLATFORM}”", r"⟨sources⟩ looks at \g<platform>, too"),
        (rf"look at the package with --platform {_PLATFORM}", r"look at the package of \g<platform> with ⟨sources⟩"),
        (
            rf"(?P<look>[Ll]ook at that platform, too): --platform {_PLATFORM}",
            r"\g<look>: add \g<platform> with ⟨sources⟩",
        ),
        (r"(?P<look>[Ll]ook at that platform, too), with --platform", r"\g<look>, with ⟨sources⟩"),
        (
            rf"{_CONFIG}; name a source, such as --source direct",
            "⟨sources⟩ shows the sources; add one there, such as direct",
        ),
        (r"name the repository yourself: --source ", "name the repository yourself with ⟨sources⟩: "),
        (r"because of --offline", "since the review was begun offline"),
        (r"as --client says", "as was said when the review began"),
        (
            r"check with “--client (?P<client>\w+)” as well",
            r"review it as \g<client> does as well: begin the review anew with that client",
        ),
        (r"with --offline, nobody", "offline, nobody"),
        (r"leave --offline out to have it asked", "begin the review anew with the network to have it asked"),
        (r"leave --offline out", "begin the review anew with the network"),
        (r"lockwarden modules lists them with their names", "⟨modules⟩ lists them with their names"),
        (
            r"to accept it, remove its block from the module lock and lock again",
            "⟨module diff⟩ shows what is new, ⟨accept module⟩ accepts it as it is today",
        ),
        (
            r"remove its block from the module lock, install the module, and lock again",
            "install the module, and accept it with ⟨accept module⟩",
        ),
        (
            r"remove the block, install the module anew, lock again, and look at what differs",
            "install the module anew, accept it with ⟨accept module⟩, and look at what differs",
        ),
        (r"remove the block from the module lock and lock again", "⟨accept module⟩ accepts it as it is today"),
        (r"remove the block and lock again", "remove the block, and accept the call with ⟨accept module⟩"),
        (r"with lockwarden modules --diff", "with ⟨module diff⟩"),
        (r"lockwarden modules --lock adds one", "⟨accept module⟩ adds one"),
        (r"lockwarden modules --lock writes down what it means", "⟨accept module⟩ writes down what it means"),
        (r"nobody asked what its source means today$", "nobody asked what its source means today; ⟨ask modules⟩ asks"),
        (r"Check again without --offline", "Begin the review anew with the network"),
        (
            r"(?P<more>[Gg]ive it more time) with --timeout",
            r"\g<more> where the review begins, or ask again with ⟨ask again⟩",
        ),
        (r"take all below with --recursive \(-r\)", "begin the review anew with all folders below"),
        (r"begin it without --read-only, or serve it with --write", "begin the review anew as one that may write"),
        (r"name their key with --evidence-signers", "begin the review anew with their key as one of evidence"),
        (r"leave --base out", "choose another base with ⟨base⟩"),
        (r"with --base", "with a base"),
        (r"name it: --token-host (?P<host>\S+)", r"let the review begin with \g<host> as a token host"),
        (r"name it with --token-host", "let the review begin with it as a token host"),
        (r"or name it: --policy FILE", "or let the review begin with that policy"),
        (r"or name it with --policy", "or let the review begin with that policy"),
        (
            r"plain http needs a loopback address or --insecure-http",
            "plain http needs a loopback address, or a host that the review was allowed it for when it began",
        ),
    )
)
KEYS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "accept": ("review.accept", "a"),
        "decide": ("review.decide", "space"),
        "write": ("review.write", "w"),
        "sources": ("review.sources", "s"),
        "resolve": ("review.resolve", "m"),
        "keys": ("review.keys", "K"),
        "modules": ("review.modules", "M"),
        "ask again": ("review.ask_again", "r"),
        "base": ("review.base", "b"),
        "changes": ("review.changes_only", "v"),
        "open": ("review.detail", "enter"),
        "undo": ("review.undo", "z"),
        "back": ("review.back", "escape"),
        "leave": ("review.leave", "q"),
        "left": ("review.pane_left", "left,h"),
        "right": ("review.pane_right", "right,l"),
        "files ask again": ("files.ask_again", "r"),
        "files back": ("files.back", "escape"),
        "files leave": ("files.leave", "q"),
        "ask modules": ("modules.ask", "r"),
        "modules back": ("modules.back", "escape"),
        "accept module": ("modules.accept", "a"),
        "module diff": ("modules.diff", "d"),
        "pin module": ("modules.pin", "p"),
        "take": ("resolving.take", "space"),
        "read conflict again": ("resolving.read_again", "r"),
        "write resolved": ("resolving.write", "w"),
        "resolving back": ("resolving.close", "escape,q"),
    }
)
"""What a phrase calls each key: the name of its action in a keymap, and the key that it has without one."""
_ARROWS: Final = frozenset({"left", "right", "up", "down"})
_NAMES: Final = MappingProxyType({"enter": "enter"})
"""Keys that a sentence calls by another name than the key line."""
_NAMED: Final = re.compile(f"⟨({'|'.join(KEYS)})⟩")
_keymap: Final[ContextVar[Mapping[str, str]]] = ContextVar("keymap", default=MappingProxyType({}))
"""The keys of the app that is being drawn, where a person chose others."""
_MARKS: Final = ("--", "lockwarden ", "lock again", "source means today")


def on_screen(text: str) -> str:
    """The sentence, with keys in the place of a command line's words."""
    if any(each in text for each in _MARKS):
        for phrase, instead in _PHRASES:
            text = phrase.sub(partial(_told, instead), text)
    return text


def use_keys(keymap: Mapping[str, str]) -> None:
    """Name the keys that a person chose, from now on and in everything that is begun from here."""
    _keymap.set(keymap)


def with_keys(sentence: str) -> str:
    """A sentence of our own in which keys stand as ⟨ask again⟩, with the keys that do it now."""
    return _NAMED.sub(_key, sentence)


def _told(instead: str, found: re.Match[str]) -> str:
    """A phrase's counterpart, with the keys that do it now."""
    named = _NAMED.sub(lambda key: _key(key).replace("\\", r"\\"), instead)
    return found.expand(named)


def _key(named: re.Match[str]) -> str:
    action, usual = KEYS[named[1]]
    keys = [each.strip() for each in _keymap.get().get(action, usual).split(",")]
    # An arrow is a sign for advice here, so that a letter beside it says more.
    chosen = next((each for each in keys if each not in _ARROWS), keys[0])
    before, plus, key = chosen.rpartition("+") if chosen != "+" else ("", "", chosen)
    return f"{before}{plus}".replace("ctrl+", "^") + _NAMES.get(key, format_key(key))
