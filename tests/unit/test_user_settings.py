"""The user's settings: from bytes to values, or to all that is wrong with them, each with its line."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.cli.settings import DEFAULT
from lockwarden.core.engine.user_settings import COLUMNS, UserSettings, entry_lines, nearest, read_user_settings
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.values.errors import SettingsError
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.terminals import Signs, When

LINUX = Platform("linux", "amd64")
DARWIN = Platform("darwin", "arm64")


def read(text: str | bytes, folder: Path = Path("/home/me")) -> UserSettings:
    data = text.encode() if isinstance(text, str) else text
    return read_user_settings(data, path=folder / "settings.toml", current=LINUX)


def faults(text: str | bytes) -> list[tuple[int, str, str]]:
    with pytest.raises(SettingsError) as caught:
        read(text)
    assert caught.value.path == "/home/me/settings.toml"
    return [(each.line, each.message, each.hint) for each in caught.value.diagnostics]


def test_everything_that_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "mirror").mkdir()
    text = """
    theme = "light"
    signs = "ascii"
    color = "never"
    editor = "vim -R"
    sources = ["direct", "mirror", "direct"]
    platforms = [
      "darwin_arm64",
      "auto",
    ]
    columns = ["local", "platform"]

    [keys]
    "review.write" = "ctrl+s"
    review.decide = "d,space"
    """
    settings = read(text, tmp_path)

    assert settings.digest == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    assert (settings.theme, settings.signs, settings.color) == ("light", Signs.ASCII, When.NEVER)
    assert settings.editor == "vim -R"
    assert [each.kind for each in settings.sources] == [SourceKind.DIRECT, SourceKind.FILESYSTEM_MIRROR]
    assert settings.sources[1].location == str(tmp_path / "mirror")
    assert settings.platforms is not None
    assert (settings.platforms.wanted, settings.platforms.explain) == (frozenset({LINUX, DARWIN}), True)
    assert settings.columns == ("platform", "local")
    assert settings.keys == {"review.write": "ctrl+s", "review.decide": "d,space"}
    fault = settings.fault("keys.review.decide", "it is so", hint="do that")
    assert (fault.message, fault.hint) == (f"{tmp_path}/settings.toml:15: keys.review.decide: it is so", "do that")


def test_the_default_that_is_printed_sets_what_counts_without_it() -> None:
    assert read(DEFAULT).keys == {}
    lines = [line.removeprefix("# ") for line in DEFAULT.splitlines() if not line.startswith("# [") and "=" in line]
    written = "\n".join(line for line in lines if " = " in line and not line.startswith(('"', "sources")))
    settings = read(written)
    assert (settings.theme, settings.signs, settings.color, settings.editor) == ("", None, None, "")
    assert settings.columns == COLUMNS
    assert set(settings.lines) == {"theme", "signs", "color", "editor", "platforms", "columns"}


@table(
    ("text", "line", "message", "hint"),
    [
        ('\nthem = "x"', 2, "them: there is no such setting", "did you mean theme?"),
        ("xyz = 1", 1, "xyz: there is no such setting", "there are theme, signs, color,"),
        ("[theme]", 1, "theme: it is a table and has to be a text", 'write theme = "…"'),
        ("sources = 'direct'", 1, "sources: it is a text and has to be a list of texts", 'write sources = ["…"]'),
        ("platforms = [1]", 1, "platforms: it is a list and has to be a list of texts", ""),
        ("keys = true", 1, "keys: it is true or false and has to be a table", "write [keys]"),
        ("[keys]\n'review.write' = 3", 2, "keys.review.write: it is a number and has to be a text", ""),
        ("theme = 2026-01-01", 1, "theme: it is a time and has to be a text", ""),
        ('signs = "unicod"', 1, "signs: there is no “unicod”", "did you mean unicode?"),
        ('color = "allways"', 1, "color: there is no “allways”", "did you mean always?"),
        ('columns = [\n"locl"]', 1, "columns: there is no column “locl”", "did you mean local?"),
        ('platforms = ["linux"]', 1, "platforms: “linux” is not a platform", "such as linux_amd64"),
        ('sources = ["nowhere/at/all"]', 1, "sources: “nowhere/at/all” is not a source", ""),
        ('sources = ["http://mirror.example.test/"]', 1, "sources: ", ""),
        ('theme = "x', 1, "it is not TOML: ", "lockwarden settings"),
        ("\n\n= 1", 3, "it is not TOML: ", "lockwarden settings"),
        (b"theme = 1\n\xff", 2, "it is not UTF-8", "save it as UTF-8"),
        ("#" * 70_000, 0, "it has more than 65536 bytes", ""),
        ("[" * 5_000, 1, "it is not TOML: ", ""),
        ('"\\u001b[2J" = 1', 0, "<U+001B>[2J: there is no such setting", ""),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_what_may_have_been_meant(
    text: str | bytes, line: int, message: str, hint: str
) -> None:
    (found,) = faults(text)
    assert found[0] == line
    assert found[1].startswith(message)
    assert hint in found[2]


def test_everything_wrong_is_told_at_once_in_the_order_of_the_file() -> None:
    assert [line for line, _, _ in faults('signs = "a"\ntheme = 1\nodd = 1\n[keys]\na = 1')] == [1, 2, 3, 5]


def test_where_entries_begin() -> None:
    text = '[keys]\n\n"review.decide" = "x"\nreview . write = "y"\n[ other."a b" ]\nc = [\n  "d = e",\n]\n'
    assert entry_lines(text) == {
        "keys": 1,
        "keys.review.decide": 3,
        "keys.review.write": 4,
        "other.a b": 5,
        "other.a b.c": 6,
        "other": 6,
    }


def test_a_hint_names_the_nearest_or_all() -> None:
    assert nearest("drk", ("dark", "light")) == "did you mean dark?"
    assert nearest("xyz", ("dark", "light")) == "there are dark, light"
