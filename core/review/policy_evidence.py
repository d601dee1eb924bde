"""What an audit saw of one locked entry, as far as a policy can be made of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

import msgspec
from msgspec import Struct

from lockwarden.core.evidence.observations import ComputedLocally, SignedBy
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.disowned import is_disowned
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.key_use import why_no_key
from lockwarden.core.review.requirements import unsigned_hashes
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

_NONE: Mapping[str, frozenset[Platform]] = MappingProxyType({})


class SeenEntry(Struct, frozen=True, kw_only=True):
    """One locked entry and what can be said of its signatures."""

    entry: LockedProvider
    signers: frozenset[str] = frozenset()
    """Fingerprints of the keys with a signature that counts over what is locked; none while there is a doubt."""
    covered: bool = False
    """Every locked hash that anything confirms is covered by such a signature."""
    doubt: str = ""
    """Why no key can be named for it; a part of a sentence."""
    platforms: Mapping[str, frozenset[Platform]] = msgspec.field(default_factory=lambda: _NONE)
    """By scheme, the platforms that confirmed locked hashes stand for."""


def seen_entry(entry: LockedProvider, audit: Audit | None) -> SeenEntry:
    """What an audit of the locked version saw of the entry; None when there was none."""
    if audit is None:
        return SeenEntry(entry=entry, doubt="it was not audited")
    evidence = Evidence(audit)
    signers = frozenset(signer for hash_ in entry.hash_set for signer in _signers(hash_, evidence))
    doubt = _doubt(entry, evidence, signers)
    return SeenEntry(
        entry=entry,
        signers=frozenset() if doubt else signers,
        covered=not doubt and not unsigned_hashes(entry, evidence),
        doubt=doubt,
        platforms=_platforms(entry, evidence),
    )


def _signers(hash_: Hash, evidence: Evidence) -> Iterator[str]:
    """Who signed the hash, or the archive that it was computed from."""
    for seen in evidence.observations(hash_):
        match seen:
            case SignedBy() if seen.vouches:
                yield seen.fingerprint
            case ComputedLocally(package_zh=Hash() as archive) if evidence.counts(hash_, seen):
                signatures = evidence.observations(archive)
                yield from (each.fingerprint for each in signatures if isinstance(each, SignedBy) and each.vouches)
            case _:
                pass


def _doubt(entry: LockedProvider, evidence: Evidence, signers: frozenset[str]) -> str:
    signing = {
        each.fingerprint
        for seen in evidence.audit.observations.values()
        for each in seen
        if isinstance(each, SignedBy) and each.vouches
    }
    if not signing:
        origin = evidence.origin
        return why_no_key(origin) if origin is not None else "its origin registry is not among the sources"
    names = " and ".join(fingerprint_groups(each) for each in sorted(signing))
    disowned = sum(is_disowned(hash_, evidence) for hash_ in entry.hash_set)
    if disowned:
        return f"signed by {names}, but {disowned} of the locked hashes are not in what is signed"
    return "" if signers else f"signed by {names}, but no locked hash is known to be covered by it"


def _platforms(entry: LockedProvider, evidence: Evidence) -> Mapping[str, frozenset[Platform]]:
    found: defaultdict[str, frozenset[Platform]] = defaultdict(frozenset)
    for hash_ in entry.hash_set:
        if evidence.confirms(hash_):
            found[hash_.scheme] |= evidence.platforms_of(hash_)
    return MappingProxyType(dict(found))
