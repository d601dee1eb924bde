"""Lock files and reviews for tests, written as a client would write them and read by the real reader."""

from __future__ import annotations

from collections.abc import Iterable

from builders.audits import ADDRESS, LINUX
from builders.reading import parse
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

HEADER = """# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.
"""


def entry_text(*hashes: Hash, address: str = str(ADDRESS), version: str = "1.2.3", constraints: str = "") -> str:
    """One provider block in canonical form."""
    lines = [f'\nprovider "{address}" {{']
    if constraints:
        lines += [f'  version     = "{version}"', f'  constraints = "{constraints}"']
    else:
        lines += [f'  version = "{version}"']
    if hashes:
        lines += ["  hashes = [", *(f'    "{hash_}",' for hash_ in sorted(hashes)), "  ]"]
    return "\n".join([*lines, "}\n"])


def lock_file(*blocks: str) -> LockFile:
    """A lock file that holds these blocks."""
    return parse((HEADER + "".join(blocks)).encode(), path=".terraform.lock.hcl")


def entry(*hashes: Hash, address: str = str(ADDRESS), version: str = "1.2.3", constraints: str = "") -> LockedProvider:
    """One provider block as the real reader has it."""
    text = entry_text(*hashes, address=address, version=version, constraints=constraints)
    return lock_file(text).providers[0]


def review(
    locked: Iterable[Hash],
    *audits: Audit,
    platforms: Iterable[Platform] = (LINUX,),
    settings: ClientSettings | None = None,
    standards: Standards = NO_STANDARDS,
) -> Review:
    """The review of a lock file with one provider, after these audits have ended."""
    begun = Review.start(
        lock_file(entry_text(*locked)),
        settings=settings or ClientSettings(),
        platforms=platforms,
        standards=standards,
    )
    for audit in audits:
        begun = begun.with_audit(audit)
    return begun
