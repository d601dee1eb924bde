"""What a signature of cosign's signs, once it is known to be right: is it about the document that it lies beside?

Two forms: the simple signing payload of the old layout, and the in-toto statement of the new one. Both are parsed from
the very bytes that are verified.
"""

from __future__ import annotations

import json
from typing import Any, Final

from msgspec import Struct

from lockwarden.core.oci_signatures.strict_json import EvidenceError, member, object_in, read_object
from lockwarden.core.values.signature_schemes import EvidenceState

MAX_PAYLOAD: Final = 64 * 1024
"""Bytes of what is signed."""
IN_TOTO: Final = "application/vnd.in-toto+json"
SIGNATURE_PREDICATE: Final = "https://sigstore.dev/cosign/sign/v1"
PROVENANCE: Final = frozenset({"https://slsa.dev/provenance/v1", "https://slsa.dev/provenance/v0.2"})
"""Statements about how something was built. Whose word that is, the certificate says; nothing else is proven."""
_STATEMENTS: Final = frozenset({"https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v0.1"})
_SIMPLE_TYPE: Final = "cosign container image signature"
_MOST_CLAIMS: Final = 16
_LONGEST_CLAIM: Final = 256


class Stated(Struct, frozen=True, kw_only=True):
    """What the signed bytes are worth as a statement, if the signature over them is right."""

    state: EvidenceState
    detail: str = ""
    claims: tuple[tuple[str, str], ...] = ()
    """What the signer states beside, proven by nothing."""


def simple_signing(payload: bytes, digest: str) -> Stated:
    """Whether a simple signing payload is about the document with this digest (`sha256:` and 64 digits)."""
    try:
        return _simple_signing(read_object(_bounded(payload)), digest)
    except EvidenceError as error:
        return Stated(state=EvidenceState.MALFORMED, detail=f"what is signed {error}")


def _simple_signing(payload: dict[str, Any], digest: str) -> Stated:
    critical = object_in(payload, "critical")
    image = object_in(critical, "image")
    claims = tuple(_simple_claims(payload, critical))
    named = member(image, "docker-manifest-digest")
    if not isinstance(named, str):
        raise EvidenceError("names no digest")
    kind = member(critical, "type")
    if named != digest:
        return _else(f"it is of {_shown(named)}", claims)
    if kind != _SIMPLE_TYPE:
        return _else(f"its type is {_shown(kind)} and not “{_SIMPLE_TYPE}”", claims)
    return Stated(state=EvidenceState.GOOD, claims=claims)


def _simple_claims(payload: dict[str, Any], critical: dict[str, Any]) -> list[tuple[str, str]]:
    identity = member(critical, "identity")
    reference = member(identity, "docker-reference") if isinstance(identity, dict) else None
    optional = member(payload, "optional")
    claims = [("repository", reference)] if isinstance(reference, str) and reference else []
    claims += list(optional.items()) if isinstance(optional, dict) else []
    return [(name[:_LONGEST_CLAIM], _text(value)) for name, value in claims[:_MOST_CLAIMS]]


def statement(payload: bytes, payload_type: str, digest: str, *, provenance: bool = False) -> Stated:
    """Whether an in-toto statement is a signature over the document with this digest; `provenance` is one as well."""
    if payload_type != IN_TOTO:
        return _else(f"its payload is {_shown(payload_type)} and no in-toto statement")
    try:
        predicates = PROVENANCE if provenance else frozenset()
        return _statement(read_object(_bounded(payload)), digest, predicates | {SIGNATURE_PREDICATE})
    except EvidenceError as error:
        return Stated(state=EvidenceState.MALFORMED, detail=f"what is signed {error}")


def _statement(said: dict[str, Any], digest: str, predicates: frozenset[str]) -> Stated:
    if said.get("_type") not in _STATEMENTS:
        return _else(f"its type is {_shown(said.get('_type'))}")
    predicate = said.get("predicateType")
    if not isinstance(predicate, str) or predicate not in predicates:
        return _else(f"it attests {_shown(predicate)}, which is no signature")
    subject = subject_with(said, digest.removeprefix("sha256:"))
    if subject is None:
        return _else("none of its subjects is this document")
    attested = (("attests", predicate),) if predicate != SIGNATURE_PREDICATE else ()
    annotations = subject.get("annotations")
    claims = list(annotations.items()) if isinstance(annotations, dict) else []
    told = tuple((name[:_LONGEST_CLAIM], _text(value)) for name, value in claims[:_MOST_CLAIMS])
    return Stated(state=EvidenceState.GOOD, claims=(*attested, *told))


def subject_with(said: dict[str, Any], sha256: str) -> dict[str, Any] | None:
    """The subject of a statement with this SHA-256, in lower-case digits; no other digest counts, nor does a name."""
    subjects = said.get("subject")
    for subject in subjects if isinstance(subjects, list) else ():
        named: dict[str, Any] = subject if isinstance(subject, dict) else {}
        digests = named.get("digest")
        if isinstance(digests, dict) and digests.get("sha256") == sha256:
            return named
    return None


def _bounded(payload: bytes) -> bytes:
    if len(payload) > MAX_PAYLOAD:
        raise EvidenceError(f"has more than {MAX_PAYLOAD} bytes")
    return payload


def _else(detail: str, claims: tuple[tuple[str, str], ...] = ()) -> Stated:
    return Stated(state=EvidenceState.SOMETHING_ELSE, detail=detail, claims=claims)


def _text(value: object) -> str:
    return (value if isinstance(value, str) else json.dumps(value))[:_LONGEST_CLAIM]


def _shown(value: object) -> str:
    return f"“{value[:_LONGEST_CLAIM]}”" if isinstance(value, str) else "not said"
