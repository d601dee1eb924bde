"""Where a command runs: the process's own surroundings, and the CLI configuration that is found there."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lockwarden.core.cli_config.diagnostics import Diagnostic
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.tui.commands.output import complain
from lockwarden.tui.configured import Configured
from lockwarden.tui.wiring import Place


def process_place() -> Place:
    """This process's place; what is wrong with its CLI configuration is told on stderr.

    Raises CliConfigError when a file of it cannot be read: then nobody knows which sources are meant.
    """
    configured = Configured.of(Surroundings.of_process(os.environ))
    configured.config.checked()
    tell(configured.config.diagnostics)
    return Place.of_process(os.environ, configured)


def tell(diagnostics: Iterable[Diagnostic]) -> None:
    """Tell on stderr what is wrong with a CLI configuration, each with its place."""
    for each in diagnostics:
        complain(each.message, hint=each.hint, prefix=f"{each.origin}: {each.severity}: ")
