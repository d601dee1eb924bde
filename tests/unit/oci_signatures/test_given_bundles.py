"""Bundles that are given as files: matched by digest with what a source gave out, and by nothing else."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.audits import LINUX, MIRROR, SUMS, answer, audit, computed, h1, listed, reported, signed, zh
from builders.cosign import P256, b64, bundle, naming, statement, text
from builders.sigstore import ISSUER, SUBJECT, Json, SigstoreWorld
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.engine import given_attestations
from lockwarden.core.engine.given_attestations import read_attestations
from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.source_answers import SourceAnswer
from lockwarden.core.oci_signatures import given
from lockwarden.core.oci_signatures.given import GivenBundle, bundles_in, with_given
from lockwarden.core.oci_signatures.strict_json import EvidenceError
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.policy.model import Policy, Rule, TrustedIdentity
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signature_schemes import EvidenceState, SignedKind

WORLD = SigstoreWorld()
NOW = datetime(2030, 1, 1, tzinfo=UTC)
PROVENANCE = "https://slsa.dev/provenance/v1"


def hexadecimal(hash_: Hash) -> str:
    return hash_.text.removeprefix("zh:")


def about(*digests: str, name: str = "terraform-provider-widget_1.2.3_linux_amd64.zip") -> Json:
    """Provenance of files with these digests, by the identity that the policy names."""
    subject = [{"name": name, "digest": {"sha256": each}} for each in digests]
    return WORLD.bundle(statement(subject=subject, predicateType=PROVENANCE))


def taken(*bundles: Json, asked: SourceAnswer) -> SourceAnswer:
    """The answer with the bundles, under a policy that names the identity and a key."""
    files = tuple(each for value in bundles for each in bundles_in(text(value), "given.json"))
    identity = TrustedIdentity(
        rule=Rule("policy.hcl", 1),
        name="release",
        issuer=ISSUER,
        subject=SUBJECT,
        source_repository="",
        source_ref="",
        providers=(ProviderPattern.parse("*/*/*"),),
        trusted_root=text(WORLD.trusted_root()),
    )
    policy: Policy = replace(naming(P256), identities=(identity,))
    return apply_policy(policy, audit(with_given(asked, files)), NOW).audit.source_answers[0]


def counted(judged: SourceAnswer) -> set[Hash]:
    return set(audit(judged).dispositions) & {
        hash_ for hash_, known in audit(judged).dispositions.items() if known.signed_otherwise_by
    }


ARCHIVES = answer(
    MIRROR, (zh("linux"), computed(LINUX, source=MIRROR, package_zh=zh("linux"))), (h1("linux"), listed())
)


def test_provenance_of_an_archive_covers_that_archive() -> None:
    judged = taken(about("0" * 64, hexadecimal(zh("linux"))), asked=ARCHIVES)
    (seen,) = judged.other_signatures
    assert (seen.state, seen.rule, seen.document.kind) == (EvidenceState.GOOD, "policy.hcl line 1", SignedKind.PACKAGE)
    assert (seen.document.name, seen.found_at) == ("the package for linux_amd64", "the file given.json")
    assert counted(judged) == {zh("linux")}


def test_a_subjects_name_decides_nothing() -> None:
    """S34."""
    assert taken(about("0" * 64), asked=ARCHIVES).other_signatures == ()


def test_a_signature_over_the_list_of_checksums_covers_what_it_lists() -> None:
    lines = answer(
        MIRROR,
        (zh("one"), reported(LINUX)),
        (zh("two"), signed(LINUX)),
        (zh("three"), reported(LINUX, shape=ListShape.PACKAGES)),
        (Hash("zh:odd"), listed()),
    )
    judged = taken(about(SUMS.sha256), asked=lines)
    (seen,) = judged.other_signatures
    assert (seen.document.kind, counted(judged)) == (SignedKind.SHA256SUMS, {zh("one"), zh("two")})


def test_a_message_signature_is_found_by_the_digest_that_it_names() -> None:
    data = b"the bytes of an archive"
    import hashlib

    archive = Hash(f"zh:{hashlib.sha256(data).hexdigest()}")
    asked = answer(MIRROR, (archive, computed(LINUX, source=MIRROR, package_zh=archive)))
    assert counted(taken(WORLD.message_bundle(data), asked=asked)) == {archive}


def test_a_key_signs_by_a_file_as_well_and_a_broken_bundle_covers_nothing() -> None:
    digest = hexadecimal(zh("linux"))
    by_key = taken(bundle(P256, statement(digest)), asked=ARCHIVES)
    assert counted(by_key) == {zh("linux")}
    broken = bundle(P256, statement(digest))
    broken["verificationMaterial"] = {}
    judged = taken(broken, asked=ARCHIVES)
    assert ([each.state for each in judged.other_signatures], counted(judged)) == ([EvidenceState.MALFORMED], set())


def test_without_files_nothing_changes() -> None:
    assert with_given(ARCHIVES, ()) is ARCHIVES


def test_files_hold_one_bundle_one_a_line_or_a_forges_answer() -> None:
    one = text(about("0" * 64))
    forge = json.dumps({"attestations": [{"bundle": about("0" * 64), "bundle_url": "x"}] * 2}).encode()
    assert [len(bundles_in(each, "x")) for each in (one, one + b"\n" + one + b"\n", forge)] == [1, 2, 2]
    assert bundles_in(one, "x")[0].digests == {"0" * 64}


@table(
    ("data", "why"),
    [
        (b"", "not JSON"),
        (b"{}", "is no Sigstore bundle"),
        (b"x\ny\n", "not JSON"),
        (b'{"attestations":[{"bundle_url":"https://x.example.test"}]}', "without its bundle"),
        (b'{"attestations":["x"]}', "without its bundle"),
        (text({"messageSignature": {}}), "message digest that is no base64"),
        (text({"dsseEnvelope": {"payload": b64(b"[]")}}), "is no JSON object"),
    ],
)
def test_other_files_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(EvidenceError, match=why):
        bundles_in(data, "x")


@table("subject", [None, ["x"], [{}], [{"digest": {"sha256": 7}}], [{"digest": {"sha256": "ab"}}]])
def test_subjects_that_are_none_are_about_nothing(subject: object) -> None:
    (only,) = bundles_in(text(WORLD.bundle(statement(subject=subject))), "x")
    assert only.digests == frozenset()


def test_a_vast_bundle_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given, "MAX_BUNDLE", 10)
    with pytest.raises(EvidenceError, match="more than 10 bytes"):
        bundles_in(text(about("0" * 64)), "x")


def test_files_are_read_and_what_cannot_be_used_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good.json").write_bytes(text(about("0" * 64)))
    (tmp_path / "bad.json").write_bytes(b"{}")
    (only,) = read_attestations(["good.json"], directory=tmp_path)
    assert isinstance(only, GivenBundle)
    for name, why in (("gone.json", "there is no file"), ("bad.json", "no Sigstore bundle"), (".", "it is a folder")):
        with pytest.raises(InputError, match=why):
            read_attestations([name], directory=tmp_path)
    monkeypatch.setattr(given_attestations, "MAX_BUNDLES", 1)
    with pytest.raises(InputError, match="there are 2 bundles"):
        read_attestations(["good.json"] * 2, directory=tmp_path)
    monkeypatch.setattr(given_attestations, "MAX_BYTES", 10)
    with pytest.raises(InputError, match="larger than the limit"):
        read_attestations(["good.json"], directory=tmp_path)
