"""The demo's stories against the real audit: every hash gets the verdict that its story was written for."""

from __future__ import annotations

import pytest

from lockwarden.core.platforms import current_platform
from lockwarden.core.review.verdicts import Verdict
from lockwarden.demo.building import DemoWorld
from lockwarden.tui.commands.auditing import run_audits
from lockwarden.tui.commands.demo import options_for, place_of
from lockwarden.tui.commands.lock_files import load


@pytest.fixture(scope="module")
def found(demo_world: DemoWorld) -> dict[tuple[str, str], Verdict]:
    """The verdict on each hash, by provider and hash, as the demo's own settings give them."""
    result = run_audits([load(str(demo_world.lock_file))], options_for(demo_world), place_of(demo_world, latency=0.0))
    review = result.files[0].review
    assert review is not None
    return {(str(each.address), row.hash.text): row.verdict for each in review.providers for row in each.rows}


@pytest.mark.skipif(
    str(current_platform()) not in {"linux_amd64", "linux_arm64", "darwin_arm64"},
    reason="some of the demo's providers have no package for this machine",
)
def test_every_hash_of_a_story_has_the_verdict_that_the_story_tells(
    demo_world: DemoWorld, found: dict[tuple[str, str], Verdict]
) -> None:
    told = {
        (story.address, hash_): verdict for story in demo_world.stories for hash_, verdict in story.verdicts.items()
    }
    assert {key: str(found.get(key, "no row")) for key in told} == told


def test_every_verdict_can_be_seen_in_the_demo(found: dict[tuple[str, str], Verdict]) -> None:
    assert set(found.values()) == set(Verdict)
