"""The review against a revision: what changed, the loudest first, and the choice of the revision."""

from __future__ import annotations

from datetime import UTC, datetime

from fakes.driving import Driver, drive
from fakes.pull_request import BASE, GAUGE, KILN, LANTERN, NOBODYS, change_app, changed, earlier, keeper
from fakes.running import PreparedAudit

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.model import PastRevision, Revision, Suggestion
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.rows import Moved
from lockwarden.core.values.errors import ToolError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.tui.screens.bases import BasesScreen
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.state.review_state import visible_providers, visible_rows

COMMIT = "4fc4a99d" * 5
SUGGESTED = Suggestion(
    revision=Revision(id="a" * 40, short="aaaaaaa", name=BASE, subject="Pin", authored=None),
    reason="the default branch",
)
PAST = PastRevision(
    revision=Revision(
        id=COMMIT,
        short=COMMIT[:7],
        name=COMMIT[:7],
        subject="Bump\N{RIGHT-TO-LEFT OVERRIDE} providers [/b]",
        authored=datetime(2026, 4, 2, tzinfo=UTC),
    ),
    path="infra/.terraform.lock.hcl",
)
RENAMED = Problem(
    code=ProblemCode.LOCK_FILE_RENAMED, severity=Severity.NOTE, message="at origin/main the lock file was old"
)
POLICY_CHANGED = Problem(
    code=ProblemCode.APPROVALS_CHANGED,
    severity=Severity.ERROR,
    message="the policy .lockwarden.hcl changes together with the lock file",
    hint="review the policy on its own first",
)


def test_where_the_base_cannot_be_read_nothing_is_told_as_unchanged_and_nothing_left_out() -> None:
    async def scenario(d: Driver) -> None:
        assert len(visible_providers(d.state, d.review)) == len(d.review.providers)
        assert "Chg" not in d.text
        await d.press("v")
        assert "there is nothing to compare with; b chooses a revision" in d.lines[-1]
        await d.press("i")
        assert "before not known: the lock file cannot be read at origin/main" in d.prose

    drive(change_app(keeper(bases={BASE: None}, unreadable="it cannot be read")), scenario, size=(120, 40))


def test_the_title_the_answer_and_the_list_tell_the_change_and_what_is_gone() -> None:
    async def scenario(d: Driver) -> None:
        assert "against origin/main" in d.lines[0]
        assert "✗ 1 signing key changed  ✗ 1 hashes swapped  ✗ 9 unexplained" in d.text
        assert d.provider.address == KILN.address
        assert "was 1.3.2, new signer" in d.text
        assert d.text.index("acme/gauge") < d.text.index("tools/anvil") < d.text.index("tools/signal")
        assert next(line for line in d.lines if "acme/lantern" in line).startswith("│− acme/lantern")
        await d.press("h", "end", "down")
        assert d.provider.address != LANTERN.address
        await d.press("i", "end")
        assert "acme/lantern 5.1.0 is not locked any more" in d.text

    drive(change_app(), scenario, size=(130, 36))


async def only_what_the_change_touches_is_listed_until_v_shows_the_rest(d: Driver) -> None:
    assert "acme/null" not in d.text
    assert "v shows 1 more" in d.text
    assert "tools/anvil" in d.text, "what is not changed and yet a finding is listed"
    await d.press("v")
    assert "acme/null" in d.text
    assert "v shows" not in d.text
    await d.press("v")
    assert "acme/null" not in d.text


async def each_hash_tells_whether_it_came_or_went_with_the_change(d: Driver) -> None:
    await d.press("h", "j", "l")
    assert d.row.hash == NOBODYS
    moved = {row.hash: row.moved for row in d.provider.rows if row.moved}
    assert moved == {NOBODYS: Moved.ADDED, GAUGE.h1("linux_amd64"): Moved.REMOVED}
    assert NOBODYS.text[:8] in next(line for line in d.lines if "unexplained  in " in line)
    assert GAUGE.h1("linux_amd64").text[:8] in next(line for line in d.lines if " out " in line)
    assert "added in this change" in d.text
    await d.press("j", "enter")
    assert "not in the lock file, removed in this change" in d.text
    await d.press("escape", "slash")
    await d.fill("change:out")
    await d.press("enter")
    shown = [row.hash for p in visible_providers(d.state, d.review) for row in visible_rows(d.state, p)]
    assert shown == [GAUGE.h1("linux_amd64")]


def test_an_alarmed_provider_is_never_accepted_in_bulk_and_says_why() -> None:
    async def scenario(d: Driver) -> None:
        assert d.provider.address == KILN.address
        await d.press("a")
        assert "the signing key has changed" in d.text
        await d.press("A")
        assert {key.address for key in d.review.decisions.made} == {str(GAUGE.address)}
        # The whole range is dropped by the first space; the second would keep it, which is refused to all of them, and
        # goes on.
        await d.press("g", "x", "G", "space", "space")
        decided = {made for key, made in d.review.decisions.made.items() if key.address == str(KILN.address)}
        assert decided == {Decision.UNDECIDED}
        assert "undecided: 7 hashes; keep left out: a finding is kept one by one only" in d.text

    drive(change_app(), scenario, size=(80, 24))


def test_a_count_of_a_change_is_a_filter_and_a_changed_policy_is_on_the_banner() -> None:
    async def scenario(d: Driver) -> None:
        assert "✗ the policy .lockwarden.hcl changes together with the lock file (and 1 more, i tells all)" in d.text
        assert "  review the policy on its own first" in d.text
        assert "✗ 1 approvals changed" in d.text
        y, line = next((y, line) for y, line in enumerate(d.lines) if "1 new signer" in line)
        count = (line.index("1 new signer"), y)
        await d.click(offset=count)
        await d.settle()
        assert d.state.filter.problems == ("change-new-signer",)
        assert "acme/gauge" not in d.text
        assert "tools/signal" in d.text
        await d.click(offset=count)
        await d.settle()
        assert not d.state.filter.active
        await d.press("i", "end")
        assert "· at origin/main the lock file was old" in d.text

    drive(change_app(keeper(problems=(POLICY_CHANGED, RENAMED))), scenario, size=(150, 36))


def test_b_offers_revisions_and_compares_with_the_chosen_one_until_nothing_is_chosen() -> None:
    runs = PreparedAudit(changed().audits, earlier=earlier())

    async def scenario(d: Driver) -> None:
        assert "against" not in d.lines[0]
        assert "Chg" not in d.text
        await d.press("v")
        assert "b chooses a revision" in d.lines[-1]
        await d.press("b")
        await d.settle()
        assert d.shows(BasesScreen)
        assert "HEAD  what is not committed yet" in d.text
        assert "origin/main  the default branch" in d.text
        assert "4fc4a99  2026-04-02  Bump<U+202E> providers [/b]" in d.text
        assert "nothing: review the whole lock file" not in d.text
        await d.press("j", "enter")
        await d.settle()
        assert d.app.session.base == BASE
        assert "✗ 1 hashes swapped" in d.text
        assert len(runs.runs) == 2
        await d.press("b")
        await d.settle()
        await d.press("enter")
        await d.settle()
        assert (d.app.session.base, len(runs.runs)) == (BASE, 2), "the one in force is selected"
        await d.press("b")
        await d.settle()
        await d.press("home", "enter")
        await d.settle()
        assert d.app.session.base == ""
        assert "swapped" not in d.text

    drive(change_app(keeper(suggested=(SUGGESTED,), past=(PAST,)), against="", audit=runs), scenario)


def test_a_past_revision_is_named_by_its_whole_id_which_no_branch_can_be_called() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("b")
        await d.settle()
        await d.press("j", "enter")
        await d.settle()
        assert d.app.session.base == COMMIT
        assert f"against {COMMIT[:12]}  " in d.lines[0]
        assert d.text.count("new provider") >= 3, "the lock file was not there"

    drive(change_app(keeper(past=(PAST,), bases={COMMIT: None}), against=""), scenario)


def test_a_revision_can_be_typed_and_one_that_is_not_there_changes_nothing() -> None:
    kept = keeper()

    async def scenario(d: Driver) -> None:
        await d.press("b")
        await d.settle()
        assert "No revision has this lock file yet." in d.text
        await d.press("tab")
        await d.fill("nowhere")
        await d.press("enter")
        await d.settle()
        assert d.shows(ConfirmScreen)
        assert "there is no revision nowhere in this repository" in d.text
        await d.press("enter")
        assert d.app.session.base == ""
        kept.refusal = ToolError("git cannot be run", hint="install git")
        await d.press("b")
        await d.settle()
        assert "✗ git cannot be run" in d.text
        assert "→ install git" in d.text
        await d.press("escape")
        assert d.shows(ReviewScreen)

    drive(change_app(kept, against=""), scenario, size=(80, 24))


def test_a_policy_that_cannot_be_read_is_named_with_its_line() -> None:
    async def scenario(d: Driver) -> None:
        assert "✗ .lockwarden.hcl cannot be used" in d.text
        assert "line 1" in d.text

    drive(change_app(keeper(policy=b'signing_key "ABCD" {\n  providers = ["*/*/*"]\n}\n')), scenario, size=(80, 24))


def test_at_no_size_a_verdict_or_the_loudest_count_is_cut() -> None:
    async def scenario(d: Driver) -> None:
        for width, height in ((80, 24), (69, 24), (60, 20)):
            await d.pilot.resize_terminal(width, height)
            await d.settle()
            assert "against origin/main" in d.lines[0] or width < 69
            rows = [line for line in d.lines if " in  " in line]
            assert len(rows) >= 6
            assert all("✗ unexplained  in " in line for line in rows)
            answer = "\n".join(d.lines[1:3])
            assert "✗ 1 signing key changed" in answer
            assert "…" not in answer.replace(" …", "")
            assert d.lines[-1].startswith(" space Decide  a Accept  w Write  K Keys")
            assert "? Help  q Leave" in d.lines[-1]

    drive(change_app(), scenario, size=(100, 30))


def test_a_change_that_was_audited() -> None:
    drive(
        change_app(),
        only_what_the_change_touches_is_listed_until_v_shows_the_rest,
        each_hash_tells_whether_it_came_or_went_with_the_change,
    )
