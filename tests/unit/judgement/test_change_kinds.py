"""The classes of changes: which change is told as what, and which of them object."""

from __future__ import annotations

import pytest
from builders.audits import (
    DARWIN,
    LINUX,
    MIRROR,
    ORIGIN,
    WINDOWS,
    answer,
    audit,
    computed,
    h1,
    origin_with,
    signed,
    zh,
)
from builders.policies import base, requirement
from builders.reviews import entry, entry_text, lock_file, review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.change_kinds import Change, ChangeContext, ChangeKind
from lockwarden.core.review.change_rules import kinds_of
from lockwarden.core.review.changes import EntryChange
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity

LINUX_ZH, LINUX_H1 = zh("linux_amd64"), h1("linux_amd64")
DARWIN_ZH, DARWIN_H1 = zh("darwin_arm64"), h1("darwin_arm64")
PLANTED_ZH, PLANTED_H1 = zh("planted"), h1("planted")
NEVER = Hash("zh:" + "A" * 64)
BOTH = audit(origin_with(LINUX, DARWIN))
ONLY_LINUX = audit(origin_with(LINUX, listed_too=[DARWIN]))
DOWN = audit(answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="503", platforms=None))
K = ChangeKind


def changes(before: LockedProvider | None, after: LockedProvider | None, known: Audit | None = BOTH) -> list[Change]:
    change = EntryChange.between(before, after)
    assert change is not None
    evidence = None if known is None else Evidence(known, frozenset({LINUX}))
    return list(kinds_of(change, ChangeContext(side=base(lock_file()), evidence=evidence)))


def kinds(before: LockedProvider, after: LockedProvider, known: Audit | None = BOTH) -> list[tuple[ChangeKind, str]]:
    return [(each.kind, each.severity.value) for each in changes(before, after, known)]


def against(before: str, after: str, known: Audit = BOTH) -> Review:
    begun = Review.start(
        lock_file(after),
        settings=ClientSettings(),
        platforms=[LINUX],
        standards=Standards(sides=(base(lock_file(before)),)),
    )
    return begun.with_audit(known)


class TestWeight:
    def test_the_classes_weigh_as_the_issue_lists_them(self) -> None:
        order = [K.HASHES_SWAPPED, K.PROTECTION_REMOVED, K.VERSION_DOWN, K.NEW_SIGNER, K.NEW_PROVIDER, K.NEAR_NAME]
        order += [K.UPGRADE, K.PLATFORMS_ADDED]
        assert sorted(order, key=lambda each: each.weight) == order
        assert K.HASHES_SWAPPED.weight == 0

    def test_a_class_has_a_code_for_reports(self) -> None:
        assert K.HASHES_SWAPPED.code == "change-hashes-swapped"

    def test_a_change_is_a_problem_of_the_entry(self) -> None:
        change = changes(entry(LINUX_H1), entry(PLANTED_H1))[0]
        problem = change.problem
        assert (problem.code, problem.severity, problem.message, problem.hint, problem.source) == (
            "change-hashes-swapped",
            change.severity,
            change.message,
            change.hint,
            "",
        )


class TestSwapped:
    """A7 and row 91: the version stays and a hash is another one."""

    @table(("right", "planted"), [(LINUX_H1, PLANTED_H1), (LINUX_ZH, PLANTED_ZH)])
    @table("known", [BOTH, DOWN, None], ids=["audited", "origin down", "not yet audited"])
    def test_one_for_another_is_the_loudest_error(self, right: Hash, planted: Hash, known: Audit | None) -> None:
        (first, *_) = changes(entry(right, DARWIN_H1, DARWIN_ZH), entry(planted, DARWIN_H1, DARWIN_ZH), known)
        assert (first.kind, first.severity) == (K.HASHES_SWAPPED, Severity.ERROR)
        assert first.message.startswith(f"version 1.2.3 stays and {right.scheme} hashes are swapped: 1 went, such as")
        assert str(right) in first.message
        assert str(planted) in first.message

    def test_it_is_the_first_thing_that_a_reader_sees(self) -> None:
        done = against(entry_text(LINUX_H1, LINUX_ZH), entry_text(PLANTED_H1, LINUX_ZH))
        assert done.exit_code is ExitCode.FINDINGS
        assert done.loudest is not None
        assert done.loudest[1].code == "change-hashes-swapped"
        assert done.providers[0].weight == (1, 0)

    def test_each_scheme_is_told_of_its_own(self) -> None:
        found = changes(entry(LINUX_H1, LINUX_ZH), entry(PLANTED_H1, PLANTED_ZH))
        assert [each.kind for each in found][:2] == [K.HASHES_SWAPPED, K.HASHES_SWAPPED]
        assert ["h1" in each.message.split(" hashes")[0] for each in found][:2] == [True, False]

    def test_a_hash_that_can_never_match_displaces_one_all_the_same(self) -> None:
        assert kinds(entry(LINUX_ZH, DARWIN_ZH), entry(NEVER, DARWIN_ZH))[0] == (K.HASHES_SWAPPED, "error")

    def test_another_platforms_right_hash_for_a_right_one_is_no_swap(self) -> None:
        assert (K.HASHES_SWAPPED, "error") not in kinds(entry(LINUX_H1, LINUX_ZH), entry(DARWIN_H1, DARWIN_ZH))

    def test_it_is_one_while_one_of_them_was_not_looked_at(self) -> None:
        assert kinds(entry(LINUX_H1), entry(DARWIN_H1), ONLY_LINUX)[0] == (K.HASHES_SWAPPED, "error")

    def test_an_h1_only_lock_file_is_held_against_the_mirror_that_it_is_of(self) -> None:
        seen = [(h1(str(each)), computed(each, source=MIRROR)) for each in (LINUX, DARWIN)]
        known = audit(answer(MIRROR, *seen, platforms=[LINUX, DARWIN]))
        assert kinds(entry(LINUX_H1), entry(DARWIN_H1), known) == [
            (K.PROTECTION_REMOVED, "warning"),
            (K.PLATFORMS_ADDED, "note"),
            (K.HASHES_REMOVED, "note"),
        ]
        assert kinds(entry(LINUX_H1), entry(PLANTED_H1), known)[0] == (K.HASHES_SWAPPED, "error")

    def test_right_hashes_for_such_that_nothing_confirms_are_told_so(self) -> None:
        """A repaired lock file, or a release that was made anew: only a person can tell which."""
        change = changes(entry(PLANTED_H1, LINUX_ZH), entry(LINUX_H1, LINUX_ZH))[0]
        assert (change.kind, change.severity) == (K.HASHES_SWAPPED, Severity.ERROR)
        assert change.message.endswith("; nothing confirms those that went")
        attack = changes(entry(LINUX_H1, LINUX_ZH), entry(PLANTED_H1, LINUX_ZH))[0]
        assert "nothing confirms" not in attack.message

    def test_taking_a_planted_hash_out_is_no_swap(self) -> None:
        assert kinds(entry(PLANTED_ZH, LINUX_ZH), entry(LINUX_ZH)) == [(K.HASHES_REMOVED, "note")]

    def test_hashes_that_never_protected_anything_can_go_without_a_word(self) -> None:
        assert kinds(entry(NEVER), entry(LINUX_ZH)) == [(K.PLATFORMS_ADDED, "note"), (K.HASHES_REMOVED, "note")]

    def test_another_version_has_other_hashes(self) -> None:
        assert kinds(entry(PLANTED_ZH, version="1.2.2"), entry(LINUX_ZH)) == [(K.UPGRADE, "note")]


class TestProtection:
    def test_where_what_is_left_can_never_match_no_consequence_of_its_absence_is_told(self) -> None:
        swapped, gone, *_ = changes(entry(LINUX_ZH, DARWIN_H1), entry(NEVER, DARWIN_H1))
        assert swapped.kind is K.HASHES_SWAPPED
        assert gone.message == "the last zh hash of registry.example.test/acme/widget that could match is gone"

    @pytest.mark.parametrize("left", [(), (Hash("h9:x"),)])
    def test_no_usable_hash_left_is_an_error_said_once(self, left: tuple[Hash, ...]) -> None:
        found = [each for each in changes(entry(LINUX_H1, LINUX_ZH), entry(*left)) if each.kind is K.PROTECTION_REMOVED]
        assert [each.severity for each in found] == [Severity.ERROR]
        assert "every client accepts any package for it" in found[0].message

    @pytest.mark.parametrize(
        ("kept", "words"),
        [
            (
                LINUX_ZH,
                "the last h1 hash of registry.example.test/acme/widget is gone: an unpacked mirror is no longer",
            ),
            (LINUX_H1, "the last zh hash of registry.example.test/acme/widget is gone: an OCI mirror cannot serve it"),
        ],
    )
    def test_the_last_of_a_scheme_is_an_error_with_its_consequence(self, kept: Hash, words: str) -> None:
        (first, *_) = changes(entry(LINUX_H1, LINUX_ZH), entry(kept))
        assert (first.kind, first.severity) == (K.PROTECTION_REMOVED, Severity.ERROR)
        assert words in first.message
        assert kinds(entry(LINUX_H1, LINUX_ZH), entry(kept))[1:] == [(K.HASHES_REMOVED, "note")]

    @pytest.mark.parametrize(("kept", "known"), [(LINUX_ZH, BOTH), (LINUX_H1, BOTH), (LINUX_H1, None)])
    def test_a_new_version_with_fewer_schemes_is_a_warning(self, kept: Hash, known: Audit | None) -> None:
        assert kinds(entry(LINUX_H1, LINUX_ZH, version="1.2.2"), entry(kept), known)[0] == (
            K.PROTECTION_REMOVED,
            "warning",
        )

    def test_a_new_version_whose_hashes_of_a_scheme_can_never_match_is_an_error(self) -> None:
        assert kinds(entry(LINUX_H1, LINUX_ZH, version="1.2.2"), entry(LINUX_H1, NEVER))[0] == (
            K.PROTECTION_REMOVED,
            "error",
        )

    def test_a_bump_without_any_zh_objects_only_where_the_policy_requires_one(self) -> None:
        before, now = entry_text(zh("a"), h1("a"), version="1.2.2"), entry_text(LINUX_H1)
        assert against(before, now).exit_code is ExitCode.NOTHING_TO_OBJECT
        required = Policy(requirements=(requirement(schemes=["zh"]),))
        begun = Review.start(
            lock_file(now),
            settings=ClientSettings(),
            platforms=[LINUX],
            standards=Standards(sides=(base(lock_file(before)),), policy=required),
        )
        assert begun.with_audit(BOTH).exit_code is ExitCode.FINDINGS

    def test_what_was_not_there_cannot_be_lost(self) -> None:
        assert kinds(entry(LINUX_ZH, version="1.2.2"), entry(LINUX_ZH, DARWIN_ZH)) == [(K.UPGRADE, "note")]
        assert kinds(entry(NEVER, DARWIN_H1), entry(DARWIN_H1)) == [(K.HASHES_REMOVED, "note")]
        assert kinds(entry(Hash("h9:x")), entry(Hash("h9:x"), Hash("h9:y"))) == [(K.HASHES_ADDED, "note")]

    def test_an_entry_that_refused_everything_and_now_accepts_anything_has_lost_it_all(self) -> None:
        assert kinds(entry(NEVER, Hash("h9:x")), entry(Hash("h9:x")))[0] == (K.PROTECTION_REMOVED, "error")

    def test_a_platform_whose_every_hash_went_is_lost(self) -> None:
        found = changes(entry(LINUX_H1, LINUX_ZH, DARWIN_H1, DARWIN_ZH), entry(LINUX_H1, LINUX_ZH))
        assert [(each.kind, each.severity) for each in found] == [
            (K.PROTECTION_REMOVED, Severity.WARNING),
            (K.HASHES_REMOVED, Severity.NOTE),
        ]
        assert found[0].message == "no hash known to be of darwin_arm64 is left, where there was one"
        assert "lockwarden lock --platform" in found[0].hint

    def test_a_platform_whose_h1_went_and_whose_zh_stays_has_lost_its_h1(self) -> None:
        found = changes(entry(LINUX_H1, LINUX_ZH, DARWIN_H1, DARWIN_ZH), entry(LINUX_H1, LINUX_ZH, DARWIN_ZH))
        assert found[0].message == "no h1 known to be of darwin_arm64 is left, where there was one"

    def test_a_platform_that_the_signed_list_names_is_lost_without_a_download(self) -> None:
        found = changes(entry(LINUX_ZH, DARWIN_ZH), entry(LINUX_ZH), ONLY_LINUX)
        assert found[0].message == "no hash known to be of darwin_arm64 is left, where there was one"

    def test_platforms_are_listed_the_likeliest_first(self) -> None:
        known = audit(origin_with(listed_too=[WINDOWS, DARWIN, LINUX]))
        found = changes(entry(zh("windows_amd64"), DARWIN_ZH, LINUX_ZH), entry(LINUX_ZH), known)
        assert "darwin_arm64, windows_amd64 is left" in found[0].message

    def test_a_hash_that_nothing_confirms_covered_no_platform(self) -> None:
        mirror = answer(MIRROR, (PLANTED_ZH, computed(WINDOWS, source=MIRROR, package_zh=PLANTED_ZH)))
        known = audit(origin_with(LINUX), mirror)
        assert kinds(entry(PLANTED_ZH, LINUX_ZH), entry(LINUX_ZH), known) == [(K.HASHES_REMOVED, "note")]

    def test_a_strange_package_of_the_platform_does_not_cover_it(self) -> None:
        mirror = answer(MIRROR, (PLANTED_H1, computed(DARWIN, source=MIRROR, package_zh=PLANTED_ZH)))
        known = audit(origin_with(LINUX, DARWIN), mirror)
        found = changes(entry(LINUX_ZH, DARWIN_ZH), entry(LINUX_ZH, PLANTED_H1), known)
        assert found[0].message == "no hash known to be of darwin_arm64 is left, where there was one"

    def test_before_the_audit_no_platform_is_called_lost(self) -> None:
        assert kinds(entry(LINUX_ZH, DARWIN_ZH), entry(LINUX_ZH), None) == [(K.HASHES_REMOVED, "note")]

    def test_an_upgrade_with_fewer_h1_hashes_is_a_warning(self) -> None:
        before = entry(h1("x"), h1("y"), h1("z"), version="1.2.2")
        assert changes(before, entry(LINUX_H1))[0].message == (
            "3 h1 hashes were locked and 1 is: fewer platforms have one"
        )
        assert kinds(before, entry(LINUX_H1, DARWIN_H1))[0] == (K.PROTECTION_REMOVED, "warning")
        assert "and 2 are:" in changes(before, entry(LINUX_H1, DARWIN_H1))[0].message
        assert kinds(before, entry(LINUX_H1, DARWIN_H1, h1("w"))) == [(K.UPGRADE, "note")]

    @table(
        ("now", "told"),
        [
            # The release has a package less: every platform that has a zh has its h1 as before.
            ((LINUX_ZH, DARWIN_ZH, LINUX_H1, DARWIN_H1), False),
            ((LINUX_ZH, LINUX_H1), False),
            # The zh stayed, or no list tells how many packages there are.
            ((LINUX_ZH, DARWIN_ZH, zh("third"), LINUX_H1, DARWIN_H1), True),
            ((LINUX_ZH, DARWIN_ZH, LINUX_H1), True),
            ((LINUX_H1, DARWIN_H1), True),
        ],
    )
    def test_an_upgrade_to_a_release_with_fewer_packages_has_no_fewer_h1(
        self, now: tuple[Hash, ...], told: bool
    ) -> None:
        before = entry(*(made(name) for made in (h1, zh) for name in "xyz"), version="1.2.2")
        assert any("fewer platforms" in each.message for each in changes(before, entry(*now))) is told


class TestVersions:
    def test_down_is_a_warning_that_names_both_and_the_base(self) -> None:
        (change,) = changes(entry(LINUX_ZH, version="1.4.0"), entry(LINUX_ZH, DARWIN_ZH))
        assert (change.kind, change.severity) == (K.VERSION_DOWN, Severity.WARNING)
        assert change.message == "the version goes down from 1.4.0 at origin/main to 1.2.3"

    def test_up_is_a_note(self) -> None:
        (change,) = changes(entry(LINUX_ZH, version="1.2.3-rc.1"), entry(LINUX_ZH))
        assert (change.kind, change.severity) == (K.UPGRADE, Severity.NOTE)
        assert change.message == "the version goes up from 1.2.3-rc.1 at origin/main to 1.2.3"

    def test_metadata_has_no_direction(self) -> None:
        (change,) = changes(entry(LINUX_ZH, version="1.2.3+b"), entry(LINUX_ZH, version="1.2.3+a"))
        assert (change.kind, change.message) == (
            K.UPGRADE,
            "the version changes from 1.2.3+b at origin/main to 1.2.3+a",
        )


class TestSmallChanges:
    def test_right_hashes_of_platforms_that_came_in(self) -> None:
        (change,) = changes(entry(LINUX_ZH), entry(LINUX_ZH, DARWIN_H1, DARWIN_ZH))
        assert (change.kind, change.severity) == (K.PLATFORMS_ADDED, Severity.NOTE)
        assert change.message == "2 hashes came in, of darwin_arm64"

    @pytest.mark.parametrize("known", [BOTH, None])
    def test_a_hash_that_is_not_known_to_be_right_only_came_in(self, known: Audit | None) -> None:
        (change,) = changes(entry(LINUX_ZH), entry(LINUX_ZH, PLANTED_H1), known)
        assert (change.kind, change.message) == (K.HASHES_ADDED, "1 hash came in at version 1.2.3")

    def test_so_did_one_right_hash_beside_one_that_is_not(self) -> None:
        assert kinds(entry(LINUX_ZH), entry(LINUX_ZH, DARWIN_ZH, PLANTED_ZH)) == [(K.HASHES_ADDED, "note")]

    def test_a_right_hash_of_no_platform_only_came_in(self) -> None:
        """The manifest in a list of hashes."""
        known = origin_with(LINUX)
        manifest = (zh("manifest"), signed(file_name="manifest.json"))
        told = audit(replace(known, observations=(*known.observations, manifest)))
        assert kinds(entry(LINUX_ZH), entry(LINUX_ZH, zh("manifest")), told) == [(K.HASHES_ADDED, "note")]

    def test_constraints_alone_are_a_note_with_both(self) -> None:
        (change,) = changes(entry(LINUX_ZH, constraints="~> 1.2"), entry(LINUX_ZH, constraints=">= 1.0.0"))
        assert (change.kind, change.severity) == (K.CONSTRAINTS_CHANGED, Severity.NOTE)
        assert change.message == "the constraints were ~> 1.2 and are >= 1.0.0"
        assert changes(entry(LINUX_ZH), entry(LINUX_ZH, constraints="1.2.3"))[0].message.startswith(
            "the constraints were none"
        )
        assert changes(entry(LINUX_ZH, constraints="1.2.3"), entry(LINUX_ZH))[0].message.endswith("and are none")

    def test_notes_do_not_object(self) -> None:
        text = entry_text(LINUX_H1, LINUX_ZH, constraints="~> 1.2")
        assert against(entry_text(LINUX_H1, LINUX_ZH), text).exit_code is ExitCode.NOTHING_TO_OBJECT

    def test_an_entry_that_is_gone_is_told_by_the_review_and_not_here(self) -> None:
        assert changes(entry(LINUX_ZH), None) == []


class TestNewProviders:
    def test_a_new_provider_is_a_note(self) -> None:
        (change,) = changes(None, entry(LINUX_ZH))
        assert (change.kind, change.severity) == (K.NEW_PROVIDER, Severity.NOTE)
        assert change.message == "registry.example.test/acme/widget is not in the lock file at origin/main"

    def test_where_the_lock_file_itself_is_new_that_is_said(self) -> None:
        standards = Standards(sides=(base(None, name="HEAD~1"),))
        done = review((LINUX_ZH,), BOTH, standards=standards)
        (change,) = done.providers[0].changes
        assert change.message.endswith("is new, as is the lock file: there is none at HEAD~1")
