"""A key that is read ahead of its signature: once, alone, and whatever is wrong with it is told later."""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from pathlib import Path

import pytest
from builders.verifying import verify_now
from contract.signatures.workshop import DOCUMENT, NOW, MakeGpg

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.system.allowance import AuditLimits, begin_allowance
from lockwarden.core.values.errors import ToolError
from lockwarden.core.values.signing_keys import SignatureState


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Where what gpg is started with is written down."""
    return tmp_path / "runs"


@pytest.fixture
def counted(make_gpg: MakeGpg, homes: Path, runs: Path) -> SignatureVerifier:
    gpg = make_gpg(f'echo "$*" >>"{runs}"; exec "$GPG" "$@"')
    return SignatureVerifier(gpg, clock=lambda: NOW, folder=homes)


def imports(runs: Path) -> int:
    return sum("--import" in line for line in runs.read_text().splitlines())


def test_a_key_that_was_read_ahead_is_not_read_again(
    counted: SignatureVerifier, runs: Path, signature: bytes, armor: str
) -> None:
    other = armor.replace("\n\n", "\nComment: another text\n\n", 1)

    async def scenario() -> None:
        # Several providers offer one block at the same time, and it is read once for all of them.
        await asyncio.gather(*(counted.prepare(offered=[armor, other]) for _ in range(3)))
        assert imports(runs) == 1  # the second one is read when the first one was checked
        reports = await asyncio.gather(
            *(counted.verify(document=DOCUMENT, signature=signature, offered=[armor]) for _ in range(3))
        )
        assert {each.judgements[0].state for each in reports} == {SignatureState.GOOD}
        assert imports(runs) == 1

    asyncio.run(scenario())


def test_without_a_key_gpg_is_not_started(counted: SignatureVerifier, runs: Path) -> None:
    asyncio.run(counted.prepare(offered=[]))
    assert not runs.exists()


def test_a_missing_gpg_is_told_by_the_verification(homes: Path, signature: bytes, armor: str) -> None:
    verifier = SignatureVerifier(homes / "nothing", clock=lambda: NOW, folder=homes)
    asyncio.run(verifier.prepare(offered=[armor]))
    with pytest.raises(ToolError):
        verify_now(verifier, document=DOCUMENT, signature=signature, offered=[armor])


def test_gpg_that_may_not_work_any_longer_reads_nothing_ahead(
    counted: SignatureVerifier, runs: Path, signature: bytes, armor: str
) -> None:
    def without_time() -> None:
        begin_allowance(AuditLimits(gpg_seconds=0.0))
        asyncio.run(counted.prepare(offered=[armor]))

    copy_context().run(without_time)
    assert imports(runs) == 0
    (judgement,) = verify_now(counted, document=DOCUMENT, signature=signature, offered=[armor]).judgements
    assert judgement.state is SignatureState.GOOD
