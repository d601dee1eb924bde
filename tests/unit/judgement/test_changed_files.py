"""Which lock files the change touches."""

from __future__ import annotations

from builders.audits import zh
from builders.run_results import locked, review_of
from builders.standards import side, standards
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.review.changes import BaseSide
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.versions import Version

ENTRY = locked(zh("a"))
OTHER = locked(zh("a"), address=ProviderAddress.parse("registry.example.test/acme/other"))


@table(
    ("before", "changed"),
    [
        (side(ENTRY), False),
        (side(replace(ENTRY, version=Version.parse("1.2.2"))), True),
        (side(ENTRY, OTHER), True),
        (side(), True),
        (replace(side(ENTRY), renamed_from="elsewhere"), True),
        (replace(side(ENTRY), lock_file=None), True),
    ],
    ids=["the same", "a bump", "an entry is gone", "an entry is new", "moved", "a new file"],
)
def test_a_file_is_changed_when_it_or_its_place_is_another_than_at_the_base(before: BaseSide, changed: bool) -> None:
    assert review_of([ENTRY], standards=standards(before)).changed is changed


def test_without_a_base_nothing_is_changed() -> None:
    assert not review_of([ENTRY]).changed
