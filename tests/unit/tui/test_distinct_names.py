"""Names are cut so that no two look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockwarden.tui.render.distinct_names import distinct_names
from lockwarden.tui.render.text import cells

TEAMS = [f"infrastructure/live/accounts/{team}/eu-central-1/network/base/" for team in ("blue", "green", "grey")]


@pytest.mark.parametrize("width", [12, 20, 34, 60])
def test_where_long_paths_differ_stays(width: int) -> None:
    told = distinct_names(TEAMS, width)
    assert len(set(told)) == len(TEAMS)
    assert all(cells(each) <= width for each in told)


def test_names_that_differ_in_two_places_show_both_where_there_is_room() -> None:
    names = [
        f"live/accounts/{region}/{stage}/network/base/" for region in ("eu-1", "us-1") for stage in ("prod", "test")
    ]
    assert distinct_names(names, 14) == ["…eu-1/prod/ne…", "…eu-1/test/ne…", "…us-1/prod/ne…", "…us-1/test/ne…"]


def test_what_fits_stays_whole() -> None:
    assert distinct_names(TEAMS, 80) == TEAMS
    assert distinct_names(["a/", "a/"], 10) == ["a/", "a/"]


@given(st.lists(st.text("ab/ü漢", min_size=1, max_size=40), unique=True, max_size=20), st.integers(8, 30))
def test_no_two_look_alike_at_any_width(names: list[str], width: int) -> None:
    told = distinct_names(names, width)
    assert len(set(told)) == len(names)
    assert all(cells(each) <= width for each in told)
