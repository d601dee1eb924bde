"""Writes down what is asked and heard while an audit runs, and makes the record of it.

Secrets are in memory only, until the record is made: it holds reduced URLs, and no content in which a secret stands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from lockwarden.core.bundles.archive import written
from lockwarden.core.bundles.model import (
    SCHEMA,
    AnswerRecord,
    BundleRecord,
    DocumentRecord,
    ErrorRecord,
    FolderRecord,
    HeardRecord,
    PackageRecord,
    PlanRecord,
    PlatformsRecord,
    ReleaseRecord,
    SourceRecord,
)
from lockwarden.core.bundles.reducing import (
    Secrets,
    bare,
    numbered,
    plain_url,
    reduced_body,
    reduced_reference,
    secrets_in,
    without_places,
)
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.tape import DocumentQuestion
from lockwarden.core.store.known_facts import KnownPackage, WrittenPackage
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import InputError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

_HEADERS: Final = ("content-length", "docker-content-digest", "link")
"""Those that some reader of answers looks at, beside the content type."""
_EXACT: Final = frozenset({Stage.SUMS, Stage.SIGNATURE})
"""Documents that are worth nothing unless every byte is there: what would have to be taken out of them stays out."""
_MOST: Final = 16
"""Different answers to one question that are written down."""
_WITHHELD: Final = "the answer is not in the evidence, since it holds what must not leave the machine that got it"

DocumentOutcome = HttpDocument | SourceError
_T = TypeVar("_T", bound=msgspec.Struct)


@dataclass
class Recorder:
    """Hears what an audit asks and is told, and makes a bundle of it.

    `now` gives the time. `roots` are folders of this machine: no word of the bundle names them.
    """

    now: Callable[[], datetime]
    roots: tuple[str, ...] = ()
    replays: Final = False
    _plans: dict[Client, dict[tuple[str, str], ReleaseRecord]] = field(default_factory=dict)
    sources: dict[str, SourceRecord] = field(default_factory=dict)
    folders: dict[str, FolderRecord] = field(default_factory=dict)
    _documents: dict[tuple[str, str, str, str], tuple[DocumentQuestion, list[DocumentOutcome]]] = field(
        default_factory=dict
    )
    _packages: dict[str, KnownPackage | SourceError] = field(default_factory=dict)
    _secrets: set[str] = field(default_factory=set)

    async def document(self, question: DocumentQuestion, ask: Callable[[], Awaitable[HttpDocument]]) -> HttpDocument:
        """Ask, and write down what was heard."""
        self._secrets |= question.secrets
        try:
            document = await ask()
        except SourceError as error:
            self._hear(question, error)
            raise
        self._hear(question, document)
        return document

    def _hear(self, question: DocumentQuestion, outcome: DocumentOutcome) -> None:
        key = (plain_url(question.url), question.method, question.accept, question.client)
        _, outcomes = self._documents.setdefault(key, (question, []))
        if len(outcomes) < _MOST and (not outcomes or _told(outcomes[-1]) != _told(outcome)):
            outcomes.append(outcome)

    async def package(self, url: str, stage: Stage, fetch: Callable[[], Awaitable[KnownPackage]]) -> KnownPackage:  # noqa: ARG002
        """Find out what a package is, and write it down."""
        try:
            package = await fetch()
        except SourceError as error:
            self._packages[plain_url(url)] = error
            raise
        self._packages[plain_url(url)] = package
        return package

    def plan(self, client: Client, release: ReleaseRecord) -> None:
        """Hear of a release that is to be audited."""
        self._plans.setdefault(client, {})[release.address, release.version] = release

    def sent(self, secret: str) -> None:
        """Note a secret that was sent. A document in which it stands is not recorded."""
        self._secrets.add(secret)

    def error_record(self, error: SourceError) -> ErrorRecord:
        """An error as it is written."""
        return ErrorRecord.of(error, without_places(error.message, self.roots), without_places(error.hint, self.roots))

    def package_record(self, place: str, outcome: KnownPackage | SourceError) -> PackageRecord:
        """What came of looking at a package, as it is written."""
        if isinstance(outcome, SourceError):
            return PackageRecord(place=place, error=self.error_record(outcome))
        when = outcome.computed_on or self.now().astimezone(UTC)
        known = KnownPackage(
            zh=outcome.zh,
            size=outcome.size,
            facts=outcome.facts,
            archive_error=outcome.archive_error,
            computed_on=when,
        )
        return PackageRecord(place=place, package=WrittenPackage.of(known))

    def bundle(
        self,
        *,
        tool: str,
        lock_files: Iterable[str],
        platforms: PlatformsRecord,
        services: Mapping[Client, Mapping[str, Mapping[str, str | None]]],
    ) -> bytes:
        """The bytes of a bundle with all that was heard.

        `lock_files` are SHA-256 of the files that it was made for. Raises BundleTooLargeError, and InputError where the
        bundle would hold a secret all the same.
        """
        asked = {url for url, *_ in self._documents} | set(self._packages)
        secrets = Secrets({*self._secrets, *(secret for url in asked for secret in secrets_in(url))})
        names = numbered(self._led_to(asked))
        contents: dict[str, bytes] = {}
        documents = [
            DocumentRecord(
                url=names[url],
                method=method,
                accept=accept,
                client=client,
                heard=[self._heard(question, each, names, secrets, contents) for each in outcomes],
            )
            for (url, method, accept, client), (question, outcomes) in self._documents.items()
        ]
        packages = [self.package_record(names[url], outcome) for url, outcome in self._packages.items()]
        record = BundleRecord(
            schema=SCHEMA,
            tool=tool,
            made=int(self.now().timestamp()),
            lock_files=sorted(set(lock_files)),
            platforms=platforms,
            sources=list(self.sources.values()),
            plans=[
                PlanRecord(client=client, releases=[planned[key] for key in sorted(planned)])
                for client, planned in sorted(self._plans.items())
            ],
            services=(offered := _written_services(services.get(Client.OPENTOFU, {}))),
            services_to_terraform={
                host: named
                for host, named in _written_services(services.get(Client.TERRAFORM, {})).items()
                if named != offered.get(host)
            },
            documents=_each_once(documents),
            packages=_each_once(packages),
            folders=[_in_order(self.folders[id_]) for id_ in sorted(self.folders)],
        )
        data = written(record, contents)
        if secrets.stand_in(data):  # in a name of a source or the like, where nothing can be left out
            raise InputError(
                "the evidence would hold a secret that was sent, so it was not written",
                hint="take secrets out of the names and addresses of sources",
            )
        return data

    def _led_to(self, asked: Iterable[str]) -> dict[str, Hashable]:
        """What each URL led to, in whichever way it was asked."""
        heard: dict[str, list[Hashable]] = {url: [] for url in asked}
        for (url, method, accept, client), (_, outcomes) in self._documents.items():
            heard[url].append((method, accept, client, tuple(map(_told, outcomes))))
        for url, package in self._packages.items():
            heard[url].append(str(package) if isinstance(package, SourceError) else package.zh.text)
        return {url: tuple(sorted(outcomes, key=repr)) for url, outcomes in heard.items()}

    def _heard(
        self,
        question: DocumentQuestion,
        outcome: DocumentOutcome,
        names: Mapping[str, str],
        secrets: Secrets,
        contents: dict[str, bytes],
    ) -> HeardRecord:
        """One outcome as it is written; its body goes to `contents`. What holds a secret all the same is withheld."""
        if isinstance(outcome, SourceError):
            heard, body = HeardRecord(error=self.error_record(outcome)), b""
        else:
            body = reduced_body(outcome.body, outcome.url, names)
            exact = question.stage in _EXACT or "docker-content-digest" in outcome.headers
            if exact and body != outcome.body:
                return self._withheld(question)
            heard = HeardRecord(answer=self._answer(outcome, body, names))
        if secrets.stand_in(body) or secrets.stand_in(msgspec.json.encode(heard)):
            return self._withheld(question)
        if heard.answer is not None:
            contents[heard.answer.body] = body
        return heard

    def _answer(self, document: HttpDocument, body: bytes, names: Mapping[str, str]) -> AnswerRecord:
        kept = {name: document.headers[name] for name in _HEADERS if name in document.headers}
        if "link" in kept:
            kept["link"] = _reduced_link(kept["link"], document.url, names)
        return AnswerRecord(
            status=document.status,
            url=bare(document.url),
            body=hashlib.sha256(body).hexdigest(),
            sha256=document.sha256,
            content_type=document.content_type,
            headers=kept,
            redirects=[bare(each) for each in document.redirects],
            credentials_sent=document.credentials_sent,
            said=document.said,
        )

    def _withheld(self, question: DocumentQuestion) -> HeardRecord:
        error = NoAnswerError(_WITHHELD, stage=question.stage, code=ProblemCode.NOT_IN_EVIDENCE)
        return HeardRecord(error=self.error_record(error))


def _told(outcome: DocumentOutcome) -> tuple[Hashable, ...]:
    """What makes two answers the same."""
    if isinstance(outcome, SourceError):
        return type(outcome).__name__, outcome.message, str(outcome.code)
    headers = tuple((name, outcome.headers[name]) for name in _HEADERS if name in outcome.headers)
    return "answer", outcome.status, outcome.sha256, outcome.content_type, bare(outcome.url), headers, outcome.said


def _reduced_link(header: str, base: str, names: Mapping[str, str]) -> str:
    parts = header.split("<")
    told = [parts[0]]
    for part in parts[1:]:
        target, closing, rest = part.partition(">")
        told.append(f"{reduced_reference(target, base, names)}{closing}{rest}")
    return "<".join(told)


def _written_services(services: Mapping[str, Mapping[str, str | None]]) -> dict[str, dict[str, str | None]]:
    """What host blocks name, without what could be a secret."""
    return {
        host: {name: None if url is None else bare(url) for name, url in offered.items()}
        for host, offered in services.items()
    }


def _each_once(records: list[_T]) -> list[_T]:
    """The records in the order of what they say, each once."""
    by_content = {msgspec.json.encode(each, order="deterministic"): each for each in records}
    return [by_content[content] for content in sorted(by_content)]


def _in_order(folder: FolderRecord) -> FolderRecord:
    return replace(
        folder,
        searches=_each_once(folder.searches),
        archives=_each_once(folder.archives),
        unpacked=_each_once(folder.unpacked),
    )
