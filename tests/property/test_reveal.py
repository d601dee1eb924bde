"""Whatever comes from outside can be shown once it is revealed: nothing in it acts, hides or turns the text around."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from lockwarden.tui.render.text import plain, reveal, shorten, shorten_hash

ANY = st.text(st.characters(), max_size=60)
_ACTING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(ANY)
def test_nothing_that_acts_or_hides_is_left(value: str) -> None:
    for char in reveal(value):
        assert char.isprintable()
        assert unicodedata.category(char) not in _ACTING


@given(ANY)
def test_revealing_twice_is_revealing_once(value: str) -> None:
    assert reveal(reveal(value)) == reveal(value)


@given(ANY)
def test_different_values_of_one_hidden_character_stay_different(value: str) -> None:
    assert reveal(f"{value}\u202e") != reveal(value)


@given(ANY, st.integers(min_value=0, max_value=80))
def test_every_door_shows_the_revealed_text_and_nothing_is_markup(value: str, width: int) -> None:
    assert plain(value).plain == reveal(value)
    for shown in (shorten(value, width), shorten_hash(value, width)):
        assert all(char.isprintable() for char in shown)
