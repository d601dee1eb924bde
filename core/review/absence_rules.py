"""What it means that an entry is gone: an error where it is still needed, open where that cannot be known.

Without an entry a client asks the registry and locks whatever it is given, so that this takes away as much as an entry
without hashes does. Where the requirement went with it there is nothing to protect any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
OPEN_CODES: Final = frozenset({ProblemCode.REQUIREMENT_OPEN, ProblemCode.LOCK_FILE_NOT_LOOKED_AT})
"""Problems that say that something was not checked."""


OBJECTING_CODES: Final = ABSENCE_CODES | {ProblemCode.LOCK_FILE_DISPLACED, ProblemCode.LOCK_FILE_NOT_LOOKED_AT}
"""All that can make an exit code worse."""


def absence_problems(
    gone: Iterable[LockedProvider],
    lock_file: LockFile,
    required: Required,
    *,
    base: str,
    had_configuration: bool,
    by_other_client: Required = NOTHING_REQUIRED,
) -> Iterator[Problem]:
    """What speaks against the removal of some entries; nothing for those that nothing requires any more.

    `had_configuration` tells whether the folder had any at the base: where it had none, nothing says what was needed.
    `by_other_client` is what the client requires that has not written the lock file and reads other files in part.
    """
    for entry in gone:
        address = entry.address
        if _moved(address, lock_file) and required.leaves_host_open(address):
            continue
        if required.requires(address):
            yield Problem(
                code=ProblemCode.ENTRY_REMOVED,
                severity=Severity.ERROR,
                message=f"{address} is locked at {base} and not here, and the configuration still requires it: a client"
                " takes whatever it is given for it",
                hint="put the entry back as it was, or remove what requires the provider as well",
            )
            continue
        reasons = list(required.open)
        if by_other_client.requires(address):
            reasons.insert(0, "a file that only OpenTofu reads, or only Terraform, still requires it")
        if not (required.found or had_configuration):
            reasons.append("there is no configuration beside the lock file, and was none")
        if reasons:
            more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
            yield Problem(
                code=ProblemCode.REQUIREMENT_OPEN,
                severity=Severity.WARNING,
                message=f"{address} is locked at {base} and not here, and whether it is still required cannot be known:"
                f" {reasons[0]}{more}",
                hint="“tofu providers” or “terraform providers” tells what all modules require; put the entry back if"
                " this provider is among it",
            )


def _moved(address: ProviderAddress, lock_file: LockFile) -> bool:
    """Whether the same provider is locked from the other client's default registry, as after a change of clients."""
    return any(lock_file.provider(each) is not None for each in twins(address))
