"""`lockwarden demo`: the review on a provider world that is made on the spot, without a network and without set-up."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.on_screen import run_app
from lockwarden.cli.output import on_terminal, show
from lockwarden.cli.own_settings import settings_here
from lockwarden.cli.surroundings import clock, environment
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.lock_files import load
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.engine.user_settings import UserSettings
from lockwarden.core.evidence.source_answers import DIRECT, SourceKind
from lockwarden.core.reports.text_report import shown, text_report
from lockwarden.core.review.exit_codes import in_words
from lockwarden.core.values.platforms import current_platform
from lockwarden.demo.building import DemoWorld, build
from lockwarden.demo.transport import WorldTransport

_TITLE = "demo: infra/.terraform.lock.hcl"
_HANDED_ON = ("PATH", "HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")
"""Of the environment: where gpg and git are, and by whose name git would commit, which records have."""
_LATENCY = 0.03
"""Seconds before each answer, so that a person sees progress and can interrupt it."""


def demo(*, in_browser: bool = False) -> int:
    """Make the world in a temporary folder, review its lock file, and remove the folder.

    With `in_browser` another process draws the review, as `lockwarden serve --demo` has it. Raises ToolError, and
    InputError for the user's settings.
    """
    settings = settings_here()
    with tempfile.TemporaryDirectory(prefix="lockwarden-demo-") as name:
        world = build(Path(name), now=clock())
        return _on_screen(world, settings) if in_browser or on_terminal() else _printed(world)


def options_for(world: DemoWorld) -> AuditOptions:
    """What the demo asks: the origin registries and the mirror of its world."""
    return AuditOptions(
        sources=(
            SourceSpec(kind=SourceKind.DIRECT, location=DIRECT),
            SourceSpec(kind=SourceKind.NETWORK_MIRROR, location=world.mirror_url),
        ),
        platforms=PlatformChoice(wanted=frozenset({current_platform()}), explain=True),
        keep_cache=False,
    )


def demo_runtime(world: DemoWorld, *, latency: float) -> Runtime:
    """The demo's world instead of the network.

    Of the operator's environment it gets what finds programs, and git's user; nothing else.
    """
    told = environment()
    return Runtime(
        environ={"PATH": os.defpath, **{name: told[name] for name in _HANDED_ON if name in told}},
        now=clock,
        cache_folder=world.folder / "cache",
        transport=WorldTransport(world.world, latency=latency),
    )


def _on_screen(world: DemoWorld, settings: UserSettings) -> int:
    runtime = demo_runtime(world, latency=_LATENCY)
    return run_app((world.lock_file,), options_for(world), runtime, title=_TITLE, settings=settings)


def _printed(world: DemoWorld) -> int:
    runtime = demo_runtime(world, latency=0.0)
    loaded = replace(load(str(world.lock_file), runtime.second_reader), path=_TITLE)
    result = run_audits([loaded], options_for(world), runtime)
    show(text_report(result, every_hash=True), result)
    show(shown(_stories(world)))
    show(shown(["", f"Exit code {int(result.exit_code)}: {in_words(result.exit_code)}"]))
    return int(result.exit_code)


def _stories(world: DemoWorld) -> Iterator[str]:
    yield from ("", "What each provider shows")
    for story in world.stories:
        yield f"  {story.address} {story.release.version}: {story.title}"
        yield f"    {story.tells}"
