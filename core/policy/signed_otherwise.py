"""Signatures beside GPG's under the policy: whose they are, and whether a rule names that signer for the provider.

Only the policy brings keys for them. What it says adds to what counts and takes nothing away: neither GPG's word nor
any other source's changes by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Observation, OtherSignature
from lockwarden.core.evidence.seen_signatures import MaterialKind, SeenSignature
from lockwarden.core.evidence.source_answers import Audit, SourceAnswer
from lockwarden.core.policy.model import OtherKey, Policy, TrustedIdentity
from lockwarden.core.values.public_keys import spki_of
from lockwarden.core.values.signature_schemes import EvidenceState


class OtherRules(Struct, frozen=True, kw_only=True):
    """What one policy says of other signers, for one provider version."""

    keys: tuple[OtherKey, ...]
    """Those that count for the provider."""
    identities: tuple[TrustedIdentity, ...]
    known_keys: tuple[OtherKey, ...]
    """All of the policy, whatever providers they are for: a key that is known is told from one that is not."""
    version: str
    now: datetime

    @property
    def names_somebody(self) -> bool:
        """Whether a rule names a signer for the provider, so that it matters what is signed."""
        return bool(self.keys or self.identities)

    @classmethod
    def of(cls, policy: Policy, audit: Audit, now: datetime) -> OtherRules:
        """The rules for the provider of an audit."""
        return cls(
            keys=policy.other_keys_for(audit.address),
            identities=policy.identities_for(audit.address),
            known_keys=tuple(key for each in policy.each for key in each.other_keys),
            version=str(audit.version),
            now=now,
        )


def under_rules(answer: SourceAnswer, rules: OtherRules) -> SourceAnswer:
    """The answer with its other signatures judged by the policy's keys and identities."""
    if not answer.other_signatures and not any(isinstance(seen, OtherSignature) for _, seen in answer.observations):
        return answer
    known: dict[int, SeenSignature] = {}

    def judge(seen: SeenSignature) -> SeenSignature:
        # One signature stands with every hash that it covers, as one and the same value.
        if id(seen) not in known:
            known[id(seen)] = judged(seen, rules)
        return known[id(seen)]

    def about(observation: Observation) -> Observation:
        if isinstance(observation, OtherSignature):
            return replace(observation, signature=judge(observation.signature))
        return observation

    return replace(
        answer,
        observations=tuple((hash_, about(seen)) for hash_, seen in answer.observations),
        other_signatures=tuple(map(judge, answer.other_signatures)),
    )


def judged(seen: SeenSignature, rules: OtherRules) -> SeenSignature:
    """One signature with its signer, and with the rule of the policy that lets it count.

    Where it is good and no rule names the signer for the provider, the signer is told and the signature counts nothing.
    """
    seen, material = replace(seen, rule=""), seen.material  # which rule it is, nobody but the policy says
    if seen.state is EvidenceState.NO_KNOWN_KEY and material is not None:
        if material.kind is MaterialKind.IDENTITY_BUNDLE:
            from lockwarden.core.oci_signatures.by_identity import claiming
            from lockwarden.core.policy.signing_identities import by_identities

            return by_identities(claiming(seen, material), material, rules.identities, rules.version)
        keys = [each.public_key for each in rules.known_keys if each.scheme is seen.scheme and each.public_key]
        from lockwarden.core.oci_signatures.by_keys import by_keys

        seen = by_keys(seen, material, map(spki_of, keys))
    return _named(seen, rules) if seen.state is EvidenceState.GOOD else seen


def _named(seen: SeenSignature, rules: OtherRules) -> SeenSignature:
    """A good signature of a key: whether a rule names the key, and whether its time is over."""
    named = [each for each in rules.keys if (each.scheme, each.fingerprint) == (seen.scheme, seen.signer.fingerprint)]
    in_time = [each for each in named if _holds(each, seen, rules.now)]
    if in_time:
        return replace(seen, rule=str(in_time[0].rule))
    if named:
        return replace(seen, state=EvidenceState.KEY_EXPIRED, detail=_ended(named, seen))
    return seen


def _holds(key: OtherKey, seen: SeenSignature, now: datetime) -> bool:
    return key.not_after is None or (seen.signed_at or now) <= key.not_after


def _ended(named: Sequence[OtherKey], seen: SeenSignature) -> str:
    last = max(each.not_after for each in named if each.not_after is not None)
    proven = f"signed {seen.signed_at:%Y-%m-%d}" if seen.signed_at else "no time is proven for the signature"
    return f"{named[0].rule} lets it sign until {last:%Y-%m-%d}, and {proven}"
