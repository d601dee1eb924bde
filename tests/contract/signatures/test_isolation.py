"""gpg leaves nothing behind, reads nothing of the operator's, and is not run more often than it has to."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from builders.verifying import verify_now
from contract.signatures.workshop import DOCUMENT, NOW, Judge, Key, MakeGpg, Workshop, files_below, left_of

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import SignatureReport, SignatureState


class TestNothingIsLeft:
    @pytest.mark.parametrize("offered", [["armor"], ["garbage"], ["armor", "armor", "garbage"], []])
    def test_no_folder_and_no_process_remains(
        self, verifier: SignatureVerifier, homes: Path, signature: bytes, armor: str, offered: list[str]
    ) -> None:
        blocks = [armor if one == "armor" else one for one in offered]
        verify_now(verifier, document=DOCUMENT, signature=signature, offered=blocks)
        assert files_below(homes) == []
        assert left_of(str(homes)) == []

    def test_homes_go_to_the_systems_folder_unless_told_otherwise(
        self, gpg_program: Path, signature: bytes, armor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        verifier = SignatureVerifier(gpg_program, clock=lambda: NOW)
        report = verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])
        assert report.judgements[0].state is SignatureState.GOOD
        assert files_below(tmp_path) == []

    def test_a_home_is_closed_to_others_and_knows_nothing_of_the_environment(
        self,
        make_gpg: MakeGpg,
        homes: Path,
        tmp_path: Path,
        signature: bytes,
        armor: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("LOCKWARDEN_SECRET", "token")
        notes = tmp_path / "notes"
        gpg = make_gpg(f'env >> "{notes}"; ls -ld "$GNUPGHOME" >> "{notes}"; exec "$GPG" "$@"')
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)
        verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])
        lines = notes.read_text().splitlines()
        assert sum(line.startswith("drwx------ ") for line in lines) == 3
        homes_seen = {line.partition("=")[2] for line in lines if line.startswith(("HOME=", "GNUPGHOME="))}
        assert all(Path(home).parent == homes for home in homes_seen)
        assert not any("token" in line for line in lines)


class TestTheOperatorsOwnGpg:
    @pytest.fixture
    def home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        home = tmp_path / "operator"
        home.mkdir()
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.delenv("GNUPGHOME", raising=False)
        return home

    def test_an_empty_home_stays_empty(self, judge: Judge, home: Path, signature: bytes, armor: str) -> None:
        assert judge(signature, armor).state is SignatureState.GOOD
        assert files_below(home) == []

    @pytest.mark.parametrize("named", [True, False])
    def test_a_hostile_configuration_has_no_effect(
        self, judge: Judge, home: Path, signature: bytes, armor: str, named: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = home / ".gnupg"
        folder.mkdir(mode=0o700)
        (folder / "gpg.conf").write_text("no-such-option\nstatus-fd 1\nweak-digest SHA512\nassert-signer 00\n")
        (folder / "common.conf").write_text("use-keyboxd\nno-such-option\n")
        if named:
            monkeypatch.setenv("GNUPGHOME", str(folder))
        before = files_below(home)
        assert judge(signature, armor).state is SignatureState.GOOD
        assert judge(signature, armor, DOCUMENT + b"x").state is SignatureState.BAD
        assert files_below(home) == before

    def test_a_key_in_the_operators_keyring_does_not_help(
        self, judge: Judge, workshop: Workshop, stranger: Key, armor: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GNUPGHOME", str(workshop.home))
        assert judge(workshop.sign(stranger), armor).state is SignatureState.UNKNOWN_ISSUER


class TestMemory:
    @pytest.fixture
    def calls(self, tmp_path: Path) -> Path:
        return tmp_path / "calls"

    @pytest.fixture
    def counting(self, make_gpg: MakeGpg, homes: Path, calls: Path) -> SignatureVerifier:
        slow = 'case "$*" in *--import*) sleep 0.1;; esac'
        gpg = make_gpg(f'echo "$@" >> "{calls}"; {slow}; exec "$GPG" "$@"')
        return SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)

    def test_a_block_is_read_once_for_all_documents(
        self, counting: SignatureVerifier, calls: Path, workshop: Workshop, key: Key, armor: str
    ) -> None:
        for document in (b"one\n", b"two\n", b"three\n"):
            report = verify_now(counting, document=document, signature=workshop.sign(key, document), offered=[armor])
            assert report.judgements[0].state is SignatureState.GOOD
        lines = calls.read_text().splitlines()
        assert sum("--import " in line for line in lines) == 1
        assert sum("--verify " in line for line in lines) == 3

    def test_tasks_that_offer_the_same_block_at_once_read_it_once(
        self, counting: SignatureVerifier, calls: Path, signature: bytes, armor: str
    ) -> None:
        async def all_at_once() -> list[SignatureReport]:
            return await asyncio.gather(
                *(counting.verify(document=DOCUMENT, signature=signature, offered=[armor]) for _ in range(4))
            )

        reports = asyncio.run(all_at_once())
        assert {report.judgements[0].state for report in reports} == {SignatureState.GOOD}
        assert sum("--import " in line for line in calls.read_text().splitlines()) == 1

    def test_a_block_that_did_not_make_the_signature_costs_no_check(
        self, counting: SignatureVerifier, calls: Path, workshop: Workshop, stranger: Key, armor: str
    ) -> None:
        verify_now(counting, document=DOCUMENT, signature=workshop.sign(stranger), offered=[armor])
        assert not any("--verify " in line for line in calls.read_text().splitlines())
