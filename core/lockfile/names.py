"""What a lock file may be called: by its name, and by what some disks cannot tell from it.

A checkout on macOS or Windows makes one file of `.terraform.lock.hcl` and `.Terraform.lock.hcl`, and a client there
reads whichever came last. So each of them is a lock file, wherever it is looked at.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from lockwarden.core.lockfile.model import LOCK_FILE_NAME

_IGNORED: Final = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
"""Characters that HFS+ passes over in names; those that git looks out for in the name of its own folder."""
_FIRST: Final = frozenset((".", *map(chr, _IGNORED)))
_LONGEST: Final = 4 * len(LOCK_FILE_NAME)


def is_lock_file_name(name: str) -> bool:
    """Whether some disk takes a file of this name for a lock file."""
    if name == LOCK_FILE_NAME:
        return True
    if name[:1] not in _FIRST or not len(LOCK_FILE_NAME) <= len(name) <= _LONGEST:
        return False  # nearly every file of a large tree
    return unicodedata.normalize("NFD", name.translate(_IGNORED)).casefold() == LOCK_FILE_NAME
