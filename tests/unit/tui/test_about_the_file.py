"""What no provider is to blame for, who trusts a key, and how a hash moved: told in the pane and in the details."""

from __future__ import annotations

from fakes.lock_files import MADE_UP
from fakes.pull_request import ANVIL, GAUGE, KILN, LENS, NOBODYS, held, keeper, record
from fakes.running import AUTO, SOURCES
from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.tui.render import styles as looks
from lockwarden.tui.render.details import hash_detail, provider_detail
from lockwarden.tui.render.reasons import about_the_file, above_all, place_of, why_provider
from lockwarden.tui.render.styles import Hue
from lockwarden.tui.state.progress import ProviderProgress
from lockwarden.tui.state.review_state import ReviewState, left_out
from lockwarden.tui.state.session import Session, held_against

REVIEW = held()
STANDARDS = REVIEW.standards
RENAMED = Problem(code=ProblemCode.LOCK_FILE_RENAMED, severity=Severity.NOTE, message="it was old")
CHANGED = Problem(
    code=ProblemCode.APPROVALS_CHANGED, severity=Severity.ERROR, message="the policy changes", hint="review it first"
)
ODD = Diagnostic(severity=Severity.WARNING, summary="odd", message="something is odd", line=3, hint="")


def row(provider: ProviderReview, hash_: Hash) -> HashRow:
    return next(each for each in provider.rows if each.hash == hash_)


def test_the_loudest_about_the_file_is_told_first_and_what_is_gone_last() -> None:
    review = held(keeper(problems=(RENAMED, CHANGED)))
    odd = replace(review, lock_file=replace(review.lock_file, warnings=(replace(ODD, severity=Severity.NOTE), ODD)))

    assert [each.text for each in about_the_file(odd)] == [
        "the policy changes",
        "line 3: something is odd",
        "it was old",
        "line 3: something is odd",
        "acme/lantern 5.1.0 is not locked any more",
        "held against: no policy; no approvals",
    ]
    assert [each.text for each in above_all(odd)] == ["the policy changes", "line 3: something is odd", "it was old"]
    assert above_all(odd)[0].hint == "review it first"


def test_a_hash_tells_where_it_stands_and_how_it_came_or_went() -> None:
    gauge = REVIEW.provider(GAUGE.address)

    assert place_of(row(gauge, NOBODYS)).endswith(", added in this change")
    assert place_of(row(gauge, GAUGE.h1("linux_amd64"))) == "not in the lock file, removed in this change"
    assert place_of(row(gauge, GAUGE.manifest)).startswith("line ")
    assert "change" not in place_of(row(gauge, GAUGE.manifest))


def test_pane_and_details_name_the_rule_that_trusts_a_key_and_say_where_none_does() -> None:
    progress = ProviderProgress()
    for address, told in (
        (GAUGE.address, "trusted by .lockwarden.hcl line 2"),
        (KILN.address, "not a key that the policy names for this provider"),
    ):
        provider = REVIEW.provider(address)
        assert told in why_provider(provider, progress, (), 200, standards=STANDARDS).plain
        assert told in provider_detail(provider, progress, (), 200, standards=STANDARDS).plain
    lens = provider_detail(REVIEW.provider(LENS.address), progress, (), 200, standards=STANDARDS).plain
    assert "trust               no policy names keys for this provider" in lens
    assert "before              not locked at origin/main" in lens
    kiln = provider_detail(REVIEW.provider(KILN.address), progress, (), 200, standards=STANDARDS).plain
    assert "before              2.2.0, 7 hashes at origin/main" in kiln


def test_an_approved_finding_looks_approved_and_needs_no_decision() -> None:
    review = held(keeper(approvals=record(ANVIL, MADE_UP)))
    anvil = review.provider(ANVIL.address)
    approved = row(anvil, MADE_UP)

    assert looks.of_row(approved) == (looks.APPROVED, "approved")
    assert looks.of_row(approved, waiting=True)[1] == "waiting"
    assert looks.of_decision(Decision.UNDECIDED, approved, made=False) == ("keep", Hue.QUIET, False)
    told = hash_detail(anvil, approved, Decision.UNDECIDED, 200, standards=review.standards).plain
    assert "verdict             ✓ unexplained, approved on record" in told
    assert "approved by Ada Example <ada@example.test> on 2026-05-20, until 2026-12-31: built by us" in told


def test_only_what_the_change_does_not_touch_and_nobody_has_to_look_at_is_left_out() -> None:
    assert left_out(ReviewState(), REVIEW) == 1
    assert left_out(ReviewState(everything=True), REVIEW) == 0
    assert left_out(ReviewState(), held(against="")) == 0


def test_held_against_other_standards_every_platform_still_counts_where_all_were_asked_for() -> None:
    every = PlatformChoice(wanted=frozenset(), every=True)
    for platforms in (every, AUTO):
        now = Session(sources=SOURCES, platforms=platforms, review=REVIEW)
        again = held_against(now, REVIEW.standards)
        assert again.review is not None
        gauge = again.review.provider(GAUGE.address)
        new = {each.hash for each in gauge.rows if each.verdict == "new"}
        assert (GAUGE.h1("darwin_arm64") in new) is platforms.every
    assert held_against(Session(sources=SOURCES, platforms=AUTO), STANDARDS).review is None
