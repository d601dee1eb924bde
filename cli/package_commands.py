"""The commands about packages of providers that are on this machine."""

from __future__ import annotations

import click

from lockwarden.cli.option_declarations import format_option


@click.command("hash")
@click.argument("packages", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path())
def hash_(packages: tuple[str, ...]) -> int:
    """Compute the zh and h1 hashes of packages.

    FILE is a zip archive. DIR is a folder with the files of a package, which has no zh.
    """
    from lockwarden.cli.hash import hash_packages

    return hash_packages(packages)


@click.command("package-diff")
@click.argument("before", metavar="FILE|zh:HASH")
@click.argument("after", metavar="FILE|zh:HASH")
@format_option
def package_diff(before: str, after: str, form: str) -> int:
    """Compare two packages, file by file.

    Each is a zip archive, or the zh of a package that the cache has kept. No server is asked and nothing is unpacked.
    The exit code is 0 for the same bytes, 1 for different ones.
    """
    from lockwarden.cli.package_diff import diff_packages

    return diff_packages(before, after, form=form)


@click.command()
@click.option("--clear", is_flag=True, help="Remove everything that is kept.")
@click.option("--clear-packages", is_flag=True, help="Remove the packages and keep what is known of them.")
def cache(clear: bool, clear_packages: bool) -> int:
    """Show what is kept of packages, and where; or clear it.

    Nothing is lost that could not be fetched and computed again.
    """
    from lockwarden.cli.cache import cache

    return cache(clear=clear, clear_packages=clear_packages)
