"""Identities that a policy names: whole texts are compared, by each rule with its own trusted root."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lockwarden.core.evidence.seen_signatures import SeenSignature, SignatureMaterial
from lockwarden.core.oci_signatures.by_identity import by_identity
from lockwarden.core.policy.model import TrustedIdentity
from lockwarden.core.values.signature_schemes import EvidenceState, Signer


def by_identities(
    seen: SeenSignature, material: SignatureMaterial, rules: Iterable[TrustedIdentity], version: str
) -> SeenSignature:
    """A bundle's signature judged by the rules for its provider; a malformed one stays as it is.

    Each rule brings the trusted root by which it is verified. So without a rule nothing is verified.
    """
    if seen.state is not EvidenceState.NO_KNOWN_KEY:
        return seen
    found: SeenSignature | None = None
    for rule in rules:
        judged = by_identity(seen, material, rule.trusted_root)
        if judged.state is EvidenceState.GOOD:
            differs = ", ".join(_differences(judged.signer, rule, version))
            if not differs:
                return replace(judged, rule=str(rule.rule))
            detail = f"{rule.rule} names another {differs}"
            judged = replace(judged, state=EvidenceState.IDENTITY_MISMATCH, detail=detail)
        if found is None or judged.state is EvidenceState.IDENTITY_MISMATCH:
            found = judged
    return found or replace(seen, detail="the policy names no identity for this provider, so it was not verified")


def _differences(signer: Signer, rule: TrustedIdentity, version: str) -> Iterator[str]:
    """What of an identity is not what the rule says, case and all."""
    if signer.issuer != rule.issuer:
        yield "issuer"
    if signer.subject != rule.subject_for(version):
        yield "subject"
    if rule.source_repository and signer.source_repository != rule.source_repository:
        yield "source repository"
    if rule.source_ref and signer.source_ref != rule.ref_for(version):
        yield "ref"
