"""Sentences are wrapped as Textual wraps them, by a shorter way where every character takes one cell."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from lockwarden.tui.render.prose import hanging

TEXTS = st.text(alphabet="ab.c   “→é漢\t", max_size=60) | st.text(alphabet="abc   “→", max_size=60)


@given(text=TEXTS, width=st.integers(2, 20), style=st.sampled_from(["", "bold"]))
def test_sentences_wrap_as_textual_wraps_them(text: str, width: int, style: str) -> None:
    body = Content.styled(text, style)
    wrapped = [body] if body.cell_length <= width and "\t" not in text else body.wrap(width)
    expected = [part for line in wrapped for part in _fitting(line.rstrip(), width)]
    found = list(hanging(Content(""), body, width))
    assert [each.plain for each in found] == [each.plain for each in expected]
    assert all(one.is_same(other) for one, other in zip(found, expected, strict=True))


def _fitting(line: Content, width: int) -> list[Content]:
    return [line] if line.cell_length <= width else line.fold(width)
