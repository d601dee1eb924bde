"""What a person has set: their keys, their columns, their theme."""

from __future__ import annotations

from contextvars import copy_context

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict
from msgspec.structs import replace

from lockwarden.core.review.decisions import Decision
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.state.ports import Appearance

DARK = Appearance(theme="lockwarden-dark")


def test_other_keys_and_fewer_columns_are_those_on_the_screen() -> None:
    async def scenario(d: Driver) -> None:
        assert "f2 Decide" in d.lines[-1]
        await d.press("space")
        assert not d.review.decisions.made
        await d.press("f2")
        assert d.decision is Decision.DROP
        assert "Signed by" not in d.text
        assert "Reg" not in d.text
        assert "Platform" in d.text
        assert "Decision" in d.text
        assert d.row.hash.text[:40] in d.text

    look = replace(DARK, keymap={"review.decide": "f2"}, columns=("platform",))
    drive(app_of(every_verdict(), look=look), scenario)


def test_titles_notes_and_other_screens_name_and_have_the_keys_that_were_chosen() -> None:
    async def scenario(d: Driver) -> None:
        assert "u providers, l why" in d.text
        await d.press("i", "f2")
        assert "no hash is shown: go back, and open one with f4" in d.prose
        await d.press("escape", "f4", "space")
        assert not d.review.decisions.made
        await d.press("f2")
        assert d.decision is Decision.DROP
        await d.press("escape", "f1", "slash", *"platforms", "enter")
        assert "so many more platforms or keys; f4 shows all of them" in d.prose

    keys = {"review.decide": "f2", "review.detail": "f4", "review.pane_left": "left,u"}
    # Where no other test sees these keys.
    copy_context().run(lambda: drive(app_of(every_verdict(), look=replace(DARK, keymap=keys)), scenario, size=(60, 20)))


def test_a_theme_that_is_chosen_is_kept_and_the_one_at_the_beginning_is_not() -> None:
    app, kept = app_of(every_verdict()), []

    def keep(name: str) -> str:
        kept.append(name)
        return "also the next time"

    async def scenario(d: Driver) -> None:
        d.app.setup = replace(d.app.setup, keep_theme=keep)
        await d.settle()
        assert kept == []
        for theme in ("lockwarden-light", "lockwarden-dark"):
            d.app.theme = theme
            await d.settle()
        assert kept == ["lockwarden-light", "lockwarden-dark"]
        assert "lockwarden-dark: also the next time" in d.lines[-1]

    drive(app, scenario)
    assert isinstance(app, LockwardenApp)
