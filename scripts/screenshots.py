"""Draws the screenshots: drives the real app on the demo world and on a pull request, and writes SVG files.

Usage: python scripts/screenshots.py FOLDER
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
from moved_modules import HOST, moved_modules
from pull_request import PullRequest, pull_request
from signed_index import TEMPLATE, SignedIndex, signed_index
from textual.pilot import Pilot

from lockwarden.cli import demo
from lockwarden.cli.on_screen import ReviewOnScreen, app_for
from lockwarden.cli.surroundings import clock
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import DIRECT, SourceKind
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.terminals import Signs
from lockwarden.demo.building import DemoWorld, build
from lockwarden.demo.story import FOUR, packages_of
from lockwarden.demo.transport import WorldTransport
from lockwarden.demo.world import Site
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.state.ports import Appearance
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.theme import ANSI_DARK, DARK, LIGHT

_TITLE: Final = "infra/.terraform.lock.hcl"
LINUX: Final = Platform("linux", "amd64")
_Shots = tuple[tuple[str, tuple[int, int], tuple[str, ...]], ...]
_DEMO: Final[_Shots] = (
    ("review-120x36", (120, 36), ()),
    ("review-80x24", (80, 24), ()),
    ("review-60x20", (60, 20), ()),
    ("provider-120x36", (120, 36), ("left", "down", "down")),
    ("detail-100x40", (100, 40), ("n", "n", "n", "n", "n", "enter")),
    ("filter-120x36", (120, 36), ("slash", *"verdict", "colon", *"new", "enter", "a")),
    ("sources-100x30", (100, 30), ("s",)),
    ("difference-100x36", (100, 36), ("space", "A", "w")),
    ("help-100x56", (100, 56), ("question_mark",)),
    ("coverage", (120, 36), ("c",)),
)
"""Name, size in cells, and the keys that lead there."""
_BLANK: Final = "&#160;"
_CELL: Final = 12.2
"""Units that a character is wide in the pictures."""
_INDENTED: Final = re.compile(
    r' x="(?P<x>[0-9.]+)" y="(?P<y>[0-9.]+)" textLength="(?P<length>[0-9.]+)"(?P<rest>[^>]*)>'
    rf"(?P<blanks>(?:{_BLANK})+)(?!{_BLANK}|<)"
)
_REASON: Final = tuple("space" if char == " " else char for char in "withdrawn upstream and built by us")
_MODULES: Final[_Shots] = (
    ("modules-120x36", (120, 36), ("M", "r", "down", "up")),
    ("modules-80x24", (80, 24), ("M", "r", "down", "up")),
    ("module-diff", (100, 30), ("M", "r", "d")),
)
_SIGNED: Final[_Shots] = (("signers", (110, 30), ("K",)),)
_PULL_REQUEST: Final[_Shots] = (
    ("pull-request", (120, 36), ("h", "j", "l")),
    ("key-change", (120, 30), ("K",)),
    ("record", (100, 24), ("h", "j", "l", "R", *_REASON, "enter", "enter")),
)


_LOOKS: Final = (
    ("theme-light", Appearance(theme=LIGHT.name)),
    ("theme-sixteen-colours", Appearance(theme=ANSI_DARK.name)),
    ("theme-ascii", Appearance(theme=ANSI_DARK.name, signs=Signs.ASCII)),
)


async def draw(app: LockwardenApp, path: Path, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    """Open the review, wait until its audit has ended, press the keys, and keep a picture of the screen."""
    app.animation_level = "none"
    app.theme = app.setup.look.theme or DARK.name
    app.reaction = 0.0  # nobody has to see what they decide about
    async with app.run_test(size=size) as pilot:
        # The line that tells of the audit looks by itself whether it has ended.
        while app.session.progress.phase is not Phase.FINISHED or app.screen.query("PulseLine.-shown"):
            await pilot.pause()
        await _handled(app, pilot)
        for key in keys:
            await pilot.press(key)
            await _handled(app, pilot)
            while "M" in keys and not all(worker.is_finished for worker in app.workers):
                await pilot.pause()
        # Git is asked who the operator is before a record can be looked at.
        while "R" in keys and not isinstance(app.screen, FileDiffScreen):
            await pilot.pause()
        await _handled(app, pilot)
        picture = app.export_screenshot(title="lockwarden")
    path.write_text(in_place(picture), encoding="utf-8")


async def _handled(app: LockwardenApp, pilot: Pilot[int]) -> None:
    """Wait until nobody has a message left to handle, however busy the machine is, and the screen is laid out."""
    await pilot.pause()
    while any(each.message_queue_size for each in (app, *app.screen.walk_children(with_self=True))):
        await pilot.pause()


def in_place(picture: str) -> str:
    """The picture with each text where its first sign stands: some programs leave out the blanks before it."""
    return _INDENTED.sub(_moved, picture)


def _moved(text: re.Match[str]) -> str:
    """A text without the blanks that it begins with, which some programs leave out, in the place behind them."""
    blanks = len(text["blanks"]) // len(_BLANK) * _CELL
    x, length = float(text["x"]) + blanks, float(text["length"]) - blanks
    return f' x="{x:g}" y="{text["y"]}" textLength="{length:g}"{text["rest"]}>'


def of_demo(world: DemoWorld) -> LockwardenApp:
    """The app on the demo's lock file."""
    runtime = demo.demo_runtime(world, latency=0.0)
    return app_for(
        ReviewOnScreen(paths=(world.lock_file,), options=demo.options_for(world), runtime=runtime, title=_TITLE)
    )


def of_modules(world: DemoWorld, site: Site) -> LockwardenApp:
    """The app on the demo's lock file, beside which a configuration lies."""
    runtime = demo.demo_runtime(replace(world, world=world.world.with_answers(HOST, site)), latency=0.0)
    return app_for(
        ReviewOnScreen(
            paths=(Path(world.lock_file.name),), options=demo.options_for(world), runtime=runtime, title=_TITLE
        )
    )


def of_change(change: PullRequest) -> LockwardenApp:
    """The app on the lock file of the pull request, against the branch that it is to be merged into."""
    options = AuditOptions(
        sources=(SourceSpec(kind=SourceKind.DIRECT, location=DIRECT),),
        platforms=PlatformChoice(wanted=frozenset({LINUX}), explain=True),
        keep_cache=False,
        base="main",
    )
    runtime = Runtime(
        environ={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(change.folder)},
        now=clock,
        cache_folder=change.folder.parent / "cache",
        transport=WorldTransport(change.world, latency=0.0),
    )
    return app_for(ReviewOnScreen(paths=(change.lock_file,), options=options, runtime=runtime, title=_TITLE))


def of_signed(signed: SignedIndex) -> LockwardenApp:
    """The app on a lock file whose one provider comes from a signed index in an OCI registry."""
    options = AuditOptions(
        sources=(SourceSpec(kind=SourceKind.OCI_MIRROR, location=TEMPLATE),),
        platforms=PlatformChoice(wanted=frozenset({LINUX})),
        keep_cache=False,
    )
    folder = signed.lock_file.parent
    runtime = Runtime(
        environ={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder)},
        now=clock,
        cache_folder=folder.parent / "cache",
        transport=WorldTransport(signed.world, latency=0.0),
    )
    return app_for(ReviewOnScreen(paths=(signed.lock_file,), options=options, runtime=runtime, title=_TITLE))


def looking(app: LockwardenApp, look: Appearance) -> LockwardenApp:
    """The same app on another terminal."""
    return LockwardenApp(msgspec.structs.replace(app.setup, look=look))


def draw_all(shots: _Shots, folder: Path, make: Callable[[], LockwardenApp]) -> None:
    """Draw some screenshots, each of an app of its own."""
    for name, size, keys in shots:
        asyncio.run(draw(make(), folder / f"{name}.svg", size, keys))


def main() -> None:
    """Draw every screenshot into the folder that is named on the command line."""
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    now = clock()
    with tempfile.TemporaryDirectory(prefix="lockwarden-screenshots-") as place:
        world = build(Path(place) / "demo", now=now)
        draw_all(_DEMO, folder, lambda: of_demo(world))
        for name, look in _LOOKS:
            asyncio.run(draw(looking(of_demo(world), look), folder / f"{name}.svg", (100, 26), ("j", "x", "j")))
        os.chdir(world.lock_file.parent)
        site = moved_modules(Path())
        draw_all(_MODULES, folder, lambda: of_modules(world, site))
        signed = signed_index(
            Path(place) / "signed" / "infra",
            packages_of("registry.opentofu.org/acme/widget", "1.4.0", FOUR, size=9_000),
        )
        draw_all(_SIGNED, folder, lambda: of_signed(signed))
        change = pull_request(Path(place) / "repository", now=now)
        os.chdir(change.folder)
        draw_all(_PULL_REQUEST, folder, lambda: of_change(change))


if __name__ == "__main__":
    main()
