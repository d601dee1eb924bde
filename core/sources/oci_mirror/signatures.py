"""The signatures beside an index, and what the signed index leads to: a `zh` for every platform.

Whoever signs an index signs the digests in it, and so every archive; neither the provider's name nor its version stand
there. What the signatures are worth is told by the policy, which alone has keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.observations import Observation, OtherSignature
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.oci.documents import Descriptor
from lockwarden.core.oci.referrers import LayerBeside, Referrers
from lockwarden.core.oci_signatures.parsing import MAX_BUNDLE, SIMPLE_SIGNING, from_bundle, from_layer, is_bundle
from lockwarden.core.oci_signatures.statements import MAX_PAYLOAD
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import SignedDocument, SignedKind

MAX_SIGNATURES: Final = 64
"""Of one document."""


class SignaturesBeside(Struct, frozen=True, kw_only=True):
    """What lies beside one document of a registry."""

    signatures: tuple[SeenSignature, ...] = ()
    gaps: tuple[str, ...] = ()
    """Where nobody could look; sentences."""

    @property
    def can_count(self) -> bool:
        """Whether some signature is well-formed, so that it matters to what the document leads."""
        return any(each.material is not None for each in self.signatures)

    def over(self, source: str, packages: Iterable[tuple[Platform, Hash]]) -> Iterator[tuple[Hash, Observation]]:
        """What the signatures cover, once it is known to which packages the document leads."""
        for platform, zh in packages:
            for each in self.signatures:
                if each.material is not None:
                    yield zh, OtherSignature(source=source, platform=platform, signature=each)


NONE_BESIDE: Final = SignaturesBeside()


async def signatures_beside(referrers: Referrers, body: bytes, *, name: str) -> SignaturesBeside:
    """Look in every place for signatures over an index whose bytes are at hand. Failures are gaps."""
    digest = Digest.of(body)
    document = SignedDocument(kind=SignedKind.OCI_INDEX, digest=str(digest), name=name)
    beside = await referrers.beside(digest, _wanted)
    seen = [_signature(layer, document, body) for layer in beside.layers]
    distinct = list({_identity(each): each for each in reversed(seen)}.values())[::-1]
    gaps = list(beside.gaps)
    if len(distinct) > MAX_SIGNATURES:
        gaps.append(f"there are {len(distinct)} signatures over {document.digest}; the limit is {MAX_SIGNATURES}")
    return SignaturesBeside(signatures=tuple(distinct[:MAX_SIGNATURES]), gaps=tuple(gaps))


def _wanted(layer: Descriptor) -> int:
    if layer.media_type == SIMPLE_SIGNING:
        return MAX_PAYLOAD
    return MAX_BUNDLE if is_bundle(layer.media_type) else 0


def _signature(layer: LayerBeside, document: SignedDocument, body: bytes) -> SeenSignature:
    if layer.media_type == SIMPLE_SIGNING:
        return from_layer(layer.body, dict(layer.annotations), document, found_at=layer.found_at)
    return from_bundle(layer.body, document, signed=body, found_at=layer.found_at)


def _identity(seen: SeenSignature) -> object:
    """What makes two finds one signature, wherever they lay; two signers of one payload are two."""
    return seen if seen.material is None else seen.material
