"""The screen of signing keys, pressed: who signs, who is an alarm, copying, exporting, and what has no key."""

from __future__ import annotations

from pathlib import Path

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import NULL, World, every_verdict
from fakes.pull_request import BUILDS, KILN_UP, LENS, NAMESAKE, SIGNAL_UP, change_app, changed, earlier, keeper, keyless
from fakes.releases import DIRECT, MIRROR, absent, audit, silent
from fakes.running import PreparedAudit
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.values.errors import FileChangedError
from lockwarden.core.values.signing_keys import SignatureState
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.signing_keys import SigningKeysScreen


def by_a_stranger(made: Audit) -> Audit:
    """The same, but for a signature that no offered key made."""
    (answer,) = made.source_answers
    (signature,) = answer.signatures
    (judged,) = signature.judgements
    nobody = replace(
        judged, state=SignatureState.UNKNOWN_ISSUER, fingerprint="", signing_fingerprint="", valid_when_signed=False
    )
    strange = replace(signature, judgements=(nobody,), issuers=("AB" * 20,))
    return replace(made, source_answers=(replace(answer, signatures=(strange,), observations=()),))


def with_others(*others: Audit) -> PreparedAudit:
    made = {each.address: each for each in others}
    return PreparedAudit(tuple(made.get(each.address, each) for each in changed().audits), earlier=earlier())


def of(address: object) -> Audit:
    return next(each for each in changed().audits if each.address == address)


def test_the_alarm_stands_first_beside_the_key_that_it_claims_to_be() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("K")
        assert d.shows(SigningKeysScreen)
        assert "3 keys" in d.text
        assert "✗ Example Releases" in d.text
        assert "not trusted, signed 1" in d.text
        assert "0B5E 7C9F 1A3D 5284 6E7F 90A1 B2C3 D4E5 F607 1829" in d.text
        assert "✗ signs for acme/kiln, for which .lockwarden.hcl line 2 names another key" in d.prose
        assert "another key claims the same name: 6A1B 5E0C" in d.prose
        await d.press("j", "j")
        assert "✓ trusted for acme/gauge by .lockwarden.hcl line 2" in d.text
        await d.press("question_mark")
        assert d.shows(HelpScreen)
        assert "On the screen of signing keys" in d.lines[2], "the keys of this screen come first"
        await d.press("escape", "escape")
        assert d.shows(ReviewScreen)

    drive(change_app(), scenario, size=(110, 44))


def test_y_copies_the_whole_fingerprint_and_e_saves_the_armour_after_a_question() -> None:
    kept = keeper()

    async def scenario(d: Driver) -> None:
        await d.press("K", "y")
        assert d.app.clipboard == NAMESAKE
        assert f"copied {NAMESAKE}" in d.lines[-1]
        await d.press("e")
        assert d.shows(ConfirmScreen)
        assert f"{NAMESAKE}.asc" in "".join(d.prose.split())
        await d.press("enter")
        assert not kept.new_files
        await d.press("e", "right", "enter")
        await d.settle()
        assert kept.new_files == {Path(f"infra/prod/{NAMESAKE}.asc"): b""}
        assert f"written: {NAMESAKE}.asc" in d.lines[-1]
        kept.refusal = FileChangedError("it is there now", hint="")
        await d.press("e", "right", "enter")
        await d.settle()
        assert f"{NAMESAKE}.asc is there already" in d.prose

    drive(change_app(kept), scenario)


def test_what_has_no_key_says_why_and_dimmed_keys_say_so() -> None:
    audit_of = with_others(by_a_stranger(of(LENS.address)), keyless(of(SIGNAL_UP.address)))

    async def scenario(d: Driver) -> None:
        await d.press("K", "home")
        assert "✗ unknown issuer" in d.text
        assert "signature says      ABAB ABAB" in d.text
        assert "registry offers     3E6D 9A0B" in d.text
        await d.press("t")
        assert "no key is selected, so there is none to trust" in d.lines[-1]
        await d.press("end")
        assert "No key for registry.example.test/tools/signal 1.4.0: the registry offers none" in d.prose

    drive(change_app(audit=audit_of), scenario, size=(110, 36))


def test_the_keys_open_on_that_of_the_selected_provider() -> None:
    missing = with_others(by_a_stranger(of(LENS.address)), keyless(of(SIGNAL_UP.address)))

    async def scenario(d: Driver) -> None:
        for move, told in (
            ((), "signs for acme/kiln"),
            (("h", "j"), "trusted for acme/gauge"),
            (("/", *"signal"), "No key for registry.example.test/tools/signal"),
            (("/", *"lens"), "Signature without a key"),
        ):
            if move[:1] == ("/",):
                await d.press("escape", "slash")
                await d.fill("".join(move[1:]))
                await d.press("enter")
            else:
                await d.press(*move)
            await d.press("v" if not d.state.everything else "l", "K")
            assert told in d.prose, told
            await d.press("q")

    drive(change_app(audit=missing), scenario, size=(110, 36))


def test_keys_that_arrive_are_listed_and_the_cursor_stays_on_its_key() -> None:
    audit_of = PreparedAudit(changed().audits, held=True, held_after=0)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit_of)
        await d.press("K")
        assert "No key was seen yet; the audit is still running." in d.text
        audit_of.held_after = 3
        audit_of.gate.set()
        await d.settle()
        assert "3 keys" in d.text
        assert BUILDS[:4] not in d.lines[2]

    drive(change_app(audit=audit_of, against=""), scenario, settled=False)


def test_without_an_origin_there_are_no_keys_and_the_screen_says_what_changes_that() -> None:
    mirrors_only = PreparedAudit(tuple(audit(made, absent(MIRROR)) for made in (KILN_UP, LENS)))

    async def scenario(d: Driver) -> None:
        await d.press("K")
        assert "No key was seen: only origin registries have any of GPG." in d.prose
        assert "choose sources with s" in d.text
        await d.press("q")
        assert d.shows(ReviewScreen)

    drive(change_app(audit=mirrors_only, against=""), scenario, size=(80, 24))


def test_the_palette_offers_what_is_on_a_key_of_the_screen() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("K")
        await d.run_from_palette("whole fingerprint", "Copy the whole fingerprint to the clipboard")
        await d.until(lambda: d.app.clipboard == NAMESAKE)

    drive(change_app(), scenario)


def test_where_no_source_answered_nothing_is_told_as_the_word_of_a_client() -> None:
    world = every_verdict()
    dead = replace(audit(NULL), source_answers=(silent(DIRECT, "the host is dead"),))
    others = tuple(each for each in world.audits if each.address != NULL.address)

    async def scenario(d: Driver) -> None:
        d.review_screen.go_to(NULL.address)
        await d.handled()
        assert "direct ? no answer" in d.text
        assert "unauthenticated" not in d.text
        await d.press("i")
        assert "a client would say" not in d.text
        await d.press("escape", "K")
        assert "? no key known" in d.text

    drive(app_of(World(world.data, (*others, dead))), scenario)
