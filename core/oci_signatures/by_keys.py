"""Who made a signature, among the keys that somebody brings. Without keys nobody is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from lockwarden.core.evidence.seen_signatures import SeenSignature, SignatureMaterial
from lockwarden.core.oci_signatures.keys import Verified, verified
from lockwarden.core.values.public_keys import fingerprint_of
from lockwarden.core.values.signature_schemes import EvidenceState

_NOT_PURE: Final = "not good as pure Ed25519; the pre-hashed form, which cosign makes with such keys, is not supported"


def by_keys(seen: SeenSignature, material: SignatureMaterial, keys: Iterable[bytes]) -> SeenSignature:
    """The signature judged by these keys, each in DER form.

    The key that the signature names is tried first; the name decides nothing else. Only under that key can it be bad:
    any other key simply did not make it.
    """
    known = {fingerprint_of(spki): spki for spki in keys}
    ordered = sorted(known.items(), key=lambda each: each[0] != material.hint)
    results = {}
    for fingerprint, spki in ordered:
        results[fingerprint] = verified(spki, material.signed, material.signature)
        if results[fingerprint] is Verified.GOOD:
            return replace(
                seen,
                signer=replace(seen.signer, fingerprint=fingerprint),
                state=material.after,
                detail=material.after_detail,
            )
    match results.get(material.hint):
        case Verified.WRONG:
            return replace(seen, state=EvidenceState.BAD, detail="it was not made over this by the key that it names")
        case Verified.NOT_AS_PURE_ED25519:
            return replace(seen, state=EvidenceState.UNSUPPORTED, detail=_NOT_PURE)
        case _:
            return replace(seen, detail=_unknown(results.values()))


def _unknown(results: Iterable[Verified]) -> str:
    tried = list(results)
    if not tried:
        return "the policy names no key that could have made it"
    count = "the one known key" if len(tried) == 1 else f"any of the {len(tried)} known keys"
    edwards = f", {_NOT_PURE}" if Verified.NOT_AS_PURE_ED25519 in tried else ""
    return f"it is not by {count}, or it is broken{edwards}"
