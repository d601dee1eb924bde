"""Sigstore identities over an index: a private Sigstore, one thing of it changed in each test.

The numbers S1 to S45 are those of the list of mistakes that these tests were written from.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from builders.audits import MIRROR, answer, audit
from builders.cosign import DIGEST, DOCUMENT, INDEX_BYTES, P256, b64, naming, pem, statement, text
from builders.sigstore import ISSUER, OTHER_LOG, REF, REPOSITORY, SIGNED_AT, SUBJECT, Json, SigstoreWorld, raw, signed
from builders.tables import table
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding
from msgspec.structs import replace

from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.oci_signatures import by_identity as adapter
from lockwarden.core.oci_signatures.parsing import from_bundle
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.policy.model import Policy, Rule, TrustedIdentity
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signature_schemes import EvidenceState, LogState, SignatureScheme
from lockwarden.core.values.versions import Version

NOW = datetime(2030, 1, 1, tzinfo=UTC)
"""Long after the certificate's ten minutes: that it has expired today is normal."""
WORLD = SigstoreWorld()
BUNDLE = WORLD.bundle()
GOOD, MISMATCH = EvidenceState.GOOD, EvidenceState.IDENTITY_MISMATCH
MALFORMED, BAD, UNSUPPORTED = EvidenceState.MALFORMED, EvidenceState.BAD, EvidenceState.UNSUPPORTED


def rule(world: SigstoreWorld = WORLD, *, root: Json | bytes | None = None, **instead: str) -> TrustedIdentity:
    named = {
        "issuer": ISSUER,
        "subject": SUBJECT.replace("1.2.3", "{version}"),
        "source_repository": REPOSITORY,
        "source_ref": REF.replace("1.2.3", "{version}"),
        **instead,
    }
    given = root if isinstance(root, bytes) else text(world.trusted_root() if root is None else root)
    return TrustedIdentity(
        rule=Rule("policy.hcl", 1),
        name="release",
        providers=(ProviderPattern.parse("*/*/*"),),
        trusted_root=given,
        **named,
    )


def naming_another(named: dict[str, str]) -> TrustedIdentity:
    return rule(**named)  # type: ignore[arg-type]


def judged(
    bundle: Json | bytes = BUNDLE, *rules: TrustedIdentity, version: str = "1.2.3", policy: Policy | None = None
) -> SeenSignature:
    data = bundle if isinstance(bundle, bytes) else text(bundle)
    seen = from_bundle(data, DOCUMENT, signed=INDEX_BYTES, found_at="here")
    held = policy or Policy(path="policy.hcl", identities=rules or (rule(),))
    asked = audit(replace(answer(MIRROR), other_signatures=(seen,)), version=Version.parse(version))
    return apply_policy(held, asked, NOW).audit.source_answers[0].other_signatures[0]


def entry_of(bundle: Json) -> Json:
    entry: Json = bundle["verificationMaterial"]["tlogEntries"][0]
    return entry


def proof_of(bundle: Json) -> Json:
    proof: Json = entry_of(bundle)["inclusionProof"]
    return proof


def changed(change: Callable[[Json], object], bundle: Json = BUNDLE) -> Json:
    made = copy.deepcopy(bundle)
    change(made)
    return made


@pytest.mark.parametrize(
    "bundle", [BUNDLE, WORLD.message_bundle(), WORLD.bundle(chained=True)], ids=["envelope", "message", "chained"]
)
def test_the_identity_that_the_policy_names_signs(bundle: Json) -> None:
    """S26: the certificate has expired today, which is normal."""
    seen = judged(bundle)
    assert (seen.state, seen.rule, seen.detail) == (GOOD, "policy.hcl line 1", "")
    assert (seen.scheme, seen.log, seen.signed_at) == (SignatureScheme.SIGSTORE, LogState.VERIFIED, SIGNED_AT)
    signer = seen.signer
    assert (signer.issuer, signer.subject) == (ISSUER, SUBJECT)
    assert (signer.source_repository, signer.source_ref) == (REPOSITORY, REF)


@table(
    ("named", "differs"),
    [
        ({"issuer": ISSUER[:-1]}, "issuer"),
        ({"issuer": f"{ISSUER}/hammer-time"}, "issuer"),
        ({"issuer": ISSUER.upper()}, "issuer"),
        ({"subject": SUBJECT.replace("acme", "Acme")}, "subject"),
        ({"subject": SUBJECT[:-6]}, "subject"),
        ({"source_repository": f"{REPOSITORY}-fork"}, "source repository"),
        ({"source_ref": "refs/heads/main"}, "ref"),
        ({"issuer": "x", "source_ref": "y"}, "issuer, ref"),
    ],
)
def test_another_identity_is_a_note_that_shows_it(named: dict[str, str], differs: str) -> None:
    """S30, S33."""
    seen = judged(BUNDLE, naming_another(named))
    assert (seen.state, seen.detail) == (MISMATCH, f"policy.hcl line 1 names another {differs}")
    assert seen.signer.subject == SUBJECT
    assert not seen.counts


def test_the_version_is_bound() -> None:
    assert judged(version="1.2.3").counts
    assert judged(version="1.2.4").state is MISMATCH


def test_what_the_policy_leaves_open_is_open() -> None:
    assert judged(BUNDLE, rule(source_repository="", source_ref="")).counts


def test_a_shared_workflow_of_another_repository_is_another_identity() -> None:
    """S31: its own name is the same for every caller."""
    world = SigstoreWorld(extensions={8: ISSUER, 12: "https://git.example.test/mallory/provider", 14: REF})
    assert judged(world.bundle()).state is MISMATCH


def test_an_issuer_that_only_the_old_extension_names_is_none() -> None:
    """S30."""
    world = SigstoreWorld(extensions={12: REPOSITORY, 14: REF})
    seen = judged(world.bundle())
    assert (seen.state, seen.signer.issuer) == (MISMATCH, "")


def test_one_rule_of_several_is_enough_and_none_is_not() -> None:
    """S32."""
    assert judged(BUNDLE, rule(issuer="x"), rule()).counts
    assert judged(BUNDLE, rule(root=b"{}"), rule(issuer="x")).state is MISMATCH
    assert judged(BUNDLE, rule(issuer="x"), rule(root=b"{}")).state is MISMATCH
    seen = judged(policy=naming(P256))
    assert (seen.state, seen.counts) == (EvidenceState.NO_KNOWN_KEY, False)
    assert "was not verified" in seen.detail
    assert seen.signer.subject == SUBJECT  # as it says of itself


@table(
    ("data", "state"),
    [
        (statement(predicateType="https://slsa.dev/provenance/v1"), GOOD),
        (statement(predicateType="https://slsa.dev/provenance/v0.2"), GOOD),
        (statement(predicateType="https://example.test/scan"), EvidenceState.SOMETHING_ELSE),
        (statement("0" * 64, predicateType="https://slsa.dev/provenance/v1"), EvidenceState.SOMETHING_ELSE),
        (
            statement(subject=[{"name": "index", "digest": {"sha256": "0" * 64}}]),
            EvidenceState.SOMETHING_ELSE,
        ),
    ],
    ids=["provenance", "older provenance", "a scan", "of another digest", "S34 our name, another digest"],
)
def test_provenance_is_matched_by_digest_alone(data: bytes, state: EvidenceState) -> None:
    seen = judged(WORLD.bundle(data))
    assert seen.state is state
    assert seen.counts is (state is GOOD)
    assert (seen.claims[:1] == (("attests", json.loads(data)["predicateType"]),)) is (state is GOOD and b"slsa" in data)


def test_another_payload_type_is_something_else() -> None:
    """S13: the library lets it pass."""
    assert judged(WORLD.bundle(payload_type="text/plain")).state is EvidenceState.SOMETHING_ELSE


def test_a_statement_that_cannot_be_read_is_malformed() -> None:
    assert judged(WORLD.bundle(b"[]")).state is MALFORMED


def test_a_message_over_other_bytes_is_not_good() -> None:
    assert judged(WORLD.message_bundle(b"other")).state is not GOOD


def other_entry(bundle: Json) -> None:
    bundle["verificationMaterial"]["tlogEntries"] = SigstoreWorld().bundle(statement(predicate={"x": 1}))[
        "verificationMaterial"
    ]["tlogEntries"]


def spoilt(bundle: Json) -> None:
    made = bytearray(raw(bundle["dsseEnvelope"]["signatures"][0]["sig"]))
    made[-1] ^= 1
    bundle["dsseEnvelope"]["signatures"][0]["sig"] = b64(bytes(made))


MUTATIONS: dict[str, tuple[Callable[[Json], object], EvidenceState]] = {
    "S21 a good entry of another signature": (other_entry, BAD),
    "S21 the promise of another": (
        lambda made: entry_of(made).update(inclusionPromise={"signedEntryTimestamp": b64(signed(OTHER_LOG, b"x"))}),
        BAD,
    ),
    "another signature": (spoilt, BAD),
    "S24 the time changed": (
        lambda made: entry_of(made).update(integratedTime=str(int(SIGNED_AT.timestamp()) + 60)),
        BAD,
    ),
    "S24 a time without end": (lambda made: entry_of(made).update(integratedTime=str(10**17)), MALFORMED),
    "S24 an index below zero": (lambda made: entry_of(made).update(logIndex="-1"), MALFORMED),
    "a size that is a list": (lambda made: entry_of(made)["inclusionProof"].update(treeSize=[]), MALFORMED),
    "S24 no promise": (lambda made: entry_of(made).pop("inclusionPromise"), EvidenceState.LOG_PROOF_MISSING),
    "S24 no proof": (lambda made: entry_of(made).pop("inclusionProof"), EvidenceState.LOG_PROOF_MISSING),
    "S22 no entry": (lambda made: made["verificationMaterial"].update(tlogEntries=[]), EvidenceState.LOG_PROOF_MISSING),
    "S23 one entry twice": (
        lambda made: made["verificationMaterial"].update(tlogEntries=[entry_of(made), entry_of(made)]),
        UNSUPPORTED,
    ),
    "entries that are texts": (lambda made: made["verificationMaterial"].update(tlogEntries=["x"]), MALFORMED),
    "an entry of another kind": (
        lambda made: entry_of(made).update(kindVersion={"kind": "intoto", "version": "0.0.2"}),
        UNSUPPORTED,
    ),
    "an entry of no kind": (lambda made: entry_of(made).pop("kindVersion"), UNSUPPORTED),
    "an entry of no log": (lambda made: entry_of(made).pop("logId"), MALFORMED),
    "a proof without end": (lambda made: entry_of(made)["inclusionProof"].update(hashes=["AAAA"] * 65), MALFORMED),
    "another root in the proof": (lambda made: entry_of(made)["inclusionProof"].update(rootHash=b64(bytes(32))), BAD),
    "a checkpoint of nobody": (
        lambda made: entry_of(made)["inclusionProof"].update(checkpoint={"envelope": "log\n1\nAAAA\n\n"}),
        BAD,
    ),
    "no checkpoint": (lambda made: entry_of(made)["inclusionProof"].pop("checkpoint"), MALFORMED),
    "S18 a key for a certificate": (
        lambda made: made["verificationMaterial"].update(certificate={"rawBytes": b64(pem(P256))}),
        MALFORMED,
    ),
    "no certificate in it": (lambda made: made["verificationMaterial"].update(certificate={}), MALFORMED),
    "a certificate that is a text": (lambda made: made["verificationMaterial"].update(certificate="x"), MALFORMED),
    "S28 too many time-stamps": (
        lambda made: made["verificationMaterial"].update(
            timestampVerificationData={"rfc3161Timestamps": [{"signedTimestamp": "AAAA"}] * 33}
        ),
        MALFORMED,
    ),
    "S28 a time-stamp that is none": (
        lambda made: made["verificationMaterial"].update(
            timestampVerificationData={"rfc3161Timestamps": [{"signedTimestamp": "AAAA"}]}
        ),
        MALFORMED,
    ),
}


@table(("change", "state"), MUTATIONS.values(), ids=MUTATIONS.keys())
def test_whatever_is_changed_is_not_good(change: Callable[[Json], object], state: EvidenceState) -> None:
    seen = judged(changed(change))
    assert seen.state is state, seen.detail
    assert not seen.counts
    assert seen.signed_at is None


def test_an_empty_chain_is_malformed() -> None:
    chained = changed(
        lambda made: made["verificationMaterial"].update(x509CertificateChain={"certificates": []}),
        WORLD.bundle(chained=True),
    )
    assert judged(chained).state is MALFORMED


def test_a_log_that_the_root_does_not_know_is_unknown_and_not_bad() -> None:
    """S29."""
    seen = judged(BUNDLE, rule(root=WORLD.trusted_root(log=OTHER_LOG)))
    assert (seen.state, "may be older" in seen.detail) == (EvidenceState.LOG_UNKNOWN, True)


@pytest.mark.parametrize(
    ("root", "why"),
    [
        (b"{", "the trusted root is not JSON"),
        ({"mediaType": "application/vnd.dev.sigstore.trustedroot.v0.2+json"}, "of a version that is not known"),
    ],
    ids=["no JSON", "S29 version 0.2"],
)
def test_a_root_that_cannot_be_read_is_unsupported(root: Json | bytes, why: str) -> None:
    seen = judged(BUNDLE, rule(root=root))
    assert (seen.state, why in seen.detail) == (UNSUPPORTED, True)


@pytest.mark.parametrize("change", [{"tlogs": 7}, {"tlogs": [7]}, {"tlogs": [{"logId": {"keyId": "?"}}]}])
def test_a_root_with_anything_else_in_it_is_a_state(change: Json) -> None:
    assert judged(BUNDLE, rule(root={**WORLD.trusted_root(), **change})).state is EvidenceState.LOG_UNKNOWN


def test_a_root_that_the_library_refuses_is_a_state() -> None:
    broken = {**WORLD.trusted_root(), "certificateAuthorities": [7]}
    assert judged(BUNDLE, rule(root=broken)).state is MALFORMED


@pytest.mark.parametrize("name", ["certificateAuthorities", "tlogs", "ctlogs"])
def test_what_was_out_of_force_when_it_was_signed_proves_nothing(name: str) -> None:
    """S25: the library accepts it."""
    over = SigstoreWorld(valid_for={name: {"end": "2026-05-01T00:00:00Z"}})
    seen = judged(over.bundle(), rule(over))
    assert (seen.state, "not in force" in seen.detail) == (EvidenceState.CERTIFICATE_NOT_VALID, True)
    ended_later = SigstoreWorld(valid_for={name: {"end": "2026-07-01T00:00:00"}})
    assert judged(ended_later.bundle(), rule(ended_later)).counts


def test_a_party_whose_time_was_over_and_that_nobody_needs_changes_nothing() -> None:
    root = WORLD.trusted_root()
    root["tlogs"].append(
        {**WORLD.trusted_root(log=OTHER_LOG)["tlogs"][0], "publicKey": {**root["tlogs"][0]["publicKey"]}}
    )
    root["tlogs"][1]["publicKey"]["validFor"] = {"start": "2026-01-01T00:00:00Z", "end": "2026-02-01T00:00:00Z"}
    assert judged(BUNDLE, rule(root=root)).counts


def test_a_party_without_dates_is_always_in_force() -> None:
    root = WORLD.trusted_root()
    del root["certificateAuthorities"][0]["validFor"]
    root["timestampAuthorities"] = [{"validFor": {"end": "2026-05-01T00:00:00Z"}, "certChain": {"certificates": []}}]
    assert judged(BUNDLE, rule(root=root)).state in {GOOD, MALFORMED}


@pytest.mark.parametrize(
    "world",
    [
        SigstoreWorld(at=SIGNED_AT + timedelta(hours=1)),
        SigstoreWorld(at=SIGNED_AT - timedelta(hours=1)),
        SigstoreWorld(intermediate_until=SIGNED_AT - timedelta(days=1)),
    ],
    ids=["S26 signed too late", "S26 signed too early", "S26 the authority had expired"],
)
def test_signed_outside_of_the_certificates_life_is_not_good(world: SigstoreWorld) -> None:
    assert judged(world.bundle(), rule(world)).state is EvidenceState.CERTIFICATE_NOT_VALID


def test_a_certificate_of_another_authority_is_not_good() -> None:
    root = WORLD.trusted_root()
    own = SigstoreWorld(intermediate_until=SIGNED_AT - timedelta(days=2))
    root["certificateAuthorities"][0]["certChain"] = own.trusted_root()["certificateAuthorities"][0]["certChain"]
    assert judged(BUNDLE, rule(root=root)).state is EvidenceState.CERTIFICATE_NOT_VALID


def test_without_the_extra_it_is_unsupported_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "installed", lambda: False)
    seen = judged(WORLD.bundle(statement(predicate={"once": "more"})))
    assert (seen.state, "install lockwarden with its extra “sigstore”" in seen.detail) == (UNSUPPORTED, True)


def test_a_certificate_for_another_kind_of_key_is_unsupported() -> None:
    world = SigstoreWorld()
    world.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)  # type: ignore[assignment]
    der = {"rawBytes": b64(world.leaf.public_bytes(Encoding.DER))}
    swapped = changed(lambda made: made["verificationMaterial"].update(certificate=der))
    assert judged(swapped).state in {UNSUPPORTED, MALFORMED, BAD}


def test_hostile_json_is_always_a_state() -> None:
    """S42: the library leaks three kinds of exceptions."""
    wrongs: tuple[Any, ...] = (7, "x", [], None, {}, [[]], {"x": 1})
    for wrong in wrongs:
        for holder in (entry_of, proof_of):
            for name in holder(BUNDLE):
                made = copy.deepcopy(BUNDLE)
                holder(made)[name] = wrong
                assert judged(made).state in set(EvidenceState)
    assert judged(BUNDLE).counts
    assert DIGEST.startswith("sha256:")
