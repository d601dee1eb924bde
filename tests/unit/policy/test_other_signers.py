"""Rules about signers of other schemes than GPG: what each may say, and that nothing half-said becomes a rule."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.core.policy.edit import with_signing_key
from lockwarden.core.policy.model import Policy
from lockwarden.core.policy.read import read_policy
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError, PolicyError
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.public_keys import fingerprint_of, spki_of
from lockwarden.core.values.signature_schemes import SignatureScheme

SPKI = "MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="
PEM = f"-----BEGIN PUBLIC KEY-----\n{SPKI}\n-----END PUBLIC KEY-----\n".encode()
FINGERPRINT = "sha256:a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5"
SSH = "SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg"
ACME = ProviderAddress.parse("registry.example.test/acme/widget")
OTHER = ProviderAddress.parse("registry.example.test/other/widget")
PROVIDERS = 'providers = ["registry.example.test/acme/*"]'
KEY = f'signing_key "{FINGERPRINT}" {{\n  scheme = "cosign-key"\n  public_key = "keys/acme.pub"\n  {PROVIDERS}\n}}\n'
IDENTITY = f"""signing_identity "acme-release" {{
  issuer            = "https://token.example.test"
  subject           = "https://git.example.test/acme/provider/.ci/release@refs/tags/v{{version}}"
  source_repository = "https://git.example.test/acme/provider"
  source_ref        = "refs/tags/v{{version}}"
  trusted_root      = "root.json"
  {PROVIDERS}
}}
"""


def files(name: str) -> bytes:
    found = {"keys/acme.pub": PEM, "root.json": b"{}"}.get(name)
    if found is None:
        raise InputError(f"there is no file “{name}”")
    return found


def read(text: str) -> Policy:
    return read_policy(text.encode(), path="policy.hcl", folder=Path("/srv"), named_file=files)


def complaints(text: str) -> str:
    with pytest.raises(PolicyError) as caught:
        read(text)
    return "\n".join(f"{each.line}: {each.message} ({each.hint})" for each in caught.value.diagnostics)


def test_the_worked_fingerprint() -> None:
    assert fingerprint_of(spki_of(PEM)) == FINGERPRINT
    assert base64.b64encode(bytes.fromhex(FINGERPRINT[7:])) == b"oFCDfYUHBYLM9zlLCYiEfMMSy4glm4lImfbyOc8XkaU="


def test_a_key_of_cosign_is_no_gpg_key() -> None:
    policy = read(KEY.replace("  scheme", '  owner = "Acme"\n  not_after = "2027-12-31T00:00:00Z"\n  scheme'))
    (key,) = policy.other_keys_for(ACME)
    assert (key.scheme, key.fingerprint, key.owner) == (SignatureScheme.COSIGN_KEY, FINGERPRINT, "Acme")
    assert (key.public_key, key.not_after) == (PEM, datetime(2027, 12, 31, tzinfo=UTC))
    assert str(key.rule) == "policy.hcl line 1"
    assert not policy.keys_for(ACME)
    assert not policy.other_keys_for(OTHER)


def test_an_ssh_key_needs_no_file() -> None:
    (key,) = read(f'signing_key "{SSH}" {{\n  scheme = "sshsig"\n  {PROVIDERS}\n}}\n').other_keys
    assert (key.scheme, key.fingerprint, key.public_key) == (SignatureScheme.SSHSIG, SSH, b"")


def test_an_identity_binds_the_version() -> None:
    policy = read(IDENTITY)
    (identity,) = policy.identities_for(ACME)
    assert identity.subject_for("1.2.3").endswith("@refs/tags/v1.2.3")
    assert identity.ref_for("1.2.3") == "refs/tags/v1.2.3"
    assert (identity.name, identity.trusted_root) == ("acme-release", b"{}")
    assert not policy.identities_for(OTHER)


def test_schemes_can_be_required() -> None:
    text = 'require {\n  providers = ["*/*/*"]\n  signatures = ["cosign-key", "sshsig", "gpg", "sigstore"]\n}\n'
    (rule,) = read(text).requirements
    assert rule.signatures == {
        SignatureScheme.COSIGN_KEY,
        SignatureScheme.SSHSIG,
        SignatureScheme.GPG,
        SignatureScheme.SIGSTORE,
    }


def test_two_policies_that_differ_in_a_key_judge_differently() -> None:
    assert read(KEY).rules != read("").rules
    assert read(KEY).rules == read("\n" + KEY).rules


def test_what_stood_there_is_kept_when_a_key_is_added() -> None:
    policy = read(KEY + IDENTITY)
    data = with_signing_key(policy, "0" * 40, "", [ProviderPattern.parse("*/*/*")])
    assert data.startswith(policy.data)


MISTAKES = {
    "a label of another scheme": (KEY.replace(FINGERPRINT, "A" * 40), "1: “AAAA", "openssl pkey"),
    "an ssh label cut": (
        f'signing_key "SHA256:abc" {{\n  scheme = "sshsig"\n  {PROVIDERS}\n}}\n',
        "1: “SHA256:abc” is not the fingerprint of a sshsig key",
        "ssh-keygen -l",
    ),
    "a very long label": (KEY.replace(FINGERPRINT, "x" * 500), "x…” is not the fingerprint", "sha256:"),
    "no key file": (
        KEY.replace('public_key = "keys/acme.pub"', ""),
        "1: the block signing_key needs the setting “public_key”",
        "",
    ),
    "a file that is not there": (KEY.replace("acme.pub", "gone.pub"), "3: there is no file “keys/gone.pub”", ""),
    "a file that holds something else": (
        KEY.replace("keys/acme.pub", "root.json"),
        "3: “root.json” cannot be used: it is no file with one public key",
        "BEGIN PUBLIC KEY",
    ),
    "the key of somebody else": (
        KEY.replace("sha256:a0", "sha256:b0"),
        f"3: the key in “keys/acme.pub” is {FINGERPRINT}, and the block is of another",
        "slip in",
    ),
    "a key file for ssh": (
        f'signing_key "{SSH}" {{\n  scheme = "sshsig"\n  public_key = "keys/acme.pub"\n  {PROVIDERS}\n}}\n',
        "3: a key of sshsig needs no public_key",
        "remove",
    ),
    "a key file for gpg": (
        f'signing_key "{"0" * 40}" {{\n  public_key = "keys/acme.pub"\n  {PROVIDERS}\n}}\n',
        "2: a GPG key has no public_key",
        "name the scheme",
    ),
    "a scheme that is not built": (
        KEY.replace("cosign-key", "notation"),
        "2: no key of the scheme “notation” can be named here, which is not supported yet",
        "cosign-key, gpg, minisign, signify, sshsig",
    ),
    "a scheme that nobody knows": (
        KEY.replace("cosign-key", "pgp"),
        "2: no key of the scheme “pgp” can be named here",
        "cosign-key, gpg, minisign, signify, sshsig",
    ),
    "a key of sigstore": (
        KEY.replace("cosign-key", "sigstore"),
        "2: sigstore has no keys that last",
        "signing_identity",
    ),
    "no time": (
        KEY.replace("  scheme", '  not_after = "2027-12-31"\n  scheme'),
        "2: “2027-12-31” is not a time",
        "in UTC",
    ),
    "a day that is not there": (
        KEY.replace("  scheme", '  not_after = "2027-02-31T00:00:00Z"\n  scheme'),
        "is not a time",
        "in UTC",
    ),
    "a long time": (KEY.replace("  scheme", f'  not_after = "{"9" * 200}"\n  scheme'), "9…” is not a time", "in UTC"),
    "an owner without end": (
        KEY.replace("  scheme", f'  owner = "{"x" * 300}"\n  scheme'),
        "2: the owner's name has more than 256 characters",
        "",
    ),
    "the same key twice": (KEY + KEY, "6: this block says the same as the one on line 1", "remove one"),
    "an identity without issuer": (
        IDENTITY.replace('issuer            = "https://token.example.test"', ""),
        "1: the block signing_identity needs the setting “issuer”",
        "",
    ),
    "an identity by a pattern": (
        IDENTITY.replace("/acme/provider/.ci", "/acme/*"),
        "3: the subject “https",
        "whole texts are compared",
    ),
    "an identity by an expression": (
        IDENTITY.replace('"https://token.example.test"', '"^https://token"'),
        "2: the issuer “^https://token” looks like a pattern",
        "",
    ),
    "an identity without end": (
        IDENTITY.replace("https://token.example.test", "x" * 3000),
        "2: the issuer has more than 2048",
        "",
    ),
    "an identity without a root": (
        IDENTITY.replace('trusted_root      = "root.json"', ""),
        "1: the block signing_identity needs the setting “trusted_root”",
        "",
    ),
    "a root that is not there": (IDENTITY.replace("root.json", "gone.json"), "6: there is no file “gone.json”", ""),
    "the same identity twice": (IDENTITY + IDENTITY, "9: this block says the same", "remove one"),
    "a required scheme that is not built": (
        'require {\n  providers = ["*/*/*"]\n  signatures = ["notation"]\n}\n',
        "3: no signature of the scheme “notation” can be checked here, which is not supported yet",
        "cosign-key, gpg, minisign, signify, sigstore, sshsig",
    ),
}


@table(("text", "message", "hint"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told(text: str, message: str, hint: str) -> None:
    told = complaints(text)
    assert message in told
    assert hint in told


@table(
    ("data", "why"),
    [
        (b"", "no file with one public key"),
        (PEM + PEM, "no file with one public key"),
        (b"x" * 70_000, "no file with one public key"),
        (PEM.replace(b"PUBLIC KEY", b"PRIVATE KEY"), "a private key"),
        (PEM.replace(b"PUBLIC KEY", b"CERTIFICATE"), "a certificate and not a public key"),
        (PEM.replace(b"MCow", b"MCo"), "its base64 is broken"),
    ],
)
def test_only_one_public_key_is_one(data: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why):
        spki_of(data)
