"""The life of a key on the screen, from real keys, real signatures and a stated clock."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from contract.signatures.workshop import DOCUMENT, NOW, Key, Workshop
from fakes.releases import DIRECT, audit, release
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit, DocumentSignature, Outcome, SourceAnswer
from lockwarden.core.policy.model import NO_POLICY
from lockwarden.core.review.key_use import key_uses, unknown_issuers
from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import Conclusion, ConclusionKind
from lockwarden.tui.render.signing_keys import key_detail, unknown_issuer_detail

MADE = release("registry.opentofu.org/acme/widget", "1.0.0")


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    gpg = shutil.which("gpg")
    assert gpg, "gpg is needed for these tests"
    home = Path(tempfile.mkdtemp(prefix="lw-"))
    try:
        yield Workshop(gpg, home)
    finally:
        subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], capture_output=True)
        shutil.rmtree(home, ignore_errors=True)


def audited(workshop: Workshop, folder: Path, signature: bytes, *offered: str) -> Audit:
    """What a registry with these keys and this signature would be found to say."""
    verifier = SignatureVerifier(Path(workshop.gpg), clock=lambda: NOW, folder=folder)
    report = verifier.verify_now(document=DOCUMENT, signature=signature, offered=offered)
    keys = tuple(dict.fromkeys(key for judgement in report.judgements for key in judgement.keys))
    told = DocumentSignature(
        document=MADE.sums,
        judgements=report.judgements,
        issuers=report.issuers,
        conclusion=Conclusion(kind=ConclusionKind.ACCEPTED),
    )
    return audit(MADE, SourceAnswer(source=DIRECT, outcome=Outcome.ANSWERED, signatures=(told,), keys=keys))


def told_of(key: Key, made: Audit) -> str:
    uses = key_uses([made])
    use = next(each for each in uses if each.key.fingerprint == key.fingerprint)
    return key_detail(use, uses, NO_POLICY, 120).plain


def test_expired_revoked_by_a_subkey_and_beside_another_key(workshop: Workshop, tmp_path: Path) -> None:
    expiring = workshop.make("Old <old@widget.example>", expires="20251231T000000")
    text = told_of(expiring, audited(workshop, tmp_path, workshop.sign(expiring), workshop.armor(expiring)))
    assert "expires             2025-12-31" in text
    assert "valid now           ! no, expired: the key expired on 2025-12-31" in text
    assert "signed on 2025-03-01, valid when it signed" in text

    compromised = workshop.make("Lost <lost@widget.example>")
    signature = workshop.sign(compromised)
    workshop.revoke(compromised, reason=1, when="20250401T000000")
    text = told_of(compromised, audited(workshop, tmp_path, signature, workshop.armor(compromised)))
    assert "valid now           ✗ no, revoked: " in text
    assert "compromised" in text
    assert "✗ acme/widget 1.0.0: revoked key, " in text

    offline = workshop.add_subkey(workshop.make("Offline <offline@widget.example>", usage="cert"))
    subkey = offline.subkeys[0]
    by_subkey = workshop.sign(subkey)
    both = (workshop.armor(expiring), workshop.armor(offline))
    made = audited(workshop, tmp_path, by_subkey, *both)
    grouped = " ".join(subkey[place : place + 4] for place in range(0, 40, 4))
    text = told_of(offline, made)
    assert f"signing subkey      {grouped}" in text
    assert f"made by the subkey {grouped}" in text
    assert "valid now           ✓ yes" in text
    assert "offered, and did not sign SHA256SUMS of direct" in told_of(expiring, made)

    unknown = audited(workshop, tmp_path, by_subkey, workshop.armor(expiring))
    (stranger,) = unknown_issuers([unknown])
    text = unknown_issuer_detail(stranger, 120).plain
    assert f"signature says      {grouped}" in text
    assert "registry offers     " in text
    assert replace(stranger, offered=()).issuers == (subkey,)
