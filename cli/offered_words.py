"""What a shell is offered for an option's value, where that is neither one of a few words nor a path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from click import Context, Parameter
    from click.shell_completion import CompletionItem

    Offer = Callable[[Context, Parameter, str], list[CompletionItem]]
_SOURCES: Final = ("direct", "https://", "oci://", "plugin-cache:", "installed:")
"""Each is a word, or the beginning of what only whoever types knows."""


def sources(_context: Context, _parameter: Parameter, begun: str) -> list[CompletionItem]:
    """Folders, and the spellings of others; in this order, since bash forgets what stands before folders."""
    return [*_paths(begun, "dir"), *_beginning(_SOURCES, begun)]


def platforms(_context: Context, _parameter: Parameter, begun: str) -> list[CompletionItem]:
    """Which platforms are looked at without a name, then the common ones, those of most people first."""
    from lockwarden.core.values.platforms import POPULARITY

    return _beginning(("auto", "all", *POPULARITY), begun)


def themes(_context: Context, _parameter: Parameter, begun: str) -> list[CompletionItem]:
    """The themes of our own, and the one that fits."""
    return _beginning(("auto", "dark", "light", "ansi-dark", "ansi-light"), begun)


def files(_context: Context, _parameter: Parameter, begun: str) -> list[CompletionItem]:
    """Whatever lies in a folder."""
    return _paths(begun, "file")


def report_forms(forms: Iterable[str]) -> Offer:
    """The forms of a report, for the file's name to follow."""
    words = tuple(f"{each}:" for each in forms)
    return lambda _context, _parameter, begun: _beginning(words, begun)


def _paths(begun: str, kind: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type=kind)]


def _beginning(words: Iterable[str], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(each) for each in words if each.startswith(begun)]
