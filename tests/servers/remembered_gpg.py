"""What gpg said of the same bytes once, commands that run in the tests' process do not ask it again."""

from __future__ import annotations

import contextlib
import copy
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from lockwarden.core.signatures import verify
from lockwarden.core.signatures.blocks import KeyBlockReader
from lockwarden.core.signatures.gpg import BoundedGpg
from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.status import StatusLog

_HOUR: Final = 3600
_CHECK: Final = BoundedGpg.check
_Asked = tuple[str, int, bytes, bytes, tuple[bytes, ...]]
_said: dict[_Asked, StatusLog] = {}
_known: dict[tuple[Path, SignatureLimits], BoundedGpg] = {}


@contextlib.contextmanager
def asking_gpg_once() -> Iterator[None]:
    """Meanwhile, remember for each gpg that it works, the keys that were read, and the signatures that were checked.

    Another program, document, signature or key is asked about, and so is the same within another hour. That gpg is
    asked anew, cancelled and bounded has tests of its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "BoundedGpg", _working)
        patch.setattr(verify, "KeyBlockReader", _reader)
        patch.setattr(BoundedGpg, "check", _checked)
        yield


@cache
def _reader(*, limits: SignatureLimits, folder: Path | None, lax_armor: bool) -> KeyBlockReader:
    return KeyBlockReader(limits=limits, folder=folder, lax_armor=lax_armor)


def _working(*, program: Path, home: Path, limits: SignatureLimits) -> BoundedGpg:
    if (program, limits) not in _known:
        _known[program, limits] = BoundedGpg(program=program, home=home, limits=limits)
    return _known[program, limits]


def _checked(gpg: BoundedGpg, *, signature: bytes, document: Path) -> StatusLog:
    (now,) = re.findall(r"--faked-system-time=(\d+)!", " ".join(gpg.options))
    keys = tuple(path.read_bytes() for path in sorted(document.parent.iterdir()) if path != document)
    asked = (str(gpg.gpgbinary), int(now) // _HOUR, signature, document.read_bytes(), keys)
    if asked not in _said:
        log = _CHECK(gpg, signature=signature, document=document)
        if log.stopped:
            return log
        _said[asked] = log
    return copy.deepcopy(_said[asked])
