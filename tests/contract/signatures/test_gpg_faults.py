"""A gpg that is slow, silent, odd, old or missing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextvars import copy_context
from pathlib import Path

import pytest
from builders.verifying import verify_now
from contract.signatures.workshop import DOCUMENT, NOW, Judge, Key, MakeGpg, Workshop, files_below, left_of

from lockwarden.core.signatures.gpg import Cancellation, kill_group
from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.system.allowance import Allowance, AuditLimits, begin_allowance
from lockwarden.core.values.errors import NoAnswerError, ToolError
from lockwarden.core.values.signing_keys import SignatureReport, SignatureState

HANG = f"sleep 7654.{os.getpid()}"
"""A command line that no other run of these tests has."""
HANG_AT = f'case "$*" in *{{}}*) {HANG} & echo started > "{{}}"; wait;; esac; exec "$GPG" "$@"'


def test_a_process_that_another_thread_has_just_waited_for_is_killed_without_an_error() -> None:
    process = subprocess.Popen(["true"], start_new_session=True)
    os.waitpid(process.pid, 0)
    with process._waitpid_lock:  # type: ignore[attr-defined]  # what a thread in `wait` holds
        assert process.poll() is None
        kill_group(process)
    process.wait()


class TestTime:
    @pytest.mark.parametrize("step", ["--import", "--verify"])
    def test_a_gpg_that_hangs_is_killed_with_all_its_children(
        self, make_gpg: MakeGpg, homes: Path, tmp_path: Path, signature: bytes, armor: str, step: str
    ) -> None:
        gpg = make_gpg(HANG_AT.format(step, tmp_path / "started"))
        limits = SignatureLimits(seconds=0.4)
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes, limits=limits)
        (judgement,) = verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor]).judgements
        assert (judgement.state, judgement.detail) == (
            SignatureState.UNDECODABLE_KEY,
            "gpg needed more than 0.4 seconds",
        )
        assert left_of(HANG) == []
        assert files_below(homes) == []

    def test_a_gpg_that_may_not_work_any_longer_gives_no_answer_and_nothing_is_remembered(
        self, gpg_program: Path, homes: Path, signature: bytes, armor: str
    ) -> None:
        verifier = SignatureVerifier(gpg_program, clock=lambda: NOW, folder=homes)

        def without_time() -> None:
            begin_allowance(AuditLimits(gpg_seconds=0.0))
            with pytest.raises(NoAnswerError, match="gpg has worked 0 seconds for this release") as caught:
                verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])
            assert caught.value.code == "gpg-time-spent"

        copy_context().run(without_time)
        (judgement,) = verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor]).judgements
        assert judgement.state is SignatureState.GOOD

    @pytest.mark.parametrize("step", ["--import", "--verify"])
    def test_a_run_of_gpg_is_cut_at_what_is_left_for_the_release(
        self, make_gpg: MakeGpg, homes: Path, tmp_path: Path, signature: bytes, armor: str, step: str
    ) -> None:
        gpg = make_gpg(HANG_AT.format(step, tmp_path / "started"))
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)

        def with_little_time() -> None:
            begin_allowance(AuditLimits(gpg_seconds=0.5))
            with pytest.raises(NoAnswerError, match=r"gpg has worked 0\.5 seconds"):
                verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])

        copy_context().run(with_little_time)
        assert left_of(HANG) == []
        assert files_below(homes) == []

    def test_a_key_that_vouches_counts_although_the_time_does_not_do_for_the_next(
        self, gpg_program: Path, homes: Path, signature: bytes, armor: str
    ) -> None:
        class TwoRuns(Allowance):
            runs = 0

            @property
            def gpg_seconds_left(self) -> float:
                return 20.0 if self.runs < 2 else 0.0

            def charge_gpg(self, seconds: float) -> None:
                self.runs += 1

        verifier = SignatureVerifier(gpg_program, clock=lambda: NOW, folder=homes)
        offered = (armor, armor.replace("\n\n", "\nComment: another text\n\n", 1))
        report = verifier._verify(DOCUMENT, signature, offered, Cancellation(), TwoRuns(AuditLimits()))
        assert [each.state for each in report.judgements] == [SignatureState.GOOD, SignatureState.UNDECODABLE_KEY]
        assert report.judgements[1].detail.startswith("gpg has worked 60 seconds for this release")

    def test_key_blocks_are_remembered_up_to_a_size(
        self, make_gpg: MakeGpg, homes: Path, tmp_path: Path, signature: bytes, armor: str
    ) -> None:
        imports = tmp_path / "imports"
        gpg = make_gpg(f'case "$*" in *--import*) echo >> "{imports}";; esac; exec "$GPG" "$@"')
        limits = SignatureLimits(cached_bytes=len(armor))
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes, limits=limits)
        other = armor.replace("\n\n", "\nComment: another text\n\n", 1)
        for offered in ([armor], [armor], [other], [armor]):
            verify_now(verifier, document=DOCUMENT, signature=signature, offered=offered)
        assert imports.read_text() == "\n" * 3

    @pytest.mark.parametrize("step", ["--import", "--verify"])
    def test_cancelling_ends_gpg_and_removes_its_home(
        self, make_gpg: MakeGpg, homes: Path, tmp_path: Path, signature: bytes, armor: str, step: str
    ) -> None:
        started = tmp_path / "started"
        os.mkfifo(started)
        gpg = make_gpg(HANG_AT.format(step, started))
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)

        async def cancelled() -> None:
            verification = asyncio.create_task(verifier.verify(document=DOCUMENT, signature=signature, offered=[armor]))
            await asyncio.to_thread(started.read_text)
            verification.cancel()
            with pytest.raises(asyncio.CancelledError):
                await verification
            assert files_below(homes) == []
            assert left_of(HANG) == []

        asyncio.run(cancelled())

    def test_nothing_remains_when_every_task_is_cancelled_at_once(
        self, make_gpg: MakeGpg, homes: Path, tmp_path: Path, signature: bytes, armor: str
    ) -> None:
        started = tmp_path / "started"
        os.mkfifo(started)
        verifier = SignatureVerifier(make_gpg(HANG_AT.format("--import", started)), clock=lambda: NOW, folder=homes)

        async def interrupted() -> None:
            verification = asyncio.create_task(verifier.verify(document=DOCUMENT, signature=signature, offered=[armor]))
            await asyncio.to_thread(started.read_text)
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await verification

        asyncio.run(interrupted())
        assert files_below(homes) == []
        assert left_of(HANG) == []

    def test_a_process_that_starts_after_the_cancellation_is_killed(self) -> None:
        cancellation = Cancellation()
        cancellation.cancel()
        process = subprocess.Popen(["sleep", "7654.5"], start_new_session=True)
        cancellation.attach(process)
        assert process.wait() == -signal.SIGKILL

    def test_after_a_cancellation_the_same_block_can_be_verified(
        self, make_gpg: MakeGpg, homes: Path, tmp_path: Path, signature: bytes, armor: str
    ) -> None:
        started, once = tmp_path / "started", tmp_path / "once"
        os.mkfifo(started)
        hang = f'if mkdir "{once}" 2>/dev/null; then echo started > "{started}"; exec {HANG}; fi'
        gpg = make_gpg(f'case "$*" in *--import*) {hang};; esac; exec "$GPG" "$@"')
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)

        async def twice() -> SignatureReport:
            first = asyncio.create_task(verifier.verify(document=DOCUMENT, signature=signature, offered=[armor]))
            await asyncio.to_thread(started.read_text)
            waiting = asyncio.create_task(verifier.verify(document=DOCUMENT, signature=signature, offered=[armor]))
            await asyncio.to_thread(lambda: None)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            return await verifier.verify(document=DOCUMENT, signature=signature, offered=[armor])

        assert asyncio.run(twice()).judgements[0].state is SignatureState.GOOD
        assert files_below(homes) == []

    def test_endless_output_is_cut(self, make_gpg: MakeGpg, homes: Path, signature: bytes, armor: str) -> None:
        gpg = make_gpg('case "$*" in *--import*) exec yes;; esac; exec "$GPG" "$@"')
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)
        (judgement,) = verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor]).judgements
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert judgement.detail == "gpg printed more than 8388608 bytes"

    def test_a_large_document_is_verified_and_a_gpg_that_does_not_read_it_does_no_harm(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str, signature: bytes
    ) -> None:
        large = os.urandom(1 << 20) * 8
        assert judge(workshop.sign(key, large), armor, large).state is SignatureState.GOOD
        assert judge(signature[:-5], armor, large).state is SignatureState.UNDECODABLE_SIGNATURE


class TestOddGpg:
    def test_messages_for_people_do_not_count(
        self, make_gpg: MakeGpg, homes: Path, key: Key, signature: bytes, armor: str
    ) -> None:
        claim = f"gpg: Good signature\ngpg: [GNUPG:] GOODSIG {key.key_id} x\n [GNUPG:] VALIDSIG {key.fingerprint}"
        verifier = SignatureVerifier(
            make_gpg(f'printf "{claim}\n" >&2; exec "$GPG" "$@"'), clock=lambda: NOW, folder=homes
        )
        report = verify_now(verifier, document=DOCUMENT + b"x", signature=signature, offered=[armor])
        assert report.judgements[0].state is SignatureState.BAD

    def test_a_gpg_that_ends_before_it_has_read_its_input_is_judged_by_what_it_said(
        self, make_gpg: MakeGpg, homes: Path, workshop: Workshop, key: Key, signature: bytes
    ) -> None:
        nothing = 'echo "[GNUPG:] NODATA 1" >&2; exit 2'
        gpg = make_gpg(f'case "$*" in *--import*) {nothing};; esac; exec "$GPG" "$@"')
        large = workshop.wrap(
            workshop.export(key) + b"\xca\x03PGP" * 10_000 + b"\xff\xff\x00\x08\x00\x00" + bytes(1 << 19)
        )
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)
        (judgement,) = verify_now(verifier, document=DOCUMENT, signature=signature, offered=[large]).judgements
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert judgement.detail == "gpg finds no key in it that it can use"


class TestMissingGpg:
    def test_the_path_is_searched_for_gpg(self, tmp_path: Path, gpg_program: Path) -> None:
        found = tmp_path / "gpg2"
        found.symlink_to(gpg_program)
        assert find_gpg({"PATH": str(tmp_path)}) == found

    @pytest.mark.parametrize("environ", [{}, {"PATH": ""}, {"PATH": "/nonexistent"}])
    def test_without_gpg_the_error_says_what_to_install(self, environ: dict[str, str]) -> None:
        with pytest.raises(ToolError, match="gpg is not installed") as caught:
            find_gpg(environ)
        assert "Install GnuPG" in caught.value.hint

    @pytest.mark.parametrize(
        ("script", "message"),
        [
            ("exit 3", "does not run as gpg"),
            ("echo hello", "is not GnuPG 2.2 or newer"),
            ("echo cfg:version:1.4.23", "is not GnuPG 2.2 or newer"),
        ],
    )
    def test_what_is_not_a_current_gpg_is_a_tool_error(
        self, make_gpg: MakeGpg, homes: Path, signature: bytes, armor: str, script: str, message: str
    ) -> None:
        verifier = SignatureVerifier(make_gpg(script), clock=lambda: NOW, folder=homes)
        with pytest.raises(ToolError, match=message):
            verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])
        assert files_below(homes) == []

    def test_a_program_that_is_gone_is_a_tool_error(
        self, tmp_path: Path, homes: Path, signature: bytes, armor: str
    ) -> None:
        verifier = SignatureVerifier(tmp_path / "gone", clock=lambda: NOW, folder=homes)

        async def verify() -> None:
            await verifier.verify(document=DOCUMENT, signature=signature, offered=[armor])

        with pytest.raises(ToolError, match="does not run as gpg"):
            asyncio.run(verify())

    def test_a_program_that_goes_away_later_is_a_tool_error(
        self, make_gpg: MakeGpg, homes: Path, signature: bytes, armor: str
    ) -> None:
        gpg = make_gpg('exec "$GPG" "$@"')
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)
        verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])
        gpg.unlink()
        with pytest.raises(ToolError, match="cannot be started"):
            verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])

    @pytest.mark.parametrize("step", ["--import", "--verify"])
    def test_a_gpg_that_never_says_a_word_is_a_tool_error(
        self, make_gpg: MakeGpg, homes: Path, signature: bytes, armor: str, step: str
    ) -> None:
        gpg = make_gpg(f'case "$*" in *{step}*) exit 2;; esac; exec "$GPG" "$@"')
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)
        with pytest.raises(ToolError, match="known to be good"):
            verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])
        assert files_below(homes) == []

    @pytest.mark.parametrize(
        ("step", "state"),
        [("--import", SignatureState.UNDECODABLE_KEY), ("--verify", SignatureState.UNDECODABLE_SIGNATURE)],
    )
    def test_a_gpg_that_works_but_has_no_word_for_an_input_cannot_decode_it(
        self,
        make_gpg: MakeGpg,
        homes: Path,
        tmp_path: Path,
        signature: bytes,
        armor: str,
        step: str,
        state: SignatureState,
    ) -> None:
        silent_once = f'mkdir "{tmp_path / "once"}" 2>/dev/null && exit 2'
        gpg = make_gpg(f'case "$*" in *{step}*) {silent_once};; esac; exec "$GPG" "$@"')
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)
        (judgement,) = verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor]).judgements
        assert judgement.state is state
        assert files_below(homes) == []

    def test_a_gpg_that_keeps_keys_elsewhere_is_a_tool_error(
        self, make_gpg: MakeGpg, homes: Path, signature: bytes, armor: str
    ) -> None:
        gpg = make_gpg('"$GPG" "$@"; code=$?; case "$*" in *--import*) rm "$GNUPGHOME"/pubring.*;; esac; exit $code')
        verifier = SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)
        with pytest.raises(ToolError, match="elsewhere") as caught:
            verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])
        assert "keyboxd" in caught.value.hint
