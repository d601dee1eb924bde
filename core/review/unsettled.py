"""Packages that could still vouch for a hash: of which platforms, and why they have not."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.evidence.observations import ComputedLocally, ReportedByRegistry, SignedBy
from lockwarden.core.evidence.source_answers import Audit, Outcome, PackageFacts, SourceAnswer
from lockwarden.core.values.hashes import ZH
from lockwarden.core.values.platforms import Platform, by_popularity


def open_at_mirror(answer: SourceAnswer) -> Iterator[str]:
    """What is open at a mirror; sentences. Nothing is at one that answered that it does not have the release."""
    if answer.outcome in {Outcome.NO_ANSWER, Outcome.NOT_ASKED}:
        yield not_heard(answer.source.id, answer)
    elif answer.outcome is Outcome.ANSWERED:
        yield from unsettled(answer)


def not_heard(name: str, answer: SourceAnswer) -> str:
    """That a source was not asked, or did not answer, and why; a sentence."""
    what = "was not asked" if answer.outcome is Outcome.NOT_ASKED else "did not answer"
    return f"{name} {what}: {answer.detail}" if answer.detail else f"{name} {what}"


def unsettled(answer: SourceAnswer, hopeless: frozenset[Platform] = frozenset()) -> Iterator[str]:
    """Why the open packages are open; sentences."""
    if answer.platforms is None:
        yield f"{answer.source.id} does not say which platforms the release has"
    for platform, package in open_packages(answer, hopeless):
        if package is None or package.outcome is Outcome.NOT_ASKED:
            yield f"the package of {platform} was not downloaded"
        elif package.outcome is Outcome.ANSWERED:
            yield f"the package of {platform} cannot be used: {package.detail or package.client_refusal}"
        else:
            yield f"the package of {platform} could not be had: {package.detail}"


def open_packages(
    answer: SourceAnswer, hopeless: frozenset[Platform] = frozenset()
) -> tuple[tuple[Platform, PackageFacts | None], ...]:
    """Platforms of the release whose package was not hashed, nor is absent or `hopeless`; the likeliest first.

    The answer that a package is not there settles nothing where a list names it: it also hides what one may not see.
    """
    settled = hopeless | answer.absent
    settled |= {
        observation.platform
        for _, observation in answer.observations
        if isinstance(observation, ComputedLocally) and observation.vouches
    }
    left = sorted((answer.platforms or frozenset()) - settled, key=by_popularity)
    return tuple((platform, answer.package(platform)) for platform in left)


def hopeless(audit: Audit) -> frozenset[Platform]:
    """Platforms whose archives the origin names without any signature that counts over one of them.

    Where only signatures of pinned keys count, no download makes such a package vouch for anything.
    """
    named: set[Platform] = set()
    signed: set[Platform] = set()
    for hash_, seen in audit.observations.items():
        if hash_.scheme != ZH:
            continue
        by_origin = [each for each in seen if isinstance(each, SignedBy | ReportedByRegistry)]
        platforms = {each.platform for each in by_origin if each.platform is not None}
        named |= platforms
        if any(isinstance(each, SignedBy) and each.vouches for each in by_origin):
            signed |= platforms
    return frozenset(named - signed)
