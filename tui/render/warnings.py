"""What writing would cause, in lines above the difference. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from lockwarden.core.review.write_warnings import Consequence, WriteWarning
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.severity import Severity
from lockwarden.tui.render.prose import advice, sentence
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.styles import SEVERITIES

_FIRST = 6
"""Warnings that are told above a difference; those that strip protection come first."""


def warning_lines(warnings: Sequence[WriteWarning], width: int) -> Iterator[Content]:
    """Each with its provider, and what to do about all of them."""
    for each in warnings[:_FIRST]:
        look = SEVERITIES[Severity.WARNING if each.consequence is Consequence.NOT_AUDITED else Severity.ERROR]
        yield from sentence(look, f"{provider_name(each.provider)}: {each.text}", width)
    if len(warnings) > _FIRST:
        yield Content(f"  and {counted(len(warnings) - _FIRST, 'warning')} more, named below the difference")
    if warnings:
        yield from advice("go back, and take decisions back with z, unless this is what you want", width)


def warnings_below(warnings: Sequence[WriteWarning], width: int) -> Iterator[Content]:
    """Those for which there was no room above."""
    for each in warnings[_FIRST:]:
        yield from sentence(SEVERITIES[Severity.ERROR], f"{provider_name(each.provider)}: {each.text}", width)
