"""Who vouches for evidence: by the signature, by what it is for, by the list and its windows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from builders.document_signing import Signer, ecdsa, ed25519, security_key
from builders.tables import table

from lockwarden.core.bundles.vouching import NAMESPACE, Vouching, in_time, vouching_for
from lockwarden.core.document_signatures.allowed_signers import AllowedSigners, read_allowed_signers
from lockwarden.core.values.errors import InputError

DATA = b"evidence"
NOW = datetime(2026, 6, 1, tzinfo=UTC)
ALICE = ed25519()


def names(*lines: str) -> AllowedSigners:
    return read_allowed_signers("\n".join(lines).encode(), path="signers")


def of(signer: Signer, signers: AllowedSigners | None, *, namespace: str = NAMESPACE, over: bytes = DATA) -> Vouching:
    text = signer.over(over, namespace=namespace).encode()
    return vouching_for(DATA, text, signers, name="evidence.tar", now=NOW)


def test_nobody_has_signed_it() -> None:
    told = vouching_for(DATA, None, names(), name="evidence.tar", now=NOW)
    assert (told.fingerprint, told.signer, told.doubt) == ("", "", "nobody has signed it")


@pytest.mark.parametrize("signer", [ALICE, ecdsa("nistp256"), security_key("sk-ssh-ed25519@openssh.com")])
def test_whom_the_list_names_for_evidence_vouches(signer: Signer) -> None:
    line = f'alice@example.test,build namespaces="{NAMESPACE}" {signer.public}'
    told = of(signer, names(line))
    assert (told.fingerprint, told.signer, told.doubt) == (signer.fingerprint, "alice@example.test, build", "")


@table(
    ("line", "doubt"),
    [
        ("", "whom signers does not name for evidence@lockwarden"),
        (f"alice {ALICE.public}", "whom signers does not name for evidence@lockwarden"),
        (f'alice namespaces="git" {ALICE.public}', "whom signers does not name for evidence@lockwarden"),
        (f'bob namespaces="{NAMESPACE}" {ed25519(b"x" * 32).public}', "whom signers does not name for"),
        (f'alice namespaces="{NAMESPACE}",valid-before="20260531Z" {ALICE.public}', "does not name for this time"),
        (f'alice namespaces="{NAMESPACE}",valid-after="20260602Z" {ALICE.public}', "does not name for this time"),
    ],
)
def test_whom_it_does_not_name_does_not_vouch_and_is_told(line: str, doubt: str) -> None:
    told = of(ALICE, names(line))
    assert (told.fingerprint, told.signer) == (ALICE.fingerprint, "")
    assert doubt in told.doubt
    assert ALICE.fingerprint in told.doubt


def test_without_a_list_nobody_vouches_and_the_key_is_told() -> None:
    told = of(ALICE, None)
    assert (told.fingerprint, told.signer) == (ALICE.fingerprint, "")
    assert "you named nobody" in told.doubt


def test_a_security_key_that_nobody_touched_does_not_vouch_at_all() -> None:
    signer = security_key("sk-ssh-ed25519@openssh.com", flags=0)
    told = of(signer, names(f'alice namespaces="{NAMESPACE}" {signer.public}'))
    assert (told.fingerprint, told.signer) == ("", "")
    assert "nobody touched" in told.doubt


def test_a_signature_for_something_else_or_over_something_else_is_refused() -> None:
    signers = names(f'alice namespaces="*" {ALICE.public}')
    for namespace in ("git", "approved-hashes@lockwarden", "file"):
        with pytest.raises(InputError, match="and not for evidence"):
            of(ALICE, signers, namespace=namespace)
    with pytest.raises(InputError, match=r"evidence\.tar\.sig is not over evidence\.tar"):
        of(ALICE, signers, over=DATA + b"!")
    for broken in (b"", b"\xff\xfe", b"-----BEGIN SSH SIGNATURE-----\n"):
        with pytest.raises(InputError, match="no whole armor"):
            vouching_for(DATA, broken, signers, name="evidence.tar", now=NOW)


@table(
    ("age", "most", "doubt"),
    [
        (timedelta(days=900), None, ""),
        (timedelta(days=7), 7, ""),
        (timedelta(days=7, seconds=1), 7, "older than 7 days"),
        (timedelta(minutes=-5), 7, ""),
        (timedelta(minutes=-6), None, "in the future"),
    ],
)
def test_nobody_vouches_for_evidence_of_a_wrong_age(age: timedelta, most: int | None, doubt: str) -> None:
    signed = Vouching(fingerprint=ALICE.fingerprint, signer="alice", doubt="")
    told = in_time(signed, NOW - age, NOW, max_age=None if most is None else timedelta(days=most))
    assert (told == signed) is not bool(doubt)
    assert doubt in told.doubt
    assert told.fingerprint == ("" if doubt else ALICE.fingerprint)
    assert in_time(Vouching(), NOW - age, NOW, max_age=timedelta(days=1)) == Vouching()
