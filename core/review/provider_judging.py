"""Judges one entry of a lock file by its audit and by every policy that counts for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.contradictions import contradictions
from lockwarden.core.review.locked_elsewhere import LockedElsewhere, another_versions, settled
from lockwarden.core.review.moves import moved_problems
from lockwarden.core.review.near_names import foreign_letters
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.requirements import entry_problems, place_problems
from lockwarden.core.review.rows import first_lines, held_against, rows_of, waiting_rows
from lockwarden.core.review.standards import NO_STANDARDS, Standards, evidence_under
from lockwarden.core.review.strictest import strictest
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_LETTERS: Final = "read it letter by letter: letters of other alphabets can look like those that you expect"


def review_provider(
    entry: LockedProvider,
    audit: Audit | None,
    *,
    settings: ClientSettings,
    platforms: frozenset[Platform],
    standards: Standards = NO_STANDARDS,
) -> ProviderReview:
    """Judge one entry by its audit; with None, lay out what is locked and say that nothing is known yet.

    Of several policies that count, the strictest outcome stands.
    """
    judged = strictest(
        tuple(_judged(entry, audit, settings=settings, platforms=platforms, standards=each) for each in standards.each)
    )
    if standards.proposed is None:
        return judged
    beside = review_provider(entry, audit, settings=settings, platforms=platforms, standards=standards.proposed)
    return replace(judged, proposed=beside)


def _judged(
    entry: LockedProvider,
    audit: Audit | None,
    *,
    settings: ClientSettings,
    platforms: frozenset[Platform],
    standards: Standards,
) -> ProviderReview:
    locked = first_lines(entry)
    requirements = standards.policy.requirements_for(entry.address)
    own = (*_about_the_entry(entry), *place_problems(entry.address, requirements))
    foreign = standards.of_another_version(entry)
    if audit is None:
        changes = standards.changes(entry, None)
        rows = waiting_rows(locked)
        problems = (*_other_versions(entry, foreign), *(each.problem for each in changes), *own)
        alarmed = False
    else:
        applied_policy = standards.applied_policy(audit)
        audit = applied_policy.before_policy
        evidence = evidence_under(applied_policy, platforms)
        foreign = {hash_: where for hash_, where in foreign.items() if not evidence.confirms(hash_)}
        changes = standards.changes(entry, evidence)
        found = recorded(applied_policy.audit, settings=settings, platforms=platforms)
        rows = rows_of(locked, evidence, found, standards.removed(entry))
        foreign = settled(foreign, {row.hash for row in rows if row.verdict.is_finding})
        required = entry_problems(
            entry,
            evidence,
            requirements,
            approved=lambda hash_: standards.approval(entry, hash_, evidence.platforms_of(hash_)),
        )
        told = (problem for answer in audit.source_answers for problem in answer.problems)
        problems = (
            *applied_policy.problems,
            *_other_versions(entry, foreign),
            *(each.problem for each in changes),
            *own,
            *required,
            *audit.problems,
            *contradictions(evidence),
            *told,
        )
        alarmed = applied_policy.alarmed
    rows = held_against(rows, entry, standards, foreign)
    counts = MappingProxyType(dict(Counter(row.verdict for row in rows)))
    return ProviderReview(
        entry=entry, audit=audit, rows=rows, problems=problems, counts=counts, changes=changes, alarmed=alarmed
    )


def _other_versions(entry: LockedProvider, foreign: Mapping[Hash, LockedElsewhere]) -> Iterator[Problem]:
    problem = another_versions(entry, foreign)
    if problem is not None:
        yield problem


def _about_the_entry(entry: LockedProvider) -> Iterator[Problem]:
    """What no source has to be asked for."""
    host = entry.address.hostname
    if host.international:
        yield Problem(
            code=ProblemCode.INTERNATIONAL_HOST,
            severity=Severity.NOTE,
            message=f"the host {host.display} is {host.ascii}: {'; '.join(foreign_letters(host.display))}",
            hint=_LETTERS,
        )
    name = f"{entry.address.namespace}/{entry.address.type}"
    if foreign := foreign_letters(name):
        yield Problem(
            code=ProblemCode.INTERNATIONAL_NAME,
            severity=Severity.NOTE,
            message=f"the name {name} has letters beyond ASCII: {'; '.join(foreign)}",
            hint=_LETTERS,
        )
    yield from moved_problems(entry)
    if entry.moved_from is not None:
        return
    if not entry.protects:
        yield Problem(
            code=ProblemCode.ACCEPTS_ANY_PACKAGE,
            severity=Severity.ERROR,
            message=f"the entry for {entry.address} has no hash of a scheme that the clients know, so every client"
            " accepts any package for it",
            hint="add its hashes, or remove the entry when nothing needs the provider",
        )
    elif not any(each.usable for each in entry.hash_set):
        yield Problem(
            code=ProblemCode.REFUSES_EVERY_ARCHIVE,
            severity=Severity.ERROR,
            message=f"no hash of the entry for {entry.address} can ever match, so every client refuses every archive",
            hint="put the right hashes in their place: “lockwarden lock” adds what the sources can vouch for",
        )
