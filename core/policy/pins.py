"""Pinned keys: what stands behind a hash once the policy names the keys that count for its provider.

A pinned key only narrows: what none of them stands behind is marked as refused, and nothing else changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import (
    ComputedLocally,
    ListShape,
    Observation,
    OtherSignature,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.evidence.source_answers import Audit, HashList, SourceAnswer
from lockwarden.core.policy.model import TrustedKey
from lockwarden.core.values.hashes import H1, Hash
from lockwarden.core.values.platforms import Platform


def signers_by_document(answer: SourceAnswer) -> dict[str, frozenset[str]]:
    """Primary fingerprints of the keys whose signature counts, by the digest of the document that each signed."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for _, seen in answer.observations:
        if isinstance(seen, SignedBy) and seen.vouches:
            found[seen.document.sha256].add(seen.fingerprint)
    return {digest: frozenset(signers) for digest, signers in found.items()}


def documents_read(answer: SourceAnswer) -> bool:
    """Whether some signed document was had at all; without one, a missing signature says nothing."""
    return bool(answer.signatures or answer.lists) or any(
        isinstance(seen, SignedBy) or (isinstance(seen, ReportedByRegistry) and seen.shape is ListShape.SUMS)
        for _, seen in answer.observations
    )


class Pins(Struct, frozen=True, kw_only=True):
    """The keys that are pinned for a provider, and what stands in a list with a good signature of one of them."""

    rules: str
    """How sentences call the rules that name them; empty where no key is pinned."""
    fingerprints: frozenset[str]
    signed: frozenset[Hash]
    platforms: frozenset[Platform]
    """Those of the packages that are signed so."""
    signed_otherwise: frozenset[Hash] = frozenset()
    """Archives with a signature of another scheme that counts by the same policy, as a mirror gives them out."""

    @classmethod
    def of(cls, audit: Audit, keys: tuple[TrustedKey, ...]) -> Self:
        """What `keys` stand behind in an audit."""
        fingerprints = frozenset(each.fingerprint for each in keys)
        signed = [
            (hash_, seen.platform)
            for answer in audit.source_answers
            for hash_, seen in answer.observations
            if isinstance(seen, SignedBy) and seen.vouches and seen.fingerprint in fingerprints
        ]
        return cls(
            rules=_named(keys),
            fingerprints=fingerprints,
            signed=frozenset(hash_ for hash_, _ in signed),
            platforms=frozenset(platform for _, platform in signed if platform is not None),
            signed_otherwise=frozenset(
                hash_
                for answer in audit.source_answers
                if not answer.source.is_origin
                for hash_, seen in answer.observations
                if isinstance(seen, OtherSignature) and seen.vouches
            ),
        )

    def refusal(self, hash_: Hash, seen: Observation, *, by_origin: bool) -> str:
        """Why the observation does not count under the pinned keys; empty when it does.

        What a mirror gives out under another signature that counts is not refused for want of GPG's. The origin's is:
        a signature beside never stands in for one that is gone.
        """
        match seen:
            case SignedBy() if seen.fingerprint not in self.fingerprints:
                return f"{self.rules} does not name this key for the provider"
            case ReportedByRegistry() if hash_.scheme == H1 and seen.platform in self.platforms:
                # An unsigned report is held against the package of its platform, which is a signed one.
                return ""
            case ReportedByRegistry() if hash_ not in self.signed:
                return f"no signature of a key that {self.rules} names covers it"
            case ReportedByTrustedMirror() if hash_ not in self.signed:
                return f"{self.rules} names the keys that count, and not this mirror"
            case ComputedLocally() if not by_origin and seen.package_zh in self.signed_otherwise:
                return ""
            case ComputedLocally() if seen.package_zh is None or seen.package_zh not in self.signed:
                return f"no signature of a key that {self.rules} names covers the package"
            case _:
                return ""


def pinned(answer: SourceAnswer, pins: Pins) -> SourceAnswer:
    """The answer with everything refused that no pinned key stands behind."""

    def judge(hash_: Hash, seen: Observation) -> Observation:
        why = "" if seen.refused else pins.refusal(hash_, seen, by_origin=answer.source.is_origin)
        return replace(seen, refused=why) if why else seen

    signers = signers_by_document(answer)
    return replace(
        answer,
        observations=tuple((hash_, judge(hash_, seen)) for hash_, seen in answer.observations),
        lists=tuple(_list_under(each, pins, signers) for each in answer.lists),
    )


def _list_under(hash_list: HashList, pins: Pins, signers: Mapping[str, frozenset[str]]) -> HashList:
    covered = all(signers.get(each.sha256, frozenset()) & pins.fingerprints for each in hash_list.documents)
    return replace(
        hash_list,
        signers=hash_list.signers & pins.fingerprints,
        authenticated=hash_list.authenticated and bool(hash_list.documents) and covered,
    )


def _named(keys: Iterable[TrustedKey]) -> str:
    rules = list(dict.fromkeys(each.rule for each in keys))
    lines = [str(rule.line) for rule in rules]
    if len(lines) < 2:
        return "".join(map(str, rules))
    return f"{rules[0].path} lines {', '.join(lines[:-1])} and {lines[-1]}"
