"""How files are opened that somebody else may have put in their place: for reading alone, without waiting."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


def open_to_read(path: Path | bytes, *, follow: bool) -> int:
    """A descriptor of what lies at a path, which the caller closes. A pipe that nobody writes to is opened at once.

    It may be a folder or a device: whoever wants a file looks at the descriptor, not at the path. Without `follow` the
    last name must not be a symbolic link. Raises OSError, and ValueError for what is no path.
    """
    return os.open(path, _FLAGS if follow else _FLAGS | _NO_LINK)
