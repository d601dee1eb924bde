"""Whose signatures beside GPG's stand behind what is about to be written: said before every write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from lockwarden.core.evidence.observations import OtherSignature
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.hashes import Hash


def signed_additions(provider: ProviderReview, added: Collection[Hash]) -> Iterator[str]:
    """A sentence a signer, without a full stop. Whether it is the right key, only whoever reads it can tell."""
    signed: defaultdict[str, list[HashRow]] = defaultdict(list)
    for row in provider.rows:
        for who in dict.fromkeys(_signers(row)) if row.hash in added else ():
            signed[who].append(row)
    for who, rows in signed.items():
        beyond = sum(row.beyond_the_client for row in rows)
        alone = f", {beyond} of which no client would record by itself" if beyond else ""
        yield f"{counted(len(rows), 'hash', 'hashes')} signed by {who}{alone}"


def _signers(row: HashRow) -> Iterator[str]:
    for seen in row.observations:
        if isinstance(seen, OtherSignature) and seen.vouches:
            signature = seen.signature
            yield f"{signature.signer.name} ({signature.scheme}), whom {signature.rule} names"
