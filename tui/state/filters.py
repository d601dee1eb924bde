"""The filter of the review: what is typed, what it means, what it matches. Pure.

`verdict:new`, `platform:linux_amd64`, `key:3F24`, `change:in`, `problem:new-signer` and `is:waiting` narrow by one
property each; any other word must occur in the hash, its platform, its provider or a signer. Words of one property are
alternatives; different ones must all hold. With `!` before it, a word hides what it would show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow, Moved
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

FINDING: Final = "finding"
APPROVED: Final = "approved"
"""In the place of a verdict: findings that a record accepts. The verdicts themselves then mean the others."""
EXAMPLES: Final = "text, verdict:new, platform:linux_amd64, key:3F24"
MORE_EXAMPLES: Final = "change:in, change:out, problem:new-signer, is:waiting, !verdict:confirmed"
_PROPERTIES: Final = ("verdict", "platform", "key", "change", "problem", "is")
_NOT: Final = "!"
_STATES: Final = ("waiting",)
_LIKE_A_PROPERTY: Final = re.compile(r"[A-Za-z]{3,}:(?!//)")
"""What was probably meant to be a property; schemes of hashes are short, and URLs have two slashes."""
_SHOWN: Final = 8
"""At most so many of the values that exist are named in a hint."""
MOVES: Final = {"in": Moved.ADDED, "out": Moved.REMOVED}
"""How filter and table call what a change did with a hash."""
_MAX_TERMS: Final = 32
"""Words of a filter that are read: it is read at every key."""


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
    waiting: bool = False
    """Only what is not audited yet."""
    excluded: tuple[Filter, ...] = ()
    """What is hidden although the rest lets it through; each narrows by one thing."""
    problem: str = ""
    """Why a part of the text means nothing; that part is left out."""

    @property
    def active(self) -> bool:
        """Whether it hides anything at all."""
        return bool(self.words or self.problems or self.waiting or self.excluded or self.by_hash)

    @property
    def by_hash(self) -> bool:
        """Whether only rows, not the provider itself, can match."""
        return bool(self.verdicts or self.approved or self.platforms or self.keys or self.moves)

    def is_within(self, other: Filter) -> bool:
        """Whether it shows nothing beyond what the other one shows, by the property that the other narrows by.

        The other one is the filter of a count, which is marked as chosen then.
        """
        if other.problems or other.waiting:
            return (self.problems, self.waiting) == (other.problems, other.waiting)
        chosen = self.verdicts | ({APPROVED} if self.approved else set())
        return bool(chosen) and chosen <= other.verdicts | ({APPROVED} if other.approved else set())


NO_FILTER: Final = Filter()


def parse_filter(text: str) -> Filter:
    """Read a filter. It is read at every key, so it never fails: what means nothing is named in `problem`."""
    terms = text.split()[:_MAX_TERMS]
    read = _read(each for each in terms if not each.startswith(_NOT))
    negated = [_read([each.removeprefix(_NOT)]) for each in terms if each.startswith(_NOT)]
    problem = next((each.problem for each in (read, *negated) if each.problem), "")
    excluded = tuple(each for each in negated if each.active)
    return replace(read, text=text.strip(), excluded=excluded, problem=problem)


def _read(terms: Iterable[str]) -> Filter:
    """What terms without a `!` mean."""
    words: list[str] = []
    verdicts: set[Verdict] = set()
    platforms: list[str] = []
    keys: list[str] = []
    moves: set[Moved] = set()
    problems: list[str] = []
    approved = waiting = False
    problem = ""
    for term in filter(None, terms):
        name, colon, value = term.partition(":")
        values = [each for each in value.lower().split(",") if each]
        if not colon or name.lower() not in _PROPERTIES:
            if _LIKE_A_PROPERTY.match(term):
                problem = f"nothing is filtered by “{name}”; there are {', '.join(_PROPERTIES)}"
            else:
                words.append(term.lower())
        elif not values:
            problem = f"{name.lower()}: needs a value, as in {_example(name.lower())}"
        elif name.lower() == "verdict":
            approved = approved or APPROVED in values
            found, unknown = _verdicts([each for each in values if each != APPROVED])
            verdicts |= found
            there = ", ".join((*Verdict, FINDING, APPROVED))
            problem = f"no verdict is called “{unknown}”; there are {there}" if unknown else problem
        elif name.lower() == "change":
            moves |= {MOVES[each] for each in values if each in MOVES}
            problem = problem if set(values) <= set(MOVES) else "change: is in or out"
        elif name.lower() == "is":
            waiting = waiting or "waiting" in values
            problem = problem if set(values) <= set(_STATES) else f"is: there is {', '.join(_STATES)}"
        elif name.lower() == "problem":
            problems.extend(values)
        elif name.lower() == "platform":
            platforms.extend(values)
        else:
            keys.extend(each.upper() for each in values)
    return Filter(
        words=tuple(words),
        verdicts=frozenset(verdicts),
        platforms=tuple(platforms),
        keys=tuple(keys),
        moves=frozenset(moves),
        problems=tuple(problems),
        approved=approved,
        waiting=waiting,
        problem=problem,
    )


def what_there_is(chosen: Filter, providers: Iterable[ProviderReview]) -> str:
    """Which value of a filter nothing here has, and what there is instead; empty where each is found or may come."""
    everything = tuple(providers)
    if any(each.waiting for each in everything):
        return ""
    parts = (chosen, *chosen.excluded)
    for name, wanted, known in (
        ("platform", [each for part in parts for each in part.platforms], _platforms),
        ("key", [each for part in parts for each in part.keys], _signers),
        ("problem", [each for part in parts for each in part.problems], _problem_codes),
    ):
        there = list(dict.fromkeys(each for provider in everything for each in known(provider))) if wanted else []
        names = "\n".join(f"{each}\n{_named(each) if name == 'problem' else ''}" for each in there)
        lacking = next((each for each in wanted if each not in names), "")
        if lacking:
            shown = ", ".join(sorted(there)[:_SHOWN]) + (
                f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else ""
            )
            return f"no {name} here has “{lacking}”; there {f'are {shown}' if there else 'is none'}"
    return ""


def _platforms(provider: ProviderReview) -> Iterator[str]:
    return (str(platform) for row in provider.rows for platform in row.platforms)


def _signers(provider: ProviderReview) -> Iterator[str]:
    for row in provider.rows:
        yield from row.disposition.signed_by_gpg_key_ids
        yield from row.disposition.signed_by_fingerprints


def _problem_codes(provider: ProviderReview) -> Iterator[str]:
    return (each.code for each in provider.problems if each.severity is not Severity.NOTE)


def _named(code: str) -> str:
    return meaning_of(ProblemCode(code)).name.lower().replace(" ", "-")


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
    return _lets_through(chosen, provider, row) and not any(
        _lets_through(each, provider, row) for each in chosen.excluded
    )


def _lets_through(chosen: Filter, provider: ProviderReview, row: HashRow) -> bool:
    if (chosen.verdicts or chosen.approved) and (provider.waiting or not _of_verdict(chosen, row)):
        return False
    if (chosen.moves and row.moved not in chosen.moves) or not _has_what_is_of_all(chosen, provider):
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


def _has_what_is_of_all(chosen: Filter, provider: ProviderReview) -> bool:
    """Whether the provider as a whole has what the filter asks of it: that it waits, or has a problem."""
    if chosen.waiting and not provider.waiting:
        return False
    if not chosen.problems:
        return True
    codes = set(_problem_codes(provider))
    names = "\n".join((*codes, *map(_named, codes)))
    return any(wanted in names for wanted in chosen.problems)


def matches_provider(chosen: Filter, provider: ProviderReview) -> bool:
    """Whether the provider is listed: it has a row that is shown, or every word is in its own name."""
    if not _has_what_is_of_all(chosen, provider):
        return False
    if any(matches_row(chosen, provider, row) for row in provider.rows):
        return True
    return _named_by(chosen, provider) and not any(_named_by(each, provider) for each in chosen.excluded)


def _named_by(chosen: Filter, provider: ProviderReview) -> bool:
    """Whether a filter lets a provider through by itself, whatever its hashes are."""
    name = f"{provider.address} {provider.entry.version}".lower()
    return not chosen.by_hash and _has_what_is_of_all(chosen, provider) and all(word in name for word in chosen.words)
