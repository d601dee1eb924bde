"""Hashes of one provider in the entry of another: told where they are packages of that one, whatever else they are."""

from __future__ import annotations

from builders.audits import (
    ADDRESS,
    DARWIN,
    LINUX,
    ORIGIN,
    answer,
    audit,
    h1,
    origin_with,
    reported,
    signed,
    zh,
    zh_list,
)
from builders.policies import TODAY, approval
from builders.reviews import entry_text, lock_file
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.of_other_providers import with_other_providers
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import NOT_A_PACKAGE
from lockwarden.core.review.sentences import Tone
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

OTHER = ProviderAddress.parse("registry.example.test/acme/gauge")
THEIRS = (zh("linux_amd64"), h1("linux_amd64"))
OF_OTHER = audit(origin_with(LINUX), address=OTHER, version=Version.parse("1.4.0"))
OF_WIDGET = audit(origin_with(DARWIN))
TOLD = f"belongs to {OTHER} 1.4.0, whose own sources have it"


def reviewed(
    locked: tuple[Hash, ...],
    *audits: Audit,
    others: tuple[Hash, ...] = THEIRS,
    standards: Standards = NO_STANDARDS,
) -> Review:
    blocks = (entry_text(*locked), entry_text(*others, address=str(OTHER), version="1.4.0"))
    review = Review.start(lock_file(*blocks), settings=ClientSettings(), platforms=[LINUX, DARWIN], standards=standards)
    for each in audits:
        review = review.with_audit(each)
    return review


def texts(provider: ProviderReview, hash_: Hash) -> list[str]:
    (row,) = [each for each in provider.rows if each.hash == hash_]
    return [each.text for each in row.reasons]


def test_a_finding_says_first_whose_it_is_and_stays_what_it_was() -> None:
    before = reviewed(THEIRS, OF_WIDGET, OF_OTHER)
    (after,) = with_other_providers([before])
    was, now = before.provider(ADDRESS), after.provider(ADDRESS)
    for each in THEIRS:
        assert texts(now, each)[0] == TOLD
        assert texts(now, each)[1:-1] == texts(was, each)[:-1]
        assert texts(now, each)[-1] == (
            "drop it: a client would accept the other provider's package in place of this one's"
        )
    assert {row.verdict for row in now.rows if row.hash in THEIRS} == {Verdict.DISOWNED, Verdict.UNEXPLAINED}
    assert [(row.hash, row.verdict, row.approval) for row in now.rows] == [
        (row.hash, row.verdict, row.approval) for row in was.rows
    ]
    assert (now.problems, now.weight, after.exit_code) == (was.problems, was.weight, before.exit_code)
    assert after.provider(OTHER) is before.provider(OTHER)
    assert with_other_providers([after]) == (after,)


def test_what_another_file_of_the_run_has_counts_and_what_it_does_not_lock_too() -> None:
    mine = replace(reviewed(THEIRS, OF_WIDGET), providers=reviewed(THEIRS, OF_WIDGET).providers[:1])
    theirs = reviewed((zh("own"),), OF_OTHER, others=())
    told, kept = with_other_providers([mine, theirs])
    assert texts(told.provider(ADDRESS), THEIRS[0])[0] == TOLD
    assert kept is theirs


def test_who_only_locks_a_hash_owns_nothing() -> None:
    for others, known in ((THEIRS, ()), ((zh("planted"),), (OF_OTHER,))):
        begun = reviewed(others, OF_WIDGET, *known, others=others)
        assert with_other_providers([begun]) == (begun,)


def test_what_is_no_package_belongs_to_nobody() -> None:
    manifest = zh("manifest")
    seen = ((manifest, signed(file_name="manifest.json")), (manifest, reported(file_name="manifest.json")))
    known = audit(answer(ORIGIN, *seen, lists=[zh_list(manifest)]), address=OTHER, version=Version.parse("1.4.0"))
    begun = reviewed((manifest,), OF_WIDGET, known, others=(manifest,))
    (row,) = begun.provider(OTHER).rows
    assert (row.verdict, row.label) == (Verdict.CONFIRMED, NOT_A_PACKAGE)
    assert with_other_providers([begun]) == (begun,)


def test_what_a_record_accepts_says_it_last_and_stays_accepted() -> None:
    unlisted = audit(origin_with(DARWIN, authenticated=False))
    standards = Standards(approvals=Approvals(records=(approval(THEIRS[0]),)), today=TODAY)
    (after,) = with_other_providers([reviewed(THEIRS, unlisted, OF_OTHER, standards=standards)])
    (row,) = [each for each in after.provider(ADDRESS).rows if each.hash == THEIRS[0]]
    assert row.verdict is Verdict.UNEXPLAINED
    assert not row.objects
    assert row.reasons[0].tone is Tone.FOR
    assert (row.reasons[-1].tone, row.reasons[-1].text) == (Tone.NOTE, TOLD)


def test_several_owners_are_named_in_order_and_counted_beyond_two() -> None:
    others = [ProviderAddress.parse(f"registry.example.test/acme/{name}") for name in ("d", "a", "c", "b")]
    blocks = [entry_text(*THEIRS), *(entry_text(*THEIRS, address=str(each)) for each in others)]
    review = Review.start(lock_file(*blocks), settings=ClientSettings(), platforms=[LINUX])
    for known in (OF_WIDGET, *(audit(origin_with(LINUX), address=each) for each in others)):
        review = review.with_audit(known)
    (after,) = with_other_providers([review])
    assert texts(after.provider(ADDRESS), THEIRS[0])[0] == (
        "belongs to registry.example.test/acme/a 1.2.3 and to registry.example.test/acme/b 1.2.3 and to 2 more, whose"
        " own sources have it"
    )


def test_only_findings_are_told() -> None:
    shared = reviewed(THEIRS, audit(origin_with(LINUX)), OF_OTHER)
    assert with_other_providers([shared]) == (shared,)
    unasked = reviewed(THEIRS, OF_OTHER)
    assert with_other_providers([unasked]) == (unasked,)
