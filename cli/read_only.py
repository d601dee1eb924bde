"""A review that can write nothing: its ports read as always, and refuse whatever would change a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec.structs import replace

from lockwarden.core.values.errors import InputError

if TYPE_CHECKING:
    from lockwarden.core.engine.source_spelling import SourceSpec
    from lockwarden.tui.state.ports import HoldTo, ReviewSetup


class ReadOnlyError(InputError):
    """Something was to be written, and this review was begun as one that writes nothing."""


def read_only(setup: ReviewSetup) -> ReviewSetup:
    """The same review without a way to write a file or to start a program, with another base, too."""
    title = setup.title or (str(setup.paths[0]) if len(setup.paths) == 1 else "")
    return replace(
        setup,
        title=title and f"{title} (read only)",
        save=_refused,
        store=_Reading(setup.store),
        modules=None if setup.modules is None else _Reading(setup.modules),
        conflicts=None if setup.conflicts is None else _Reading(setup.conflicts),
        programs=None,
        held_to=None if setup.held_to is None else _held_to(setup.held_to),
    )


def _held_to(begin: HoldTo) -> HoldTo:
    def begun(base: str, typed: Sequence[SourceSpec], /) -> ReviewSetup:
        return read_only(begin(base, typed))

    return begun


class _Reading:
    """A port whose methods that write, which are called `save` and so on, are refused; all others are its own."""

    def __init__(self, port: Any) -> None:
        self._port = port

    def __getattr__(self, name: str) -> Any:
        return _refused if name.startswith("save") else getattr(self._port, name)


def _refused(*_: object, **__: object) -> NoReturn:
    raise ReadOnlyError(
        "this review is read only, so nothing was written",
        hint="begin it without --read-only, or serve it with --write",
    )
