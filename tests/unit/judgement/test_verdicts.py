"""Verdicts on locked and on other hashes, each by a case whose right answer can be told by hand."""

from __future__ import annotations

import pytest
from builders.audits import (
    DARWIN,
    DEFAULT_HOST_ADDRESS,
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
    signed,
    trusted,
    zh,
    zh_list,
)
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Basis, ListShape, Observation
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.sentences import Tone
from lockwarden.core.review.verdicts import Judgement, Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.hashes import Hash

STRANGE_ZH = zh("nobody made this")
STRANGE_H1 = h1("nobody made this")
DOWN = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="connection refused", platforms=None)
GONE = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404", platforms=None)


def judged(hash_: Hash, *source_answers: SourceAnswer) -> Judgement:
    return judge_locked(hash_, Evidence(audit(*source_answers), frozenset({LINUX})))


def offered(hash_: Hash, known: Audit, recorded: str = "") -> Judgement:
    return judge_unlocked(hash_, Evidence(known, frozenset({LINUX})), recorded=recorded)


def texts(judgement: Judgement) -> str:
    return "\n".join(reason.text for reason in judgement.reasons)


class TestLockedZh:
    def test_a_signed_hash_is_confirmed(self) -> None:
        judgement = judged(zh("linux_amd64"), origin_with(listed_too=[LINUX]))
        assert judgement.verdict is Verdict.CONFIRMED
        assert judgement.reasons[0].tone is Tone.FOR

    def test_a_hash_missing_from_the_signed_complete_list_is_disowned(self) -> None:
        judgement = judged(STRANGE_ZH, origin_with(LINUX, listed_too=[DARWIN]))
        assert judgement.verdict is Verdict.DISOWNED
        assert "lists 2 zh hashes for acme/widget 1.2.3, all signed, and this is not one of them" in texts(judgement)
        assert any("signed by 89ABCDEF01234567" in line for line in judgement.reasons[0].evidence)

    def test_a_hash_missing_from_a_list_that_is_not_signed_is_unexplained(self) -> None:
        judgement = judged(STRANGE_ZH, origin_with(LINUX, authenticated=False))
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "unsigned" in texts(judgement)

    def test_a_hash_that_an_unsigned_list_holds_is_confirmed_by_the_registrys_word(self) -> None:
        assert judged(zh("linux_amd64"), origin_with(LINUX, authenticated=False)).verdict is Verdict.CONFIRMED

    def test_a_hash_missing_from_an_incomplete_list_is_unchecked(self) -> None:
        origin = answer(ORIGIN, platforms=[LINUX, DARWIN], lists=[zh_list(zh("linux_amd64"), complete=False)])
        judgement = judged(STRANGE_ZH, origin)
        assert judgement.verdict is Verdict.UNCHECKED
        assert "do not cover every platform" in texts(judgement)

    def test_an_origin_whose_list_cannot_be_used_leaves_it_unchecked(self) -> None:
        judgement = judged(zh("linux_amd64"), answer(ORIGIN, (zh("linux_amd64"), reported(refused="bad signature"))))
        assert judgement.verdict is Verdict.UNCHECKED
        assert "cannot be used" in texts(judgement)
        assert "but bad signature" in texts(judgement)

    def test_an_origin_that_is_down_leaves_it_unchecked_and_says_so(self) -> None:
        judgement = judged(zh("linux_amd64"), DOWN)
        assert judgement.verdict is Verdict.UNCHECKED
        assert "did not answer: connection refused" in texts(judgement)
        assert "ask again" in texts(judgement)

    def test_without_the_origin_among_the_sources_a_strange_hash_is_unchecked(self) -> None:
        judgement = judged(STRANGE_ZH, answer(MIRROR, platforms=[LINUX]))
        assert judgement.verdict is Verdict.UNCHECKED
        assert "add the source “direct”" in texts(judgement)

    def test_a_registry_packages_entry_does_not_save_a_hash_that_the_signed_list_lacks(self) -> None:
        origin = answer(
            ORIGIN,
            (STRANGE_ZH, reported(LINUX, shape=ListShape.PACKAGES)),
            platforms=[LINUX],
            lists=[zh_list(zh("linux_amd64"))],
        )
        assert judged(STRANGE_ZH, origin).verdict is Verdict.DISOWNED

    def test_a_trusted_mirror_vouches(self) -> None:
        assert judged(STRANGE_ZH, answer(MIRROR, (STRANGE_ZH, trusted(LINUX)))).verdict is Verdict.CONFIRMED

    def test_a_mirrors_claim_alone_never_vouches(self) -> None:
        judgement = judged(STRANGE_ZH, origin_with(LINUX), answer(MIRROR, (STRANGE_ZH, listed(LINUX))))
        assert judgement.verdict is Verdict.DISOWNED
        assert "claims it for linux_amd64, which proves nothing" in texts(judgement)
        assert "ask who runs mirror" in texts(judgement)


class TestLockedH1:
    def test_the_h1_of_a_downloaded_package_is_confirmed(self) -> None:
        assert judged(h1("linux_amd64"), origin_with(LINUX)).verdict is Verdict.CONFIRMED

    def test_the_h1_of_a_platform_that_was_not_downloaded_is_unchecked_and_says_which(self) -> None:
        judgement = judged(h1("darwin_arm64"), origin_with(LINUX, listed_too=[DARWIN]))
        assert judgement.verdict is Verdict.UNCHECKED
        assert "the package of darwin_arm64 was not downloaded" in texts(judgement)
        assert "downloading the package of darwin_arm64 would settle it" in texts(judgement)

    def test_an_h1_that_no_package_of_the_release_has_is_unexplained(self) -> None:
        judgement = judged(STRANGE_H1, origin_with(LINUX, DARWIN, WINDOWS))
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "every package of acme/widget 1.2.3 was hashed, and none has this h1" in texts(judgement)
        assert judgement.reasons[-1].tone is Tone.ADVICE

    def test_a_platform_known_to_be_absent_leaves_nothing_open(self) -> None:
        known = origin_with(LINUX, listed_too=[DARWIN])
        absent = answer(
            ORIGIN,
            *known.observations,
            platforms=[LINUX, DARWIN],
            lists=known.lists,
            packages=(*known.packages, package(DARWIN, outcome=Outcome.NOT_THERE)),
        )
        assert judged(STRANGE_H1, replace(absent, absent=frozenset({DARWIN}))).verdict is Verdict.UNEXPLAINED

    @pytest.mark.parametrize(
        ("outcome", "words"),
        [
            (Outcome.NO_ANSWER, "the package of darwin_arm64 could not be had: 503"),
            (Outcome.NOT_ASKED, "the package of darwin_arm64 was not downloaded"),
            (Outcome.ANSWERED, "the package of darwin_arm64 cannot be used: 503"),
        ],
    )
    def test_a_platform_that_failed_keeps_the_question_open(self, outcome: Outcome, words: str) -> None:
        known = origin_with(LINUX, listed_too=[DARWIN])
        failed = answer(
            ORIGIN,
            *known.observations,
            platforms=[LINUX, DARWIN],
            lists=known.lists,
            packages=(*known.packages, package(DARWIN, outcome=outcome, detail="503")),
        )
        judgement = judged(STRANGE_H1, failed)
        assert judgement.verdict is Verdict.UNCHECKED
        assert words in texts(judgement)

    def test_unknown_platforms_of_the_release_keep_the_question_open(self) -> None:
        judgement = judged(STRANGE_H1, answer(ORIGIN, platforms=None))
        assert judgement.verdict is Verdict.UNCHECKED
        assert "does not say which platforms the release has" in texts(judgement)

    def test_an_unsigned_report_of_the_registry_is_a_promise_to_be_checked(self) -> None:
        origin = answer(ORIGIN, (h1("d"), reported(DARWIN, shape=ListShape.PACKAGES)), platforms=[LINUX, DARWIN])
        judgement = judged(h1("d"), origin)
        assert judgement.verdict is Verdict.UNCHECKED
        assert "reports it in “packages” for darwin_arm64, unsigned" in texts(judgement)
        assert "downloading the package of darwin_arm64 would settle it" in texts(judgement)

    def test_a_report_that_the_package_contradicts_is_not_believed(self) -> None:
        known = origin_with(LINUX)
        lying = answer(
            ORIGIN,
            *known.observations,
            (STRANGE_H1, reported(LINUX, shape=ListShape.PACKAGES)),
            platforms=[LINUX],
            lists=known.lists,
            packages=known.packages,
        )
        judgement = judged(STRANGE_H1, lying)
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "the linux_amd64 package of registry.example.test has another h1" in texts(judgement)

    def test_a_package_that_failed_its_own_sources_check_does_not_vouch(self) -> None:
        origin = answer(
            ORIGIN,
            (h1("x"), computed(LINUX, package_zh=zh("x"), refused="the bytes are not those of SHA256SUMS")),
            platforms=[LINUX],
            packages=[package(LINUX, client_refusal="archive has incorrect checksum")],
        )
        judgement = judged(h1("x"), origin)
        assert judgement.verdict is Verdict.UNCHECKED
        assert "the package of linux_amd64 cannot be used: archive has incorrect checksum" in texts(judgement)

    def test_an_origin_that_is_down_leaves_an_h1_unchecked_until_it_answers(self) -> None:
        judgement = judged(h1("linux_amd64"), DOWN)
        assert judgement.verdict is Verdict.UNCHECKED
        assert "ask again when the source answers" in texts(judgement)

    def test_the_advice_on_a_registrys_own_lie_names_no_mirror(self) -> None:
        known = origin_with(LINUX)
        lie = (STRANGE_H1, reported(LINUX, shape=ListShape.PACKAGES))
        lying = answer(ORIGIN, *known.observations, lie, platforms=[LINUX], lists=known.lists)
        assert "ask who runs" not in texts(judged(STRANGE_H1, lying))


class TestMirrorBesideTheOrigin:
    def test_a_mirrors_other_bytes_do_not_confirm_their_h1(self) -> None:
        mirror = answer(
            MIRROR,
            (STRANGE_ZH, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)),
            (STRANGE_H1, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)),
            platforms=[LINUX],
        )
        assert judged(STRANGE_ZH, origin_with(LINUX), mirror).verdict is Verdict.DISOWNED
        judgement = judged(STRANGE_H1, origin_with(LINUX), mirror)
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "registry.example.test does not list the archive that mirror gives out" in texts(judgement)

    def test_a_mirror_with_the_origins_own_bytes_confirms_an_h1_without_the_origins_package(self) -> None:
        mirror = answer(
            MIRROR, (h1("linux_amd64"), computed(LINUX, source=MIRROR, package_zh=zh("linux_amd64"))), platforms=[LINUX]
        )
        assert judged(h1("linux_amd64"), origin_with(listed_too=[LINUX]), mirror).verdict is Verdict.CONFIRMED

    def test_an_unpacked_folder_alone_leaves_the_h1_open_while_the_origin_could_tell(self) -> None:
        folder = answer(FOLDER, (STRANGE_H1, computed(LINUX, source=FOLDER, basis=Basis.DIRECTORY)), platforms=[LINUX])
        assert judged(STRANGE_H1, origin_with(listed_too=[LINUX]), folder).verdict is Verdict.UNCHECKED
        judgement = judged(STRANGE_H1, origin_with(LINUX), folder)
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "from the linux_amd64 directory of folder" in texts(judgement)

    def test_an_origin_that_is_down_does_not_let_the_mirror_confirm(self) -> None:
        mirror = answer(MIRROR, (STRANGE_ZH, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)), platforms=[LINUX])
        assert judged(STRANGE_ZH, DOWN, mirror).verdict is Verdict.UNCHECKED

    def test_a_mirror_alone_confirms_what_it_gives_out(self) -> None:
        mirror = answer(MIRROR, (STRANGE_ZH, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)), platforms=[LINUX])
        assert judged(STRANGE_ZH, mirror).verdict is Verdict.CONFIRMED

    def test_a_release_that_the_origin_does_not_know_is_the_mirrors_to_confirm(self) -> None:
        mirror = answer(MIRROR, (STRANGE_ZH, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)), platforms=[LINUX])
        assert judged(STRANGE_ZH, GONE, mirror).verdict is Verdict.CONFIRMED

    def test_a_hash_that_no_package_of_a_release_that_the_origin_does_not_know_has_is_unexplained(self) -> None:
        judgement = judged(
            STRANGE_ZH, GONE, answer(MIRROR, (h1("m"), computed(LINUX, source=MIRROR)), platforms=[LINUX])
        )
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "does not know acme/widget 1.2.3" in texts(judgement)

    def test_a_silent_mirror_keeps_the_question_open_when_the_origin_does_not_know_the_release(self) -> None:
        silent = answer(MIRROR, outcome=Outcome.NO_ANSWER, detail="timed out", platforms=None)
        judgement = judged(STRANGE_H1, GONE, silent)
        assert judgement.verdict is Verdict.UNCHECKED
        assert "mirror did not answer: timed out" in texts(judgement)

    def test_a_mirrors_platform_that_was_not_downloaded_keeps_it_open_too(self) -> None:
        judgement = judged(STRANGE_H1, GONE, answer(MIRROR, platforms=[LINUX]))
        assert judgement.verdict is Verdict.UNCHECKED

    def test_a_mirror_that_has_nothing_either_speaks_against_nothing(self) -> None:
        nothing = answer(MIRROR, outcome=Outcome.NOT_THERE, platforms=None)
        assert judged(STRANGE_H1, GONE, nothing).verdict is Verdict.UNCHECKED


class TestHashesThatCanNeverMatch:
    @table("answers", [(origin_with(LINUX),), ()])
    @table("text", ["zh:" + "A" * 64, "zh:abc", "h1:short", "h1:" + "_" * 43 + "="])
    def test_one_of_a_scheme_that_the_clients_know_is_unexplained_whoever_was_asked(
        self, text: str, answers: tuple[SourceAnswer, ...]
    ) -> None:
        judgement = judged(Hash(text), *answers)
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "can never match" in judgement.reasons[0].text
        assert judgement.reasons[-1].text == "it protects nothing; drop it"

    def test_one_of_another_scheme_is_unchecked_since_a_newer_client_may_know_it(self) -> None:
        judgement = judged(Hash("h9:abc"), origin_with(LINUX))
        assert judgement.verdict is Verdict.UNCHECKED
        assert "can never match" in judgement.reasons[0].text
        assert "newer client" in judgement.reasons[-1].text

    def test_it_is_never_new(self) -> None:
        known = audit(answer(MIRROR, (Hash("h9:abc"), listed(LINUX))))
        assert offered(Hash("h9:abc"), known, recorded="by mistake").verdict is Verdict.OFFERED


class TestUnlocked:
    def test_what_the_client_would_record_and_the_origin_confirms_is_new(self) -> None:
        judgement = offered(zh("linux_amd64"), audit(origin_with(LINUX)), recorded="signed by a key")
        assert judgement.verdict is Verdict.NEW
        assert "a client would record it: signed by a key" in texts(judgement)

    def test_what_the_client_would_not_record_is_offered_with_the_reason(self) -> None:
        known = audit(answer(ORIGIN, (h1("d"), reported(DARWIN, shape=ListShape.HASHES)), platforms=[DARWIN]))
        judgement = offered(h1("d"), known)
        assert judgement.verdict is Verdict.OFFERED
        assert "selection rule does not record it" in texts(judgement)

    def test_a_mirrors_other_bytes_are_offered_whatever_the_client_would_do(self) -> None:
        mirror = answer(MIRROR, (STRANGE_H1, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)))
        judgement = offered(STRANGE_H1, audit(origin_with(LINUX), mirror), recorded="computed from the package")
        assert judgement.verdict is Verdict.OFFERED
        assert "a client would record it, but registry.example.test does not list the archive" in texts(judgement)

    def test_a_hash_that_the_signed_list_lacks_is_offered(self) -> None:
        origin = answer(
            ORIGIN, (STRANGE_ZH, reported(LINUX, shape=ListShape.PACKAGES)), platforms=[LINUX], lists=[zh_list(zh("a"))]
        )
        judgement = offered(STRANGE_ZH, audit(origin), recorded="reported by the default registry")
        assert judgement.verdict is Verdict.OFFERED
        assert "signed list of registry.example.test does not contain it" in texts(judgement)

    def test_an_unverified_mirror_hash_is_offered_while_the_origin_is_down(self) -> None:
        mirror = answer(MIRROR, (STRANGE_H1, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)))
        assert offered(STRANGE_H1, audit(DOWN, mirror), recorded="computed").verdict is Verdict.OFFERED
        assert offered(STRANGE_H1, audit(mirror), recorded="computed").verdict is Verdict.NEW

    def test_a_registry_report_is_new_only_while_those_that_could_be_checked_hold(self) -> None:
        report = (h1("darwin_arm64"), reported(DARWIN, shape=ListShape.PACKAGES))
        own = (h1("linux_amd64"), reported(LINUX, shape=ListShape.PACKAGES))
        lie = (STRANGE_H1, reported(LINUX, shape=ListShape.PACKAGES))
        known = origin_with(LINUX, listed_too=[DARWIN])

        def with_reports(*reports: tuple[Hash, Observation]) -> Audit:
            origin = answer(ORIGIN, *known.observations, *reports, platforms=[LINUX, DARWIN], lists=known.lists)
            return audit(origin, address=DEFAULT_HOST_ADDRESS)

        assert offered(h1("darwin_arm64"), with_reports(report, own), recorded="reported").verdict is Verdict.NEW
        caught = offered(h1("darwin_arm64"), with_reports(report, lie), recorded="reported")
        assert caught.verdict is Verdict.OFFERED
        assert "reports a wrong h1 for linux_amd64" in texts(caught)
        blind = audit(answer(ORIGIN, report, own, platforms=[LINUX, DARWIN], lists=known.lists))
        unheld = offered(h1("darwin_arm64"), blind, recorded="reported")
        assert unheld.verdict is Verdict.OFFERED
        assert "could not be held against what the registry reports" in texts(unheld)

    def test_a_listed_zh_is_no_report_that_has_to_be_held_against_a_package(self) -> None:
        report = (h1("darwin_arm64"), reported(DARWIN, shape=ListShape.PACKAGES))
        known = audit(answer(ORIGIN, report, (zh("l"), reported(LINUX)), platforms=[LINUX, DARWIN]))
        assert offered(h1("darwin_arm64"), known, recorded="reported").verdict is Verdict.NEW

    def test_a_refused_signature_does_not_make_a_hash_new(self) -> None:
        known = audit(answer(ORIGIN, (zh("a"), signed(refused="expired keys are refused"))))
        assert offered(zh("a"), known).verdict is Verdict.OFFERED
