"""The pictures of the documentation, where programs draw them that leave out the blanks before a text."""

from __future__ import annotations

import pytest

from screenshots import in_place


@pytest.mark.parametrize("first", ["hashes", "&quot;zh:00", "&lt;none&gt;", "&amp;c"])
def test_a_text_behind_blanks_stands_where_its_first_sign_does(first: str) -> None:
    before = f'<text x="12.2" y="20" textLength="122" clip-path="url(#a)">&#160;&#160;&#160;{first}</text>'

    assert in_place(before) == f'<text x="48.8" y="20" textLength="85.4" clip-path="url(#a)">{first}</text>'


def test_blanks_alone_stay() -> None:
    blanks = '<text x="0" y="20" textLength="24.4">&#160;&#160;</text>'

    assert in_place(blanks) == blanks
