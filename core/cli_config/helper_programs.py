"""Runs programs that know credentials, with bounds: no shell, little input, limited time and output.

What such a program prints may be a secret, so that no message ever repeats it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.system import programs
from lockwarden.core.system.programs import NotStartedError, ProgramStoppedError, Stop
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

_TRY_YOURSELF: Final = "run it yourself to see what it says"


class HelperLimits(Struct, frozen=True, kw_only=True):
    """How much one run may ask for."""

    seconds: float = 30.0
    """Some helpers ask a person to unlock a key ring."""
    output_bytes: int = 64 * 1024
    """Of each of its two streams."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HelperOutput:
    """How a program ended and what it printed, which may be a secret."""

    exit_code: int
    """Negative for a signal."""
    printed: bytes
    complained: bool
    """Whether it wrote anything for people."""


def run_helper(
    program: Path,
    arguments: Sequence[str],
    *,
    environ: Mapping[str, str],
    folder: Path,
    given: bytes = b"",
    limits: HelperLimits | None = None,
) -> HelperOutput:
    """Run a program to its end and hand back what it printed; it gets `given` as input and nothing else. It blocks.

    Raises NoAnswerError when it cannot be started, needs too long or prints too much; then it has been killed with all
    that it started. Any exit code is a result.
    """
    limits = limits or HelperLimits()
    within = programs.Bounds(
        seconds=limits.seconds, output_bytes=limits.output_bytes, complaint_bytes=limits.output_bytes
    )
    where = folder if folder.is_dir() else None
    command = (str(program), *arguments)
    try:
        ended = programs.run(command, environ=environ, folder=where, given=given, bounds=within)
    except NotStartedError as error:
        raise failure(program, f"cannot be started: {error}", code=ProblemCode.HELPER_NOT_STARTED) from error
    except ProgramStoppedError as error:
        raise _stopped(error.stop, program, limits) from error
    return HelperOutput(exit_code=ended.exit_code, printed=ended.printed, complained=bool(ended.complaint))


def failure(program: Path | str, what: str, *, code: ProblemCode, hint: str = _TRY_YOURSELF) -> NoAnswerError:
    """The error of a program that could not be asked; `what` continues a sentence that starts with its name."""
    return NoAnswerError(f"the credentials helper {program} {what}", stage=Stage.CREDENTIALS, code=code, hint=hint)


def _stopped(stop: Stop, program: Path, limits: HelperLimits) -> NoAnswerError:
    if stop is Stop.SIZE:
        what = f"printed more than {limits.output_bytes} bytes and was ended"
        return failure(program, what, code=ProblemCode.HELPER_OUTPUT)
    what = f"did not end within {limits.seconds:g} seconds and was ended"
    return failure(program, what, code=ProblemCode.HELPER_TIMEOUT)
