"""Hashes that stand in one provider's entry and are another's: told where the run knows them as that one's packages.

It changes no verdict. Who only locks a hash proves nothing of whose it is, so that only those count here whose own
sources stand behind it, and of them only packages: a manifest may be the same in releases of many providers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

_NAMED: Final = 2
"""Releases that are named, where several have the same package."""
_ADVICE: Final = Reason(
    tone=Tone.ADVICE, text="drop it: a client would accept the other provider's package in place of this one's"
)
_Owner = tuple[ProviderAddress, Version]


def with_other_providers(reviews: Iterable[Review]) -> tuple[Review, ...]:
    """The reviews of one run, whose findings say of which other provider's release they are. Doing it twice is once."""
    given = tuple(reviews)
    asked = {row.hash for review in given for each in review.providers for row in _findings(each)}
    if not asked:
        return given
    owners = _owners(given, asked)
    return tuple(_of_review(review, owners) for review in given) if owners else given


def _of_review(review: Review, owners: Mapping[Hash, frozenset[_Owner]]) -> Review:
    providers = tuple(_told(each, owners) for each in review.providers)
    kept = all(told is each for told, each in zip(providers, review.providers, strict=True))
    return review if kept else replace(review, providers=providers)


def _findings(provider: ProviderReview) -> Iterable[HashRow]:
    return (row for row in provider.rows if row.verdict.is_finding and row.hash.usable)


def _owners(reviews: Iterable[Review], asked: set[Hash]) -> Mapping[Hash, frozenset[_Owner]]:
    """The releases of which some review has such a hash as a package that counts."""
    found: defaultdict[Hash, set[_Owner]] = defaultdict(set)
    for review in reviews:
        for each in review.providers:
            for row in each.rows:
                if row.hash in asked and row.platforms and row.verdict in {Verdict.CONFIRMED, Verdict.NEW}:
                    found[row.hash].add((each.address, each.entry.version))
    return {hash_: frozenset(owners) for hash_, owners in found.items()}


def _told(provider: ProviderReview, owners: Mapping[Hash, frozenset[_Owner]]) -> ProviderReview:
    whose = {
        row.hash: others
        for row in _findings(provider)
        if (others := [each for each in owners.get(row.hash, ()) if each[0] != provider.address])
    }
    if not whose:
        return provider
    rows = tuple(_with_owners(row, whose[row.hash]) if row.hash in whose else row for row in provider.rows)
    return provider if rows == provider.rows else replace(provider, rows=rows)


def _with_owners(row: HashRow, owners: Iterable[_Owner]) -> HashRow:
    text = f"belongs to {_named(owners)}, whose own sources have it"
    if any(each.text == text for each in row.reasons):
        return row
    if not row.objects:
        return replace(row, reasons=(*row.reasons, Reason(tone=Tone.NOTE, text=text)))
    kept = tuple(each for each in row.reasons if each.tone is not Tone.ADVICE)
    return replace(row, reasons=(Reason(tone=Tone.AGAINST, text=text), *kept, _ADVICE))


def _named(owners: Iterable[_Owner]) -> str:
    first = [f"{address} {version}" for address, version in sorted(owners, key=_order)]
    more = len(first) - _NAMED
    return " and to ".join([*first[:_NAMED], *([f"{more} more"] if more > 0 else [])])


def _order(owner: _Owner) -> tuple[tuple[str, str, str], Version]:
    return owner[0].sort_key, owner[1]
