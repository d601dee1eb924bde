"""A file in the clients' own form is read a second time by a rule for that form; it finds what python-hcl2 finds."""

from __future__ import annotations

import base64
import hashlib

from builders.reading import SECOND_READER
from builders.tables import table

from lockwarden.core.lockfile.confirm import _their_items, disagreement
from lockwarden.core.lockfile.grammar import read_tree
from lockwarden.core.lockfile.plain_form import plain_reading

HEADER = '# This file is maintained automatically by "tofu init".\n# Manual edits may be lost in future updates.\n'
H1 = f"h1:{base64.b64encode(hashlib.sha256(b'x').digest()).decode()}"
ZH = f"zh:{hashlib.sha256(b'x').hexdigest()}"
FULL = (
    '\nprovider "registry.opentofu.org/acme/widget" {\n'
    '  version     = "1.0.0-rc.1"\n'
    '  constraints = ">= 0.9.0, ~> 1.0, != 1.0.1"\n'
    f'  hashes = [\n    "{H1}",\n    "{ZH}",\n  ]\n}}\n'
)
BARE = '\nprovider "localhost:8443/acme/bare" {\n  version = "2.0.0"\n}\n'
HASHED = f'\nprovider "example.test/acme/hashed" {{\n  version = "2.0.0"\n  hashes = [\n    "{ZH}",\n  ]\n}}\n'


@table("text", ["", HEADER, HEADER + FULL, HEADER + FULL + BARE + HASHED, BARE, HEADER + BARE * 3])
def test_both_second_readers_find_the_same(text: str) -> None:
    assert plain_reading(text) == _their_items(SECOND_READER.tree(text).children[0])
    assert disagreement(text, read_tree(text), SECOND_READER) is None


def test_it_finds_every_part() -> None:
    assert plain_reading(HEADER + FULL) == [
        (
            "provider",
            ('"registry.opentofu.org/acme/widget"',),
            (
                ("version", '"1.0.0-rc.1"'),
                ("constraints", '">=0.9.0,~>1.0,!=1.0.1"'),
                ("hashes", (f'"{H1}"', f'"{ZH}"')),
            ),
        )
    ]


@table(
    "text",
    [
        FULL[1:],
        FULL + "\n",
        HEADER + FULL + "# a comment\n",
        FULL.replace("\n", "\r\n"),
        "\ufeff" + FULL,
        FULL.replace("  version ", " version "),
        FULL.replace("acme", "ac${me}"),
        FULL.replace("acme", "ac%{if}"),
        FULL.replace("acme", r"ac\u006de"),
        FULL.replace("acme", "açme"),
        FULL.replace(f'"{ZH}",', f'"{ZH}"'),
        FULL.replace(f'"{ZH}",', f'"{ZH}", # why'),
        FULL.replace(f'"{ZH}",', f'"{ZH}" "x",'),
        FULL.replace(f'    "{H1}",\n    "{ZH}",\n', ""),
        FULL.replace(H1, "h1:" + "A" * 200),
        FULL.replace("provider", "module"),
        FULL.replace("version  ", "versions "),
        FULL[:-2],
        "# a\u2028b\n" + FULL,
        "# a\rx = 1\n" + FULL,
    ],
)
def test_any_other_form_is_left_to_python_hcl2(text: str) -> None:
    assert plain_reading(text) is None


@table("text", [FULL.replace("1.0.0-rc.1", "1.0.0"), FULL.replace(H1, ZH), FULL + BARE, BARE, HEADER])
def test_what_our_reader_read_differently_is_found(text: str) -> None:
    found = disagreement(FULL, read_tree(text), SECOND_READER)
    assert found is not None
    assert "differently" in found.message
    assert found.line in {1, 2, len(FULL.splitlines()) + 1}
