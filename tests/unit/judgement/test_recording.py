"""Which hashes a record may accept, and what stands in it."""

from __future__ import annotations

from datetime import UTC, date, datetime

from fakes.lock_files import MADE_UP, PLANTED
from fakes.pull_request import ANVIL, GAUGE, KILN, changed, held, keeper
from fakes.reviews import audited, deciding, edge, not_audited
from msgspec.structs import replace

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.recording import approval_of, recordable
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.hashes import Hash

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


def keys(provider: ProviderReview, *hashes: Hash) -> tuple[HashKey, ...]:
    return tuple(HashKey.of(provider.address, each) for each in hashes)


def test_a_record_can_accept_unexplained_hashes_and_additions_never_disowned_or_signed_ones() -> None:
    review = held()
    anvil, gauge = review.provider(ANVIL.address), review.provider(GAUGE.address)
    (back,) = keys(gauge, GAUGE.h1("linux_amd64"))
    added = deciding(review, (back, Decision.ADD))
    disowned = edge(audited())

    assert [row.hash for row in recordable(review, anvil, keys(anvil, MADE_UP))] == [MADE_UP]
    assert recordable(review, anvil, keys(anvil, ANVIL.zh("linux_amd64"))) == ()
    assert recordable(review, gauge, (back,)) == ()
    assert [row.hash for row in recordable(added, gauge, (back,))] == [GAUGE.h1("linux_amd64")]
    assert recordable(audited(), disowned, keys(disowned, PLANTED)) == ()
    assert recordable(review, anvil, ()) == ()


def test_of_what_waits_for_its_audit_or_is_not_there_nothing_can_be_recorded() -> None:
    review, waiting = held(), not_audited()
    anvil, edge_waiting = review.provider(ANVIL.address), edge(waiting)

    assert recordable(waiting, edge_waiting, keys(edge_waiting, PLANTED)) == ()
    assert recordable(review, anvil, (*keys(anvil, Hash("zh:gone")), HashKey("nobody/a/b", MADE_UP.text))) == ()


def test_a_marked_range_is_recorded_together_but_not_where_the_signing_key_changed() -> None:
    review = held()
    anvil, kiln = review.provider(ANVIL.address), review.provider(KILN.address)

    assert [row.hash for row in recordable(review, anvil, keys(anvil, *(r.hash for r in anvil.rows)))] == [MADE_UP]
    assert kiln.alarmed
    assert recordable(review, kiln, keys(kiln, kiln.rows[0].hash, kiln.rows[1].hash)) == ()
    assert len(recordable(review, kiln, keys(kiln, kiln.rows[0].hash))) == 1


def test_a_hash_without_a_signature_can_be_recorded_where_the_policy_requires_one() -> None:
    unsigned = replace(
        changed().audits[1],
        source_answers=tuple(
            replace(each, signatures=(), observations=tuple(o for o in each.observations if o[1].kind != "signed by"))
            for each in changed().audits[1].source_answers
        ),
    )
    required = b'require {\n  providers = ["*/*/*"]\n  signed    = true\n}\n'
    for policy, expected in ((required, [ANVIL.zh("linux_amd64")]), (b"", [])):
        review = held(keeper(policy=policy)).with_audit(unsigned)
        anvil = review.provider(ANVIL.address)
        assert anvil.counts[Verdict.CONFIRMED]
        assert [row.hash for row in recordable(review, anvil, keys(anvil, ANVIL.zh("linux_amd64")))] == expected


def test_any_confirmed_hash_can_be_recorded_where_the_policy_wants_each_signed_by_an_administrator() -> None:
    keys_of_it = b'  providers  = ["*/*/*"]\n'
    for scheme, expected in (("sshsig", [ANVIL.zh("linux_amd64")]), ("cosign-key", [])):
        required = b"require {\n" + keys_of_it + f'  signatures = ["{scheme}"]\n}}\n'.encode()
        review = held(keeper(policy=required))
        anvil = review.provider(ANVIL.address)
        assert [row.hash for row in recordable(review, anvil, keys(anvil, ANVIL.zh("linux_amd64")))] == expected


def test_a_record_names_the_hashes_their_verdicts_the_signers_of_today_and_who_says_so() -> None:
    review = held()
    anvil = review.provider(ANVIL.address)
    rows = tuple(row for row in anvil.rows if row.verdict in {Verdict.UNEXPLAINED, Verdict.CONFIRMED})
    made = approval_of(review, anvil, rows, reason="built by us", by="Ada", at=AT, until=date(2027, 1, 31))

    assert (made.address, made.version) == (ANVIL.address, anvil.entry.version)
    assert made.hashes == {row.hash for row in rows}
    assert set(made.verdict.split(", ")) == {"unexplained", "confirmed"}
    assert made.signers == (ANVIL.key.fingerprint,)
    assert (made.reason, made.by, made.at, made.until) == ("built by us", "Ada", AT, date(2027, 1, 31))


def test_without_an_audit_a_record_names_no_signer() -> None:
    waiting = not_audited()
    made = approval_of(waiting, edge(waiting), edge(waiting).rows[:1], reason="r", by="b", at=AT, until=None)

    assert made.signers == ()
