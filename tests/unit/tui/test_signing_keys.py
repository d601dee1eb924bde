"""The life of a key as the screen tells it: valid then, valid now, revoked and why, who signed, who was merely offered.

Every value is fixed, the state of a key at a stated time included; that gpg finds those states is proven elsewhere.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.pull_request import KILN, KILN_UP, NAMESAKE, held, keyless
from fakes.releases import FINGERPRINT, key, zh
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.key_use import KeyUse, SignedByKey, UnknownIssuer, key_uses, why_no_key
from lockwarden.core.review.trusted_keys import is_distrusted
from lockwarden.core.values.signing_keys import KeySeen, KeyState, SignatureState
from lockwarden.tui.render.signing_keys import (
    Keyless,
    key_detail,
    key_row,
    keyless_detail,
    keyless_row,
    unknown_issuer_detail,
    unknown_issuer_row,
)

SUBKEY = "5B" * 20
GROUPED = "6A1B 5E0C 9D27 F384 AA10 B7C3 FCAC 6356 9E8F 3F24"
EXPIRED = replace(key(), state=KeyState.EXPIRED, expires=datetime(2025, 12, 31, tzinfo=UTC))
REVOKED = replace(key(), state=KeyState.REVOKED)
POLICY = held().standards.policy


def signing(state: SignatureState = SignatureState.GOOD, **changes: Any) -> SignedByKey:
    made = SignedByKey(
        address=KILN.address,
        version=KILN.version,
        source="direct",
        document="SHA256SUMS",
        state=state,
        signing_fingerprint=FINGERPRINT,
        signed_at=datetime(2025, 3, 1, tzinfo=UTC),
        valid_when_signed=True,
        detail="",
        hashes=frozenset({zh("a"), zh("b")}),
    )
    return replace(made, **changes)


def told(seen: KeySeen, *signings: SignedByKey, policy: Policy = NO_POLICY, others: tuple[KeyUse, ...] = ()) -> str:
    return key_detail(KeyUse(key=seen, signings=signings), others, policy, 100).plain


def row(seen: KeySeen, *signings: SignedByKey, policy: Policy = NO_POLICY, width: int = 42) -> list[str]:
    shown = key_row(KeyUse(key=seen, signings=signings), policy, width).plain
    return [line.rstrip() for line in shown.split("\n")]


def test_a_good_key_is_valid_now_and_was_valid_when_it_signed() -> None:
    text = told(key(), signing())

    assert f"fingerprint         {GROUPED}" in text
    assert "key ID              FCAC63569E8F3F24" in text
    assert "claims to be        Example Releases <releases@example.test>" in text
    assert "created             2024-01-02" in text
    assert "expires             2031-01-02" in text
    assert "valid now           ✓ yes" in text
    assert "✓ acme/kiln 2.2.0: good signature, on SHA256SUMS of direct" in text
    assert "signed on 2025-03-01, valid when it signed  covers 2 hashes" in text
    assert zh("a").text in text


def test_a_key_that_expired_after_signing_was_valid_then_and_is_not_now() -> None:
    detail = "the key expired on 2025-12-31"
    text = told(EXPIRED, signing(SignatureState.EXPIRED_KEY, detail=detail))

    assert "valid now           ! no, expired: the key expired on 2025-12-31" in text
    assert "! acme/kiln 2.2.0: expired key, the key expired on 2025-12-31, on SHA256SUMS of direct" in text
    assert "signed on 2025-03-01, valid when it signed" in text
    assert row(EXPIRED, signing(SignatureState.EXPIRED_KEY))[1] == "  FCAC63569E8F3F24  expired, signed 1"


def test_a_key_that_had_expired_before_signing_was_not_valid_then() -> None:
    late = signing(
        SignatureState.EXPIRED_KEY,
        signed_at=datetime(2026, 2, 1, tzinfo=UTC),
        valid_when_signed=False,
        hashes=frozenset(),
    )
    text = told(EXPIRED, late)

    assert "signed on 2026-02-01, not valid when it signed  covers 0 hashes" in text
    assert "valid now           ! no, expired" in text


def test_a_signature_that_expired_says_so_while_its_key_is_valid() -> None:
    text = told(key(), signing(SignatureState.EXPIRED_SIGNATURE, detail="the signature expired on 2025-06-01"))

    assert "valid now           ✓ yes" in text
    assert "! acme/kiln 2.2.0: expired signature, the signature expired on 2025-06-01" in text


@pytest.mark.parametrize("reason", ["the key is compromised", "the key is superseded", ""])
def test_a_revoked_key_says_why(reason: str) -> None:
    text = told(REVOKED, signing(SignatureState.REVOKED, detail=reason, hashes=frozenset()))

    assert f"valid now           ✗ no, revoked{': ' if reason else ''}{reason}\n" in text
    assert f"✗ acme/kiln 2.2.0: revoked key{', ' if reason else ''}{reason}, on SHA256SUMS of direct" in text
    assert row(REVOKED, signing(SignatureState.REVOKED))[0].startswith("✗ ")


def test_a_revoked_subkey_is_told_of_the_signature_and_not_of_its_primary_key() -> None:
    text = told(key(), signing(SignatureState.REVOKED, detail="its subkey was revoked", signing_fingerprint=SUBKEY))

    assert "valid now           ✓ yes" in text
    assert "✗ acme/kiln 2.2.0: revoked key, its subkey was revoked" in text


def test_a_subkey_that_signed_is_named_beside_the_primary_key() -> None:
    text = told(replace(key(), signing_subkeys=(SUBKEY,)), signing(signing_fingerprint=SUBKEY))

    assert "signing subkey      5B5B 5B5B" in text
    assert "made by the subkey 5B5B 5B5B" in text
    assert "made by the subkey" not in told(key(), signing())


def test_of_two_keys_one_signed_and_the_other_was_merely_offered() -> None:
    offered = signing(SignatureState.UNKNOWN_ISSUER, signing_fingerprint="", signed_at=None, hashes=frozenset())

    assert "· acme/kiln 2.2.0: offered, and did not sign SHA256SUMS of direct\n" in f"{told(key(), offered)}\n"
    assert row(key(), offered)[1] == "  FCAC63569E8F3F24  signed nothing"
    assert row(key(), signing(), offered)[1] == "  FCAC63569E8F3F24  signed 1"


def test_a_bad_signature_is_by_nobody() -> None:
    bad = signing(SignatureState.BAD, valid_when_signed=False, hashes=frozenset())
    text = told(key(), bad)

    assert "✗ acme/kiln 2.2.0: bad signature, on SHA256SUMS of direct" in text
    assert "signed on" not in text
    assert row(key(), bad)[1] == "  FCAC63569E8F3F24  signed nothing"


def test_keys_that_look_alike_are_told_apart_by_their_whole_fingerprints() -> None:
    namesake = KeyUse(key=key(NAMESAKE), signings=())
    short = KeyUse(key=key("11" * 16 + FINGERPRINT[-8:], "Somebody <else@example.test>"), signings=())
    other = KeyUse(key=key("22" * 20, "Nobody <no@example.test>"), signings=())
    text = told(key(), others=(KeyUse(key=key(), signings=()), namesake, short, other))

    assert "! another key claims the same name:\n  0B5E 7C9F" in text
    assert "! another key ends with the same digits:\n  1111 1111" in text
    assert "2222" not in text


def test_who_trusts_a_key_is_named_by_the_rule() -> None:
    text = told(key(), signing(), policy=POLICY)

    assert "✓ trusted for acme/kiln by .lockwarden.hcl line 2" in text
    assert row(key(), signing(), policy=POLICY)[1].endswith("trusted, signed 1")
    assert not is_distrusted(POLICY, KeyUse(key=key(), signings=(signing(),)))


def test_a_key_that_signs_in_the_place_of_the_named_one_is_an_alarm() -> None:
    stranger = key(NAMESAKE)
    signs = signing(signing_fingerprint=NAMESAKE)
    text = told(stranger, signs, policy=POLICY)

    assert "✗ signs for acme/kiln, for which .lockwarden.hcl line 2 names another key" in text
    assert "ask the maintainers" in text
    assert row(stranger, signs, policy=POLICY)[0].startswith("✗ ")
    assert row(stranger, signs, policy=POLICY)[1] == "  B2C3D4E5F6071829  not trusted, signed 1"
    assert is_distrusted(POLICY, KeyUse(key=stranger, signings=(signs,)))


def test_a_key_that_was_merely_offered_beside_the_named_one_is_no_alarm() -> None:
    stranger, offered = key(NAMESAKE), signing(SignatureState.UNKNOWN_ISSUER, signing_fingerprint="")
    text = told(stranger, offered, policy=POLICY)

    assert "· not trusted for acme/kiln: .lockwarden.hcl line 2 names another key" in text
    assert not is_distrusted(POLICY, KeyUse(key=stranger, signings=(offered,)))


def test_without_a_policy_any_key_counts_and_the_screen_says_so() -> None:
    assert "so any key counts that its registry offers" in " ".join(told(key(), signing()).split())


def test_a_key_without_facts_says_what_is_missing() -> None:
    bare = replace(key(), user_ids=(), created=None, expires=None, notes=("a photograph was left out",))
    text = told(bare)

    assert "claims to be        none" in text
    assert "created             at an unknown time" in text
    assert "expires             never" in text
    assert "a photograph was left out" in text
    assert "offered for nothing that was looked at" in text
    assert row(bare)[0] == "✓ no user ID"


def test_a_wide_list_has_a_line_for_each_key() -> None:
    assert row(key(), signing(), width=78) == [
        "✓ Example Releases <releases@exampl…  FCAC63569E8F3F24  signed 1",
    ]


def test_an_unknown_issuer_is_told_beside_the_keys_that_were_offered() -> None:
    stranger = UnknownIssuer(
        address=KILN.address,
        version=KILN.version,
        source="direct",
        document="SHA256SUMS",
        issuers=(NAMESAKE,),
        offered=(FINGERPRINT,),
    )
    text = unknown_issuer_detail(stranger, 100).plain

    assert "✗ SHA256SUMS of acme/kiln 2.2.0 at direct is signed by a key that the registry does not offer" in text
    assert "signature says      0B5E 7C9F" in text
    assert f"registry offers     {GROUPED}" in text
    assert "registry offers     none" in unknown_issuer_detail(replace(stranger, offered=()), 100).plain
    assert unknown_issuer_row(stranger, 40).plain == "✗ unknown issuer\n  B2C3D4E5F6071829  acme/kiln"


def test_a_release_without_a_key_says_why() -> None:
    (answer,) = keyless(held().provider(KILN_UP.address).audit).source_answers  # type: ignore[arg-type]
    found = Keyless(name="acme/kiln 2.3.0", why=why_no_key(answer))

    assert "No key for acme/kiln 2.3.0: the registry offers none" in keyless_detail(found, 100).plain
    assert keyless_row(found, 40).plain == "– no key\n  acme/kiln 2.3.0"


def test_of_a_release_that_a_registry_did_not_answer_for_no_key_is_known() -> None:
    silent = Keyless(
        name="acme/kiln 2.3.0",
        why="no answer, the name acme.test cannot be resolved",
        outcome=Outcome.NO_ANSWER,
        hint="check the name",
    )
    told = keyless_detail(silent, 100).plain

    assert "? No key known for acme/kiln 2.3.0: no answer, the name" in told
    assert "whether anybody signed it is not known; check the name" in told
    assert "nobody" not in told
    assert keyless_row(silent, 40).plain == "? no key known\n  acme/kiln 2.3.0"


@pytest.mark.parametrize("width", [16, 24, 40, 63, 64, 120])
def test_no_line_is_longer_than_the_width_it_is_told_for(width: int) -> None:
    audits = [each.audit for each in held().providers if each.audit is not None]
    uses = key_uses(audits)
    for use in uses:
        for content in (key_row(use, POLICY, width), key_detail(use, uses, POLICY, width)):
            assert max(line.cell_length for line in content.split("\n")) <= width
