"""Lists of allowed signers: what a line lets whom sign, and which lines are void."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from builders.document_signing import NAMESPACE, by_reason, ed25519, rsa, string
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.document_signatures.allowed_signers import (
    MAX_BYTES,
    AllowedSigners,
    matches,
    read_allowed_signers,
)
from lockwarden.core.document_signatures.faults import MalformedError
from lockwarden.core.document_signatures.ssh_keys import read_key

ED, OTHER = ed25519(), ed25519(bytes(32))
OURS = f'namespaces="{NAMESPACE}"'


def read(text: str) -> AllowedSigners:
    return read_allowed_signers(text.encode(), path="keys/allowed_signers", zone=timezone(timedelta(hours=2)))


def test_a_line_names_signers_and_a_key() -> None:
    found = read(f"# ours\n\n  ada@example.test,*@ops.example.test {OURS} {ED.public} Ada's laptop\r\n")
    assert found.void == ()
    (signer,) = found.of(read_key(ED.blob))
    assert signer.line == 3
    assert signer.names("ada@example.test")
    assert signer.names("bob@ops.example.test")
    assert not signer.names("bob@example.test")
    assert signer.serves(NAMESPACE)
    assert not signer.serves("git")
    assert found.of(read_key(OTHER.blob)) == ()


def test_a_line_without_namespaces_serves_nothing() -> None:
    (signer,) = read(f"ada@example.test {ED.public}").signers
    assert not signer.serves(NAMESPACE)
    assert not signer.serves("git")


def test_principals_can_stand_in_quotation_marks() -> None:
    (signer,) = read(f'"ada@example.test,eve@example.test" {OURS} {ED.public}').signers
    assert signer.principals == ("ada@example.test", "eve@example.test")


def test_a_line_says_from_when_to_when() -> None:
    text = f'a {OURS},valid-after="20260101",VALID-BEFORE="202701312359Z" {ED.public}'
    (signer,) = read(text).signers
    assert signer.valid_after == datetime(2025, 12, 31, 22, tzinfo=UTC), "without a Z it is of this machine's zone"
    assert signer.valid_before == datetime(2027, 1, 31, 23, 59, tzinfo=UTC)
    (signer,) = read(f'a {OURS},valid-before="20270131235958Z" {ED.public}').signers
    assert (signer.valid_after, signer.valid_before) == (None, datetime(2027, 1, 31, 23, 59, 58, tzinfo=UTC))


def test_it_holds_at_both_of_its_ends() -> None:
    (signer,) = read(f'a {OURS},valid-after="20260101Z",valid-before="20270101Z" {ED.public}').signers
    first, last, second = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC), timedelta(seconds=1)
    assert not signer.begins_later(first)
    assert signer.begins_later(first - second)
    assert not signer.has_ended(last)
    assert signer.has_ended(last + second)
    (always,) = read(f"a {OURS} {ED.public}").signers
    assert not always.begins_later(first)
    assert not always.has_ended(last)


def test_without_a_zone_this_machines_is_meant() -> None:
    found = read_allowed_signers(f'a valid-after="20260101" {ED.public}'.encode(), path="l")
    assert found.signers[0].valid_after == datetime(2026, 1, 1).astimezone(UTC)


@table(
    ("line", "why"),
    [
        (f"a cert-authority {ED.public}", "authority"),
        (f"a cert-authority,{OURS} {ED.public}", "authority"),
        (f'a made-up="x" {ED.public}', "option made-up"),
        (f"a no-touch-required {ED.public}", "option no-touch-required"),
        (f"a namespaces {ED.public}", "option namespaces"),
        (f"a {OURS},{OURS} {ED.public}", "twice"),
        (f'a namespaces="git {ED.public}', "cannot be read"),
        (f"a namespaces=git {ED.public}", "cannot be read"),
        (f"a {OURS}, {ED.public}", "cannot be read"),
        (f'a valid-after="2026" {ED.public}', "not a time"),
        (f'a valid-after="20261301" {ED.public}', "not a time"),
        (f'a valid-before="20260101",valid-after="20260101" {ED.public}', "ends before it begins"),
        ("a", "no key"),
        (f"a {OURS}", "no key"),
        (f"a {OURS} what is this", "no key|base64"),
        (f"a {ED.public[:-4]}", "ends in the middle|base64"),
        (f"a ssh-rsa {ED.public.split()[1]}", "is called ssh-rsa"),
        (f"a {replace(ED, blob=string(b'ssh-ed25519-cert-v01@openssh.com')).public}", "certificate"),
        (f"a {rsa(bits=1024).public}", "1024 bits"),
    ],
    ids=by_reason,
)
def test_a_line_that_is_not_understood_lets_nothing_count_and_is_told(line: str, why: str) -> None:
    found = read(f"b {OURS} {OTHER.public}\n{line}\n")
    assert [each.line for each in found.signers] == [1]
    ((number, told),) = [(each.line, each.why) for each in found.void]
    assert number == 2
    assert any(part in told for part in why.split("|")), told


def test_what_is_no_list_is_refused() -> None:
    for data in (b"\xff", b"#" * (MAX_BYTES + 1)):
        with pytest.raises(MalformedError):
            read_allowed_signers(data, path="l")


@table(
    ("text", "patterns", "is_meant"),
    [
        ("ada", ("ada",), True),
        ("ada", ("adam", "ad", "Ada", ""), False),
        ("ada", ("*",), True),
        ("ada", ("a?a",), True),
        ("ada", ("a??a",), False),
        ("ada@x", ("*@x",), True),
        ("ada@y", ("*@x",), False),
        ("ada", ("a*a*a",), False),
        ("adada", ("a*d*a",), True),
        ("abc", ("a*d*c",), False),
        ("aXbYc", ("a*?b*c",), True),
        ("ada", ("*", "!ada"), False),
        ("ada", ("!ada", "*"), False),
        ("ada", ("!eve",), False),
        ("ada", (), False),
        ("aaa", ("aa*aa",), False),
    ],
)
def test_patterns_are_those_of_openssh(text: str, patterns: tuple[str, ...], is_meant: bool) -> None:
    assert matches(text, patterns) is is_meant


def test_no_pattern_takes_long() -> None:
    assert not matches("a" * 5_000, ("*a" * 40 + "b",))
