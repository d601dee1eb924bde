"""The command line: which commands there are, and how its words are read.

What they take is in the modules called `…_commands`. Each command imports what it needs when it runs, so that `--help`,
`--version` and shell completion answer at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click
from click.shell_completion import CompletionItem

from lockwarden.cli import about_commands as about
from lockwarden.cli import auditing_commands as auditing
from lockwarden.cli import module_commands as modules
from lockwarden.cli import package_commands as packages
from lockwarden.cli import registry_commands as registries
from lockwarden.cli import reviewing_commands as reviewing
from lockwarden.cli import writing_commands as writing
from lockwarden.cli.exit_handling import run_command
from lockwarden.cli.option_declarations import color_option, theme_option
from lockwarden.cli.process_tuning import collect_rarely, do_without_absent_modules
from lockwarden.cli.reviewing_commands import review_
from lockwarden.core import __version__

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
        if not ctx.resilient_parsing and (meant := about.probably_meant(first, self.commands)):
            raise click.UsageError(f"there is neither a command nor a path “{first}”; did you mean {meant}?", ctx)
        return "", review_, args

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, the commands, and the options of the review, which stands for itself."""
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


_COMMANDS: Final = (
    about.completion,
    about.config,
    about.help_,
    about.settings,
    auditing.bundle,
    auditing.check,
    auditing.compare_registries,
    auditing.keys,
    auditing.organisation,
    modules.get,
    modules.modules,
    packages.cache,
    packages.hash_,
    packages.package_diff,
    registries.registry,
    reviewing.demo,
    reviewing.serve,
    writing.approve_sign,
    writing.init,
    writing.lock,
    writing.resolve,
)
for _command in _COMMANDS:
    lockwarden.add_command(_command)
theme_option((review_, reviewing.demo))
color_option((review_, *_COMMANDS))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with `arguments`, the process's own when there are none; returns the exit code."""
    if arguments is None:
        collect_rarely()
        do_without_absent_modules()
    return run_command(lambda: lockwarden.main(arguments, prog_name="lockwarden", standalone_mode=False))
