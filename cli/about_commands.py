"""The commands that tell about this installation: its configuration, its settings, its commands."""

from __future__ import annotations

import click

from lockwarden.cli.completion import SHELLS, script
from lockwarden.cli.late_commands import probably_meant
from lockwarden.cli.option_declarations import format_option, host_options


@click.command()
@click.argument("addresses", metavar="[ADDRESS]...", nargs=-1)
@click.option("--ask", is_flag=True, help="Ask the registries of OCI mirrors which repositories they have.")
@host_options
@format_option
def config(
    addresses: tuple[str, ...], form: str, ask: bool, insecure_http: tuple[str, ...], token_host: tuple[str, ...]
) -> int:
    """Show what your CLI configuration means.

    Each setting with its file and line, and which installation method serves each provider. ADDRESS is a provider's
    address; without one, the providers of the current folder's lock file are shown. No server is asked, and secrets are
    replaced.
    """
    from lockwarden.cli.config import config

    return config(addresses, form=form, ask=ask, insecure_http=insecure_http, token_host=token_host)


@click.command()
@click.option("--path", is_flag=True, help="Print where your settings are instead, and check them.")
def settings(path: bool) -> int:
    """Print a settings file, explained and commented out.

    Settings say how things look, which keys do what, and where audits ask by default. Nothing in a repository under
    review is read as settings.
    """
    from lockwarden.cli.settings import settings

    return settings(path=path)


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print the completion script of a shell.

    \b
    bash  eval "$(lockwarden completion bash)" in ~/.bashrc
    zsh   eval "$(lockwarden completion zsh)" in ~/.zshrc, after compinit
    fish  lockwarden completion fish > ~/.config/fish/completions/lockwarden.fish
    """
    from lockwarden.cli.output import out

    out(script(shell, ctx.find_root().command))
    return 0


@click.command("help", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def help_(ctx: click.Context, words: tuple[str, ...]) -> int:
    """Show the help of a command, as COMMAND --help does."""
    from lockwarden.cli.output import out

    context = ctx.find_root()
    command = context.command
    if not words:
        out(f"{command.get_help(context)}\n")
        return 0
    for place, word in enumerate(words):
        known = command.commands if isinstance(command, click.Group) else {}
        if word not in known:
            meant = probably_meant(word, known)
            more = f"; there are {', '.join(sorted(known))}" if known else ""
            more = f"; did you mean {meant}?" if meant else more
            raise click.UsageError(f"there is no command “{' '.join(words[: place + 1])}”{more}", ctx)
        command = known[word]
        context = click.Context(command, info_name=word, parent=context)
    out(f"{command.get_help(context)}\n")
    return 0
