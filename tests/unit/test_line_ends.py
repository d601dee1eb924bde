"""Line ends that a checkout converts, and those that it does not."""

from __future__ import annotations

import pytest

from lockwarden.core.values.line_ends import with_line_feeds


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (b"one\r\ntwo\r\n", b"one\ntwo\n"),
        (b"one\ntwo\r\n", b"one\ntwo\n"),
        (b"one\rtwo", b"one\rtwo"),
        (b"one\r\r\n", b"one\r\n"),
        (b"", b""),
    ],
)
def test_only_what_a_checkout_converts_is_converted(data: bytes, kept: bytes) -> None:
    assert with_line_feeds(data) == kept
