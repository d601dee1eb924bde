"""The policy and the approvals that lie on disk for a lock file: what people edit, and what counts without a base."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.engine.approvals_files import approvals_path, read_approvals_file, read_signature_file
from lockwarden.core.engine.policy_files import (
    FoundPolicy,
    SearchedPolicy,
    named_from,
    not_there,
    read_named,
    search_policy,
)
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.places import way_of
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.standards import StandardFile
from lockwarden.core.values.line_ends import with_line_feeds
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


def sha256_of(data: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


class StandardsOnDisk(Struct, frozen=True, kw_only=True):
    """What lies on disk for one lock file."""

    found: FoundPolicy | None
    policy: Policy
    approvals: Approvals
    approvals_path: Path
    signature: bytes | None
    """What lies beside the approvals as a signature over them; None without any, and where there are no approvals."""
    problems: tuple[Problem, ...]

    @property
    def outside(self) -> bool:
        """Whether the operator named a policy that no change of the repository reaches."""
        return self.found is not None and not self.found.in_reach

    @property
    def policy_place(self) -> tuple[Path, bytes] | None:
        """The policy's place and text; None when there is none."""
        return None if self.found is None else (self.found.path, with_line_feeds(self.found.data))

    @property
    def approvals_place(self) -> tuple[Path, bytes] | None:
        """The same of the approvals."""
        return (self.approvals_path, with_line_feeds(self.approvals.data)) if self.approvals.path else None

    @property
    def policy_files(self) -> tuple[StandardFile, ...]:
        """The policy for reports."""
        found = self.found
        if found is None:
            return ()
        return (StandardFile(path=found.name, digest=sha256_of(found.data), outside=not found.in_reach),)


def on_disk(
    place: Path,
    root: Path | None,
    named: tuple[str, str] | None,
    directory: Path,
    *,
    read: Callable[[FoundPolicy], Policy],
    lenient: bool,
) -> StandardsOnDisk:
    """What lies on disk for a lock file; `named` is the policy that the operator names, with what names it.

    A named file that is not there is an error, unless it is `lenient` and the file would lie in the repository. Raises
    PolicyError and ApprovalsError.
    """
    if named is None:
        searched = search_policy(place, root=root)
    else:
        text, chosen_by = named
        path = named_from(directory, text)
        in_reach = root is not None and way_of(path, root).enters
        searched = SearchedPolicy(found=read_named(path, text, chosen_by, in_reach=in_reach))
        if searched.found is None and not (lenient and in_reach):
            raise not_there(text, chosen_by)
    found = searched.found
    approvals = read_approvals_file(place, root=root)
    beside = approvals_path(place, root=root)
    return StandardsOnDisk(
        found=found,
        policy=NO_POLICY if found is None else read(found),
        approvals=approvals,
        approvals_path=beside,
        signature=read_signature_file(beside) if approvals.path else None,
        problems=tuple(_passed_over(searched)),
    )


def _passed_over(searched: SearchedPolicy) -> Iterator[Problem]:
    for path in searched.anothers:
        yield Problem(
            code=ProblemCode.POLICY_OF_ANOTHER_USER,
            severity=Severity.WARNING,
            message=f"the policy {path} belongs to another user and does not count, so what it asks for is not known",
            hint="take it over with chown, or name it: --policy FILE",
        )
