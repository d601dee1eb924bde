"""What one release may cost in all, and who is charged for it."""

from __future__ import annotations

import asyncio

import pytest

from lockwarden.core.allowance import Allowance, AuditLimits, begin_allowance, current_allowance
from lockwarden.core.errors import NoAnswerError, Stage


def test_documents_are_counted_together() -> None:
    allowance = Allowance(AuditLimits(document_bytes=10))
    allowance.charge_document(6, stage=Stage.VERSIONS)
    allowance.charge_document(4, stage=Stage.METADATA)
    with pytest.raises(NoAnswerError, match="more than 10 bytes together, which is the limit") as caught:
        allowance.charge_document(1, stage=Stage.SUMS)
    assert (caught.value.code, caught.value.stage) == ("documents-too-large", Stage.SUMS)


def test_hashes_are_counted_together_and_a_document_with_too_many_is_not_counted() -> None:
    allowance = Allowance(AuditLimits(hashes=10))
    allowance.charge_hashes(6, stage=Stage.SUMS)
    with pytest.raises(NoAnswerError, match=r"a document with 5 hashes was not used, since .* more than 10") as caught:
        allowance.charge_hashes(5, stage=Stage.METADATA)
    assert (caught.value.code, caught.value.stage) == ("too-many-hashes", Stage.METADATA)
    allowance.charge_hashes(4, stage=Stage.ARCHIVES)


def test_the_time_of_gpg_is_counted_together() -> None:
    allowance = Allowance(AuditLimits(gpg_seconds=10.0))
    allowance.charge_gpg(4.0)
    assert allowance.gpg_seconds_left == 6.0
    allowance.charge_gpg(7.0)
    assert allowance.gpg_seconds_left < 0
    error = allowance.gpg_spent()
    assert (error.code, error.stage) == ("gpg-time-spent", Stage.SIGNATURE)
    assert error.message.startswith("gpg has worked 10 seconds for this release, which is the limit")


def test_an_allowance_goes_with_a_task_and_what_it_starts_and_with_no_other() -> None:
    async def release(count: int) -> None:
        begin_allowance(AuditLimits(hashes=10))
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(asyncio.to_thread(lambda: current_allowance().charge_hashes(5, stage=Stage.SUMS)))

    async def audit() -> None:
        await asyncio.gather(release(2), release(2))
        with pytest.raises(ExceptionGroup) as caught:
            await asyncio.create_task(release(3))
        assert caught.group_contains(NoAnswerError)
        current_allowance().charge_hashes(20_000, stage=Stage.SUMS)

    asyncio.run(audit())
