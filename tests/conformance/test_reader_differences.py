"""What OpenTofu's reader of lock files does and ours does not, each with a row in docs/clients.md.

Recorded: OpenTofu 1.12.6's reader of lock files accepts each file of `MORE_THAN_OURS`, with that version and those
hashes, and refuses each of `LESS_THAN_OURS`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.reading import parse
from builders.tables import table

from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import LockFileInvalidError

PAGE = (Path(__file__).parents[2] / "docs" / "clients.md").read_text(encoding="utf-8")


def entry(version: str = '"1.0.0"', hashes: str = '["h1:a"]', address: str = "example.test/a/b") -> str:
    return f'provider "{address}" {{\n  version = {version}\n  hashes = {hashes}\n}}\n'


COMPUTED = "an expression that has to be computed"
MORE_THAN_OURS = [
    (entry('true ? "1.0.0" : "2.0.0"'), 2, COMPUTED, "has to be computed"),
    (entry('["1.0.0"][0]'), 2, COMPUTED, "has to be computed"),
    (entry('{a="1.0.0"}.a'), 2, COMPUTED, "has to be computed"),
    (entry('"%{ if true }1.0.0%{ endif }"'), 2, COMPUTED, "has to be computed"),
    (entry('"${1 + 0}.0.0"'), 2, COMPUTED, "has to be computed"),
    (entry('[for x in ["1.0.0"]: x][0]'), 2, "a “for” expression", "has to be computed"),
    (entry(hashes='[true ? "h1:a" : "h1:b"]'), 3, COMPUTED, "has to be computed"),
    (entry(hashes="[<<E\nh1:a\nE\n]"), 3, "a here-document", "here-document"),
    ('module "m" {\n  a = <<E\n text\nE\n}\n' + entry(), 2, "a here-document", "here-document"),
    ('module "m" {\n  a = <<E\n' + entry() + "E\n}\n" + entry(), 2, "a here-document", "here-document"),
    (entry(hashes='["h1:\udced\udca0\udc80"]'), 3, "0xed", "look like UTF-8"),
    (entry(hashes='["h1:\udcc0\udcaf"]'), 3, "0xc0", "look like UTF-8"),
    (entry(hashes='["h1:\udcf4\udc90\udc80\udc80"]'), 3, "0xf4", "look like UTF-8"),
    (entry(address=f"example.test/a/{'ä' * 257}"), 1, "longer than 256", "more than 256 characters"),
]
LESS_THAN_OURS = [
    entry(address="example.test/a/\U000105c0"),  # Unicode 16.0
    entry(address="example.test/a/\U0002ebf0"),  # Unicode 15.1
]
AS_OURS = [
    entry(address=f"example.test/a/{'b' * 300}"),
    entry(address=f"example.test/{'a' * 300}/b"),
    entry(address=f"{'a' * 300}.test/a/b"),
    entry(address="example.test/a/\u0870"),  # Unicode 14.0
    'module "m" {\n  a = 1 + f(x)[0].y ? {b=1} : [for k in z: k]\n}\n' + entry(),
]


def read(text: str) -> tuple[str, ...]:
    lock_file = parse(text.encode("utf-8", "surrogateescape"), path="f", client=Client.OPENTOFU)
    return tuple(str(each.version) for each in lock_file.providers)


@table(("text", "line", "says", "row"), MORE_THAN_OURS)
def test_what_only_the_client_reads_is_refused_with_its_line_and_told(
    text: str, line: int, says: str, row: str
) -> None:
    with pytest.raises(LockFileInvalidError) as caught:
        read(text)
    first = min(caught.value.diagnostics, key=lambda each: each.line)
    assert first.line == line
    assert says in first.message
    assert f"{row}" in PAGE


@pytest.mark.parametrize("text", LESS_THAN_OURS)
def test_what_the_client_does_not_read_yet_is_told(text: str) -> None:
    assert read(text) == ("1.0.0",)
    assert "after 15.0" in PAGE


@table("text", AS_OURS)
def test_what_both_read(text: str) -> None:
    assert read(text) == ("1.0.0",)
