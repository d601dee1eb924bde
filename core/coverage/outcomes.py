"""What is said of one platform and one source: would a client install the locked package from there, and run it."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform


class CoverageOutcome(StrEnum):
    """How `init` ends with this entry. Only what was looked at is ever accepted."""

    ACCEPTED = "accepted"
    """A locked hash matches the package, or the bytes with the one digest that the client takes from the source."""
    REFUSED = "refused"
    """No locked hash matches, or the client refuses the package whatever is locked."""
    ACCEPTS_ANYTHING = "accepts anything"
    """The client installs the package and compares it with nothing."""
    PASSED_OVER = "passed over"
    """A cache: the client takes nothing from there and asks its sources instead."""
    UNKNOWN = "unknown"
    """The source answered, but the package was not looked at, or not all of it."""
    NOT_THERE = "not there"
    """The source does not have the version, or not for the platform."""
    NO_ANSWER = "no answer"
    """The source, or the package, could not be had."""
    NOT_ASKED = "not asked"


class Installability(StrEnum):
    """What an outcome comes to, the worst first."""

    FAILS = "fails"
    """`init` fails, or nothing can run after it."""
    ANYTHING = "takes any package"
    """`init` succeeds with whatever the source gives out."""
    NEEDS_WRITING = "has to add an h1"
    """`init` succeeds, but nothing can run unless it added an `h1` to the lock file."""
    OPEN = "not known"
    WORKS = "works"
    UNUSED = "not used"
    """A cache that the client passes over, which harms nobody."""


class Coverage(Struct, frozen=True, kw_only=True):
    """One cell: an entry of the lock file, on a platform, from a source that is the only one to install from.

    It speaks of a first install into an empty folder, of a version that the configuration allows. `-lockfile=readonly`
    changes nothing about `outcome`: it neither adds nor takes away a check, and it fails by itself only where the set
    of providers changes, which `reason` tells. It says nothing of who made the package.
    """

    platform: Platform
    source: str
    """The source's id."""
    outcome: CoverageOutcome
    runtime: CoverageOutcome | None = None
    """What `plan`, `apply` and the like say of the installed package while the lock file stays as it is, which is so
    with `-lockfile=readonly`: ACCEPTED, REFUSED or ACCEPTS_ANYTHING. None where nothing is installed, or not known."""
    expected: CoverageOutcome | None = None
    """For an outcome that is open: the outcome if the source has the package and it is what the source promises."""
    completing_h1: Hash | None = None
    """The `h1` that an `init` which may write adds to the entry, so that the runs after it on that machine succeed.
    None where nothing is installed, where it is not known, or where it is locked already."""
    reason: str
    """One sentence without a full stop, to be read beside the platform and the source."""
    remedy: str = ""
    """What to do; empty where there is nothing to do."""

    @property
    def standing(self) -> Installability:
        """What the cell comes to, in one word."""
        match self.outcome:
            case CoverageOutcome.REFUSED | CoverageOutcome.NOT_THERE:
                return Installability.FAILS
            case CoverageOutcome.ACCEPTS_ANYTHING:
                return Installability.ANYTHING
            case CoverageOutcome.ACCEPTED if self.runtime is not CoverageOutcome.REFUSED:
                return Installability.WORKS
            case CoverageOutcome.ACCEPTED:
                return Installability.FAILS if self.completing_h1 is None else Installability.NEEDS_WRITING
            case CoverageOutcome.UNKNOWN | CoverageOutcome.NO_ANSWER | CoverageOutcome.NOT_ASKED:
                return Installability.OPEN
            case CoverageOutcome.PASSED_OVER:
                return Installability.UNUSED
            case _:
                assert_never(self.outcome)

    @property
    def word(self) -> str:
        """The outcome in words, the run included where it ends otherwise than the install."""
        only = self.outcome is CoverageOutcome.ACCEPTED and self.runtime is CoverageOutcome.REFUSED
        return "accepted at install only" if only else self.outcome.value
