"""Editing lock files in place: what is asked changes, and every other byte stays."""

from __future__ import annotations

from collections.abc import Iterable
from sys import getrecursionlimit

import pytest
from builders.reading import edited, parse
from builders.tables import table

from lockwarden.core.lockfile.edit import HashChange
from lockwarden.core.lockfile.insertions import insertions
from lockwarden.core.lockfile.layout import Layout, Replacement
from lockwarden.core.lockfile.removals import removals
from lockwarden.core.lockfile.syntax import BlockNode
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import LockFileEditError
from lockwarden.core.values.hashes import Hash

WIDGET = ProviderAddress.parse("acme/widget")
HEAD = 'provider "registry.opentofu.org/acme/widget" {\n  version = "1.0.0"\n'


def edit(text: str, *, add: str = "", drop: str = "") -> str:
    """Edit the entry of the widget; `add` and `drop` are hashes between blanks."""
    change = HashChange(add=frozenset(map(Hash, add.split())), drop=frozenset(map(Hash, drop.split())))
    data = text.encode("utf-8", "surrogateescape")
    return edited(parse(data, path="lock"), {WIDGET: change}).decode("utf-8", "surrogateescape")


CANONICAL = f"""# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.

{HEAD}  hashes = [
    "h1:b=",
    "zh:d",
  ]
}}
"""


def test_a_hash_goes_where_it_sorts() -> None:
    assert edit(CANONICAL, add="h1:a= h1:c= zh:e") == CANONICAL.replace(
        '    "h1:b=",\n    "zh:d",\n', '    "h1:a=",\n    "h1:b=",\n    "h1:c=",\n    "zh:d",\n    "zh:e",\n'
    )


def test_a_hash_that_is_dropped_takes_its_line_along() -> None:
    assert edit(CANONICAL, drop="h1:b=") == CANONICAL.replace('    "h1:b=",\n', "")


def test_hashes_can_come_and_go_at_once() -> None:
    assert edit(CANONICAL, add="h1:a=", drop="h1:b= zh:d") == CANONICAL.replace(
        '    "h1:b=",\n    "zh:d",\n', '    "h1:a=",\n'
    )


def test_the_argument_goes_with_its_last_hash() -> None:
    bare = edit(CANONICAL, drop="h1:b= zh:d")
    assert bare == CANONICAL.replace('  hashes = [\n    "h1:b=",\n    "zh:d",\n  ]\n', "")
    assert edit(bare, add="zh:d h1:b=") == CANONICAL


def test_the_argument_is_made_behind_the_last_one() -> None:
    text = f'{HEAD}\tconstraints = "~> 1.0" /* a\n b */ # c\n}}\n'
    assert edit(text, add="h1:x") == text.replace("# c\n", '# c\n\thashes = [\n\t\t"h1:x",\n\t]\n')


def test_only_the_named_provider_changes() -> None:
    other = CANONICAL.split("\n\n")[1].replace("widget", "other")
    assert edit(f"{CANONICAL}\n{other}", drop="zh:d") == CANONICAL.replace('    "zh:d",\n', "") + f"\n{other}"


@table(
    ("before", "add", "after"),
    [
        ('["h1:b"]', "h1:a", '["h1:a", "h1:b"]'),
        ('["h1:b"]', "h1:c h1:d", '["h1:b", "h1:c", "h1:d"]'),
        ('["h1:b",]', "h1:c", '["h1:b", "h1:c",]'),
        ('[ "h1:b", "h1:d" ]', "h1:a h1:c h1:e", '[ "h1:a", "h1:b", "h1:c", "h1:d", "h1:e" ]'),
        ('["h1:b","h1:d"]', "h1:c", '["h1:b","h1:c","h1:d"]'),
        ('["h1:b" /* b */, "h1:d"] # x', "h1:c", '["h1:b" /* b */, "h1:c", "h1:d"] # x'),
        ('[/* a */"h1:b"]', "h1:a", '[ "h1:a",/* a */"h1:b"]'),
        ('[\n    "h1:b"\n  ]', "h1:c h1:d", '[\n    "h1:b",\n    "h1:c",\n    "h1:d"\n  ]'),
        ('[\n    "h1:b" # b\n  ]', "h1:c", '[\n    "h1:b", # b\n    "h1:c"\n  ]'),
        ('[\n    "h1:b"]', "h1:a h1:c", '[\n    "h1:a",\n    "h1:b", "h1:c"]'),
        ('["h1:b",\n      "h1:d"]', "h1:c", '["h1:b",\n      "h1:c",\n      "h1:d"]'),
        ('[ # x\n    # b\n    "h1:b",\n  ]', "h1:a", '[ # x\n    "h1:a",\n    # b\n    "h1:b",\n  ]'),
        (
            '[\n    "h1:b", # b\n    # d\n    "h1:d",\n  ]',
            "h1:c",
            '[\n    "h1:b", # b\n    "h1:c",\n    # d\n    "h1:d",\n  ]',
        ),
        ('[\n    "h1:b"\n    , "h1:d"\n  ]', "h1:c", '[\n    "h1:b"\n    , "h1:c", "h1:d"\n  ]'),
        ('[\n    "h1:b", /* x\n y */ "h1:d"\n  ]', "h1:c", '[\n    "h1:b", "h1:c", /* x\n y */ "h1:d"\n  ]'),
        ('["h1:b",\n  ]', "h1:c", '["h1:b",\n    "h1:c",\n  ]'),
        ('["zh:z", "h1:b"]', "h1:a zh:y zh:zz", '["h1:a", "zh:y", "zh:z", "h1:b", "zh:zz"]'),
        ('["h1:b"]', r'h9:"\${x}é', r'["h1:b", "h9:\"\\$${x}é"]'),
        ('[("h1:b"), "${"h1:d"}"]', "h1:c", '[("h1:b"), "h1:c", "${"h1:d"}"]'),
    ],
)
def test_a_new_hash_follows_the_style_of_its_list(before: str, add: str, after: str) -> None:
    assert edit(f"{HEAD}  hashes = {before}\n}}\n", add=add) == f"{HEAD}  hashes = {after}\n}}\n"


@table(
    ("before", "drop", "after"),
    [
        ('["h1:a", "h1:b"]', "h1:a", '["h1:b"]'),
        ('["h1:a", "h1:b"]', "h1:b", '["h1:a"]'),
        ('[ "h1:a", "h1:b", "h1:c" ]', "h1:b h1:c", '[ "h1:a" ]'),
        ('["h1:a","h1:b",]', "h1:b", '["h1:a",]'),
        ('["h1:a", "h1:b", "h1:a"]', "h1:a", '["h1:b"]'),
        ('[\n    "h1:a", # a\n    "h1:b", // b\n  ]', "h1:a", '[\n    "h1:b", // b\n  ]'),
        ('[\n    # a\n    "h1:a",\n    # b\n    "h1:b",\n  ]', "h1:a", '[\n    # a\n    # b\n    "h1:b",\n  ]'),
        ('[\n    /* a */ "h1:a",\n    "h1:b",\n  ]', "h1:a", '[\n    "h1:b",\n  ]'),
        ('[\n    "h1:a", "h1:b", # both\n    "h1:c",\n  ]', "h1:a h1:b", '[\n    "h1:c",\n  ]'),
        ('[\n    "h1:a", "h1:b", # both\n    "h1:c",\n  ]', "h1:b", '[\n    "h1:a", # both\n    "h1:c",\n  ]'),
        ('[\n    "h1:a", "h1:b", # both\n    "h1:c",\n  ]', "h1:a", '[\n    "h1:b", # both\n    "h1:c",\n  ]'),
        ('[\n    "h1:a",\n    "h1:b" # b\n  ]', "h1:b", '[\n    "h1:a"\n  ]'),
        ('["h1:a", # a\n    "h1:b"]', "h1:a", '[ # a\n    "h1:b"]'),
        ('[\n    "h1:a",\n    "h1:b"]', "h1:b", '[\n    "h1:a"\n]'),
        ('[\n    "h1:a"\n    , "h1:b"\n  ]', "h1:a", '[\n    \n     "h1:b"\n  ]'),
        ('[\n    /* x\n    y */ "h1:a",\n    "h1:b",\n  ]', "h1:a", '[\n    /* x\n    y */\n    "h1:b",\n  ]'),
        ('[\n    (\n"h1:a"\n),\n    "h1:b",\n  ]', "h1:a", '[\n\n    "h1:b",\n  ]'),
    ],
)
def test_a_dropped_hash_leaves_its_neighbours_as_they_are(before: str, drop: str, after: str) -> None:
    assert edit(f"{HEAD}  hashes = {before}\n}}\n", drop=drop) == f"{HEAD}  hashes = {after}\n}}\n"


@table(
    ("before", "after"),
    [
        ('  hashes = ["h1:a"]\n', ""),
        ('  hashes = [\n    "h1:a",\n  ] # gone\n', ""),
        ('  /* gone */ hashes = ["h1:a"]\n', ""),
        ('  hashes = [\n    # x\n    "h1:a", # gone\n    /* y\n z */\n  ]\n', "    # x\n    /* y\n z */\n"),
        ('  # stays\n  hashes = ["h1:a"]\n  # stays\n', "  # stays\n  # stays\n"),
        ('/* x\n*/ hashes = ["h1:a"]\n', "/* x\n*/ \n"),
        ('/* x\n*/ hashes = [\n    # stays\n    "h1:a"]\n', "/* x\n*/ \n    # stays\n"),
        ('  hashes = ["h1:a"] /* x\n*/\n', "   /* x\n*/\n"),
    ],
)
def test_comments_on_their_own_lines_outlive_the_argument(before: str, after: str) -> None:
    assert edit(f"{HEAD}{before}}}\n", drop="h1:a") == f"{HEAD}{after}}}\n"


def test_a_block_on_one_line_is_opened_for_its_first_hash() -> None:
    text = 'provider "registry.opentofu.org/acme/widget" { version = "1.0.0" /* x */ } # y\n'
    assert edit(text, add="h1:a") == (
        'provider "registry.opentofu.org/acme/widget" {\n  version = "1.0.0" /* x */\n'
        '  hashes = [\n    "h1:a",\n  ]\n} # y\n'
    )


def test_windows_line_ends_stay_and_new_lines_have_them_too() -> None:
    text = CANONICAL.replace("\n", "\r\n")
    expected = CANONICAL.replace('    "zh:d",\n', '    "h1:c=",\n    "zh:d",\n').replace("\n", "\r\n")
    assert edit(text, add="h1:c=") == expected
    assert edit(edit(text, drop="h1:b= zh:d"), add="h1:b= zh:d") == text
    one_line = 'provider "registry.opentofu.org/acme/widget" { version = "1.0.0" }\r\n'
    assert "\n" not in edit(one_line, add="h1:a").replace("\r\n", "")


def test_a_new_line_ends_like_the_line_before_it_where_line_ends_are_mixed() -> None:
    text = f'{HEAD}  hashes = [\r\n    "h1:b",\n  ]\n}}\n'
    assert edit(text, add="h1:a h1:c") == text.replace('    "h1:b",\n', '    "h1:a",\r\n    "h1:b",\n    "h1:c",\n')


def test_a_byte_order_mark_and_bytes_that_are_no_text_stay() -> None:
    text = f"\ufeff# \udcff\x00\n{CANONICAL}"
    assert edit(text, drop="zh:d") == text.replace('    "zh:d",\n', "")


def test_unknown_schemes_blocks_and_the_missing_last_line_feed_stay() -> None:
    text = f'module "x" {{\n  y = z\n}}\n{HEAD}  hashes = ["h9:x", "h1:b"]\n}}'
    assert edit(text, add="h1:c", drop="h1:b") == text.replace('"h1:b"', '"h1:c"').replace(
        '"h9:x", "h1:c"', '"h1:c", "h9:x"'
    )


def test_what_is_so_already_changes_nothing() -> None:
    assert edit(CANONICAL, add="h1:b= zh:d", drop="h1:not-there zh:neither") == CANONICAL
    assert edited(parse(CANONICAL.encode(), path="lock"), {}) == CANONICAL.encode()


def test_a_provider_that_is_not_locked_cannot_be_edited() -> None:
    with pytest.raises(ValueError, match="acme/other is not locked"):
        edited(parse(CANONICAL.encode(), path="lock"), {ProviderAddress.parse("acme/other"): HashChange()})


def test_one_hash_cannot_be_added_and_dropped() -> None:
    with pytest.raises(ValueError, match="both"):
        edit(CANONICAL, add="h1:b=", drop="h1:b=")


def test_a_result_that_would_say_something_else_is_not_handed_out() -> None:
    # The clients keep strings in Unicode form C, so this hash could not be read back as it was asked for.
    with pytest.raises(LockFileEditError, match="its content would be another") as caught:
        edit(CANONICAL, add="h9:e\u0301")
    assert caught.value.hint


def test_a_result_that_could_not_be_read_is_not_handed_out() -> None:
    with pytest.raises(LockFileEditError, match="cannot be edited safely"):
        edit(CANONICAL, add=f"h9:{'x' * 5000}")


def test_a_list_of_more_hashes_on_one_line_than_calls_may_be_nested_is_edited() -> None:
    many = ", ".join(f'"h1:{number:06}"' for number in range(getrecursionlimit() + 1))
    last = f"h1:{getrecursionlimit():06}"
    text = f"{HEAD}  hashes = [{many}]\n}}\n"
    expected = text.replace('"h1:000000", ', "").replace(f', "{last}"', "")
    expected = expected.replace('"h1:000500",', '"h1:000500", "h1:000500x",')
    assert edit(text, add="h1:000500x", drop=f"h1:000000 {last}") == expected


def test_a_canonical_file_that_would_not_stay_so_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def untidy(layout: Layout, block: BlockNode, new: Iterable[str]) -> list[Replacement]:
        return [change._replace(text=f"{change.text}\n") for change in insertions(layout, block, new)]

    monkeypatch.setattr("lockwarden.core.lockfile.edit.insertions", untidy)
    with pytest.raises(LockFileEditError, match="canonical"):
        edit(CANONICAL, add="h1:a=")
    assert edit(CANONICAL + "\n", add="h1:a=").count("h1:a=") == 1


def test_nothing_is_planned_for_a_block_without_hashes_to_remove() -> None:
    layout = Layout.of(HEAD + "}\n")
    assert removals(layout, layout.tree.body.blocks[0], {"h1:a"}) == []
