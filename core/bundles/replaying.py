"""Answers the questions of an audit from a bundle. Nobody is ever asked; what is not in it is no answer.

Everything here is the word of whoever made the bundle. What an audit makes of it, and verifies of it again, is not
known here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, Self

import httpx
from msgspec import Struct

from lockwarden.core.bundles.folders import RecordedFolder, outcome_of
from lockwarden.core.bundles.model import AnswerRecord, Bundle, HeardRecord, PlanRecord, ReleaseRecord, SourceRecord
from lockwarden.core.bundles.reducing import plain_url
from lockwarden.core.http.documents import HttpDocument, media_type
from lockwarden.core.http.tape import DocumentQuestion
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import InputError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, objection, readable, redacted
from lockwarden.core.values.versions import Version

_OK: Final = 200
_HINT: Final = "make the evidence anew, with the same options"


class Served(Struct, frozen=True, kw_only=True):
    """By which sources a release was served."""

    sources: frozenset[str]
    chain: tuple[str, ...]


class ReplayedPlan(Struct, frozen=True, kw_only=True):
    """What the recorded audit was to look at: its platforms, sources, and who served which release."""

    platforms: frozenset[Platform]
    explain: bool
    every: bool
    sources: tuple[SourceRecord, ...]
    repositories: Mapping[str, Mapping[ProviderAddress, OciRepository]]
    """Of each OCI mirror."""
    served: Mapping[tuple[Client, ProviderAddress, Version], Served]
    services: Mapping[str, Mapping[str, str | None]]
    services_to_terraform: Mapping[str, Mapping[str, str | None]]

    @classmethod
    def of(cls, bundle: Bundle) -> Self:
        """What a bundle says of it. Raises InputError and ValueError for what no audit can be."""
        record = bundle.record
        known = [each.id for each in record.sources]
        planned = [release for plan in record.plans for release in plan.releases]
        if len(set(known)) != len(known) or not all(known):
            raise ValueError("two sources with one name, or one without any")
        if not all(set(each.chain) <= set(each.sources) <= set(known) for each in planned):
            raise ValueError("a release that a source serves which is none")
        return cls(
            platforms=frozenset(map(Platform.parse, record.platforms.wanted)),
            explain=record.platforms.explain,
            every=record.platforms.every,
            sources=tuple(record.sources),
            repositories={each.id: _repositories(each) for each in record.sources},
            served={key: value for plan in record.plans for key, value in map(_served(plan), plan.releases)},
            services=record.services,
            services_to_terraform=record.services_to_terraform,
        )

    def services_to(self, client: Client) -> Mapping[str, Mapping[str, str | None]]:
        """What hosts offer according to the CLI configuration there, as a client reads it."""
        return {**self.services, **self.services_to_terraform} if client is Client.TERRAFORM else self.services


def _repositories(source: SourceRecord) -> Mapping[ProviderAddress, OciRepository]:
    return {ProviderAddress.parse(a): OciRepository.parse(r) for a, r in source.repositories.items()}


def _served(plan: PlanRecord) -> Callable[[ReleaseRecord], tuple[tuple[Client, ProviderAddress, Version], Served]]:
    def read(release: ReleaseRecord) -> tuple[tuple[Client, ProviderAddress, Version], Served]:
        key = (plan.client, ProviderAddress.parse(release.address), Version.parse(release.version))
        return key, Served(sources=frozenset(release.sources), chain=tuple(release.chain))

    return read


class Replayer:
    """Answers every question from one bundle.

    Where a question was asked several times with different answers, they come again in their order.
    """

    replays: Final = True

    def __init__(self, bundle: Bundle, name: str) -> None:
        """`name` is what sentences call the file. Raises InputError where it says what cannot be."""
        self.digest = bundle.digest
        self.tool = bundle.record.tool
        self.lock_files = frozenset(bundle.record.lock_files)
        try:
            self.made = datetime.fromtimestamp(bundle.record.made, UTC)
            self.plan = ReplayedPlan.of(bundle)
            self.folders = {each.source: RecordedFolder(each) for each in bundle.record.folders}
            self._packages = {each.place: outcome_of(each) for each in bundle.record.packages}
            self._heard = {
                (each.url, each.method, each.accept, each.client): _outcomes(each.heard)
                for each in bundle.record.documents
            }
        except (InputError, ValueError, OverflowError, OSError) as error:
            raise InputError(
                f"the evidence in {name} cannot be used: it says what no audit can have found",
                hint="make it anew with “lockwarden bundle”, and bring the whole file over",
            ) from error
        self._documents = bundle.documents
        self._given: dict[tuple[str, str, str, str], int] = {}

    async def document(self, question: DocumentQuestion, ask: Callable[[], Awaitable[HttpDocument]]) -> HttpDocument:  # noqa: ARG002
        """What was heard then. Raises NoAnswerError for a question that was not asked."""
        key = (plain_url(question.url), question.method, question.accept, question.client)
        heard = self._heard.get(key)
        if heard is None:
            raise _missing(question.url, question.stage)
        number = self._given.get(key, 0)
        self._given[key] = min(number + 1, len(heard) - 1)
        outcome = heard[number]
        if isinstance(outcome, SourceError):
            raise outcome
        return self._document(outcome, question)

    def _document(self, answer: AnswerRecord, question: DocumentQuestion) -> HttpDocument:
        body = self._documents[answer.body]
        wanted = question.content_types
        unlike = answer.status == _OK and wanted is not None and media_type(answer.content_type) not in wanted
        if len(body) > question.limit or unlike:  # no client of ours gave out such an answer
            raise _missing(question.url, question.stage)
        return HttpDocument(
            url=answer.url,
            status=answer.status,
            content_type=answer.content_type,
            headers=MappingProxyType(answer.headers),
            body=body,
            sha256=answer.sha256,
            redirects=tuple(answer.redirects),
            credentials_sent=answer.credentials_sent,
            said=answer.said,
        )

    async def package(self, url: str, stage: Stage, fetch: Callable[[], Awaitable[KnownPackage]]) -> KnownPackage:  # noqa: ARG002
        """What the package was. Raises NoAnswerError for one that was not looked at."""
        outcome = self._packages.get(plain_url(url))
        if outcome is None:
            raise _missing(url, stage)
        if isinstance(outcome, SourceError):
            raise outcome
        return outcome

    def sent(self, secret: str) -> None:
        """Nothing is sent."""


def _outcomes(heard: list[HeardRecord]) -> tuple[AnswerRecord | SourceError, ...]:
    found: list[AnswerRecord | SourceError] = []
    for each in heard:
        if each.answer is not None and each.error is None and _is_askable(each.answer.url):
            found.append(each.answer)
        elif each.error is not None and each.answer is None:
            found.append(each.error.error())
    if not found or len(found) != len(heard):
        raise ValueError("a question without an answer")
    return tuple(found)


def _is_askable(text: str) -> bool:
    """Whether an answer can have come from this URL."""
    try:
        url = readable(text)
        return not objection(url, frozenset({host_of(url)}))
    except (httpx.InvalidURL, ValueError):
        return False


def _missing(url: str, stage: Stage) -> SourceError:
    return NoAnswerError(
        f"the answer of {redacted(url)} is not in the evidence",
        stage=stage,
        code=ProblemCode.NOT_IN_EVIDENCE,
        hint=_HINT,
    )
