"""Approvals that come with a change: those that the base's key has signed count, and nothing that looks like them."""

from __future__ import annotations

from pathlib import Path

import pytest
from adversarial.changes import APPROVALS, FROM_CHANGE, LOCK, PLANTED, POLICY, Forge, approving, problems_of
from adversarial.parties import Parties
from adversarial.scene import BOTH, Answered, Scene
from builders.document_signing import NAMESPACE, Minisigner, Signer, ed25519
from builders.three_providers import HOST

SIGNATURE = f"{APPROVALS}.sig"
ADA, MALLORY = ed25519(), ed25519(bytes(32))
BY_ADA = approving(by="Ada <ada@example.test>")
LISTED = f'ada@example.test namespaces="{NAMESPACE}"'


def naming(signer: Signer = ADA, providers: str = f"{HOST}/acme/*", more: str = "") -> str:
    """A policy whose key may sign approvals."""
    about = f'  scheme    = "sshsig"\n  owner     = "Ada Example"\n  providers = ["{providers}"]\n'
    return f'signing_key "{signer.fingerprint}" {{\n{about}{more}}}\n'


def document(records: str = BY_ADA, serial: int = 6) -> str:
    return f'document {{\n  serial = {serial}\n  signer = "ada@example.test"\n}}\n\n{records}'


def signed(text: str, by: Signer = ADA, namespace: str = NAMESPACE) -> dict[str, str]:
    return {APPROVALS: text, SIGNATURE: by.over(text.encode(), namespace=namespace)}


@pytest.fixture
def forge(scene: Scene, parties: Parties) -> Forge:
    """A base whose policy names Ada's key, with approvals of its own that she has signed, and a change that plants."""
    made = Forge.of(scene, parties)
    made.commit({LOCK: made.lock(), POLICY: naming(), **signed(document("", serial=5))})
    made.branch()
    made.commit({LOCK: made.lock(PLANTED)})
    return made


def refused(done: Answered, code: str) -> str:
    """What is told of approvals that count for nothing."""
    assert done.code == 1, done.told
    (row,) = [each for each in done.provider("widget")["hashes"] if each["hash"] == PLANTED]
    assert row["approval"] is None
    assert row["verdict"] == "unexplained"
    told = problems_of(done)
    assert code in told, told
    assert "approvals-signed" not in told
    return told[code]["message"]


def test_a_signed_approval_that_comes_with_the_change_counts_and_every_report_says_who_signed(forge: Forge) -> None:
    assert forge.check().code == 1
    forge.commit(signed(document()))
    done = forge.check()
    assert done.code == 0, done.told
    (row,) = [each for each in done.provider("widget")["hashes"] if each["hash"] == PLANTED]
    assert row["verdict"] == "unexplained", "what it is stays what it is"
    assert row["approval"]["signature"] == {
        "scheme": "sshsig",
        "signer": ADA.fingerprint,
        "owner": "Ada Example",
        "serial": 6,
        "rules": [f"{POLICY} line 1"],
    }
    assert {"scheme": "sshsig", "signer": ADA.fingerprint} in row["signed_by"]
    assert row["signed_by_gpg_key_ids"] == []
    told = problems_of(done)
    assert told["approvals-signed"]["severity"] == "note"
    assert "proposed-standards" not in told
    files = done.report["lock_files"][0]["standards"]["approvals"]
    assert [(each["proposed"], each["signature"]["counts"]) for each in files] == [(False, True)] * 2
    for form in ("text", "markdown", "sarif"):
        out = forge.check(form=form).out
        assert out.count(ADA.fingerprint) >= 2, form
        assert "Ada Example" in out, form


def test_an_unsigned_one_beside_it_does_not_count(forge: Forge) -> None:
    other = "h1:" + "A" * 43 + "="
    forge.commit({LOCK: forge.lock(PLANTED, other), **signed(document())})
    done = forge.check()
    assert done.code == 1, done.told
    forge.commit({APPROVALS: document(BY_ADA + approving(other))})
    assert "not the one that was signed" in refused(forge.check(), "approvals-signature-bad")
    (forge.folder / SIGNATURE).unlink()
    assert "changes the approvals" in refused(forge.check(), "approvals-proposed")


def test_a_replayed_one_of_another_provider_or_version_is_no_evidence(forge: Forge) -> None:
    for wrong in (BY_ADA.replace("acme/widget", "acme/gadget"), BY_ADA.replace('"1.0.0"', '"1.0.1"')):
        forge.commit(signed(document(wrong)))
        done = forge.check()
        assert done.code == 1, done.told
        assert done.verdicts("widget")[PLANTED] == "unexplained"


def test_an_older_one_that_the_base_had_is_no_evidence_whatever_became_of_it(forge: Forge) -> None:
    forge.commit(signed(document(serial=5)))
    assert "5 is not higher than 5" in refused(forge.check(), "approvals-replayed")
    forge.commit(signed(document(serial=6)))
    assert forge.check().code == 0
    forge.on_main(signed(document("", serial=7)))
    assert "6 is not higher than 7" in refused(forge.check(), "approvals-replayed")
    forge.on_main({APPROVALS: "# withdrawn by hand\n"})
    assert "not higher than 7" in refused(forge.check(), "approvals-replayed"), "the base's history remembers"


def test_what_the_base_had_is_remembered_although_its_first_parents_are_those_of_another_branch(forge: Forge) -> None:
    """The main branch is put on a merge that somebody made on their own branch, as a fast-forward does it."""
    forge.commit(signed(document(serial=6)))
    forge.on_main(signed(document("", serial=7)))
    forge.on_main({APPROVALS: "# withdrawn by hand\n"})
    forge.git("switch", "-q", "-c", "side", "main~2")
    forge.commit({"README": "a side"})
    forge.git("merge", "-q", "--no-edit", "main")
    forge.git("branch", "-q", "-f", "main", "side")
    forge.git("switch", "-q", "topic")
    assert "not higher than 7" in refused(forge.check(), "approvals-replayed")


def test_in_a_shallow_clone_nobody_knows_whether_it_is_an_older_one(forge: Forge) -> None:
    """Unless what is there has a number of its own, below which everything is older."""
    forge.commit(signed(document(serial=6)))
    forge.on_main(signed(document("", serial=7)))
    forge.on_main({APPROVALS: "# withdrawn by hand\n"})
    boundary = forge.folder / ".git" / "shallow"
    before, tip = forge.git("rev-parse", "main~1", "main").split()
    boundary.write_text(f"{tip}\n")
    assert "is not known" in refused(forge.check(), "approvals-age-unknown")
    assert "its age is not known" in forge.check(form="text").out
    boundary.write_text(f"{before}\n")
    assert "6 is not higher than 7" in refused(forge.check(), "approvals-replayed")
    forge.commit(signed(document(serial=8)))
    assert forge.check().code == 0


def test_a_signature_without_its_file_is_over_nothing(forge: Forge) -> None:
    (forge.folder / APPROVALS).unlink()
    forge.commit({LOCK: forge.lock()})
    done = forge.check()
    assert done.code == 0, done.told
    assert {*problems_of(done)} == {"approvals-proposed", "proposed-standards"}
    assert problems_of(forge.check(base="")) == {}


def test_a_number_that_nobody_signed_blocks_nobody(forge: Forge) -> None:
    forge.on_main({APPROVALS: document("", serial=999)})
    forge.commit(signed(document(serial=6)))
    assert forge.check().code == 0


def test_a_signature_for_something_else_by_another_key_or_over_other_bytes_does_not_count(forge: Forge) -> None:
    forge.commit(signed(document(), namespace="git"))
    assert "signature for “git”" in refused(forge.check(), "approvals-signature-unusable")
    forge.commit(signed(document(), by=MALLORY))
    assert "does not name the key" in refused(forge.check(), "approvals-signer-unknown")
    changed = signed(document())
    forge.commit({**changed, APPROVALS: changed[APPROVALS].replace('"ours"', '"Ours"')})
    refused(forge.check(), "approvals-signature-bad")
    forge.commit({**changed, SIGNATURE: "-----BEGIN SSH SIGNATURE-----\n"})
    refused(forge.check(), "approvals-signature-unusable")
    forge.commit(signed(BY_ADA))
    assert "no serial number" in refused(forge.check(), "approvals-signature-unusable")


def test_the_change_cannot_name_its_own_key(forge: Forge) -> None:
    forge.commit({**signed(document(), by=MALLORY), POLICY: naming() + naming(MALLORY)})
    refused(forge.check(), "approvals-signer-unknown")


def test_a_key_counts_for_its_providers_until_its_end_and_where_both_policies_name_it(forge: Forge) -> None:
    forge.commit(signed(document()))
    forge.on_main({POLICY: naming(providers=f"{HOST}/other/*")})
    assert forge.check().code == 1
    forge.on_main({POLICY: naming(more='  not_after = "2020-01-01T00:00:00Z"\n')})
    assert "until 2020-01-01" in refused(forge.check(), "approvals-signer-not-valid")
    forge.on_main({POLICY: naming() + f'approvals {{\n  revoked = ["{ADA.fingerprint}"]\n}}\n'})
    refused(forge.check(), "approvals-signer-not-valid")
    forge.on_main({POLICY: "# nobody any more\n"})
    assert forge.check().code == 1
    forge.on_main({POLICY: naming()})
    assert forge.check().code == 0


def test_a_key_that_the_base_named_after_the_branch_left_counts_once_the_branch_has_taken_that_in(
    scene: Scene, parties: Parties
) -> None:
    forge = Forge.of(scene, parties)
    forge.commit({LOCK: forge.lock(), POLICY: naming(MALLORY)})
    forge.branch()
    forge.commit({LOCK: forge.lock(PLANTED), **signed(document())})
    forge.on_main({POLICY: naming()})
    refused(forge.check(), "approvals-signer-unknown")
    forge.git("merge", "-q", "-m", "main", "main")
    assert forge.check().code == 0


def test_a_list_of_allowed_signers_is_the_bases(scene: Scene, parties: Parties) -> None:
    forge = Forge.of(scene, parties)
    listed = f"{LISTED} {ADA.public}\n"
    lets = 'approvals {\n  allowed_signers = "keys/allowed"\n}\n'
    forge.commit({LOCK: forge.lock(), POLICY: lets, "keys/allowed": listed + "mallory@example.test\n"})
    forge.branch()
    forge.commit({LOCK: forge.lock(PLANTED), **signed(document())})
    done = forge.check()
    assert done.code == 0, done.told
    assert "ada@example.test (SHA256:" in problems_of(done)["approvals-signed"]["message"]
    forge.commit({**signed(document(), by=MALLORY), "keys/allowed": f"{listed}{LISTED} {MALLORY.public}\n"})
    refused(forge.check(), "approvals-signer-unknown")
    assert "line 2: it has no key" in problems_of(forge.check())["allowed-signers-void"]["message"]
    outside = forge.folder.parent / "own.hcl"
    outside.write_text(lets.replace("keys/allowed", f"{forge.folder.name}/keys/allowed"))
    done = forge.ended("--policy", outside)
    assert done.code == 2
    assert "lies in the working tree under review" in done.err


SIGNED_ONLY = "approvals {\n  signed = true\n}\n"


def test_a_policy_may_want_every_approval_signed(scene: Scene, parties: Parties) -> None:
    forge = Forge.of(scene, parties)
    forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving(), POLICY: naming() + SIGNED_ONLY})
    forge.branch()
    forge.commit({"README": "more\n"})
    done = forge.check()
    assert done.code == 1, "one that the base has counts for nothing, unsigned"
    assert "1 record in" in problems_of(done)["approvals-not-signed"]["message"]
    assert forge.check(base="").code == 1, "nor one of one's own"
    forge.on_main({POLICY: naming() + FROM_CHANGE.replace("true", "true\n  signed = true")})
    forge.git("merge", "-q", "-m", "main", "main")
    forge.commit({APPROVALS: approving() + "\n"})
    assert forge.check().code == 1, "nor one of the change, whoever may bring them"
    forge.commit(signed(document(approving(), serial=1)))
    assert forge.check().code == 0
    assert forge.check(base="").code == 0
    forge.on_main(signed(document(approving(), serial=1)))
    forge.commit({"README": "still more\n"})
    assert forge.check().code == 0


def test_a_policy_may_want_every_hash_signed_by_an_administrator(scene: Scene, parties: Parties) -> None:
    forge = Forge.of(scene, parties)
    wanted = f'require {{\n  providers  = ["{HOST}/acme/*"]\n  signatures = ["sshsig"]\n}}\n'
    forge.commit({LOCK: forge.lock(), POLICY: naming() + wanted})
    forge.branch()
    forge.commit({"README": "more\n"})
    done = forge.check()
    assert done.code == 1
    assert "signature-required" in done.codes("widget")
    hashes = [text for package in forge.release.packages.values() for text in package.hashes]
    listed = '", "'.join(hashes)
    forge.commit({APPROVALS: approving(listed)})
    assert "signature-required" in forge.check(base="").codes("widget"), "a record that nobody signed is no signature"
    forge.commit(signed(document(approving(listed))))
    done = forge.check()
    assert done.code == 0, done.told
    linux = forge.release.packages["linux_amd64"].hashes
    of_linux = approving('", "'.join(linux)).replace("  reason", '  platform = "darwin_arm64"\n  reason')
    forge.commit(signed(document(approving('", "'.join(each for each in hashes if each not in linux)) + of_linux, 7)))
    assert "signature-required" in forge.check().codes("widget"), "a record for another platform than the hash's"


def test_minisign_signs_as_well(scene: Scene, parties: Parties) -> None:
    forge, key = Forge.of(scene, parties), Minisigner()
    named = f'signing_key "{key.public}" {{\n  scheme    = "minisign"\n  providers = ["{HOST}/acme/*"]\n}}\n'
    forge.commit({LOCK: forge.lock(), POLICY: named})
    forge.branch()
    text = document(serial=1)
    forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: text, f"{APPROVALS}.minisig": key.over(text.encode())})
    assert forge.check().code == 0
    forge.commit({f"{APPROVALS}.minisig": Minisigner(bytes(32)).over(text.encode())})
    refused(forge.check(), "approvals-signature-bad")


def test_a_link_in_the_place_of_the_signature_is_no_signature(forge: Forge) -> None:
    files = signed(document())
    forge.commit({APPROVALS: files[APPROVALS]})
    outside = forge.folder.parent / "signature"
    outside.write_text(files[SIGNATURE])
    (forge.folder / SIGNATURE).unlink()
    (forge.folder / SIGNATURE).symlink_to(outside)
    refused(forge.check(), "approvals-signature-unusable")


def test_what_approve_sign_writes_is_what_check_takes_and_init_proposes_its_key(
    scene: Scene, parties: Parties, tmp_path: Path
) -> None:
    key = tmp_path / "id"
    key.write_bytes(ADA.private)
    key.chmod(0o600)
    forge = Forge.of(scene, parties)
    forge.commit({LOCK: forge.lock()})
    forge.branch()
    forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: BY_ADA})
    assert scene.run("approve-sign", "--yes", "--key", key).code == 0
    assert forge.check().code == 1, "nobody has named the key"
    proposed = scene.run("init", *BOTH).out
    assert f'# signing_key "{ADA.fingerprint}"' in proposed
    assert '\nsigning_key "SHA256' not in proposed
    forge.commit()
    forge.on_main({POLICY: naming()})
    done = forge.check()
    assert done.code == 0, done.told
    assert scene.run("approve-sign", "--yes", "--key", key).code == 0
    assert forge.check().code == 0
    assert problems_of(forge.check())["approvals-signed"]["message"].count("serial 2")
