"""What is asked once more, by name, before a write takes away what packages are checked by."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.screen import Screen

from lockwarden.core.review.write_warnings import WriteWarning, stripped
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.text import shorten
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen

_NAME = 40
"""Cells of a provider's name on a button; the text above names it whole."""


def once_stripping_is_confirmed(
    below: Screen[None], warnings: Iterable[WriteWarning], go_on: Callable[[], object]
) -> None:
    """Go on at once where no protection is taken away, else only once a person has said so by name."""
    question = _question(tuple(warnings))
    if question is None:
        go_on()
        return

    def answered(agreed: bool | None) -> None:
        if agreed:
            go_on()

    below.app.push_screen(ConfirmScreen(question), answered)


def _question(warnings: tuple[WriteWarning, ...]) -> Confirmation | None:
    """What is asked once more, by name; None where no protection is taken away."""
    owners = [provider_name(each) for each in stripped(warnings)]
    if not owners:
        return None
    whom = shorten(owners[0], _NAME) if len(owners) == 1 else counted(len(owners), "provider")
    rows = ((f"{provider_name(each.provider)}: {each.text}", "") for each in warnings if each.strips)
    return Confirmation(
        title=f"This takes away the protection of {whom}",
        rows=(*rows, ("Whoever can change what a source gives out decides what is installed then.", "")),
        safe="Cancel",
        risky=f"Write {whom} without protection",
    )
