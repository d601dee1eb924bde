"""What speaks against entries that Terraform wrote where OpenTofu installs by the lock file."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


def moved_problems(entry: LockedProvider) -> Iterator[Problem]:
    """Of an entry that OpenTofu adds when it reads the file, and of the one that it is made of.

    The one has no hash, so that nothing protects what is installed for it. The other changes nothing about what is
    installed, and ends an `init` that may not write. Rules: OpenTofu since 1.10, `internal/depsfile/locks.go` and
    `internal/command/init.go`.
    """
    if entry.moved_from is not None:
        yield Problem(
            code=ProblemCode.ENTRY_READ_AS_OPENTOFUS,
            severity=Severity.ERROR,
            message=f"OpenTofu takes the entry for {entry.moved_from} as one for {entry.address} as well, with version"
            f" {entry.version} and without its hashes: init takes any package of that version",
            hint="add its hashes, as “lockwarden lock” does; init then removes the entry that nothing requires",
        )
    if entry.read_as is not None:
        yield Problem(
            code=ProblemCode.ENTRY_READ_AS_OPENTOFUS,
            severity=Severity.WARNING,
            message=f"OpenTofu takes the entry for {entry.address} as one for {entry.read_as} as well, so that the set"
            " of providers changes: “tofu init -lockfile=readonly” fails",
            hint="without -lockfile=readonly init works; it keeps the entries that the configuration and the state"
            " require, and removes the others",
        )
