"""The filter of the review: what is typed, what it means, what it matches. Pure.

`verdict:new`, `platform:linux_amd64`, `key:3F24`, `change:in` and `problem:new-signer` narrow by one property each; any
other word must occur in the hash, its platform, its provider or a signer. Words of one property are alternatives;
different ones must all hold.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow, Moved
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.severity import Severity

FINDING: Final = "finding"
APPROVED: Final = "approved"
"""In the place of a verdict: findings that a record accepts. The verdicts themselves then mean the others."""
EXAMPLES: Final = "text, verdict:new, platform:linux_amd64, key:3F24"
MORE_EXAMPLES: Final = "change:in, change:out, problem:new-signer"
_PROPERTIES: Final = ("verdict", "platform", "key", "change", "problem")
MOVES: Final = {"in": Moved.ADDED, "out": Moved.REMOVED}
"""How filter and table call what a change did with a hash."""
_MAX_TERMS: Final = 32


class Filter(Struct, frozen=True, kw_only=True):
    """A filter as it was typed, and what it means."""

    text: str = ""
    words: tuple[str, ...] = ()
    verdicts: frozenset[Verdict] = frozenset()
    platforms: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    moves: frozenset[Moved] = frozenset()
    problems: tuple[str, ...] = ()
    """Parts of the codes or names of what objects or warns, changes included, with hyphens for blanks."""
    approved: bool = False
    """Findings that a record accepts are let through, as those of `verdicts` are."""
    problem: str = ""
    """Why a part of the text means nothing; that part is left out."""

    @property
    def active(self) -> bool:
        """Whether it hides anything at all."""
        return bool(self.words or self.problems or self.by_hash)

    @property
    def by_hash(self) -> bool:
        """Whether only rows, not the provider itself, can match."""
        return bool(self.verdicts or self.approved or self.platforms or self.keys or self.moves)

    def is_within(self, other: Filter) -> bool:
        """Whether it narrows by what the other one, which a count stands for, shows."""
        if other.problems:
            return self.problems == other.problems
        chosen = self.verdicts | ({APPROVED} if self.approved else set())
        return bool(chosen) and chosen <= other.verdicts | ({APPROVED} if other.approved else set())


NO_FILTER: Final = Filter()


def parse_filter(text: str) -> Filter:
    """Read a filter; it never fails, since it is read at every key: what means nothing is named in `problem`."""
    words: list[str] = []
    verdicts: set[Verdict] = set()
    platforms: list[str] = []
    keys: list[str] = []
    moves: set[Moved] = set()
    problems: list[str] = []
    approved = False
    problem = ""
    for term in text.split()[:_MAX_TERMS]:
        name, colon, value = term.partition(":")
        values = [each for each in value.lower().split(",") if each]
        if not colon or name.lower() not in _PROPERTIES:
            words.append(term.lower())
        elif not values:
            problem = f"{name.lower()}: needs a value, as in {_example(name.lower())}"
        elif name.lower() == "verdict":
            approved = approved or APPROVED in values
            found, unknown = _verdicts([each for each in values if each != APPROVED])
            verdicts |= found
            problem = f"no verdict is called “{unknown}”; there are {', '.join(Verdict)}" if unknown else problem
        elif name.lower() == "change":
            moves |= {MOVES[each] for each in values if each in MOVES}
            problem = problem if set(values) <= set(MOVES) else "change: is in or out"
        elif name.lower() == "problem":
            problems.extend(values)
        elif name.lower() == "platform":
            platforms.extend(values)
        else:
            keys.extend(each.upper() for each in values)
    return Filter(
        text=text.strip(),
        words=tuple(words),
        verdicts=frozenset(verdicts),
        platforms=tuple(platforms),
        keys=tuple(keys),
        moves=frozenset(moves),
        problems=tuple(problems),
        approved=approved,
        problem=problem,
    )


def _example(name: str) -> str:
    examples = f"{EXAMPLES}, {MORE_EXAMPLES}".split(", ")
    return next(each for each in examples if each.startswith(f"{name}:"))


def _verdicts(values: list[str]) -> tuple[set[Verdict], str]:
    """The verdicts that the values name by their beginning, and the first value that names none."""
    found: set[Verdict] = set()
    unknown = ""
    for value in values:
        if FINDING.startswith(value) or value == f"{FINDING}s":
            found |= {each for each in Verdict if each.is_finding}
            continue
        named = {each for each in Verdict if each.startswith(value)}
        found |= named
        unknown = unknown or ("" if named else value)
    return found, unknown


def matches_row(chosen: Filter, provider: ProviderReview, row: HashRow) -> bool:
    """Whether the row is shown. A provider whose audit has not ended has no verdicts yet, so none of them matches."""
    if (chosen.verdicts or chosen.approved) and (provider.waiting or not _of_verdict(chosen, row)):
        return False
    if (chosen.moves and row.moved not in chosen.moves) or not _has_problem(chosen, provider):
        return False
    platforms = {str(platform) for platform in row.platforms}
    if chosen.platforms and not any(wanted in name for wanted in chosen.platforms for name in platforms):
        return False
    known = row.disposition
    others = {each.name for each in known.signed_otherwise_by}
    signers = known.signed_by_fingerprints | known.signed_by_gpg_key_ids | others
    if chosen.keys and not any(wanted in signer for wanted in chosen.keys for signer in signers):
        return False
    if not chosen.words:
        return True
    names = (str(provider.address), str(provider.entry.version), row.hash.text, row.label, *signers)
    haystack = "\n".join(names).lower()
    return all(word in haystack for word in chosen.words)


def _of_verdict(chosen: Filter, row: HashRow) -> bool:
    """Whether the row counts as one of the verdicts; a finding that a record accepts counts as approved only."""
    accepted = row.verdict.is_finding and not row.objects
    return chosen.approved if accepted else row.verdict in chosen.verdicts


def _has_problem(chosen: Filter, provider: ProviderReview) -> bool:
    if not chosen.problems:
        return True
    codes = {each.code for each in provider.problems if each.severity is not Severity.NOTE}
    names = "\n".join((*codes, *(meaning_of(code).name.lower().replace(" ", "-") for code in codes)))
    return any(wanted in names for wanted in chosen.problems)


def matches_provider(chosen: Filter, provider: ProviderReview) -> bool:
    """Whether the provider is listed: it has a row that is shown, or every word is in its own name."""
    if not _has_problem(chosen, provider):
        return False
    if any(matches_row(chosen, provider, row) for row in provider.rows):
        return True
    name = f"{provider.address} {provider.entry.version}".lower()
    return not chosen.by_hash and all(word in name for word in chosen.words)
