"""The report about many repositories as one HTML file: it loads nothing, and needs no network and no script to be read.

Whatever comes from repositories, registries and keys is text in it. Of scripts and styles a content security policy
lets through only those that come with the program, by their digests; so nothing that got in by a mistake would run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from lockwarden.core.reports.bounds import first_of
from lockwarden.core.reports.configuration_lines import file_words, replaced_words
from lockwarden.core.reports.html_text import (
    NOTHING,
    Html,
    element,
    foreign,
    foreign_code,
    foreign_path,
    source_of,
    together,
    verbatim,
    words,
)
from lockwarden.core.reports.json_values import time_json
from lockwarden.core.reports.organisation.html_tables import (
    Anchors,
    Cell,
    Column,
    Room,
    Row,
    address_of,
    folded,
    names_cell,
    number,
    table,
    where_cell,
)
from lockwarden.core.reports.organisation.phrases import (
    amount,
    answer_in_words,
    counts_in_words,
    drift_words,
    standards_words,
    trust_words,
)
from lockwarden.core.reports.organisation.result import OrganisationResult
from lockwarden.core.reports.organisation.rows import (
    SEVERITY_SIGNS,
    DriftRow,
    OrganisationTables,
    RepositoryAnswer,
    RepositoryRow,
)
from lockwarden.core.reports.organisation.shared_findings import SharedFinding
from lockwarden.core.review.across_repositories import KeyReliance, ProviderUse, ReleaseUse, Signing
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeyState

MAX_SIZE: Final = 45_000_000
_REASONS: Final = 40
_USER_IDS: Final = 5
_DIGITS: Final = 12
_SHORT: Final = 28
"""Characters of a badge that stays on one line."""
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
_SIGNING: Final = {Signing.SIGNED: ("✓", "good"), Signing.UNSIGNED: ("▲", "warn"), Signing.UNKNOWN: ("?", "open")}
_TITLE: Final = "Lockwarden: what the organisation locks"


def html_organisation(
    tables: OrganisationTables, *, style: str, script: str, version: str = "", made: datetime | None = None
) -> str:
    """The whole page. `style` and `script` are those that come with the program; `made` is when the run was."""
    result = tables.result
    anchors = Anchors(row.repository.label for row in tables.repositories)
    room = Room(MAX_SIZE)
    sections = (
        _findings(tables, anchors, room),
        _repositories(tables, anchors, room),
        _providers(tables, anchors, room),
        _keys(result, room),
        _drift(tables, anchors, room),
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
    classes = Counter(map(_class_of, tables.findings))
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


_FINDING_CHOICES: Final = {
    "disowned": "Disowned",
    "unexplained": "Unexplained",
    "error": "Other errors",
    "warning": "Warnings",
    "open": "Not checked",
    "approved": "Approved",
}


def _findings(tables: OrganisationTables, anchors: Anchors, room: Room) -> Html:
    columns = (
        Column("Weight"),
        Column("What"),
        Column("Provider"),
        Column("Version"),
        Column("In words"),
        Column("Repositories", number=True),
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
    weight = _badge(SEVERITY_SIGNS[severity], severity.value, _SEVERITY_TONES[severity])
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
        tags=(_class_of(shared),),
    )


def _class_of(shared: SharedFinding) -> str:
    finding = shared.finding
    if finding.approval is not None:
        return "approved"
    if finding.code in {ProblemCode.DISOWNED, ProblemCode.UNEXPLAINED}:
        return finding.code.value
    return "open" if finding.is_open else finding.severity.value


def _repositories(tables: OrganisationTables, anchors: Anchors, room: Room) -> Html:
    columns = (
        Column("Repository"),
        Column("Answer"),
        *(
            Column(head, number=True)
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
    badge = _badge(row.answer.sign, row.answer, _ANSWER_TONES[row.answer])
    commit = element("p", foreign_code(repository.commit[:_DIGITS]), class_="commit") if repository.commit else NOTHING
    return Row(
        cells=(
            Cell(content=together(foreign_path(repository.label), commit), head=True, sort=repository.label),
            Cell(content=together(badge, notes, folded("Held against", row.standards)), sort=str(order)),
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


_PROVIDER_CHOICES: Final = {
    "lone": "Used by one repository only",
    "versions": "Locked in several versions",
    "unsigned": "Unsigned",
    "unknown": "Signatures not known",
}


def _providers(tables: OrganisationTables, anchors: Anchors, room: Room) -> Html:
    columns = (
        Column("Provider"),
        Column("Versions", number=True),
        Column("Signed"),
        Column("Repositories", number=True),
        Column("Lock files", number=True),
        Column("Which version where"),
    )
    about = "Every provider that is locked, who signs it, and which repositories use it."
    names = {each.key.fingerprint: each.key.key_id for each in tables.result.reliance.keys}
    rows = (_provider(each, anchors, names) for each in tables.result.reliance.providers)
    return table(
        "providers", "Providers", about, columns, rows, room, choices=_PROVIDER_CHOICES, empty="No provider is locked."
    )


def _provider(use: ProviderUse, anchors: Anchors, key_ids: dict[str, str]) -> Row:
    sign, tone = _SIGNING[use.signing]
    tags = {
        "lone": use.lone,
        "versions": len(use.releases) > 1,
        "unsigned": use.signing is Signing.UNSIGNED,
        "unknown": use.signing is Signing.UNKNOWN,
    }
    return Row(
        cells=(
            Cell(content=address_of(use.address), head=True),
            number(len(use.releases)),
            Cell(content=_badge(sign, use.signing, tone)),
            number(len(use.repositories)),
            number(use.files),
            Cell(
                content=element("ul", *(_release(each, anchors, key_ids) for each in use.releases), class_="releases")
            ),
        ),
        tags=tuple(tag for tag, so in tags.items() if so),
    )


def _release(release: ReleaseUse, anchors: Anchors, key_ids: dict[str, str]) -> Html:
    signers = ", ".join(key_ids[each] for each in release.signers if each in key_ids)
    by = f" signed by {signers}" if signers else f" {release.signing}"
    return element(
        "li", foreign_code(str(release.version)), words(by), words(" "), names_cell(release.labels, anchors).content
    )


def _keys(result: OrganisationResult, room: Room) -> Html:
    columns = (
        Column("Key ID"),
        Column("Says it is"),
        Column("State"),
        Column("Policy"),
        *(
            Column(head, number=True)
            for head in ("Repositories", "Lock files", "Providers", "Versions", "Locked hashes")
        ),
    )
    about = "The GPG keys whose signatures stand behind what is locked. Who a key says it is, is its maker's claim."
    choices = {"untrusted": "Not named by a policy", "stale": "Expired or revoked"}
    rows = (_key(each) for each in result.reliance.keys)
    return table(
        "keys", "Signing keys", about, columns, rows, room, choices=choices, empty="No key stands behind anything."
    )


def _key(reliance: KeyReliance) -> Row:
    key = reliance.key
    good = key.state is KeyState.VALID
    providers = folded(amount(len(reliance.providers), "provider"), map(str, reliance.providers))
    tags = {"untrusted": not reliance.trusted, "stale": not good}
    names = [element("li", foreign(each)) for each in key.user_ids[:_USER_IDS]]
    if len(key.user_ids) > _USER_IDS:
        names.append(element("li", words(f"and {len(key.user_ids) - _USER_IDS} more")))
    return Row(
        cells=(
            Cell(
                content=together(
                    element("code", words(key.key_id)),
                    element("p", words(fingerprint_groups(key.fingerprint)), class_="fingerprint"),
                ),
                head=True,
                sort=key.key_id,
            ),
            Cell(content=element("ul", *names) if names else words("nobody")),
            Cell(content=_badge("✓" if good else "▲", key.state, "good" if good else "warn")),
            Cell(content=foreign(trust_words(reliance))),
            number(len(reliance.repositories)),
            number(reliance.files),
            Cell(content=providers, sort=str(len(reliance.providers)), number=True),
            number(reliance.releases),
            number(reliance.hashes),
        ),
        tags=tuple(tag for tag, so in tags.items() if so),
    )


def _drift(tables: OrganisationTables, anchors: Anchors, room: Room) -> Html:
    columns = (
        Column("Provider"),
        Column("Version"),
        Column("Differs in"),
        Column("Hashes", number=True),
        Column("Lacks", number=True),
        Column("Repositories", number=True),
    )
    about = (
        "Providers that are locked in more than one way, but for other h1 hashes, which are ordinary. It objects to"
        " nothing."
    )
    rows = (_way(each, anchors) for each in tables.drift)
    choices = {"odd": "What stands out"}
    return table(
        "drift", "Drift", about, columns, rows, room, choices=choices, empty="Every provider is locked in one way."
    )


def _way(row: DriftRow, anchors: Anchors) -> Row:
    form = row.form
    odd = form.stands_out
    return Row(
        cells=(
            Cell(content=address_of(row.drift.address), head=True),
            Cell(content=foreign_code(str(form.version))),
            Cell(content=_badge("▲" if odd else "·", drift_words(form), "warn" if odd else "quiet")),
            number(len(form.hashes)),
            number(len(row.drift.lacking(form))),
            names_cell(row.labels, anchors),
        ),
        tags=("odd",) if odd else (),
    )


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


def _badge(sign: str, text: str, tone: str) -> Html:
    size = " short" if len(text) <= _SHORT else ""
    return element(
        "span", element("span", words(sign), aria_hidden="true"), words(f" {text}"), class_=f"badge {tone}{size}"
    )
