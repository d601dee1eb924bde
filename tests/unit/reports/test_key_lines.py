"""Keys are told with what people compare, what they claim to be and what they signed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from builders.audits import FINGERPRINT, LINUX, ORIGIN, SUMS, audit, reported, signed, zh
from builders.run_results import KEY, SIGNATURE
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import DocumentSignature, Outcome, SourceAnswer
from lockwarden.core.reports.key_lines import key_line, key_lines, unknown_issuer_lines
from lockwarden.core.review.key_use import KeyUse, key_uses, unknown_issuers
from lockwarden.core.values.signing_keys import KeyJudgement, KeySeen, KeyState, SignatureState

SUBKEY = "F" * 40
OTHER = replace(KEY, fingerprint="9" * 40, key_id="9" * 16, user_ids=("Somebody Else",))


def used(signature: DocumentSignature = SIGNATURE, *keys: KeySeen) -> tuple[KeyUse, ...]:
    answer = SourceAnswer(
        source=ORIGIN,
        outcome=Outcome.ANSWERED,
        observations=((zh("a"), signed(LINUX)), (zh("b"), signed()), (zh("b"), reported())),
        signatures=(signature,),
        keys=keys or (KEY,),
    )
    return key_uses([audit(answer)])


def judged(**changes: Any) -> DocumentSignature:
    return replace(SIGNATURE, judgements=(replace(SIGNATURE.judgements[0], **changes),))


def test_a_key_covers_the_hashes_of_the_documents_that_it_signed() -> None:
    (use,) = used()
    assert use.signed_hashes == {zh("a"), zh("b")}
    (signing,) = use.signings
    assert (signing.document, signing.source, str(signing.version)) == (SUMS.name, "direct", "1.2.3")


def test_the_lines_have_fingerprint_owner_dates_and_what_was_signed() -> None:
    lines = list(key_lines(used()))
    assert lines == [
        "Key 0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567",
        "  ID 89ABCDEF01234567, rsa4096, created 2024-01-02, never expires, valid now",
        "  claims to be Example Releases <releases@example.test>",
        (
            "  signed registry.example.test/acme/widget 1.2.3: SHA256SUMS of direct, on 2026-05-01: good"
            ", valid when it signed"
        ),
        "    covers 2 hashes",
    ]


def test_a_subkey_that_signed_is_named() -> None:
    lines = list(key_lines(used(judged(signing_fingerprint=SUBKEY))))
    assert "    made by the subkey " + " ".join(["FFFF"] * 10) in lines


def test_a_key_that_expired_after_it_signed_says_both() -> None:
    key = replace(KEY, expires=datetime(2026, 6, 1, tzinfo=UTC), state=KeyState.EXPIRED)
    text = "\n".join(key_lines(used(judged(state=SignatureState.EXPIRED_KEY), key)))
    assert "expires 2026-06-01, expired now" in text
    assert "expired key, valid when it signed" in text


def test_a_signature_that_does_not_count_covers_nothing() -> None:
    bad = judged(state=SignatureState.BAD, valid_when_signed=False)
    answer = SourceAnswer(
        source=ORIGIN,
        outcome=Outcome.ANSWERED,
        observations=((zh("a"), signed(LINUX, state=SignatureState.BAD)),),
        signatures=(bad,),
        keys=(KEY,),
    )
    (use,) = key_uses([audit(answer)])
    assert use.signed_hashes == frozenset()
    assert "bad signature, not valid when it signed" in "\n".join(key_lines([use]))


def test_a_key_that_was_offered_in_vain_is_listed_too() -> None:
    stranger = KeyJudgement(position=0, state=SignatureState.UNKNOWN_ISSUER, keys=(OTHER,))
    signature = replace(SIGNATURE, judgements=(stranger, *SIGNATURE.judgements))
    uses = used(signature, KEY, OTHER)
    assert [use.key.fingerprint for use in uses] == [FINGERPRINT, "9" * 40]
    text = "\n".join(key_lines(uses[1:]))
    assert "signed nothing that was looked at" in text
    assert "but: unknown issuer" in text


def test_a_key_of_several_audits_is_listed_once_with_all_it_signed() -> None:
    answer = SourceAnswer(source=ORIGIN, outcome=Outcome.ANSWERED, signatures=(SIGNATURE,), keys=(KEY,))
    other = replace(audit(answer), version=type(audit(answer).version).parse("1.2.4"))
    (use,) = key_uses([audit(answer), audit(answer), other])
    assert [str(signing.version) for signing in use.signings] == ["1.2.3", "1.2.4"]


def test_several_keys_stand_apart_and_what_is_unknown_is_said() -> None:
    stranger = replace(OTHER, created=None)
    lines = list(key_lines(used(SIGNATURE, KEY, stranger)))
    assert lines[lines.index("") + 1].startswith("Key 9999")
    assert "created at an unknown time" in "\n".join(lines)


def test_a_block_that_cannot_be_decoded_belongs_to_no_key() -> None:
    undecodable = KeyJudgement(position=0, state=SignatureState.UNDECODABLE_KEY)
    (use,) = used(replace(SIGNATURE, judgements=(undecodable, *SIGNATURE.judgements)))
    assert len(use.signings) == 1


def test_one_key_on_one_line_has_its_owner_and_its_state() -> None:
    assert key_line(KEY) == (
        "0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567  Example Releases <releases@example.test>"
        "  rsa4096, created 2024-01-02, never expires, valid"
    )
    assert "  no user ID  " in key_line(replace(KEY, user_ids=()))


def test_what_the_policy_says_of_a_key_is_told_where_it_says_anything() -> None:
    named = list(key_lines(used(), lambda _use: ".lockwarden.hcl line 3"))
    assert named[2:4] == [
        "  claims to be Example Releases <releases@example.test>",
        "  trusted by .lockwarden.hcl line 3",
    ]
    assert "  not a key that the policy names for this provider" in key_lines(used(), lambda _use: False)
    assert not any("polic" in line or "trusted" in line for line in key_lines(used()))


def test_the_reason_of_a_revocation_is_told_with_both_facts_about_its_validity() -> None:
    revoked = judged(state=SignatureState.REVOKED, detail="superseded", valid_when_signed=True)
    (line,) = [each for each in key_lines(used(revoked)) if each.startswith("  signed")]
    assert line.endswith("on 2026-05-01: revoked key, superseded, valid when it signed")


UNKNOWN = replace(
    SIGNATURE,
    issuers=(SUBKEY,),
    judgements=(KeyJudgement(position=0, state=SignatureState.UNKNOWN_ISSUER, keys=(KEY, OTHER)),),
)


def test_a_signature_by_a_key_that_nobody_offered_stands_beside_the_keys_that_were() -> None:
    answer = SourceAnswer(source=ORIGIN, outcome=Outcome.ANSWERED, signatures=(UNKNOWN,), keys=(KEY, OTHER))
    (found,) = unknown_issuers([audit(answer)])
    assert (found.issuers, found.offered) == ((SUBKEY,), (KEY.fingerprint, OTHER.fingerprint))
    assert list(unknown_issuer_lines([found])) == [
        "",
        "Unknown issuer: SHA256SUMS of registry.example.test/acme/widget 1.2.3 at direct",
        "  signed by " + " ".join(["FFFF"] * 10),
        "  offered is 0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567",
        "  offered is " + " ".join(["9999"] * 10),
    ]


def test_a_signature_whose_maker_was_found_is_none_of_those() -> None:
    answer = SourceAnswer(source=ORIGIN, outcome=Outcome.ANSWERED, signatures=(SIGNATURE,), keys=(KEY,))
    assert unknown_issuers([audit(answer)]) == ()
    nobody = replace(UNKNOWN, issuers=())
    assert unknown_issuers([audit(replace(answer, signatures=(nobody,)))]) == ()
