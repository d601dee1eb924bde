"""How odd answers of gpg are read: lines that this gpg does not print today, and what depends on their order."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders.tables import table
from contract.signatures.workshop import NOW

from lockwarden.core.signatures.blocks import KeyBlock, client_fault
from lockwarden.core.signatures.colons import Certificate, KeyFacts, read_certificates, read_time
from lockwarden.core.signatures.judge import DecidingSignature, judge
from lockwarden.core.signatures.keyblock import BlockShape, KeyShape
from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.signature_packets import SignaturePacket
from lockwarden.core.signatures.status import MAX_LINES, StatusLog
from lockwarden.core.values.signing_keys import KeyJudgement, SignatureState

FINGERPRINT = "A" * 40
VALID = ("VALIDSIG", f"{FINGERPRINT} 2025-03-01 1740787200 0 4 0 22 10 00 {FINGERPRINT}")
KEY = KeyFacts(fingerprint=FINGERPRINT, algorithm="ed25519", created=None, expires=None, revoked=False, may_sign=True)
CERTIFICATE = Certificate(primary=KEY, subkeys=(), user_ids=(), valid_user_ids=0, user_attributes=0)
CANDIDATE = DecidingSignature(signature=SignaturePacket(version=4, raw=b""), certificate=CERTIFICATE, key=KEY)
BLOCK = KeyBlock(armor="", certificates=(CERTIFICATE,))


def judged(*lines: tuple[str, str]) -> KeyJudgement:
    log = StatusLog()
    for keyword, value in lines:
        log.handle_status(keyword, value)
    return judge(CANDIDATE, log, BLOCK, position=0, now=NOW, limits=SignatureLimits())


class TestStatusLines:
    def test_good_and_valid_together_are_good(self) -> None:
        judgement = judged(("GOODSIG", "AAAA x"), VALID)
        assert judgement.state is SignatureState.GOOD
        assert judgement.signed_at == datetime(2025, 3, 1, tzinfo=UTC)

    def test_a_good_line_alone_is_not_believed(self) -> None:
        assert judged(("GOODSIG", "AAAA x")).state is SignatureState.UNDECODABLE_SIGNATURE

    def test_a_valid_line_alone_is_not_believed(self) -> None:
        assert judged(VALID).state is SignatureState.BAD

    @table(
        "value",
        [
            "",
            "short line",
            VALID[1].replace("A" * 40, "B" * 40),
            VALID[1].replace("A" * 40, "B" * 40, 1),
            VALID[1].removesuffix("A" * 40) + "B" * 40,
        ],
        ids=["empty", "short", "another", "another subkey of it", "the same subkey of another"],
    )
    def test_a_valid_line_for_another_key_is_not_believed(self, value: str) -> None:
        judgement = judged(("GOODSIG", "AAAA x"), ("VALIDSIG", value))
        assert judgement.state is SignatureState.UNDECODABLE_SIGNATURE
        assert not judgement.valid_when_signed

    @pytest.mark.parametrize(
        ("keyword", "state"),
        [
            ("REVKEYSIG", SignatureState.REVOKED),
            ("EXPKEYSIG", SignatureState.EXPIRED_KEY),
            ("EXPSIG", SignatureState.EXPIRED_SIGNATURE),
        ],
    )
    def test_gpgs_own_verdict_counts_where_the_listing_does_not_show_why(
        self, keyword: str, state: SignatureState
    ) -> None:
        assert judged((keyword, "AAAA x"), VALID).state is state

    def test_a_key_that_is_there_and_that_gpg_does_not_find_makes_the_signature_bad(self) -> None:
        judgement = judged(("ERRSIG", "AAAA 22 10 00 1740787200 9 -"), ("NO_PUBKEY", "AAAA"))
        assert judgement.state is SignatureState.BAD

    @pytest.mark.parametrize(
        ("line", "detail"),
        [
            (("NODATA", "4"), "gpg cannot read the signature"),
            (("ERRSIG", "AAAA 22 12 00 1740787200 5 -"), "gpg cannot check it (error 5)"),
            (("FAILURE", "gpg-exit 33554433"), "gpg cannot check it"),
        ],
    )
    def test_what_gpg_cannot_check_is_undecodable(self, line: tuple[str, str], detail: str) -> None:
        judgement = judged(line)
        assert (judgement.state, judgement.detail) == (SignatureState.UNDECODABLE_SIGNATURE, detail)

    def test_lines_past_the_limit_are_dropped(self) -> None:
        log = StatusLog()
        for _ in range(MAX_LINES + 5):
            log.handle_status("NEWSIG", "")
        assert len(log.lines) == MAX_LINES


def test_a_key_that_gpg_lists_without_user_ids_is_refused_as_the_clients_do() -> None:
    shape = BlockShape(holds_secret_keys=False, keys={FINGERPRINT: KeyShape(primary=FINGERPRINT)})
    assert client_fault(CERTIFICATE, shape, b"") == "gpg finds no user ID with a valid signature by the key itself"


class TestListings:
    def test_records_before_the_first_key_and_of_other_kinds_are_passed_over(self) -> None:
        listing = (
            b"tru::1:1700000000:0:3:1:5\nuid:-::::1::H::Nobody::::::::::0:\nshort:line\n"
            b"pub:-:255:22:AAAAAAAAAAAAAAAA:1735689600:::-:::scSC:::::ed25519:::0:\n"
            b"fpr:::::::::" + FINGERPRINT.encode() + b":\ngrp:::::::::BBBB:\nrvk:::22::::::CCCC:::::\n"
        )
        (certificate,) = read_certificates(listing)
        assert certificate.primary.fingerprint == FINGERPRINT
        assert (certificate.subkeys, certificate.user_ids) == ((), ())

    def test_an_unknown_algorithm_is_named_by_its_number(self) -> None:
        (certificate,) = read_certificates(b"pub:-:256:99:AAAAAAAAAAAAAAAA:1735689600:::-:::sc:\n")
        assert certificate.primary.algorithm == "algorithm 99 256"
        assert not certificate.primary.revoked

    @table(
        ("text", "moment"),
        [
            ("1735689600", datetime(2025, 1, 1, tzinfo=UTC)),
            ("20250101T000000", datetime(2025, 1, 1, tzinfo=UTC)),
            ("", None),
            ("0", None),
            ("nonsense", None),
            ("9" * 30, None),
        ],
    )
    def test_times_are_read_in_both_forms(self, text: str, moment: datetime | None) -> None:
        assert read_time(text) == moment

    def test_an_empty_listing_has_no_keys(self) -> None:
        assert read_certificates(b"") == ()
