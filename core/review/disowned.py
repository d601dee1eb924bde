"""Which locked hashes are disowned, the loudest verdict: the origin registry itself says that they are not its own.

It takes a list that could not be longer and that nobody but the origin can have written. Anything less leaves the hash
unexplained, or unchecked.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.evidence.source_answers import HashList
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.values.hashes import Hash


def is_disowned(hash_: Hash, evidence: Evidence) -> bool:
    """Whether the origin's complete and authenticated list for the hash's scheme does not contain it.

    Where a mirror vouches in the origin's place, nothing may be open there either. Whether something else confirms the
    hash is asked before this: a hash that counts is confirmed, whatever a list lacks.
    """
    if evidence.open_at_mirrors or not evidence.origin_answered:
        return False
    return any(
        each.complete and each.authenticated and hash_ not in each.hashes for each in _lists_for(hash_, evidence)
    )


def why_disowned(hash_: Hash, evidence: Evidence) -> Reason:
    """The reason that says so, with the documents of the lists and the keys that signed them."""
    lists = tuple(_lists_for(hash_, evidence))
    count = sum(len(each.hashes) for each in lists)
    documents = [
        f"{document.name} sha256 {document.sha256}, {document.url}" for each in lists for document in each.documents
    ]
    signers = sorted({f"signed by {signer[-16:]}" for each in lists for signer in each.signers})
    return Reason(
        tone=Tone.AGAINST,
        text=f"{evidence.origin_name} lists {count} {hash_.scheme} hashes for {evidence.release}, all signed, "
        "and this is not one of them",
        evidence=(*documents, *signers),
    )


def _lists_for(hash_: Hash, evidence: Evidence) -> Iterator[HashList]:
    lists = () if evidence.origin is None else evidence.origin.lists
    return (each for each in lists if each.scheme == hash_.scheme)
