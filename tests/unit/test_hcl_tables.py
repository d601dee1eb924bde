"""python-hcl2's tables are kept as data in the user's cache, and only this user's own are used."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hcl2.parser
import pytest
from hcl2.postlexer import PostLexer
from lark import Lark

from lockwarden.core.store.hcl_tables import Tables, remove_tables
from lockwarden.core.store.user_key import UserKey

TEXT = 'a = 1\nprovider "x" {\n  b = ["c", d.e, f(1)]\n  g = "h ${i} j"\n}\n'
SMALL = Lark('start: (NAME "=" NAME)*\nNAME: /[a-z]+/\n%ignore " "', parser="lalr", postlex=PostLexer())
"""A parser whose tables are made, kept and loaded in no time; where they come from makes no difference."""


class Maker:
    """Makes parsers and counts them."""

    def __init__(self, parser: Lark) -> None:
        self.parser = parser
        self.made = 0

    def __call__(self) -> Lark:
        self.made += 1
        return self.parser


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(folder=tmp_path / "cache", key_file=tmp_path / "state" / "cache.key")


def kept(tables: Tables) -> Path:
    (path,) = tables.folder.iterdir()
    return path


def made_for(tables: Tables, *, parser: Lark = SMALL, text: str = "a = b c = d") -> int:
    maker = Maker(parser)
    assert tables.parser(made_by=maker).parse(text) == parser.parse(text)
    return maker.made


def test_the_tables_of_python_hcl2_are_made_once_and_then_loaded(tables: Tables) -> None:
    parser = hcl2.parser.parser()
    assert [made_for(tables, parser=parser, text=TEXT), made_for(tables, parser=parser, text=TEXT)] == [1, 0]
    assert kept(tables).stat().st_mode & 0o777 == 0o600
    assert tables.folder.stat().st_mode & 0o777 == 0o700


def test_what_is_kept_is_data_and_no_pickle(tables: Tables) -> None:
    made_for(tables)
    assert isinstance(marshal.loads(kept(tables).read_bytes()[32:]), dict)


def _sealed_otherwise(tables: Tables) -> bytes:
    other = UserKey.at(tables.folder.parent / "other.key")
    assert other is not None
    return other.seal("hcl2 tables", kept(tables).read_bytes()[32:])


@pytest.mark.parametrize(
    "forge",
    [
        lambda tables: b"",
        lambda tables: kept(tables).read_bytes()[:-1],
        lambda tables: kept(tables).read_bytes()[:500] + b"x" + kept(tables).read_bytes()[501:],
        _sealed_otherwise,
    ],
)
def test_damaged_and_foreign_tables_are_made_anew(tables: Tables, forge: Callable[[Tables], bytes]) -> None:
    made_for(tables)
    forged = forge(tables)
    kept(tables).write_bytes(forged)
    assert [made_for(tables), made_for(tables)] == [1, 0]


def test_tables_that_lead_elsewhere_are_made_anew(tables: Tables, tmp_path: Path) -> None:
    made_for(tables)
    path = kept(tables)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert made_for(tables) == 1


def test_sealed_tables_that_lack_something_are_made_anew(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    made_for(tables)
    key = UserKey.at(tables.key_file)
    assert key is not None
    purposes: list[str] = []
    opened = UserKey.opened

    def watched(self: UserKey, purpose: str, sealed: bytes) -> bytes | None:
        purposes.append(purpose)
        return opened(self, purpose, sealed)

    monkeypatch.setattr(UserKey, "opened", watched)
    made_for(tables)
    contents: tuple[Any, ...] = ({"data": {}, "memo": {}}, {}, ["no", "tables"])
    for content in contents:
        kept(tables).write_bytes(key.seal(purposes[0], marshal.dumps(content)))
        assert made_for(tables) == 1


def test_where_nothing_can_be_kept_the_parser_is_made_all_the_same(tables: Tables) -> None:
    tables.folder.write_text("in the way")
    assert [made_for(tables), made_for(tables)] == [1, 1]


def test_without_a_key_nothing_is_kept(tables: Tables) -> None:
    tables.key_file.parent.mkdir()
    tables.key_file.mkdir()
    assert made_for(tables) == 1
    assert not tables.folder.exists()


def test_a_folder_in_the_place_of_the_file_is_no_harm(tables: Tables) -> None:
    made_for(tables)
    path = kept(tables)
    path.unlink()
    path.mkdir()
    assert made_for(tables) == 1
    assert list(tables.folder.iterdir()) == [path], "the temporary file is gone"


def test_tables_can_be_removed(tables: Tables) -> None:
    made_for(tables)
    remove_tables(tables.folder)
    remove_tables(tables.folder)
    assert list(tables.folder.iterdir()) == []
