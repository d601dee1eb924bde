"""`lockwarden approve-sign`: signs the recorded approvals, once whoever signs has seen all that they say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from lockwarden.cli.output import on_terminal, out
from lockwarden.cli.surroundings import clock, environment
from lockwarden.core.approvals.model import Approval
from lockwarden.core.engine.approvals_signing import Signed, ToSign, approvals_to_sign, sign_approvals
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.near_names import foreign_letters
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError


def approve_sign(path: str, *, key: str, signer: str, serial: int, yes: bool) -> int:
    """Show what is signed, ask, sign and write; returns the exit code, 1 where it was not signed after all.

    Raises InputError, also where nobody is there to ask; ToolError, FileChangedError and SaveError.
    """
    environ = environment()
    to_sign = approvals_to_sign(path, serial=serial, signer=signer, environ=environ)
    out(shown(_lines(to_sign)))
    present = on_terminal()
    if not yes:
        if not present:
            raise InputError(
                "nobody is here to say that this is right, so it was not signed",
                hint="a signature covers every record of the file, whoever wrote it; --yes signs without asking",
            )
        import click

        if not click.confirm("Sign all of this?", default=False):
            return int(ExitCode.FINDINGS)
    out(shown(_written(sign_approvals(to_sign, key=key, environ=environ, on_terminal=present), to_sign)))
    return int(ExitCode.NOTHING_TO_OBJECT)


def _lines(to_sign: ToSign) -> Iterator[str]:
    records = to_sign.before.records
    today = clock().date()
    number = len(records)
    yield f"{to_sign.path}: {number} record{'s'[: number != 1]}, to be signed under the serial number {to_sign.serial}"
    for each in records:
        yield from _record(each, today)


def _record(record: Approval, today: date) -> Iterator[str]:
    platform = f" for {record.platform}" if record.platform is not None else ""
    over = "" if record.holds(today) else " (made on a day to come)" if record.is_to_come(today) else " (over)"
    yield f"  {record.address} {record.version}{platform}"
    if notes := _letters(record.address):
        yield f"    read it letter by letter: {'; '.join(notes)}"
    for each in sorted(record.hashes):
        yield f"    {each}"
    yield f"    {record.verdict}; by {record.by} on {record.at:%Y-%m-%d}, until {record.ends}{over}: {record.reason}"


def _letters(address: ProviderAddress) -> tuple[str, ...]:
    """What tells the address from one that looks like it: its host in ASCII, and its letters of other alphabets."""
    ascii_form = (f"the host is {address.hostname.ascii}",) if address.hostname.international else ()
    return (*ascii_form, *foreign_letters(str(address)))


def _written(signed: Signed, to_sign: ToSign) -> Iterator[str]:
    yield f"{signed.approvals}: written, serial {to_sign.serial}" + (
        f", signer {to_sign.signer}" if to_sign.signer else ""
    )
    yield f"{signed.signature}: signed by {signed.read.key.fingerprint}"
    yield "commit both; the signature counts where the base's policy names this key:"
    yield f'  signing_key "{signed.read.key.fingerprint}" {{'
    yield '    scheme    = "sshsig"'
    yield f'    owner     = "{to_sign.signer or "whose key it is"}"'
    yield '    providers = ["*/*/*"]'
    yield "  }"
