"""The published schemas are made from the structs of the reports, and refuse what is no report."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from builders.audits import ADDRESS, audit
from builders.organisations import varied
from builders.reported import attacked, origin, swapped, well
from builders.run_results import run_of
from builders.schema import DOCS, published, undescribed, violations
from jsonschema import Draft202012Validator

from lockwarden.core.reports.explain import explain
from lockwarden.core.reports.json_explanation import json_explanation
from lockwarden.core.reports.json_keys import json_keys
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.organisation.json_report import json_organisation
from lockwarden.core.reports.organisation.rows import OrganisationTables
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.key_use import key_uses, unknown_issuers

AUDITS = (audit(origin()),)
REPORTS: dict[str, Callable[[], str]] = {
    "report": lambda: json_report(run_of(swapped(), well()), version="1.0"),
    "organisation": lambda: json_organisation(OrganisationTables(result=varied()), version="1.0"),
    "keys": lambda: json_keys(attacked(), key_uses(AUDITS), ExitCode.FINDINGS, unknown_issuers(AUDITS)),
    "explanation": lambda: json_explanation(
        {"a/.terraform.lock.hcl": tuple(explain(swapped(), ADDRESS))}, ADDRESS, ExitCode.FINDINGS, version="1.0"
    ),
}


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    schemas: dict[str, str] = runpy.run_path(str(DOCS.parent / "scripts" / "schemas.py"))["schemas"]()
    return schemas


def test_every_published_schema_is_the_one_that_the_structs_make(made: dict[str, str]) -> None:
    """Otherwise: make schemas."""
    assert {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.schema.json")} == made


def test_it_is_a_schema_and_says_what_every_object_is(made: dict[str, str]) -> None:
    for name, text in made.items():
        schema = json.loads(text)
        Draft202012Validator.check_schema(schema)
        assert schema["title"] == f"lockwarden.{name.removesuffix('.schema.json')}/1"
        assert all(each["description"] for each in (schema, *schema["$defs"].values())), name


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_valid_by_it_for_any_validator(name: str) -> None:
    text = REPORTS[name]()
    report = json.loads(text)
    assert undescribed(text) == ()
    Draft202012Validator(published(name)).validate(report)
    Draft202012Validator(published(name)).validate(report | {"a new member": 0})


@pytest.mark.parametrize("name", REPORTS)
def test_it_refuses_a_report_without_any_of_its_members_or_with_one_of_another_type(name: str) -> None:
    report, schema = json.loads(REPORTS[name]()), published(name)
    accepted = []
    for kind, found, member in members(report):
        value = found.pop(member)
        if not any(violations(report, schema)):
            accepted.append(f"{kind} is missing")
        found[member] = {"another": "type"}
        if not any(violations(report, schema)):
            accepted.append(f"{kind} is an object")
        found[member] = value
    assert accepted == []


def members(report: Any) -> Iterator[tuple[str, Any, str]]:
    """Every member of every kind of object in a report, once: its path, an object that has it, and its name."""
    seen = set()
    waiting = [("$", report)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, list):
            waiting += [(f"{at}[]", each) for each in value]
        if isinstance(value, dict):
            at += f" {value['kind']}" if at.endswith("observations[]") else ""
            waiting += [(f"{at}.{name}", each) for name, each in value.items()]
            for name in tuple(value):
                if f"{at}.{name}" not in seen:
                    seen.add(f"{at}.{name}")
                    yield f"{at}.{name}", value, name
