"""The commands about the metadata of a whole provider registry."""

from __future__ import annotations

import click

from lockwarden.cli.option_declarations import report_options
from lockwarden.cli.registry_options import backfill_options, metadata_audit_options


@click.group()
def registry() -> None:
    """Work on the metadata of a whole provider registry."""


@registry.command("backfill")
@click.argument("folder", metavar="METADATA_DIR", type=click.Path())
@backfill_options
def registry_backfill(folder: str, **given: object) -> int:
    """Fill the h1 hashes and sizes that a registry's metadata files lack: plan, run, apply.

    Each package is fetched, compared with the digest that the file has, and hashed. Results go to a journal, and from
    there into the files; nothing that is there is ever written over. The same command goes on after any end.
    """
    from msgspec import convert

    from lockwarden.cli.registry import BackfillOptions, backfill

    return backfill(folder, convert(given, BackfillOptions))


@registry.command("audit")
@click.argument("place", metavar="METADATA_DIR|URL", type=click.Path())
@metadata_audit_options
@report_options
def registry_audit(place: str, **given: object) -> int:
    """Audit a registry's metadata files: form, hashes, versions, keys, and what they say of each other.

    URL is that of one metadata file, or of an archive of the registry's repository.
    """
    from msgspec import convert

    from lockwarden.cli.registry_audit import MetadataAuditOptions, audit

    return audit(place, convert(given, MetadataAuditOptions))
