"""Where a command runs: the process's own surroundings, and the CLI configuration that is found there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from lockwarden.core.cli_config.diagnostics import Diagnostic
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.hcl_tables import Tables
from lockwarden.core.lockfile.second_reader import make_parser_with
from lockwarden.core.user_key import KEY_FILE
from lockwarden.tui.commands.options import AuditOptions
from lockwarden.tui.commands.output import complain
from lockwarden.tui.configured import Configured
from lockwarden.tui.held_against import StandardsFinder
from lockwarden.tui.wiring import Place


def process_place() -> Place:
    """This process's place; what is wrong with its CLI configuration is told on stderr.

    Raises CliConfigError when a file of it cannot be read: then nobody knows which sources are meant.
    """
    configured = Configured.of(Surroundings.of_process(os.environ))
    configured.config.checked()
    tell(configured.config.diagnostics)
    place = Place.of_process(os.environ, configured)
    if place.state_folder is not None:
        make_parser_with(Tables(folder=place.cache_folder, key_file=place.state_folder / KEY_FILE).parser)
    return place


def finder_for(options: AuditOptions, place: Place) -> StandardsFinder:
    """What finds policy, approvals and base of lock files here."""
    return StandardsFinder(environ=place.environ, directory=Path.cwd(), policy=options.policy, now=place.now)


def tell(diagnostics: Iterable[Diagnostic]) -> None:
    """Tell on stderr what is wrong with a CLI configuration, each with its place."""
    for each in diagnostics:
        complain(each.message, hint=each.hint, prefix=f"{each.origin}: {each.severity}: ")
