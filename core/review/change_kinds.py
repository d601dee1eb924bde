"""The classes that a change of an entry can fall into, and what is known when it is put into them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec
from msgspec import Struct

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.locked_elsewhere import LockedElsewhere
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


class ChangeKind(StrEnum):
    """The classes of changes, by weight."""

    HASHES_SWAPPED = "hashes swapped"
    PROTECTION_REMOVED = "protection removed"
    VERSION_DOWN = "version down"
    NEW_SIGNER = "new signer"
    NEW_PROVIDER = "new provider"
    NEAR_NAME = "near name"
    REGISTRY_MOVED = "registry moved"
    UPGRADE = "version up"
    PLATFORMS_ADDED = "platforms added"
    HASHES_ADDED = "hashes added"
    HASHES_REMOVED = "hashes removed"
    CONSTRAINTS_CHANGED = "constraints changed"

    @property
    def weight(self) -> int:
        """Its place, from 0, the heaviest."""
        return list(ChangeKind).index(self)

    @property
    def code(self) -> ProblemCode:
        """What reports know it by: `change-` and its words."""
        return ProblemCode(f"change-{self.value.replace(' ', '-')}")


class Change(Struct, frozen=True, kw_only=True):
    """One thing that a change of an entry does."""

    kind: ChangeKind
    severity: Severity
    message: str
    hint: str = ""

    @property
    def order(self) -> tuple[int, int]:
        """By the weight of its class, and within one class by what objects."""
        return (self.kind.weight, list(Severity).index(self.severity))

    @property
    def problem(self) -> Problem:
        """The change as a problem of the entry."""
        return Problem(code=self.kind.code, severity=self.severity, message=self.message, hint=self.hint)


class ChangeContext(Struct, frozen=True, kw_only=True):
    """What is known beside the change itself."""

    side: BaseSide
    evidence: Evidence | None
    """Of the version that is locked now; None while its audit has not ended."""
    pinned: frozenset[str] = frozenset()
    """Fingerprints that the policy trusts for the provider."""
    before: frozenset[Hash] = frozenset()
    """What the base's history locked for the version that is locked now."""
    others: Mapping[Hash, LockedElsewhere] = msgspec.field(default_factory=dict)
    """The hashes that went and that the base's history had for another version before."""
