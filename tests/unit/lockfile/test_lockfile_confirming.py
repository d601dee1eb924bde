"""The second opinion of python-hcl2 about a lock file that our own reader has read."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

import pytest
from builders.reading import SECOND_READER, parse
from builders.tables import table

from lockwarden.core.lockfile import confirm
from lockwarden.core.lockfile.confirm import FULL_SIZE, MAX_MODULE_SIZE, disagreement, without_comments
from lockwarden.core.lockfile.grammar import read_tree
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import LockFileInvalidError

WIDGET = 'provider "registry.opentofu.org/acme/widget" {\n  version = "1.0.0"\n'
UNKNOWN_NAME = 'module "m" {\n  é = 1\n}\n'
"""HCL that the clients read and python-hcl2 does not: names beyond ASCII."""


def asked(text: str) -> Diagnostic | None:
    tree = read_tree(text)
    assert tree.problems == ()
    return disagreement(text, tree, SECOND_READER)


def hashes() -> Iterator[str]:
    number = 0
    while True:
        digest = hashlib.sha256(str(number).encode()).digest()
        yield f"h1:{base64.b64encode(digest).decode()}"
        yield f"zh:{digest.hex()}"
        number += 1


def large(blocks: int, per_block: int) -> str:
    source = hashes()
    text = "# This file is maintained automatically.\n"
    for number in range(blocks):
        lines = "".join(f'    "{next(source)}",\n' for _ in range(per_block))
        text += f'\nprovider "a.test/b/c{number}" {{\n  version = "1.0.0"\n  hashes = [\n{lines}  ]\n}}\n'
    assert len(text) > FULL_SIZE
    return text


@table(
    "text",
    [
        "",
        "\ufeff# a\n",
        f"{WIDGET}}}\n",
        f"{WIDGET}}}\n".replace("\n", "\r\n"),
        f'{WIDGET}hashes = [ # a\n // b\n "h1:a" /* c */ , /* d\n */ "h1:b"\n]\n}} # e',
        f'{WIDGET}hashes = ["h1:a", ("h1:b"), "${{"h1:c"}}", "h1: d"]\n}}\n',
        'provider /* a */ "a.test/b/c" /* b */ { /* c */\n version /* d */ = /* e */ "1.0.0" /* f */\n}\n',
        f'{WIDGET}hashes = ["h9:$${{", "h9:%%{{"]\n}}\n',
        f'{WIDGET}hashes = ["h9:$${{x}}", "h9:%%{{x}}"]\n}}\n',
        'module "m" {\n  a = b.c[0] + 1\n  d {\n    e = [for x in y : "${x}"]\n  }\n}\n',
        'provider "a" { version = "1" }\nx = [[1], [2]]\n y = []\nnull = 1\n',
        f'module "m" {{\n  a = {"1 + " * 3000}1\n}}\n',
    ],
)
def test_both_readers_agree_about_what_the_clients_accept(text: str) -> None:
    assert asked(text) is None


@table(
    ("ours", "line"),
    [
        (WIDGET + '  hashes = ["h1:a"]\n}\n', 9),
        ("x = 1\n" + WIDGET + "}\n", 1),
        ((WIDGET + '  hashes = ["h1:a"]\n}\n') * 2, 5),
        (WIDGET + '  hashes = ["h1","a"]\n}\n', 1),
        (WIDGET + '  hashs  = ["h1:a"]\n}\n', 1),
        ('provider  registry_opentofu_org_acme_widget_  {\n  version = "1.0.0"\n', 1),
    ],
)
def test_what_the_readers_read_differently_is_named_with_its_line(ours: str, line: int) -> None:
    text = (WIDGET + '  hashes = ["h1:a"]\n}\n') + "\n" + WIDGET.replace("widget", "gadget") + "}\n"
    found = disagreement(text, read_tree(ours), SECOND_READER)
    assert found is not None
    assert found.line == line
    assert "differently" in found.message


def test_braces_in_strings_that_confuse_python_hcl2_confuse_nobody() -> None:
    text = f'{WIDGET}  hashes = ["h1:$${{", "h1:}}b", "h1:%%{{", "h1:c"]\n}}\n'
    assert [locked.hash.value for locked in parse(text.encode(), path="lock").providers[0].hashes] == [
        "${",
        "}b",
        "%{",
        "c",
    ]


def test_what_python_hcl2_cannot_read_is_an_error() -> None:
    with pytest.raises(LockFileInvalidError, match=r"python-hcl2.*cannot read it") as caught:
        parse(UNKNOWN_NAME.encode(), path="lock")
    assert caught.value.hint


def test_a_large_file_is_confirmed_too() -> None:
    text = large(70, 60)
    assert asked(text) is None
    assert len(parse(text.encode(), path="lock").providers) == 70
    found = asked(text + UNKNOWN_NAME)
    assert found is not None


def test_a_strange_element_among_plain_ones_of_a_large_file_is_not_cut_out() -> None:
    text = large(70, 60)
    middle = text.index('    "h1:', len(text) // 2)
    assert asked(f"{text[:middle]}    [for é in x : é],\n{text[middle:]}") is not None


def test_a_large_comment_takes_no_part_in_it() -> None:
    assert asked(f"/*{'x' * FULL_SIZE}*/\n#{'y' * FULL_SIZE}\n{WIDGET}}}\n") is None


def test_blank_lines_of_a_large_file_take_no_part_in_it() -> None:
    assert asked(f"{WIDGET}}}\n" + "\r\n  \n" * FULL_SIZE) is None


def test_more_words_that_no_client_writes_than_the_limit_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirm, "MAX_WORDS", 20)
    found = asked(f"{WIDGET}hashes = [{'1,' * 20}]\n}}\n")
    assert found is not None
    assert "too much" in found.message


def test_a_module_block_that_is_too_large_is_an_error_at_its_line() -> None:
    found = asked(f'{WIDGET}}}\nmodule "m" {{\n  a = "{"x" * 4000}"\n' + "  b {}\n" * (MAX_MODULE_SIZE // 7) + "}\n")
    assert found is not None
    assert found.line == 4


def test_comments_are_taken_out_without_their_line_ends() -> None:
    text = 'a = "# no" /* b */ # d\r\n// e\nf = 2 # g'
    assert without_comments(text, read_tree(text).comments) == 'a = "# no"    \r\n \nf = 2  '
