"""The command line: which commands there are, and how its words are read.

What they take is in the modules called `…_command` and `…_commands`, of which only that of the command that runs is
imported. Each command imports what it needs when it runs, so that `--help`, `--version` and shell completion answer at
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click

from lockwarden.cli.exit_handling import run_command
from lockwarden.cli.late_commands import LateCommands, Make, probably_meant
from lockwarden.cli.option_declarations import color_option
from lockwarden.cli.process_tuning import collect_rarely, do_without_absent_modules
from lockwarden.core import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

EXAMPLES = (
    ("lockwarden", "review the lock file of this folder"),
    ("lockwarden -r infra", "all lock files below a folder, from a list"),
    ("lockwarden --base origin/main", "what this branch changes"),
    ("lockwarden --source direct --source https://mirror.example.com/", "a mirror beside the origin registries"),
    ("lockwarden check --base origin/main", "the same audit without a screen, for CI"),
    ("lockwarden demo", "try it on a built-in provider world"),
)
_EPILOG = (
    "Exit codes: 0 nothing to object to, 1 findings, 2 wrong usage or unreadable input, 3 something could not be "
    "verified and nothing worse was found."
)


class _PathOrCommand(click.Group):
    """A group whose first word is a command's name or, when no command has it, the beginning of a review's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            args = ["."]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        first = args[0]
        if first in self.commands:
            return super().resolve_command(ctx, args)
        late = next((word for word in args[1:] if word in self.commands), "") if first.startswith("-") else ""
        if late:
            raise click.UsageError(f"options stand after the command: lockwarden {late} {first}", ctx)
        if not ctx.resilient_parsing and (meant := probably_meant(first, self.commands)):
            raise click.UsageError(f"there is neither a command nor a path “{first}”; did you mean {meant}?", ctx)
        from lockwarden.cli.reviewing_commands import review_

        return "", review_, args

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, the commands, and the options of the review, which stands for itself."""
        from lockwarden.cli.reviewing_commands import review_

        with formatter.section("Examples"):
            formatter.write_dl(EXAMPLES)
        self.format_commands(ctx, formatter)
        own = [each for each in self.get_params(ctx) if "--version" in each.opts]
        options = [
            each for each in (*review_.params, *own, self.get_help_option(ctx)) if isinstance(each, click.Option)
        ]
        told = [each.get_help_record(ctx) for each in options]
        with formatter.section("Options of the review"):
            formatter.write_dl([each for each in told if each is not None])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        # Paths come first, since bash forgets at them what came before; they are offered where no command fits.
        return [CompletionItem(incomplete, type="file"), *super().shell_complete(ctx, incomplete)]


@click.group(
    cls=_PathOrCommand,
    context_settings={"help_option_names": ["-h", "--help"], "ignore_unknown_options": True},
    epilog=_EPILOG,
    subcommand_metavar="[PATH... | COMMAND [ARGS]...]",
)
@click.version_option(__version__, "-V", "--version", prog_name="lockwarden")
def lockwarden() -> None:
    """Audit the dependency lock file of OpenTofu and Terraform: who vouches for every hash.

    Without a command, open the review of each PATH: a lock file, or a folder that has one; default: the current one.
    """


def _about() -> tuple[click.Command, ...]:
    from lockwarden.cli import about_commands as its

    return its.completion, its.config, its.help_, its.settings


def _auditing() -> tuple[click.Command, ...]:
    from lockwarden.cli import auditing_commands as its

    return its.bundle, its.compare_registries, its.keys, its.organisation


def _checking() -> tuple[click.Command, ...]:
    from lockwarden.cli.check_command import check

    return (check,)


def _modules() -> tuple[click.Command, ...]:
    from lockwarden.cli import module_commands as its

    return its.get, its.modules


def _packages() -> tuple[click.Command, ...]:
    from lockwarden.cli import package_commands as its

    return its.cache, its.hash_, its.package_diff


def _registries() -> tuple[click.Command, ...]:
    from lockwarden.cli import registry_commands as its

    return (its.registry,)


def _reviewing() -> tuple[click.Command, ...]:
    from lockwarden.cli import reviewing_commands as its

    return its.demo, its.serve


def _writing() -> tuple[click.Command, ...]:
    from lockwarden.cli import writing_commands as its

    return its.approve_sign, its.init, its.lock, its.resolve


_COMMANDS: Final[Mapping[Make, tuple[str, ...]]] = {
    _about: ("completion", "config", "help", "settings"),
    _auditing: ("bundle", "compare-registries", "keys", "organisation"),
    _checking: ("check",),
    _modules: ("get", "modules"),
    _packages: ("cache", "hash", "package-diff"),
    _registries: ("registry",),
    _reviewing: ("demo", "serve"),
    _writing: ("approve-sign", "init", "lock", "resolve"),
}
lockwarden.commands = LateCommands(_COMMANDS, finished=color_option)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with `arguments`, the process's own when there are none; returns the exit code."""
    if arguments is None:
        collect_rarely()
        do_without_absent_modules()
    return run_command(lambda: lockwarden.main(arguments, prog_name="lockwarden", standalone_mode=False))
