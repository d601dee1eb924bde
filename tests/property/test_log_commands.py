"""Whatever text comes from outside, no line of any report is a command to the program that runs a CI job."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

from builders.log_commands import ACTING
from builders.reported import attacked
from builders.thorough import with_fewer_examples
from hypothesis import given
from hypothesis import strategies as st

from lockwarden.core.reports.explain import explain
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.junit import junit_report
from lockwarden.core.reports.markdown import markdown_report
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.sarif import sarif_report
from lockwarden.core.reports.text_report import shown, text_report
from lockwarden.core.values.printable import printed

COMMANDS = (
    "##vso[task.setvariable variable=P]x",
    "##[error]x",
    "##teamcity[x text='y']",
    "::error::x",
    "::stop-commands::x",
)
PARTS = ("##", "#", ":", "::", "[", "]", "(", "\\", "\r", "\n", "\r\n", " ", "\t", "\x0b", "\x85", "\u2028", "a", "é")
OTHERS = ("--- ", "+++ ", "~~~ ", "^^^ +++", "section_start:1:x\r\x1b[0K", "\u200d", "\u0301", "\ud800", "\x1b[31m")
TOKENS = COMMANDS + PARTS + OTHERS
TEXTS = st.lists(st.sampled_from(TOKENS) | st.text(max_size=3), min_size=1, max_size=12).map("".join)


def explained(result: RunResult) -> str:
    reviews = [each.review for each in result.files if each.review is not None]
    return shown(line for each in reviews for entry in each.providers for line in explain(each, entry.address))


FORMS = {
    "text": lambda result: text_report(result, every_hash=True),
    "explain": explained,
    "json": json_report,
    "markdown": markdown_report,
    "sarif": lambda result: sarif_report(result, version="1"),
    "junit": junit_report,
}


@with_fewer_examples
@given(TEXTS)
def test_no_line_of_a_report_is_a_command(text: str) -> None:
    result = attacked(text)
    reports = {form: make(result) for form, make in FORMS.items()}
    for form, report in reports.items():
        assert not ACTING.search(report), form
        assert "\r" not in report, form
    json.loads(reports["json"])
    json.loads(reports["sarif"])
    ET.fromstring(reports["junit"])


@with_fewer_examples
@given(TEXTS)
def test_no_printed_line_is_a_command(text: str) -> None:
    line = printed(text)
    assert not ACTING.search(line)
    assert len(line.splitlines()) <= 1
    assert printed(line) == line


def test_json_keeps_the_values() -> None:
    said = "##vso[x] ###[y] \\##"
    assert said in json.loads(json_report(attacked(said)))["lock_files"][-1]["path"]
