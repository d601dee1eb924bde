"""What many repositories rely on together: providers, versions, keys, and who is alone with what."""

from __future__ import annotations

import pytest
from builders.audits import ADDRESS, FINGERPRINT, MIRROR, ORIGIN, VERSION, answer, audit, origin_with
from builders.organisations import (
    BARE,
    DARWIN_ZH,
    LINUX_ZH,
    LONE,
    OLD,
    SILENT,
    review,
    signed_origin,
    silent_origin,
    unsigned_origin,
)
from builders.policies import key as pinned
from builders.policies import policy
from builders.run_results import review_of
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Observation, SignedBy
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.review.across_repositories import HeldFile, Reliance, reliance_of
from lockwarden.core.review.review import Review
from lockwarden.core.review.signing import Signing, signing_of
from lockwarden.core.review.standards import Standards


def held(repository: str, found: Review, *, revision: str = "") -> HeldFile:
    return HeldFile(repository=repository, label=f"{repository}@{revision}" if revision else repository, review=found)


def relied_on(*files: HeldFile) -> Reliance:
    return reliance_of(files)


@table(
    ("made", "expected"),
    [
        pytest.param(audit(signed_origin()), Signing.SIGNED, id="signed"),
        pytest.param(audit(unsigned_origin()), Signing.UNSIGNED, id="lists without a signature"),
        pytest.param(audit(silent_origin()), Signing.UNKNOWN, id="no answer"),
        pytest.param(audit(answer(MIRROR)), Signing.UNKNOWN, id="the origin was not asked"),
        pytest.param(audit(answer(ORIGIN, outcome=Outcome.NOT_THERE)), Signing.UNKNOWN, id="not there"),
        pytest.param(audit(answer(ORIGIN)), Signing.UNKNOWN, id="no document was read"),
    ],
)
def test_what_is_not_known_is_never_called_unsigned(made: Audit, expected: Signing) -> None:
    assert signing_of(made) is expected


def test_each_provider_is_told_with_its_versions_and_who_locks_them() -> None:
    found = relied_on(
        held("a", review("x", (ADDRESS, VERSION, [LINUX_ZH]), (LONE, VERSION, [LINUX_ZH]))),
        held("a", review("y", (ADDRESS, VERSION, [LINUX_ZH]))),
        held("a", review("x", (ADDRESS, OLD, [LINUX_ZH])), revision="old"),
        held("b", review("x", (ADDRESS, OLD, [LINUX_ZH]), (BARE, VERSION, []))),
        held("c", review("x", (SILENT, VERSION, [LINUX_ZH]))),
    )
    uses = {use.address: use for use in found.providers}
    assert list(uses) == sorted(uses, key=lambda each: each.sort_key)
    told = [(str(each.version), each.labels, each.files) for each in uses[ADDRESS].releases]
    assert told == [("1.2.3", ("a",), 2), ("1.0.0", ("a@old", "b"), 2)]
    assert (uses[ADDRESS].repositories, uses[ADDRESS].files) == (("a", "b"), 4)
    assert {use.address for use in found.lone} == {LONE, BARE, SILENT}
    signing = [uses[each].signing for each in (ADDRESS, BARE, SILENT)]
    assert signing == [Signing.SIGNED, Signing.UNSIGNED, Signing.UNKNOWN]


def test_a_key_counts_the_repositories_files_and_locked_hashes_that_it_stands_behind() -> None:
    found = relied_on(
        held("a", review("x", (ADDRESS, VERSION, [LINUX_ZH]), (LONE, VERSION, [LINUX_ZH, DARWIN_ZH]))),
        held("b", review("x", (ADDRESS, VERSION, [LINUX_ZH, DARWIN_ZH]), (BARE, VERSION, [LINUX_ZH]))),
    )
    (reliance,) = found.keys
    assert reliance.key.fingerprint == FINGERPRINT
    assert (reliance.repositories, reliance.files, reliance.releases) == (("a", "b"), 2, 2)
    assert reliance.providers == (LONE, ADDRESS)
    assert reliance.hashes == 4, "two of each provider, however many files lock them"
    assert reliance.trusted is None


def test_keys_that_most_repositories_rely_on_come_first() -> None:
    other = "F" * 40
    (kept,) = signed_origin().keys
    key = replace(kept, fingerprint=other, key_id=other[-16:])
    by_other = replace(
        origin_with(),
        keys=(key,),
        observations=tuple((hash_, _signed_by(seen, other)) for hash_, seen in signed_origin().observations),
    )
    lone = review_of(review("x", (LONE, VERSION, [LINUX_ZH])).lock_file.providers, audit(by_other, address=LONE))
    found = relied_on(
        held("a", lone),
        held("b", review("x", (ADDRESS, VERSION, [LINUX_ZH]))),
        held("c", review("x", (ADDRESS, VERSION, [LINUX_ZH]))),
    )
    assert [each.key.fingerprint for each in found.keys] == [FINGERPRINT, other]


@pytest.mark.parametrize(("fingerprint", "trusted"), [(FINGERPRINT, True), ("A" * 40, False)], ids=["named", "another"])
def test_what_the_policies_say_of_a_key_is_told(fingerprint: str, trusted: bool) -> None:
    rule = pinned(fingerprint)
    standards = Standards(policy=policy(rule))
    found = relied_on(held("a", review("x", (ADDRESS, VERSION, [LINUX_ZH]), standards=standards)))
    (reliance,) = found.keys
    assert reliance.trusted == (str(rule.rule) if trusted else False)


def test_entries_that_wait_for_their_audit_rely_on_nothing() -> None:
    entries = review("x", (ADDRESS, VERSION, [LINUX_ZH])).lock_file.providers
    assert relied_on(held("a", review_of(entries))) == Reliance(providers=(), keys=())


def _signed_by(seen: Observation, fingerprint: str) -> Observation:
    return replace(seen, fingerprint=fingerprint) if isinstance(seen, SignedBy) else seen
