"""The module lock: what it says, what is refused, how entries are added, and how an installed tree differs from one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.modules.module_lock import (
    MAX_BYTES,
    LockedModule,
    ModuleLock,
    held_against_entry,
    read_module_lock,
    with_modules,
)
from lockwarden.core.values.errors import ModuleLockError, OwnFileEditError

AT = datetime(2026, 11, 28, 5, tzinfo=UTC)
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
OTHER = "ab" * 32
ENTRY = LockedModule(
    source="github.com/acme/vpc?ref=v1",
    revision="0" * 40,
    files=((".hidden/x", EMPTY), ("a/.x", EMPTY), ("main.tf", EMPTY)),
    by="Ada <ada@example.test>",
    at=AT,
)
PLAIN = {"main.tf": EMPTY}
WHOLE = {".hidden/x": EMPTY, "a/.x": EMPTY, "main.tf": EMPTY}


def test_what_is_written_is_what_is_read() -> None:
    odd = LockedModule(
        source='a"${b}\n', version="~> 1", files=(("ü ${x}\t", OTHER),), by="x", at=AT.replace(microsecond=3)
    )
    data = with_modules(ModuleLock(), [ENTRY, odd])
    lock = read_module_lock(data)
    assert data.startswith(b"# What the sources")
    assert [(each.source, each.version, each.files) for each in lock.modules] == [
        (each.source, each.version, each.files) for each in (ENTRY, odd)
    ]
    found = lock.of(ENTRY.source, "")
    assert found is not None
    assert (found.revision, found.by, found.at, found.line) == (ENTRY.revision, ENTRY.by, AT, 4)
    assert lock.of(ENTRY.source, "1") is None
    more = with_modules(lock, [LockedModule(source="b", revision="sha256:" + OTHER, by="x", at=AT)])
    assert more.startswith(data)
    assert len(read_module_lock(more).modules) == 3


def test_the_h1_is_that_of_a_folder() -> None:
    one = LockedModule(source="s", files=(("main.tf", EMPTY),), by="x", at=AT)
    # printf '%s  main.tf\n' e3b0…b855 | sha256sum | xxd -r -p | base64
    assert one.h1 == "h1:pJD3aUk3bGbSs6MiKa2SE8/BRpB8ivYT3qnv2XDZ2GU="


GOOD = with_modules(ModuleLock(), [ENTRY]).decode()


@table(
    ("before", "after", "says"),
    [
        (ENTRY.h1, "h1:x", "the h1 is not that of the files"),
        (f"{EMPTY}  main.tf", f"{OTHER}  main.tf", "the h1 is not that of the files"),
        (f"{EMPTY}  main.tf", "main.tf", "is not a SHA-256, two blanks and a path"),
        (f"{EMPTY}  main.tf", f"{EMPTY}  a\\nb", "is not a SHA-256, two blanks and a path"),
        ("0" * 40, "v1", "is neither a commit nor a digest"),
        ("2026-11-28T05:00:00Z", "yesterday", "is not a time"),
        ("  by ", "  boy ", "has no setting"),
        ("  at ", "  by ", "this setting is on line"),
        ("module ", "modul ", "there is no block"),
        (GOOD, GOOD + GOOD, "the source has an entry already"),
        (GOOD, "x" * (MAX_BYTES + 1), "larger than the limit"),
        (GOOD, "x {}\n" * 200, "mistakes the rest of the file was not judged"),
        (GOOD, 'module "m" {\n}\n', "needs the setting “by”"),
    ],
)
def test_whatever_is_wrong_is_refused(before: str, after: str, says: str) -> None:
    assert before in GOOD
    with pytest.raises(ModuleLockError) as caught:
        read_module_lock(GOOD.replace(before, after, 1).encode())
    assert any(says in each.message for each in caught.value.diagnostics), caught.value.diagnostics


def test_an_entry_that_could_not_be_read_is_not_written() -> None:
    with pytest.raises(OwnFileEditError, match="cannot say it"):
        with_modules(ModuleLock(), [ENTRY, ENTRY])
    with pytest.raises(OwnFileEditError, match="would not say exactly"):
        with_modules(ModuleLock(), [LockedModule(source="s", by="a\udcffb", at=AT)])


def test_a_tree_is_what_was_locked_or_the_differences_are_told() -> None:
    assert held_against_entry(ENTRY, WHOLE).differences == ()
    assert held_against_entry(ENTRY, PLAIN).differences == ()  # a second copy has no dots
    assert held_against_entry(ENTRY, {"main.tf": OTHER, "new.tf": EMPTY}).differences == (
        "new.tf is new",
        "main.tf is changed",
    )
    assert held_against_entry(ENTRY, {".hidden/x": OTHER, "main.tf": EMPTY}).differences == (
        "a/.x is gone",
        ".hidden/x is changed",
    )
    many = held_against_entry(ENTRY, {f"{place}.tf": EMPTY for place in range(9)}).differences
    assert (len(many), many[-1]) == (6, "and 5 more")


def test_what_cannot_be_compared_is_open_and_no_difference() -> None:
    assert held_against_entry(None, PLAIN).entry is None
    assert held_against_entry(ENTRY, None) == held_against_entry(ENTRY, PLAIN)
    assert held_against_entry(ENTRY, "it is damaged").open == "it is damaged"
    without = LockedModule(source="s", revision="0" * 40, by="x", at=AT)
    assert "nothing was installed" in held_against_entry(without, PLAIN).open


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_an_entry_takes_the_place_of_the_one_that_its_source_has(line_end: str) -> None:
    at = datetime(2026, 11, 28, 5, tzinfo=UTC)
    entries = [LockedModule(source=each, revision="a" * 40, by="Ada", at=at) for each in ("x", "y", "z")]
    text = with_modules(ModuleLock(), entries).decode().replace('module "y"', '# why\nmodule "y"') + "# end\n"
    before = read_module_lock(text.replace("\n", line_end).encode())
    after = with_modules(before, [replace(entries[1], revision="b" * 40), replace(entries[2], source="w")])
    pieces = text.split("a" * 40)
    wanted = ("a" * 40).join([pieces[0], pieces[1] + "b" * 40 + pieces[2], pieces[3]])
    assert after.decode().startswith(wanted.replace("\n", line_end))
    assert [each.source for each in read_module_lock(after).modules] == ["x", "y", "z", "w"]


def test_a_block_whose_end_cannot_be_told_is_not_replaced() -> None:
    lock = read_module_lock(b'module "x" {\n by = "Ada"\n at = "2026-11-28T05:00:00Z"\n}# end\n')
    with pytest.raises(OwnFileEditError, match="where the block ends"):
        with_modules(lock, lock.modules)
