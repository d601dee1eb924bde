"""What writing the decisions would cause, said before it is done. Pure.

Each changed entry is judged as it would be written, by the same rules as what is locked now; what is worse then is a
warning. Some of it takes away what packages are checked by: that needs a second, named confirmation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.coverage.matrix import CoverageMatrix, named_platforms
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome, Installability
from lockwarden.core.evidence.observations import OtherSignature
from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.lockfile.model import LockedHash, LockedProvider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import NOT_A_PACKAGE, HashRow
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_WORKS: Final = frozenset({Installability.WORKS, Installability.NEEDS_WRITING, Installability.ANYTHING})
_LIKELY: Final = frozenset({CoverageOutcome.ACCEPTED, CoverageOutcome.ACCEPTS_ANYTHING})
_NAMING: Final = frozenset({ProblemCode.SCHEME_REQUIRED, ProblemCode.PLATFORM_REQUIRED, ProblemCode.PLATFORM_UNCHECKED})
"""Each such message names one thing that is missing, and no number that a change would make another one."""
_TOLD_ALREADY: Final = frozenset({ProblemCode.ACCEPTS_ANY_PACKAGE, ProblemCode.CHANGE_PROTECTION_REMOVED})
"""What an entry without protection has beside the warning that says so."""


class Consequence(StrEnum):
    """What a write causes, the worst first."""

    NO_PROTECTION = "no protection"
    ONLY_UNVOUCHED = "only unvouched"
    INIT_FAILS = "init fails"
    RULE_BROKEN = "rule broken"
    NOT_AUDITED = "not audited"
    SIGNED_OTHERWISE = "signed otherwise"
    """Nothing bad: the key behind what is added, for the eyes of whoever confirms."""


class WriteWarning(Struct, frozen=True, kw_only=True):
    """One thing that writing would cause at one provider."""

    consequence: Consequence
    provider: ProviderAddress
    text: str
    """A sentence without a full stop, to be read behind the provider's name. It may hold text from outside."""

    @property
    def strips(self) -> bool:
        """Whether it takes away what packages are checked by: decisions that do it need a confirmation of its own."""
        return self.consequence in {Consequence.NO_PROTECTION, Consequence.ONLY_UNVOUCHED}


def write_warnings(review: Review) -> tuple[WriteWarning, ...]:
    """What writing the decisions would cause, the worst first, each kind in the order of the lock file."""
    changed = (each for each in review.providers if review.change(each) is not None)
    return _sorted(review, ((each, entry_as_decided(review, each)) for each in changed))


def warnings_of_going_back(review: Review, entries: Iterable[LockedProvider]) -> tuple[WriteWarning, ...]:
    """What it would cause to write again what stood there before: entries of the same releases with other hashes.

    They are told, the worst first, above the difference that is confirmed, and none of them is asked about once more. A
    second question is for protection that is there to be lost. Here a person takes back what they alone have put there,
    nothing was written in between, and the review has judged what comes back: to ask twice would be to cry wolf, and a
    question that is answered by habit guards nothing where it matters.
    """
    before = {(each.address, each.version): each for each in entries}
    found = ((each, before.get((each.address, each.entry.version))) for each in review.providers)
    changed = ((each, entry) for each, entry in found if entry is not None and entry.hash_set != each.entry.hash_set)
    return _sorted(review, changed)


def _sorted(review: Review, changed: Iterable[tuple[ProviderReview, LockedProvider]]) -> tuple[WriteWarning, ...]:
    order = list(Consequence)
    found = [
        WriteWarning(consequence=consequence, provider=provider.address, text=text)
        for provider, after in changed
        for consequence, text in _of(review, provider, after)
    ]
    return tuple(sorted(found, key=lambda each: order.index(each.consequence)))


def stripped(warnings: tuple[WriteWarning, ...]) -> tuple[ProviderAddress, ...]:
    """The providers that a write would take the protection of."""
    return tuple(dict.fromkeys(each.provider for each in warnings if each.strips))


def _of(review: Review, provider: ProviderReview, after: LockedProvider) -> Iterator[tuple[Consequence, str]]:
    bare = provider.entry.protects and not after.protects
    if bare:
        yield Consequence.NO_PROTECTION, "no usable hash is left, so every client accepts any package for it"
    audit = provider.audit
    if audit is None:
        yield Consequence.NOT_AUDITED, "its audit has not ended, so what this causes is not known"
        return
    change = review.change(provider)
    for told in signed_additions(provider, change.add if change is not None else ()):
        yield Consequence.SIGNED_OTHERWISE, told
    was, now = review.judged(provider, provider.entry), review.judged(provider, after)
    left = sum(1 for _ in _of_packages(now))
    if after.protects and left and _vouched(was) and not _vouched(now):
        yield Consequence.ONLY_UNVOUCHED, f"nobody vouches for what is left ({counted(left, 'hash', 'hashes')})"
    yield from _failing(matrix_by(review, audit, provider.entry), matrix_by(review, audit, after))
    for problem in _worse(was, now):
        if not (bare and problem.code in _TOLD_ALREADY):
            yield Consequence.RULE_BROKEN, problem.message


def _vouched(provider: ProviderReview) -> int:
    """How many locked hashes of packages somebody vouches for: a source, or a person by a record that counts."""
    return sum(
        row.verdict is Verdict.CONFIRMED or (row.verdict.is_finding and not row.objects)
        for row in _of_packages(provider)
    )


def _of_packages(provider: ProviderReview) -> Iterator[HashRow]:
    """The locked hashes without those of manifests and the like, which are signed as well and let no package in."""
    return (row for row in provider.rows if row.locked and row.label != NOT_A_PACKAGE)


def _worse(was: ProviderReview, now: ProviderReview) -> Iterator[Problem]:
    """Errors, and requirements that are open, which the entry has as decided and has not as it is locked."""
    codes, messages = ({each.code for each in was.problems}, {each.message for each in was.problems})
    for each in now.problems:
        counts = each.severity is Severity.ERROR or each.code is ProblemCode.PLATFORM_UNCHECKED
        if counts and each.message not in messages and (each.code in _NAMING or each.code not in codes):
            yield each


def _failing(before: CoverageMatrix, after: CoverageMatrix) -> Iterator[tuple[Consequence, str]]:
    """Where `init` worked, and would not any more; then where it may be so, by what the sources name."""
    certain: dict[Platform, list[str]] = {}
    likely: dict[Platform, list[str]] = {}
    chains = {each.platform: each.standing for each in after.chain}
    for was in before.chain:
        if was.standing in _WORKS and chains[was.platform] is Installability.FAILS:
            certain[was.platform] = []
    for place, cell in after.cells.items():
        # What the methods of a chain come to together counts; each by itself only where that is not known.
        if chains.get(cell.platform, Installability.OPEN) is Installability.OPEN and _works(before.cells[place]):
            if cell.standing is Installability.FAILS:
                certain.setdefault(cell.platform, []).append(cell.source)
            elif cell.standing is Installability.OPEN and cell.expected not in _LIKELY:
                likely.setdefault(cell.platform, []).append(cell.source)
    if certain:
        yield Consequence.INIT_FAILS, f"init would fail on {_places(certain)}, where it works now"
    if likely:
        told = f"init may fail on {_places(likely)}: nothing that is named there would be locked any more"
        yield Consequence.INIT_FAILS, told


def _works(cell: Coverage) -> bool:
    return cell.standing in _WORKS or (cell.standing is Installability.OPEN and cell.expected in _LIKELY)


def _places(found: Mapping[Platform, list[str]]) -> str:
    """Every platform, with the sources where they are not one chain; platforms with the same sources together."""
    by_sources: dict[tuple[str, ...], list[str]] = {}
    for platform in sorted(found, key=by_popularity):
        by_sources.setdefault(tuple(found[platform]), []).append(str(platform))
    return "; ".join(
        f"{', '.join(platforms)} from {' and '.join(sources)}" if sources else ", ".join(platforms)
        for sources, platforms in by_sources.items()
    )


def signed_additions(provider: ProviderReview, added: Collection[Hash]) -> Iterator[str]:
    """A sentence a signer, without a full stop. Whether it is the right key, only whoever reads it can tell."""
    signed: defaultdict[str, list[HashRow]] = defaultdict(list)
    for row in provider.rows:
        for who in dict.fromkeys(_signers(row)) if row.hash in added else ():
            signed[who].append(row)
    for who, rows in signed.items():
        beyond = sum(row.beyond_the_client for row in rows)
        alone = f", {beyond} of which no client would record by itself" if beyond else ""
        yield f"{counted(len(rows), 'hash', 'hashes')} signed by {who}{alone}"


def _signers(row: HashRow) -> Iterator[str]:
    for seen in row.observations:
        if isinstance(seen, OtherSignature) and seen.vouches:
            signature = seen.signature
            yield f"{signature.signer.name} ({signature.scheme}), whom {signature.rule} names"


def entry_as_decided(review: Review, provider: ProviderReview) -> LockedProvider:
    """The entry with the decisions made; the same value where they change nothing. What comes in has no line yet."""
    change = review.change(provider)
    if change is None:
        return provider.entry
    kept = tuple(each for each in provider.entry.hashes if each.hash not in change.drop)
    added = tuple(LockedHash(hash=each, line=provider.entry.line) for each in sorted(change.add))
    return replace(provider.entry, hashes=(*kept, *added))


def matrix_of(review: Review, provider: ProviderReview, entry: LockedProvider) -> CoverageMatrix | None:
    """Where a client installs with this entry by the provider's audit; None before that has ended."""
    return None if provider.audit is None else matrix_by(review, provider.audit, entry)


def matrix_by(review: Review, audit: Audit, entry: LockedProvider) -> CoverageMatrix:
    """The same by an audit: what was asked for and every platform that a source names."""
    platforms = named_platforms(audit, review.platforms)
    return CoverageMatrix.of(entry, audit, settings=review.settings, platforms=platforms)
