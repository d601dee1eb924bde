"""What the answer that something is not there means: only a package that was hashed speaks against an `h1`."""

from __future__ import annotations

from builders.audits import (
    ADDRESS,
    DARWIN,
    DEFAULT_HOST_ADDRESS,
    FINGERPRINT,
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
    zh,
    zh_list,
)
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Basis, ListShape
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.verdicts import Judgement, Verdict, judge_locked
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

STRANGE = h1("nobody made this")
CREDENTIALS = "add a credentials block"


def denied(*, absent: bool = False, listed: bool = True, every: bool = False) -> SourceAnswer:
    """An origin that gave out the Linux package and answers that there is none for macOS, or for neither."""
    known = origin_with(*([] if every else [LINUX]), listed_too=[DARWIN] if listed else [])
    gone = [LINUX, DARWIN] if every else [DARWIN]
    packages = (
        *known.packages,
        *(package(each, outcome=Outcome.NOT_THERE, detail="404", hint=CREDENTIALS) for each in gone),
    )
    return replace(
        known,
        platforms=frozenset({LINUX, DARWIN}),
        packages=packages,
        absent=frozenset({DARWIN}) if absent else frozenset(),
    )


GONE = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="no such provider", platforms=None, hint=CREDENTIALS)
HIDDEN = replace(GONE, ended_at=Stage.VERSIONS)
BARE = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="no such provider", platforms=None)
NO_MIRROR = answer(MIRROR, outcome=Outcome.NOT_THERE, detail="not here", platforms=None)
DOWN_MIRROR = answer(MIRROR, outcome=Outcome.NO_ANSWER, detail="timed out", platforms=None)
FULL_MIRROR = answer(MIRROR, (h1("m"), computed(LINUX, source=MIRROR)), platforms=[LINUX])
HALF_MIRROR = replace(
    FULL_MIRROR,
    platforms=frozenset({LINUX, DARWIN}),
    packages=(package(DARWIN, outcome=Outcome.NOT_THERE, detail="404"),),
)
UNPACKED = replace(FULL_MIRROR, packages=(replace(package(LINUX, h1=h1("m")), basis=Basis.DIRECTORY),))


def judged(
    hash_: Hash, *source_answers: SourceAnswer, pinned: bool = False, address: ProviderAddress = ADDRESS
) -> Judgement:
    keys = {FINGERPRINT: "line 1"} if pinned else {}
    release = audit(*source_answers, address=address)
    return judge_locked(hash_, Evidence(release, frozenset({LINUX}), trusted_keys=keys))


@table(
    ("hash_", "source_answers", "verdict", "words"),
    [
        # What a list names and nobody could fetch is open.
        (h1("darwin_arm64"), [denied()], Verdict.UNCHECKED, CREDENTIALS),
        (STRANGE, [denied()], Verdict.UNCHECKED, "the package of darwin_arm64 could not be had: 404"),
        (h1("linux_amd64"), [denied(every=True)], Verdict.UNCHECKED, CREDENTIALS),
        (h1("linux_amd64"), [denied()], Verdict.CONFIRMED, "computed"),
        (STRANGE, [denied(listed=False)], Verdict.UNCHECKED, CREDENTIALS),
        # What no list names and the registry does not have is no package of the release.
        (STRANGE, [denied(listed=False, absent=True)], Verdict.UNEXPLAINED, "none has this h1"),
        # The signed list speaks of a zh whether or not a package can be had.
        (zh("darwin_arm64"), [denied()], Verdict.CONFIRMED, "signed"),
        (zh("nobody made this"), [denied()], Verdict.DISOWNED, "not one of them"),
        # A release or a provider that is denied as a whole: nothing was hashed.
        (STRANGE, [GONE], Verdict.UNCHECKED, CREDENTIALS),
        (zh("nobody made this"), [GONE], Verdict.UNCHECKED, "was there to be hashed: no such provider"),
        (STRANGE, [BARE], Verdict.UNCHECKED, "check the address and the version"),
        (STRANGE, [GONE, NO_MIRROR], Verdict.UNCHECKED, CREDENTIALS),
        (STRANGE, [GONE, DOWN_MIRROR], Verdict.UNCHECKED, "ask again when the source answers"),
        (STRANGE, [GONE, HALF_MIRROR], Verdict.UNCHECKED, "the package of darwin_arm64 could not be had: 404"),
        (STRANGE, [GONE, FULL_MIRROR], Verdict.UNEXPLAINED, "no other source has such a package"),
        (h1("m"), [GONE, FULL_MIRROR], Verdict.CONFIRMED, "computed"),
        # Whoever denies the provider as a whole may hide it, and a mirror's list is of what the mirror holds.
        (STRANGE, [HIDDEN, FULL_MIRROR], Verdict.UNCHECKED, "does not show which packages acme/widget 1.2.3 has"),
        (zh("nobody made this"), [HIDDEN, FULL_MIRROR], Verdict.UNCHECKED, CREDENTIALS),
        (STRANGE, [HIDDEN, HALF_MIRROR], Verdict.UNCHECKED, "the package of darwin_arm64 could not be had: 404"),
        (h1("m"), [HIDDEN, FULL_MIRROR], Verdict.CONFIRMED, "computed"),
        # What lies unpacked says nothing of any archive.
        (zh("nobody made this"), [GONE, UNPACKED], Verdict.UNCHECKED, "linux_amd64 unpacked, and a folder has no zh"),
        (
            zh("nobody made this"),
            [GONE, HALF_MIRROR],
            Verdict.UNCHECKED,
            "the package of darwin_arm64 could not be had",
        ),
        (STRANGE, [GONE, UNPACKED], Verdict.UNEXPLAINED, "no other source has such a package"),
    ],
)
def test_a_situation(hash_: Hash, source_answers: list[SourceAnswer], verdict: Verdict, words: str) -> None:
    judgement = judged(hash_, *source_answers)
    assert judgement.verdict is verdict
    assert words in "\n".join(reason.text for reason in judgement.reasons)


@table(
    ("outcome", "hint", "words"),
    [
        (Outcome.NOT_ASKED, "", "downloading the package of darwin_arm64 would settle it"),
        (Outcome.NO_ANSWER, "try later", "try later"),
        (Outcome.NO_ANSWER, "", "ask again when the source gives out the package"),
        (Outcome.NOT_THERE, "", "ask again when the source gives out the package"),
        (Outcome.NOT_THERE, CREDENTIALS, CREDENTIALS),
        (Outcome.ANSWERED, "", "a package that the source's own documents stand behind would settle it"),
    ],
)
def test_what_settles_it_fits_why_it_is_open(outcome: Outcome, hint: str, words: str) -> None:
    known = origin_with(LINUX, listed_too=[DARWIN])
    failed = replace(known, packages=(*known.packages, package(DARWIN, outcome=outcome, detail="why", hint=hint)))
    assert words in judged(STRANGE, failed).reasons[-1].text


@table(("hint", "then"), [("try later", "; try later"), ("", "")])
def test_a_package_that_was_not_asked_for_settles_it_only_perhaps_where_another_could_not_be_had(
    hint: str, then: str
) -> None:
    known = origin_with(listed_too=[LINUX, DARWIN])
    failed = package(LINUX, outcome=Outcome.NO_ANSWER, detail="503", hint=hint)
    unseen = package(DARWIN, outcome=Outcome.NOT_ASKED, detail="")
    said = judged(STRANGE, replace(known, packages=(failed, unseen))).reasons
    assert said[-1].text == f"downloading the package of darwin_arm64 may settle it{then}"


def test_a_release_that_no_source_has_leaves_pinned_keys_nothing_to_refuse() -> None:
    assert judged(STRANGE, GONE, pinned=True).verdict is Verdict.UNCHECKED
    assert judged(STRANGE, GONE, FULL_MIRROR, pinned=True).verdict is Verdict.UNEXPLAINED


def test_what_may_be_hidden_may_have_the_signature_of_a_pinned_key() -> None:
    assert judged(STRANGE, HIDDEN, FULL_MIRROR, pinned=True).verdict is Verdict.UNCHECKED


def test_the_public_registries_hide_nothing() -> None:
    found = judged(STRANGE, HIDDEN, FULL_MIRROR, address=DEFAULT_HOST_ADDRESS)
    assert found.verdict is Verdict.UNEXPLAINED


def unasked(hint: str = "") -> SourceAnswer:
    return answer(ORIGIN, outcome=Outcome.NOT_ASKED, detail="", platforms=None, hint=hint)


LATER = [Platform("linux", "arm64"), Platform("linux", "386"), Platform("freebsd", "amd64"), WINDOWS]
WITHDRAWN = replace(GONE, hint="choose a listed version")
FAILED = replace(
    origin_with(LINUX, listed_too=[DARWIN]),
    packages=(package(DARWIN, outcome=Outcome.NO_ANSWER, detail="503", hint="try later"),),
)


@table(
    ("hash_", "source_answers", "told", "advice"),
    [
        (STRANGE, [unasked("leave --offline out")], "was not asked", "leave --offline out"),
        (STRANGE, [unasked()], "was not asked", "ask again when the source answers"),
        (
            STRANGE,
            [replace(unasked("renew the token"), outcome=Outcome.NO_ANSWER)],
            "did not answer",
            "renew the token",
        ),
        # The version is wrong, not the hash, as far as anybody knows.
        (STRANGE, [WITHDRAWN, FULL_MIRROR], "no other source has", "choose a listed version; a hash of a release that"),
        (STRANGE, [BARE, FULL_MIRROR], "no other source has", "check the address and the version; a hash of"),
        (
            STRANGE,
            [HIDDEN, FULL_MIRROR],
            "does not show",
            f"a source that has all of the release would settle it; {CREDENTIALS}",
        ),
        (zh("x"), [GONE, UNPACKED], "a folder has no zh", "a source that has the package as an archive would settle"),
        # A package that was looked at is not told to be downloaded.
        (STRANGE, [GONE, HALF_MIRROR], "could not be had", "ask again when the source gives out the package"),
        (
            STRANGE,
            [HIDDEN, replace(HALF_MIRROR, packages=())],
            "not downloaded",
            "downloading the package of darwin_arm64 would",
        ),
        (
            STRANGE,
            [origin_with(LINUX, listed_too=LATER)],
            "not downloaded",
            "downloading every platform of the release",
        ),
        (STRANGE, [replace(origin_with(LINUX, listed_too=LATER), platforms=None)], "does not say", "downloading every"),
        # The list of checksums alone can settle a zh.
        (zh("x"), [replace(origin_with(LINUX), lists=())], "cannot be used", "the problems of the source tell why"),
        (zh("x"), [replace(FAILED, lists=())], "cannot be used", "try later"),
        (
            zh("x"),
            [replace(origin_with(LINUX), lists=(zh_list(zh("linux_amd64"), complete=False),))],
            "do not cover",
            "ask again when the source answers for every platform",
        ),
    ],
)
def test_what_is_advised_helps_in_the_situation(
    hash_: Hash, source_answers: list[SourceAnswer], told: str, advice: str
) -> None:
    *reasons, last = judged(hash_, *source_answers).reasons
    assert any(told in reason.text for reason in reasons)
    assert last.text.startswith(advice)


def test_of_several_open_packages_the_one_that_a_hash_is_claimed_for_is_what_settles_it() -> None:
    claimed = (STRANGE, reported(platform=DARWIN, shape=ListShape.PACKAGES))
    known = origin_with(LINUX, listed_too=[DARWIN, WINDOWS])
    open_ = replace(known, observations=(*known.observations, claimed))
    assert judged(STRANGE, open_).reasons[-1].text == "downloading the package of darwin_arm64 would settle it"
    failed = package(DARWIN, outcome=Outcome.NO_ANSWER, detail="503", hint="the server is broken; try later")
    asked = replace(open_, packages=(*open_.packages, failed))
    assert judged(STRANGE, asked).reasons[-1].text == "the server is broken; try later"
