"""What OpenSSH, minisign and signify sign is good here, and what is signed here is good for them."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.document_signing import NAMESPACE, Minisigner, Signer, ed25519, every_kind, security_key

from lockwarden.core.document_signatures.allowed_signers import read_allowed_signers
from lockwarden.core.document_signatures.minisign import read_minisign_key, read_minisign_signature
from lockwarden.core.document_signatures.ssh_keys import read_key
from lockwarden.core.document_signatures.ssh_signature import read_ssh_signature
from lockwarden.core.document_signatures.verification import is_good_minisign, is_good_ssh

DOCUMENT = b'approval "registry.example.test/acme/widget" {}\n'


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: what it signs and verifies is not compared")
    return found


def run(*words: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([str(word) for word in words], input=given, capture_output=True)


def private_file(folder: Path, signer: Signer) -> Path:
    path = folder / "key"
    path.write_bytes(signer.private)
    path.chmod(0o600)
    return path


def verifies(folder: Path, line: str, signature: str, *more: str) -> bool:
    (folder / "allowed").write_text(line + "\n")
    (folder / "signature").write_text(signature)
    asked = ("-Y", "verify", "-f", str(folder / "allowed"), "-I", "ada@example.test", "-n", NAMESPACE, *more)
    return run(tool("ssh-keygen"), *asked, "-s", folder / "signature", given=DOCUMENT).returncode == 0


@pytest.mark.parametrize("signer", every_kind(), ids=lambda each: each.name)
def test_ssh_keygen_and_we_take_each_others_signatures(tmp_path: Path, signer: Signer) -> None:
    keygen = tool("ssh-keygen")
    assert verifies(tmp_path, f"ada@example.test {signer.public}", signer.over(DOCUMENT))
    if not signer.private:
        return  # it would need the device that the key lies in
    made = run(keygen, "-Y", "sign", "-f", private_file(tmp_path, signer), "-n", NAMESPACE, given=DOCUMENT)
    read = read_ssh_signature(made.stdout.decode())
    assert (read.key.fingerprint, read.namespace) == (signer.fingerprint, NAMESPACE)
    assert is_good_ssh(read, DOCUMENT)
    assert not is_good_ssh(read, DOCUMENT + b" ")


def test_the_signature_of_a_git_commit_is_for_something_else(tmp_path: Path) -> None:
    made = run(tool("ssh-keygen"), "-Y", "sign", "-f", private_file(tmp_path, ed25519()), "-n", "git", given=DOCUMENT)
    read = read_ssh_signature(made.stdout.decode())
    assert read.namespace == "git"
    assert is_good_ssh(read, DOCUMENT), "good, and not for what we ask"


@pytest.mark.parametrize(
    ("principals", "options", "at"),
    [
        ("ada@example.test", "", ""),
        ("bob@example.test", "", ""),
        ("*@example.test", "", ""),
        ("ADA@example.test", "", ""),
        ("*@example.test,!ada@*", "", ""),
        ("!bob@*,?da@example.test", "", ""),
        ('"ada@example.test"', "", ""),
        ("ada@example.test", 'namespaces="git"', ""),
        ("ada@example.test", f'namespaces="git,{NAMESPACE}"', ""),
        ("ada@example.test", 'namespaces="*@lockwarden"', ""),
        ("ada@example.test", "cert-authority", ""),
        ("ada@example.test", 'what="this"', ""),
        ("ada@example.test", 'namespaces="git', ""),
        ("ada@example.test", 'valid-after="20260101Z"', "20251231235959Z"),
        ("ada@example.test", 'valid-after="20260101Z"', "20260101000000Z"),
        ("ada@example.test", 'valid-before="20270101Z"', "20270101000000Z"),
        ("ada@example.test", 'valid-before="20270101Z"', "20270101000001Z"),
        ("ada@example.test", 'valid-before="20270101Z",valid-after="20270101Z"', "20270101000000Z"),
    ],
)
def test_a_line_lets_sign_whom_ssh_keygen_lets(tmp_path: Path, principals: str, options: str, at: str) -> None:
    """But for lines without namespaces, which we read as if they named ours only to compare all else."""
    signer = ed25519()
    line = f"{principals} {options} {signer.public}"
    theirs = verifies(tmp_path, line, signer.over(DOCUMENT), *(["-O", f"verify-time={at}"] if at else []))
    now = datetime.strptime(at, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC) if at else None
    found = read_allowed_signers(line.encode(), path="allowed").of(read_key(signer.blob))
    ours = any(
        each.names("ada@example.test")
        and (not each.namespaces or each.serves(NAMESPACE))
        and (now is None or not (each.begins_later(now) or each.has_ended(now)))
        for each in found
    )
    assert ours is theirs


def test_a_security_key_that_nobody_touched_is_told_apart_by_us_alone(tmp_path: Path) -> None:
    signer = security_key("sk-ssh-ed25519@openssh.com", flags=0)
    assert verifies(tmp_path, f"ada@example.test {signer.public}", signer.over(DOCUMENT)) is True


def test_minisign_and_we_take_each_others_signatures(tmp_path: Path) -> None:
    minisign = tool("minisign")
    document = tmp_path / "document"
    document.write_bytes(DOCUMENT)
    ours = Minisigner()
    for hashed in (True, False):
        (tmp_path / "ours.minisig").write_text(ours.over(DOCUMENT, hashed=hashed))
        verify = ("-V", "-m", document, "-x", tmp_path / "ours.minisig")
        assert run(minisign, *verify, "-P", ours.public).returncode == 0
    keys = ("-p", tmp_path / "pub", "-s", tmp_path / "sec")
    assert run(minisign, "-G", "-W", *keys).returncode == 0
    assert run(minisign, "-S", "-s", tmp_path / "sec", "-m", document, "-t", "serial 7").returncode == 0
    key = read_minisign_key((tmp_path / "pub").read_text().split("\n")[1])
    read = read_minisign_signature((tmp_path / "document.minisig").read_text())
    assert (read.comment, read.hashed) == ("serial 7", True)
    assert is_good_minisign(read, DOCUMENT, key)
    assert not is_good_minisign(read, DOCUMENT + b" ", key)


def test_signify_and_we_take_each_others_signatures(tmp_path: Path) -> None:
    signify = tool("signify-openbsd")
    document = tmp_path / "document"
    document.write_bytes(DOCUMENT)
    ours = Minisigner()
    (tmp_path / "ours.pub").write_text(f"untrusted comment: ours\n{ours.public}\n")
    (tmp_path / "ours.sig").write_text(ours.by_signify(DOCUMENT))
    verify = ("-V", "-q", "-p", tmp_path / "ours.pub", "-x", tmp_path / "ours.sig", "-m", document)
    assert run(signify, *verify).returncode == 0
    assert run(signify, "-G", "-n", "-p", tmp_path / "a.pub", "-s", tmp_path / "a.sec").returncode == 0
    assert run(signify, "-S", "-s", tmp_path / "a.sec", "-m", document, "-x", tmp_path / "a.sig").returncode == 0
    key = read_minisign_key((tmp_path / "a.pub").read_text().split("\n")[1])
    read = read_minisign_signature((tmp_path / "a.sig").read_text())
    assert read.scheme == "signify"
    assert is_good_minisign(read, DOCUMENT, key)
    assert not is_good_minisign(read, DOCUMENT + b" ", key)
