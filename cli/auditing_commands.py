"""The commands that audit without a screen, and write nothing but reports; `check` is in `check_command`."""

from __future__ import annotations

import click

from lockwarden.cli.option_declarations import (
    audit_options,
    change_options,
    cluster_options,
    compared_format_option,
    format_option,
    lock_file_arguments,
    organisation_policy_option,
    organisation_report_options,
    policy_option,
    recursive_option,
    registry_options,
    source_options,
)


@click.command()
@click.argument("places", metavar="LIST|FOLDER|PATTERN...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--clones", metavar="FOLDER", type=click.Path(), help="Where names in lists start. Default: their folder."
)
@click.option(
    "--standards-at",
    metavar="REV",
    help="The revision of each repository at which its own policy and approvals count. Default: HEAD.",
)
@organisation_policy_option
@audit_options
@cluster_options
@organisation_report_options
def organisation(
    places: tuple[str, ...],
    form: str,
    reports: tuple[str, ...],
    clones: str | None,
    standards_at: str | None,
    workers: int | None,
    scheduler: str | None,
    **given: object,
) -> int:
    """Audit what many repositories have committed.

    Each provider version is audited once, and the result is one report.

    LIST has one repository a line, as NAME or NAME@REVISION; FOLDER holds clones, bare or with working trees, or is
    one; PATTERN is quoted, as in "clones/*/infra". Without a revision it is HEAD. Nothing is fetched.
    """
    from lockwarden.cli.organisation import organisation
    from lockwarden.core.engine.options import given_options

    return organisation(
        places,
        given_options(given),
        form=form,
        reports=reports,
        clones=clones,
        standards_at=standards_at,
        workers=workers,
        scheduler=scheduler,
    )


@click.command()
@lock_file_arguments
@recursive_option
@change_options
@audit_options
@click.option("-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The file to write.")
@click.option("--sign-key", metavar="KEY", type=click.Path(), help="Sign it with this SSH key, into FILE.sig.")
def bundle(paths: tuple[str, ...], recursive: bool, output: str, sign_key: str | None, **given: object) -> int:
    """Audit lock files and write the evidence to a file.

    From such a bundle “check --evidence FILE” gives the same verdicts on a machine without a network. It holds no
    secrets and no paths of this machine. Sign it: without a signature only little of it can be verified again.
    """
    from lockwarden.cli.bundle import bundle
    from lockwarden.core.engine.options import given_options

    return bundle(paths, given_options(given), output=output, sign_key=sign_key, recursive=recursive)


@click.command()
@lock_file_arguments
@recursive_option
@policy_option
@source_options
@format_option
@click.option("--armor", metavar="FINGERPRINT", help="Write this key alone, as its registry offers it.")
def keys(paths: tuple[str, ...], form: str, armor: str | None, recursive: bool, **given: object) -> int:
    """Show the signing keys and which hashes they cover."""
    from lockwarden.cli.keys import keys
    from lockwarden.core.engine.options import given_options

    return keys(paths, given_options(given), form=form, armor=armor, recursive=recursive)


@click.command("compare-registries")
@lock_file_arguments
@recursive_option
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="HOST",
    help="Origin registries to compare: two, or one to compare each provider's own with. Default: "
    "registry.opentofu.org and registry.terraform.io.",
)
@registry_options
@compared_format_option
def compare_registries(
    paths: tuple[str, ...], hosts: tuple[str, ...], form: str, recursive: bool, **given: object
) -> int:
    """Compare the locked versions at two registries.

    Compared are packages, signers and platforms, and which of the locked hashes hold at both. The exit code is 0 where
    both are the same, 1 where they are not, and 3 where one could not be asked.
    """
    from lockwarden.cli.compare_registries import compare_registries
    from lockwarden.core.engine.options import given_options

    return compare_registries(paths, given_options(given), hosts=hosts, form=form, recursive=recursive)
