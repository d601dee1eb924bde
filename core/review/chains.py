"""Which way led to a package in an OCI registry: from the tag over digests to the layer whose digest is the `zh`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Audit, OciChain, SourceAnswer
from lockwarden.core.values.hashes import ZH, Hash


class ChainLayer(Struct, frozen=True, kw_only=True):
    """The last step of a chain: a layer by its digest."""

    digest: str
    zh: Hash | None
    """The `zh` with the same digits, where the source names that hash; None for a layer that is no archive."""


def layers_of(answer: SourceAnswer, chain: OciChain) -> tuple[ChainLayer, ...]:
    """The layers of a chain of this answer, with the `zh` that each is known by."""
    seen = {hash_.text: hash_ for hash_, _ in answer.observations}
    return tuple(
        ChainLayer(digest=digest, zh=seen.get(f"{ZH}:{digest.removeprefix('sha256:')}"))
        for digest in chain.layer_digests
    )


def chains_to(audit: Audit, hash_: Hash) -> tuple[tuple[SourceAnswer, OciChain], ...]:
    """The chains that lead to a package with this hash, in the order of the sources."""
    return tuple(
        (answer, chain)
        for answer in audit.source_answers
        for chain in answer.chains
        if any(seen == hash_ and chain.platform == observed.platform for seen, observed in answer.observations)
    )


def token_words(answer: SourceAnswer) -> str:
    """Who was sent a token on the way to a source's documents; empty when nobody was."""
    return ", ".join(answer.token_hosts)


def steps_of(answer: SourceAnswer, chain: OciChain) -> Iterator[tuple[str, str]]:
    """The steps of a chain for people, each with what it is, as far as the way was found; the credentials last."""
    yield "tag", f"{chain.repository}:{chain.tag}"
    if chain.index_digest and chain.index_digest != chain.manifest_digest:
        yield ("index" if chain.manifest_digest else "leads to"), chain.index_digest
    if chain.manifest_digest:
        yield "manifest", chain.manifest_digest
    for layer in layers_of(answer, chain):
        yield ("layer" if layer.zh is None else "layer = zh"), layer.digest
    if chain.credentials:
        yield "credentials", chain.credentials
