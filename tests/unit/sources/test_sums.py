"""SHA256SUMS documents, line by line, and what the recorded clients make of the same bytes."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.sources.registry.sums import MAX_BYTES, MAX_LINES, BadLine, Sums, SumsLine, read_sums
from lockwarden.core.values.errors import BadAnswerError, Stage
from lockwarden.core.values.hashes import Hash

ONE = "1" * 64
TWO = "2" * 64
LETTERS = "ab" * 32
LINUX = "terraform-provider-widget_1.0.0_linux_amd64.zip"
DARWIN = "terraform-provider-widget_1.0.0_darwin_arm64.zip"


def hashes_by_name(sums: Sums) -> dict[str, str]:
    return {line.file_name: line.hash.text for line in sums.lines}


BLANKS_OF_GO = "\t\v\f\r \u0085\u00a0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000"
"""The white space of Unicode, as both clients cut at it."""


@table(
    "document",
    [
        f"{ONE}  {LINUX}\n{TWO}  {DARWIN}\n",
        f"{ONE}  {LINUX}\r\n{TWO}  {DARWIN}\r\n",
        f"{ONE}\t{LINUX}\n{TWO}\t{DARWIN}\n",
        f"{ONE} {LINUX}\n{TWO} {DARWIN}\n",
        f"{ONE}  {LINUX}\n{TWO}  {DARWIN}",
        f"{ONE}  {LINUX}  \n{TWO}  {DARWIN} \t\n",
        f"  {ONE}  {LINUX}\n\t{TWO}  {DARWIN}\n",
        *(f"{ONE}{blank}{LINUX}\n{blank}{TWO}{blank}{blank}{DARWIN}{blank}\n" for blank in BLANKS_OF_GO),
    ],
)
def test_every_way_to_write_blanks_and_line_ends_gives_the_same_hashes(document: str) -> None:
    sums = read_sums(document.encode())
    assert hashes_by_name(sums) == {LINUX: f"zh:{ONE}", DARWIN: f"zh:{TWO}"}
    assert [line.number for line in sums.lines] == [1, 2]
    assert sums.bad_lines == ()
    assert sums.crash_line is None


@table("other", ["\u200b", "\ufeff", "\x1c", "\u180e"])
def test_what_only_looks_like_a_blank_is_none(other: str) -> None:
    sums = read_sums(f"{ONE}{other}{LINUX}\n{TWO}  {DARWIN}{other}\n".encode())
    assert hashes_by_name(sums) == {f"{DARWIN}{other}": f"zh:{TWO}"}


def test_upper_case_digits_are_recorded_in_lower_case() -> None:
    sums = read_sums(f"{LETTERS.upper()}  {LINUX}\n".encode())
    assert sums.hashes == {Hash(f"zh:{LETTERS}")}
    assert sums.bad_lines == ()


def test_a_binary_marker_is_no_part_of_the_name_but_hides_the_file_from_the_clients() -> None:
    sums = read_sums(f"{ONE} *{LINUX}\n{TWO} * {DARWIN}\n".encode())
    assert hashes_by_name(sums) == {LINUX: f"zh:{ONE}", DARWIN: f"zh:{TWO}"}
    assert [line.starred for line in sums.lines] == [True, True]
    assert sums.client_finds(LINUX) is None
    assert sums.client_finds(f"*{LINUX}") == sums.lines[0]
    assert sums.bad_lines == ()


def test_an_asterisk_alone_is_a_file_name() -> None:
    sums = read_sums(f"{ONE}  *\n".encode())
    assert [(line.file_name, line.written_name) for line in sums.lines] == [("*", "*")]


@table(
    ("line", "reason"),
    [
        ("# checksums", "does not start with a SHA-256 digest"),
        (f"SHA256 ({LINUX}) = {ONE}", "does not start with a SHA-256 digest"),
        (f"{'z' * 64}  {LINUX}", "does not start with a SHA-256 digest"),
        (f"{'1' * 62}  {LINUX}", "has 62 hexadecimal digits where a SHA-256 digest has 64"),
        (f"{'1' * 66}  {LINUX}", "has 66 hexadecimal digits where a SHA-256 digest has 64"),
        (f"{'1' * 128}  {LINUX}", "has 128 hexadecimal digits where a SHA-256 digest has 64"),
        (ONE, "names no file"),
        ("deadbeef", "does not start with a SHA-256 digest"),
        ("<html>", "does not start with a SHA-256 digest"),
    ],
)
def test_a_line_that_lists_nothing_is_named_and_the_others_count(line: str, reason: str) -> None:
    sums = read_sums(f"{TWO}  {DARWIN}\n{line}\n".encode())
    assert hashes_by_name(sums) == {DARWIN: f"zh:{TWO}"}
    assert [(bad.number, bad.reason) for bad in sums.bad_lines] == [(2, reason)]


def test_a_byte_order_mark_is_passed_over_here_and_spoils_the_list_for_the_clients() -> None:
    sums = read_sums(b"\xef\xbb\xbf" + f"{ONE}  {LINUX}\n{TWO}  {DARWIN}\n".encode())
    assert hashes_by_name(sums) == {LINUX: f"zh:{ONE}", DARWIN: f"zh:{TWO}"}
    assert sums.byte_order_mark
    assert sums.client_finds(LINUX) == BadLine(number=1, reason="starts with a byte order mark", written_name=LINUX)
    assert sums.client_finds(DARWIN) == sums.lines[1]


@table(
    ("document", "crash_line"),
    [
        (f"{ONE}  {LINUX}\n\n{TWO}  {DARWIN}\n", 2),
        (f"{ONE}  {LINUX}\n{TWO}  {DARWIN}\n\n", 3),
        (f"{ONE}  {LINUX}\n \t\r\n{TWO}  {DARWIN}\n", 2),
        (f"# comment\n{ONE}  {LINUX}\n\n{TWO}  {DARWIN}\n", None),
        (f"{ONE}  {LINUX}\n\n{TWO}  {DARWIN}\n# comment\n", 2),
        (f"\ufeff{ONE}  {LINUX}\n\n{TWO}  {DARWIN}\n", None),
    ],
    ids=["middle", "end", "blanks only", "behind a bad line", "before a bad line", "behind a byte order mark"],
)
def test_empty_lines_are_skipped_and_the_one_that_crashes_the_clients_is_known(
    document: str, crash_line: int | None
) -> None:
    sums = read_sums(document.encode())
    assert hashes_by_name(sums) == {LINUX: f"zh:{ONE}", DARWIN: f"zh:{TWO}"}
    assert len(sums.blank_lines) == 1
    assert sums.crash_line == crash_line


def test_one_file_with_two_hashes_has_both_and_the_clients_take_the_first() -> None:
    sums = read_sums(f"{ONE}  {LINUX}\n{TWO}  {LINUX}\n{ONE}  {DARWIN}\n".encode())
    assert sums.by_name[LINUX] == {Hash(f"zh:{ONE}"), Hash(f"zh:{TWO}")}
    assert sums.client_finds(LINUX) == sums.lines[0]


def test_one_file_twice_with_the_same_hash_has_one() -> None:
    sums = read_sums(f"{ONE}  {LINUX}\n{ONE.upper()} *{LINUX}\n".encode())
    assert sums.by_name[LINUX] == {Hash(f"zh:{ONE}")}
    assert len(sums.lines) == 2


def test_a_marked_name_and_a_bare_one_are_the_same_file() -> None:
    sums = read_sums(f"{ONE}  {LINUX}\n{TWO} *{LINUX}\n".encode())
    assert sums.by_name == {LINUX: {Hash(f"zh:{ONE}"), Hash(f"zh:{TWO}")}}


def test_the_clients_stop_at_the_first_line_with_the_name_even_if_its_digest_is_bad() -> None:
    sums = read_sums(f"{'1' * 66}  {LINUX}\n{TWO}  {LINUX}\n".encode())
    found = sums.client_finds(LINUX)
    assert isinstance(found, BadLine)
    assert found.number == 1
    assert sums.client_finds("another.zip") is None


def test_words_after_the_name_are_ignored_and_noted() -> None:
    sums = read_sums(f"{ONE}  {LINUX} and more\n".encode())
    assert hashes_by_name(sums) == {LINUX: f"zh:{ONE}"}
    assert sums.extra_words == (1,)


def test_a_name_that_is_not_utf8_is_spelled_out() -> None:
    sums = read_sums(ONE.encode() + b"  \xff\xfe.zip\n")
    assert sums.lines == (
        SumsLine(number=1, hash=Hash(f"zh:{ONE}"), file_name="\\xff\\xfe.zip", written_name="\\xff\\xfe.zip"),
    )


def test_an_empty_document_lists_nothing() -> None:
    sums = read_sums(b"")
    assert sums == Sums(lines=())
    assert sums.client_finds(LINUX) is None


def test_a_document_at_the_limit_of_lines_is_read_and_one_line_more_is_refused() -> None:
    line = f"{ONE}  f\n".encode()
    assert len(read_sums(line * MAX_LINES).lines) == MAX_LINES
    assert len(read_sums((line * MAX_LINES).removesuffix(b"\n")).lines) == MAX_LINES
    with pytest.raises(BadAnswerError, match="more than 2000 lines") as caught:
        read_sums(line * MAX_LINES + b"x")
    assert caught.value.stage is Stage.SUMS
    assert caught.value.code == "sums-too-large"
    with pytest.raises(BadAnswerError, match="more than 2000 lines"):
        read_sums(line * (MAX_LINES + 1))


def test_a_document_over_the_limit_of_bytes_is_refused() -> None:
    assert len(read_sums(b"x" * MAX_BYTES).bad_lines) == 1
    with pytest.raises(BadAnswerError, match="1048577 bytes; the limit is 1048576"):
        read_sums(b"x" * (MAX_BYTES + 1))


def test_a_megabyte_on_one_line_is_one_bad_line() -> None:
    sums = read_sums(b"1" * 1_000_000 + b"  " + LINUX.encode())
    assert [bad.reason for bad in sums.bad_lines] == ["has 1000000 hexadecimal digits where a SHA-256 digest has 64"]
