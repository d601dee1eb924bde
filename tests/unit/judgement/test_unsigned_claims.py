"""Verdicts on what the origin reports beside its lists of checksums, which adds nothing to them."""

from __future__ import annotations

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
    reported,
    signed,
    zh,
    zh_list,
)
from builders.tables import table

from lockwarden.core.evidence.observations import ListShape, Observation
from lockwarden.core.evidence.source_answers import Audit, SourceAnswer
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.verdicts import Judgement, Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.hashes import Hash

STRANGE_ZH = zh("nobody made this")
STRANGE_H1 = h1("nobody made this")


def judged(hash_: Hash, *source_answers: SourceAnswer) -> Judgement:
    return judge_locked(hash_, Evidence(audit(*source_answers), frozenset({LINUX})))


def offered(hash_: Hash, known: Audit, recorded: str = "") -> Judgement:
    return judge_unlocked(hash_, Evidence(known, frozenset({LINUX})), recorded=recorded)


def texts(judgement: Judgement) -> str:
    return "\n".join(reason.text for reason in judgement.reasons)


class TestUnsignedClaims:
    """What the origin reports beside its lists of checksums adds nothing to them."""

    CLAIM = (STRANGE_ZH, reported(WINDOWS, shape=ListShape.PACKAGES))

    def known(
        self, *, complete: bool = True, authenticated: bool = True, claim: Observation | None = None
    ) -> SourceAnswer:
        origin = origin_with(LINUX, listed_too=[DARWIN], authenticated=authenticated)
        lists = [zh_list(zh("linux_amd64"), zh("darwin_arm64"), complete=complete, authenticated=authenticated)]
        seen = (*origin.observations, (STRANGE_ZH, claim) if claim else self.CLAIM)
        return answer(ORIGIN, *seen, platforms=[LINUX, DARWIN], lists=lists, packages=origin.packages)

    @table(
        ("complete", "authenticated", "verdict"),
        [
            (True, True, Verdict.DISOWNED),
            (False, True, Verdict.UNCHECKED),
            (True, False, Verdict.UNEXPLAINED),
            (False, False, Verdict.UNCHECKED),
        ],
    )
    def test_a_zh_that_no_list_has_is_never_confirmed(
        self, complete: bool, authenticated: bool, verdict: Verdict
    ) -> None:
        assert judged(STRANGE_ZH, self.known(complete=complete, authenticated=authenticated)).verdict is verdict

    def test_a_zh_that_no_list_has_is_never_new_either(self) -> None:
        judgement = offered(STRANGE_ZH, audit(self.known(complete=False)), recorded="reported by the registry")
        assert judgement.verdict is Verdict.OFFERED
        assert "no list of checksums of registry.example.test has it" in texts(judgement)

    def test_without_any_list_they_confirm_nothing(self) -> None:
        assert judged(STRANGE_ZH, answer(ORIGIN, self.CLAIM, platforms=[LINUX])).verdict is Verdict.UNCHECKED

    def test_a_package_that_the_origin_gives_out_and_its_signed_lists_lack_confirms_nothing(self) -> None:
        given_out = computed(WINDOWS, package_zh=STRANGE_ZH)
        origin = self.known(claim=given_out, complete=False)
        known = answer(
            ORIGIN,
            *origin.observations,
            (STRANGE_H1, given_out),
            platforms=[LINUX, DARWIN, WINDOWS],
            lists=origin.lists,
        )
        assert judged(STRANGE_ZH, known).verdict is Verdict.UNCHECKED
        assert judged(STRANGE_H1, known).verdict is Verdict.UNCHECKED

    def test_an_archive_that_the_list_names_and_refuses_is_no_authority_for_a_mirrors(self) -> None:
        """Two lines for one file: the hostile one stays in the list and does not count."""
        twice = (STRANGE_ZH, signed(LINUX, refused="the registry lists several hashes"))
        origin = answer(ORIGIN, twice, platforms=[LINUX], lists=[zh_list(STRANGE_ZH)])
        mirror = answer(MIRROR, (STRANGE_H1, computed(LINUX, source=MIRROR, package_zh=STRANGE_ZH)), platforms=[LINUX])
        assert judged(STRANGE_H1, origin, mirror).verdict is not Verdict.CONFIRMED
