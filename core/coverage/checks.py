"""The comparisons that a client makes with the hashes of a lock file entry, at install and at run time.

Rules: OpenTofu, `internal/providercache`; Terraform's are the same. A client looks at the scheme of a locked hash and
never at the form of its value, so that an entry with nothing but a malformed `zh` refuses every archive, while one with
nothing but unknown schemes accepts them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final, Self, assert_never

from msgspec import Struct

from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.hashes import H1, PREFERRED_SCHEMES, ZH, Hash

NOTHING_KNOWN: Final[frozenset[Hash]] = frozenset()


class Shape(Enum):
    """In which form a client gets hold of a package, which decides what it compares."""

    ARCHIVE = auto()
    """A zip file, downloaded or in a folder: `zh` or the archive's `h1`."""
    FOLDER = auto()
    """An unpacked package: its `h1`."""
    BLOB = auto()
    """A zip file in an OCI registry: its digest as a `zh`, before it is downloaded."""

    @property
    def compared(self) -> frozenset[str]:
        """The schemes that can match."""
        match self:
            case Shape.ARCHIVE:
                return PREFERRED_SCHEMES
            case Shape.FOLDER:
                return frozenset({H1})
            case Shape.BLOB:
                return frozenset({ZH})
            case _:
                assert_never(self)


class Check(Enum):
    """How a comparison ends."""

    PASSES = auto()
    FAILS = auto()
    COMPARES_NOTHING = auto()
    """No comparison is made, and the package is taken."""
    OPEN = auto()
    """It depends on what is not known of the package."""


class Allowed(Struct, frozen=True):
    """The hashes of an entry that a client holds a package against; without any it compares nothing."""

    hashes: frozenset[Hash]
    """Every `h1` and `zh`, those that can never match among them."""

    @classmethod
    def of(cls, entry: LockedProvider) -> Self:
        """Those of a lock file entry."""
        return cls(frozenset(hash_ for hash_ in entry.hash_set if hash_.scheme in PREFERRED_SCHEMES))

    def usable(self, schemes: frozenset[str] = PREFERRED_SCHEMES) -> frozenset[Hash]:
        """Those of some schemes that some package could match."""
        return frozenset(hash_ for hash_ in self.hashes if hash_.scheme in schemes and hash_.usable)

    def at_install(self, shape: Shape, known: frozenset[Hash]) -> Check:
        """What `init` finds for a package of which these hashes are known, by a scheme all of them or none."""
        if not self.hashes:
            return Check.COMPARES_NOTHING
        if shape is Shape.FOLDER and not any(hash_.scheme == H1 for hash_ in self.hashes):
            return Check.COMPARES_NOTHING
        return _any_passes(self._compare(scheme, known) for scheme in shape.compared)

    def at_run(self, h1: frozenset[Hash]) -> Check:
        """What `plan` and the like find for an installed package, of which only the folder's `h1` can be compared."""
        return self._compare(H1, h1) if self.hashes else Check.COMPARES_NOTHING

    def _compare(self, scheme: str, known: frozenset[Hash]) -> Check:
        true = frozenset(hash_ for hash_ in known if hash_.scheme == scheme)
        if true & self.hashes:
            return Check.PASSES
        return Check.FAILS if true or not self.usable(frozenset({scheme})) else Check.OPEN


def _any_passes(checks: Iterable[Check]) -> Check:
    """One match is enough."""
    found = frozenset(checks)
    return next((each for each in (Check.PASSES, Check.OPEN) if each in found), Check.FAILS)
