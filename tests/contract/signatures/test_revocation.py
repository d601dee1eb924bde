"""Keys, subkeys and user IDs that were revoked."""

from __future__ import annotations

import pytest
from contract.signatures.workshop import Judge, Key, Workshop

from lockwarden.core.values.signing_keys import KeyState, SignatureState


@pytest.mark.parametrize(
    ("reason", "detail"), [(0, "no reason given"), (1, "compromised"), (2, "superseded"), (3, "no longer used")]
)
def test_a_revoked_key_is_refused_whatever_the_reason_and_says_it(
    judge: Judge, workshop: Workshop, reason: int, detail: str
) -> None:
    key = workshop.make()
    before = workshop.sign(key)
    workshop.revoke(key, reason=reason, when="20250401T000000")
    judgement = judge(before, workshop.armor(key))
    assert (judgement.state, judgement.detail) == (SignatureState.REVOKED, detail)
    assert judgement.valid_when_signed
    assert not judgement.vouches
    assert judgement.keys[0].state is KeyState.REVOKED


def test_a_signature_made_after_the_revocation_is_refused_alike(judge: Judge, workshop: Workshop) -> None:
    key = workshop.make()
    late = workshop.sign(key, when="20250501T000000")
    workshop.revoke(key, reason=2, when="20250401T000000")
    assert judge(late, workshop.armor(key)).state is SignatureState.REVOKED


def test_revocation_comes_before_expiry(judge: Judge, workshop: Workshop, document: bytes) -> None:
    key = workshop.make(expires="20251231T000000")
    signature = workshop.sign(key, document, "--default-sig-expire", "30d")
    workshop.revoke(key, reason=1)
    judgement = judge(signature, workshop.armor(key))
    assert (judgement.state, judgement.detail) == (SignatureState.REVOKED, "compromised")


def test_a_wrong_signature_by_a_revoked_key_is_bad(judge: Judge, workshop: Workshop) -> None:
    key = workshop.make()
    wrong = workshop.sign(key, b"another document\n")
    workshop.revoke(key, reason=1)
    assert judge(wrong, workshop.armor(key)).state is SignatureState.BAD


class TestRevokedSubkey:
    @pytest.fixture(scope="class")
    def signed(self, workshop: Workshop) -> tuple[Key, bytes, bytes, str]:
        key = workshop.add_subkey(workshop.make(usage="sign,cert"))
        by_subkey, by_primary = workshop.sign(key.subkeys[0]), workshop.sign(key.fingerprint)
        workshop.edit(key, "key 1", "revkey", "y", "1", "", "y", "save")
        return key, by_subkey, by_primary, workshop.armor(key)

    def test_its_own_signature_is_refused(self, judge: Judge, signed: tuple[Key, bytes, bytes, str]) -> None:
        key, by_subkey, _, armor = signed
        judgement = judge(by_subkey, armor)
        assert judgement.state is SignatureState.REVOKED
        assert judgement.detail == f"subkey {key.subkeys[0]}: compromised"
        assert judgement.keys[0].state is KeyState.VALID

    def test_the_primary_keys_signature_stays_good(self, judge: Judge, signed: tuple[Key, bytes, bytes, str]) -> None:
        _, _, by_primary, armor = signed
        assert judge(by_primary, armor).state is SignatureState.GOOD


class TestRevokedUserIds:
    @pytest.fixture(scope="class")
    def key(self, workshop: Workshop) -> Key:
        key = workshop.make("First <first@widget.example>")
        workshop.run("--quick-add-uid", key.fingerprint, "Second <second@widget.example>", when="20250201T000000")
        workshop.run("--quick-revoke-uid", key.fingerprint, "First <first@widget.example>", when="20250401T000000")
        return key

    def test_one_revoked_user_id_does_not_matter(self, judge: Judge, workshop: Workshop, key: Key) -> None:
        assert judge(workshop.sign(key), workshop.armor(key)).state is SignatureState.GOOD

    def test_a_key_whose_user_ids_are_all_revoked_is_refused(self, judge: Judge, workshop: Workshop, key: Key) -> None:
        only_revoked = b""
        keep = True
        for tag, raw in workshop.packets(workshop.export(key)):
            keep = b"Second" not in raw if tag == 13 else keep
            only_revoked += raw if keep else b""
        judgement = judge(workshop.sign(key), workshop.wrap(only_revoked))
        assert (judgement.state, judgement.detail) == (SignatureState.REVOKED, "all its user IDs are revoked")


def test_a_revoked_key_that_did_not_sign_does_not_harm_another_in_its_block(
    judge: Judge, workshop: Workshop, stranger: Key
) -> None:
    revoked = workshop.make()
    workshop.revoke(revoked, reason=1)
    judgement = judge(workshop.sign(stranger), workshop.armor(revoked, stranger))
    assert judgement.state is SignatureState.GOOD
    assert judgement.keys[0].fingerprint == stranger.fingerprint
    assert {seen.fingerprint: seen.state for seen in judgement.keys} == {
        stranger.fingerprint: KeyState.VALID,
        revoked.fingerprint: KeyState.REVOKED,
    }
