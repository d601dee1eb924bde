"""The providers of the lock file, each with what was found or what is being done."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from lockwarden.core.addresses import ProviderAddress
from lockwarden.core.review.review import ProviderReview
from lockwarden.tui.looks import STYLES, Hue, found_at, of_provider
from lockwarden.tui.progress import Progress
from lockwarden.tui.text import cells, plain, reveal, shorten, shorten_start
from lockwarden.tui.widgets.picker import VimList

_ONE_LINE = 48
"""Cells from which on a provider takes one line instead of two."""


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
        self._providers: tuple[ProviderReview, ...] = ()
        self._progress = Progress()
        self._selected: ProviderAddress | None = None

    def show(
        self, providers: Sequence[ProviderReview], progress: Progress, selected: ProviderAddress | None, title: str
    ) -> None:
        """Show these providers in this order; only what differs is drawn anew."""
        self._providers, self._progress, self._selected = tuple(providers), progress, selected
        self.border_title = Content(title)
        prompts = {each.address: self._prompt(each) for each in providers}
        if list(prompts) != list(self._shown):
            top = self.scroll_y
            self.set_options(Option(prompt, id=str(address)) for address, prompt in prompts.items())
            self.scroll_to(y=top, animate=False)
        else:
            for address, prompt in prompts.items():
                if not prompt.is_same(self._shown[address]):
                    self.replace_option_prompt(str(address), prompt)
        self._shown = prompts
        wanted = None if selected is None else self.get_option_index(str(selected))
        if self.highlighted != wanted:
            self.highlighted = wanted

    def _prompt(self, provider: ProviderReview) -> Content:
        width = max(1, self.scrollable_content_region.width - 1)
        look = of_provider(provider)
        version = shorten(str(provider.entry.version), max(6, width // 3))
        said = self._progress.of(provider.address).told if provider.waiting and self._progress.running else ""
        found = said or ("not audited" if provider.waiting else found_at(provider))
        name_style = "bold" if provider.objected else ""
        if width >= _ONE_LINE:
            return self._one_line(provider, version, found, name_style, width)
        name = fitting_name(provider.address, width - len(version) - 3)
        gap = " " * (width - 2 - Content(name).cell_length - len(version))
        first = Content.assemble((look.glyph, look.style), " ", (name, name_style), gap, (version, STYLES[Hue.QUIET]))
        second = plain(shorten(found, max(1, width - 2)), look.style)
        return Content("\n").join([first, Content("  ") + second])

    def _one_line(self, provider: ProviderReview, version: str, found: str, name_style: str, width: int) -> Content:
        look = of_provider(provider)
        name_width = min(34, width // 2 - 2)
        name = Content.styled(fitting_name(provider.address, name_width), name_style)
        left = width - name_width - 16
        return Content.assemble(
            (look.glyph, look.style),
            " ",
            name.pad_right(name_width - name.cell_length + 2),
            plain(f"{version:<11} ", STYLES[Hue.QUIET]),
            plain(shorten(found, max(1, left)), look.style),
        )

    def on_resize(self) -> None:
        """Lay the lines out anew for another width."""
        title = self._border_title.plain if self._border_title is not None else ""
        self.show(self._providers, self._progress, self._selected, title)

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


def fitting_name(address: ProviderAddress, width: int) -> str:
    """The address in `width` cells: without its host where that does not fit; the pane of the hashes has all of it."""
    if cells(address.short) <= width:
        return reveal(address.short)
    return shorten_start(f"…/{address.namespace}/{address.type}", width)
