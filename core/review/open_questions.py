"""What could still vouch for a hash: what was not asked or did not answer, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from lockwarden.core.evidence.observations import Basis
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, SourceAnswer
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.unsettled import hopeless, not_heard, open_at_mirror, open_packages, unsettled
from lockwarden.core.values.hashes import H1, ZH, Hash
from lockwarden.core.values.platforms import Platform

_NAMED: Final = 3
"""Platforms that are named, where more are meant by “every”."""


def open_questions(hash_: Hash, evidence: Evidence) -> tuple[str, ...]:
    """What could still vouch for the hash but was not asked or did not answer; sentences, likeliest first."""
    return tuple(_open_questions(hash_, evidence))


def _open_questions(hash_: Hash, evidence: Evidence) -> Iterator[str]:
    yield from evidence.open_at_mirrors
    origin = evidence.origin
    if origin is None:
        if not evidence.mirror_answered:
            yield f"the origin registry {evidence.origin_name} is not among the sources"
        return
    match origin.outcome:
        case Outcome.NO_ANSWER | Outcome.NOT_ASKED:
            yield not_heard(evidence.origin_name, origin)
        case Outcome.NOT_THERE:
            for answer in _others(evidence):
                yield from open_at_mirror(answer)
            if hash_.scheme == ZH:
                yield from _without_archive(evidence)
            if _nobody_has_it(evidence):
                yield f"no package of {evidence.release} was there to be hashed: {origin.detail}"
            elif evidence.may_be_hidden:
                yield f"{evidence.origin_name} does not show which packages {evidence.release} has: {origin.detail}"
        case Outcome.ANSWERED if hash_.scheme == ZH:
            yield from _open_in_list(evidence)
        case Outcome.ANSWERED:
            yield from unsettled(evidence.before_policy.origin or origin, _beyond_hope(evidence))
        case _:
            assert_never(origin.outcome)


def _open_in_list(evidence: Evidence) -> Iterator[str]:
    if evidence.zh_list is None:
        yield f"the list of zh hashes of {evidence.origin_name} cannot be used"
    elif not evidence.zh_list.complete:
        yield f"the lists of {evidence.origin_name} do not cover every platform of the release"


def _without_archive(evidence: Evidence) -> Iterator[str]:
    """Packages that lie unpacked at the mirrors that count: whatever the `zh` of their archives is, nobody can say."""
    for answer in (*evidence.vouching_mirrors, *_others(evidence)):
        for package in answer.packages:
            if package.outcome is Outcome.ANSWERED and package.basis is Basis.DIRECTORY:
                yield f"{answer.source.id} has the package of {package.platform} unpacked, and a folder has no zh"


def _beyond_hope(evidence: Evidence) -> frozenset[Platform]:
    """Platforms whose package is no open question, since nothing that counts could come of it."""
    return hopeless(evidence.audit) if evidence.trusted_keys else frozenset()


def _nobody_has_it(evidence: Evidence) -> str:
    """What may help where the origin says that it does not have the release and no source has; else empty.

    Then no package was hashed, and only one that was says anything about an `h1`.
    """
    if evidence.origin is None or evidence.origin.outcome is not Outcome.NOT_THERE:
        return ""
    if any(answer.outcome is Outcome.ANSWERED for answer in evidence.audit.source_answers):
        return ""
    return evidence.origin.hint or "check the address and the version"


def _open_packages(evidence: Evidence) -> tuple[tuple[Platform, PackageFacts | None], ...]:
    """The packages of whoever decides that are open, the likeliest first; None for one that was not asked for."""
    # What the policy refuses was downloaded all the same, so it is no open question.
    origin = evidence.before_policy.origin if evidence.origin_answered else None
    deciding = (evidence.vouching_mirrors[:1] or _others(evidence)) if origin is None else (origin,)
    beyond = _beyond_hope(evidence)
    return tuple(found for each in deciding for found in open_packages(each, beyond))


def _silent(evidence: Evidence) -> tuple[SourceAnswer, ...]:
    """Those who could vouch and were not asked or did not answer."""
    origin = () if evidence.origin is None else (evidence.origin,)
    could = (*evidence.vouching_mirrors, *origin, *_others(evidence))
    return tuple(answer for answer in could if answer.outcome in {Outcome.NO_ANSWER, Outcome.NOT_ASKED})


def _others(evidence: Evidence) -> tuple[SourceAnswer, ...]:
    """What the other mirrors said, where it counts by itself because the origin does not know the release.

    With pinned keys a package needs their signature, and the origin has none to show.
    """
    alone = evidence.origin is not None and not evidence.decided and not evidence.trusted_keys
    return tuple(answer for answer in evidence.audit.source_answers if alone and not answer.source.is_origin)


def what_settles(hash_: Hash, evidence: Evidence) -> str:
    """What an operator can do about what is open for a hash; advice."""
    if evidence.unasked_mirrors:
        return "add the mirror that the policy trusts to the sources"
    if silent := _silent(evidence):
        return _hints(silent) or "ask again when the source answers"
    if evidence.origin is None and not evidence.mirror_answered:
        return f"add the source “direct”, so that {evidence.origin_name} is asked"
    if nobody := _nobody_has_it(evidence):
        return f"a source that has the release would settle it; {nobody}"
    if hash_.scheme != H1 and evidence.origin_answered and not evidence.mirror_answered:
        return _for_the_list(evidence)
    claimed = {o.platform for o in evidence.observations(hash_) if o.platform is not None}
    left = _open_packages(evidence)
    likely = tuple(each for each in left if each[0] in claimed) or left
    unseen = [platform for platform, package in likely if package is None or package.outcome is Outcome.NOT_ASKED]
    if not likely and evidence.may_be_hidden and evidence.origin is not None:
        return f"a source that has all of the release would settle it; {evidence.origin.hint or 'check the address'}"
    if not likely and hash_.scheme == ZH and any(_without_archive(evidence)):
        return "a source that has the package as an archive would settle it"
    if unseen or not likely:
        few = unseen and len(unseen) <= _NAMED
        what = f"the package of {' or '.join(map(str, unseen))}" if few else "every platform of the release"
        failed = [package for _, package in likely if package is not None and package.outcome is not Outcome.NOT_ASKED]
        if not failed:
            return f"downloading {what} would settle it"
        return "; ".join((f"downloading {what} may settle it", *filter(None, [_hints(failed)])))
    return _after_failure(tuple(package for _, package in likely if package is not None))


def _hints(answers: Iterable[SourceAnswer | PackageFacts]) -> str:
    return "; ".join(dict.fromkeys(each.hint for each in answers if each.hint))


def _for_the_list(evidence: Evidence) -> str:
    """What settles a hash that only the origin's list of checksums could settle."""
    failed = [package for _, package in _open_packages(evidence) if package is not None]
    if hints := _hints(each for each in failed if each.outcome is not Outcome.ANSWERED):
        return hints
    if evidence.zh_list is None:
        return "the problems of the source tell why its list cannot be used; ask again when that is mended"
    return "ask again when the source answers for every platform"


def _after_failure(failed: tuple[PackageFacts, ...]) -> str:
    """What settles a hash once every package that is open was asked for."""
    if hints := _hints(each for each in failed if each.outcome is not Outcome.ANSWERED):
        return hints
    if any(each.outcome is not Outcome.ANSWERED for each in failed):
        return "ask again when the source gives out the package"
    return "a package that the source's own documents stand behind would settle it; ask who runs the source"
