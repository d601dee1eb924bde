"""The page about many repositories in a real browser: it sorts, filters, asks for nothing, and complains of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from builders.organisations import missing, organisation, varied
from servers.chromium import Browser, browsing

from lockwarden.cli.organisation import in_form
from lockwarden.core.reports.organisation.rows import OrganisationTables

HOSTILE = "<script>window.pwned = 1</script>\u202egnp.exe<img src=https://evil.test/x onerror=pwned=1>"
INTRUDER = """new Promise((done) => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", (event) => {
        refused.push(event.effectiveDirective);
        if (refused.length === 2) done(refused.sort());
    });
    const image = new Image();
    image.src = "https://evil.test/y";
    const script = document.createElement("script");
    try { script.text = "window.pwned = 1"; document.head.append(script); } catch (error) {}
})"""
ROWS = """[...document.querySelectorAll('#{0} ~ .scroll tbody tr')].filter(each => !each.hidden)
    .map(each => each.cells[{1}].innerText.trim().split('\\n')[0])"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    page = tmp_path_factory.mktemp("page") / "organisation.html"
    result = organisation(*varied().repositories, missing(HOSTILE, f"there is no folder {HOSTILE}"))
    page.write_text(in_form(OrganisationTables(result=result), "html"), encoding="utf-8")
    with browsing() as running:
        running.url = page.as_uri()
        yield running


@pytest.fixture
def page(browser: Browser) -> Browser:
    """The page, loaded anew."""
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    browser.open(browser.url)
    return browser


def column(page: Browser, section: str, number: int) -> Any:
    return page.value(ROWS.format(section, number))


def head(section: str, number: int) -> str:
    return f"document.querySelectorAll('#{section} ~ .scroll thead th')[{number}]"


def test_it_loads_nothing_complains_of_nothing_and_runs_nothing_from_outside(page: Browser) -> None:
    assert page.asked_for == [page.url]
    assert page.complaints == []
    assert page.value("window.pwned === undefined && document.images.length === 0")
    assert "<script>window.pwned = 1</script><U+202E>gnp.exe" in "\n".join(column(page, "repositories", 0))
    # And what got in by a mistake would neither run nor load anything.
    assert page.value(INTRUDER) == ["img-src", "require-trusted-types-for"]
    assert page.value("window.pwned === undefined")


def test_a_click_sorts_a_second_turns_it_round_and_a_third_brings_the_first_order_back(page: Browser) -> None:
    first = column(page, "repositories", 0)
    assert page.value(f"{head('repositories', 0)}.getAttribute('aria-sort')") == "none"
    page.value(f"{head('repositories', 0)}.querySelector('button').click()")
    names = column(page, "repositories", 0)
    assert names != first
    assert names == sorted(names, key=str.lower)
    assert page.value(f"{head('repositories', 0)}.getAttribute('aria-sort')") == "ascending"
    page.value(f"{head('repositories', 0)}.querySelector('button').click()")
    assert column(page, "repositories", 0) == names[::-1]
    page.value(f"{head('repositories', 0)}.querySelector('button').click()")
    assert column(page, "repositories", 0) == first


def test_numbers_are_sorted_as_numbers_and_by_the_keyboard_as_well(page: Browser) -> None:
    page.value(f"{head('providers', 3)}.querySelector('button').focus()")
    page.press("Enter", 13, "\r")
    assert page.value(f"{head('providers', 3)}.getAttribute('aria-sort')") == "descending"
    counts = [int(each) for each in column(page, "providers", 3)]
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) > 1


def test_words_filter_the_rows_and_the_number_of_those_that_are_shown_is_told(page: Browser) -> None:
    page.value("document.querySelector('#repositories ~ .tools input').focus()")
    page.type("APPS shop")
    assert column(page, "repositories", 0) == ["apps/shop"]
    assert page.value("document.querySelector('#repositories ~ .tools output').value") == "1 of 8 rows"
    assert page.value("document.querySelector('#repositories ~ .tools output').getAttribute('role')") == "status"
    # Where one repository holds a finding, its name finds the finding.
    page.value("document.querySelector('#findings ~ .tools input').focus()")
    page.type("apps/planted")
    assert "disowned hash" in column(page, "findings", 1)


def test_a_choice_shows_one_kind_of_rows(page: Browser) -> None:
    page.value(
        "(() => { const s = document.querySelector('#providers ~ .tools select'); s.value = 'lone';"
        "s.dispatchEvent(new Event('change')); })()"
    )
    assert column(page, "providers", 0) == [f"registry.example.test/acme/{name}" for name in ("bare", "lone", "silent")]
    labels = "[...document.querySelectorAll('.tools label')].every(l => document.getElementById(l.htmlFor))"
    assert page.value(labels)


def test_a_link_to_a_repository_shows_its_row_even_when_a_filter_hides_it(page: Browser) -> None:
    page.value("document.querySelector('#repositories ~ .tools input').focus()")
    page.type("nothing is called so")
    assert column(page, "repositories", 0) == []
    page.value("document.querySelector('#findings ~ .scroll tbody a').click()")
    page.value("new Promise(done => requestAnimationFrame(done))")
    assert page.value("!document.querySelector(':target').hidden")


def test_without_scripts_it_is_plain_tables_and_it_fits_a_narrow_screen_and_the_dark(page: Browser) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(page.url)
    assert page.value("document.querySelectorAll('.tools, button').length") == 0
    assert len(column(page, "repositories", 0)) == 8
    assert page.value("[...document.querySelectorAll('thead th')].every(each => each.scope === 'col')")
    page.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False)
    assert page.value("document.documentElement.scrollWidth <= 360")
    light = page.value("getComputedStyle(document.body).backgroundColor")
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert page.value("getComputedStyle(document.body).backgroundColor") != light
