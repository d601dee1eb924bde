"""Writes the files that the operator names for what a command has to say, such as a report.

Whatever lies in a working tree may be the doing of the change that is under review: a link out of it, a second name of
another file, a pipe. So nothing there is opened or followed: a new file takes over the name. Elsewhere the name is the
operator's alone, and may well be a device or a pipe to another program.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from lockwarden.core.system.atomic_writing import reason_of, sync_folder, written_beside
from lockwarden.core.system.links import link_of_a_tree, link_on_the_way, working_tree
from lockwarden.core.values.errors import SaveError

_OF_THE_SYSTEM: Final = (Path("/dev"), Path("/proc"))
"""Where no change can put anything; `/dev/stdout` is a link there."""


def write_named_file(path: Path, data: bytes, *, what: str) -> None:
    """Write a file whole; `what` is what it is called in sentences. The folder has to be there.

    In a working tree, and below the current folder when the name is relative, it replaces what is there. Raises
    SaveError when that cannot be done, or when the way there leads through a link.
    """
    try:
        _write(path, data)
    except _LinkError as error:
        raise SaveError(
            f"{what} cannot be written to {path}: {error.link} is a symbolic link, and nothing is written through it",
            hint="name a file in a folder that is none, or one outside of the working tree",
        ) from error
    except (OSError, ValueError) as error:
        raise SaveError(
            f"{what} cannot be written to {path}: {reason_of(error)}",
            hint="name a file in a folder that is there and that you may write to",
        ) from error


class _LinkError(Exception):
    def __init__(self, link: Path) -> None:
        super().__init__(str(link))
        self.link = link


def _write(path: Path, data: bytes) -> None:
    named = Path(os.path.abspath(path))  # noqa: PTH100 - `Path.absolute` keeps the dots
    folder = Path(os.path.realpath(named.parent))
    if all(any(top in (place, *place.parents) for top in _OF_THE_SYSTEM) for place in (named.parent, folder)):
        named.write_bytes(data)
        return
    here = None if path.is_absolute() else Path.cwd()
    if (link := link_on_the_way(path, top=here)) is not None:
        raise _LinkError(link)
    place = folder / named.name
    if working_tree(named) is None and working_tree(place) is None and (here is None or here not in named.parents):
        if (link := link_of_a_tree(named)) is not None:
            raise _LinkError(link)
        place = Path(os.path.realpath(named))
        if working_tree(place) is None:
            named.write_bytes(data)
            return
    with written_beside(place, data) as temporary:
        temporary.replace(place)
    sync_folder(place.parent)
