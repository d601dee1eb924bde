"""The report about many repositories as one HTML file: it loads nothing, and needs no network and no script to be read.

Whatever comes from repositories, registries and keys is text in it. Of scripts and styles a content security policy
lets through only those that come with the program, by their digests; so nothing that got in by a mistake would run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from lockwarden.core.reports.configuration_lines import file_words, replaced_words
from lockwarden.core.reports.html_text import (
    NOTHING,
    Html,
    element,
    foreign,
    source_of,
    together,
    verbatim,
    words,
)
from lockwarden.core.reports.json_values import time_json
from lockwarden.core.reports.organisation.html_findings import findings_section, repositories_section
from lockwarden.core.reports.organisation.html_reliance import drift_section, keys_section, providers_section
from lockwarden.core.reports.organisation.html_tables import (
    Anchors,
    TableRoom,
)
from lockwarden.core.reports.organisation.phrases import (
    answer_in_words,
    counts_in_words,
    standards_words,
)
from lockwarden.core.reports.organisation.result import OrganisationResult
from lockwarden.core.reports.organisation.rows import (
    OrganisationTables,
    RepositoryAnswer,
)
from lockwarden.core.review.exit_codes import ExitCode

MAX_SIZE: Final = 45_000_000
_SIGNS: Final = {
    ExitCode.UNUSABLE_INPUT: "✗",
    ExitCode.FINDINGS: "✗",
    ExitCode.INCOMPLETE: "?",
    ExitCode.NOTHING_TO_OBJECT: "✓",
}
_TONES: Final = {
    ExitCode.UNUSABLE_INPUT: "bad",
    ExitCode.FINDINGS: "bad",
    ExitCode.INCOMPLETE: "open",
    ExitCode.NOTHING_TO_OBJECT: "good",
}
_TITLE: Final = "Lockwarden: what the organisation locks"


def html_organisation(
    tables: OrganisationTables, *, style: str, script: str, version: str = "", made: datetime | None = None
) -> str:
    """The whole page. `style` and `script` are those that come with the program; `made` is when the run was."""
    result = tables.result
    anchors = Anchors(row.repository.label for row in tables.repositories)
    room = TableRoom(MAX_SIZE)
    sections = (
        findings_section(tables, anchors, room),
        repositories_section(tables, anchors, room),
        providers_section(tables, anchors, room),
        keys_section(result, room),
        drift_section(tables, anchors, room),
        _about(result, version),
    )
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'; "
        f"style-src {source_of(style)}; script-src {source_of(script)}"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", words(_TITLE)),
        verbatim("style", style),
    )
    body = element(
        "body",
        element("a", words("To the findings"), href="#findings", class_="skip"),
        _header(tables, made),
        element("main", *sections),
        verbatim("script", script),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _header(tables: OrganisationTables, made: datetime | None) -> Html:
    result = tables.result
    code = result.exit_code
    when = time_json(made)
    stamp = NOTHING if when is None else together(words(" · "), element("time", words(when), datetime=when))
    title = element(
        "h1",
        element("span", words(_SIGNS[code]), class_=f"sign {_TONES[code]}", aria_hidden="true"),
        words(" "),
        words(answer_in_words(result)),
    )
    about = element("p", words(counts_in_words(tables)), stamp, class_="counts")
    links = element("nav", element("ul", *_tiles(tables)), aria_label="Sections")
    return element("header", element("p", words("Lockwarden · organisation"), class_="kicker"), title, about, links)


def _tiles(tables: OrganisationTables) -> Iterator[Html]:
    result = tables.result
    classes = Counter(each.kind for each in tables.findings)
    unread = sum(tables.counts.get(each, 0) for each in (RepositoryAnswer.UNREADABLE, RepositoryAnswer.PARTLY))
    with_findings = tables.counts.get(RepositoryAnswer.FINDINGS, 0)
    stands_out = len({row.drift.address for row in tables.drift})
    yield _tile("findings", classes["disowned"], "disowned", tone="bad")
    yield _tile("findings", classes["unexplained"], "unexplained", tone="bad")
    yield _tile("findings", classes["error"], "other errors", tone="bad")
    yield _tile("repositories", with_findings, "repositories with findings", tone="bad")
    yield _tile("repositories", unread, "could not be read", tone="bad")
    yield _tile("repositories", tables.counts.get(RepositoryAnswer.INCOMPLETE, 0), "not fully checked", tone="open")
    yield _tile("providers", len(tables.unsigned), "unsigned providers", tone="warn")
    yield _tile("providers", len(result.reliance.lone), "used by one repository", tone="")
    yield _tile("keys", len(result.reliance.keys), "signing keys", tone="")
    yield _tile("drift", stands_out, "drifting providers", tone="warn")


def _tile(target: str, count: int, text: str, *, tone: str) -> Html:
    figure = element("strong", words(f"{count:,}"))
    link = element("a", figure, words(" "), element("span", words(text)), href=f"#{target}")
    return element("li", link, class_=tone if count and tone else "nothing" if not count else None)


def _about(result: OrganisationResult, version: str) -> Html:
    used = result.run.configuration
    lines = [f"Held against: {standards_words(result)}"]
    lines += [f"Asked: {each.id} ({each.kind}, {each.location})" for each in result.run.sources]
    if used is not None:
        files = [file_words(each) for each in used.files] or ["no CLI configuration file"]
        lines += [f"Configuration: {each}" for each in files]
        lines += [replaced_words(used)] if used.replaced_hosts else []
    lines.append(f"Made by Lockwarden {version}".rstrip())
    return element("section", element("h2", words("About this report"), id="about"), _list(lines), class_="about")


def _list(lines: Sequence[str]) -> Html:
    return element("ul", *(element("li", foreign(each)) for each in lines))
