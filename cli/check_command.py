"""The command that most jobs run, apart from all others: their options would only cost it time."""

from __future__ import annotations

import click

from lockwarden.cli.option_declarations import (
    NAMES_FOLLOW,
    audit_options,
    change_options,
    evidence_options,
    lock_file_arguments,
    names_follow_option,
    recursive_option,
    report_options,
)


class _Check(click.Command):
    """The command with `--names-follow`: whoever says it puts names of files behind words that people wrote.

    pre-commit does: what a hook's user says and the names in a commit come as one list, and in a change a folder may be
    called `--source=mirror`. So the user's words have to end with `--`, which is never left out in silence.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if NAMES_FOLLOW in args and "--" not in args:
            raise click.UsageError(
                "names of files follow, and nothing says where they begin; let the arguments end with “--”, as in"
                " args: [--offline, --]",
                ctx,
            )
        return super().parse_args(ctx, args)


@click.command(cls=_Check)
@lock_file_arguments
@names_follow_option
@recursive_option
@change_options
@audit_options
@evidence_options
@report_options
@click.option("-v", "--verbose", is_flag=True, help="Show every hash as a table.")
@click.option("--explain", metavar="ADDRESS", help="Print the whole reasoning about this provider, or module.NAME.")
@click.option(
    "--modules",
    "with_modules",
    is_flag=True,
    help="Check the configurations' modules, too: what their sources mean today, beside the module lock.",
)
@click.option(
    "--journal",
    "journals",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="With -v or --explain, tell also what this journal of “lockwarden registry backfill” has seen of packages "
    "that nothing vouches for now. May be given several times.",
)
def check(
    paths: tuple[str, ...],
    form: str,
    reports: tuple[str, ...],
    verbose: bool,
    explain: str | None,
    recursive: bool,
    with_modules: bool,
    journals: tuple[str, ...],
    **given: object,
) -> int:
    """Audit lock files; the exit code is the result."""
    from lockwarden.cli.check import check
    from lockwarden.core.engine.options import given_options

    return check(
        paths,
        given_options(given),
        form=form,
        reports=reports,
        verbose=verbose,
        explain=explain,
        recursive=recursive,
        with_modules=with_modules,
        journals=journals,
    )
