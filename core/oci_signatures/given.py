"""Bundles that the operator gives as files: held against what a source gave out, by digest alone.

A bundle may be about the archive of a package, or about the list of checksums that names it. What else it says of
itself, such as a file's name, is shown and decides nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ListShape, Observation, OtherSignature, ReportedByRegistry, SignedBy
from lockwarden.core.evidence.source_answers import SourceAnswer
from lockwarden.core.oci_signatures.parsing import MAX_BUNDLE, from_bundle
from lockwarden.core.oci_signatures.strict_json import EvidenceError, any_base64, read_object
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import SignedDocument, SignedKind

MAX_BUNDLES: Final = 256
"""Of one run."""
_SHA256: Final = 64


class GivenBundle(Struct, frozen=True, kw_only=True):
    """One bundle of a file."""

    name: str
    """The file's, as the operator wrote it."""
    data: bytes
    digests: frozenset[str]
    """SHA-256 of what it says that it is about, in lower-case digits."""


def bundles_in(data: bytes, name: str) -> tuple[GivenBundle, ...]:
    """The bundles of a file: one, one a line, or as a forge's answer lists them. Raises EvidenceError."""
    return tuple(_given(each, name) for each in _documents(data))


def _documents(data: bytes) -> Iterator[bytes]:
    try:
        whole = read_object(data)
    except EvidenceError:
        lines = [line for line in data.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        yield from lines
        return
    listed = whole.get("attestations")
    if not isinstance(listed, list):
        yield data
        return
    for each in listed:
        held = each.get("bundle") if isinstance(each, dict) else None
        if not isinstance(held, dict):
            raise EvidenceError("lists an attestation without its bundle")
        yield json.dumps(held).encode()


def _given(data: bytes, name: str) -> GivenBundle:
    if len(data) > MAX_BUNDLE:
        raise EvidenceError(f"has a bundle of more than {MAX_BUNDLE} bytes")
    bundle = read_object(data)
    return GivenBundle(name=name, data=data, digests=frozenset(_digests(bundle)))


def _digests(bundle: dict[str, Any]) -> Iterator[str]:
    bare, envelope = bundle.get("messageSignature"), bundle.get("dsseEnvelope")
    if isinstance(bare, dict):
        named = bare.get("messageDigest")
        yield any_base64(named.get("digest") if isinstance(named, dict) else None, "message digest").hex()
        return
    if not isinstance(envelope, dict):
        raise EvidenceError("is no Sigstore bundle")
    subjects = read_object(any_base64(envelope.get("payload"), "payload")).get("subject")
    for subject in subjects if isinstance(subjects, list) else ():
        digests = subject.get("digest") if isinstance(subject, dict) else None
        digest = digests.get("sha256") if isinstance(digests, dict) else None
        if isinstance(digest, str) and len(digest) == _SHA256:
            yield digest


class _About(Struct, frozen=True, kw_only=True):
    """A document of a source that a bundle can be about, and what it leads to."""

    document: SignedDocument
    packages: tuple[tuple[Hash, Platform | None], ...]


def with_given(answer: SourceAnswer, bundles: tuple[GivenBundle, ...]) -> SourceAnswer:
    """The answer, and beside it the signatures of each bundle that is about a document or archive in it.

    A bundle is about what has the SHA-256 that it names. Whether its signature is good is judged by a policy later.
    """
    if not bundles:
        return answer
    about = dict(_documents_of(answer))
    signatures = []
    observations: list[tuple[Hash, Observation]] = []
    for bundle in bundles:
        for digest in sorted(bundle.digests & about.keys()):
            known = about[digest]
            seen = from_bundle(bundle.data, known.document, signed=None, found_at=f"the file {bundle.name}")
            signatures.append(seen)
            if seen.material is not None:
                observations += [
                    (hash_, OtherSignature(source=answer.source.id, platform=platform, signature=seen))
                    for hash_, platform in known.packages
                ]
    return replace(
        answer,
        observations=(*answer.observations, *observations),
        other_signatures=(*answer.other_signatures, *signatures),
    )


def _documents_of(answer: SourceAnswer) -> Iterator[tuple[str, _About]]:
    """Archives by their digest, and lists of checksums by theirs."""
    lists: dict[str, dict[Hash, Platform | None]] = {}
    for hash_, seen in answer.observations:
        if hash_.scheme == ZH and hash_.usable:
            digest = hash_.text.partition(":")[2]
            document = SignedDocument(kind=SignedKind.PACKAGE, digest=f"sha256:{digest}", name=_named(seen))
            yield digest, _About(document=document, packages=((hash_, seen.platform),))
        listed = isinstance(seen, SignedBy) or (isinstance(seen, ReportedByRegistry) and seen.shape is ListShape.SUMS)
        if listed and isinstance(seen, SignedBy | ReportedByRegistry):
            lists.setdefault(seen.document.sha256, {}).setdefault(hash_, seen.platform)
    for digest, hashes in lists.items():
        document = SignedDocument(kind=SignedKind.SHA256SUMS, digest=f"sha256:{digest}", name="the list of checksums")
        yield digest, _About(document=document, packages=tuple(hashes.items()))


def _named(seen: Observation) -> str:
    return "a package" if seen.platform is None else f"the package for {seen.platform}"
