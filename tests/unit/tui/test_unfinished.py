"""What is told when the app ended before a person left it."""

from __future__ import annotations

import io
from pathlib import Path

from fakes.lock_files import EDGE, PLANTED
from fakes.sessions import audited, decided
from msgspec.structs import replace
from rich.console import Console
from rich.traceback import Traceback

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.tui.render.unfinished import MAX_LINES, fault_in_words, lost_decisions
from lockwarden.tui.state import placeholders, session
from lockwarden.tui.state.files import begun

SUSPECT = HashKey.of(EDGE.address, PLANTED)


def printed(error: Exception) -> str:
    """A traceback as Textual prints it, with the values of variables."""
    out = io.StringIO()
    try:
        raise error
    except type(error):
        Console(file=out, width=80).print(Traceback(show_locals=True))
    return out.getvalue()


def test_of_a_traceback_only_the_error_and_its_place_are_told() -> None:
    told = fault_in_words(printed(ValueError("a fault")))

    assert told.endswith("ValueError: a fault")
    assert "test_unfinished.py:" in told
    assert "out =" not in told


def test_a_text_without_boxes_is_told_as_it_is() -> None:
    assert fault_in_words("the terminal is gone\n") == "the terminal is gone"
    assert fault_in_words("") == ""


def test_decisions_that_were_not_written_are_named_up_to_a_limit() -> None:
    now = decided(audited(), (SUSPECT, Decision.DROP))
    one = begun([Path("a")], now)
    many = begun([Path(str(number)) for number in range(MAX_LINES + 2)], now)

    assert list(lost_decisions(one)) == [f"drop {PLANTED.text} of {EDGE.address} 2.0.0 in a"]
    assert list(lost_decisions(begun([Path("a")], audited()))) == []
    assert len(list(lost_decisions(many))) == MAX_LINES + 1
    assert list(lost_decisions(many))[-1] == "and 2 more"


def test_a_review_behind_a_failure_is_no_answer() -> None:
    fine = audited()
    broken = session.with_placeholder(fine, placeholders.internal_fault(ValueError("a fault")))

    assert fine.exit_code is ExitCode.FINDINGS
    assert broken.exit_code is ExitCode.UNUSABLE_INPUT
    assert session.restarted(broken).exit_code is ExitCode.UNUSABLE_INPUT
    assert replace(broken, placeholder=None).exit_code is ExitCode.FINDINGS
    assert replace(fine, review=None).exit_code is ExitCode.UNUSABLE_INPUT
