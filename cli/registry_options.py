"""How the options of `lockwarden registry` look on the command line. Nothing is imported for it but click."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from lockwarden.cli.option_declarations import CLUSTER

_Command = TypeVar("_Command", bound=Callable[..., Any])
_FINAL_STATES: Final = ("done", "conflict", "changed", "corrupt", "missing", "forbidden", "too-large")

_BACKFILL: Final = (
    click.option(
        "--step",
        multiple=True,
        type=click.Choice(("plan", "run", "apply")),
        help="Do this step alone: plan counts without a network, run fetches and hashes into the journal, apply writes"
        " what the journal has into the files. May be given several times. Default: all.",
    ),
    click.option(
        "--journal",
        multiple=True,
        metavar="FILE",
        type=click.Path(),
        help="The journal. Several count together, and a run adds to the first. Default: lockwarden-backfill.jsonl.",
    ),
    click.option("--dry-run", is_flag=True, help="Count packages, bytes, hosts and files; ask and write nothing."),
    click.option("--shard", default="1/1", metavar="N/OF", help="Do one of several equal parts, such as 2/4."),
    click.option(
        "--reopen",
        multiple=True,
        type=click.Choice(_FINAL_STATES),
        help="Look again at packages that ended so before. May be given several times.",
    ),
    click.option(
        "--host",
        multiple=True,
        metavar="HOST",
        help="Ask these hosts alone, also behind redirects. May be given several times. Default: any.",
    ),
    click.option("--max-packages", type=click.IntRange(min=1), metavar="N", help="End after so many packages."),
    click.option("--max-bytes", metavar="SIZE", help="End after so many bytes, such as 20GB."),
    click.option("--max-seconds", type=float, metavar="SECONDS", help="Begin nothing new after so long."),
    click.option(
        "--host-requests",
        type=int,
        default=8,
        show_default=True,
        metavar="N",
        help="Requests at the same time to one host, over all workers together.",
    ),
    click.option(
        "--host-starts",
        type=float,
        default=5.0,
        show_default=True,
        metavar="N",
        help="New requests a second to one host, over all workers together.",
    ),
    click.option(
        "--jobs",
        type=int,
        default=16,
        show_default=True,
        metavar="N",
        help="Packages at the same time in one process, whatever their hosts.",
    ),
    click.option("--max-package-size", metavar="SIZE", help="Mark larger packages as too large. Default: 4 GiB."),
    click.option(
        "--mode",
        type=click.Choice(("minimal", "canonical")),
        default="minimal",
        show_default=True,
        help="Which targets of a file get the keys where it lacks them: those that are filled, or all.",
    ),
    click.option("--whole-versions", is_flag=True, help="Write only what makes a version complete."),
    *CLUSTER,
)


_AUDIT: Final = (
    click.option(
        "--sample",
        type=click.IntRange(min=1),
        metavar="N",
        help="Fetch and hash N of the filled packages again. Without it, nobody is asked.",
    ),
    click.option("--seed", metavar="S", help="The same seed draws the same packages. Default: a new one, printed."),
    click.option("--host-requests", type=int, default=8, show_default=True, metavar="N", help="As for backfill."),
    click.option("--host-starts", type=float, default=5.0, show_default=True, metavar="N", help="As for backfill."),
)


def metadata_audit_options(command: _Command) -> _Command:
    """Give a command the options of an audit of metadata, but for those about its report."""
    for option in reversed(_AUDIT):
        command = option(command)
    return command


def backfill_options(command: _Command) -> _Command:
    """Give a command the options of a backfill."""
    for option in reversed(_BACKFILL):
        command = option(command)
    return command
