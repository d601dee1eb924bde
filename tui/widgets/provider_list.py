"""The providers of the lock file, each with what was found or what is being done."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from lockwarden.core.addresses import ProviderAddress
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.tui.found import found_at, of_provider
from lockwarden.tui.looks import REMOVED, STYLES, Hue, Look
from lockwarden.tui.progress import Progress
from lockwarden.tui.text import cells, plain, reveal, shorten, shorten_start
from lockwarden.tui.widgets.picker import VimList

_ONE_LINE = 48
"""Cells from which on a provider takes one line instead of two."""


class Listing(Struct, frozen=True, kw_only=True):
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


class ProviderList(VimList):
    """A list by provider address; the cursor stays on its provider whatever happens around it."""

    class ProviderChosen(Message):
        """A person moved to a provider; `opened` when they want to see its hashes."""

        def __init__(self, address: ProviderAddress, *, opened: bool) -> None:
            super().__init__()
            self.address = address
            self.opened = opened

    def __init__(self) -> None:
        super().__init__(id="providers", markup=False)
        self._shown: dict[ProviderAddress, Content] = {}
        self._drawn: dict[ProviderAddress, tuple[_LaidOut, Content]] = {}
        """What was drawn last of each provider, and what it was drawn from."""
        self._listing = Listing()
        self._progress = Progress()
        self._selected: ProviderAddress | None = None
        self._longest = 0
        """Cells of the longest name."""

    def show(self, listing: Listing, progress: Progress, selected: ProviderAddress | None) -> None:
        """Show these providers in this order; only what differs is drawn anew."""
        self._listing, self._progress, self._selected = listing, progress, selected
        entries = (*(each.entry for each in listing.providers), *listing.removed)
        self._longest = max((cells(each.address.short) for each in entries), default=0)
        self.border_title, self.border_subtitle = Content(listing.title), Content(listing.subtitle)
        prompts = {each.address: self._prompt(each) for each in listing.providers}
        gone = {each.address: self._gone(each) for each in listing.removed}
        if list(prompts | gone) != list(self._shown):
            top = self.scroll_y
            options = [Option(prompt, id=str(address)) for address, prompt in prompts.items()]
            options += [Option(prompt, id=str(address), disabled=True) for address, prompt in gone.items()]
            self.set_options(options)
            self.scroll_to(y=top, animate=False)
        else:
            for address, prompt in (prompts | gone).items():
                if prompt is not self._shown[address] and not prompt.is_same(self._shown[address]):
                    self.replace_option_prompt(str(address), prompt)
        self._shown = prompts | gone
        wanted = None if selected is None else self.get_option_index(str(selected))
        if self.highlighted != wanted:
            self.highlighted = wanted

    @property
    def _width(self) -> int:
        return max(1, self.scrollable_content_region.width - 1)

    def _prompt(self, provider: ProviderReview) -> Content:
        said = self._progress.of(provider.address).told if provider.waiting and self._progress.running else ""
        laid_out = _LaidOut(provider, self._listing.sides, said, self._width, self._longest)
        before = self._drawn.get(provider.address)
        if before is None or not laid_out.is_same(before[0]):
            self._drawn[provider.address] = before = (laid_out, self._draw(provider, said))
        return before[1]

    def _draw(self, provider: ProviderReview, said: str) -> Content:
        look = of_provider(provider)
        told = said or ("not audited" if provider.waiting else "")
        name_style = "bold" if provider.objected else ""

        def found(width: int) -> str:
            return shorten(told or found_at(provider, self._listing.sides, width=max(1, width)), width)

        return self._laid_out(look, provider.address, str(provider.entry.version), name_style, found)

    def _gone(self, entry: LockedProvider) -> Content:
        def found(width: int) -> str:
            return shorten("removed", width)

        return self._laid_out(REMOVED, entry.address, str(entry.version), STYLES[Hue.QUIET], found)

    def _laid_out(
        self, look: Look, address: ProviderAddress, version: str, name_style: str, found: Callable[[int], str]
    ) -> Content:
        """A provider on one line where there is room, else on two."""
        width = self._width
        version = shorten(version, max(6, width // 3))
        if width >= _ONE_LINE:
            name_width = min(34, width // 2 - 2, self._longest)
            return _one_line(look, address, version, name_style, found, width, name_width)
        name = fitting_name(address, width - len(version) - 3)
        gap = " " * (width - 2 - Content(name).cell_length - len(version))
        first = Content.assemble((look.glyph, look.style), " ", (name, name_style), gap, (version, STYLES[Hue.QUIET]))
        return Content("\n").join([first, Content("  ") + plain(found(max(1, width - 2)), look.style)])

    def on_resize(self) -> None:
        """Lay the lines out anew for another width."""
        self.show(self._listing, self._progress, self._selected)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell where a person moved; what this widget did itself is no news."""
        event.stop()
        address = self._address_of(event.option_id)
        if address is not None and address != self._selected and self.highlighted_option is event.option:
            self.post_message(self.ProviderChosen(address, opened=False))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open a provider."""
        event.stop()
        if (address := self._address_of(event.option_id)) is not None:
            self.post_message(self.ProviderChosen(address, opened=True))

    def _address_of(self, option_id: str | None) -> ProviderAddress | None:
        return next((address for address in self._shown if str(address) == option_id), None)


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
