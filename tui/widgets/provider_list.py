"""The providers of the lock file, each with what was found or what is being done."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec import Struct
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.tui.render.provider_lines import describe_findings, of_provider
from lockwarden.tui.render.styles import REMOVED, STYLES, Hue, Look
from lockwarden.tui.render.text import cells, plain, reveal, shorten, shorten_start
from lockwarden.tui.state.progress import Progress
from lockwarden.tui.widgets.line_list import LineList
from lockwarden.tui.widgets.titles import retitle

_ONE_LINE = 48
"""Cells from which on a provider takes one line instead of two."""


class ProviderListing(Struct, frozen=True, kw_only=True):
    """What the list shows."""

    providers: tuple[ProviderReview, ...] = ()
    removed: tuple[LockedProvider, ...] = ()
    """Entries that the base has and the lock file has not; they can be seen, and not selected."""
    sides: tuple[BaseSide, ...] = ()
    title: str = ""
    subtitle: str = ""


class _LaidOut(Struct, frozen=True):
    """Everything that a provider's lines are drawn from."""

    provider: ProviderReview
    sides: tuple[BaseSide, ...]
    said: str
    width: int
    longest: int

    def is_same(self, other: _LaidOut) -> bool:
        """Whether the lines would be the same; values that were judged anew are taken for others."""
        return (
            self.provider is other.provider
            and self.sides is other.sides
            and (self.said, self.width, self.longest) == (other.said, other.width, other.longest)
        )


class ProviderList(LineList[ProviderAddress]):
    """A list by provider address; the cursor stays on its provider whatever happens around it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "Hashes", show=False)]

    class ProviderChosen(Message):
        """A person moved to a provider; `opened` when they want to see its hashes."""

        def __init__(self, address: ProviderAddress, *, opened: bool) -> None:
            super().__init__()
            self.address = address
            self.opened = opened

    def __init__(self) -> None:
        super().__init__(id="providers")
        self._drawn: dict[ProviderAddress, tuple[_LaidOut, Content]] = {}
        """What was drawn last of each provider, and what it was drawn from."""
        self._gone: dict[ProviderAddress, tuple[int, Content]] = {}
        """The same of entries that were removed, by their width."""
        self._listing = ProviderListing()
        self._providers: dict[ProviderAddress, ProviderReview] = {}
        self._removed: dict[ProviderAddress, LockedProvider] = {}
        self._progress = Progress()
        self._longest = 0
        """Cells of the longest name."""

    def show(self, listing: ProviderListing, progress: Progress, selected: ProviderAddress | None) -> None:
        """Show these providers in this order; only what differs is drawn anew."""
        self._listing, self._progress = listing, progress
        providers = {each.address: each for each in listing.providers}
        removed = {each.address: each for each in listing.removed}
        if providers.keys() != self._providers.keys() or removed.keys() != self._removed.keys():
            self._longest = max((cells(each.short) for each in (*providers, *removed)), default=0)
            self._gone.clear()
        self._providers, self._removed = providers, removed
        retitle(self, Content(listing.title), Content(listing.subtitle))
        self.show_entries(tuple(providers), selected, fixed=tuple(removed))

    @property
    def entry_height(self) -> int:
        """One line where there is room, else two."""
        return 1 if self.line_width > _ONE_LINE else 2

    def content_of(self, key: ProviderAddress, width: int) -> Content:
        """A provider's lines, one cell narrower than the pane."""
        width = max(1, width - 1)
        if (entry := self._removed.get(key)) is not None:
            if self._gone.get(key, (0,))[0] != width:
                self._gone[key] = (width, self._draw_removed(entry, width))
            return self._gone[key][1]
        provider = self._providers[key]
        said = self._progress.of(key).summary if provider.waiting and self._progress.running else ""
        laid_out = _LaidOut(provider, self._listing.sides, said, width, self._longest)
        before = self._drawn.get(key)
        if before is None or not laid_out.is_same(before[0]):
            self._drawn[key] = before = (laid_out, self._draw(provider, said, width))
        return before[1]

    def tell(self, key: ProviderAddress, *, opened: bool) -> None:
        """Tell where a person moved."""
        self.post_message(self.ProviderChosen(key, opened=opened))

    def clicked(self, key: ProviderAddress) -> None:
        """A click opens a provider."""
        self.tell(key, opened=True)

    def _draw(self, provider: ProviderReview, said: str, width: int) -> Content:
        look = of_provider(provider)
        told = said or ("not audited" if provider.waiting else "")
        name_style = "bold" if provider.objected else ""

        def found(room: int) -> str:
            return shorten(told or describe_findings(provider, self._listing.sides, width=max(1, room)), room)

        return self._laid_out(look, provider.entry, name_style, found, width)

    def _draw_removed(self, entry: LockedProvider, width: int) -> Content:
        def found(room: int) -> str:
            return shorten("removed", room)

        return self._laid_out(REMOVED, entry, STYLES[Hue.QUIET], found, width)

    def _laid_out(
        self, look: Look, entry: LockedProvider, name_style: str, found: Callable[[int], str], width: int
    ) -> Content:
        """A provider on one line where there is room, else on two."""
        address, version = entry.address, str(entry.version)
        version = shorten(version, max(6, width // 3))
        if self.entry_height == 1:
            name_width = min(34, width // 2 - 2, self._longest)
            return _one_line(look, address, version, name_style, found, width, name_width)
        name = fitting_name(address, width - len(version) - 3)
        gap = " " * (width - 2 - Content(name).cell_length - len(version))
        first = Content.assemble((look.glyph, look.style), " ", (name, name_style), gap, (version, STYLES[Hue.QUIET]))
        return Content("\n").join([first, Content("  ") + plain(found(max(1, width - 2)), look.style)])


def _one_line(
    look: Look,
    address: ProviderAddress,
    version: str,
    name_style: str,
    found: Callable[[int], str],
    width: int,
    name_width: int,
) -> Content:
    name = Content.styled(fitting_name(address, name_width), name_style)
    head = Content.assemble(
        (look.glyph, look.style),
        " ",
        name.pad_right(name_width - name.cell_length + 2),
        plain(f"{version:<8}  ", STYLES[Hue.QUIET]),
    )
    return head + plain(found(max(1, width - head.cell_length)), look.style)


def fitting_name(address: ProviderAddress, width: int) -> str:
    """The address in `width` cells: without its host where that does not fit; the pane of the hashes has all of it."""
    if cells(address.short) <= width:
        return reveal(address.short)
    return shorten_start(f"…/{address.namespace}/{address.type}", width)
