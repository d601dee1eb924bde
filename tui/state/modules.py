"""What the screen of modules shows at one moment, as a frozen value, and the pure steps from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.modules.listing import ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.review.module_accepting import accepted_in_bulk
from lockwarden.core.review.module_findings import findings_of
from lockwarden.core.review.module_pinning import why_not_pinned
from lockwarden.core.values.errors import LockwardenError, OwnFileError
from lockwarden.tui.state.placeholders import Placeholder, PlaceholderKind

if TYPE_CHECKING:
    from lockwarden.core.engine.module_files import FoundModules

_KEYS = (("⟨ask modules⟩", "read them again"), ("⟨modules back⟩", "go back"))


class ModulesState(Struct, frozen=True, kw_only=True):
    """The module calls of the configuration beside one lock file."""

    folder: Path = Path()
    base: str = ""
    found: FoundModules | None = None
    placeholder: Placeholder | None = None
    """What is shown in the place of the calls, if anything."""
    asking: tuple[int, int] | None = None
    """How many sources have answered, and of how many; None while nobody is asked."""
    fetching: bool = False
    """Whether packages are being fetched to be compared."""
    selected: int = 0
    """The place of an entry: problems come first, then the calls."""

    @property
    def listing(self) -> ModuleListing | None:
        """The calls, where they were read."""
        return None if self.found is None else self.found.listing

    @property
    def entries(self) -> tuple[ReadingProblem | ListedCall, ...]:
        """Everything that is listed."""
        listing = self.listing
        return () if listing is None else (*listing.problems, *listing.calls)

    @property
    def entry(self) -> ReadingProblem | ListedCall | None:
        """What is selected."""
        entries = self.entries
        return entries[self.selected] if self.selected < len(entries) else None

    @property
    def call(self) -> ListedCall | None:
        """The selected call; None where a problem is selected, or nothing."""
        return self.entry if isinstance(self.entry, ListedCall) else None


class Doable(Struct, frozen=True, kw_only=True):
    """For which calls an action on all of them would do something. Worked out once for each listing."""

    acceptable: tuple[ListedCall, ...] = ()
    pinnable: tuple[ListedCall, ...] = ()
    objected: tuple[int, ...] = ()
    """The places of the entries that something speaks against."""


def doable(now: ModulesState) -> Doable:
    """For which of the calls an action on all of them would do something; for none while they are not read."""
    calls = [each for each in now.entries if isinstance(each, ListedCall)]
    return Doable(
        acceptable=tuple(each for each in calls if accepted_in_bulk(each)),
        pinnable=tuple(each for each in calls if not why_not_pinned(each)),
        objected=tuple(
            place for place, each in enumerate(now.entries) if isinstance(each, ReadingProblem) or findings_of(each)
        ),
    )


def begun(folder: Path, base: str) -> ModulesState:
    """The first moment: the calls beside a lock file are being read. `base` is a revision, or empty."""
    told = Placeholder(kind=PlaceholderKind.LOADING, title=f"Reading the module calls in {folder}")
    return ModulesState(folder=folder, base=base, placeholder=told)


def read(now: ModulesState, found: FoundModules) -> ModulesState:
    """The moment after the calls were read.

    What the sources of unchanged calls mean stays known, and the selection stays on its call.
    """
    before = {_same(each): each.resolution for each in (now.listing.calls if now.listing else ())}
    calls = tuple(replace(each, resolution=before.get(_same(each))) for each in found.listing.calls)
    found = replace(found, listing=replace(found.listing, calls=calls))
    return replace(_selecting_again(now, found), placeholder=_empty(found.listing), asking=None)


def _same(listed: ListedCall) -> tuple[str, str, str, str]:
    return (listed.key, listed.call.file, listed.call.source, listed.call.version)


def _selecting_again(now: ModulesState, found: FoundModules) -> ModulesState:
    after = replace(now, found=found)
    selected = now.entry
    if not isinstance(selected, ListedCall):
        return replace(after, selected=0)
    keys = [each.key if isinstance(each, ListedCall) else "" for each in after.entries]
    return replace(after, selected=keys.index(selected.key) if selected.key in keys else 0)


def _empty(listing: ModuleListing) -> Placeholder | None:
    if listing.calls or listing.problems:
        return None
    return Placeholder(
        kind=PlaceholderKind.EMPTY,
        title=f"The configuration in {listing.path} calls no module",
        rows=(("There is nothing to look at.", "module calls stand in *.tf and *.tf.json"),),
        keys=_KEYS,
    )


def unreadable(now: ModulesState, error: LockwardenError) -> ModulesState:
    """The moment after the calls, or the module lock that they are held against, could not be read."""
    rows: tuple[tuple[str, str], ...] = ((error.message, error.hint),)
    if isinstance(error, OwnFileError):
        rows = tuple((str(each), each.hint) for each in error.diagnostics)
    told = Placeholder(kind=PlaceholderKind.FAILED, title="The modules cannot be judged", rows=rows, keys=_KEYS)
    return replace(now, found=None, placeholder=told, asking=None)


def resolved(now: ModulesState, listing: ModuleListing) -> ModulesState:
    """The moment after every source was asked. Nothing changes where no calls were read meanwhile."""
    if now.found is None:
        return now
    return replace(now, found=replace(now.found, listing=listing), asking=None)


def next_finding(now: ModulesState, objected: Sequence[int], step: int) -> ModulesState:
    """Select the next or the previous entry that something speaks against, round the ends."""
    ahead = [each for each in objected if (each - now.selected) * step > 0]
    places = ahead or list(objected)
    return replace(now, selected=places[0] if step > 0 else places[-1]) if places else now


def asking(now: ModulesState, answered: int, of: int) -> ModulesState:
    """The moment after `answered` of the sources have answered, whose number is `of`."""
    return replace(now, asking=(answered, of))


def not_asking(now: ModulesState) -> ModulesState:
    """The moment after the asking ended early. What is known already stays."""
    return replace(now, asking=None)


def with_selected(now: ModulesState, place: int) -> ModulesState:
    """The moment after a person moved to the entry at a place, counted from 0."""
    return replace(now, selected=place)


def fetching(now: ModulesState, *, fetching: bool) -> ModulesState:
    """The moment after fetching packages, to compare them, has begun or ended."""
    return replace(now, fetching=fetching)
