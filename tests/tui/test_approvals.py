"""An approval from the screen: a reason, the exact record, the file; and what it then changes."""

from __future__ import annotations

import threading
from unittest.mock import patch

from fakes.driving import Driver, drive
from fakes.lock_files import MADE_UP
from fakes.pull_request import ANVIL, GAUGE, KILN, NOBODYS, change_app, keeper, record
from textual.widgets import Input

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.review import Review
from lockwarden.tui.render import styles as looks
from lockwarden.tui.screens.approval import ApprovalScreen
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.screens.review import ReviewScreen

TO_ANVIL = ("h", "j", "j", "l")


def unexplained(review: Review) -> int:
    return sum(row.objects for each in review.providers for row in each.rows)


def test_a_finding_is_recorded_with_a_reason_and_is_then_approved() -> None:
    kept = keeper()

    async def scenario(d: Driver) -> None:
        await d.press(*TO_ANVIL)
        assert d.row.hash == MADE_UP
        before = unexplained(d.review)
        await d.press("R")
        await d.reach(ApprovalScreen)
        await d.settle()
        assert MADE_UP.text in d.text
        await d.press("enter", "enter")
        assert "a reason is needed" in d.text
        await d.fill("built by us")
        await d.press("enter")
        await d.fill("2026-13-01")
        await d.press("enter")
        assert "a day is written YYYY-MM-DD" in d.text
        await d.fill("2026-05-31")
        await d.press("enter")
        assert "that day is over: it is 2026-06-01 in UTC" in d.text
        await d.fill("2026-12-31")
        await d.press("enter")
        await d.reach(FileDiffScreen)
        assert f'hashes    = ["{MADE_UP.text}"]' in d.text
        assert not kept.approvals
        await d.press("right", "enter")
        await d.settle()
        for part in ('by        = "Ada Example <ada@example.test>"', 'verdict   = "unexplained"', "2026-12-31"):
            assert part in kept.approvals.decode()
        assert d.row.hash == MADE_UP, "the cursor stays where it was"
        assert looks.of_row(d.row)[1] == "approved"
        assert unexplained(d.review) == before - 1
        assert "✓ approved" in d.text
        assert "approved by Ada Example <ada@example.test>" in d.text
        assert not d.review.provider(ANVIL.address).objected
        await d.press("N")
        assert d.provider.address == GAUGE.address, "an approved finding is no stop on the way"

    drive(change_app(kept), scenario)


def test_a_record_in_a_file_that_was_signed_says_that_it_has_to_be_signed_again() -> None:
    kept = keeper(approvals=b"document {\n  serial = 3\n}\n")

    async def scenario(d: Driver) -> None:
        await d.press(*TO_ANVIL, "R")
        await d.reach(ApprovalScreen)
        await d.settle()
        await d.fill("built by us")
        await d.press("enter", "enter")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert MADE_UP.text in kept.approvals.decode()
        assert "sign it again with the command approve-sign" in d.text

    drive(change_app(kept), scenario)


def test_an_approved_finding_alone_leaves_nothing_to_object_to() -> None:
    kept = keeper(policy=b"", approvals=record(ANVIL, MADE_UP) + record(GAUGE, NOBODYS))

    async def scenario(d: Driver) -> None:
        assert "Nothing to object to" in d.text
        assert "✓ 2 approved" in d.text
        await d.press("slash")
        await d.fill("verdict:approved")
        await d.press("enter")
        assert "2 of" in d.text
        await d.press("enter")
        assert "unexplained, approved on record" in d.text

    drive(change_app(kept, against=""), scenario)


def test_what_a_record_cannot_accept_says_why_and_where_git_is_silent_a_name_is_asked_for() -> None:
    kept = keeper(who="")

    async def scenario(d: Driver) -> None:
        # A range of a provider whose signing key has changed.
        await d.press("x", "j", "R")
        assert "a record accepts one hash at a time" in d.lines[-1]
        await d.press("x", *TO_ANVIL, "j", "R")
        assert "this hash is confirmed and the policy requires no more" in d.lines[-1]
        assert d.shows(ReviewScreen)
        await d.press("k", "R")
        await d.settle()
        assert d.shows(ApprovalScreen)
        assert "git does not know who you are" in d.prose
        assert "user.name" in d.prose
        await d.press("enter")
        await d.fill("built by us")
        await d.press("enter", "enter")
        assert "a name is needed" in d.text
        assert "built by us" in d.text
        await d.fill("Ada \u202eExample")
        await d.press("enter", "enter", "enter")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert 'by        = "Ada <U+202E>Example"' in kept.approvals.decode()

    drive(change_app(kept), scenario)


def test_what_is_typed_while_git_is_asked_who_it_is_belongs_into_the_form() -> None:
    kept, answering = keeper(), threading.Event()

    def slow(_: LockFile) -> str:
        assert answering.wait(30)
        return "Ada Example <ada@example.test>"

    async def scenario(d: Driver) -> None:
        await d.press(*TO_ANVIL, "R", *"Asw", "enter", "enter")
        assert d.shows(ApprovalScreen)
        assert d.screen.query_one("#reason", Input).value == "Asw"
        assert not d.review.decisions.made
        answering.set()
        await d.reach(FileDiffScreen)
        assert 'reason    = "Asw"' in d.text

    with patch.object(kept, "identity", slow):
        drive(change_app(kept), scenario)


def test_one_hash_of_an_alarmed_provider_can_be_recorded_and_the_alarm_stays() -> None:
    kept = keeper()

    async def scenario(d: Driver) -> None:
        await d.press("enter", "R")
        await d.settle()
        assert "The signing key has changed. A record does not make that any better." in d.text
        await d.fill("x")
        await d.press("enter", "enter")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert d.review.provider(KILN.address).approved == 1
        assert d.review.provider(KILN.address).alarmed
        assert d.review.provider(KILN.address).objected
        assert b"signed_by" not in kept.approvals, "no signature counted"

    drive(change_app(kept), scenario, size=(100, 40))
