"""Draws the screenshots: drives the real app on the demo world, without a terminal, and writes SVG files.

Usage: python scripts/screenshots.py FOLDER
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from lockwarden.demo.building import DemoWorld, build
from lockwarden.tui.commands.demo import options_for, place_of
from lockwarden.tui.commands.review import app_for
from lockwarden.tui.progress import Phase
from lockwarden.tui.theme import DARK

_TITLE: Final = "infra/.terraform.lock.hcl"
_SHOTS: Final = (
    ("review-120x36", (120, 36), ()),
    ("review-80x24", (80, 24), ()),
    ("review-60x20", (60, 20), ()),
    ("provider-120x36", (120, 36), ("left", "down", "down")),
    ("detail-100x40", (100, 40), ("n", "n", "n", "n", "n", "enter")),
    ("filter-120x36", (120, 36), ("slash", *"verdict", "colon", *"new", "enter", "a")),
    ("sources-100x30", (100, 30), ("s",)),
    ("difference-100x36", (100, 36), ("space", "A", "w")),
    ("help-100x56", (100, 56), ("question_mark",)),
)
"""Name, size in cells, and the keys that lead there."""


async def draw(world: DemoWorld, folder: Path, name: str, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    """Open the review, wait until its audit has ended, press the keys, and keep a picture of the screen."""
    app = app_for(world.lock_file, options_for(world), place_of(world, latency=0.0), title=_TITLE)
    app.animation_level = "none"
    app.theme = DARK.name
    async with app.run_test(size=size) as pilot:
        while app.session.progress.phase is not Phase.FINISHED:
            await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        picture = app.export_screenshot(title="lockwarden")
    (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


def main() -> None:
    """Draw every screenshot into the folder that is named on the command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lockwarden-screenshots-") as place:
        world = build(Path(place), now=datetime.now(UTC))
        for name, size, keys in _SHOTS:
            asyncio.run(draw(world, folder, name, size, keys))


if __name__ == "__main__":
    main()
