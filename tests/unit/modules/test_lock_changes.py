"""What a change does to the module lock of its base."""

from __future__ import annotations

from datetime import UTC, datetime

from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.modules.lock_changes import LockChange, LockChangeKind, changes_of_lock
from lockwarden.core.modules.module_lock import LockedModule, ModuleLock

AT = datetime(2026, 11, 28, tzinfo=UTC)
ONE = LockedModule(source="git::https://example.test/vpc?ref=v1", revision="a" * 40, by="Ada", at=AT)
TWO = replace(ONE, revision="b" * 40)
SPELT = replace(TWO, source="git::https://example.test/vpc.git?ref=tags/v1")
FILES = replace(ONE, files=(("main.tf", "c" * 64),))
KEY = (ONE.source, "")


def lock(*entries: LockedModule) -> ModuleLock:
    return ModuleLock(modules=entries)


@table(
    ("now", "tip", "left", "expected"),
    [
        ([ONE], [ONE], [ONE], None),
        ([replace(ONE, by="Eve", line=9)], [ONE], [ONE], None),
        ([TWO], [ONE], [ONE], (LockChangeKind.RELOCKED, ONE, TWO)),
        ([FILES], [ONE], [ONE], (LockChangeKind.RELOCKED, ONE, FILES)),
        ([TWO], [], [], (LockChangeKind.ADDED, None, TWO)),
        ([], [ONE], [ONE], (LockChangeKind.REMOVED, ONE, None)),
        ([ONE], [TWO], [ONE], None),  # the tip went on
        ([], [ONE], [], None),
        ([ONE], [], [ONE], None),
        ([TWO], [TWO], [ONE], None),
        ([ONE], [TWO], [TWO], (LockChangeKind.RELOCKED, TWO, ONE)),
    ],
)
def test_what_a_change_writes_is_told_and_what_the_base_did_is_not(
    now: list[LockedModule],
    tip: list[LockedModule],
    left: list[LockedModule],
    expected: tuple[LockChangeKind, LockedModule | None, LockedModule | None] | None,
) -> None:
    found = changes_of_lock(lock(*now), tip=lock(*tip), left=[lock(*left)])
    assert {key: (each.kind, each.before, each.after) for key, each in found.items()} == (
        {} if expected is None else {KEY: expected}
    )


def test_what_either_side_of_a_merge_has_is_none_of_its_doing() -> None:
    assert changes_of_lock(lock(TWO), tip=lock(ONE), left=[lock(ONE), lock(TWO)]) == {}
    assert len(changes_of_lock(lock(FILES), tip=lock(ONE), left=[lock(ONE), lock(TWO)])) == 1


def test_another_spelling_with_another_revision_is_no_new_source() -> None:
    found = changes_of_lock(lock(ONE, SPELT), tip=lock(ONE), left=[lock(ONE)], counts=True)
    (change,) = found.values()
    assert (change.kind, change.before, change.respelled, change.counts) == (LockChangeKind.RELOCKED, ONE, True, True)
    same = replace(SPELT, revision=ONE.revision)
    (change,) = changes_of_lock(lock(ONE, same), tip=lock(ONE), left=[lock(ONE)]).values()
    assert (change.kind, change.before, change.respelled) == (LockChangeKind.ADDED, None, False)


def test_the_difference_is_told_by_what_differs() -> None:
    def told(before: LockedModule | None, after: LockedModule | None) -> str:
        change = LockChange(kind=LockChangeKind.RELOCKED, before=before, after=after)
        assert change.entry in {before, after}
        return change.difference

    assert told(ONE, TWO) == f"{'a' * 40} before, {'b' * 40} with it"
    assert told(ONE, replace(ONE, revision="")) == f"{'a' * 40} before, no revision with it"
    assert told(replace(ONE, revision=""), ONE) == f"no revision before, {'a' * 40} with it"
    assert told(ONE, FILES) == f"no files before, {FILES.h1} with it"
    assert told(FILES, ONE) == f"{FILES.h1} before, no files with it"
    assert (told(None, ONE), told(ONE, None)) == ("", "")
