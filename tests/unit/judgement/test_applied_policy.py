"""What pinned keys mean for an audit: a key that is not named never counts, and its signature is an alarm."""

from __future__ import annotations

import pytest
from builders.audits import (
    DARWIN,
    DEFAULT_HOST_ADDRESS,
    FINGERPRINT,
    LINUX,
    MIRROR,
    ORIGIN,
    SUMS,
    answer,
    audit,
    computed,
    h1,
    listed,
    reported,
    signed,
    trusted,
    zh,
    zh_list,
)
from builders.policies import (
    LINUX_SUMS,
    STRANGER,
    key,
    policy,
    signed_by,
    two_documents,
)
from builders.reviews import review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.source_answers import Audit, DocumentSignature, Outcome, Problem, SourceAnswer
from lockwarden.core.policy.applied_policy import AppliedPolicy, apply_policy
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.review.standards import evidence_under as under
from lockwarden.core.review.verdicts import Verdict, judge_locked
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signing_keys import Conclusion, ConclusionKind, SignatureState

PINNED = policy(key())
LOCKED = (zh("linux_amd64"), h1("linux_amd64"), zh("darwin_arm64"), h1("darwin_arm64"))


def verdict(hash_: Hash, known: Audit, rules: Policy = PINNED) -> Verdict:
    return judge_locked(hash_, under(apply_policy(rules, known), frozenset({LINUX}))).verdict


def why(hash_: Hash, known: Audit, rules: Policy = PINNED) -> str:
    reasons = judge_locked(hash_, under(apply_policy(rules, known), frozenset({LINUX}))).reasons
    return "\n".join(reason.text for reason in reasons)


def problems(known: Audit, rules: Policy = PINNED) -> tuple[Problem, ...]:
    return apply_policy(rules, known).problems


def held(known: Audit, *locked: Hash, rules: Policy = PINNED) -> Review:
    return review(locked, known, platforms=[LINUX, DARWIN], standards=Standards(policy=rules))


class TestWithoutAPolicy:
    def test_nothing_changes(self) -> None:
        known = audit(signed_by(STRANGER, downloaded=[LINUX]))
        assert apply_policy(NO_POLICY, known) == AppliedPolicy(before_policy=known, audit=known)

    def test_rules_for_other_providers_change_nothing_either(self) -> None:
        known = audit(signed_by(STRANGER, downloaded=[LINUX]))
        other = policy(key(providers="registry.example.test/other/*"))
        assert apply_policy(other, known) == AppliedPolicy(before_policy=known, audit=known)


class TestTheKeyThatIsNamed:
    def test_what_it_signed_counts_and_the_rule_is_named(self) -> None:
        known = audit(signed_by(FINGERPRINT, downloaded=[LINUX], listed_too=[DARWIN]))
        assert {verdict(each, known) for each in LOCKED[:3]} == {Verdict.CONFIRMED}
        assert problems(known) == ()
        assert ".lockwarden.hcl line 1 trusts this key" in why(zh("linux_amd64"), known)

    def test_a_strange_hash_is_disowned_as_without_the_policy(self) -> None:
        known = audit(signed_by(FINGERPRINT, downloaded=[LINUX]))
        assert verdict(zh("nobody"), known) is Verdict.DISOWNED
        assert verdict(h1("nobody"), known) is Verdict.UNEXPLAINED

    def test_a_subkeys_signature_is_its_primary_keys(self) -> None:
        by_subkey = signed(LINUX, signing_fingerprint=STRANGER)
        known = audit(answer(ORIGIN, (zh("linux_amd64"), by_subkey), platforms=[LINUX]))
        assert verdict(zh("linux_amd64"), known) is Verdict.CONFIRMED
        assert problems(known) == ()

    def test_naming_the_subkey_does_not_name_the_key(self) -> None:
        by_subkey = signed(LINUX, signing_fingerprint=STRANGER)
        known = audit(answer(ORIGIN, (zh("linux_amd64"), by_subkey), platforms=[LINUX]))
        assert apply_policy(policy(key(STRANGER)), known).alarmed

    def test_one_of_several_signers_is_enough_and_the_others_are_no_alarm(self) -> None:
        known = audit(signed_by(STRANGER, FINGERPRINT, downloaded=[LINUX]))
        assert {verdict(each, known) for each in LOCKED[:2]} == {Verdict.CONFIRMED}
        assert problems(known) == ()
        assert ".lockwarden.hcl line 1 does not name this key for the provider" in why(zh("linux_amd64"), known)

    def test_any_of_several_named_keys_will_do(self) -> None:
        rules = policy(key(STRANGER, line=1), key(line=6))
        known = audit(signed_by(FINGERPRINT, downloaded=[LINUX]))
        assert verdict(zh("linux_amd64"), known, rules) is Verdict.CONFIRMED
        assert ".lockwarden.hcl line 6 trusts this key" in why(zh("linux_amd64"), known, rules)

    def test_a_key_that_two_rules_name_is_trusted_by_the_first(self) -> None:
        rules = policy(key(line=2), key(line=9))
        known = audit(signed_by(FINGERPRINT, downloaded=[LINUX]))
        assert apply_policy(rules, known).trusted_keys[FINGERPRINT].line == 2

    @pytest.mark.parametrize("state", [SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE])
    def test_expired_since_it_signed_still_counts(self, state: SignatureState) -> None:
        known = audit(answer(ORIGIN, (zh("linux_amd64"), signed(LINUX, state=state)), platforms=[LINUX]))
        assert verdict(zh("linux_amd64"), known) is Verdict.CONFIRMED
        assert problems(known) == ()


class TestAnotherKey:
    """A1: the registry signs everything with another key of the same user ID, all of it consistent."""

    def test_nothing_is_green_the_alarm_is_on_top_and_the_exit_code_is_one(self) -> None:
        done = held(audit(signed_by(STRANGER, downloaded=[LINUX, DARWIN])), *LOCKED)
        (provider,) = done.providers
        assert {row.verdict for row in provider.rows} == {Verdict.UNEXPLAINED}
        assert provider.problems[0].code == "key-changed"
        assert provider.alarmed
        assert provider.weight[0] == 0
        assert done.loudest == (provider, provider.problems[0])
        assert done.exit_code is ExitCode.FINDINGS

    def test_the_alarm_has_both_whole_fingerprints_the_owner_and_the_rule(self) -> None:
        (alarm,) = problems(audit(signed_by(STRANGER, downloaded=[LINUX])))
        assert STRANGER in alarm.message
        assert f".lockwarden.hcl line 1 names {FINGERPRINT} (Example Releases)" in alarm.message
        assert "another way than the registry" in alarm.hint

    def test_rules_without_an_owner_are_named_by_their_keys_and_lines(self) -> None:
        rules = policy(
            key("A" * 40, line=1, owner=""), key("B" * 40, line=5, owner=""), key("C" * 40, line=9, owner="")
        )
        (alarm,) = problems(audit(signed_by(STRANGER, downloaded=[LINUX])), rules)
        assert f"lines 1, 5 and 9 names {'A' * 40} or {'B' * 40} or {'C' * 40}" in alarm.message

    def test_each_refused_hash_names_the_rule(self) -> None:
        known = audit(signed_by(STRANGER, downloaded=[LINUX]))
        assert "nothing that speaks for it counts: .lockwarden.hcl line 1 does not name this key" in why(
            LOCKED[0], known
        )
        assert "no signature of a key that .lockwarden.hcl line 1 names covers the package" in why(LOCKED[1], known)

    def test_a_key_with_the_same_id_is_another_key(self) -> None:
        """A17: who counts is decided by the whole fingerprint."""
        twin = "F" * 24 + FINGERPRINT[-16:]
        known = audit(signed_by(twin, downloaded=[LINUX]))
        assert apply_policy(PINNED, known).alarmed
        assert {verdict(each, known) for each in LOCKED[:2]} == {Verdict.UNEXPLAINED}

    def test_a_signature_of_the_named_key_that_does_not_count_lends_nothing_to_the_strangers(self) -> None:
        origin = signed_by(STRANGER, downloaded=[LINUX])
        revoked = (zh("linux_amd64"), signed(LINUX, state=SignatureState.REVOKED, document=LINUX_SUMS))
        known = audit(replace(origin, observations=(*origin.observations, revoked)))
        assert {verdict(each, known) for each in LOCKED[:2]} == {Verdict.UNEXPLAINED}
        assert apply_policy(PINNED, known).alarmed

    def test_an_unsigned_archive_of_a_platform_whose_other_archive_is_signed_does_not_count(self) -> None:
        signed_too = (zh("linux_amd64"), signed(LINUX))
        other = (zh("other"), reported(LINUX))
        known = audit(answer(ORIGIN, signed_too, other, platforms=[LINUX]))
        assert verdict(zh("other"), known, NO_POLICY) is Verdict.CONFIRMED
        assert verdict(zh("other"), known) is Verdict.UNCHECKED

    def test_what_was_not_downloaded_is_not_called_open_since_no_download_would_make_it_count(self) -> None:
        known = audit(signed_by(STRANGER, listed_too=[LINUX]))
        assert verdict(h1("linux_amd64"), known) is Verdict.UNEXPLAINED
        assert "that a pinned key has signed was hashed" in why(h1("linux_amd64"), known)

    def test_without_a_pinned_key_an_unsigned_release_is_open_until_it_is_downloaded(self) -> None:
        assert verdict(h1("linux_amd64"), audit(signed_by(listed_too=[LINUX])), NO_POLICY) is Verdict.UNCHECKED

    def test_what_was_downloaded_and_refused_is_not_open_though_no_file_name_tells_its_platform(self) -> None:
        listed_so = (zh("odd"), signed(None, fingerprint=STRANGER))
        given = (h1("odd"), computed(LINUX, package_zh=zh("odd")))
        known = audit(answer(ORIGIN, listed_so, given, platforms=[LINUX], lists=[zh_list(zh("odd"))]))
        assert verdict(h1("another"), known) is Verdict.UNEXPLAINED

    @pytest.mark.parametrize("report", [(h1("linux_amd64"), ListShape.PACKAGES), (zh("odd"), ListShape.PACKAGES)])
    def test_a_signed_archive_whose_file_name_tells_no_platform_may_be_of_any(
        self, report: tuple[Hash, ListShape]
    ) -> None:
        reports = (report[0], reported(LINUX, shape=report[1]))
        known = audit(answer(ORIGIN, (zh("odd"), signed(None)), reports, platforms=[LINUX], lists=[zh_list(zh("odd"))]))
        assert verdict(h1("linux_amd64"), known) is Verdict.UNCHECKED

    def test_the_disposition_tells_who_signed_whatever_the_policy_makes_of_it(self) -> None:
        row = held(audit(signed_by(STRANGER, downloaded=[LINUX])), LOCKED[0]).providers[0].rows[0]
        assert row.disposition.signed_by_fingerprints == {STRANGER}
        assert row.disposition.verified_locally

    def test_a_hash_that_nobody_lists_is_told_of_an_unpinned_list_not_of_an_unsigned_one(self) -> None:
        known = audit(signed_by(STRANGER, downloaded=[LINUX]))
        assert verdict(zh("nobody"), known) is Verdict.UNEXPLAINED
        assert "without the signature of a pinned key, and this is not one of them" in why(zh("nobody"), known)

    def test_a_package_that_the_pins_refuse_gives_no_new_hash(self) -> None:
        done = held(audit(signed_by(STRANGER, downloaded=[LINUX]), address=DEFAULT_HOST_ADDRESS))
        assert done.counts.get(Verdict.NEW) is None

    def test_a_mirrors_package_gives_no_new_hash_when_the_origin_is_not_asked(self) -> None:
        from_mirror = computed(LINUX, source=MIRROR, package_zh=zh("a"))
        known = audit(answer(MIRROR, (zh("a"), from_mirror), (h1("a"), from_mirror), platforms=[LINUX]))
        evidence = under(apply_policy(PINNED, known), frozenset({LINUX}))
        assert not evidence.confirms(h1("a"))
        assert verdict(h1("a"), known) is Verdict.UNCHECKED
        assert problems(known) == ()

    def test_a_mirror_that_the_command_line_trusts_does_not_replace_the_key(self) -> None:
        known = audit(answer(MIRROR, (zh("a"), trusted(LINUX)), platforms=[LINUX]))
        assert verdict(zh("a"), known) is Verdict.UNCHECKED
        assert "names the keys that count, and not this mirror" in why(zh("a"), known)

    def test_nothing_of_it_is_approved_in_bulk(self) -> None:
        known = audit(two_documents([FINGERPRINT], [STRANGER], LINUX))
        done = held(known, zh("linux_amd64"))
        assert done.counts[Verdict.NEW] == 1
        assert done.suggested(done.providers) == ()


class TestTheList:
    def test_only_the_named_key_is_told_as_the_signer_of_what_disowns_a_hash(self) -> None:
        known = audit(signed_by(FINGERPRINT, STRANGER, downloaded=[LINUX]))
        evidence = under(apply_policy(PINNED, known), frozenset({LINUX}))
        lines = judge_locked(zh("nobody"), evidence).reasons[0].evidence
        assert [line for line in lines if line.startswith("signed by")] == [f"signed by {FINGERPRINT[-16:]}"]

    def test_a_list_that_was_not_authenticated_never_becomes_so(self) -> None:
        lists = [zh_list(zh("linux_amd64"), authenticated=False)]
        known = audit(answer(ORIGIN, (zh("linux_amd64"), signed(LINUX)), platforms=[LINUX], lists=lists))
        assert verdict(zh("nobody"), known) is Verdict.UNEXPLAINED


class TestTwoDocuments:
    """A registry with one SHA256SUMS for each platform."""

    KNOWN = audit(two_documents([FINGERPRINT], [STRANGER], LINUX, DARWIN))

    def test_what_the_pinned_key_signed_counts_and_the_rest_does_not(self) -> None:
        assert [verdict(each, self.KNOWN) for each in LOCKED] == [
            Verdict.CONFIRMED,
            Verdict.CONFIRMED,
            Verdict.UNEXPLAINED,
            Verdict.UNEXPLAINED,
        ]

    def test_one_document_by_a_stranger_is_the_alarm(self) -> None:
        (alarm,) = problems(self.KNOWN)
        assert alarm.code == "key-changed"

    def test_the_list_is_not_said_to_be_signed_as_a_whole_so_it_disowns_nothing(self) -> None:
        assert verdict(zh("nobody"), self.KNOWN, NO_POLICY) is Verdict.DISOWNED
        assert verdict(zh("nobody"), self.KNOWN) is Verdict.UNEXPLAINED

    def test_an_unsigned_second_document_is_no_alarm_and_counts_for_nothing(self) -> None:
        known = audit(two_documents([FINGERPRINT], [], LINUX, DARWIN))
        assert problems(known) == ()
        assert verdict(zh("darwin_arm64"), known) is Verdict.UNEXPLAINED
        assert verdict(zh("linux_amd64"), known) is Verdict.CONFIRMED

    def test_a_list_that_names_no_document_is_not_covered(self) -> None:
        origin = answer(ORIGIN, (zh("a"), signed(LINUX)), platforms=[LINUX], lists=[zh_list(zh("a"), documents=())])
        assert verdict(zh("nobody"), audit(origin)) is Verdict.UNEXPLAINED

    def test_a_registry_report_counts_for_platforms_whose_archive_a_pinned_key_signed(self) -> None:
        origin = two_documents([FINGERPRINT], [STRANGER])
        reports = [(h1(str(each)), reported(each, shape=ListShape.PACKAGES)) for each in (LINUX, DARWIN)]
        known = audit(replace(origin, observations=(*origin.observations, *reports)))
        judged = apply_policy(PINNED, known).audit.observations
        assert [seen.vouches for seen in judged[h1("linux_amd64")]] == [True]
        assert [seen.vouches for seen in judged[h1("darwin_arm64")]] == [False]

    def test_a_report_without_a_platform_is_held_against_nothing_and_does_not_count(self) -> None:
        origin = two_documents([FINGERPRINT], [FINGERPRINT])
        flat = (h1("linux_amd64"), reported(None, shape=ListShape.HASHES))
        known = audit(replace(origin, observations=(*origin.observations, flat)))
        assert [seen.vouches for seen in apply_policy(PINNED, known).audit.observations[h1("linux_amd64")]] == [False]

    def test_an_archive_of_a_mirror_counts_only_when_a_pinned_key_signed_it(self) -> None:
        given = [(h1(str(each)), computed(each, source=MIRROR, package_zh=zh(str(each)))) for each in (LINUX, DARWIN)]
        known = audit(two_documents([FINGERPRINT], [STRANGER]), answer(MIRROR, *given, platforms=[LINUX, DARWIN]))
        assert verdict(h1("linux_amd64"), known) is Verdict.CONFIRMED
        assert verdict(h1("darwin_arm64"), known) is Verdict.UNCHECKED  # it may be the other platform's

    def test_a_folder_without_archives_never_counts(self) -> None:
        known = audit(answer(MIRROR, (h1("a"), computed(LINUX, source=MIRROR)), platforms=[LINUX]))
        assert not under(apply_policy(PINNED, known), frozenset()).confirms(h1("a"))


class TestNoSignatureThatCounts:
    def test_dropped_keys_are_an_error_and_nothing_counts(self) -> None:
        known = audit(signed_by(downloaded=[LINUX]), address=DEFAULT_HOST_ADDRESS)
        (problem,) = problems(known)
        assert problem.code == "pinned-key-missing"
        assert f"nothing here is signed by the key that .lockwarden.hcl line 1 names: {FINGERPRINT}" in problem.message
        assert {verdict(each, known) for each in LOCKED[:2]} == {Verdict.UNEXPLAINED}
        assert not apply_policy(PINNED, known).alarmed

    def test_a_worthless_signature_of_another_key_is_none_of_the_named_one(self) -> None:
        bad = signed(LINUX, state=SignatureState.BAD, fingerprint=STRANGER)
        (problem,) = problems(audit(answer(ORIGIN, (zh("linux_amd64"), bad), platforms=[LINUX])))
        assert problem.message.startswith("nothing here is signed by the key that")

    @table(
        ("observation", "words"),
        [
            (signed(LINUX, state=SignatureState.REVOKED), "revoked key"),
            (signed(LINUX, state=SignatureState.BAD), "bad signature"),
            (signed(LINUX, state=SignatureState.EXPIRED_KEY, valid_when_signed=False), "expired key"),
            (signed(LINUX, refused="it names files of other providers only"), "it names files of other providers only"),
        ],
    )
    def test_a_worthless_signature_of_the_named_key_is_told_as_such_not_as_missing(
        self, observation: object, words: str
    ) -> None:
        known = audit(answer(ORIGIN, (zh("linux_amd64"), observation), platforms=[LINUX]))  # type: ignore[arg-type]
        (problem,) = problems(known)
        assert problem.code == "pinned-key-missing"
        assert f"the signature by {FINGERPRINT}" in problem.message
        assert problem.message.endswith(f"does not count: {words}")
        assert verdict(zh("linux_amd64"), known) is not Verdict.CONFIRMED
        assert ("trusts this key" in why(zh("linux_amd64"), known)) is not words.startswith("it names")

    @table(
        "origin",
        [
            answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="503", platforms=None),
            answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404", platforms=None),
            answer(ORIGIN, (h1("a"), reported(LINUX, shape=ListShape.PACKAGES)), platforms=[LINUX]),
            answer(ORIGIN, platforms=[LINUX]),
        ],
        ids=["down", "gone", "list not had", "nothing had"],
    )
    def test_a_list_that_could_not_be_had_is_no_missing_key(self, origin: SourceAnswer) -> None:
        assert problems(audit(origin)) == ()

    def test_a_list_that_is_empty_was_had(self) -> None:
        assert [each.code for each in problems(audit(answer(ORIGIN, lists=[zh_list()])))] == ["pinned-key-missing"]

    def test_a_document_whose_signature_was_judged_was_had(self) -> None:
        signature = DocumentSignature(
            document=SUMS, judgements=(), issuers=(), conclusion=Conclusion(kind=ConclusionKind.REFUSED)
        )
        known = audit(replace(answer(ORIGIN), signatures=(signature,)))
        assert [each.code for each in problems(known)] == ["pinned-key-missing"]

    def test_a_claim_of_a_mirror_stays_a_claim(self) -> None:
        known = audit(answer(MIRROR, (zh("a"), listed(LINUX)), platforms=[LINUX]))
        assert apply_policy(PINNED, known).audit.observations == known.observations

    def test_what_was_refused_before_keeps_its_own_reason(self) -> None:
        seen = computed(LINUX, package_zh=zh("a"), refused="its bytes are not what SHA256SUMS lists")
        known = audit(answer(ORIGIN, (zh("a"), seen), platforms=[LINUX]))
        assert apply_policy(PINNED, known).audit.observations[zh("a")] == (seen,)
