"""What writing the decisions would cause: told before, the worst first, and nothing that was so already."""

from __future__ import annotations

from builders.audits import DARWIN, LINUX, MIRROR, ORIGIN, WINDOWS, answer, audit, h1, origin_with, package, signed, zh
from builders.policies import TODAY, policy, requirement
from builders.reviews import review
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.as_decided import entry_as_decided, matrix_of
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.write_warnings import Consequence, stripped, warnings_of_going_back, write_warnings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

OWN = tuple(make(str(platform)) for platform in (LINUX, DARWIN) for make in (zh, h1))
PLANTED = zh("planted")
BOTH = audit(origin_with(LINUX, DARWIN))


def deciding(
    locked: tuple[Hash, ...],
    *,
    drop: tuple[Hash, ...] = (),
    add: tuple[Hash, ...] = (),
    known: Audit | None = BOTH,
    standards: Standards = NO_STANDARDS,
    platforms: tuple[Platform, ...] = (LINUX,),
) -> Review:
    audits = () if known is None else (known,)
    begun = review(locked, *audits, platforms=platforms, standards=standards)
    address = begun.providers[0].address
    choices = [(HashKey.of(address, each), Decision.DROP) for each in drop]
    choices += [(HashKey.of(address, each), Decision.ADD) for each in add]
    return begun.with_decisions(begun.decisions.decide(choices))


def told(decided: Review) -> list[tuple[Consequence, str]]:
    return [(each.consequence, each.text) for each in write_warnings(decided)]


def test_without_a_decision_nothing_is_caused() -> None:
    assert told(deciding((*OWN, PLANTED))) == []
    assert told(deciding((PLANTED,))) == []


def test_dropping_what_nobody_vouches_for_causes_nothing() -> None:
    assert told(deciding((*OWN, PLANTED), drop=(PLANTED,))) == []


def test_dropping_every_hash_takes_the_protection_and_needs_a_confirmation() -> None:
    decided = deciding(OWN, drop=OWN)

    assert told(decided) == [
        (Consequence.NO_PROTECTION, "no usable hash is left, so every client accepts any package for it")
    ]
    assert stripped(write_warnings(decided)) == (decided.providers[0].address,)


def test_keeping_only_the_planted_hash_needs_a_confirmation_and_names_where_init_fails() -> None:
    decided = deciding((*OWN, PLANTED), drop=OWN)

    assert told(decided) == [
        (Consequence.ONLY_UNVOUCHED, "nobody vouches for what is left (1 hash)"),
        (Consequence.INIT_FAILS, "init would fail on linux_amd64, darwin_arm64 from direct, where it works now"),
    ]
    assert stripped(write_warnings(decided))


def test_a_signed_manifest_beside_the_planted_hash_vouches_for_no_package() -> None:
    manifest = zh("manifest")
    signed_manifest = (manifest, signed(file_name="terraform-provider-time_1.0.0_manifest.json"))
    origin = origin_with(LINUX, DARWIN)
    known = audit(replace(origin, observations=(*origin.observations, signed_manifest)))
    locked = (*OWN, manifest, PLANTED)

    assert told(deciding(locked, drop=OWN, known=known))[0] == (
        Consequence.ONLY_UNVOUCHED,
        "nobody vouches for what is left (1 hash)",
    )
    assert stripped(write_warnings(deciding(locked, drop=(*OWN, PLANTED), known=known))) == ()


def test_what_nobody_vouched_for_before_strips_nothing() -> None:
    other = zh("planted, too")

    assert stripped(write_warnings(deciding((PLANTED, other), drop=(other,)))) == ()


def test_a_platform_that_worked_and_would_not_is_named_and_strips_nothing() -> None:
    decided = deciding(OWN, drop=(zh(str(DARWIN)), h1(str(DARWIN))))

    assert told(decided) == [
        (Consequence.INIT_FAILS, "init would fail on darwin_arm64 from direct, where it works now")
    ]
    assert stripped(write_warnings(decided)) == ()


def test_a_platform_that_fails_already_is_not_told() -> None:
    locked = (zh(str(LINUX)), h1(str(LINUX)))

    assert told(deciding(locked, drop=(h1(str(LINUX)),))) == []


def test_of_a_chain_the_verdict_for_all_of_its_methods_is_told() -> None:
    other = answer(MIRROR, packages=[package(LINUX, zh=zh("again"), h1=h1("again"))], platforms=[LINUX])
    together = audit(origin_with(LINUX, DARWIN), other)
    first = replace(together, chain=(ORIGIN.id, MIRROR.id))
    locked = (*OWN, zh("again"))
    dropped = (zh(str(DARWIN)), h1(str(DARWIN)), zh("again"))

    assert told(deciding(locked, drop=dropped, known=first)) == [
        (Consequence.INIT_FAILS, "init would fail on darwin_arm64, where it works now")
    ]
    assert (
        Consequence.INIT_FAILS,
        "init would fail on linux_amd64 from mirror; darwin_arm64 from direct, where it works now",
    ) in told(deciding(locked, drop=dropped, known=together))


def test_where_only_a_promise_was_locked_init_may_fail() -> None:
    windows = zh(str(WINDOWS))
    locked = (zh(str(LINUX)), h1(str(LINUX)), windows)

    known = audit(origin_with(LINUX, listed_too=[WINDOWS]))

    assert told(deciding(locked, drop=(windows,), known=known)) == [
        (
            Consequence.INIT_FAILS,
            "init may fail on windows_amd64 from direct: nothing that is named there would be locked any more",
        )
    ]


def test_a_requirement_that_the_write_breaks_is_told_and_one_that_was_broken_is_not() -> None:
    rule = requirement(platforms=frozenset({LINUX, WINDOWS}), schemes=frozenset({"h1"}))
    standards = Standards(policy=policy(rule), today=TODAY)
    decided = deciding(OWN, drop=(h1(str(LINUX)), h1(str(DARWIN))), standards=standards)

    broken = [text for consequence, text in told(decided) if consequence is Consequence.RULE_BROKEN]
    assert any("no usable h1 hash" in text for text in broken)
    assert any("no h1 hash of linux_amd64" in text for text in broken)
    assert not any("windows" in text for text in broken)


def test_while_the_audit_runs_what_a_write_causes_is_not_known() -> None:
    assert told(deciding(OWN, drop=OWN[:1], known=None)) == [
        (Consequence.NOT_AUDITED, "its audit has not ended, so what this causes is not known")
    ]
    assert [each for each, _ in told(deciding(OWN, drop=OWN, known=None))] == [
        Consequence.NO_PROTECTION,
        Consequence.NOT_AUDITED,
    ]


def test_an_entry_as_decided_has_what_comes_in_and_not_what_goes() -> None:
    decided = deciding(OWN[:2], drop=OWN[:1], add=OWN[2:3])
    (provider,) = decided.providers

    assert entry_as_decided(decided, provider).hash_set == {OWN[1], OWN[2]}
    untouched = deciding(OWN)
    assert entry_as_decided(untouched, untouched.providers[0]) is untouched.providers[0].entry


def test_there_is_no_table_before_the_audit() -> None:
    waiting = deciding(OWN, known=None)
    (provider,) = waiting.providers

    assert matrix_of(waiting, provider, provider.entry) is None


def test_going_back_to_a_file_without_protection_is_told_like_writing_it() -> None:
    bare, protected = review((), BOTH), review(OWN, BOTH)
    warnings = warnings_of_going_back(protected, bare.lock_file.entries)

    assert [each.consequence for each in warnings] == [Consequence.NO_PROTECTION]
    assert stripped(warnings) == (protected.providers[0].address,)
    assert warnings_of_going_back(bare, protected.lock_file.entries) == ()
    assert warnings_of_going_back(protected, protected.lock_file.entries) == ()
    assert warnings_of_going_back(protected, ()) == (), "an entry that was not there, or of another version"
