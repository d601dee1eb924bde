"""Verification of detached signatures with gpg: one offered key block at a time, as the clients do it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import assert_never

from msgspec import Struct

from lockwarden.core.signatures.blocks import KeyBlock, KeyBlockReader, throwaway_home
from lockwarden.core.signatures.detached import DetachedSignatures, read_detached
from lockwarden.core.signatures.gpg import INSTALL_HINT, BoundedGpg, Cancellation
from lockwarden.core.signatures.judge import DecidingSignature, Undecided, choose, judge
from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.seen import key_seen
from lockwarden.core.system.allowance import Allowance, current_allowance
from lockwarden.core.system.blocking import in_thread
from lockwarden.core.system.programs import find_program
from lockwarden.core.values.errors import NoAnswerError, ToolError
from lockwarden.core.values.signing_keys import KeyJudgement, KeySeen, SignatureReport, SignatureState


def find_gpg(environ: Mapping[str, str]) -> Path:
    """The gpg program on the PATH of `environ`, in an absolute folder of it.

    Raises:
        ToolError: there is none.
    """
    if program := find_program("gpg", environ) or find_program("gpg2", environ):
        return program
    raise ToolError("gpg is not installed", hint=INSTALL_HINT)


class _Work(Struct, frozen=True, kw_only=True):
    """Something for gpg to do."""

    now: datetime
    cancellation: Cancellation
    allowance: Allowance
    """Pays for the time that gpg takes."""


class _Job(_Work, frozen=True, kw_only=True):
    """One verification: the same for all offered blocks."""

    document: bytes
    signatures: DetachedSignatures


class SignatureVerifier:
    """Judges signatures; remembers the keys that it has read, which several providers share.

    A good signature proves that the holder of a key signed these bytes: not who that is, not when, and not that the
    document belongs to the provider or version that it is served for. Safe to use from several tasks and threads.
    """

    def __init__(
        self,
        gpg: Path,
        *,
        clock: Callable[[], datetime],
        limits: SignatureLimits | None = None,
        folder: Path | None = None,
        lax_armor: bool = False,
    ) -> None:
        """Nothing is run yet. `clock` returns an aware time; `folder` is for throw-away homes, else the system's.

        With `lax_armor` keys are decoded that OpenTofu decodes and Terraform does not.
        """
        self._program = gpg
        self._clock = clock
        self._limits = limits or SignatureLimits()
        self._folder = folder
        self._blocks = KeyBlockReader(limits=self._limits, folder=folder, lax_armor=lax_armor)
        self._probed: BoundedGpg | None = None
        self._probing = threading.Lock()

    async def prepare(self, *, offered: Sequence[str]) -> None:
        """Read the first offered block, in a thread, so that `verify` finds it read. Whatever is wrong, that one tells.

        No other block: how long gpg may work is limited, and the first one is checked before the next one is read.
        """
        if not offered:
            return
        work = _Work(now=self._clock(), cancellation=Cancellation(), allowance=current_allowance())
        with contextlib.suppress(ToolError, NoAnswerError):
            await in_thread(self._read_block, offered[0], work, stop=work.cancellation.cancel)

    async def verify(self, *, document: bytes, signature: bytes, offered: Sequence[str]) -> SignatureReport:
        """Judge the signature by each offered armoured block on its own, in a thread.

        When the task is cancelled, gpg is killed and its home removed before the cancellation goes on.

        Raises:
            ToolError: gpg is missing, too old, or failed in a way that says nothing about its input.
            NoAnswerError: gpg has worked as long as it may for one release, and no key is known to vouch.
        """
        cancellation = Cancellation()
        return await in_thread(
            self._verify,
            document,
            signature,
            tuple(offered),
            cancellation,
            current_allowance(),
            stop=cancellation.cancel,
        )

    def keys_now(self, armor: str) -> tuple[str, tuple[KeySeen, ...]]:
        """Why no client could use an armoured block, or the empty string, and the keys in it as they are now.

        Raises as `verify` does.
        """
        now = self._clock()
        block = self._read_block(armor, _Work(now=now, cancellation=Cancellation(), allowance=current_allowance()))
        return block.defect, tuple(key_seen(one, block, now=now, limits=self._limits) for one in block.certificates)

    def _verify(
        self,
        document: bytes,
        signature: bytes,
        offered: tuple[str, ...],
        cancellation: Cancellation,
        allowance: Allowance,
    ) -> SignatureReport:
        job = _Job(
            document=document,
            signatures=self._read(document, signature),
            now=self._clock(),
            cancellation=cancellation,
            allowance=allowance,
        )
        return SignatureReport(
            judgements=tuple(self._judgements(job, offered)),
            issuers=job.signatures.issuers,
            digest_algorithms=job.signatures.digest_algorithms,
        )

    def _read(self, document: bytes, signature: bytes) -> DetachedSignatures:
        if len(signature) > self._limits.signature_bytes:
            return DetachedSignatures(defect=f"it is larger than {self._limits.signature_bytes} bytes")
        if len(document) > self._limits.document_bytes:
            return DetachedSignatures(defect=f"the document is larger than {self._limits.document_bytes} bytes")
        return read_detached(signature)

    def _judgements(self, job: _Job, offered: tuple[str, ...]) -> Iterator[KeyJudgement]:
        """One judgement for each block. Where gpg's time is spent, the rest is not judged if some key vouches already;
        otherwise nothing is known of the signature, and that is raised.
        """
        vouched = False
        for position, armor in enumerate(offered):
            try:
                judgement = self._judgement(job, position, armor)
            except NoAnswerError as error:
                if not vouched:
                    raise
                judgement = _undecodable(position, error.message)
            vouched = vouched or judgement.vouches
            yield judgement

    def _judgement(self, job: _Job, position: int, armor: str) -> KeyJudgement:
        if position >= self._limits.blocks:
            return _undecodable(position, f"more than {self._limits.blocks} keys are offered")
        block = self._read_block(armor, job)
        if block.defect:
            return _undecodable(position, block.defect)
        match choose(job.signatures, block):
            case DecidingSignature() as candidate:
                return self._check(job, block, candidate, position)
            case Undecided(state=state, detail=detail):
                keys = tuple(key_seen(one, block, now=job.now, limits=self._limits) for one in block.certificates)
                return KeyJudgement(position=position, state=state, keys=keys, detail=detail)
            case never:
                assert_never(never)

    def _read_block(self, armor: str, work: _Work) -> KeyBlock:
        return self._blocks.read(armor, lambda home: self._gpg(home, work), work.cancellation)

    def _check(self, job: _Job, block: KeyBlock, candidate: DecidingSignature, position: int) -> KeyJudgement:
        with throwaway_home(self._folder) as name:
            home = Path(name)
            (home / block.keyring_name).write_bytes(block.keyring)
            document = home / "document"
            document.write_bytes(job.document)
            named = candidate.signature.naming(candidate.signature.key_id)
            log = self._gpg(home, job).check(signature=named, document=document)
        if log.stopped:
            return _undecodable(position, log.stopped)
        if not log.lines:
            with throwaway_home(self._folder) as name:
                from lockwarden.core.signatures.selftest import require_working_gpg

                require_working_gpg(self._gpg(Path(name), job), Path(name))
        return judge(candidate, log, block, position=position, now=job.now, limits=self._limits)

    def _gpg(self, home: Path, work: _Work) -> BoundedGpg:
        """gpg in `home` at the time of the work. The program is asked once for its version."""
        with self._probing:
            if self._probed is None:
                with throwaway_home(self._folder) as name:
                    self._probed = BoundedGpg(program=self._program, home=Path(name), limits=self._limits)
            return self._probed.at(
                home, now=int(work.now.timestamp()), cancellation=work.cancellation, allowance=work.allowance
            )


def _undecodable(position: int, detail: str) -> KeyJudgement:
    return KeyJudgement(position=position, state=SignatureState.UNDECODABLE_KEY, detail=detail)
