"""Mirrors that the policy trusts or distrusts: they vouch in the origin's place, and only while they are asked."""

from __future__ import annotations

import pytest
from builders.audits import (
    DARWIN,
    DEFAULT_HOST_ADDRESS,
    FINGERPRINT,
    FOLDER,
    LINUX,
    MIRROR,
    ORIGIN,
    WINDOWS,
    answer,
    audit,
    computed,
    h1,
    listed,
    origin_with,
    package,
    reported,
    trusted,
    zh,
)
from builders.policies import STRANGER, key, mirror, policy, signed_by
from builders.reviews import entry_text, lock_file, review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ListShape, Observation, ReportedByTrustedMirror
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer, SourceRef
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.sentences import Tone
from lockwarden.core.review.standards import Standards
from lockwarden.core.review.standards import evidence_under as under
from lockwarden.core.review.verdicts import Judgement, Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity

TRUSTING = policy(mirror())
STRANGE = (zh("nobody"), h1("nobody"))
REBUILT = (zh("rebuilt"), h1("rebuilt"))
DOWN = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="connection refused", platforms=None)
GONE = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404", platforms=None)


def giving(
    *platforms: Platform,
    seed: str = "",
    source: SourceRef = MIRROR,
    listed_too: tuple[Platform, ...] = (),
    refused: str = "",
) -> SourceAnswer:
    """A mirror that gives out packages of its own (seed) or the origin's, and knows of more platforms."""
    seen = [
        (make(seed or str(each)), computed(each, source=source, package_zh=zh(seed or str(each)), refused=refused))
        for each in platforms
        for make in (zh, h1)
    ]
    return answer(source, *seen, platforms=[*platforms, *listed_too])


def judged(hash_: Hash, *source_answers: SourceAnswer, rules: Policy = TRUSTING) -> Judgement:
    return judge_locked(hash_, under(apply_policy(rules, audit(*source_answers)), frozenset({LINUX})))


def verdict(hash_: Hash, *source_answers: SourceAnswer, rules: Policy = TRUSTING) -> Verdict:
    return judged(hash_, *source_answers, rules=rules).verdict


def why(hash_: Hash, *source_answers: SourceAnswer, rules: Policy = TRUSTING) -> str:
    return "\n".join(reason.text for reason in judged(hash_, *source_answers, rules=rules).reasons)


def held(known: Audit, *locked: Hash, rules: Policy = TRUSTING) -> Review:
    return review(locked, known, standards=Standards(policy=rules))


class TestAMirrorInTheOriginsPlace:
    def test_its_package_counts_though_it_differs_from_the_origins_and_the_difference_is_told(self) -> None:
        known = audit(origin_with(LINUX), giving(LINUX, seed="rebuilt"))
        assert held(known, *REBUILT, rules=NO_POLICY).exit_code is ExitCode.FINDINGS
        done = held(known, *REBUILT)
        assert {row.verdict for row in done.providers[0].rows if row.locked} == {Verdict.CONFIRMED}
        (problem,) = done.providers[0].problems
        assert (problem.code, problem.severity) == ("other-bytes", Severity.WARNING)
        assert "which .lockwarden.hcl line 6 trusts in its place" in problem.message
        assert done.exit_code is ExitCode.NOTHING_TO_OBJECT

    @pytest.mark.parametrize("others_first", [True, False])
    def test_each_of_two_sources_that_lead_to_one_place_has_the_trust_of_that_place(self, others_first: bool) -> None:
        twin = replace(MIRROR, id="mirror-2")
        asked = (giving(LINUX), giving(LINUX, source=twin))
        known = audit(*(reversed(asked) if others_first else asked))
        assert set(apply_policy(TRUSTING, known).trusted_mirrors) == {MIRROR.id, twin.id}

    def test_the_rule_that_trusts_it_is_named(self) -> None:
        assert ".lockwarden.hcl line 6 trusts this mirror" in why(zh("linux_amd64"), giving(LINUX))

    def test_what_the_origin_signs_counts_beside_it(self) -> None:
        assert verdict(zh("linux_amd64"), origin_with(LINUX), giving(LINUX, seed="rebuilt")) is Verdict.CONFIRMED

    def test_a_strange_hash_is_a_finding_once_everything_was_looked_at(self) -> None:
        assert verdict(STRANGE[0], origin_with(LINUX), giving(LINUX, seed="rebuilt")) is Verdict.DISOWNED
        assert verdict(STRANGE[1], origin_with(LINUX), giving(LINUX, seed="rebuilt")) is Verdict.UNEXPLAINED
        text = why(STRANGE[1], origin_with(LINUX), giving(LINUX, seed="rebuilt"))
        assert "neither mirror nor registry.example.test has a package of acme/widget 1.2.3 with this hash" in text

    def test_the_origin_need_not_be_asked(self) -> None:
        assert verdict(STRANGE[0], giving(LINUX)) is Verdict.UNEXPLAINED
        assert "mirror has no package of acme/widget 1.2.3 with this hash" in why(STRANGE[0], giving(LINUX))
        assert "downloading the package of darwin_arm64" in why(STRANGE[0], giving(LINUX, listed_too=(DARWIN,)))

    @pytest.mark.parametrize("strange", STRANGE)
    def test_a_package_of_it_that_was_not_looked_at_may_be_the_one(self, strange: Hash) -> None:
        source_answers = (origin_with(LINUX), giving(LINUX, seed="rebuilt", listed_too=(DARWIN,)))
        assert verdict(strange, *source_answers) is Verdict.UNCHECKED
        assert "the package of darwin_arm64 was not downloaded" in why(strange, *source_answers)
        assert "downloading every platform of the release would settle it" in why(strange, *source_answers)

    @pytest.mark.parametrize("strange", STRANGE)
    def test_one_that_does_not_answer_leaves_it_open(self, strange: Hash) -> None:
        silent = answer(MIRROR, outcome=Outcome.NO_ANSWER, detail="timed out", platforms=None)
        assert verdict(strange, origin_with(LINUX), silent) is Verdict.UNCHECKED
        assert "mirror did not answer: timed out" in why(strange, origin_with(LINUX), silent)
        assert "ask again when the source answers" in why(strange, origin_with(LINUX), silent)

    def test_its_silence_lends_no_weight_to_what_the_origin_contradicts_itself(self) -> None:
        origin = origin_with(LINUX)
        claim = (zh("claimed"), reported(DARWIN, shape=ListShape.PACKAGES))
        known = replace(origin, observations=(*origin.observations, claim))
        silent = answer(MIRROR, outcome=Outcome.NO_ANSWER, detail="timed out", platforms=None)
        assert verdict(zh("claimed"), known, rules=NO_POLICY) is Verdict.DISOWNED
        assert verdict(zh("claimed"), known, silent) is Verdict.UNCHECKED

    @pytest.mark.parametrize("strange", STRANGE)
    def test_one_that_is_not_among_the_sources_leaves_it_open(self, strange: Hash) -> None:
        text = why(strange, origin_with(LINUX))
        assert verdict(strange, origin_with(LINUX)) is Verdict.UNCHECKED
        assert f"{MIRROR.location}, which .lockwarden.hcl line 6 trusts, is not among the sources" in text
        assert "add the mirror that the policy trusts to the sources" in text

    def test_one_that_does_not_have_the_release_leaves_the_word_to_the_origin(self) -> None:
        absent = answer(MIRROR, outcome=Outcome.NOT_THERE, detail="404", platforms=None)
        assert verdict(STRANGE[0], origin_with(LINUX), absent) is Verdict.DISOWNED
        assert verdict(STRANGE[0], absent) is Verdict.UNCHECKED
        assert "add the source “direct”" in why(STRANGE[0], absent)
        assert verdict(STRANGE[0], GONE, absent) is Verdict.UNCHECKED

    def test_packages_that_break_its_own_promise_vouch_for_nothing(self) -> None:
        broken = giving(LINUX, refused="the package matches none of the listed hashes")
        assert verdict(zh("linux_amd64"), broken) is Verdict.UNCHECKED

    def test_it_vouches_for_the_providers_of_its_rule_and_no_others(self) -> None:
        other = policy(mirror(providers="registry.example.test/other/*"))
        source_answers = (origin_with(LINUX), giving(LINUX, seed="rebuilt"))
        assert verdict(REBUILT[0], *source_answers, rules=other) is verdict(
            REBUILT[0], *source_answers, rules=NO_POLICY
        )
        assert verdict(STRANGE[0], origin_with(LINUX), rules=other) is Verdict.DISOWNED

    def test_the_origin_itself_is_no_mirror(self) -> None:
        assert apply_policy(policy(mirror(ORIGIN.location)), audit(origin_with(LINUX))).trusted_mirrors == {}


class TestWhatItLists:
    def promising(
        self, *listings: tuple[Hash, Observation], kept: bool = True, client_refusal: str = ""
    ) -> SourceAnswer:
        promised = [zh("linux_amd64")] if kept else []
        fact = package(LINUX, zh=zh("linux_amd64"), promised=promised, client_refusal=client_refusal)
        seen = computed(LINUX, source=MIRROR, package_zh=zh("linux_amd64"))
        return answer(
            MIRROR,
            (zh("linux_amd64"), seen),
            *listings,
            platforms=[LINUX, DARWIN],
            packages=[fact],
        )

    def test_a_listed_hash_counts_once_a_package_kept_the_promise(self) -> None:
        known = self.promising((zh("darwin_arm64"), listed(DARWIN)))
        assert verdict(zh("darwin_arm64"), known) is Verdict.CONFIRMED
        assert "the trusted mirror mirror lists it" in why(zh("darwin_arm64"), known)
        assert verdict(zh("darwin_arm64"), known, rules=NO_POLICY) is Verdict.UNCHECKED

    def test_on_the_default_host_a_listed_hash_is_new_where_the_mirror_is_trusted_and_only_there(self) -> None:
        """Trust of the policy and trust of the command line are one in the selection rule; distrust takes both back."""

        def verdict_of(claim: Observation, rules: Policy) -> Verdict:
            known = audit(self.promising((zh("darwin_arm64"), claim)), address=DEFAULT_HOST_ADDRESS)
            begun = Review.start(
                lock_file(entry_text(address=str(DEFAULT_HOST_ADDRESS))),
                settings=ClientSettings(),
                platforms=[LINUX],
                standards=Standards(policy=rules),
            )
            rows = begun.with_audit(known).providers[0].rows
            return next(row.verdict for row in rows if row.hash == zh("darwin_arm64"))

        assert verdict_of(listed(DARWIN), TRUSTING) is Verdict.NEW
        assert verdict_of(listed(DARWIN), NO_POLICY) is Verdict.OFFERED
        assert verdict_of(trusted(DARWIN), NO_POLICY) is Verdict.NEW
        assert verdict_of(trusted(DARWIN), policy(mirror(trusted=False))) is Verdict.OFFERED

    def test_it_is_reported_by_a_trusted_mirror_in_the_disposition_too(self) -> None:
        known = audit(self.promising((zh("darwin_arm64"), listed(DARWIN))))
        row = next(row for row in held(known).providers[0].rows if row.hash == zh("darwin_arm64"))
        assert row.disposition.reported_by_trusted_mirror

    @pytest.mark.parametrize(("kept", "client_refusal"), [(False, ""), (True, "the mirror lists “x”, no hash")])
    def test_it_stays_a_claim_while_no_package_keeps_a_promise(self, kept: bool, client_refusal: str) -> None:
        known = self.promising((zh("darwin_arm64"), listed(DARWIN)), kept=kept, client_refusal=client_refusal)
        assert verdict(zh("darwin_arm64"), known) is Verdict.UNCHECKED
        assert "trusts this mirror" not in why(zh("darwin_arm64"), known)
        folder = answer(FOLDER, (h1("x"), computed(DARWIN, source=FOLDER, package_zh=zh("darwin_arm64"))))
        assert verdict(h1("x"), known, folder) is Verdict.UNCHECKED

    def test_a_listed_hash_that_its_own_package_does_not_have_never_counts(self) -> None:
        known = self.promising((h1("lie"), listed(LINUX, refused="the package that the mirror gives out has another")))
        assert verdict(h1("lie"), known) is Verdict.UNCHECKED

    @pytest.mark.parametrize("platform", [DARWIN, None])
    def test_what_it_lists_and_neither_its_package_nor_the_origins_list_has_is_told(
        self, platform: Platform | None
    ) -> None:
        known = audit(origin_with(LINUX, DARWIN), self.promising((zh("planted"), listed(platform))))
        done = held(known, zh("planted"))
        assert done.exit_code is ExitCode.NOTHING_TO_OBJECT
        (problem,) = done.providers[0].problems
        assert (problem.code, problem.severity) == ("mirror-lists-other", Severity.WARNING)
        assert f"lists {zh('planted')} for {platform or 'no platform'}" in problem.message
        assert "which .lockwarden.hcl line 6 trusts in place of registry.example.test" in problem.message

    def test_an_h1_that_the_origins_own_package_lacks_is_told_and_many_are_summed_up(self) -> None:
        lies = [(h1(f"planted {number}"), listed(DARWIN)) for number in range(5)]
        done = held(audit(origin_with(LINUX, DARWIN), self.promising(*lies)), zh("linux_amd64"))
        assert [problem.code for problem in done.providers[0].problems] == ["mirror-lists-other"]
        assert "and 2 more for darwin_arm64" in done.providers[0].problems[0].message

    @table(
        "listing",
        [
            (zh("darwin_arm64"), listed(DARWIN)),
            (h1("darwin_arm64"), listed(DARWIN)),
            (h1("of a package that the origin was not asked for"), listed(WINDOWS)),
            (zh("planted"), listed(LINUX, refused="the package that the mirror gives out has another")),
        ],
    )
    def test_what_the_origin_has_cannot_have_or_what_does_not_count_is_no_difference(
        self, listing: tuple[Hash, Observation]
    ) -> None:
        done = held(audit(origin_with(LINUX, DARWIN), self.promising(listing)), zh("linux_amd64"))
        assert done.providers[0].problems == ()

    def test_without_the_origins_list_there_is_nothing_to_differ_from(self) -> None:
        known = self.promising((zh("planted"), listed(DARWIN)))
        for origin in (DOWN, GONE):
            codes = {problem.code for problem in held(audit(origin, known)).providers[0].problems}
            assert "mirror-lists-other" not in codes


class TestTrustTakenBack:
    RULES = policy(mirror(trusted=False))

    def test_what_the_command_line_trusts_is_a_claim_again(self) -> None:
        known = answer(MIRROR, (zh("a"), trusted(LINUX)), platforms=[LINUX])
        assert verdict(zh("a"), known, rules=NO_POLICY) is Verdict.CONFIRMED
        assert verdict(zh("a"), known, rules=self.RULES) is Verdict.UNCHECKED
        assert "claims it for linux_amd64, which proves nothing" in why(zh("a"), known, rules=self.RULES)

    def test_it_is_taken_back_from_each_of_two_sources_that_lead_there(self) -> None:
        twin = replace(MIRROR, id="mirror-2")
        known = answer(MIRROR, (zh("a"), trusted(LINUX)), platforms=[LINUX])
        assert verdict(zh("a"), known, giving(DARWIN, source=twin), rules=self.RULES) is Verdict.UNCHECKED

    def test_the_disposition_forgets_it_too(self) -> None:
        known = audit(answer(MIRROR, (zh("a"), trusted(LINUX)), platforms=[LINUX]))
        (row,) = held(known, rules=self.RULES).providers[0].rows
        assert not row.disposition.reported_by_trusted_mirror

    def test_what_was_computed_from_its_packages_stays(self) -> None:
        assert verdict(zh("linux_amd64"), giving(LINUX), rules=self.RULES) is Verdict.CONFIRMED

    def test_it_is_no_mirror_that_has_to_be_asked(self) -> None:
        assert verdict(STRANGE[0], origin_with(LINUX), rules=self.RULES) is Verdict.DISOWNED

    def test_the_first_rule_for_a_mirror_counts(self) -> None:
        known = answer(MIRROR, (zh("a"), trusted(LINUX)), platforms=[LINUX])
        back = policy(mirror(trusted=False, line=6), mirror(line=9))
        again = policy(mirror(line=6), mirror(trusted=False, line=9))
        assert verdict(zh("a"), known, rules=back) is Verdict.UNCHECKED
        assert verdict(zh("a"), known, rules=again) is Verdict.CONFIRMED
        assert ".lockwarden.hcl line 6 trusts this mirror" in why(zh("a"), known, rules=again)


class TestOtherMirrorsBesideATrustedOne:
    """The trusted mirror has the last word, as the origin has elsewhere."""

    OTHER = giving(LINUX, seed="other", source=FOLDER)

    def test_other_bytes_of_another_mirror_confirm_nothing(self) -> None:
        assert verdict(zh("other"), self.OTHER, rules=NO_POLICY) is Verdict.CONFIRMED
        assert verdict(zh("other"), giving(LINUX), self.OTHER) is Verdict.UNEXPLAINED

    def test_the_same_bytes_do(self) -> None:
        folder = answer(FOLDER, (h1("x"), computed(LINUX, source=FOLDER, package_zh=zh("linux_amd64"))))
        assert verdict(h1("x"), giving(LINUX), folder) is Verdict.CONFIRMED

    def test_a_directory_has_no_archive_to_compare(self) -> None:
        folder = answer(FOLDER, (h1("x"), computed(LINUX, source=FOLDER)), platforms=[LINUX])
        assert verdict(h1("x"), giving(LINUX), folder) is Verdict.UNEXPLAINED

    @pytest.mark.parametrize("outcome", [Outcome.NO_ANSWER, Outcome.NOT_ASKED])
    def test_while_the_trusted_one_is_silent_they_confirm_nothing(self, outcome: Outcome) -> None:
        silent = answer(MIRROR, outcome=outcome, detail="timed out", platforms=None)
        assert verdict(zh("other"), silent, self.OTHER) is Verdict.UNCHECKED

    def test_nor_while_it_is_not_among_the_sources(self) -> None:
        assert verdict(zh("other"), self.OTHER) is Verdict.UNCHECKED

    def test_when_it_does_not_have_the_release_they_speak_for_themselves(self) -> None:
        absent = answer(MIRROR, outcome=Outcome.NOT_THERE, platforms=None)
        assert verdict(zh("other"), absent, self.OTHER) is Verdict.CONFIRMED

    def test_when_the_origin_does_not_know_the_release_only_the_trusted_one_is_an_open_question(self) -> None:
        half = giving(LINUX, seed="other", source=FOLDER, listed_too=(DARWIN,))
        assert verdict(STRANGE[1], GONE, giving(LINUX), half) is Verdict.UNEXPLAINED
        assert verdict(STRANGE[1], GONE, half, rules=NO_POLICY) is Verdict.UNCHECKED

    def test_nothing_new_is_taken_from_them(self) -> None:
        def offered(*source_answers: SourceAnswer, rules: Policy = TRUSTING) -> Judgement:
            evidence = under(apply_policy(rules, audit(*source_answers)), frozenset({LINUX}))
            return judge_unlocked(zh("other"), evidence, recorded="computed")

        assert offered(self.OTHER, rules=NO_POLICY).verdict is Verdict.NEW
        judgement = offered(giving(LINUX), self.OTHER)
        assert judgement.verdict is Verdict.OFFERED
        assert "but nothing of mirror confirms it" in judgement.reasons[0].text
        missing = offered(self.OTHER)
        assert missing.verdict is Verdict.OFFERED
        assert "but nothing of the mirror that the policy trusts confirms it" in missing.reasons[0].text


class TestTrustOfTheCommandLine:
    """`trust_all_hashes` alone: enough where nobody can say better, never against the origin."""

    def test_it_counts_while_the_origin_is_not_asked_or_does_not_know_the_release(self) -> None:
        known = answer(MIRROR, (h1("a"), trusted(LINUX)), platforms=[LINUX])
        assert verdict(h1("a"), known, rules=NO_POLICY) is Verdict.CONFIRMED
        assert verdict(h1("a"), GONE, known, rules=NO_POLICY) is Verdict.CONFIRMED

    @pytest.mark.parametrize("origin", [DOWN, origin_with(listed_too=[LINUX])], ids=["down", "answered"])
    def test_where_the_origin_is_asked_its_h1_is_a_promise_like_any_other(self, origin: SourceAnswer) -> None:
        known = answer(MIRROR, (h1("a"), trusted(LINUX)), platforms=[LINUX])
        assert verdict(h1("a"), origin, known, rules=NO_POLICY) is Verdict.UNCHECKED

    def test_a_zh_that_the_origin_does_not_list_is_disowned_all_the_same(self) -> None:
        known = answer(MIRROR, (zh("a"), trusted(LINUX)), platforms=[LINUX])
        assert verdict(zh("a"), origin_with(LINUX), known, rules=NO_POLICY) is Verdict.DISOWNED

    def test_a_zh_that_the_origins_unsigned_list_has_is_confirmed_by_both(self) -> None:
        known = answer(MIRROR, (zh("linux_amd64"), trusted(LINUX)), platforms=[LINUX])
        reasons = judged(zh("linux_amd64"), origin_with(LINUX, authenticated=False), known, rules=NO_POLICY).reasons
        assert [each.tone for each in reasons if "lists it" in each.text] == [Tone.FOR, Tone.FOR]

    def test_it_never_counts_against_a_mirror_that_the_policy_trusts(self) -> None:
        rules = policy(mirror(FOLDER.location))
        known = answer(MIRROR, (zh("a"), trusted(LINUX)), platforms=[LINUX])
        assert verdict(zh("a"), giving(LINUX, source=FOLDER), known, rules=rules) is Verdict.UNEXPLAINED


class TestKeysAndMirrorsTogether:
    RULES = policy(key(), mirror())

    def test_the_trusted_mirror_needs_no_key(self) -> None:
        source_answers = (signed_by(FINGERPRINT, downloaded=[LINUX]), giving(LINUX, seed="rebuilt"))
        assert verdict(REBUILT[0], *source_answers, rules=self.RULES) is Verdict.CONFIRMED

    def test_the_alarm_is_raised_all_the_same(self) -> None:
        known = audit(signed_by(STRANGER, downloaded=[LINUX]), giving(LINUX))
        assert apply_policy(self.RULES, known).alarmed

    def test_a_release_that_the_origin_does_not_know_cannot_be_signed_by_a_pinned_key(self) -> None:
        half = giving(LINUX, listed_too=(DARWIN,))
        assert verdict(zh("linux_amd64"), GONE, half, rules=policy(key())) is Verdict.UNEXPLAINED

    def test_a_finding_without_mirrors_keeps_its_observations(self) -> None:
        known = audit(giving(LINUX))
        assert apply_policy(TRUSTING, known).audit.observations == known.observations
        assert not any(
            isinstance(seen, ReportedByTrustedMirror)
            for each in apply_policy(TRUSTING, known).audit.observations.values()
            for seen in each
        )
