"""Which calls of modules can be pinned, and why others cannot."""

from __future__ import annotations

from datetime import UTC, datetime

from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.modules.module_lock import HeldAgainst, LockedModule
from lockwarden.core.modules.pinning import Classified, Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.review.module_pinning import pinned_source, why_not_pinned

TODAY = Resolved(revision="b" * 40, how="its tag v1", pinned="x?ref=b")
CALL = ListedCall(
    key="m",
    call=ModuleCall(name="m", path="main.tf", line=2, source="x?ref=v1", span=(20, 30)),
    classified=Classified(kind="git", pinning=Pinning.NAMED, reason="a name"),
    resolution=TODAY,
)


def accepted(revision: str) -> HeldAgainst:
    at = datetime(2026, 11, 28, tzinfo=UTC)
    return HeldAgainst(entry=LockedModule(source="x?ref=v1", revision=revision, by="Ada", at=at))


@table("held", [None, HeldAgainst(entry=None), accepted(""), accepted("b" * 40)])
def test_what_nobody_accepted_as_something_else_is_pinned(held: HeldAgainst | None) -> None:
    call = replace(CALL, held_against=held)
    assert (pinned_source(call), why_not_pinned(call)) == ("x?ref=b", "")


@table(
    ("change", "why"),
    [
        ({"classified": replace(CALL.classified, pinning=Pinning.LOCAL)}, "part of the package"),
        ({"classified": replace(CALL.classified, pinning=Pinning.IMMUTABLE)}, "as it is"),
        ({"classified": replace(CALL.classified, pinning=Pinning.UNKNOWN)}, "a name"),
        ({"classified": replace(CALL.classified, pinning=Pinning.REFUSED)}, "a name"),
        ({"own": False}, "installed module"),
        ({"resolution": None}, "nobody asked"),
        ({"resolution": Unresolved(reason="it hangs", hint="")}, "not known: it hangs"),
        ({"held_against": accepted("a" * 40)}, "something else than what was accepted"),
        ({"resolution": replace(TODAY, pinned="")}, "cannot be written"),
        (
            {"resolution": replace(TODAY, pinned=""), "classified": replace(CALL.classified, kind="registry")},
            "only a name",
        ),
        ({"call": ModuleCall(name="m", path="main.tf", line=2, source="x")}, "no plain text"),
    ],
)
def test_everything_else_stays_with_its_reason(change: dict[str, object], why: str) -> None:
    call = replace(CALL, **change)
    assert why in why_not_pinned(call)
    assert pinned_source(call) == ""
