"""What it means that an entry is gone: an error where it is still needed, open where that cannot be known.

Without an entry a client asks the registry and locks whatever it is given, so that this takes away as much as an entry
without hashes does. Where the requirement went with it there is nothing to protect any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lockwarden.core.configuration.requirements import NOTHING_REQUIRED, Required
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.review.moves import twins
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

ABSENCE_CODES: Final = frozenset({ProblemCode.ENTRY_REMOVED, ProblemCode.REQUIREMENT_OPEN})
"""What can be said of an entry that is gone and may be needed."""
OBJECTING_CODES: Final = ABSENCE_CODES | {ProblemCode.LOCK_FILE_DISPLACED, ProblemCode.LOCK_FILE_NOT_LOOKED_AT}
"""All that can make an exit code worse."""
_NO_CONFIGURATION: Final = "there is no configuration beside the lock file, and was none"
_NAMED: Final = 12
"""Providers that one problem names."""


def absence_problems(
    gone: Iterable[LockedProvider],
    lock_file: LockFile,
    required: Required,
    *,
    base: str,
    had_configuration: bool,
    by_other_client: Required = NOTHING_REQUIRED,
    called_by: str = "",
) -> Iterator[Problem]:
    """What speaks against the removal of some entries; nothing for those that nothing requires any more.

    `had_configuration` tells whether the folder had any at the base: where it had none, nothing says what was needed.
    `by_other_client` is what the client requires that has not written the lock file and reads other files in part.
    `called_by` is the file of the base that calls the lock file's folder as a module, for which clients read none. That
    nobody uses the folder by itself stands in no file, so that it makes nothing quieter. Where nothing is left of a
    lock file, what is alike is said once for all that went.
    """
    alike: defaultdict[tuple[str, ...], list[ProviderAddress]] = defaultdict(list)
    for entry in gone:
        address = entry.address
        if _moved(address, lock_file) and required.leaves_host_open(address):
            continue
        reasons = () if required.requires(address) else _open(address, required, by_other_client, had_configuration)
        if reasons is not None:
            alike[reasons].append(address)
    for reasons, addresses in alike.items():
        for together in (addresses,) if not lock_file.providers else ((each,) for each in addresses):
            if reasons:
                yield _of_what_is_open(together, base, reasons)
            else:
                yield _of_what_is_required(together, base, called_by)


def unknown_absence_problem(required: Sequence[Required], *, base: str, had_configuration: bool) -> Problem | None:
    """What a lock file leaves open that is gone and could not be read at the base; None where nothing can need it.

    `required` is what each client requires; `had_configuration` is as for `absence_problems`.
    """
    reasons = [reason for each in required for reason in each.open]
    if any(each.requirements for each in required):
        needs = "the configuration still requires providers"
    elif reasons:
        needs = f"whether providers are still required cannot be known: {reasons[0]}"
    elif not had_configuration and not any(each.found for each in required):
        needs = f"whether providers are still required cannot be known: {_NO_CONFIGURATION}"
    else:
        return None
    return Problem(
        code=ProblemCode.REQUIREMENT_OPEN,
        severity=Severity.WARNING,
        message=f"nothing is locked here any more, what was at {base} cannot be read, and {needs}",
        hint="put a sound lock file in its place: “tofu init” or “terraform init” makes one; without it a client takes"
        " whatever it is given",
    )


def _open(
    address: ProviderAddress, required: Required, by_other_client: Required, had_configuration: bool
) -> tuple[str, ...] | None:
    """Why it is not known whether something requires a provider; None where it is known that nothing does."""
    reasons = list(required.open)
    if by_other_client.requires(address):
        reasons.insert(0, "a file that only OpenTofu reads, or only Terraform, still requires it")
    if not (required.found or had_configuration):
        reasons.append(_NO_CONFIGURATION)
    return tuple(reasons) or None


def _of_what_is_required(addresses: Sequence[ProviderAddress], base: str, called_by: str) -> Problem:
    one = len(addresses) == 1
    called = (
        f"; at {base} the folder is a module that {called_by} calls: unless somebody runs “init” in it, too, no client"
        " reads a lock file here"
    )
    return Problem(
        code=ProblemCode.ENTRY_REMOVED,
        severity=Severity.ERROR,
        message=f"{_named(addresses, base)}, and the configuration still requires {'it' if one else 'them'}: a client"
        f" takes whatever it is given for {'it' if one else 'them'}",
        hint=f"put the {'entry' if one else 'entries'} back as {'it was' if one else 'they were'}, or remove what"
        f" requires the {'provider' if one else 'providers'} as well{called if called_by else ''}",
    )


def _of_what_is_open(addresses: Sequence[ProviderAddress], base: str, reasons: Sequence[str]) -> Problem:
    one = len(addresses) == 1
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return Problem(
        code=ProblemCode.REQUIREMENT_OPEN,
        severity=Severity.WARNING,
        message=f"{_named(addresses, base)}, and whether {'it is' if one else 'they are'} still required cannot be"
        f" known: {reasons[0]}{more}",
        hint="“tofu providers” or “terraform providers” tells what all modules require; put "
        + ("the entry back if this provider is among it" if one else "back the entries of those that are among it"),
    )


def _named(addresses: Sequence[ProviderAddress], base: str) -> str:
    """That providers are not locked any more, with as many of them as can be read at a glance."""
    if len(addresses) == 1:
        return f"{addresses[0]} is locked at {base} and not here"
    shown = ", ".join(map(str, addresses[:_NAMED]))
    more = f" and {len(addresses) - _NAMED} more" if len(addresses) > _NAMED else ""
    return f"{len(addresses)} providers are locked at {base} and not here: {shown}{more}"


def _moved(address: ProviderAddress, lock_file: LockFile) -> bool:
    """Whether the same provider is locked from the other client's default registry, as after a change of clients."""
    return any(lock_file.provider(each) is not None for each in twins(address))
