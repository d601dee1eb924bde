"""What writing would cause, in lines above the difference. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from textual.content import Content

from lockwarden.core.review.write_warnings import Consequence, WriteWarning
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.severity import Severity
from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.render.prose import advice, sentence
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.styles import SEVERITIES

_SEVERITIES: Final = {Consequence.NOT_AUDITED: Severity.WARNING, Consequence.SIGNED_OTHERWISE: Severity.NOTE}
"""Of all others it is an error."""
OF_DECISIONS: Final = "go back, and take decisions back with ⟨undo⟩, unless this is what you want"
OF_A_STEP_BACK: Final = "leave the file as it is, unless this is what you want"
_FIRST = 6
"""Warnings that are told above a difference; those that strip protection come first."""


def warning_lines(warnings: Sequence[WriteWarning], width: int, *, instead: str = OF_DECISIONS) -> Iterator[Content]:
    """Each with its provider, and what to do about all of them."""
    for each in warnings[:_FIRST]:
        look = SEVERITIES[_SEVERITIES.get(each.consequence, Severity.ERROR)]
        yield from sentence(look, f"{provider_name(each.provider)}: {each.text}", width)
    if len(warnings) > _FIRST:
        yield Content(f"  and {counted(len(warnings) - _FIRST, 'warning')} more, named below the difference")
    if any(each.consequence is Consequence.SIGNED_OTHERWISE for each in warnings):
        yield from advice("compare the key with what its owner publishes, by another way than the registry", width)
    if any(each.consequence is not Consequence.SIGNED_OTHERWISE for each in warnings):
        yield from advice(with_keys(instead), width)


def warnings_below(warnings: Sequence[WriteWarning], width: int) -> Iterator[Content]:
    """Those for which there was no room above."""
    for each in warnings[_FIRST:]:
        look = SEVERITIES[_SEVERITIES.get(each.consequence, Severity.ERROR)]
        yield from sentence(look, f"{provider_name(each.provider)}: {each.text}", width)
