"""git's `cat-file`, kept running: asking for ten thousand objects starts as many programs as asking for one."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from lockwarden.core.git.failures import refusal
from lockwarden.core.git.model import GitLimits
from lockwarden.core.git.running import GitOutput, complaint_of, stopped
from lockwarden.core.system.kept_programs import KeptProgram, ProgramEndedError
from lockwarden.core.system.programs import Bounds, ProgramStoppedError

_AT_ONCE: Final = 200
"""Names in one question, so that it fits into any pipe."""
_LINE: Final = 16 * 1024
"""Bytes of the line about one object, which repeats the name that was asked for where there is none."""
_FIELDS: Final = 3


class Known(Struct, frozen=True, kw_only=True):
    """The object that a name stands for."""

    id: str
    kind: str
    """`commit`, `tree`, `blob` or `tag`."""
    size: int


class KeepsCommands(Protocol):
    """The git that is asked."""

    @property
    def folder(self) -> Path:
        """Where it runs."""
        ...

    @property
    def limits(self) -> GitLimits:
        """How much one question may cost."""
        ...

    def keep(self, *arguments: str, doing: str) -> KeptProgram:
        """Start one command that answers one question after another. Raises ToolError when git cannot be started."""
        ...

    def bounds(self) -> Bounds:
        """What one question may take."""
        ...


class ObjectReader:
    """Reads the objects of one repository. It blocks, and any thread may use it.

    Its programs end with it, and with this process however that ends: they wait for questions that cannot come then.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, KeptProgram] = {}
        self._nothing = f"..{secrets.token_hex(16)}"
        """What no object is called: two dots are in no name."""

    def look_up(self, git: KeepsCommands, names: Sequence[str], *, doing: str) -> tuple[list[Known | None], str]:
        """Which object each name stands for by git's rules, and what git complained of.

        None where there is none, or more than one. Raises ToolError when git cannot be started, GitError when it ends
        instead of answering or needs too long.
        """
        found: list[Known | None] = []
        complaint = b""
        with self._lock, self._asking(git, "--batch-check", doing) as kept:
            for first in range(0, len(names), _AT_ONCE):
                some = names[first : first + _AT_ONCE]
                kept.ask(_lines(some), seconds=git.limits.seconds)
                found += [_known(kept.line(at_most=_LINE)) for _ in some]
                if any(each is None for each in found[first:]):
                    complaint += kept.complaint
        return found, complaint_of(complaint)

    def data_of(self, git: KeepsCommands, id_: str, *, at_most: int, doing: str) -> bytes | None:
        """The bytes of an object with a full id; None where it is not there, or has more than it should have.

        Raises as `look_up` does.
        """
        with self._lock, self._asking(git, "--batch", doing) as kept:
            # The answer to a second question tells where the first one's ends: of a damaged object less may come than
            # git has promised. What it is called cannot be foreseen, so no object can imitate that.
            kept.ask(_lines([id_, self._nothing]), seconds=git.limits.seconds)
            known = _known(kept.line(at_most=_LINE))
            ending = f"{self._nothing} missing\n".encode()
            if known is None:
                kept.until(ending, at_most=0)
                return None
            if known.size > at_most:
                kept.end()
                return None
            return kept.until(b"\n" + ending, at_most=at_most)

    @contextlib.contextmanager
    def _asking(self, git: KeepsCommands, how: str, doing: str) -> Iterator[KeptProgram]:
        kept = self._kept.get(how)
        if kept is None or kept.ended:
            kept = self._kept[how] = git.keep("cat-file", how, doing=doing)
        try:
            yield kept
        except ProgramStoppedError as error:
            raise stopped(error.stop, git.bounds(), doing) from error
        except ProgramEndedError as error:
            said = complaint_of(error.complaint)
            answer = GitOutput(exit_code=error.exit_code, printed=b"", complaint=said)
            raise refusal(answer, doing=doing, folder=git.folder) from error
        except BaseException:  # whatever it is, an interruption too: it goes on
            kept.end()  # half an answer would be taken for that to the next question
            raise


def _lines(names: Sequence[str]) -> bytes:
    return "".join(f"{each}\n" for each in names).encode("utf-8", "surrogateescape")


def _known(line: bytes) -> Known | None:
    fields = line.decode("ascii", "replace").rsplit(" ", _FIELDS - 1)
    if len(fields) != _FIELDS or not fields[2].isdecimal():
        return None
    return Known(id=fields[0], kind=fields[1], size=int(fields[2]))
