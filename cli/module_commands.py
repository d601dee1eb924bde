"""The commands about modules."""

from __future__ import annotations

import click

from lockwarden.cli.option_declarations import format_option, host_options


@click.command()
@click.argument("paths", metavar="[DIR|module.NAME]...", nargs=-1, type=click.Path())
@click.option("--resolve", is_flag=True, help="Ask what sources in OCI registries, in git and at URLs mean today.")
@click.option("--lock", is_flag=True, help="Add the sources that it lacks to .lockwarden/modules.hcl; asks, too.")
@click.option("--compare", is_flag=True, help="Hold what is installed against the package of its source; asks, too.")
@click.option("--diff", is_flag=True, help="Show what is new in packages of sources that moved, by file; asks, too.")
@click.option("--pin", is_flag=True, help="Show the sources pinned to what they mean today; asks, too.")
@click.option("--write", is_flag=True, help="With --pin: write it into the files of the configuration.")
@click.option("--base", metavar="REV", help="Hold them against the module lock of this git revision.")
@host_options
@format_option
def modules(
    paths: tuple[str, ...],
    form: str,
    resolve: bool,
    lock: bool,
    compare: bool,
    diff: bool,
    pin: bool,
    write: bool,
    **given: object,
) -> int:
    """List the module calls, and how far each is pinned.

    DIR is a root module. Where there is a module lock, the calls are compared with it. Only --resolve, --lock,
    --compare, --diff and --pin ask servers; nothing is ever run. With --pin, arguments such as module.network name
    calls: without any, all are pinned.
    """
    from lockwarden.cli.modules import modules
    from lockwarden.cli.pinning import pin_modules
    from lockwarden.core.engine.options import given_options

    if pin or write:
        others = lock or compare or diff
        return pin_modules(paths, given_options(given), form=form, others=others, pin=pin, write=write)
    return modules(paths, given_options(given), form=form, resolve=resolve, lock=lock, compare=compare, diff=diff)


@click.command()
@click.argument("source", metavar="SOURCE")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--no-cache", is_flag=True, help="Neither use nor keep packages in the user's cache.")
@host_options
def get(source: str, folder: str, **given: object) -> int:
    """Download the module package of an oci:// address.

    DIR must not be there yet, or be empty. It gets what the client would install, checked by its digests; nothing
    outside of DIR is written, and nothing is left behind after an error. The exit code is 1 where the registry does not
    have it or the client would refuse it, and 3 where the registry did not answer.
    """
    from lockwarden.cli.get import get
    from lockwarden.core.engine.options import given_options

    return get(source, folder, given_options(given))
