"""The commands that open the review: on the screen, in a browser, and on the built-in world."""

from __future__ import annotations

import click

from lockwarden.cli.option_declarations import (
    audit_options,
    change_options,
    color_option,
    evidence_options,
    lock_file_arguments,
    recursive_option,
    theme_option,
)


class _Review(click.Command):
    """The command without a name: it stands for itself as `lockwarden [PATH]...`."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        program = ctx.parent.command_path if ctx.parent is not None else ctx.command_path
        formatter.write_usage(program, " ".join(self.collect_usage_pieces(ctx)))


@click.command(cls=_Review, add_help_option=True)
@lock_file_arguments
@recursive_option
@change_options
@audit_options
@evidence_options
@click.option(
    "--journal",
    "journals",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="With everything about a hash that nothing vouches for, tell also what this journal of “lockwarden registry "
    "backfill” has seen of its package. May be given several times.",
)
@click.option("--read-only", is_flag=True, help="Write nothing, whatever is decided.")
@click.option("--in-browser", is_flag=True, hidden=True)
def review_(
    paths: tuple[str, ...],
    recursive: bool,
    journals: tuple[str, ...],
    read_only: bool,
    in_browser: bool,
    **given: object,
) -> int:
    """Open the review of each PATH, from a list where there are several; without a terminal, print it."""
    from lockwarden.cli.review import review
    from lockwarden.core.engine.options import given_options

    options = given_options(given)
    return review(paths, options, recursive=recursive, journals=journals, read_only=read_only, in_browser=in_browser)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF THE REVIEW] [PATH]...")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Where to listen. Default: any free port.")
@click.option("--write", is_flag=True, help="Let the review write what is decided.")
@click.option("--demo", "of_demo", is_flag=True, help="Show the built-in provider world.")
def serve(words: tuple[str, ...], port: int, write: bool, of_demo: bool) -> int:
    """Show the review in a browser of this machine.

    It listens on 127.0.0.1 only, at an address that is printed and is good for one visit. Without --write nothing is
    written. It needs the extra “serve”.
    """
    from lockwarden.cli.serve import DEMO, serve

    if of_demo and (words or write):
        raise click.UsageError("the demo is shown as it is: --demo stands alone, but for --port")
    if of_demo:
        return serve(DEMO, port=port, write=True)
    review_.make_context("lockwarden", list(words))  # what is wrong usage is told here, not in the browser
    return serve(words, port=port, write=write)


@click.command()
@click.option("--in-browser", is_flag=True, hidden=True)
def demo(in_browser: bool) -> int:
    """Open the review on a built-in provider world."""
    from lockwarden.cli.demo import demo

    return demo(in_browser=in_browser)


theme_option((review_, demo))
color_option((review_,))
