"""The parts of the page about what speaks against what is locked, and which repositories have it."""

from __future__ import annotations

from typing import Final

from lockwarden.core.reports.bounds import first_of
from lockwarden.core.reports.html_text import (
    NOTHING,
    Html,
    element,
    foreign,
    foreign_code,
    foreign_path,
    together,
    words,
)
from lockwarden.core.reports.organisation.html_tables import (
    Anchors,
    Cell,
    HtmlColumn,
    Row,
    TableRoom,
    address_of,
    badge,
    folded,
    number,
    table,
    where_cell,
)
from lockwarden.core.reports.organisation.rows import (
    SEVERITY_SIGNS,
    OrganisationTables,
    RepositoryAnswer,
    RepositoryRow,
)
from lockwarden.core.reports.organisation.shared_findings import SharedFinding
from lockwarden.core.values.severity import Severity

_REASONS: Final = 40
_DIGITS: Final = 12
_ANSWER_TONES: Final = {
    RepositoryAnswer.UNREADABLE: "bad",
    RepositoryAnswer.PARTLY: "bad",
    RepositoryAnswer.FINDINGS: "bad",
    RepositoryAnswer.INCOMPLETE: "open",
    RepositoryAnswer.GOOD: "good",
    RepositoryAnswer.EMPTY: "quiet",
    RepositoryAnswer.NOT_LOOKED_AT: "quiet",
}
_SEVERITY_TONES: Final = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.NOTE: "quiet"}


_FINDING_CHOICES: Final = {
    "disowned": "Disowned",
    "unexplained": "Unexplained",
    "error": "Other errors",
    "warning": "Warnings",
    "open": "Not checked",
    "approved": "Approved",
}


def findings_section(tables: OrganisationTables, anchors: Anchors, room: TableRoom) -> Html:
    """What speaks against what is locked, and what was not checked."""
    columns = (
        HtmlColumn("Weight"),
        HtmlColumn("What"),
        HtmlColumn("Provider"),
        HtmlColumn("Version"),
        HtmlColumn("In words"),
        HtmlColumn("Repositories", number=True),
    )
    about = (
        "Everything that speaks against what is locked, or leaves it open: once each, with all the places that have it."
    )
    rows = (_finding(each, anchors) for each in tables.findings)
    return table(
        "findings",
        "Findings",
        about,
        columns,
        rows,
        room,
        choices=_FINDING_CHOICES,
        empty="Nothing speaks against anything.",
    )


def _finding(shared: SharedFinding, anchors: Anchors) -> Row:
    finding = shared.finding
    severity = finding.severity
    weight = badge(SEVERITY_SIGNS[severity], severity.value, _SEVERITY_TONES[severity])
    subject = finding.subject if shared.message.startswith(f"{finding.subject}: ") else ""
    told = foreign(shared.message.removeprefix(subject))
    message = element("p", foreign_code(subject), told) if subject else element("p", told)
    return Row(
        cells=(
            Cell(content=weight, sort=str(list(Severity).index(severity))),
            Cell(content=words(finding.name), head=True),
            Cell(content=NOTHING if shared.address is None else address_of(shared.address)),
            Cell(content=NOTHING if shared.version is None else foreign_code(str(shared.version))),
            Cell(content=together(message, folded("Why, and what to do", first_of(finding.lines, _REASONS)))),
            where_cell(shared.where, anchors),
        ),
        tags=(shared.kind,),
    )


def repositories_section(tables: OrganisationTables, anchors: Anchors, room: TableRoom) -> Html:
    """Every repository at its revision."""
    columns = (
        HtmlColumn("Repository"),
        HtmlColumn("Answer"),
        *(
            HtmlColumn(head, number=True)
            for head in (
                "Files",
                "Disowned",
                "Unexplained",
                "Errors",
                "Unchecked",
                "Unsigned",
                "Drifting",
                "Approved",
            )
        ),
    )
    about = (
        "Every repository at its revision: how many hashes are disowned, unexplained, unchecked or approved, how many"
        " entries are unsigned or drift, and what else is an error."
    )
    choices = {each.name.lower(): str(each) for each in RepositoryAnswer if each in tables.counts}
    rows = (_repository(each, anchors) for each in tables.repositories)
    return table("repositories", "Repositories", about, columns, rows, room, choices=choices, empty="There is none.")


def _repository(row: RepositoryRow, anchors: Anchors) -> Row:
    repository = row.repository
    order = list(RepositoryAnswer).index(row.answer)
    problems = [
        line for each in repository.problems for line in (each.message, *((f"→ {each.hint}",) if each.hint else ()))
    ]
    notes = element("ul", *(element("li", foreign(each)) for each in problems)) if problems else NOTHING
    answer = badge(row.answer.sign, row.answer, _ANSWER_TONES[row.answer])
    commit = element("p", foreign_code(repository.commit[:_DIGITS]), class_="commit") if repository.commit else NOTHING
    return Row(
        cells=(
            Cell(content=together(foreign_path(repository.label), commit), head=True, sort=repository.label),
            Cell(content=together(answer, notes, folded("Held against", row.standards)), sort=str(order)),
            number(row.files),
            number(row.disowned),
            number(row.unexplained),
            number(row.errors),
            number(row.unchecked),
            number(row.unsigned),
            number(row.drifting),
            number(row.approved),
        ),
        tags=(row.answer.name.lower(),),
        id=anchors.id(repository.label),
    )
