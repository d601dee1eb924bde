"""Keys made once for the session by the real gpg, and a verifier to judge their signatures."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from builders.verifying import verify_now
from contract.signatures.forge import Forge
from contract.signatures.workshop import DOCUMENT, NOW, Judge, Key, MakeGpg, VerifierAt, Workshop

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import KeyJudgement


@pytest.fixture(scope="session")
def gpg_program() -> Path:
    """The gpg under test: LOCKWARDEN_TEST_GPG, or the one on the PATH."""
    named = os.environ.get("LOCKWARDEN_TEST_GPG") or shutil.which("gpg")
    assert named, "gpg is needed for these tests"
    return Path(named)


@pytest.fixture(scope="session")
def workshop() -> Iterator[Workshop]:
    gpg = shutil.which("gpg")
    assert gpg, "gpg is needed for these tests"
    home = Path(tempfile.mkdtemp(prefix="lw-"))
    try:
        yield Workshop(gpg, home)
    finally:
        subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], capture_output=True)
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def homes(tmp_path: Path) -> Path:
    """Where the verifier makes its throw-away homes; every test may look whether it is empty again."""
    folder = tmp_path / "homes"
    folder.mkdir()
    return folder


@pytest.fixture
def verifier_at(gpg_program: Path, homes: Path) -> VerifierAt:
    """A verifier that believes in a stated time."""
    return lambda now: SignatureVerifier(gpg_program, clock=lambda: now, folder=homes)


@pytest.fixture
def verifier(verifier_at: VerifierAt) -> SignatureVerifier:
    return verifier_at(NOW)


@pytest.fixture
def judge(verifier: SignatureVerifier) -> Judge:
    """What one block says about one signature, over `DOCUMENT` unless another is given."""

    def one(signature: bytes, armor: str, document: bytes = DOCUMENT) -> KeyJudgement:
        (judgement,) = verify_now(verifier, document=document, signature=signature, offered=[armor]).judgements
        return judgement

    return one


@pytest.fixture(scope="session")
def key(workshop: Workshop) -> Key:
    """A plain key that nothing is wrong with."""
    return workshop.make()


@pytest.fixture(scope="session")
def stranger(workshop: Workshop) -> Key:
    """Another key, with the same user ID text."""
    return workshop.make()


@pytest.fixture(scope="session")
def armor(workshop: Workshop, key: Key) -> str:
    return workshop.armor(key)


@pytest.fixture(scope="session")
def signature(workshop: Workshop, key: Key) -> bytes:
    """The plain key's signature over `DOCUMENT`."""
    return workshop.sign(key)


@pytest.fixture(scope="session")
def split_key(workshop: Workshop) -> Key:
    """A primary key that only certifies, and a subkey that signs."""
    return workshop.add_subkey(workshop.make(usage="cert"))


@pytest.fixture(scope="session")
def rsa_key(workshop: Workshop) -> Key:
    return workshop.make("RSA <rsa@widget.example>", algorithm="rsa2048")


@pytest.fixture(scope="session")
def document() -> bytes:
    return DOCUMENT


@pytest.fixture(scope="session")
def now() -> datetime:
    return NOW


@pytest.fixture
def forge() -> Forge:
    """A key whose packets are written by hand."""
    return Forge()


@pytest.fixture
def make_gpg(tmp_path: Path, gpg_program: Path) -> MakeGpg:
    """A shell script that stands where gpg stands; `$GPG` in it is the real one."""

    def make(script: str) -> Path:
        path = tmp_path / "gpg-in-between"
        path.write_text(f"#!/bin/sh\nGPG='{gpg_program}'\n{script}\n")
        path.chmod(0o755)
        return path

    return make
