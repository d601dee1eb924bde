"""What a policy requires of an entry: objections name the rule, and nothing is called missing unseen."""

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
    package,
    reported,
    signed,
    trusted,
    zh,
    zh_list,
)
from builders.policies import TODAY, approval, mirror, policy, requirement
from builders.reviews import review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.approvals.model import NO_APPROVALS, Approvals
from lockwarden.core.evidence.source_answers import Audit, Outcome, Problem, SourceAnswer
from lockwarden.core.policy.model import PolicyRequirement, TrustedMirror
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.requirements import place_problems
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import SignatureState

OWN = (h1("linux_amd64"), zh("linux_amd64"))


def held(
    known: Audit | SourceAnswer,
    *locked: Hash,
    rule: PolicyRequirement,
    also: tuple[TrustedMirror, ...] = (),
    approvals: Approvals = NO_APPROVALS,
) -> Review:
    audited = known if isinstance(known, Audit) else audit(known)
    standards = Standards(policy=policy(rule, *also), approvals=approvals, today=TODAY)
    return review(locked, audited, platforms=[LINUX], standards=standards)


def told(done: Review) -> list[tuple[str, Severity]]:
    codes = {"not-signed", "scheme-required", "platform-required", "platform-unchecked"}
    return [(each.code, each.severity) for each in done.providers[0].problems if each.code in codes]


def the_problem(done: Review, code: str) -> Problem:
    (problem,) = (each for each in done.providers[0].problems if each.code == code)
    return problem


class TestPlace:
    def problems(self, address: str, **rule: tuple[str, ...]) -> list[Problem]:
        return list(place_problems(ProviderAddress.parse(address), [requirement(**rule)]))  # type: ignore[arg-type]

    def test_a_host_and_a_namespace_that_are_allowed_are_no_problem(self) -> None:
        assert (
            self.problems("registry.opentofu.org/acme/x", hosts=("registry.opentofu.org",), namespaces=("acme",)) == []
        )

    def test_without_a_list_everything_is_allowed(self) -> None:
        assert self.problems("registry.example.test/other/x") == []

    def test_another_host_is_an_error_that_names_the_rule_and_what_it_allows(self) -> None:
        (problem,) = self.problems("registry.example.test/acme/x", hosts=("registry.opentofu.org", "a.example.test"))
        assert (problem.code, problem.severity) == ("host-not-allowed", Severity.ERROR)
        assert problem.message == ".lockwarden.hcl line 11 does not allow providers from registry.example.test"
        assert problem.hint == "it allows a.example.test, registry.opentofu.org"

    def test_another_namespace_is_an_error(self) -> None:
        (problem,) = self.problems("acme/x", namespaces=("hashicorp",))
        assert problem.code == "namespace-not-allowed"
        assert "does not allow providers of the namespace acme" in problem.message

    def test_an_empty_list_allows_nothing_and_says_so(self) -> None:
        (problem,) = self.problems("acme/x", namespaces=())
        assert problem.hint == "it allows none"

    def test_a_port_is_another_host(self) -> None:
        assert self.problems("registry.example.test:8443/acme/x", hosts=("registry.example.test",))

    def test_an_international_host_is_compared_and_shown_by_its_ascii_form(self) -> None:
        assert self.problems("bücher.example.test/acme/x", hosts=("xn--bcher-kva.example.test",)) == []
        (problem,) = self.problems("registry.opentоfu.org/acme/x", hosts=("registry.opentofu.org",))
        assert "(registry.xn--" in problem.message

    def test_an_international_namespace_is_compared_in_its_normal_form(self) -> None:
        assert self.problems("BÜCHER/x", namespaces=("bücher",)) == []

    def test_it_needs_no_audit(self) -> None:
        standards = Standards(policy=policy(requirement(hosts=["registry.opentofu.org"])))
        begun = review(OWN, standards=standards)
        assert begun.exit_code is ExitCode.FINDINGS

    def test_rules_for_other_providers_require_nothing(self) -> None:
        rule = requirement(hosts=[], signed=True, platforms=[WINDOWS], providers="registry.example.test/other/*")
        assert held(origin_with(LINUX), *OWN, rule=rule).exit_code is ExitCode.NOTHING_TO_OBJECT


class TestSigned:
    RULE = requirement(signed=True)

    def test_signed_hashes_and_what_was_computed_from_a_signed_archive_have_it(self) -> None:
        assert held(origin_with(LINUX), *OWN, rule=self.RULE).exit_code is ExitCode.NOTHING_TO_OBJECT

    def test_an_unsigned_list_is_an_error_that_counts_the_hashes_and_names_the_rule(self) -> None:
        done = held(origin_with(LINUX, authenticated=False), *OWN, rule=self.RULE)
        problem = the_problem(done, "not-signed")
        assert problem.message.startswith("2 locked hashes are not covered by any signature that counts, such as h1:")
        assert ".lockwarden.hcl line 11 requires one" in problem.message
        assert problem.hint.startswith("ask the provider's maintainers to publish their signing key, or record an")
        assert done.exit_code is ExitCode.FINDINGS

    def test_a_single_hash_is_told_in_the_singular(self) -> None:
        done = held(origin_with(LINUX, authenticated=False), zh("linux_amd64"), rule=self.RULE)
        assert the_problem(done, "not-signed").message.startswith("1 locked hash is not covered")

    def test_a_mirrors_package_is_signed_when_the_origins_signed_list_has_its_archive(self) -> None:
        given = answer(MIRROR, (h1("x"), computed(LINUX, source=MIRROR, package_zh=zh("linux_amd64"))))
        done = held(audit(origin_with(LINUX), given), h1("x"), rule=self.RULE)
        assert told(done) == []

    def test_a_directory_is_not_signed_by_anyone(self) -> None:
        known = answer(MIRROR, (h1("x"), computed(LINUX, source=MIRROR)), platforms=[LINUX])
        done = held(known, h1("x"), rule=self.RULE)
        assert told(done) == [("not-signed", Severity.ERROR)]
        assert the_problem(done, "not-signed").hint.startswith("add the source “direct”, so that registry.example.te")

    def test_a_mirror_that_the_policy_trusts_needs_no_signature(self) -> None:
        known = answer(MIRROR, (zh("x"), computed(LINUX, source=MIRROR, package_zh=zh("x"))), platforms=[LINUX])
        assert told(held(known, zh("x"), rule=self.RULE, also=(mirror(),))) == []
        assert told(held(known, zh("x"), rule=self.RULE)) == [("not-signed", Severity.ERROR)]

    def test_a_mirror_that_the_command_line_trusts_does(self) -> None:
        known = answer(MIRROR, (zh("x"), trusted(LINUX)), platforms=[LINUX])
        assert told(held(known, zh("x"), rule=self.RULE)) == [("not-signed", Severity.ERROR)]

    def test_a_signature_that_does_not_count_is_none(self) -> None:
        revoked = signed(LINUX, state=SignatureState.REVOKED)
        known = answer(
            ORIGIN,
            (zh("a"), revoked),
            (zh("a"), reported(LINUX)),
            (h1("a"), computed(LINUX, package_zh=zh("a"))),
            platforms=[LINUX],
            lists=[zh_list(zh("a"), authenticated=False)],
        )
        done = held(known, zh("a"), h1("a"), rule=self.RULE)
        assert the_problem(done, "not-signed").message.startswith("2 locked hashes")

    def test_a_hash_that_nothing_confirms_is_left_to_its_verdict(self) -> None:
        assert told(held(origin_with(LINUX), zh("planted"), rule=self.RULE)) == []

    def test_what_could_not_be_asked_is_left_to_its_verdict(self) -> None:
        down = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="503", platforms=None)
        done = held(down, *OWN, rule=self.RULE)
        assert (told(done), done.exit_code) == ([], ExitCode.INCOMPLETE)

    def test_a_record_accepts_the_hashes_that_it_names_and_no_others(self) -> None:
        unsigned = origin_with(LINUX, authenticated=False)
        one = held(unsigned, *OWN, rule=self.RULE, approvals=Approvals(records=(approval(OWN[0]),)))
        assert str(OWN[1]) in the_problem(one, "not-signed").message
        both = held(unsigned, *OWN, rule=self.RULE, approvals=Approvals(records=(approval(*OWN),)))
        assert (told(both), both.exit_code) == ([], ExitCode.NOTHING_TO_OBJECT)


class TestSchemes:
    @pytest.mark.parametrize(("kept", "lost"), [(OWN[0], "zh"), (OWN[1], "h1")])
    def test_an_entry_without_a_required_scheme_is_an_error(self, kept: Hash, lost: str) -> None:
        done = held(origin_with(LINUX), kept, rule=requirement(schemes=["h1", "zh"]))
        assert f"has no usable {lost} hash, which .lockwarden.hcl line 11 requires" in (
            the_problem(done, "scheme-required").message
        )
        assert done.exit_code is ExitCode.FINDINGS

    def test_one_of_each_is_enough(self) -> None:
        assert told(held(origin_with(LINUX), *OWN, rule=requirement(schemes=["h1", "zh"]))) == []

    def test_a_hash_that_can_never_match_does_not_count(self) -> None:
        done = held(origin_with(LINUX), OWN[0], Hash("zh:" + "A" * 64), rule=requirement(schemes=["zh"]))
        assert told(done) == [("scheme-required", Severity.ERROR)]


class TestPlatforms:
    def test_a_platform_with_some_hash_is_covered_when_no_scheme_is_named(self) -> None:
        rule = requirement(platforms=[LINUX])
        for each in OWN:
            assert told(held(origin_with(LINUX), each, rule=rule)) == []

    def test_each_named_scheme_is_required_of_each_platform(self) -> None:
        rule = requirement(platforms=[LINUX, DARWIN], schemes=["h1", "zh"])
        done = held(origin_with(LINUX, DARWIN), *OWN, zh("darwin_arm64"), rule=rule)
        problem = the_problem(done, "platform-required")
        assert problem.message == "no h1 hash of darwin_arm64 is locked, which .lockwarden.hcl line 11 requires"
        assert "lockwarden lock --platform darwin_arm64" in problem.hint
        assert done.exit_code is ExitCode.FINDINGS

    def test_a_platform_of_which_the_list_knows_an_archive_that_is_not_locked_is_missing(self) -> None:
        done = held(origin_with(LINUX, listed_too=[DARWIN]), *OWN, rule=requirement(platforms=[DARWIN]))
        assert the_problem(done, "platform-required").message.startswith("no hash of darwin_arm64 is locked")

    def test_a_platform_that_the_release_does_not_have_is_an_error_of_its_own(self) -> None:
        known = origin_with(LINUX)
        lacking = replace(known, packages=(*known.packages, package(WINDOWS, outcome=Outcome.NOT_THERE)))
        done = held(lacking, *OWN, rule=requirement(platforms=[WINDOWS]))
        message = the_problem(done, "platform-required").message
        assert "registry.example.test has no windows_amd64 package of acme/widget 1.2.3" in message

    def test_a_trusted_mirror_may_have_a_platform_that_the_origin_lacks(self) -> None:
        known = origin_with(LINUX)
        lacking = replace(known, packages=(*known.packages, package(WINDOWS, outcome=Outcome.NOT_THERE)))
        own = answer(MIRROR, (zh("w"), computed(WINDOWS, source=MIRROR, package_zh=zh("w"))), platforms=[WINDOWS])
        rule = requirement(platforms=[WINDOWS])
        assert told(held(audit(lacking, own), *OWN, zh("w"), rule=rule, also=(mirror(),))) == []

    def test_an_h1_that_is_unchecked_may_be_the_platforms_so_nothing_is_called_missing(self) -> None:
        rule = requirement(platforms=[DARWIN], schemes=["h1"])
        done = held(origin_with(LINUX, listed_too=[DARWIN]), *OWN, h1("darwin_arm64"), rule=rule)
        assert (told(done), done.exit_code) == ([], ExitCode.INCOMPLETE)

    def test_a_platform_that_was_not_looked_at_is_open_never_missing_and_never_fine(self) -> None:
        rule = requirement(platforms=[DARWIN], schemes=["h1"])
        done = held(origin_with(LINUX, listed_too=[DARWIN]), *OWN, rule=rule)
        assert told(done) == [("platform-unchecked", Severity.WARNING)]
        problem = the_problem(done, "platform-unchecked")
        assert "it is not known whether the h1 hash of darwin_arm64 is locked" in problem.message
        assert "--platform darwin_arm64" in problem.hint
        assert done.exit_code is ExitCode.INCOMPLETE

    @pytest.mark.parametrize("strange", [h1("planted"), Hash("h1:never")])
    def test_a_hash_whose_verdict_is_settled_leaves_it_open(self, strange: Hash) -> None:
        absent = origin_with(LINUX)
        absent = replace(absent, platforms=frozenset({LINUX}))
        rule = requirement(platforms=[DARWIN], schemes=["h1"])
        assert told(held(absent, *OWN, strange, rule=rule)) == [("platform-unchecked", Severity.WARNING)]

    def test_a_hash_that_can_never_match_is_no_platforms(self) -> None:
        rule = requirement(platforms=[DARWIN], schemes=["h1"])
        done = held(origin_with(LINUX, listed_too=[DARWIN]), *OWN, Hash("h1:never"), rule=rule)
        assert told(done) == [("platform-unchecked", Severity.WARNING)]

    def test_a_disowned_zh_is_no_excuse_either(self) -> None:
        rule = requirement(platforms=[DARWIN], schemes=["zh"])
        assert told(held(origin_with(LINUX), *OWN, zh("planted"), rule=rule)) == [
            ("platform-unchecked", Severity.WARNING)
        ]

    def test_an_origin_that_was_not_asked_leaves_it_open(self) -> None:
        known = answer(MIRROR, (zh("x"), computed(LINUX, source=MIRROR, package_zh=zh("x"))), platforms=[LINUX])
        done = held(known, zh("x"), rule=requirement(platforms=[DARWIN]))
        assert told(done) == [("platform-unchecked", Severity.WARNING)]

    def test_a_strange_package_of_a_mirror_is_no_hash_that_has_to_be_locked(self) -> None:
        other = answer(MIRROR, (zh("other"), computed(LINUX, source=MIRROR, package_zh=zh("other"))))
        done = held(audit(origin_with(LINUX), other), *OWN, rule=requirement(platforms=[LINUX]))
        assert told(done) == []

    @pytest.mark.parametrize("locked", [OWN, (*OWN, h1("other"))])
    def test_nor_one_that_would_do_for_the_platform(self, locked: tuple[Hash, ...]) -> None:
        other = answer(MIRROR, (h1("other"), computed(DARWIN, source=MIRROR, package_zh=zh("other"))))
        done = held(audit(origin_with(LINUX), other), *locked, rule=requirement(platforms=[DARWIN], schemes=["h1"]))
        assert told(done) == [("platform-unchecked", Severity.WARNING)]

    def test_the_policy_names_every_platform_of_its_requirements(self) -> None:
        rules = policy(requirement(platforms=[LINUX]), requirement(platforms=[DARWIN, LINUX], providers="a.test/b/*"))
        assert rules.platforms == {LINUX, DARWIN}

    def test_requirements_of_several_rules_add_up(self) -> None:
        rules = policy(requirement(schemes=["h1"], line=3), requirement(schemes=["zh"], line=9))
        done = review((Hash("h9:x"),), audit(origin_with(LINUX)), standards=Standards(policy=rules))
        first, second = (each.message for each in done.providers[0].problems if each.code == "scheme-required")
        assert "h1 hash, which .lockwarden.hcl line 3 requires" in first
        assert "zh hash, which .lockwarden.hcl line 9 requires" in second


@table(
    ("known", "hint"),
    [
        (origin_with(LINUX), "look at that platform, too: --platform darwin_arm64"),
        (
            replace(origin_with(LINUX), packages=(package(DARWIN, outcome=Outcome.NO_ANSWER, hint="renew the token"),)),
            "renew the token",
        ),
        (
            replace(origin_with(LINUX), packages=(package(DARWIN, outcome=Outcome.NO_ANSWER),)),
            "ask again when the source gives out its package",
        ),
        (answer(ORIGIN, outcome=Outcome.NOT_ASKED, platforms=None, hint="leave it out"), "leave it out"),
        (answer(ORIGIN, outcome=Outcome.NO_ANSWER, platforms=None), "ask again when the source answers"),
        (answer(MIRROR, platforms=[LINUX]), "look at that platform, too: --platform darwin_arm64"),
    ],
)
def test_what_would_tell_whether_a_platform_is_locked_fits_why_it_is_open(known: SourceAnswer, hint: str) -> None:
    done = held(known, rule=requirement(platforms=frozenset({DARWIN})))
    assert the_problem(done, "platform-unchecked").hint == hint
