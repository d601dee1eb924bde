"""What is made of several sides of a lock file."""

from __future__ import annotations

import pytest
from builders.audits import ADDRESS, DARWIN, LINUX, VERSION, answer, audit, h1, origin_with, zh
from builders.conflicts import between, conflict_of, resolution_of, resolved_of, reviews_of
from builders.reading import SECOND_READER
from builders.reviews import HEADER, entry_text, review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.resolution import refuse_unknown, resolution
from lockwarden.core.review.resolving import Bound, Choices, choices_from
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.versions import Version

GADGET = ProviderAddress.parse("registry.example.test/acme/gadget")
LATER = Version.parse("1.3.0")
AMD, ARM = (zh("linux_amd64"), h1("linux_amd64")), (zh("darwin_arm64"), h1("darwin_arm64"))
STRANGE, OLD = h1("nobody made this"), zh("the package of another version")
NOW = audit(origin_with(LINUX, DARWIN))
THEN = audit(replace(answer(outcome=Outcome.ANSWERED, platforms=[LINUX]), lists=()))
NEXT = audit(origin_with(LINUX, DARWIN), version=LATER)
SILENT = audit(answer(outcome=Outcome.NO_ANSWER, detail="refused", platforms=None))


def conflict(ours: str, theirs: str, around: str = "") -> str:
    return HEADER + between(ours, theirs) + around


class TestOneVersion:
    def test_the_entry_has_what_is_confirmed_of_both(self) -> None:
        made = resolution_of(conflict(entry_text(*AMD), entry_text(*ARM)), NOW)
        (provider,) = made.providers
        assert provider.entry is not None
        assert provider.entry.hash_set == {*AMD, *ARM}
        assert (provider.why, provider.left_out, provider.notes) == ("the only version", (), ())
        assert made.exit_code(None) is ExitCode.NOTHING_TO_OBJECT
        assert made.next_lock_file(SECOND_READER).decode() == HEADER + entry_text(*AMD, *ARM)

    def test_what_nobody_vouches_for_is_left_out_and_told_with_who_had_it(self) -> None:
        made = resolution_of(conflict(entry_text(*AMD, STRANGE, OLD), entry_text(*ARM, STRANGE)), NOW)
        (provider,) = made.providers
        assert provider.entry is not None
        assert provider.entry.hash_set == {*AMD, *ARM}
        left = {each.row.hash: (each.sides, each.row.verdict.value, each.other_version) for each in provider.left_out}
        assert left == {
            STRANGE: (("ours", "theirs"), "unexplained", False),
            OLD: (("ours",), "disowned", False),
        }
        assert not provider.open

    def test_what_was_not_checked_is_left_out_and_leaves_it_open(self) -> None:
        only_amd = audit(origin_with(LINUX, listed_too=[DARWIN]))
        made = resolution_of(conflict(entry_text(*AMD), entry_text(*ARM)), only_amd)
        (provider,) = made.providers
        assert provider.entry is not None
        assert provider.entry.hash_set == {*AMD, ARM[0]}
        assert provider.open
        assert made.exit_code(None) is ExitCode.INCOMPLETE

    def test_sides_with_other_constraints_alone_are_in_conflict_and_ours_stand(self) -> None:
        made = resolution_of(
            conflict(entry_text(*AMD, constraints=">= 1.0.0"), entry_text(*AMD, constraints="~> 1.2")), NOW
        )
        (provider,) = made.providers
        assert provider.entry is not None
        assert provider.entry.constraints == ">= 1.0.0"
        assert provider.notes == (
            (
                "the sides record other constraints, “>= 1.0.0” by ours and “~> 1.2” by theirs; init records those of"
                " the configuration again"
            ),
        )
        theirs = resolution_of(
            conflict(entry_text(*AMD, constraints=">= 1.0.0"), entry_text(*AMD, constraints="~> 1.2")),
            NOW,
            choices=Choices(all="theirs"),
        )
        (provider,) = theirs.providers
        assert provider.entry is not None
        assert provider.entry.constraints == "~> 1.2"

    @pytest.mark.parametrize(
        ("asked", "notes"),
        [
            ("~> 1.0", ()),
            ("", ()),
            (
                "< 1.0.0",
                ("the configuration asks for “< 1.0.0”, which does not allow 1.2.3, so that init fails",),
            ),
        ],
    )
    def test_constraints_are_those_of_the_configuration_where_it_is_known(
        self, asked: str, notes: tuple[str, ...]
    ) -> None:
        conflicted = conflict_of(
            conflict(entry_text(*AMD, constraints=">= 1.0.0"), entry_text(*ARM, constraints="~> 1.2"))
        )
        made = resolution(conflicted, reviews_of(conflicted, [NOW]), Choices(), asked=lambda _: asked)
        (provider,) = made.providers
        assert provider.entry is not None
        assert (provider.entry.constraints, provider.notes) == (asked, notes)

    def test_the_same_block_twice_becomes_one(self) -> None:
        made = resolution_of(HEADER + entry_text(*AMD) + entry_text(*AMD), NOW)
        assert [each.address for each in made.providers] == [ADDRESS]
        assert made.next_lock_file(SECOND_READER).decode() == HEADER + entry_text(*AMD)


class TestVersions:
    OURS = entry_text(OLD, h1("older"))
    THEIRS = entry_text(*AMD, version="1.3.0", constraints="~> 1.3")

    def made(self, taken: str = "", before: Audit = NOW) -> tuple[Version, str]:
        choices = choices_from([taken] if taken else [])
        (provider,) = resolution_of(conflict(self.OURS, self.THEIRS), before, NEXT, choices=choices).providers
        return provider.version, provider.why

    @table(
        ("taken", "version", "why"),
        [
            ("", "1.3.0", "the higher version"),
            ("higher", "1.3.0", "the higher version"),
            ("lower", "1.2.3", "the lower version, as was chosen"),
            ("ours", "1.2.3", "the version of ours, as was chosen"),
            ("theirs", "1.3.0", "the version of theirs, as was chosen"),
            ("1.2.3", "1.2.3", "the version that was chosen"),
            ("acme/widget=1.2.3", "1.2.3", "the version that was chosen"),
            ("widget=ours", "1.2.3", "the version of ours, as was chosen"),
            ("registry.example.test/acme/widget=lower", "1.2.3", "the lower version, as was chosen"),
            ("block-9", "1.3.0", "the higher version"),
            ("9.0.0", "1.3.0", "the higher version"),
        ],
    )
    def test_the_higher_one_is_taken_unless_something_was_chosen(self, taken: str, version: str, why: str) -> None:
        assert self.made(taken) == (Version.parse(version), why)

    @pytest.mark.parametrize("taken", ["widget=9.0.0", "widget=block-2"])
    def test_what_was_chosen_of_one_provider_has_to_be_there(self, taken: str) -> None:
        with pytest.raises(InputError, match="is locked neither by nor at") as caught:
            self.made(taken)
        assert caught.value.hint == "it is locked at 1.2.3 by ours, 1.3.0 by theirs"

    def test_hashes_that_only_the_other_version_has_are_left_out_without_alarm(self) -> None:
        (provider,) = resolution_of(conflict(self.OURS, self.THEIRS), THEN, NEXT).providers
        assert provider.entry is not None
        assert (provider.entry.hash_set, provider.entry.constraints) == (frozenset(AMD), "~> 1.3")
        assert {each.row.hash for each in provider.left_out} == {OLD, h1("older")}
        assert all(each.other_version for each in provider.left_out)
        assert not provider.open

    def test_a_platform_that_loses_its_h1_is_told(self) -> None:
        text = conflict(entry_text(*ARM), self.THEIRS)
        other = audit(replace(origin_with(LINUX), lists=origin_with(LINUX).lists), address=ADDRESS, version=LATER)
        (provider,) = resolution_of(text, NOW, other).providers
        assert provider.notes == (
            "no h1 of darwin_arm64 is locked any more; “lockwarden lock --platform darwin_arm64” adds it",
        )

    def test_versions_that_differ_in_their_metadata_have_an_order_all_the_same(self) -> None:
        ours, theirs = entry_text(*AMD, version="1.3.0+b"), entry_text(*AMD, version="1.3.0+a")
        audits = [audit(origin_with(LINUX), version=Version.parse(f"1.3.0+{each}")) for each in "ab"]
        (provider,) = resolution_of(conflict(ours, theirs), *audits).providers
        assert str(provider.version) == "1.3.0+b"


class TestWholeFiles:
    def test_what_the_sides_say_alike_stays_whatever_it_is(self) -> None:
        strange = entry_text(STRANGE, address=str(GADGET))
        made = resolution_of(
            conflict(entry_text(*AMD), entry_text(*ARM), strange), NOW, audit(origin_with(LINUX), address=GADGET)
        )
        assert [each.address for each in made.alike] == [GADGET]
        assert strange in made.next_lock_file(SECOND_READER).decode()

    def test_a_provider_of_one_side_is_kept_as_far_as_it_is_confirmed(self) -> None:
        added = entry_text(*AMD, STRANGE, address=str(GADGET))
        text = conflict(entry_text(*AMD), added + entry_text(*AMD))
        made = resolution_of(text, NOW, audit(origin_with(LINUX), address=GADGET), choices=Choices(all="ours"))
        (provider,) = made.providers
        assert (provider.address, provider.why) == (GADGET, "only theirs has it")
        assert provider.entry is not None
        assert provider.entry.hash_set == frozenset(AMD)

    def test_nothing_confirmed_is_no_entry(self) -> None:
        made = resolved_of(conflict(entry_text(STRANGE), entry_text(OLD)), NOW)
        assert made.after is None
        assert made.path == made.resolution.conflict.path
        assert [each.address for each in made.resolution.unresolved] == [ADDRESS]
        assert made.resolution.entries == ()
        assert made.exit_code is ExitCode.FINDINGS

    def test_nobody_asked_is_no_entry_and_open(self) -> None:
        made = resolved_of(conflict(entry_text(*AMD), entry_text(*ARM)), SILENT)
        assert made.after is None
        assert made.exit_code is ExitCode.INCOMPLETE

    def test_an_entry_without_any_hash_confirms_nothing(self) -> None:
        made = resolved_of(conflict(entry_text(version="1.3.0"), entry_text()), NOW, NEXT)
        assert made.after is None

    def test_the_exit_code_is_that_of_the_resolved_file(self) -> None:
        made = resolved_of(conflict(entry_text(*AMD), entry_text(*ARM)), NOW)
        well, bad = review([*AMD, *ARM], NOW), review([*AMD, STRANGE], NOW)
        assert replace(made, review=well).exit_code is ExitCode.NOTHING_TO_OBJECT
        assert replace(made, review=bad).exit_code is ExitCode.FINDINGS


class TestChoices:
    @table(
        ("words", "all_", "of"),
        [
            ([], Bound.HIGHER, {}),
            (["lower"], Bound.LOWER, {}),
            (["ours", "theirs"], "theirs", {}),
            (["acme/widget=1.0.0"], Bound.HIGHER, {"acme/widget": Version.parse("1.0.0")}),
            (["widget=higher", "lower"], Bound.LOWER, {"widget": Bound.HIGHER}),
        ],
    )
    def test_they_are_read(self, words: list[str], all_: object, of: dict[str, object]) -> None:
        choices = choices_from(words)
        assert (choices.all, dict(choices.of)) == (all_, of)

    @table("word", ["", "acme/widget=", "no address at all/x/y/z=ours", "=ours"])
    def test_what_is_none_is_refused_with_an_example(self, word: str) -> None:
        with pytest.raises(InputError, match="taken") as caught:
            choices_from([word])
        assert "such as ours or theirs" in caught.value.hint

    def test_one_provider_can_be_chosen_of(self) -> None:
        choices = Choices().with_one(ADDRESS, "ours")
        assert choices.taken(ADDRESS) == ("ours", True)
        assert choices.taken(GADGET) == (Bound.HIGHER, False)

    def test_a_choice_of_a_provider_that_nobody_locks_is_refused(self) -> None:
        made = resolution_of(conflict(entry_text(*AMD), entry_text(*ARM)), NOW)
        refuse_unknown(choices_from(["acme/widget=ours", "ours"]), [made.conflict])
        with pytest.raises(InputError, match="no side locks “acme/other”") as caught:
            refuse_unknown(choices_from(["acme/other=ours"]), [made.conflict])
        assert caught.value.hint == f"they lock {ADDRESS}"
        refuse_unknown(choices_from(["acme/other=ours"]), [])  # there is nothing to resolve


def test_the_version_of_the_tests_is_the_one_that_the_audits_are_of() -> None:
    assert Version.parse("1.2.3") == VERSION
