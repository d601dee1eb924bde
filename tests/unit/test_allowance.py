"""What one release may cost in all, and who is charged for it."""

from __future__ import annotations

import asyncio

import pytest

from lockwarden.core.system.allowance import Allowance, AuditLimits, Total, begin_allowance, current_allowance
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.hashes import Hash


def test_documents_are_counted_together() -> None:
    allowance = Allowance(AuditLimits(document_bytes=10))
    allowance.charge_document(6, stage=Stage.VERSIONS)
    allowance.charge_document(4, stage=Stage.METADATA)
    with pytest.raises(NoAnswerError, match="more than 10 bytes together, which is the limit") as caught:
        allowance.charge_document(1, stage=Stage.SUMS)
    assert (caught.value.code, caught.value.stage) == ("documents-too-large", Stage.SUMS)


def hashes(first: int, count: int) -> list[Hash]:
    return [Hash(f"zh:{number:064x}") for number in range(first, first + count)]


def refused(allowance: Allowance, more: list[Hash]) -> str:
    with pytest.raises(NoAnswerError) as caught:
        allowance.charge_hashes(more, stage=Stage.METADATA)
    assert (caught.value.code, caught.value.stage) == ("too-many-hashes", Stage.METADATA)
    return caught.value.message


def test_different_hashes_are_counted_together_and_a_document_with_too_many_is_not_counted() -> None:
    allowance = Allowance(AuditLimits(hashes=10))
    allowance.charge_hashes(hashes(0, 6), stage=Stage.SUMS)
    allowance.charge_hashes(hashes(0, 6), stage=Stage.SUMS)
    assert refused(allowance, hashes(5, 6)) == (
        "a document with 6 hashes was not used, since this release would have more than 10 in all, which is the limit"
    )
    allowance.charge_hashes(hashes(6, 4), stage=Stage.ARCHIVES)


def test_the_same_hashes_again_and_again_are_counted_as_well() -> None:
    allowance = Allowance(AuditLimits(mentions=10))
    for _ in range(2):
        allowance.charge_hashes(hashes(0, 5), stage=Stage.SUMS)
    assert "name hashes more than 10 times" in refused(allowance, hashes(0, 1))


def test_all_releases_together_have_a_limit() -> None:
    limits, total = AuditLimits(hashes_of_all=10), Total()
    Allowance(limits, total).charge_hashes(hashes(0, 6), stage=Stage.SUMS)
    second = Allowance(limits, total)
    assert "all releases together would have more than 10" in refused(second, hashes(0, 5))
    second.charge_hashes(hashes(0, 4), stage=Stage.SUMS)


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
    async def use(first: int) -> None:
        current_allowance().charge_hashes(hashes(first, 5), stage=Stage.SUMS)

    async def release(count: int) -> None:
        begin_allowance(AuditLimits(hashes=10))
        async with asyncio.TaskGroup() as group:
            for number in range(count):
                group.create_task(use(5 * number))

    async def audit() -> None:
        await asyncio.gather(release(2), release(2))
        with pytest.raises(ExceptionGroup) as caught:
            await asyncio.create_task(release(3))
        assert caught.value.subgroup(NoAnswerError) is not None
        current_allowance().charge_hashes(hashes(0, 11), stage=Stage.SUMS)

    asyncio.run(audit())
