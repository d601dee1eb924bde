"""The time of a signature by a time-stamping authority: tokens of the real openssl, over the right bytes or not.

Their time is the clock's, so that this world is of today; nothing depends on which day that is.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from builders.cosign import DIGEST, b64, text
from builders.sigstore import Json, SigstoreWorld, raw
from builders.tables import table
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from lockwarden.core.oci_signatures import by_identity
from lockwarden.core.oci_signatures.bundle_parts import BundleParts
from lockwarden.core.values.signature_schemes import EvidenceState

_CONFIGURATION = """[ tsa ]
default_tsa = tsa1
[ tsa1 ]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
signer_key = {folder}/tsa.key
certs = {folder}/tsa.pem
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_alg = sha256
"""


class TimeStamper:
    """An authority for time-stamps, by openssl."""

    def __init__(self, folder: Path, now: datetime) -> None:
        self.folder = folder
        root, own = (ec.derive_private_key(n, ec.SECP256R1()) for n in (31, 32))
        top = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "time root")])
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "time")])

        def made(subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, ca: bool) -> x509.Certificate:
            builder = x509.CertificateBuilder().subject_name(subject).issuer_name(top).public_key(key.public_key())
            builder = builder.serial_number(9 if ca else 10).not_valid_before(now - timedelta(days=1))
            builder = builder.not_valid_after(now + timedelta(days=1))
            builder = builder.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            if not ca:
                usages = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
                builder = builder.add_extension(usages, critical=True)
            return builder.sign(root, hashes.SHA256())

        self.chain = [made(name, own, ca=False), made(top, root, ca=True)]
        (folder / "tsa.pem").write_bytes(self.chain[0].public_bytes(Encoding.PEM))
        (folder / "tsa.key").write_bytes(own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        (folder / "tsa.cnf").write_text(_CONFIGURATION.format(folder=folder))
        (folder / "serial").write_text("01\n")

    def token(self, over: bytes) -> str:
        (self.folder / "data").write_bytes(over)
        query = ["ts", "-query", "-data", "data", "-sha256", "-cert", "-out", "query"]
        reply = ["ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query", "-out", "reply"]
        for command in (query, reply):
            subprocess.run(["openssl", *command], cwd=self.folder, check=True, capture_output=True, timeout=60)
        return base64.b64encode((self.folder / "reply").read_bytes()).decode()

    def in_root(self) -> Json:
        certificates = [{"rawBytes": b64(each.public_bytes(Encoding.DER))} for each in self.chain]
        return {
            "subject": {"organization": "tests", "commonName": "time"},
            "uri": "https://time.example.test",
            "certChain": {"certificates": certificates},
            "validFor": {"start": "2026-01-01T00:00:00Z"},
        }


def test_a_token_of_an_authority_of_the_root_proves_the_time_and_nothing_else_does(tmp_path: Path) -> None:
    """S28."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, so time-stamps were NOT tested against a real authority")
    now = datetime.now(UTC)
    stamper = TimeStamper(tmp_path, now)
    world = SigstoreWorld(at=now, not_before=now - timedelta(minutes=1))
    bundle = world.bundle()
    signature = raw(bundle["dsseEnvelope"]["signatures"][0]["sig"])
    right, other = stamper.token(signature), stamper.token(b"other bytes")
    root = {**world.trusted_root(), "timestampAuthorities": [stamper.in_root()]}

    def outcome(*tokens: str, root: Json = root, promised: bool = False) -> by_identity.IdentityOutcome:
        made = {**bundle, "verificationMaterial": {**bundle["verificationMaterial"]}}
        (entry,) = made["verificationMaterial"]["tlogEntries"]
        left_out = set() if promised else {"inclusionPromise", "integratedTime"}
        made["verificationMaterial"]["tlogEntries"] = [{k: v for k, v in entry.items() if k not in left_out}]
        stamps = [{"signedTimestamp": each} for each in tokens]
        made["verificationMaterial"]["timestampVerificationData"] = {"rfc3161Timestamps": stamps}
        return by_identity._verified(text(made), text(root), DIGEST)

    good = outcome(right)
    assert (good.state, good.detail) == (EvidenceState.GOOD, "")
    assert good.signed_at is not None
    assert abs(good.signed_at - now) < timedelta(minutes=9)
    assert outcome(right, promised=True).signed_at == now.replace(microsecond=0)
    assert outcome(other).state is EvidenceState.LOG_PROOF_MISSING
    assert outcome(right, right).state is EvidenceState.BAD
    assert outcome(right, stamper.token(signature)).state is EvidenceState.UNSUPPORTED
    assert outcome(right, root=world.trusted_root()).state is EvidenceState.LOG_UNKNOWN
    over = {**stamper.in_root(), "validFor": {"end": "2026-02-01T00:00:00Z", "start": "2026-01-01T00:00:00Z"}}
    assert outcome(right, root={**root, "timestampAuthorities": [over]}).state is not EvidenceState.GOOD


@table(
    ("said", "state"),
    [
        ("invalid signing cert: expired at time of signing, time via x", EvidenceState.CERTIFICATE_NOT_VALID),
        ("Invalid Timestamp Response", EvidenceState.MALFORMED),
        ("not enough sources of verified time", EvidenceState.LOG_PROOF_MISSING),
        ("no Timestamp Authorities have been provided to validate this", EvidenceState.LOG_UNKNOWN),
        ("whatever it says next year", EvidenceState.BAD),
    ],
)
def test_what_the_library_says_is_never_taken_for_something_milder(said: str, state: EvidenceState) -> None:
    assert by_identity._state_of(said) is state


@pytest.mark.parametrize(("count", "known"), [(1, True), (2, False)])
def test_of_several_tokens_none_is_the_time(count: int, known: bool) -> None:
    when = datetime(2026, 6, 1, tzinfo=UTC)
    stamps = [SimpleNamespace(tst_info=SimpleNamespace(gen_time=when))] * count
    data = SimpleNamespace(rfc3161_timestamps=stamps)
    bundle: Any = SimpleNamespace(verification_material=SimpleNamespace(timestamp_verification_data=data))
    assert by_identity._proven_time(bundle, BundleParts()) == (when if known else None)


def test_several_tokens_without_a_promise_are_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Callable[..., by_identity.IdentityOutcome] = lambda *_: by_identity.IdentityOutcome(state=EvidenceState.GOOD)  # noqa: E731
    monkeypatch.setattr(by_identity, "_asked", asked)
    outcome = by_identity._by_library(b"", b"", {}, BundleParts(), DIGEST)
    assert (outcome.state, "several time-stamps" in outcome.detail) == (EvidenceState.UNSUPPORTED, True)


@pytest.mark.parametrize("end", ["never", 7, "2026-13-01T00:00:00Z"])
def test_a_party_whose_dates_cannot_be_read_is_not_in_force(end: object) -> None:
    when = datetime(2026, 6, 1, tzinfo=UTC)
    assert not by_identity._in_force({"validFor": {"end": end}}, when)
    assert by_identity._in_force({"validFor": {"end": "2026-06-02T00:00:00"}}, when)
    assert by_identity._in_force({"publicKey": {"validFor": 7}}, when)
