"""Line ends that a checkout may convert: a file of the working tree is what was committed whichever of them it has."""

from __future__ import annotations


def with_line_feeds(data: bytes) -> bytes:
    """A text as git keeps it, a line feed at the end of each line; a carriage return by itself stays."""
    return data.replace(b"\r\n", b"\n")
