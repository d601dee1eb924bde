"""What the screen of a lock file in conflict shows at one moment, as a frozen value, and the steps between them."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile
from lockwarden.core.review.resolution import ResolvedFile
from lockwarden.core.review.resolving import Choices, ResolvedProvider
from lockwarden.core.review.review import Review
from lockwarden.core.values.errors import LockFileInvalidError, LockwardenError
from lockwarden.core.values.versions import Version
from lockwarden.tui.state.placeholders import Placeholder, PlaceholderKind

_KEYS = (("⟨read conflict again⟩", "read it again"), ("⟨resolving back⟩", "go back"))


class ResolvingState(Struct, frozen=True, kw_only=True):
    """One lock file in conflict."""

    path: Path = Path()
    conflict: ConflictedLockFile | None = None
    reviews: tuple[Review, ...] = ()
    """Of the sides; none before they were audited."""
    choices: Choices = msgspec.field(default_factory=Choices)
    made: ResolvedFile | None = None
    """What becomes of it with these choices; None before its sides were audited."""
    placeholder: Placeholder | None = None
    """What is shown in the place of the sides, if anything."""
    selected: int = 0

    @property
    def providers(self) -> tuple[ResolvedProvider, ...]:
        """Those in conflict."""
        return () if self.made is None else self.made.resolution.providers

    @property
    def provider(self) -> ResolvedProvider | None:
        """The selected one."""
        return self.providers[self.selected] if self.selected < len(self.providers) else None


def begun(path: Path) -> ResolvingState:
    """The first moment: the file is being read."""
    return ResolvingState(path=path, placeholder=_loading(f"Reading {path}"))


def found(now: ResolvingState, conflict: ConflictedLockFile | None) -> ResolvingState:
    """The moment after it was read. Its sides are being audited; with None, the file has one side only."""
    if conflict is None:
        told = Placeholder(
            kind=PlaceholderKind.EMPTY,
            title=f"{now.path} is in no conflict",
            rows=(("Only one side stands in it.", "go back, and read it again"),),
            keys=(("⟨resolving back⟩", "go back"),),
        )
        return replace(now, conflict=None, placeholder=told)
    names = " and ".join(side.name for side in conflict.sides)
    return replace(now, conflict=conflict, placeholder=_loading(f"Auditing {names}"))


def audited(now: ResolvingState, reviews: tuple[Review, ...], made: ResolvedFile) -> ResolvingState:
    """The moment after every side was audited; the first provider is selected."""
    return replace(now, reviews=reviews, made=made, placeholder=None, selected=0)


def chosen(now: ResolvingState, choices: Choices, made: ResolvedFile) -> ResolvingState:
    """The moment after a person took another version of some provider. The selection stays where it is."""
    return replace(now, choices=choices, made=made)


def failed(now: ResolvingState, error: LockwardenError) -> ResolvingState:
    """The moment after the file could not be read, audited or resolved."""
    rows: tuple[tuple[str, str], ...] = ((error.message, error.hint),)
    if isinstance(error, LockFileInvalidError):
        rows = tuple((str(each), each.hint) for each in error.diagnostics)
    told = Placeholder(kind=PlaceholderKind.FAILED, title=f"{now.path} cannot be resolved", rows=rows, keys=_KEYS)
    return replace(now, placeholder=told)


def with_selected(now: ResolvingState, place: int) -> ResolvingState:
    """The moment after a person moved to the provider at a place, counted from 0."""
    return replace(now, selected=place)


def next_version(now: ResolvingState, provider: ResolvedProvider) -> Choices:
    """The choices with the next version of a provider. One key goes round those that the sides lock."""
    versions = versions_of(provider)
    place = (versions.index(provider.version) + 1) % len(versions)
    return now.choices.with_one(provider.address, versions[place])


def versions_of(provider: ResolvedProvider) -> list[Version]:
    """The versions that the sides lock, the highest first."""
    versions = {each.entry.version for each in provider.candidates}
    return sorted(versions, key=lambda each: (each.order_key, each.metadata), reverse=True)


def _loading(title: str) -> Placeholder:
    return Placeholder(kind=PlaceholderKind.LOADING, title=title)
