"""The report as SARIF 2.1.0, the interchange format of static analysis: OASIS, errata 01 of August 2023.

What tools for reviewers make of it decided some of its shape. Most show only results, never notifications, so that what
stayed unchecked is a result with the level of a warning; of what a run could not ask there is a notification as well.
A recorded approval suppresses its result and makes it a note, for tools that do not know suppressions.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from lockwarden.core.reports.configuration_lines import ConfigurationJson
from lockwarden.core.reports.failures import Waiting, findings_once, paths_of
from lockwarden.core.reports.findings import Finding, findings_of_run, release_of
from lockwarden.core.reports.in_several_files import MOST_NAMED
from lockwarden.core.reports.json_text import Json, json_text
from lockwarden.core.reports.located_module_findings import LocatedModuleFinding, findings_of_modules, lock_line
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.reports.result import FileResult, RunResult, UsedConfiguration
from lockwarden.core.reports.sarif_results import (
    MAX_TEXT,
    Located,
    artifact_uri,
    merged,
    message_json,
    result_json,
)
from lockwarden.core.reports.standards_lines import by_standards
from lockwarden.core.reports.unanswered import unanswered
from lockwarden.core.review.exit_codes import ExitCode, in_words
from lockwarden.core.review.module_review import placed
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.values.printable import reveal
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS: Final = 5000
"""GitHub shows 5,000 results of a run and refuses a run of more than 25,000; here the loudest come first."""
MAX_NOTIFICATIONS: Final = 1000
MAX_SIZE: Final = 6_000_000
"""Characters of all messages together, each of which may need six bytes."""


def sarif_report(result: RunResult, *, version: str) -> str:
    """The whole report as one SARIF log with one run, indented, with a line feed at the end. It is plain ASCII."""
    of_modules = () if result.modules is None else findings_of_modules(result.modules)
    of_files: Sequence[Located] = findings_once(findings_of_run(result), result.files).told
    told = _bounded(merged(_loudest_first((*of_files, *of_modules)) if of_modules else of_files))
    rules = _rules(told)
    room = min(MAX_TEXT, MAX_SIZE // max(1, len(told)))
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    run: Json = {
        "tool": {"driver": {"name": "Lockwarden", "version": version, "rules": rules}},
        "invocations": [_invocation(result)],
        "results": [result_json(each, rule_index=places[each.finding.code], limit=room) for each in told],
        "properties": {"standards": _standards(result)},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _loudest_first(told: Iterable[Located]) -> Sequence[Located]:
    """By severity; of equals in the order in which they came."""
    return sorted(told, key=lambda each: list(Severity).index(each.finding.severity))


def rooted(
    result: RunResult, root: str, directory: str, without_links: Callable[[str], str] = posixpath.normpath
) -> RunResult:
    """The result with its paths as tools take them: relative to the repository's root, wherever the command ran.

    `directory` is where the paths start; both are absolute and without links. `without_links` leads a path to the
    folder that it means, by whichever links it was named. What lies outside stays as it is.
    """

    def path_of(path: str) -> str:
        whole = posixpath.join(directory, path)
        places = (without_links(whole), posixpath.normpath(whole))
        inside = (posixpath.relpath(each, root) for each in places if posixpath.commonpath((root, each)) == root)
        return next(inside, path)

    files = tuple(replace(each, path=path_of(each.path)) for each in result.files)
    modules = None if result.modules is None else placed(result.modules, path_of)
    return replace(result, files=files, modules=modules)


def _standards(result: RunResult) -> list[Json]:
    """What the lock files were held against, each distinct set once."""
    locks = () if result.modules is None else result.modules.locks
    return [
        *(
            {"text": reveal(line), "uris": [artifact_uri(path) for path in paths]}
            for line, paths in by_standards(result).items()
        ),
        *({"text": reveal(f"module lock {lock_line(each)}"), "uris": [artifact_uri(each.path)]} for each in locks),
    ]


def _bounded(told: Sequence[Located]) -> Sequence[Located]:
    """The loudest, and one more that tells how many are left out, as loud as the loudest of those."""
    if len(told) <= MAX_RESULTS:
        return told
    kept, cut = told[: MAX_RESULTS - 1], told[MAX_RESULTS - 1 :]
    more = Finding(
        code=ProblemCode.MORE_RESULTS,
        severity=cut[0].finding.severity,
        message=f"{len(cut)} more results are left out here, the loudest of them with the severity"
        f" “{cut[0].finding.severity}”",
        lines=("→ “lockwarden check --format json” has all of them",),
    )
    return (*kept, LocatedModuleFinding(path=cut[0].path, finding=more))


def _rules(told: Iterable[Located]) -> list[Json]:
    """One rule for each code that has a result, in the order of the codes; its level is that of its loudest result."""
    loudest: dict[ProblemCode, Severity] = {}
    for each in told:
        code, severity = each.finding.code, each.finding.severity
        loudest[code] = min(loudest.get(code, severity), severity, key=list(Severity).index)
    return [_rule(code, loudest[code]) for code in sorted(loudest)]


def _rule(code: ProblemCode, severity: Severity) -> Json:
    meaning = meaning_of(code)
    return {
        "id": code,
        "shortDescription": message_json(f"{meaning.name[:1].upper()}{meaning.name[1:]}"),
        "fullDescription": message_json(meaning.help),
        "help": message_json(meaning.help),
        "defaultConfiguration": {"level": severity.value},
        "properties": {"tags": ["security", "supply-chain"]},
    }


def _invocation(result: RunResult) -> Json:
    """How the run went. It was successful when everything could be read and asked, whatever that brought to light."""
    files = result.files
    codes = [each.exit_code for each in files]
    of_modules = () if result.modules is None else findings_of_modules(result.modules)
    unreadable = any(code is ExitCode.UNUSABLE_INPUT for code in (*codes, result.exit_code))
    incomplete = (
        any(provider.incomplete for provider in _providers(files))
        or any(code is ExitCode.INCOMPLETE for code in codes)
        or any(each.finding.is_open for each in of_modules)
    )
    return {
        "executionSuccessful": not (unreadable or incomplete),
        "exitCode": int(result.exit_code),
        "exitCodeDescription": in_words(result.exit_code),
        "toolExecutionNotifications": [
            *_notifications(files),
            *({"level": "note", "message": message_json(each.message)} for each in result.left_out),
            *({"level": "note", "message": message_json(each)} for each in _not_looked_into(result)),
        ],
        **({} if result.configuration is None else {"properties": _properties(result.configuration)}),
    }


def _not_looked_into(result: RunResult) -> Iterator[str]:
    for each in () if result.modules is None else result.modules.listings:
        if each.not_installed:
            yield f"modules of {each.path}: {each.not_installed} not installed, and not looked into"


def _properties(used: UsedConfiguration) -> Json:
    return {"configuration": ConfigurationJson.of(used)}


def _providers(files: Iterable[FileResult]) -> Iterator[ProviderReview]:
    for each in files:
        if each.review is not None:
            yield from each.review.providers


def _notifications(files: Iterable[FileResult]) -> list[Json]:
    """The first of them, and how many more there are."""
    told = [*_of_files(files)]
    kept = told[:MAX_NOTIFICATIONS]
    if more := len(told) - len(kept):
        kept.append({"level": "warning", "message": message_json(f"{more} more notifications are left out here")})
    return kept


def _of_files(files: Iterable[FileResult]) -> Iterator[Json]:
    """What could not be read or asked. A question that stayed open for several providers is told once, with these."""
    waits: dict[str, list[Waiting]] = {}
    for file in files:
        if file.unreadable:
            text = f"{file.path} cannot be read: {'; '.join(each.message for each in file.problems)}"
            yield _notification("error", text, [file.path])
            continue
        for provider in () if file.review is None else file.review.providers:
            if provider.waiting:
                yield _notification("warning", f"{release_of(provider)}: the audit has not ended", [file.path])
            for question in unanswered(provider, told=()):
                waits.setdefault(question, []).append((file, provider))
    for question, waiting in waits.items():
        releases = tuple(dict.fromkeys(release_of(provider) for _, provider in waiting))
        alone = len(releases) == 1
        text = f"{releases[0]}: {question}" if alone else f"{question}; for {', '.join(releases)}"
        yield _notification("warning", text, paths_of(waiting)[:MOST_NAMED])


def _notification(level: str, text: str, paths: Iterable[str]) -> Json:
    where = [{"physicalLocation": {"artifactLocation": {"uri": artifact_uri(path)}}} for path in paths]
    return {"level": level, "message": message_json(text), "locations": where}
