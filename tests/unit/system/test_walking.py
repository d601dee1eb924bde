"""Walks through folders that somebody else has made."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path

import pytest

from lockwarden.core.system.walking import walked

DEPTH = 200


def test_it_goes_as_pythons_own_and_follows_no_link(tmp_path: Path) -> None:
    for place in ("b/x", "a/y/z", "c"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "file").write_text("")
    (tmp_path / "a" / "link").symlink_to(tmp_path / "c")
    (tmp_path / "a" / "dangling").symlink_to("nowhere")
    (tmp_path / "a" / "circle").symlink_to("circle")

    def told(place: str, folders: list[str], names: list[str]) -> tuple[str, list[str], list[str]]:
        folders.sort()
        if "x" in folders:
            folders.remove("x")
        return place, list(folders), sorted(names)

    assert [told(*each) for each in walked(tmp_path)] == [told(*each) for each in os.walk(tmp_path)]
    assert [told(*each)[0] for each in walked(tmp_path)][:3] == [str(tmp_path), str(tmp_path / "a"), f"{tmp_path}/a/y"]


def test_what_cannot_be_looked_into_is_heard_of(tmp_path: Path) -> None:
    heard: list[OSError] = []
    assert list(walked(tmp_path / "absent", unread=heard.append)) == []
    assert [each.filename for each in heard] == [str(tmp_path / "absent")]
    assert list(walked(tmp_path / "absent")) == []


def test_no_depth_ends_it(tmp_path: Path) -> None:
    """With fewer calls within each other than the thousand that are usual, so that fewer folders do."""
    deepest = Path(f"{tmp_path}{'/d' * DEPTH}")
    deepest.mkdir(parents=True)
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + DEPTH // 2)
    try:
        places = [place for place, _, _ in walked(tmp_path)]
        if sys.version_info < (3, 12):  # later ones' own walk calls itself no more
            with pytest.raises(RecursionError):
                list(os.walk(tmp_path))
    finally:
        sys.setrecursionlimit(usual)
    assert len(places) == DEPTH + 1
    assert places[-1] == str(deepest)


def test_nothing_goes_through_folders_in_another_way() -> None:
    """What calls itself for each folder within a folder is ended by whoever commits a thousand of them."""
    root = Path(__file__).parents[3]
    parts = [path for part in ("core", "cli", "tui", "demo") for path in (root / part).rglob("*.py")]
    assert len(parts) > 500
    texts = {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in parts}
    assert [path for path, text in texts.items() if "os.walk(" in text or ".rglob(" in text] == []
