"""The commands of a group, of which only the one that runs is made: its options are the dear part of a start."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping

import click

Make = Callable[[], tuple[click.Command, ...]]
"""Imports a module and gives the commands that it has."""


class LateCommands(MutableMapping[str, click.Command]):
    """Commands by name, made when they are asked for, with their neighbours of one module."""

    def __init__(
        self, makers: Mapping[Make, tuple[str, ...]], *, finished: Callable[[Iterable[click.Command]], None]
    ) -> None:
        """`makers` says which names the commands of each have; `finished` gives them what all have."""
        self._makers = {name: make for make, names in makers.items() for name in names}
        self._finished = finished
        self._made: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        """Raises KeyError where no command has the name."""
        if name not in self._made:
            made = self._makers[name]()
            self._finished(made)
            self._made.update({each.name or "": each for each in made})
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._made or name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter({**self._makers, **self._made})

    def __len__(self) -> int:
        return len({**self._makers, **self._made})

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        self._made.pop(name, None)
        self._makers.pop(name, None)


def probably_meant(word: str, commands: Collection[str]) -> str:
    """The command that a word was probably meant to be; empty when it may well be a path."""
    import difflib
    import os

    if os.path.lexists(word):
        return ""
    return next(iter(difflib.get_close_matches(word, commands, n=1, cutoff=0.75)), "")
