"""How things look: the glyph, the word and the style of every verdict, tone, outcome and answer.

Styles name theme variables, never colours. A glyph never stands without its word, since colour and shape alone reach
not everybody.
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final, assert_never

from msgspec import Struct
from textual.content import Content

from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import Tone
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeyState

DASH: Final = "\N{EN DASH}"
"""Stands for nothing in a table."""


class Hue(StrEnum):
    """The few meanings that a colour may have."""

    BAD = "error"
    OPEN = "warning"
    GOOD = "success"
    NEW = "accent"
    QUIET = "muted"
    PLAIN = "plain"


STYLES: Final = MappingProxyType(
    {
        Hue.BAD: "$text-error",
        Hue.OPEN: "$text-warning",
        Hue.GOOD: "$text-success",
        Hue.NEW: "$text-accent",
        Hue.QUIET: "$text-muted",
        Hue.PLAIN: "",
    }
)


class Look(Struct, frozen=True):
    """A glyph and what its colour means."""

    glyph: str
    hue: Hue

    @property
    def style(self) -> str:
        """The style in theme variables."""
        return STYLES[self.hue]


VERDICTS: Final = MappingProxyType(
    {
        Verdict.DISOWNED: Look("✗", Hue.BAD),
        Verdict.UNEXPLAINED: Look("✗", Hue.BAD),
        Verdict.UNCHECKED: Look("?", Hue.OPEN),
        Verdict.CONFIRMED: Look("✓", Hue.GOOD),
        Verdict.NEW: Look("+", Hue.NEW),
        Verdict.OFFERED: Look("·", Hue.QUIET),
    }
)
UNWRITTEN: Final = Look("●", Hue.NEW)
"""Decisions that are not in the lock file yet."""
TONES: Final = MappingProxyType(
    {
        Tone.FOR: Look("✓", Hue.GOOD),
        Tone.AGAINST: Look("✗", Hue.BAD),
        Tone.OPEN: Look("?", Hue.OPEN),
        Tone.NOTE: Look("·", Hue.QUIET),
        Tone.ADVICE: Look("→", Hue.NEW),
    }
)
SEVERITIES: Final = MappingProxyType(
    {
        Severity.ERROR: Look("✗", Hue.BAD),
        Severity.WARNING: Look("▲", Hue.OPEN),
        Severity.NOTE: Look("·", Hue.QUIET),
    }
)
OUTCOMES: Final = MappingProxyType(
    {
        Outcome.ANSWERED: Look("✓", Hue.GOOD),
        Outcome.NOT_THERE: Look(DASH, Hue.OPEN),
        Outcome.NO_ANSWER: Look("?", Hue.OPEN),
        Outcome.NOT_ASKED: Look("?", Hue.OPEN),
    }
)
KEYS: Final = MappingProxyType(
    {
        KeyState.VALID: Look("✓", Hue.GOOD),
        KeyState.EXPIRED: Look("!", Hue.OPEN),
        KeyState.REVOKED: Look("✗", Hue.BAD),
    }
)
WAITING: Final = Look("…", Hue.QUIET)
ANSWERS: Final = MappingProxyType(
    {
        Answer.UNREADABLE: Look("✗", Hue.BAD),
        Answer.UNWRITTEN: Look("✗", Hue.BAD),
        Answer.FINDINGS: Look("✗", Hue.BAD),
        Answer.INCOMPLETE: Look("?", Hue.OPEN),
        Answer.CHECKING: WAITING,
        Answer.READING: WAITING,
        Answer.EMPTY: Look("·", Hue.QUIET),
        Answer.GOOD: Look("✓", Hue.GOOD),
    }
)
APPROVED: Final = Look("✓", Hue.PLAIN)
"""Of a finding that a record accepts: nobody vouches for it, and nobody objects any more."""
REMOVED: Final = Look("\N{MINUS SIGN}", Hue.QUIET)


def of_answer(provider: ProviderReview, answer: SourceAnswer) -> tuple[Look, str]:
    """The look of a source's answer, and the word that goes with it, empty for a plain answer."""
    if answer.outcome is Outcome.ANSWERED:
        own = (each for each in provider.problems if each.source == answer.source.id)
        worst = next((each for each in own if each.severity is Severity.ERROR), None)
        return (Look("✗", Hue.BAD), meaning_of(worst.code).name) if worst else (OUTCOMES[answer.outcome], "")
    return OUTCOMES[answer.outcome], str(answer.outcome)


def of_row(row: HashRow, *, waiting: bool = False) -> tuple[Look, str]:
    """The look of a hash's verdict and its word; a finding that a record accepts is approved."""
    if waiting:
        return WAITING, "waiting"
    if row.verdict.is_finding and not row.objects:
        return APPROVED, "approved"
    return VERDICTS[row.verdict], str(row.verdict)


def of_decision(decision: Decision, row: HashRow, *, made: bool) -> tuple[str, Hue, bool]:
    """A decision's word, its meaning, and whether it stands out because a person has made it or has to."""
    match decision:
        case Decision.ADD:
            return "add", Hue.NEW, True
        case Decision.DROP:
            return "drop", Hue.BAD, True
        case Decision.KEEP:
            return "keep", Hue.PLAIN if made else Hue.QUIET, made
        case Decision.UNDECIDED if row.verdict is Verdict.OFFERED:
            return DASH, Hue.QUIET, False
        case Decision.UNDECIDED if row.verdict.is_finding and not row.objects:
            # What a record accepts stays in the lock file; nobody has to decide it again.
            return "keep", Hue.QUIET, False
        case Decision.UNDECIDED:
            return "undecided", Hue.OPEN if row.objects else Hue.QUIET, row.objects
        case _:
            assert_never(decision)


def glyph(look: Look) -> Content:
    """The glyph alone, for where its word follows."""
    return Content.styled(look.glyph, look.style)
