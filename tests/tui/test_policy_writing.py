"""A rule of the policy from the screen: for which providers, the exact change, then the file."""

from __future__ import annotations

from fakes.driving import Driver, drive
from fakes.pull_request import BUILDS, KILN, NAMESAKE, POLICY, SIGNAL, TOOLS, change_app, keeper

from lockwarden.core.values.errors import FileChangedError
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.screens.patterns import PatternsScreen
from lockwarden.tui.screens.signing_keys import SigningKeysScreen
from lockwarden.tui.screens.sources import SourcesScreen

BLOCK = f"""
signing_key "{BUILDS}" {{
  owner     = "Builds <builds@example.test>"
  providers = ["{TOOLS}/tools/*"]
}}
"""


def test_a_key_is_trusted_for_the_chosen_providers_once_the_change_was_looked_at() -> None:
    kept = keeper()

    async def scenario(d: Driver) -> None:
        await d.press("K", "j", "t")
        assert d.shows(PatternsScreen)
        assert f"[x] {TOOLS}/tools/anvil" in d.text
        assert f"[ ] {TOOLS}/tools/*" in d.text
        # The three providers are taken out, their namespace comes in.
        await d.press("space", "j", "space", "j", "space")
        assert "choose at least one" in d.text
        await d.press("end", "space", "tab", "right", "enter")
        await d.reach(FileDiffScreen)
        assert "Only keys that the policy names for a provider count for it from then on" in d.text
        assert f'+ signing_key "{BUILDS}" {{' in d.text
        assert "repository/.lockwarden.hcl" in d.text
        assert kept.policy == POLICY
        # The safe answer has the focus.
        await d.press("enter")
        await d.settle()
        assert kept.policy == POLICY
        assert d.shows(SigningKeysScreen)
        await d.press("t", "space", "j", "space", "j", "space", "end", "space", "tab", "right", "enter")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert kept.policy == POLICY + BLOCK.encode()
        assert "written: .lockwarden.hcl" in d.lines[-1]
        assert "trusted for registry.example.test/tools/signal by .lockwarden.hcl line 7" in d.prose
        await d.press("escape")
        assert d.review.standards.policy.keys_for(SIGNAL.address)
        assert all(not each.waiting for each in d.review.providers), "nothing was asked again"

    drive(change_app(kept), scenario, size=(110, 36))


def test_the_key_of_an_alarm_is_trusted_only_after_a_warning_and_then_it_is_no_alarm() -> None:
    kept = keeper()

    async def scenario(d: Driver) -> None:
        assert d.provider.alarmed
        await d.press("K", "t")
        warning = "This is not the key that .lockwarden.hcl line 2 names. Ask the maintainers first"
        assert warning in d.text
        await d.press("tab", "right", "enter")
        await d.reach(FileDiffScreen)
        assert warning in d.text
        await d.press("right", "enter")
        await d.settle()
        assert f'"{NAMESAKE}"'.encode() in kept.policy
        assert not d.review.provider(KILN.address).alarmed

    drive(change_app(kept), scenario, size=(110, 36))


def test_nothing_is_written_on_the_way_and_no_policy_that_changed_and_a_mirror_is_trusted_at_its_end() -> None:
    kept = keeper()

    async def esc_at_any_step_writes_nothing(d: Driver) -> None:
        await d.press("K", "t", "escape")
        assert d.shows(SigningKeysScreen)
        await d.press("t", "tab", "right", "enter")
        await d.reach(FileDiffScreen)
        await d.press("escape")
        await d.settle()
        assert kept.policy == POLICY

    async def a_policy_that_changed_meanwhile_is_not_overwritten(d: Driver) -> None:
        await d.press("K", "t", "tab", "right", "enter")
        await d.reach(FileDiffScreen)
        kept.refusal = FileChangedError("the policy was changed since it was read", hint="read it again")
        await d.press("right", "enter")
        await d.settle()
        assert d.shows(ConfirmScreen)
        assert "the policy was changed since it was read" in d.text
        assert kept.policy == POLICY
        kept.refusal = None

    async def a_rule_that_the_policy_has_already_is_refused_with_the_reason(d: Driver) -> None:
        await d.press("K", "end", "t", "space", "j", "space", "end", "space", "tab", "right", "enter")
        await d.settle()
        assert d.shows(ConfirmScreen)
        assert "Nothing was written" in d.text

    async def a_mirror_is_trusted_for_the_providers_of_the_lock_file(d: Driver) -> None:
        await d.press("s", "t")
        assert "only a mirror can be trusted in the origin's place" in d.lines[-1]
        await d.press("j", "t")
        assert "Trust mirror.example.test for which providers?" in d.text
        await d.press("tab", "right", "enter")
        await d.reach(FileDiffScreen)
        assert "counts for these providers, whatever their origin registry says" in d.text
        await d.press("right", "enter")
        await d.settle()
        assert b'mirror "https://mirror.example.test/providers/" {\n  trusted = true\n' in kept.policy
        assert kept.policy.startswith(POLICY)
        assert d.shows(SourcesScreen)
        assert "written: .lockwarden.hcl" in d.lines[-1]

    drive(
        change_app(kept),
        esc_at_any_step_writes_nothing,
        a_policy_that_changed_meanwhile_is_not_overwritten,
        a_rule_that_the_policy_has_already_is_refused_with_the_reason,
        a_mirror_is_trusted_for_the_providers_of_the_lock_file,
        size=(110, 36),
    )
