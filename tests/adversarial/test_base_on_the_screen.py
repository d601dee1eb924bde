"""A base that is chosen while the review is open: from then on nothing counts that its change can write."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from adversarial.attack import BASE, HOST_BLOCK, TRUSTED, Attack
from adversarial.scene import BOTH
from fakes.driving import Driver, drive

from lockwarden.cli.on_screen import app_for
from lockwarden.cli.process_runtime import guarded_runtime
from lockwarden.core.engine.options import GivenOptions, read_options
from lockwarden.core.values.platforms import Platform
from lockwarden.tui.screens.bases import BasesScreen

PLATFORMS = BOTH[1::2]


@pytest.fixture
def reviewed(attack: Attack) -> Iterator[Callable[..., None]]:
    """Drives the review of the change, begun without a base by the rules of the variables as they are by then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(attack.scene.folder)

        def run(scenario: Callable[[Driver], Coroutine[Any, Any, None]], **environ: str) -> None:
            for name in tuple(os.environ):
                patch.delenv(name)
            for name, value in {**attack.scene.environment, **environ}.items():
                patch.setenv(name, value)
            given = GivenOptions(platform=PLATFORMS, no_cache=True)
            options = read_options(given, directory=Path.cwd(), current=Platform.parse("linux_amd64"))
            named = (".",)
            runtime_for = partial(guarded_runtime, paths=named)
            app = app_for((attack.scene.lock_file,), options, runtime_for(options), runtime_for=runtime_for)
            drive(app, scenario, size=(300, 50))

        yield run


async def compare(d: Driver, base: str) -> None:
    await d.press("b")
    await d.reach(BasesScreen)
    await d.settle()
    await d.press("tab")
    await d.fill(base)
    await d.press("enter")
    await d.settle()


@pytest.mark.parametrize(
    "content",
    [HOST_BLOCK, pytest.param(TRUSTED, marks=pytest.mark.thorough)],
    ids=["host block", "trusted mirror"],
)
def test_a_base_that_is_chosen_on_the_screen_leaves_no_configuration_in_reach(
    attack: Attack, reviewed: Callable[..., None], content: str
) -> None:
    attack.write(".tofurc", content)
    attack.commit("a configuration")
    told = attack.check(1, *BASE, TF_CLI_CONFIG_FILE=".tofurc").provider("widget")["hashes"]
    expected = {each["hash"]: each["verdict"] for each in told if each["locked"]}
    assert "disowned" in expected.values()

    async def scenario(d: Driver) -> None:
        await d.settle()
        assert {str(row.verdict) for row in d.provider.rows} == {"confirmed"}, "by the operator's own configuration"
        await d.press("i", "end")
        await d.until_shown(".tofurc (sha256:")
        await d.press("escape")
        await compare(d, "refs/heads/main")
        assert {row.hash.text: str(row.verdict) for row in d.provider.rows if row.locked} == expected
        await d.press("i", "end")
        await d.until_shown("no CLI configuration file", ".tofurc does not count: it is not there at refs/heads/main")
        await d.press("escape")
        await compare(d, "")
        assert {str(row.verdict) for row in d.provider.rows} == {"confirmed"}, "nothing is under review any more"

    reviewed(scenario, TF_CLI_CONFIG_FILE=".tofurc")


def test_what_cannot_be_had_from_the_base_is_refused_on_the_screen(
    attack: Attack, reviewed: Callable[..., None]
) -> None:
    attack.write(".tofurc", HOST_BLOCK)  # in no commit

    async def scenario(d: Driver) -> None:
        await d.settle()
        await compare(d, "refs/heads/main")
        assert "This cannot be compared with" in d.text
        words = " ".join(d.text.replace("│", " ").split())
        assert "lies in the working tree, but in no commit" in words
        assert d.app.session.base == ""

    reviewed(scenario, TF_CLI_CONFIG_FILE=".tofurc")
