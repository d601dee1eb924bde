"""A configuration as a commit has it: which providers it requires, without a working tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from lockwarden.core.configuration.files import Folder, Limits, Spending, body_of
from lockwarden.core.configuration.reading import required_in
from lockwarden.core.configuration.requirements import Required
from lockwarden.core.configuration.syntax import Body, UnreadableProblem
from lockwarden.core.git.program import Git
from lockwarden.core.git.trees import names_in, read_file
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import GitError

_ROOT: Final = Path("/repository")
"""Stands for the root of the tree, so that a way out of it leads to something that does not lie in it."""


def required_at(git: Git, commit: str, folder: bytes) -> Required:
    """What the root module in a folder of a commit requires, by OpenTofu's rules. It blocks, and raises nothing."""
    limits = Limits()
    root = _ROOT / os.fsdecode(folder) if folder else _ROOT
    return required_in(root, CommittedFiles(git, commit, limits), client=Client.OPENTOFU, limits=limits)


class CommittedFiles:
    """The files of a commit, as many as the limits allow."""

    within = _ROOT

    def __init__(self, git: Git, commit: str, limits: Limits) -> None:
        self._git = git
        self._commit = commit
        self._limits = limits
        self._spent = Spending(limits)

    def folder(self, path: Path) -> Folder | None:
        """The names in a folder; None where there is none. Raises UnreadableProblem."""
        try:
            names = names_in(self._git, self._commit, self._place(path))
        except GitError as error:
            raise UnreadableProblem(error.message) from error
        if names is None:
            return None
        some = tuple(map(os.fsdecode, names[: self._limits.names]))
        return Folder(path=path, names=some, complete=len(some) == len(names))

    def body(self, path: Path) -> Body | None:
        """What a configuration file says; None for a folder. Raises UnreadableProblem."""
        self._spent.count_file()
        try:
            found = read_file(self._git, self._commit, self._place(path))
        except GitError as error:
            if error.code == "folder":
                return None
            raise UnreadableProblem(error.message) from error
        return body_of(self._spent.count_bytes(b"" if found is None else found[1]), path.name)

    def _place(self, path: Path) -> bytes:
        if path != _ROOT and _ROOT not in path.parents:
            raise UnreadableProblem(f"{path.name} lies outside of the repository")
        return os.fsencode(path.relative_to(_ROOT)) if path != _ROOT else b"."
