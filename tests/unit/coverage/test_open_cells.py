"""Packages that were not looked at: nothing is accepted, and what can be said all the same is said."""

from __future__ import annotations

import pytest
from builders.audits import (
    DARWIN,
    FOLDER,
    LINUX,
    MIRROR,
    ORIGIN,
    answer,
    computed,
    h1,
    listed,
    package,
    reported,
    signed,
    trusted,
    zh,
)
from builders.coverage import (
    ACCEPTED,
    ANYTHING,
    CACHE,
    MALFORMED_H1,
    MALFORMED_ZH,
    OCI,
    REFUSED,
    UNKNOWN_SCHEME,
    cell,
    unhashed,
)
from builders.tables import table

from lockwarden.core.coverage.outcomes import CoverageOutcome, Installability
from lockwarden.core.evidence.observations import Basis, ListShape, Observation
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, SourceAnswer, SourceRef
from lockwarden.core.values.hashes import Hash

UNKNOWN = CoverageOutcome.UNKNOWN
SUMS = (zh("linux"), reported(LINUX))
PACKAGES = (h1("linux"), reported(LINUX, shape=ListShape.PACKAGES))
LISTED = (zh("linux"), listed(LINUX))


def unseen(source: SourceRef, *seen: tuple[Hash, Observation], facts: PackageFacts | None = None) -> SourceAnswer:
    """A source that names the platform, whose package was not looked at."""
    return answer(source, *seen, platforms=[LINUX], packages=[] if facts is None else [facts])


def test_a_promised_hash_that_is_locked_would_pass() -> None:
    said = cell(unseen(ORIGIN, SUMS), zh("linux"), h1("something"))
    assert (said.outcome, said.expected, said.runtime) == (UNKNOWN, ACCEPTED, None)
    assert (said.standing, said.completing_h1) == (Installability.OPEN, None)
    assert said.reason == (
        "the package was not looked at; what the source names for it is locked, so that it would pass if that is what"
        " it gives out"
    )
    assert said.remedy == "check again with “--platform linux_amd64”"


@pytest.mark.parametrize(
    ("seen", "hash_"),
    [
        (PACKAGES, h1("linux")),
        (LISTED, zh("linux")),
        ((zh("linux"), trusted(LINUX)), zh("linux")),
    ],
    ids=["the registry's h1", "a mirror's list", "a trusted mirror's list"],
)
def test_every_kind_of_promise_counts_as_one(seen: tuple[Hash, Observation], hash_: Hash) -> None:
    source = ORIGIN if seen is PACKAGES else MIRROR
    assert cell(unseen(source, seen), hash_).expected is ACCEPTED


@table(
    "seen",
    [
        (zh("linux"), reported(LINUX, refused="its list is not used")),
        (zh("linux"), reported(DARWIN)),
        (zh("linux"), reported(None)),
        (zh("linux"), signed(LINUX)),
        (zh("linux"), computed(LINUX)),
        (MALFORMED_ZH, reported(LINUX)),
    ],
    ids=["refused", "another platform's", "nobody's", "a signature alone", "computed", "malformed"],
)
def test_what_is_no_promise_for_the_package_tells_nothing(seen: tuple[Hash, Observation]) -> None:
    assert cell(unseen(ORIGIN, seen), zh("linux"), zh("other")).expected is None


def test_a_promised_hash_that_is_not_locked_would_be_refused() -> None:
    said = cell(unseen(ORIGIN, SUMS), zh("darwin"))
    assert (said.outcome, said.expected, said.runtime) == (UNKNOWN, REFUSED, None)
    assert "is not locked, so that it would be refused if that is what it gives out" in said.reason
    assert "lockwarden lock --platform linux_amd64" in said.remedy


def test_while_an_h1_is_locked_and_none_is_promised_nothing_is_expected() -> None:
    said = cell(unseen(ORIGIN, SUMS), zh("darwin"), h1("darwin"))
    assert (said.outcome, said.expected) == (UNKNOWN, None)
    assert said.reason == "the package was not looked at"


def test_an_entry_that_takes_anything_takes_also_what_was_not_looked_at() -> None:
    for hashes in ((), (UNKNOWN_SCHEME,)):
        said = cell(unseen(ORIGIN, SUMS), *hashes)
        assert (said.outcome, said.expected, said.runtime) == (UNKNOWN, ANYTHING, None)
        assert said.reason.endswith("so that any package would pass")
        assert "add its hashes" in said.remedy


def test_without_an_h1_it_is_certain_that_no_run_works() -> None:
    said = cell(unseen(ORIGIN, SUMS), zh("linux"))
    assert (said.outcome, said.expected, said.runtime) == (UNKNOWN, ACCEPTED, REFUSED)
    assert said.reason.endswith("no run works with the entry as it is, which has no h1 that could match")
    assert said.standing is Installability.OPEN


def test_hashes_that_can_never_match_are_refused_without_a_look() -> None:
    assert cell(unseen(ORIGIN), MALFORMED_ZH, MALFORMED_H1).outcome is REFUSED
    assert cell(answer(ORIGIN, outcome=Outcome.NO_ANSWER, platforms=None), MALFORMED_ZH).outcome is REFUSED
    assert cell(unseen(FOLDER), MALFORMED_ZH, MALFORMED_H1).outcome is REFUSED


def test_what_lies_in_a_folder_may_be_packed_or_not_until_it_is_looked_at() -> None:
    said = cell(unseen(FOLDER), MALFORMED_ZH)
    assert (said.outcome, said.expected) == (UNKNOWN, None)
    not_asked = package(LINUX, outcome=Outcome.NOT_ASKED, detail="cancelled")
    said = cell(unseen(FOLDER, facts=not_asked), zh("linux"))
    assert (said.outcome, said.expected, said.runtime) == (UNKNOWN, None, REFUSED)
    assert said.reason.startswith("the package was not looked at: cancelled; no run works with the entry as it is")


def test_a_registry_is_asked_also_for_a_platform_that_it_does_not_name() -> None:
    said = cell(answer(ORIGIN, platforms=[DARWIN]), zh("linux"), h1("linux"))
    assert said.outcome is UNKNOWN
    assert said.reason == "the source does not name this platform, and was not asked for it"


@pytest.mark.parametrize(
    ("outcome", "expected", "reason", "remedy"),
    [
        (Outcome.NO_ANSWER, CoverageOutcome.NO_ANSWER, "the source did not answer: 503", "check again when it answers"),
        (Outcome.NOT_ASKED, CoverageOutcome.NOT_ASKED, "the source was not asked: 503", "check again with this source"),
    ],
)
def test_a_silent_source_is_an_open_question(
    outcome: Outcome, expected: CoverageOutcome, reason: str, remedy: str
) -> None:
    for source in (ORIGIN, MIRROR, FOLDER, CACHE):
        said = cell(answer(source, outcome=outcome, detail="503", platforms=None), zh("linux"), h1("linux"))
        assert (said.outcome, said.reason, said.remedy) == (expected, reason, remedy)
        assert (said.standing, said.word) == (Installability.OPEN, expected.value)


def test_a_package_that_cannot_be_had_is_no_answer_and_keeps_its_promise() -> None:
    facts = package(LINUX, outcome=Outcome.NO_ANSWER, detail="cut off")
    said = cell(unseen(MIRROR, LISTED, facts=facts), zh("linux"), h1("linux"))
    assert (said.outcome, said.expected) == (CoverageOutcome.NO_ANSWER, ACCEPTED)
    assert said.reason.startswith("the package could not be had: cut off; what the source names for it is locked")
    assert said.remedy == "check again when it answers"


def test_a_right_zh_with_content_that_was_not_hashed_is_not_accepted() -> None:
    said = cell(unseen(MIRROR, facts=unhashed(zh=zh("linux"))), zh("linux"), h1("linux"))
    assert (said.outcome, said.expected) == (UNKNOWN, ACCEPTED)
    assert said.reason == "the package could not be hashed: it is too large; its zh is locked"
    assert said.remedy == "look at the package by other means before you rely on it"


def test_a_wrong_zh_is_refused_once_no_h1_could_match() -> None:
    assert cell(unseen(MIRROR, facts=unhashed(zh=zh("linux"))), zh("other")).outcome is REFUSED
    said = cell(unseen(MIRROR, facts=unhashed(zh=zh("linux"), detail="")), zh("other"), h1("other"))
    assert (said.outcome, said.expected, said.reason) == (UNKNOWN, None, "the package could not be hashed")


def test_what_is_known_of_the_bytes_goes_before_what_is_promised() -> None:
    seen = (LISTED, (h1("linux"), listed(LINUX)))
    other = unhashed(zh=zh("other bytes"))
    assert cell(unseen(MIRROR, *seen, facts=other), zh("linux"), h1("something")).expected is REFUSED
    by_h1 = cell(unseen(MIRROR, *seen, facts=other), zh("linux"), h1("linux"))
    assert by_h1.expected is ACCEPTED
    assert "what the source names for it is locked" in by_h1.reason


def test_a_folder_that_could_not_be_hashed_is_not_said_to_be_taken() -> None:
    facts = unhashed(basis=Basis.DIRECTORY)
    taken = cell(unseen(FOLDER, facts=facts), zh("linux"))
    assert (taken.outcome, taken.expected, taken.runtime) == (UNKNOWN, ANYTHING, REFUSED)
    assert "an unpacked package is not compared with a zh" in taken.reason
    assert cell(unseen(FOLDER, facts=facts), h1("linux")).expected is None
    assert cell(unseen(FOLDER, facts=facts), MALFORMED_H1).outcome is REFUSED


def test_an_oci_mirror_refuses_by_the_digest_that_it_names_and_accepts_by_nothing_else() -> None:
    named = unseen(OCI, LISTED)
    assert cell(named, zh("other"), h1("linux")).outcome is REFUSED
    said = cell(named, zh("linux"), h1("linux"))
    assert (said.outcome, said.expected) == (UNKNOWN, ACCEPTED)
    assert "what the source names for it is locked" in said.reason
    assert cell(unseen(OCI), zh("linux")).outcome is UNKNOWN


def test_without_a_zh_an_oci_mirror_is_refused_whether_or_not_it_answers() -> None:
    for outcome in (Outcome.ANSWERED, Outcome.NO_ANSWER, Outcome.NOT_ASKED):
        assert cell(answer(OCI, outcome=outcome, platforms=None), h1("linux")).outcome is REFUSED
    assert cell(answer(OCI, outcome=Outcome.NOT_THERE), h1("linux")).outcome is CoverageOutcome.NOT_THERE
