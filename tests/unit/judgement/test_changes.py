"""What a lock file changes against earlier states of it: one, or the two sides of a merge."""

from __future__ import annotations

from builders.audits import ADDRESS, LINUX, audit, h1, origin_with, zh
from builders.policies import base
from builders.reading import parse
from builders.reviews import HEADER, entry, entry_text, lock_file
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.reports.change_lines import change_lines
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.review.changes import EntryChange, changes_of, removed_entries
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import Moved
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash

A, B, C = zh("a"), zh("b"), h1("c")
OTHER = "registry.example.test/acme/other"


class TestOneEntry:
    def test_nothing_before_and_nothing_after_is_no_change(self) -> None:
        assert EntryChange.between(None, None) is None

    def test_the_same_entry_is_no_change(self) -> None:
        assert EntryChange.between(entry(A, B, constraints="~> 1.2"), entry(A, B, constraints="~> 1.2")) is None

    def test_order_repetitions_and_place_in_the_file_are_no_change(self) -> None:
        text = f'\nprovider "{ADDRESS}" {{\n  version = "1.2.3"\n  hashes = ["{B}", "{A}",\n "{B}"]\n}}\n'
        assert EntryChange.between(entry(A, B), lock_file(entry_text(address=OTHER), text).provider(ADDRESS)) is None

    @table(
        "after",
        [entry(A), entry(A, B, C), entry(A, C), entry(A, B, version="1.2.4"), entry(A, B, constraints="1.2.3")],
        ids=["hash removed", "hash added", "hash swapped", "version", "constraints"],
    )
    def test_everything_else_is_one(self, after: LockedProvider) -> None:
        assert EntryChange.between(entry(A, B), after) is not None

    def test_what_came_in_and_what_went(self) -> None:
        change = EntryChange.between(entry(A, B), entry(B, C))
        assert change is not None
        assert (change.added, change.removed, change.same_version) == ({C}, {A}, True)
        assert change.address == ADDRESS

    def test_a_new_entry_and_one_that_is_gone(self) -> None:
        new, gone = EntryChange.between(None, entry(A)), EntryChange.between(entry(A), None)
        assert new is not None
        assert gone is not None
        assert (new.added, new.removed, new.same_version, new.address) == ({A}, frozenset(), False, ADDRESS)
        assert (gone.added, gone.removed, gone.same_version, gone.address) == (frozenset(), {A}, False, ADDRESS)

    def test_another_version_is_not_the_same_whatever_its_metadata(self) -> None:
        change = EntryChange.between(entry(A, version="1.2.3+a"), entry(A, version="1.2.3+b"))
        assert change is not None
        assert not change.same_version


class TestSides:
    OURS, THEIRS = base(lock_file(entry_text(A)), name="HEAD"), base(lock_file(entry_text(B)), name="MERGE_HEAD")

    def test_without_a_base_nothing_has_changed(self) -> None:
        assert changes_of(ADDRESS, entry(A), ()) == ()
        assert NO_STANDARDS.added(entry(A)) == NO_STANDARDS.removed(entry(A)) == frozenset()
        assert not NO_STANDARDS.has_base
        assert Standards(sides=(self.OURS,)).has_base

    def test_an_entry_that_is_as_on_either_side_of_a_merge_brings_nothing_new(self) -> None:
        for each in (A, B):
            assert changes_of(ADDRESS, entry(each), (self.OURS, self.THEIRS)) == ()

    def test_an_entry_that_is_as_on_neither_side_is_reviewed_against_both(self) -> None:
        found = changes_of(ADDRESS, entry(A, B), (self.OURS, self.THEIRS))
        assert [(each.side.name, each.change.added) for each in found] == [("HEAD", {B}), ("MERGE_HEAD", {A})]

    def test_a_lock_file_that_was_not_there_had_no_entry(self) -> None:
        new = base(None)
        assert new.entry(ADDRESS) is None
        (found,) = changes_of(ADDRESS, entry(A), (new,))
        assert found.change.before is None

    def test_a_provider_that_neither_has_is_no_change(self) -> None:
        assert changes_of(ProviderAddress.parse(OTHER), None, (self.OURS,)) == ()

    def test_the_audit_of_the_version_that_was_locked(self) -> None:
        known = audit(origin_with(LINUX))
        assert base(None, known).audit(entry(A)) is known
        assert base(None, known).audit(entry(A, version="1.2.2")) is None
        assert base(None, known).audit(entry(A, address=OTHER)) is None

    def test_an_entry_is_removed_when_every_side_has_it(self) -> None:
        empty = lock_file()
        assert list(removed_entries(empty, ())) == []
        assert list(removed_entries(empty, (base(None),))) == []
        assert [each.address for each in removed_entries(empty, (self.OURS, self.THEIRS))] == [ADDRESS]
        assert list(removed_entries(empty, (self.OURS, base(empty)))) == []
        assert list(removed_entries(lock_file(entry_text(C)), (self.OURS,))) == []

    def test_the_review_tells_the_entries_that_are_gone(self) -> None:
        begun = Review.start(
            lock_file(), settings=ClientSettings(), platforms=[], standards=Standards(sides=(self.OURS,))
        )
        assert [each.address for each in begun.removed] == [ADDRESS]


class TestHashesThatMoved:
    def test_a_hash_that_some_side_has_was_not_added(self) -> None:
        standards = Standards(sides=(base(lock_file(entry_text(A))), base(lock_file(entry_text(B)))))
        assert standards.added(entry(A, B, C)) == {C}

    def test_a_hash_is_removed_only_when_every_side_has_it_for_the_same_version(self) -> None:
        both = base(lock_file(entry_text(A, B)))
        assert Standards(sides=(both,)).removed(entry(B)) == {A}
        assert Standards(sides=(both, base(lock_file(entry_text(A, C))))).removed(entry(B)) == {A}
        assert Standards(sides=(both, base(lock_file(entry_text(B))))).removed(entry(B)) == frozenset()
        assert Standards(sides=(both, base(None))).removed(entry(B)) == frozenset()
        assert Standards(sides=(both,)).removed(entry(B, version="1.2.4")) == frozenset()

    def test_rows_say_what_came_in_and_what_went_and_from_where(self) -> None:
        linux, own = zh("linux_amd64"), h1("linux_amd64")
        standards = Standards(sides=(base(lock_file(entry_text(own)), name="origin/main"),))
        begun = Review.start(
            lock_file(entry_text(linux, A)), settings=ClientSettings(), platforms=[LINUX], standards=standards
        )
        rows = {row.hash: row for row in begun.with_audit(audit(origin_with(LINUX))).providers[0].rows}
        assert {each: row.moved for each, row in rows.items()} == {
            linux: Moved.ADDED,
            A: Moved.ADDED,
            own: Moved.REMOVED,
        }
        assert rows[A].reasons[-1].text == "added in this change: it is not locked at origin/main"
        assert rows[own].reasons[-1].text == "removed in this change: it was locked at origin/main"
        assert (rows[own].locked, rows[own].verdict) == (False, Verdict.NEW)

    def test_a_removed_hash_that_no_source_knows_has_a_row_too(self) -> None:
        standards = Standards(sides=(base(lock_file(entry_text(A, zh("linux_amd64")))),))
        begun = Review.start(
            lock_file(entry_text(zh("linux_amd64"))), settings=ClientSettings(), platforms=[], standards=standards
        )
        rows = {row.hash: row for row in begun.with_audit(audit(origin_with(LINUX))).providers[0].rows}
        assert (rows[A].moved, rows[A].verdict) == (Moved.REMOVED, Verdict.OFFERED)
        assert rows[zh("linux_amd64")].moved is None

    def test_a_merge_names_both_sides_once(self) -> None:
        sides = (base(lock_file(entry_text(A)), name="HEAD"), base(lock_file(entry_text(B)), name="MERGE_HEAD"))
        begun = Review.start(
            lock_file(entry_text(A, B, C)), settings=ClientSettings(), platforms=[], standards=Standards(sides=sides)
        )
        (row,) = (row for row in begun.providers[0].rows if row.moved)
        assert row.reasons[-1].text.endswith("it is not locked at HEAD and MERGE_HEAD")


class TestMergedChanges:
    def test_what_both_sides_tell_alike_stands_once_and_the_heaviest_comes_first(self) -> None:
        ours = base(lock_file(entry_text(A, constraints="1.2.3")), name="HEAD")
        theirs = base(lock_file(entry_text(B, C, version="1.2.2", constraints="1.2.3")), name="MERGE_HEAD")
        changes = Standards(sides=(theirs, ours)).changes(entry(B, C, constraints="~> 1.2"), None)
        assert [each.kind for each in changes] == [
            ChangeKind.HASHES_SWAPPED,
            ChangeKind.UPGRADE,
            ChangeKind.CONSTRAINTS_CHANGED,
        ]

    def test_within_a_class_what_objects_comes_first_whichever_side_tells_it(self) -> None:
        ours = base(lock_file(entry_text(C, h1("d"), version="1.2.2")), name="HEAD")
        theirs = base(lock_file(entry_text(C, A)), name="MERGE_HEAD")
        changes = Standards(sides=(ours, theirs)).changes(entry(C), None)
        assert [each.severity for each in changes if each.kind is ChangeKind.PROTECTION_REMOVED] == ["error", "warning"]

    def test_a_file_that_only_changed_its_layout_has_no_changes(self) -> None:
        before = parse((HEADER + entry_text(A, B)).encode(), path="x")
        after = parse((HEADER + entry_text(A, B)).replace("  ]", "    # a comment\n  ]").encode(), path="x")
        standards = Standards(sides=(base(before),))
        assert standards.changes(after.providers[0], None) == ()

    def test_a_hash_with_an_unknown_scheme_is_a_hash_like_any_other_here(self) -> None:
        change = EntryChange.between(entry(A), entry(A, Hash("h9:x")))
        assert change is not None
        assert change.added == {Hash("h9:x")}


class TestAnUnreadableSide:
    BROKEN = replace(base(None, name="HEAD"), unreadable="it cannot be read")

    def test_nothing_is_compared_with_it(self) -> None:
        standards = Standards(sides=(self.BROKEN,))
        assert standards.has_base
        assert not standards.compares
        assert standards.added(entry(A)) == standards.removed(entry(A)) == frozenset()
        assert standards.changes(entry(A), None) == ()
        assert list(removed_entries(lock_file(), standards.sides)) == []

    def test_the_other_side_of_a_merge_still_is(self) -> None:
        theirs = base(lock_file(entry_text(A)), name="MERGE_HEAD")
        standards = Standards(sides=(self.BROKEN, theirs))
        assert standards.added(entry(A, B)) == {B}
        now = lock_file(entry_text(A, B))
        done = Review.start(now, settings=ClientSettings(), platforms=[], standards=standards)
        told = {row.hash: row.reasons[-1].text for row in done.providers[0].rows}
        assert told[B] == "added in this change: it is not locked at MERGE_HEAD"
        assert "the lock file cannot be read at HEAD: nothing was compared with it" in list(change_lines(done))
        assert [each.address for each in removed_entries(lock_file(), standards.sides)] == [ADDRESS]
