"""The report about many repositories: each thing once with its places, in every form, and hostile text is text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from builders.audits import ADDRESS, LINUX, VERSION, origin_with, zh
from builders.organisations import (
    DARWIN_ZH,
    LINUX_ZH,
    OLD,
    missing,
    organisation,
    repository,
    review,
    signed_origin,
    varied,
    well,
)
from builders.policies import TODAY, approval
from builders.run_results import KEY, locked, review_of
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.reports.html_text import element, foreign, verbatim, words
from lockwarden.core.reports.organisation.html_page import html_organisation
from lockwarden.core.reports.organisation.html_tables import TableRoom
from lockwarden.core.reports.organisation.json_report import json_organisation
from lockwarden.core.reports.organisation.markdown import markdown_organisation
from lockwarden.core.reports.organisation.result import OrganisationResult
from lockwarden.core.reports.organisation.rows import OrganisationTables, RepositoryAnswer
from lockwarden.core.reports.organisation.text import text_organisation
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.standards import Standards

ASSETS = Path(__file__).parents[3] / "cli"
HOSTILE = "</script><script>x</script>\u202e[a](b)`|`\x1b]0;t\x07\u200b##[error]\udc80"


def tables(result: OrganisationResult) -> OrganisationTables:
    return OrganisationTables(result=result)


def page(result: OrganisationResult) -> str:
    return html_organisation(tables(result), style="a{}", script="let b;")


def test_every_form_tells_the_answer_the_numbers_and_who_holds_what() -> None:
    text = text_organisation(tables(varied()))
    assert text.startswith(
        "Not every repository could be read: 7 repositories, 6 lock files, 4 providers, 5 versions, 1 signing key\n"
        "Cannot be read: 1; Findings: 1; Not everything was checked: 1; Nothing to object to: 3; No lock file: 1\n"
    )
    told = {line.strip() for line in text.splitlines()}
    assert "✗ apps/planted: Findings: 1 disowned hash, 2 drifting entries" in told
    assert "✗ apps/gone: Cannot be read" in told
    assert "error: there is no folder" in told
    assert "registry.example.test/acme/bare 1.2.3: apps/bare@main" in told
    assert "registry.example.test/acme/lone 1.2.3: apps/planted" in told
    assert "1.0.0 with 1 hash, other versions: apps/planted" in told
    assert f"{KEY.key_id}  Example Releases <releases@example.test>" in told
    assert "apps/web" not in text.partition("Findings\n")[0], "those that are well are only counted"
    markdown = markdown_organisation(tables(varied()))
    for each in ("apps/planted", "apps/gone", KEY.key_id, "registry.example.test/acme/lone"):
        assert each in markdown


def test_json_has_each_finding_once_with_all_its_places() -> None:
    planted = {"one": review("x", (ADDRESS, VERSION, [LINUX_ZH, DARWIN_ZH, zh("planted")]))}
    both = organisation(
        repository("a", planted), repository("b", {"two": planted["one"]}), repository("c", {"x": well()})
    )
    report = json.loads(json_organisation(tables(both)))
    (finding,) = report["findings"]
    assert (finding["code"], finding["hash"], finding["version"]) == ("disowned", str(zh("planted")), "1.2.3")
    assert finding["where"] == [
        {"repository": "a", "path": "one", "line": 7},
        {"repository": "b", "path": "two", "line": 7},
    ]
    assert [each["disowned"] for each in report["repositories"]] == [1, 1, 0]


def test_hashes_that_were_not_checked_are_told_together_for_each_release() -> None:
    (finding,) = (each for each in tables(varied()).findings if each.finding.code == "unchecked")
    assert finding.message.startswith("2 hashes were not checked: ")
    assert finding.labels == ("apps/silent",)


def test_what_a_record_accepts_is_a_finding_no_more_and_is_told_as_approved() -> None:
    odd = zh("odd")
    made = Audit(address=ADDRESS, version=VERSION, source_answers=(origin_with(LINUX, authenticated=False),))
    standards = Standards(approvals=Approvals(records=(approval(odd),)), today=TODAY)
    for held, severity, counts in ((Standards(), "error", (1, 0)), (standards, "note", (0, 1))):
        review_made = review_of([locked(LINUX_ZH, odd)], made, standards=held)
        found = tables(organisation(repository("a", {"x": review_made})))
        (told,) = (each.finding for each in found.findings if each.finding.subject == str(odd))
        assert (told.code, told.severity, told.approval is not None) == ("unexplained", severity, severity == "note")
        assert (found.repositories[0].unexplained, found.repositories[0].approved) == counts
        assert ("<strong>1</strong> <span>unexplained</span>" in page(found.result)) is (severity == "error")


@pytest.mark.parametrize(
    ("result", "answer", "code"),
    [
        (organisation(repository("a", {"x": well()})), RepositoryAnswer.GOOD, ExitCode.NOTHING_TO_OBJECT),
        (organisation(repository("a", {})), RepositoryAnswer.EMPTY, ExitCode.UNUSABLE_INPUT),
        (organisation(repository("a", {}, commit="")), RepositoryAnswer.NOT_LOOKED_AT, ExitCode.UNUSABLE_INPUT),
        (organisation(missing("a")), RepositoryAnswer.UNREADABLE, ExitCode.UNUSABLE_INPUT),
        (organisation(), None, ExitCode.UNUSABLE_INPUT),
    ],
    ids=["good", "no lock file", "not looked at", "missing", "nothing at all"],
)
def test_what_was_not_looked_at_is_never_good(
    result: OrganisationResult, answer: RepositoryAnswer | None, code: ExitCode
) -> None:
    assert result.exit_code is code
    assert [row.answer for row in tables(result).repositories] == ([] if answer is None else [answer])


def test_hostile_text_is_text_in_every_form() -> None:
    key = replace(KEY, user_ids=(HOSTILE,))
    hostile = review_of(
        [locked(LINUX_ZH, zh("planted"))],
        Audit(address=ADDRESS, version=VERSION, source_answers=(signed_origin(key),)),
        path=HOSTILE,
    )
    result = organisation(
        repository(HOSTILE, {HOSTILE: hostile}, revision=HOSTILE), missing(f"{HOSTILE}2", HOSTILE), repository("c", {})
    )
    html = page(result)
    assert html.count("<script>") == html.count("</script>") == 1
    assert "&lt;script&gt;x&lt;/script&gt;&lt;U+202E&gt;" in html
    json.loads(json_organisation(tables(result)))
    for form in (html, text_organisation(tables(result)), markdown_organisation(tables(result))):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u200b\u202e]|[\ud800-\udfff]", form)
        assert "##[" not in form


def test_the_page_lets_only_what_came_with_it_run_and_names_nothing_to_load() -> None:
    html = page(varied())
    policy = re.search('Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert "default-src &#x27;none&#x27;" in policy[1]
    assert policy[1].count("sha256-") == 2
    assert "unsafe" not in policy[1]
    assert not re.search(r'\b(?:src|action|data|style|on\w+)="', html.replace("data-", ""))
    assert set(re.findall(r'href="(.)', html)) == {"#"}
    assert html.index("Content-Security-Policy") < html.index("<style>")


def test_every_table_has_heads_for_its_columns_and_rows_and_every_link_leads_to_a_row() -> None:
    html = page(varied())
    assert html.count("<table") == html.count("<caption>") == 5
    assert "<th>" not in html
    assert all('scope="' in each for each in re.findall("<th [^>]*>", html))
    ids = set(re.findall(r' id="([^"]+)"', html))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= ids


def test_what_has_no_room_is_left_out_and_counted() -> None:
    room = TableRoom(10)
    assert room.take(words("12345"))
    assert not room.take(words("123456"))
    report = json.loads(json_organisation(tables(varied()), limit=3_000))
    assert report["omitted"] > 0
    assert "more entries do not fit here" in markdown_organisation(tables(varied()), limit=3_000)


def test_an_element_holds_text_and_a_script_of_ours_cannot_end_early() -> None:
    assert element("a", words("<b>"), class_="x", data_y='"', id=None) == '<a class="x" data-y="&quot;">&lt;b&gt;</a>'
    assert foreign("\u05d0\u202e") == "<bdi>\u05d0&lt;U+202E&gt;</bdi>"
    with pytest.raises(ValueError, match="end its script"):
        verbatim("script", "let a = '</SCRIPT>';")
    for name, tag in (("organisation.css", "style"), ("organisation.js", "script")):
        verbatim(tag, (ASSETS / name).read_text(encoding="utf-8"))


def test_every_colour_of_the_page_can_be_read_on_its_ground_light_and_dark() -> None:
    style = (ASSETS / "organisation.css").read_text(encoding="utf-8")
    grounds = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block)) for block in re.findall(r":root \{([^}]*)\}", style)]
    assert len(grounds) == 2
    for colours in grounds:
        for ink in ("ink", "quiet", "link", "bad", "warn", "open", "good"):
            for ground in ("ground", "card", "stripe", "mark"):
                assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground, colours[ink])


def contrast(one: str, other: str) -> float:
    """By WCAG 2.2, “contrast ratio”."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_other_h1_hashes_alone_are_no_drift_to_look_at() -> None:
    one = review("x", (ADDRESS, VERSION, [LINUX_ZH]))
    assert tables(organisation(repository("a", {"x": one}), repository("b", {"x": one}))).drift == ()
    old = review("x", (ADDRESS, OLD, [LINUX_ZH]))
    found = tables(organisation(repository("a", {"x": one}), repository("b", {"x": one}), repository("c", {"x": old})))
    assert [(row.labels, row.form.stands_out) for row in found.drift] == [(("a", "b"), False), (("c",), True)]
