"""How every command ends: with the exit code of its result, or with one sentence; never with a traceback."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator

import click

from lockwarden.cli.interruption import leave_on_signals
from lockwarden.cli.output import complain, make_tolerant
from lockwarden.core.review.exit_codes import BY_SIGNAL, ExitCode
from lockwarden.core.values.errors import CliConfigError, LockwardenError, OwnFileError


def run_command(run: Callable[[], int | None]) -> int:
    """Run a command and return the exit code of the process, with everything that went wrong told on stderr.

    An interruption unwinds the command like an error does, so that temporary files go and no process stays.
    """
    make_tolerant()
    leave_on_signals()
    try:
        return run() or 0
    except click.Abort:
        return BY_SIGNAL + signal.SIGINT
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        complain(error.format_message().rstrip("."), hint=_usage_hint(error))
        return int(ExitCode.UNUSABLE_INPUT)
    except Exception as error:  # every one, bugs too: nothing ends in a traceback
        return _failed(error)


def _failed(error: Exception) -> int:
    """Tell of an error that the command did not turn into a result itself."""
    known = next((each for each in _leaves(error) if isinstance(each, LockwardenError)), None)
    first = next(_leaves(error))
    if isinstance(known, OwnFileError):
        for each in known.diagnostics:
            place = f"{known.path}:{each.line}" if each.line else known.path
            complain(each.message, hint=each.hint, prefix=f"{place}: error: ")
    elif isinstance(known, CliConfigError):
        for told in known.diagnostics:
            complain(told.message, hint=told.hint, prefix=f"{told.origin}: {told.severity}: ")
    elif known is not None:
        complain(known.message, hint=known.hint)
    elif isinstance(error, OSError):
        name = f" ({error.filename})" if error.filename else ""
        complain(f"the operating system refused{name}: {error.strerror or error}")
    else:
        complain(
            f"internal error: {_place(first)}{type(first).__name__}: {first}", hint="this is a bug; please report it"
        )
    return int(ExitCode.UNUSABLE_INPUT)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors within a group of errors, of tasks that ran side by side; else the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _place(error: BaseException) -> str:
    """Where a bug showed, as `file:line: `."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}: " if trace is not None else ""


def _usage_hint(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = " ".join(context.command_path.split()) if context is not None else "lockwarden"
    return f"“{command} --help” lists what there is"
