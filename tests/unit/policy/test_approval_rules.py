"""What a policy says of approvals: who may sign them, and which list of allowed signers it means."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.document_signing import NAMESPACE, Minisigner, ed25519
from builders.tables import table

from lockwarden.core.policy.model import Policy, together
from lockwarden.core.policy.read import read_policy
from lockwarden.core.values.errors import InputError, PolicyError
from lockwarden.core.values.signature_schemes import SignatureScheme

ADA = ed25519()
LIST = f'ada@example.test namespaces="{NAMESPACE}" {ADA.public}\nnobody\n'
MINISIGN = Minisigner().public


def named(name: str) -> bytes:
    if name != "keys/allowed":
        raise InputError(f"there is no file “{name}”", hint="commit it")
    return LIST.encode()


def read(text: str) -> Policy:
    return read_policy(text.encode(), path="policy.hcl", folder=Path("/srv"), named_file=named)


def complaints(text: str) -> str:
    with pytest.raises(PolicyError) as caught:
        read(text)
    return "\n".join(f"{each.line}: {each.message} ({each.hint})" for each in caught.value.diagnostics)


def test_one_block_says_all_of_approvals() -> None:
    found = read(
        f'approvals {{\n  from_change = false\n  signed = true\n  allowed_signers = "keys/allowed"\n'
        f'  revoked = ["{ADA.fingerprint}", "{MINISIGN}"]\n}}\n'
    )
    assert (found.approvals_from_change, found.approvals_signed) == (False, True)
    assert found.revoked_signers == {ADA.fingerprint, MINISIGN}
    assert [each.line for each in found.allowed_signers.signers] == [1]
    assert [each.line for each in found.allowed_signers.void] == [2]
    assert found.allowed_signers.path == "keys/allowed"


def test_without_one_nothing_is_asked_and_nobody_else_may_sign() -> None:
    found = read("# nothing\n")
    assert not found.approvals_signed
    assert (found.allowed_signers.signers, found.revoked_signers) == ((), frozenset())


def test_files_that_nobody_gives_let_nobody_sign() -> None:
    text = b'approvals {\n  allowed_signers = "keys/allowed"\n}\n'
    assert read_policy(text, path="p", folder=Path("/srv")).allowed_signers.signers == ()


@pytest.mark.parametrize("scheme", ["minisign", "signify"])
def test_a_key_without_a_fingerprint_is_named_whole(scheme: str) -> None:
    (key,) = read(f'signing_key "{MINISIGN}" {{\n  scheme = "{scheme}"\n  providers = ["*/*/*"]\n}}\n').other_keys
    assert (key.scheme, key.fingerprint) == (SignatureScheme(scheme), MINISIGN)


@table(
    ("text", "why"),
    [
        (
            'approvals {\n  allowed_signers = "/etc/allowed"\n}\n',
            "2: “/etc/allowed” does not lie in the policy's folder",
        ),
        ('approvals {\n  allowed_signers = "keys/../../allowed"\n}\n', "nor below it"),
        ('approvals {\n  allowed_signers = "keys\\\\allowed"\n}\n', "nor below it"),
        ('approvals {\n  allowed_signers = "keys/none"\n}\n', "2: there is no file “keys/none” (commit it)"),
        ('approvals {\n  revoked = ["SHA256:abc"]\n}\n', "is no key"),
        ('approvals {\n  revoked = ["RWQ"]\n}\n', "is no key"),
        ('approvals {\n  signed = "yes"\n}\n', "not a text"),
        ("approvals {\n  signed = true\n}\napprovals {\n  signed = true\n}\n", "4: approvals are spoken of on line 1"),
        ('signing_key "RWQ" {\n  scheme = "minisign"\n  providers = ["*/*/*"]\n}\n', "second line of its file"),
        (
            f'signing_key "{MINISIGN}" {{\n  scheme = "minisign"\n  public_key = "a"\n  providers = ["*/*/*"]\n}}\n',
            "the block names it whole",
        ),
        (
            f'signing_key "{ADA.fingerprint[:-1]}h" {{\n  scheme = "sshsig"\n  providers = ["*/*/*"]\n}}\n',
            "is not the fingerprint of a sshsig key",
        ),
    ],
)
def test_what_is_not_understood_is_refused(text: str, why: str) -> None:
    assert why in complaints(text)


def test_two_policies_that_say_otherwise_of_approvals_both_count() -> None:
    plain, revoking = (
        read("approvals {\n  from_change = true\n}\n"),
        read(f'approvals {{\n  revoked = ["{MINISIGN}"]\n}}\n'),
    )
    assert len(together([plain, revoking]).each) == 2
    assert len(together([plain, plain]).each) == 1


def test_changes_may_approve_where_every_policy_lets_them() -> None:
    letting, other = Policy(path="a", approvals_from_change=True), Policy(path="b")
    assert together([letting, letting]).lets_changes_approve
    assert not together([letting, other]).lets_changes_approve
    assert not together([other, letting]).lets_changes_approve
