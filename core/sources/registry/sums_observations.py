"""What lists of checksums say of each hash: who signed it, and that the registry reports it.

Two lists of one release, or two lines of one list, contradict each other when they give one file different hashes.
Then neither counts. Both stay in the list, so that nobody concludes that the registry disowns them. Where some list is
signed, one that is not adds nothing to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.evidence.observations import ListShape, Observation, ReportedByRegistry, SignedBy
from lockwarden.core.evidence.source_answers import HashList, Problem
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeyJudgement, SignatureState

MAX_SIGNED_LINES: Final = 50_000
"""Observations of signatures that are made of the documents of one release: lines times signers."""
UNSIGNED_BESIDE_SIGNED: Final = "the list is not signed, and the signed one of the release does not have it"


def decisive(lists: Sequence[SignedSums]) -> tuple[SignedSums, ...]:
    """The lists that say which hashes the release has: the used ones, and only signed ones where there are any."""
    used = tuple(listed for listed in lists if not listed.refused)
    return tuple(listed for listed in used if listed.authenticated) or used


def conflicting_files(lists: Sequence[SignedSums]) -> frozenset[str]:
    """File names that the lists which decide give more than one hash for."""
    found: defaultdict[str, set[Hash]] = defaultdict(set)
    for listed in decisive(lists):
        for name, hashes in listed.sums.by_name.items():
            found[name] |= hashes
    return frozenset(name for name, hashes in found.items() if len(hashes) > 1)


def sums_observations(
    lists: Sequence[SignedSums], *, source: str, conflicts: frozenset[str]
) -> Iterator[tuple[Hash, Observation]]:
    """One observation for each line and each key that made the signature, and one for the registry's own report."""
    deciding = decisive(lists)
    known = frozenset().union(*(each.hashes for each in deciding))
    most = most_signers(lists)
    for listed in lists:
        judgements = _one_a_key(listed)[:most]
        aside = "" if any(listed is each for each in deciding) else UNSIGNED_BESIDE_SIGNED
        for line in listed.sums.lines:
            conflict = f"the registry lists several hashes for {line.file_name}"
            in_conflict = listed.foreign(line) or (conflict if line.file_name in conflicts else "")
            beside = aside if line.hash not in known else ""
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
                    refused=listed.refused or in_conflict or beside,
                ),
            )


def _one_a_key(listed: SignedSums) -> tuple[KeyJudgement, ...]:
    """The judgements that found the issuer, each key once however often the registry offers it.

    Those that vouch come first, since of a very long list only the first are observed line by line.
    """
    found: dict[tuple[str, str, SignatureState], KeyJudgement] = {}
    for judgement in listed.report.judgements:
        if judgement.fingerprint:
            found.setdefault((judgement.fingerprint, judgement.signing_fingerprint, judgement.state), judgement)
    return tuple(sorted(found.values(), key=lambda judgement: not judgement.vouches))


def most_signers(lists: Sequence[SignedSums]) -> int:
    """How many signers of each document are observed line by line, those that vouch first."""
    return max(1, MAX_SIGNED_LINES // max(1, sum(len(listed.sums.lines) for listed in lists)))


def left_out_signers(lists: Sequence[SignedSums], *, source: str) -> Iterator[Problem]:
    """That a document has more signers than are observed line by line."""
    most = most_signers(lists)
    for listed in lists:
        more = len(_one_a_key(listed)) - most
        if more > 0:
            yield Problem(
                code=ProblemCode.TOO_MANY_SIGNERS,
                severity=Severity.WARNING,
                message=f"{more} keys that {listed.document.name} was held against are not counted for its lines:"
                f" lines times keys would be more than {MAX_SIGNED_LINES}, which is the limit",
                hint="the document's signature is shown with every key; ask who runs the registry",
                source=source,
            )


def zh_list(lists: Sequence[SignedSums], *, complete: bool) -> HashList | None:
    """The registry's list of `zh` hashes: the union of the documents that decide, or None when none is used."""
    used = decisive(lists)
    if not used:
        return None
    return HashList(
        scheme=ZH,
        documents=tuple({listed.document: None for listed in used}),
        hashes=frozenset().union(*(listed.hashes for listed in used)),
        complete=complete,
        authenticated=all(listed.authenticated for listed in used),
        signers=frozenset(signer.fingerprint for listed in used for signer in listed.signers),
    )
