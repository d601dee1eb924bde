"""The columns of the hash table for every width."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.render.columns import PADDING, ColumnName, columns_for
from lockwarden.tui.screens.help import MEANINGS


@table("compared", [False, True])
@table("width", [*range(15, 240)])
def test_no_width_needs_scrolling_and_no_verdict_is_cut(width: int, compared: bool) -> None:
    columns = columns_for(width, compared=compared)

    assert sum(column.width + PADDING for column in columns) <= width
    assert columns[0].name is ColumnName.VERDICT
    assert columns[0].width >= 2 + max(len(verdict) for verdict in Verdict)


@table(
    ("width", "missing"),
    [
        (85, set()),
        (71, set()),
        (70, {ColumnName.SIGNED_BY}),
        (59, {ColumnName.SIGNED_BY, ColumnName.REGISTRY, ColumnName.LOCAL}),
        (40, {ColumnName.SIGNED_BY, ColumnName.REGISTRY, ColumnName.LOCAL, ColumnName.PLATFORM}),
    ],
)
def test_columns_go_one_after_the_other_as_it_gets_narrow(width: int, missing: set[ColumnName]) -> None:
    shown = {column.name for column in columns_for(width)}
    assert set(ColumnName) - shown == missing | {ColumnName.CHANGE}


@pytest.mark.parametrize(
    ("width", "missing"), [(76, set()), (75, {ColumnName.SIGNED_BY}), (40, {ColumnName.CHANGE, ColumnName.PLATFORM})]
)
def test_with_a_base_a_column_more_tells_what_the_change_did(width: int, missing: set[ColumnName]) -> None:
    shown = {column.name for column in columns_for(width, compared=True)}
    assert missing <= set(ColumnName) - shown
    assert (ColumnName.CHANGE in shown) is (ColumnName.CHANGE not in missing)


def test_a_very_wide_table_shows_whole_hashes_and_gives_the_rest_to_the_platforms() -> None:
    widths = {column.name: column.width for column in columns_for(200)}

    assert widths[ColumnName.HASH] >= len("zh:") + 64
    assert widths[ColumnName.PLATFORM] > 13


def test_the_narrowest_table_is_the_verdict_alone() -> None:
    assert [column.name for column in columns_for(3)] == [ColumnName.VERDICT]


def test_help_explains_every_verdict() -> None:
    assert set(MEANINGS) == set(Verdict)
