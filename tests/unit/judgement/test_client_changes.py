"""What is said where a change names another client at the top of a lock file.

Expected: with a base the client is the one that is named there, so that a change says nothing about who judges it.
"""

from __future__ import annotations

from builders.reading import parse
from builders.reviews import HEADER
from builders.tables import table

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.client_changes import client_problems
from lockwarden.core.values.clients import Client
from lockwarden.core.values.severity import Severity

TOFU, TERRAFORM = Client.OPENTOFU, Client.TERRAFORM
TEXTS = {TOFU: HEADER, TERRAFORM: HEADER.replace("tofu", "terraform"), None: "# Ours.\n"}


def lock_file(named: Client | None, *, judged_by: Client | None = None) -> LockFile:
    return parse(TEXTS[named].encode(), path=".terraform.lock.hcl", client=judged_by)


def side(named: Client | None, *, name: str = "main", there: bool = True) -> BaseSide:
    return BaseSide(name=name, commit="0" * 40, lock_file=lock_file(named) if there else None, client=named)


@table(
    ("had", "now", "judged_by", "told"),
    [
        (
            TOFU,
            TERRAFORM,
            TOFU,
            "names Terraform and named OpenTofu at main: the file is judged by OpenTofu's rules",
        ),
        (TERRAFORM, TOFU, TERRAFORM, "names OpenTofu and named Terraform at main: the file is judged by Terraform's"),
        (
            TOFU,
            None,
            TOFU,
            "names nobody and named OpenTofu at main: the file is judged by OpenTofu's",
        ),
        (
            None,
            TERRAFORM,
            TERRAFORM,
            "names Terraform and named nobody at main: the file is judged by Terraform's",
        ),
    ],
)
def test_another_client_at_the_top_is_a_warning_that_says_who_judges(
    had: Client | None, now: Client | None, judged_by: Client, told: str
) -> None:
    (problem,) = client_problems((side(had),), lock_file(now, judged_by=judged_by), given=None)
    assert problem.severity is Severity.WARNING
    assert told in problem.message
    assert ("as at" in problem.message) is (had is not None)
    assert f"“--client {judged_by.other}”" in problem.hint


def test_where_the_operator_named_the_client_it_is_a_note() -> None:
    (problem,) = client_problems((side(TOFU),), lock_file(TERRAFORM, judged_by=TERRAFORM), given=TERRAFORM)
    assert problem.severity is Severity.NOTE
    assert problem.message.endswith("judged by Terraform's rules, as --client says")


@table(
    "sides",
    [(), (side(TERRAFORM),), (side(TOFU, name="ours"), side(TERRAFORM, name="theirs")), (side(None, there=False),)],
)
def test_nothing_is_said_where_a_side_names_the_same_or_had_no_such_file(sides: tuple[BaseSide, ...]) -> None:
    assert list(client_problems(sides, lock_file(TERRAFORM), given=None)) == []


def test_a_file_of_the_base_that_cannot_be_read_still_says_whose_it_was() -> None:
    unreadable = side(TOFU, there=False)
    found = client_problems((side(None, name="ours"), unreadable), lock_file(TERRAFORM, judged_by=TOFU), given=None)
    assert [" named OpenTofu at main: " in each.message for each in found] == [True]
