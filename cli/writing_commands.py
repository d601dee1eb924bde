"""The commands that write the files of a repository: lock files, policies and signatures."""

from __future__ import annotations

import click

from lockwarden.cli.offered_words import files
from lockwarden.cli.option_declarations import (
    audit_options,
    format_option,
    lock_file_arguments,
    policy_option,
    recursive_option,
)


@click.command()
@lock_file_arguments
@recursive_option
@policy_option
@audit_options
@click.option("--dry-run", is_flag=True, help="Write nothing; say what would be written.")
@click.option("--diff", is_flag=True, help="Show the exact difference of each lock file as well.")
def lock(paths: tuple[str, ...], recursive: bool, dry_run: bool, diff: bool, **given: object) -> int:
    """Add the hashes that the client itself would record.

    Only those that nothing speaks against. It asks no questions and drops nothing; the exit code is that of check for
    the files as they are afterwards, or with --dry-run would be.
    """
    from lockwarden.cli.lock import lock
    from lockwarden.core.engine.options import given_options

    return lock(paths, given_options(given), recursive=recursive, dry_run=dry_run, diff=diff)


@click.command()
@lock_file_arguments
@recursive_option
@click.option(
    "--take",
    multiple=True,
    metavar="WHICH",
    help="The version that is taken: higher, lower, a side (ours, theirs), or ADDRESS=WHICH for one provider, there "
    "also a version. May be given several times. Default: higher.",
)
@click.option("--write", is_flag=True, help="Write the resolved file; without it, the difference is shown.")
@policy_option
@audit_options
@format_option
def resolve(
    paths: tuple[str, ...], take: tuple[str, ...], write: bool, form: str, recursive: bool, **given: object
) -> int:
    """Resolve lock files with merge conflict markers.

    Or with several blocks of one provider.

    Each side is shown with its verdicts. What is written of a provider is of one version, and holds what is confirmed
    of the hashes that any side has, and nothing else. The exit code is that of check for the resolved files.
    """
    from lockwarden.cli.resolve import resolve
    from lockwarden.core.engine.options import given_options

    return resolve(paths, given_options(given), take=take, write=write, form=form, recursive=recursive)


@click.command()
@lock_file_arguments
@audit_options
@click.option("--write", is_flag=True, help="Write it to the repository's root, or beside the lock file.")
def init(paths: tuple[str, ...], write: bool, **given: object) -> int:
    """Propose a policy from what an audit sees.

    It is printed, or written with --write. A policy that is there already is never replaced.
    """
    from lockwarden.cli.init import init
    from lockwarden.core.engine.options import given_options

    return init(paths, given_options(given), write=write)


@click.command("approve-sign")
@click.argument("path", metavar="[PATH]", default=".", type=click.Path())
@click.option(
    "--key",
    metavar="FILE",
    default="",
    shell_complete=files,
    help="SSH key to sign with; default: git's user.signingkey.",
)
@click.option("--signer", metavar="NAME", default="", help="Who signs, as a list of allowed signers names people.")
@click.option("--serial", metavar="N", default=1, type=click.IntRange(1, 10**15 - 1), help="Serial number, at least.")
@click.option("-y", "--yes", is_flag=True, help="Sign without asking.")
def approve_sign(path: str, key: str, signer: str, serial: int, yes: bool) -> int:
    """Sign the recorded approvals with an SSH key.

    PATH is a lock file, or a folder that has one. The signature covers the whole file of approvals, so that all of it
    is shown before. With --base, approvals of the change count when the base's policy names the key.
    """
    from lockwarden.cli.approve_sign import approve_sign

    return approve_sign(path, key=key, signer=signer, serial=serial, yes=yes)
