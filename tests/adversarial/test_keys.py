"""Signing keys that are not, or no longer, what they should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, LINUX, MIB, Scene, entry, unsigned
from contract.signatures.forge import Forge, packet
from contract.signatures.workshop import SIGNED, Key, Workshop

from lockwarden.demo.keys import SigningKey
from lockwarden.demo.releases import Release


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    import shutil
    import subprocess
    import tempfile

    home = Path(tempfile.mkdtemp(prefix="lw-a-", dir="/tmp"))
    try:
        yield Workshop(shutil.which("gpg") or "gpg", home)
    finally:
        subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], capture_output=True)
        shutil.rmtree(home, ignore_errors=True)


def released(
    name: str, signature_of: Workshop, by: Key | str, armor: str, *options: str, when: str = SIGNED
) -> Release:
    """A release of NAME that a key of the workshop signed, and for which the registry offers this armour."""
    made = unsigned(name)
    fingerprint = by.fingerprint if isinstance(by, Key) else by
    offered = SigningKey(fingerprint=fingerprint, signing_fingerprint=fingerprint, user_id="", armor=armor)
    return replace(made, offered=(offered,), signature=signature_of.sign(by, made.sums, *options, when=when))


def test_each_way_in_which_a_key_is_no_good_has_its_own_word_and_none_vouches(scene: Scene, workshop: Workshop) -> None:
    revoked = workshop.make("Revoked <a@acme.example>")
    made = [released("revoked", workshop, revoked, "")]
    workshop.revoke(revoked, reason=1)
    made[0] = replace(made[0], offered=(replace(made[0].offered[0], armor=workshop.armor(revoked)),))
    late = workshop.make("Late <a@acme.example>", when="20250601T000000")
    made.append(released("early", workshop, late, workshop.armor(late), when="20250701T000000"))
    subkey = workshop.add_subkey(workshop.make("Subkey <a@acme.example>", usage="cert"))
    bare = workshop.wrap(workshop.without_cross_certification(workshop.export(subkey)))
    made.append(released("uncertified", workshop, subkey.subkeys[0], bare))
    closed = workshop.add_subkey(workshop.make("Closed <a@acme.example>", usage="cert"))
    only = workshop.make("Signer <a@acme.example>")
    made.append(released("stranger", workshop, only, workshop.armor(closed)))
    future = workshop.make("Future <a@acme.example>", when="20390101T000000")
    made.append(released("future", workshop, future, workshop.armor(future), when="20390201T000000"))
    scene.serve(*made)
    scene.lock(*map(entry, made))
    done = scene.check(*BOTH, expected=1)
    assert done.codes("revoked") == {"signing-key-revoked"}
    assert done.codes("uncertified") == {"signing-key-undecodable", "signature-unknown-issuer"}
    assert done.codes("stranger") == {"signature-unknown-issuer"}
    assert done.codes("future") == {"signed-outside-validity"}
    for name in ("revoked", "uncertified", "stranger", "future"):
        assert done.confirmed(name) == set()
    assert len(done.confirmed("early")) == 4


def test_a_key_that_expired_since_it_signed_is_a_warning_and_a_refusal_where_that_is_enforced(
    scene: Scene, parties: Parties
) -> None:
    release = parties.sign(unsigned("widget"), by=parties.expired, days=70)
    scene.serve(release)
    scene.lock(entry(release))
    done = scene.check(*BOTH, expected=0)
    assert done.codes("widget") == {"signing-key-expired"}
    scene.environment["OPENTOFU_ENFORCE_GPG_EXPIRATION"] = "true"
    assert scene.check(*BOTH, expected=1).confirmed("widget") == set()


def test_a_signature_over_a_weak_digest_is_never_taken_in_silence(scene: Scene, workshop: Workshop) -> None:
    key = workshop.make("Weak <a@acme.example>")
    release = released("widget", workshop, key, workshop.armor(key), "--digest-algo", "SHA1")
    scene.serve(release)
    scene.lock(entry(release))
    done = scene.check(*BOTH, expected=0)
    (problem,) = done.provider("widget")["problems"]
    assert (problem["code"], problem["severity"]) == ("signature-weak-digest", "warning")
    assert "sha1" in problem["message"]


def test_key_bombs_are_refused_within_bounds(scene: Scene, workshop: Workshop, parties: Parties) -> None:
    packets = workshop.export(workshop.make("Bomb <a@acme.example>"))
    bombs = {
        "packets": [workshop.wrap(packets + b"\xca\x00" * 300_000)],
        "size": [workshop.wrap(packets + b"\xfc\xff\x00\x20\x00\x00" + bytes(2 * MIB))],
        "keys": [parties.intruder.armor] * 3_000,
    }
    releases = {
        name: replace(parties.release(name), offered=tuple(replace(parties.intruder, armor=text) for text in offered))
        for name, offered in bombs.items()
    }
    scene.serve(*releases.values())
    scene.lock(*map(entry, releases.values()))
    done = scene.check_measured(*LINUX, expected=1)
    for name in bombs:
        assert done.confirmed(name) == set()
    assert done.codes("packets") == {"signing-key-undecodable", "signature-unknown-issuer"}
    assert done.codes("size") == {"too-large"}
    assert "signature-unknown-issuer" in done.codes("keys")


def test_a_key_packet_that_ends_behind_its_key_is_undecodable_and_stops_nothing(
    scene: Scene, workshop: Workshop, parties: Parties
) -> None:
    forge, honest = Forge(), parties.release("gadget")
    release = unsigned("widget")
    whole = packet(6, forge.body)
    longer = packet(6, forge.body + b"x") + forge.block(b"Acme <a@acme.example>")[len(whole) :]
    offered = replace(parties.intruder, armor=workshop.wrap(longer))
    release = replace(release, offered=(offered,), signature=forge.signature(release.sums))
    scene.serve(release, honest)
    scene.lock(entry(release), entry(honest))
    done = scene.check_to_its_end(*LINUX, expected=1)
    assert done.codes("widget") == {"signing-key-undecodable", "signature-unknown-issuer"}
    assert done.confirmed("widget") == set()
    assert len(done.confirmed("gadget")) >= 3
