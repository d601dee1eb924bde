"""What lists of checksums say of each hash: who signed it, and that the registry reports it.

Two lists of one release, or two lines of one list, that give one file different hashes contradict each other: neither
counts, but both stay in the list, so that nobody concludes that the registry disowns them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.findings import HashList
from lockwarden.core.hashes import ZH, Hash
from lockwarden.core.keys import KeyJudgement, SignatureState
from lockwarden.core.observations import ListShape, Observation, ReportedByRegistry, SignedBy
from lockwarden.core.sources.registry.signed_sums import SignedSums

MAX_SIGNED_LINES: Final = 500_000
"""Observations of signatures that are made of one document: lines times signers."""


def conflicting_files(lists: Sequence[SignedSums]) -> frozenset[str]:
    """File names that the lists which are used give more than one hash for."""
    found: defaultdict[str, set[Hash]] = defaultdict(set)
    for listed in lists:
        if not listed.refused:
            for name, hashes in listed.sums.by_name.items():
                found[name] |= hashes
    return frozenset(name for name, hashes in found.items() if len(hashes) > 1)


def sums_observations(
    lists: Sequence[SignedSums], *, source: str, conflicts: frozenset[str]
) -> Iterator[tuple[Hash, Observation]]:
    """One observation for each line and each key that made the signature, and one for the registry's own report."""
    for listed in lists:
        judgements = _one_a_key(listed)
        for line in listed.sums.lines:
            conflict = f"the registry lists several hashes for {line.file_name}"
            in_conflict = conflict if line.file_name in conflicts else ""
            platform = listed.label(line).platform
            for judgement in judgements:
                yield (
                    line.hash,
                    SignedBy(
                        source=source,
                        document=listed.document,
                        line=line.number,
                        file_name=line.file_name,
                        platform=platform,
                        fingerprint=judgement.fingerprint,
                        signing_fingerprint=judgement.signing_fingerprint,
                        state=judgement.state,
                        valid_when_signed=judgement.valid_when_signed,
                        signed_at=judgement.signed_at,
                        refused=listed.misplaced or in_conflict or listed.enforced_against(judgement),
                    ),
                )
            yield (
                line.hash,
                ReportedByRegistry(
                    source=source,
                    document=listed.document,
                    shape=ListShape.SUMS,
                    line=line.number,
                    file_name=line.file_name,
                    platform=platform,
                    refused=listed.refused or in_conflict,
                ),
            )


def _one_a_key(listed: SignedSums) -> tuple[KeyJudgement, ...]:
    """The judgements that found the issuer, each key once however often the registry offers it.

    Of a very long list with many signers only the first are observed line by line; the document's signature has all.
    """
    found: dict[tuple[str, str, SignatureState], KeyJudgement] = {}
    for judgement in listed.report.judgements:
        if judgement.fingerprint:
            found.setdefault((judgement.fingerprint, judgement.signing_fingerprint, judgement.state), judgement)
    most = max(1, MAX_SIGNED_LINES // max(1, len(listed.sums.lines)))
    return tuple(sorted(found.values(), key=lambda judgement: not judgement.vouches))[:most]


def zh_list(lists: Sequence[SignedSums], *, complete: bool) -> HashList | None:
    """The registry's list of `zh` hashes: the union of the documents that are used, or None when none is."""
    used = [listed for listed in lists if not listed.refused]
    if not used:
        return None
    return HashList(
        scheme=ZH,
        documents=tuple({listed.document: None for listed in used}),
        hashes=frozenset().union(*(listed.sums.hashes for listed in used)),
        complete=complete,
        authenticated=all(listed.authenticated for listed in used),
        signers=frozenset(signer.fingerprint for listed in used for signer in listed.signers),
    )
