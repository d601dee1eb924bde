"""Providers that moved between the default registries are one change."""

from __future__ import annotations

from builders.audits import h1, zh
from builders.policies import base
from builders.reviews import entry_text, lock_file
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.review.moves import moves, twins
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity

OLD, NEW = "registry.terraform.io/acme/widget", "registry.opentofu.org/acme/widget"
ELSEWHERE = "registry.example.test/acme/widget"
A, B = h1("a"), h1("b")


def against(before: str, after: str) -> Review:
    was, now = lock_file(before), lock_file(after)
    side = replace(base(was, name="main"), moved=moves(was, now))
    return Review.start(now, settings=ClientSettings(), platforms=[], standards=Standards(sides=(side,)))


@table(("old", "new"), [(OLD, NEW), (NEW, OLD)])
@table(
    ("version", "kinds"),
    [
        ("1.2.3", [ChangeKind.REGISTRY_MOVED]),
        ("1.2.4", [ChangeKind.REGISTRY_MOVED, ChangeKind.UPGRADE]),
        ("1.2.2", [ChangeKind.VERSION_DOWN, ChangeKind.REGISTRY_MOVED]),
    ],
)
def test_a_move_is_one_change(old: str, new: str, version: str, kinds: list[ChangeKind]) -> None:
    done = against(entry_text(A, address=old), entry_text(B, address=new, version=version))
    assert [each.kind for each in done.providers[0].changes] == kinds
    assert done.removed == ()
    moved = next(each for each in done.providers[0].changes if each.kind is ChangeKind.REGISTRY_MOVED)
    assert f"{old} at main moved to {new}" in moved.message
    assert ("at version 1.2.3" in moved.message) is (version == "1.2.3")


@table(
    ("version", "kept", "told"),
    [
        ("1.2.3", (B,), [(ChangeKind.PROTECTION_REMOVED, Severity.WARNING)]),
        ("1.2.4", (B,), [(ChangeKind.PROTECTION_REMOVED, Severity.WARNING)]),
        ("1.2.3", (), [(ChangeKind.PROTECTION_REMOVED, Severity.ERROR)]),
        ("1.2.3", (B, zh("c")), []),
    ],
)
def test_what_a_move_takes_away_is_weighed_as_at_a_new_version(
    version: str, kept: tuple[Hash, ...], told: list[tuple[ChangeKind, Severity]]
) -> None:
    done = against(entry_text(A, zh("a"), address=OLD), entry_text(*kept, address=NEW, version=version))
    lost = [
        (each.kind, each.severity) for each in done.providers[0].changes if each.kind is ChangeKind.PROTECTION_REMOVED
    ]
    assert lost == told
    # The hashes that went were of other packages.
    assert "put the hashes back" not in {each.hint for each in done.providers[0].changes}


def test_a_move_tells_other_constraints_and_hashes_that_stayed_while_the_version_changed() -> None:
    done = against(
        entry_text(A, zh("a"), address=OLD, constraints="~> 1.0"),
        entry_text(A, zh("a"), address=NEW, version="1.2.4", constraints=">= 1.0.0"),
    )
    (provider,) = done.providers
    assert ChangeKind.CONSTRAINTS_CHANGED in {each.kind for each in provider.changes}
    (alarm,) = (each for each in provider.problems if each.code == "hashes-of-another-version")
    assert f"belong to 1.2.3, as locked at main for {OLD}" in alarm.message
    same = against(entry_text(A, zh("a"), address=OLD), entry_text(A, zh("a"), address=NEW))
    assert "hashes-of-another-version" not in {each.code for each in same.providers[0].problems}


def test_a_hash_that_came_along_was_locked_for_the_old_address() -> None:
    done = against(entry_text(A, address=OLD), entry_text(A, B, address=NEW))
    told = {row.hash: row.reasons[-1].text for row in done.providers[0].rows}
    assert told == {
        A: f"added in this change: at main it was locked for {OLD}",
        B: "added in this change: it is not locked at main",
    }


def test_what_is_beside_the_old_entry_is_new_and_what_is_of_another_registry_is_removed() -> None:
    both = against(entry_text(A, address=OLD), entry_text(B, address=NEW) + entry_text(A, address=OLD))
    assert ChangeKind.NEW_PROVIDER in {each.kind for row in both.providers for each in row.changes}
    other = against(entry_text(A, address=ELSEWHERE), entry_text(B, address=NEW))
    assert ChangeKind.NEW_PROVIDER in {each.kind for each in other.providers[0].changes}
    assert [str(each.address) for each in other.removed] == [ELSEWHERE]
    had_both = against(entry_text(A, address=OLD) + entry_text(B, address=NEW), entry_text(A, address=NEW))
    assert [str(each.address) for each in had_both.removed] == [OLD]


def test_only_the_default_registries_have_twins() -> None:
    assert [str(each) for each in twins(ProviderAddress.parse(OLD))] == [NEW]
    assert list(twins(ProviderAddress.parse(ELSEWHERE))) == []
