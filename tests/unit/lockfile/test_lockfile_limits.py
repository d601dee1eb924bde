"""Lock files that are large, deep or full of mistakes: refused at a limit, and never read for ever."""

from __future__ import annotations

import pytest
from builders.lock_texts import WIDGET, problems, read
from builders.memory import MIB, at_most
from builders.reading import parse
from builders.tables import table

from lockwarden.core.lockfile import tokens
from lockwarden.core.lockfile.grammar import MAX_PROBLEMS
from lockwarden.core.lockfile.read import MAX_BYTES
from lockwarden.core.lockfile.summaries import MAX_ERRORS
from lockwarden.core.lockfile.tokens import MAX_STRING
from lockwarden.core.values.errors import LockFileError


@table("opening", ["[", "(", "{a=", '"${'])
def test_deep_nesting_is_an_error(opening: str) -> None:
    assert "nested" in problems(f"a = {opening * 100_000}\n")[0].message


def test_deep_braces_in_a_template_are_an_error() -> None:
    assert "nested" in problems(f'a = "${{{"{" * 1000}"\n')[0].message


def test_deeply_nested_blocks_are_an_error() -> None:
    assert any("nested" in found.message for found in problems("a {\n" * 100_000))


def test_a_file_over_the_size_limit_is_refused_by_its_size() -> None:
    with pytest.raises(LockFileError, match=str(MAX_BYTES)):
        parse(b"#" * (MAX_BYTES + 1), path="lock")


def test_a_comment_of_megabytes_is_only_a_comment() -> None:
    assert len(read(f"/*{'x' * 2_000_000}*/\n#{'y' * 2_000_000}\n{WIDGET}}}\n").providers) == 1


@table("piece", ["a", "\\n", "$", "$${", "é"])
def test_a_string_without_end_takes_no_exponential_time(piece: str) -> None:
    assert problems(f'a = "{piece * 100_000}\n')[0].line == 1
    assert problems(f'a = "{piece * (MAX_STRING // 4)}\n')[0].line == 1


def test_a_file_of_more_words_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MAX_WORDS", 20)
    assert problems(f"{WIDGET}hashes = [{'1,' * 20}]\n}}\n")[0].summary == "File too large"


def test_plain_lines_count_as_words_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MAX_WORDS", 300)
    lines = '"h1:x",\n' * 101
    assert problems(f"{WIDGET}hashes = [\n{lines}]\n}}\n")[0].summary == "File too large"


def test_after_too_many_mistakes_the_rest_is_not_read() -> None:
    found = problems("provider =\n" * (MAX_PROBLEMS + 50))
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1].summary == "Too many errors"


def test_after_too_many_errors_the_rest_is_not_judged() -> None:
    found = problems("a = 1\nb = 1\n" * MAX_ERRORS)
    assert sum(entry.summary == "Unsupported argument" for entry in found) == MAX_ERRORS
    assert "Too many errors" in {entry.summary for entry in found}


@table("text", ["a = " + "[" * 10_000, "a {\n" * 5_000, "provider =\n" * 20_000])
def test_what_is_refused_at_a_limit_takes_little_memory(text: str) -> None:
    with at_most(2 * MIB):
        assert problems(text)
