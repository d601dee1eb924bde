"""The audit of a registry's metadata: each file, all against each other, the lists, the keys, and a sample."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from lockwarden.core.engine.registries.metadata_files import FoundMetadataFile, metadata_files, read_file
from lockwarden.core.engine.registries.registry_keys import key_findings
from lockwarden.core.registry_metadata.across import AcrossFiles
from lockwarden.core.registry_metadata.canonical import is_canonical, odd_keys
from lockwarden.core.registry_metadata.checks import MetadataFile, form_findings, listed_findings
from lockwarden.core.registry_metadata.findings import MetadataFinding
from lockwarden.core.registry_metadata.journal_lines import JournalLine, State
from lockwarden.core.registry_metadata.model import package_key, read_metadata
from lockwarden.core.registry_metadata.plan import Counts, PlannedPackage
from lockwarden.core.registry_metadata.sampling import CONFIDENCE, Sampled, Sampler, most_wrong
from lockwarden.core.registry_metadata.spans import spans_of
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import MetadataError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_BLACKLIST: Final = "versions_blacklist.json"
_DIFFERS: Final = frozenset({State.CONFLICT, State.CHANGED, State.CORRUPT})


class MetadataAudit:
    """One audit of a folder; its result grows while files are read and the sample is looked at."""

    def __init__(self, folder: Path, *, shown: str, now: datetime, sampler: Sampler | None = None) -> None:
        """`shown` is what people call the folder, `now` is in UTC. Raises InputError when it is no registry's."""
        self._folder = folder
        self._shown = shown
        self._now = now
        self._files = metadata_files(folder)
        self._root = _root(folder, self._files)
        self._counts = Counts()
        self._sampler = sampler
        self._problems: dict[str, list[FileProblem]] = {}
        self._checked: dict[str, str] = {}
        self._own: list[FileProblem] = []

    def check(self, verifier: SignatureVerifier | None) -> None:
        """Read everything and hold it against the rules; nobody is asked. No `verifier`, no look into keys."""
        across = AcrossFiles()
        blacklist = _blacklist(self._root)
        for file in self._files:
            self._check(file, across, blacklist.get(file.provider, ()))
        providers = {each.provider for each in self._files if each.name}
        for path, finding in key_findings(self._root, providers, verifier):
            if path is None:
                self._own.append(_problem(finding, None))
            else:
                self._add(self._name(path), "key file", [_problem(finding, None)])

    def _check(self, file: FoundMetadataFile, across: AcrossFiles, blacklisted: Iterable[str]) -> None:
        name = self._name(file.path)
        try:
            data = read_file(file.path)
            metadata = read_metadata(data, name)
        except MetadataError as error:
            unread = FileProblem(
                code=ProblemCode.METADATA_UNREADABLE, severity=Severity.ERROR, message=error.message, hint=error.hint
            )
            self._add(name, "", [unread])
            return
        self._counts.add(metadata)
        rules = MetadataFile(metadata, namespace=file.namespace, name=file.name, now=self._now)
        canonical = is_canonical(data)
        findings = [
            *form_findings(odd_keys(data), canonical=canonical),
            *rules.findings(),
            *listed_findings(metadata, blacklisted),
            *across.findings(name, metadata),
        ]
        if findings:
            words = f"{counted(len(metadata.listed), 'version')}"
            self._add(name, words, _placed(findings, data, name))
        if self._sampler is not None:
            self._sampler.add(name, file.provider, metadata)

    def _add(self, name: str, checked: str, problems: Sequence[FileProblem]) -> None:
        self._problems.setdefault(name, []).extend(problems)
        self._checked.setdefault(name, checked)

    def _name(self, path: Path) -> str:
        if not path.is_relative_to(self._folder):
            return path.as_posix()  # a key file beside the part of the registry that was named
        below = path.relative_to(self._folder).as_posix()
        return f"{self._shown.rstrip('/')}/{below}" if self._shown not in {"", "."} else below

    def add_sample(self, sample: Sequence[Sampled], lines: Mapping[str, JournalLine], seed: str) -> None:
        """Take in what became of a sample that was fetched again, by keys of packages."""
        agreeing = differing = 0
        open_: list[str] = []
        for each in sample:
            line = lines.get(package_key(each.url, each.shasum))
            if line is not None and line.state is State.DONE:
                agreeing += 1
                continue
            about = f"{each.subject.version} {each.subject.platform}"
            if line is not None and line.state in _DIFFERS:
                differing += 1
                finding = MetadataFinding(
                    code=ProblemCode.METADATA_SAMPLE_DIFFERS,
                    severity=Severity.ERROR,
                    message=f"{about}: fetched again, it is {line.state}: {line.reason}",
                    hint="do anew all that was written by the same run as this value",
                )
                self._add(each.path, "sampled", [_problem(finding, None)])
            else:
                why = "it was not looked at" if line is None else f"{line.state}: {line.reason}"
                open_.append(f"{each.subject.provider} {about}: {why}")
        self._own += _of_sample(agreeing, differing, open_, seed, 0 if self._sampler is None else self._sampler.total)

    def result(self) -> RunResult:
        """All that was found, ready to be told: the registry first, then each file that something is told of."""
        counts = self._counts
        words = (
            f"{counted(counts.files, 'metadata file')}, {counted(counts.versions, 'version')}"
            f" ({counts.filled_versions:,} filled, {counts.partial_versions:,} partly),"
            f" {counted(counts.targets, 'target')}"
        )
        files = [FileResult(path=self._shown or ".", problems=tuple(self._own), checked=words)]
        files += (
            FileResult(path=name, problems=tuple(problems), checked=self._checked[name])
            for name, problems in self._problems.items()
        )
        return RunResult(sources=(), files=tuple(files))


def packages_of(sample: Iterable[Sampled]) -> tuple[PlannedPackage, ...]:
    """What has to be fetched again for a sample."""
    return tuple(
        PlannedPackage(
            key=package_key(each.url, each.shasum),
            url=each.url,
            shasum=each.shasum,
            subjects=(each.subject,),
            claims=((each.h1, each.size),),
            estimate=each.size,
        )
        for each in sample
    )


def _of_sample(agreeing: int, differing: int, open_: Sequence[str], seed: str, total: int) -> Iterator[FileProblem]:
    looked = agreeing + differing
    if looked:
        share = most_wrong(differing, looked)
        yield FileProblem(
            code=ProblemCode.METADATA_SAMPLED,
            severity=Severity.NOTE,
            message=f"{agreeing:,} of {counted(looked, 'package')} that were fetched again, of {total:,} that are"
            f" filled, are as the metadata says (seed {seed}): with {CONFIDENCE:.0%} confidence at most {share:.2%} of"
            " all are wrong",
        )
    if not looked and not open_:
        yield FileProblem(
            code=ProblemCode.METADATA_SAMPLE_OPEN,
            severity=Severity.WARNING,
            message="no package could be drawn: none that was read has a digest, an h1 and a size",
            hint="fill the metadata first, with lockwarden registry backfill",
        )
    if open_:
        more = f"; and {len(open_) - 1:,} more" if len(open_) > 1 else ""
        yield FileProblem(
            code=ProblemCode.METADATA_SAMPLE_OPEN,
            severity=Severity.WARNING,
            message=f"{counted(len(open_), 'package')} of the sample could not be checked: {open_[0]}{more}",
            hint="draw the sample again with the same seed when their servers answer",
        )


def _placed(findings: Sequence[MetadataFinding], data: bytes, name: str) -> list[FileProblem]:
    """The findings as problems with their lines, where the file's lines are known without doubt."""
    try:
        spans = spans_of(data, name)
    except MetadataError as error:
        twice = MetadataFinding(
            code=ProblemCode.METADATA_FORM, severity=Severity.ERROR, message=error.message, hint=error.hint
        )
        return [_problem(each, None) for each in (twice, *findings)]
    problems = []
    for each in findings:
        line = None
        if each.version is not None:
            version = spans[each.version]
            line = version.line if each.target is None else version.targets[each.target].line
        problems.append(_problem(each, line))
    return problems


def _problem(finding: MetadataFinding, line: int | None) -> FileProblem:
    return FileProblem(
        code=finding.code, severity=finding.severity, message=finding.message, hint=finding.hint, line=line
    )


def _root(folder: Path, files: Iterable[FoundMetadataFile]) -> Path:
    """The registry's own folder, also where a part of it was named, or a folder around it."""
    first = next((each.path for each in files if each.name), folder)
    for place in first.parents:
        if place.name.lower() == "providers":
            return place.parent
    return folder


def _blacklist(root: Path) -> Mapping[str, list[str]]:
    """The versions that must not be added, by provider; a file that is not there lists none. Raises MetadataError."""
    path = root / _BLACKLIST
    found: defaultdict[str, list[str]] = defaultdict(list)
    if not os.path.lexists(path):
        return found
    try:
        document: Any = msgspec.json.decode(read_file(path))
        for entry in document.get("providers") or ():
            found[f"{entry['namespace']}/{entry['name']}".lower()].append(str(entry["version"]))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, AttributeError, KeyError, TypeError) as error:
        raise MetadataError(f"{path} is not a list of versions that must not be added: {error}") from error
    return found
