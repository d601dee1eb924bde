"""Which keys a person may choose."""

from __future__ import annotations

import re

import pytest

from lockwarden.core.engine.user_settings import nearest
from lockwarden.tui.keymap import BY_NAME, KeymapError, checked_keymap


def test_keys_are_chosen_by_the_name_of_what_they_do() -> None:
    assert checked_keymap({}) == {}
    assert checked_keymap({"review.write": "ctrl+s", "review.decide": "d , space", "review.diff": "w"}) == {
        "review.write": "ctrl+s",
        "review.decide": "d,space",
        "review.diff": "w",
    }
    assert checked_keymap({"review.filter": "?", "review.help": "f1,alt+h"})
    assert checked_keymap({"review.filter": ","}) == {"review.filter": "comma"}


def test_the_usual_keys_do_not_clash() -> None:
    assert checked_keymap({name: binding.key for name, binding in BY_NAME.items()})
    assert [name for name in BY_NAME if not re.fullmatch(r"[a-z]+\.[a-z_]+", name)] == []
    assert "resolving.take" in BY_NAME


@pytest.mark.parametrize(
    ("chosen", "entry", "message"),
    [
        ({"review.wirte": "x"}, "review.wirte", "nothing is called that"),
        ({"review.write": "nokey"}, "review.write", "there is no key “nokey”"),
        ({"review.write": "d,,"}, "review.write", "there is no key “”"),
        ({"review.write": "\x1b"}, "review.write", "there is no key “<U+001B>”"),
        ({"review.write": "space"}, "review.write", "space is that of review.decide as well"),
        ({"review.write": "x", "review.undo": "x"}, "review.write", "x is that of review.mark as well"),
        ({"review.write": "/"}, "review.write", "slash is that of review.filter as well"),
    ],
)
def test_what_is_wrong_with_a_choice(chosen: dict[str, str], entry: str, message: str) -> None:
    with pytest.raises(KeymapError) as caught:
        checked_keymap(chosen)
    assert caught.value.entry == entry
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize(
    ("chosen", "meant"), [({"review.wirte": "x"}, "review.write"), ({"review.write": "spcae"}, "space")]
)
def test_what_was_probably_meant_by_a_name_or_a_key_is_named(chosen: dict[str, str], meant: str) -> None:
    with pytest.raises(KeymapError) as caught:
        checked_keymap(chosen)
    assert nearest(caught.value.word, caught.value.known) == f"did you mean {meant}?"
