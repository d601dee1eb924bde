"""The tables of the page: plain ones, which a script makes sort and filter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from lockwarden.core.reports.html_text import NOTHING, Html, element, foreign_code, foreign_path, together, words
from lockwarden.core.reports.organisation.phrases import amount
from lockwarden.core.reports.organisation.shared_findings import Where
from lockwarden.core.values.addresses import ProviderAddress

MOST_NAMES: Final = 2_000
"""Repositories that one cell names; the JSON report names all."""
_MOST_PATHS: Final = 20
_SHORT: Final = 28
"""Characters of a badge that stays on one line."""
_FEW: Final = 1


class HtmlColumn(Struct, frozen=True):
    """A column: its head, and whether it is sorted by numbers."""

    head: str
    number: bool = False


class Cell(Struct, frozen=True, kw_only=True):
    """A cell; `sort` is what it is sorted by, where that is not its text."""

    content: Html
    sort: str | None = None
    number: bool = False
    head: bool = False
    """Whether it names the row."""


class Row(Struct, frozen=True, kw_only=True):
    """A row; `tags` are the choices that it belongs to."""

    cells: tuple[Cell, ...]
    tags: tuple[str, ...] = ()
    id: str | None = None


class TableRoom:
    """How many bytes tables may still take together."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, part: Html) -> bool:
        """Whether there is room for one more part."""
        self.left -= len(part.encode("utf-8", "replace"))
        return self.left >= 0


def address_of(address: ProviderAddress) -> Html:
    """A provider's address, which breaks between its parts."""
    host, namespace = f"{address.hostname.display}/", f"{address.namespace}/"
    parts = (element("span", words(host), class_="host"), element("wbr"), words(namespace), element("wbr"))
    return element("code", element("bdi", *parts, words(address.type)), class_="address")


def number(value: int) -> Cell:
    """A number; nought is quiet."""
    return Cell(
        content=words(f"{value:,}") if value else element("span", words("0"), class_="nil"),
        sort=str(value),
        number=True,
    )


def table(
    name: str,
    title: str,
    about: str,
    columns: Sequence[HtmlColumn],
    rows: Iterable[Row],
    room: TableRoom,
    *,
    choices: Mapping[str, str] | None = None,
    empty: str,
) -> Html:
    """A section with one table. What has no room is left out, and counted."""
    heading = element("h2", words(title), id=name)
    body, left_out = [], 0
    for row in rows:
        made = _row(row)
        if left_out or not room.take(made):
            left_out += 1
        else:
            body.append(made)
    if not body and not left_out:
        return element("section", heading, element("p", words(empty), class_="empty"))
    head = element("tr", *(_head(each) for each in columns))
    told = NOTHING
    if left_out:
        told = element("p", words(f"{amount(left_out, 'more row')} left out for want of room; see the JSON report."))
    listed = None if not choices else "|".join(f"{tag}={text}" for tag, text in choices.items())
    made_table = element(
        "table",
        element("caption", words(about)),
        element("thead", head),
        element("tbody", *body),
        data_choices=listed,
        data_name=title.lower(),
    )
    region = element("div", made_table, class_="scroll", role="region", aria_labelledby=name, tabindex="0")
    return element("section", heading, region, told)


def _head(column: HtmlColumn) -> Html:
    return element(
        "th",
        words(column.head),
        scope="col",
        data_kind="number" if column.number else "text",
        class_=_number(column.number),
    )


def _row(row: Row) -> Html:
    cells = (
        element("th", each.content, scope="row", data_sort=each.sort)
        if each.head
        else element("td", each.content, data_sort=each.sort, class_=_number(each.number))
        for each in row.cells
    )
    return element("tr", *cells, id=row.id, data_tags=" ".join(row.tags) or None)


def _number(is_number: bool) -> str | None:
    return "number" if is_number else None


def badge(sign: str, text: str, tone: str) -> Html:
    """A sign and words that belong together, in a tone."""
    size = " short" if len(text) <= _SHORT else ""
    return element(
        "span", element("span", words(sign), aria_hidden="true"), words(f" {text}"), class_=f"badge {tone}{size}"
    )


class Anchors:
    """Where the page has the row of each repository."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._ids = {label: f"r{number}" for number, label in enumerate(labels, start=1)}

    def id(self, label: str) -> str:
        """The id of its row."""
        return self._ids[label]

    def link(self, label: str) -> Html:
        """A link to its row."""
        return element("a", foreign_path(label), href=f"#{self._ids[label]}")


def names_cell(labels: Sequence[str], anchors: Anchors) -> Cell:
    """Repositories: one by its name, several by their number, with their names to be opened."""
    return _several(len(labels), [anchors.link(each) for each in labels[:MOST_NAMES]])


def where_cell(where: Sequence[Where], anchors: Anchors) -> Cell:
    """The same with the lock files."""
    by_label: dict[str, list[Where]] = {}
    for each in where:
        by_label.setdefault(each.label, []).append(each)
    return _several(len(by_label), [_places(label, by_label[label], anchors) for label in list(by_label)[:MOST_NAMES]])


def _places(label: str, places: Sequence[Where], anchors: Anchors) -> Html:
    told = [
        foreign_code(each.path if each.line is None else f"{each.path}:{each.line}") for each in places[:_MOST_PATHS]
    ]
    if len(places) > _MOST_PATHS:
        told.append(words(f"and {len(places) - _MOST_PATHS} more"))
    return together(anchors.link(label), *(together(words(" "), each) for each in told))


def _several(count: int, names: Sequence[Html]) -> Cell:
    if count <= _FEW:
        return Cell(content=together(*names), sort=str(count), number=False)
    items = [element("li", each) for each in names]
    if count > len(names):
        items.append(element("li", words(f"and {count - len(names):,} more; see the JSON report")))
    summary = element("summary", words(amount(count, "repository", "repositories")))
    return Cell(content=element("details", summary, element("ul", *items)), sort=str(count))


def folded(summary: str, lines: Iterable[str]) -> Html:
    """Lines that can be opened; nothing where there are none."""
    items = [element("li", words(each)) for each in lines]
    return element("details", element("summary", words(summary)), element("ul", *items)) if items else NOTHING
