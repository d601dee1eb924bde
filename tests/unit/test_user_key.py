"""The user's own key: made once, private, and good for one purpose at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.core.store.user_key import UserKey


def made(path: Path) -> UserKey:
    key = UserKey.at(path)
    assert key is not None
    return key


def test_a_key_is_made_once_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "lockwarden" / "cache.key"
    first, again = made(path), made(path)
    assert again.opened("a", first.seal("a", b"content")) == b"content"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["cache.key"]


def test_what_is_sealed_opens_only_whole_with_the_same_key_for_the_same_purpose(tmp_path: Path) -> None:
    key, other = made(tmp_path / "one"), made(tmp_path / "two")
    sealed = key.seal("a", b"content")
    assert key.opened("a", sealed) == b"content"
    assert other.opened("a", sealed) is None
    assert key.opened("b", sealed) is None
    assert key.opened("a", sealed[:-1]) is None
    assert key.opened("a", sealed + b"x") is None
    assert key.opened("a", b"") is None


@pytest.mark.parametrize("flaw", ["short", "long", "readable", "link", "folder"])
def test_a_file_that_is_no_private_key_is_not_used(flaw: str, tmp_path: Path) -> None:
    path = tmp_path / "cache.key"
    match flaw:
        case "short":
            path.write_bytes(bytes(31))
            path.chmod(0o600)
        case "long":
            path.write_bytes(bytes(33))
            path.chmod(0o600)
        case "readable":
            path.write_bytes(bytes(32))
            path.chmod(0o640)
        case "link":
            made(tmp_path / "other")
            path.symlink_to(tmp_path / "other")
        case _:
            path.mkdir()
    assert UserKey.at(path) is None


def test_where_no_key_can_be_kept_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert UserKey.at(tmp_path / "file" / "cache.key") is None


def test_a_key_does_not_show_itself(tmp_path: Path) -> None:
    key = made(tmp_path / "cache.key")
    assert repr(key) == "UserKey(…)"


def test_no_key_is_kept_where_a_link_of_a_working_tree_leads(tmp_path: Path) -> None:
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "tree" / "state").symlink_to("../outside")
    assert UserKey.at(tmp_path / "tree" / "state" / "lockwarden" / "cache.key") is None
    assert [*(tmp_path / "outside").iterdir()] == []
    assert UserKey.at(tmp_path / "tree" / "own" / "cache.key") is not None
