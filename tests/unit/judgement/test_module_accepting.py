"""What a person can accept into the module lock, and what can be accepted together with others."""

from __future__ import annotations

from datetime import UTC, datetime

from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.modules.module_lock import MAX_FILES, HeldAgainst, LockedModule
from lockwarden.core.modules.pinning import Classified, Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.review.module_accepting import accepted_in_bulk, why_not_accepted, why_not_locked

OLD, NEW = "a" * 40, "b" * 40
OPEN = Unresolved(reason="it hangs", hint="")
CALL = ListedCall(
    key="m",
    call=ModuleCall(name="m", path="main.tf", line=2, source="x?ref=v1"),
    classified=Classified(kind="git", pinning=Pinning.NAMED, reason="a name"),
    resolution=Resolved(revision=NEW, how="its tag v1"),
)


def held(revision: str, **more: object) -> HeldAgainst:
    at = datetime(2026, 11, 28, tzinfo=UTC)
    return replace(
        HeldAgainst(entry=LockedModule(source="x?ref=v1", revision=revision, by="Ada", at=at)),
        **more,
    )


@table(
    ("change", "bulk"),
    [
        ({}, True),
        ({"held_against": HeldAgainst(entry=None)}, True),
        ({"held_against": HeldAgainst(entry=None), "resolution": OPEN, "installed": InstalledState.INSTALLED}, True),
        ({"held_against": held("")}, True),
        ({"held_against": held(NEW, open="nothing was installed")}, True),
        ({"held_against": held(OLD)}, False),
        ({"held_against": held(NEW, differences=("main.tf is changed",))}, False),
        (
            {
                "held_against": held("", differences=("main.tf is changed",)),
                "resolution": OPEN,
                "installed": InstalledState.INSTALLED,
            },
            False,
        ),
    ],
)
def test_what_is_not_accepted_as_it_is_can_be(change: dict[str, object], bulk: bool) -> None:
    call = replace(CALL, **change)
    assert why_not_accepted(call) == ""
    assert accepted_in_bulk(call) is bulk


@table(
    ("change", "why"),
    [
        ({"classified": replace(CALL.classified, pinning=Pinning.LOCAL)}, "nothing to accept"),
        ({"classified": replace(CALL.classified, pinning=Pinning.UNKNOWN)}, "nothing to accept"),
        ({"classified": replace(CALL.classified, secrets=("“token”",))}, "may be a secret"),
        ({"installed": InstalledState.MISSING}, "no acceptance changes that"),
        ({"installed": InstalledState.OTHER_SOURCE}, "no acceptance changes that"),
        ({"resolution": Unresolved(reason="no tag", hint="", absent=True)}, "no acceptance changes that"),
        ({"resolution": None}, "nobody asked"),
        ({"resolution": OPEN, "installed": InstalledState.NOT_INSTALLED}, "neither installed nor known"),
        (
            {"held_against": held(OLD), "resolution": OPEN, "installed": InstalledState.INSTALLED},
            "its entry has a revision",
        ),
        ({"held_against": held(NEW)}, "accepted as it is"),
        ({"held_against": held(""), "resolution": OPEN, "installed": InstalledState.INSTALLED}, "accepted as it is"),
    ],
)
def test_everything_else_has_its_reason(change: dict[str, object], why: str) -> None:
    call = replace(CALL, **change)
    assert why in why_not_accepted(call)
    assert not accepted_in_bulk(call)


@table(
    ("change", "tree", "revision", "why"),
    [
        ({}, {"main.tf": OLD}, "", ""),
        ({}, None, NEW, ""),
        ({}, None, "", "neither installed nor known"),
        ({}, "a link", NEW, "cannot be hashed: a link"),
        ({}, {str(each): OLD for each in range(MAX_FILES + 1)}, NEW, "more than"),
    ],
)
def test_what_the_module_lock_cannot_say(
    change: dict[str, object], tree: dict[str, str] | str | None, revision: str, why: str
) -> None:
    found = why_not_locked(replace(CALL, **change), tree, revision)
    assert why in found
    assert bool(found) is bool(why)


def test_no_secret_and_no_invisible_character_gets_into_the_module_lock() -> None:
    secret = replace(CALL, classified=replace(CALL.classified, secrets=("“token”",)))
    assert "secret" in why_not_locked(secret, None, NEW)
    hidden = replace(CALL, call=ModuleCall(name="m", path="main.tf", line=2, source="x\u202e"))
    assert "nobody can see" in why_not_locked(hidden, None, NEW)
