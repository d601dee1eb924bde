"""A signed index through the installed command: all signers are shown, and only the policy's key lets one count."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from builders.cosign import P256, STRANGER, fingerprint, pem, statement, text
from builders.sigstore import ISSUER, REPOSITORY, SUBJECT, SigstoreWorld
from builders.three_providers import ThreeProviders
from contract.oci.kinds import Shelf
from contract.oci.signed import WithReferrers, list_by_tag, refer, sign_new, sign_old
from cryptography.x509 import UniformResourceIdentifier
from end_to_end.oci_mirrors import over_https, plain, written
from servers.https import HttpsServer
from servers.installed import Lockwarden
from servers.oci_registry import Registry

from lockwarden.core.oci_signatures import by_identity
from lockwarden.demo.releases import Release

PATTERN = "signed/{namespace}/{type}"
LINUX = ("--platform", "linux_amd64")
POLICY = f"""signing_key "{fingerprint(P256)}" {{
  scheme     = "cosign-key"
  public_key = "keys/acme.pub"
  providers  = ["*/*/*"]
}}

require {{
  providers  = ["*/*/*"]
  signatures = ["cosign-key"]
}}
"""


@pytest.fixture
def release(three_providers: ThreeProviders) -> Release:
    return three_providers.releases[0]


@pytest.fixture
def source(
    request: pytest.FixtureRequest, registry: Registry, release: Release, https_server: HttpsServer
) -> tuple[str, ...]:
    """The release, signed in both layouts by two keys: with the fallback tag, or with the API in front of it."""
    shelf = Shelf()
    index = shelf.provider(release.version, {name: each.archive for name, each in release.packages.items()})
    sign_old(shelf, index, P256)
    by_stranger = sign_new(shelf, index, STRANGER)
    if request.param == "tag":
        list_by_tag(shelf, index, by_stranger)
    name = f"{request.param}/acme/{release.name}"
    shelf.push(registry, name)
    pattern = f"{request.param}/{{namespace}}/{{type}}"
    if request.param == "tag":
        return plain(registry, pattern)
    https_server.serve(WithReferrers(registry.respond, {index["digest"]: [by_stranger]}).respond)
    return over_https(pattern)


def with_policy(folder: Path) -> None:
    (folder / "keys").mkdir()
    (folder / "keys" / "acme.pub").write_bytes(pem(P256))
    (folder / ".lockwarden.hcl").write_text(POLICY)


@pytest.mark.parametrize("source", ["tag", "api"], indirect=True)
def test_only_under_the_policys_key_the_signed_hashes_of_all_platforms_are_written(
    source: tuple[str, ...], release: Release, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    every = {package.zh for package in release.packages.values()}
    linux = release.packages["linux_amd64"]
    place = written(tmp_path / "configuration", (release,), known=False)
    file = place / ".terraform.lock.hcl"

    told = lockwarden.run("check", *source, *LINUX, "--format", "json", folder=place, expected=1).provider(release.name)
    assert {(each["signer"], each["state"]) for each in told["other_signatures"]} == {
        ("", "no known key"),
        (fingerprint(STRANGER), "no known key"),
    }
    assert all(set(each["hashes"]) == every for each in told["other_signatures"])
    offered = {each["hash"]: each for each in told["hashes"]}
    assert {hash_ for hash_, each in offered.items() if each["verdict"] == "offered"} == every - {linux.zh}
    assert not any(each["signed_by"] for each in offered.values())
    proposed = lockwarden.run("init", *source, folder=place).out
    assert f'# signing_key "{fingerprint(STRANGER)}" {{' in proposed
    assert "\nsigning_key" not in proposed
    lockwarden.run("lock", *source, *LINUX, folder=place)
    assert [each for each in sorted(every) if each in file.read_text()] == [linux.zh]  # tofu's own rule

    with_policy(place)
    done = lockwarden.run("lock", *source, *LINUX, folder=place, expected=0)
    announced = done.out.partition(": written")[0]
    beyond = len(every) - 1
    assert f"{beyond} hashes signed by {fingerprint(P256)} (cosign-key), whom .lockwarden.hcl line 1 names" in announced
    assert f"{beyond} of which no client would record by itself" in announced
    assert all(each in file.read_text() for each in every)
    told = lockwarden.run("check", *source, *LINUX, "--format", "json", folder=place, expected=0).provider(release.name)
    assert told["summary"] == "verified checksum"  # OpenTofu's word knows no other signatures
    signed = {each["hash"]: each for each in told["hashes"]}[min(every - {linux.zh})]
    assert (signed["verdict"], signed["signed_by_gpg_key_ids"]) == ("confirmed", [])
    assert signed["signed_by"] == [{"scheme": "cosign-key", "signer": fingerprint(P256)}]
    keys = lockwarden.run("keys", *source, folder=place).out
    assert f"is signed by {fingerprint(P256)} (cosign-key)" in keys
    assert f"is signed by an unknown key that names itself {fingerprint(STRANGER)}" in keys
    assert ".lockwarden.hcl line 1 names the signer" in keys


def test_a_signed_index_under_another_tag_is_not_called_that_versions(
    registry: Registry, release: Release, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    """What a registry puts under a newer tag, or into another repository, stays signed: it names neither."""
    shelf = Shelf()
    index = shelf.provider("1.3.0", {name: each.archive for name, each in release.packages.items()})
    sign_old(shelf, index, P256)
    shelf.tags = {release.version: shelf.tags.pop("1.3.0"), **shelf.tags}
    shelf.push(registry, f"replayed/acme/{release.name}")
    place = written(tmp_path / "configuration", (release,), known=True)
    with_policy(place)
    source = plain(registry, "replayed/{namespace}/{type}")
    told = f"the index under the tag {release.version} in {registry.address}/replayed/acme/{release.name}, which itself"
    for form in ((), ("--explain", f"acme/{release.name}")):
        out = lockwarden.run("check", *source, "--platform", "all", *form, folder=place).out
        assert form == () or f"{told} names neither provider nor version, is signed by {fingerprint(P256)}" in out
    assert f"{told} names neither" in lockwarden.run("keys", *source, folder=place).out


IDENTITY = f"""signing_identity "release" {{
  issuer            = "{ISSUER}"
  subject           = "{SUBJECT.replace("1.2.3", "{version}")}"
  source_repository = "{REPOSITORY}"
  trusted_root      = "root.json"
  providers         = ["*/*/*"]
}}
"""


@pytest.mark.parametrize("installed", [True, False], ids=["with the extra", "without the extra"])
def test_an_identity_signs_an_index_where_the_extra_is_installed(
    registry: Registry,
    release: Release,
    lockwarden: Lockwarden,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    installed: bool,
) -> None:
    monkeypatch.setattr(by_identity, "installed", lambda: installed)
    shelf, world = Shelf(), SigstoreWorld(subject=UniformResourceIdentifier(SUBJECT.replace("1.2.3", release.version)))
    index = shelf.provider(release.version, {name: each.archive for name, each in release.packages.items()})
    list_by_tag(shelf, index, refer(shelf, index, world.bundle(statement(index["digest"], predicate={"x": installed}))))
    shelf.push(registry, f"identity-{installed}/acme/{release.name}".lower())
    place = written(tmp_path / "configuration", (release,), known=True)
    (place / "root.json").write_bytes(text(world.trusted_root()))
    (place / ".lockwarden.hcl").write_text(IDENTITY)
    source = plain(registry, f"identity-{installed}/{{namespace}}/{{type}}".lower())
    done = lockwarden.run("check", *source, *LINUX, "--format", "json", folder=place, expected=0 if installed else 3)
    (seen,) = done.provider(release.name)["other_signatures"]
    assert (seen["scheme"], seen["identity"]["issuer"]) == ("sigstore", ISSUER)
    if installed:
        assert (seen["state"], seen["log"], seen["rule"]) == ("good", "verified", ".lockwarden.hcl line 1")
        assert seen["signed_at"] == "2026-06-01T12:00:00Z"
        verdicts = done.verdicts(release.name)
        assert {verdicts[package.zh] for package in release.packages.values()} == {"confirmed"}
    else:
        assert (seen["state"], seen["rule"]) == ("unsupported", "")
        assert "install lockwarden with its extra “sigstore”" in seen["detail"]


def test_provenance_that_is_given_as_a_file_satisfies_a_rule_that_requires_it(
    three_providers: ThreeProviders, release: Release, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    three_providers.write_folder(tmp_path / "mirror")
    place = written(tmp_path / "configuration", (release,), known=True)
    world = SigstoreWorld(subject=UniformResourceIdentifier(SUBJECT.replace("1.2.3", release.version)))
    subject = [{"name": each.zh, "digest": {"sha256": each.zh[3:]}} for each in release.packages.values()]
    provenance = world.bundle(statement(subject=subject, predicateType="https://slsa.dev/provenance/v1"))
    (place / "attestation.json").write_bytes(text({"attestations": [{"bundle": provenance}]}))
    (place / "root.json").write_bytes(text(world.trusted_root()))
    required = 'require {\n  providers  = ["*/*/*"]\n  signatures = ["sigstore"]\n}\n'
    (place / ".lockwarden.hcl").write_text(IDENTITY + required)
    asked = ("check", "--source", str(tmp_path / "mirror"), "--platform", "all", "--format", "json")
    without = lockwarden.run(*asked, folder=place, expected=1).provider(release.name)
    assert "signature-required" in {each["code"] for each in without["problems"]}
    told = lockwarden.run(*asked, "--attestations", "attestation.json", folder=place, expected=0).provider(release.name)
    assert {each["signer"] for row in told["hashes"] for each in row["signed_by"]} == {
        f"{SUBJECT.replace('1.2.3', release.version)} by {ISSUER}, built from {REPOSITORY} at refs/tags/v1.2.3"
    }
    refused = lockwarden.run("check", "--attestations", "root.json", folder=place, expected=2)
    assert "--attestations: root.json is no Sigstore bundle" in refused.err


def committed(folder: Path) -> None:
    """Commit everything in the folder to a repository there."""
    identity = ("-c", "user.name=Tests", "-c", "user.email=tests@example.test")
    for command in (("init", "--quiet"), ("add", "--all"), (*identity, "commit", "--quiet", "--message", "all")):
        subprocess.run(["git", "-C", str(folder), *command], check=True, timeout=60)


@pytest.mark.parametrize("source", ["tag"], indirect=True)
def test_a_change_names_no_keys_for_itself(
    source: tuple[str, ...], release: Release, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    """With a base, the policy and the files that it names are those of the base."""
    place = written(tmp_path / "configuration", (release,), known=True)
    committed(place)
    with_policy(place)
    done = lockwarden.run("check", *source, *LINUX, "--base", "HEAD", "--format", "json", folder=place)
    assert not any(each["signed_by"] for each in done.provider(release.name)["hashes"])
    committed(place)
    (place / "keys" / "acme.pub").write_bytes(pem(STRANGER))
    broken = lockwarden.run("check", *source, *LINUX, "--base", "HEAD", folder=place, expected=2)
    assert f"the key in “keys/acme.pub” is {fingerprint(STRANGER)}, and the block is of another" in broken.err
    (place / ".lockwarden.hcl").write_text(POLICY.replace(fingerprint(P256), fingerprint(STRANGER)))
    done = lockwarden.run("check", *source, *LINUX, "--base", "HEAD", "--format", "json", folder=place)
    signers = {each["signer"] for row in done.provider(release.name)["hashes"] for each in row["signed_by"]}
    assert signers == {fingerprint(P256)}
