"""The review as a file to hand on: with its decisions, in the form that the name says, and with nothing that runs."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import PurePath

import pytest
from builders.run_results import run_of
from fakes.hostile import hostile
from fakes.reviews import SUSPECT, audited, deciding

from lockwarden.core.reports import review_page as page_module
from lockwarden.core.reports.exported import exported
from lockwarden.core.reports.markdown import markdown_report
from lockwarden.core.reports.result import RunResult
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import InputError


def decided() -> RunResult:
    return run_of(deciding(audited(), (SUSPECT, Decision.DROP)))


@pytest.mark.parametrize("name", ["review.md", "review.json", "review.html", "REVIEW.HTML"])
def test_each_form_has_what_was_decided(name: str) -> None:
    text = exported(decided(), PurePath(name)).decode()
    assert SUSPECT.hash in text
    if name.endswith("json"):
        (lock_file,) = json.loads(text)["lock_files"]
        rows = [row for provider in lock_file["providers"] for row in provider["hashes"]]
        assert {row["decision"] for row in rows if row["hash"] == SUSPECT.hash} == {"drop"}
    else:
        assert re.search(rf"drop\W+(?:<code>|`){SUSPECT.hash}", text)
        assert "not in the lock file yet" in text


def test_what_nobody_decided_is_no_part_of_a_report() -> None:
    assert "not in the lock file yet" not in markdown_report(run_of(audited()))


def test_another_ending_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=r"“\.pdf”") as refused:
        exported(decided(), PurePath("review.pdf"))
    assert ".html" in refused.value.hint


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.style = ""
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        self._in = tag

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        self.style += data if self._in == "style" else ""


def test_the_page_is_one_file_in_which_nothing_runs_or_is_fetched() -> None:
    world = hostile()
    review = Review.start(world.lock_file(), settings=ClientSettings(), platforms=())
    for audit in world.audits:
        review = review.with_audit(audit)
    text = exported(run_of(review), PurePath("x.html")).decode()
    page = Page(text)
    assert page.tags <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "ul", "li", "br", "code"),
        *("table", "tr", "th", "td"),
    }
    assert {name for name, _ in page.attributes} <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    digest = b64encode(sha256(page.style.encode()).digest()).decode()
    policy = unescape(text.partition('Content-Security-Policy" content="')[2].partition('"')[0])
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert all(char.isprintable() or char == "\n" for char in text)


def test_a_page_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "MAX_ROWS", 3)
    text = exported(decided(), PurePath("x.html")).decode()
    assert text.count('<td class="hash">') == 3
    assert "more are left out" in text
    assert "are left out.</p>" in text
