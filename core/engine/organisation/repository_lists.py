"""Reads lists of repositories: one a line, as `NAME@REVISION`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.system.atomic_writing import reason_of
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.printable import reveal

MAX_BYTES: Final = 4 * 1024 * 1024
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_REVISION: Final = re.compile(r"@(?!\{)")
_FORM: Final = "write one repository a line, such as payments or payments@refs/heads/main; # begins a comment"


class ListedRepository(Struct, frozen=True, kw_only=True):
    """One line of a list."""

    name: str
    revision: str
    """Empty where the line says none."""
    line: int


def split_revision(text: str) -> tuple[str, str]:
    """What stands before and behind the last `@` that begins a revision; the latter is empty where there is none.

    `@{` is part of a revision, as in `main@{yesterday}`, and begins none. Where the name itself has an `@`, one more at
    its end ends it: `team@work@` is the folder `team@work` without a revision.
    """
    places = [match.start() for match in _REVISION.finditer(text)]
    return (text, "") if not places else (text[: places[-1]], text[places[-1] + 1 :])


def read_list(path: Path, *, name: str) -> tuple[ListedRepository, ...]:
    """The repositories of a list, in its order; `name` is what it is called.

    Raises InputError when it cannot be read or names none.
    """
    if path.name == LOCK_FILE_NAME:
        raise InputError(f"{name} is a lock file, and no list of repositories", hint="lockwarden check looks at it")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"the list {name} cannot be read: {reason_of(error)}", hint="check its name") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"the list {name} is larger than the limit of {MAX_BYTES} bytes", hint=_FORM)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the list {name} is not UTF-8", hint=_FORM) from error
    found = tuple(_lines(name, text))
    if not found:
        raise InputError(f"the list {name} names no repository", hint=_FORM)
    return found


def _lines(list_name: str, text: str) -> list[ListedRepository]:
    found = []
    for number, whole in enumerate(text.split("\n"), start=1):
        line = whole.strip(" \t\r")
        if not line or line.startswith("#"):
            continue
        name, revision = split_revision(line)
        if not name or _CONTROL.search(line):
            raise InputError(f"{list_name}:{number}: “{reveal(line)}” names no repository", hint=_FORM)
        found.append(ListedRepository(name=name, revision=revision, line=number))
    return found
