"""An entry that is gone: an error where it is still required, open where that is not known, else nothing to say."""

from __future__ import annotations

import pytest
from builders.audits import ADDRESS, LINUX, zh
from builders.reviews import entry, entry_text, lock_file
from builders.standards import side
from builders.tables import table

from lockwarden.core.configuration.requirements import NOTHING_REQUIRED, ProviderRequirement, Required
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.absence_rules import absence_problems, unknown_absence_problem
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.open_codes import OPEN_CODES
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

OURS, THEIRS = (ProviderAddress.parse(f"registry.{each}/acme/moved") for each in ("opentofu.org", "terraform.io"))
EMPTY = lock_file()


def needing(*addresses: ProviderAddress) -> Required:
    return Required(requirements=frozenset({ProviderRequirement(addresses=frozenset(addresses))}), found=True)


def told(
    required: Required, *, after: LockFile = EMPTY, address: ProviderAddress = ADDRESS, had: bool = True
) -> list[Problem]:
    gone = [entry(zh("a"), address=str(address))]
    return list(absence_problems(gone, after, required, base="origin/main", had_configuration=had))


def test_what_is_still_required_is_an_error_that_names_the_provider_and_the_base() -> None:
    (problem,) = told(needing(ADDRESS))
    assert (problem.code, problem.severity) == ("entry-removed", Severity.ERROR)
    assert problem.message.startswith(f"{ADDRESS} is locked at origin/main and not here")


def test_where_the_requirement_went_with_it_there_is_nothing_to_say() -> None:
    assert told(needing(OURS)) == []
    assert told(Required()) == []


@pytest.mark.parametrize(
    ("required", "had", "why"),
    [
        (Required(found=True, open=("it is broken",)), True, "cannot be known: it is broken"),
        (Required(found=True, open=("one", "two", "three")), True, "cannot be known: one (and 2 more)"),
        (Required(), False, "there is no configuration beside the lock file, and was none"),
    ],
)
def test_what_is_not_known_is_open_with_its_reasons(required: Required, had: bool, why: str) -> None:
    (problem,) = told(required, had=had)
    assert (problem.code, problem.severity) == ("requirement-open", Severity.WARNING)
    assert why in problem.message
    assert problem.hint


def test_where_nothing_is_left_what_is_alike_is_said_once_with_all_that_went() -> None:
    addresses = [ProviderAddress.parse(f"registry.example.test/acme/p{number:02}") for number in range(14)]
    needed, open_ = addresses[:13], addresses[13]
    gone = [entry(zh("a"), address=str(each)) for each in addresses]
    required = Required(requirements=needing(*needed).requirements, found=True, open=("it is broken",))
    error, warning = absence_problems(gone, EMPTY, required, base="main", had_configuration=True)
    assert (error.code, warning.code) == ("entry-removed", "requirement-open")
    listed = ", ".join(map(str, needed[:12]))
    assert error.message.startswith(f"13 providers are locked at main and not here: {listed} and 1 more, and the")
    assert warning.message.startswith(f"{open_} is locked at main and not here")

    left = lock_file(entry_text(zh("a"), address=str(OURS)))
    several = list(absence_problems(gone, left, required, base="main", had_configuration=True))
    assert [each.code for each in several] == ["entry-removed"] * 13 + ["requirement-open"]

    unknown = Required(found=True, open=("one", "two"))
    (both,) = absence_problems(gone[:2], EMPTY, unknown, base="main", had_configuration=True)
    assert both.message == (
        f"2 providers are locked at main and not here: {addresses[0]}, {addresses[1]}, and whether they are still"
        " required cannot be known: one (and 1 more)"
    )


@table(
    ("required", "had_configuration", "told"),
    [
        ((needing(ADDRESS), NOTHING_REQUIRED), True, "the configuration still requires providers"),
        ((NOTHING_REQUIRED, needing(ADDRESS)), True, "the configuration still requires providers"),
        ((Required(open=("one", "two"), found=True), NOTHING_REQUIRED), True, "cannot be known: one"),
        ((NOTHING_REQUIRED, NOTHING_REQUIRED), False, "there is no configuration beside the lock file, and was none"),
        # The configuration went with the lock file, or requires nothing.
        ((NOTHING_REQUIRED, NOTHING_REQUIRED), True, ""),
        ((Required(found=True), NOTHING_REQUIRED), False, ""),
    ],
)
def test_what_nobody_knows_to_have_been_locked_is_open_unless_nothing_can_need_it(
    required: tuple[Required, ...], had_configuration: bool, told: str
) -> None:
    problem = unknown_absence_problem(required, base="main", had_configuration=had_configuration)
    assert (problem is not None) is bool(told)
    if problem is not None:
        assert (problem.code, problem.severity) == ("requirement-open", Severity.WARNING)
        assert "what was at main cannot be read" in problem.message
        assert problem.message.endswith(told)


def test_what_only_the_other_client_requires_is_open() -> None:
    gone = [entry(zh("a"), address=str(ADDRESS))]
    (problem,) = absence_problems(
        gone, EMPTY, needing(OURS), base="main", had_configuration=True, by_other_client=needing(ADDRESS)
    )
    assert problem.code == "requirement-open"
    assert "only OpenTofu reads, or only Terraform, still requires it" in problem.message


def test_the_same_provider_at_the_other_default_registry_takes_its_place_where_the_host_is_left_open() -> None:
    moved = lock_file(entry_text(zh("a"), address=str(OURS)))
    assert told(needing(OURS, THEIRS), after=moved, address=THEIRS) == []
    assert [each.code for each in told(needing(THEIRS), after=moved, address=THEIRS)] == ["entry-removed"]
    assert [each.code for each in told(needing(OURS, THEIRS), address=THEIRS)] == ["entry-removed"]
    assert [each.code for each in told(needing(ADDRESS), after=moved)] == ["entry-removed"]


@pytest.mark.parametrize("code", sorted(OPEN_CODES))
def test_what_is_open_about_a_lock_file_is_incomplete_and_a_finding_is_worse(code: ProblemCode) -> None:
    problem = Problem(code=code, severity=Severity.WARNING, message="m")
    standards = Standards(sides=(side(entry(zh("a"))),), problems=(problem,))
    review = Review.start(EMPTY, settings=ClientSettings(), platforms=[LINUX], standards=standards)
    assert (review.exit_code, review.answer) == (ExitCode.INCOMPLETE, "Not everything was checked")
    error = Problem(code=ProblemCode.ENTRY_REMOVED, severity=Severity.ERROR, message="m")
    worse = Standards(sides=standards.sides, problems=(problem, error))
    assert review.with_standards(worse).exit_code is ExitCode.FINDINGS
