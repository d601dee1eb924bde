"""Asks registries: one request with its way in, and one answer whose status is a value.

Every request may be answered by a 401 once; the challenge is answered and the request is sent a second time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

import httpx
from msgspec import Struct

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.tape import DocumentQuestion
from lockwarden.core.oci.access import CATALOG_SCOPE, Access, pull_scope
from lockwarden.core.oci.answers import status_in_words
from lockwarden.core.oci.credentials import NoCredentials, OciCredentialsLookup
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, is_loopback, is_named

_UNAUTHORIZED: Final = 401
_NO_ACCESS: Final = frozenset({401, 403})


class RegistryRules(Struct, frozen=True, kw_only=True):
    """What the operator allows beyond the protocol's own caution. Hosts are in comparison form, `host:port`."""

    plain_http_hosts: frozenset[str] = frozenset()
    """Registries on this machine that are spoken to without TLS; a host without a port is meant at every port."""
    token_hosts: frozenset[str] = frozenset()
    """Token servers that may see the credentials of registries on other hosts; without a port, 443 is meant."""


class Registries:
    """All registries of one audit. Each repository has one way in, with its own token."""

    def __init__(
        self,
        http: HttpClient,
        credentials: OciCredentialsLookup | None = None,
        *,
        rules: RegistryRules | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now` gives seconds on a clock that never goes back, for the tokens' expiry."""
        self.http = http
        self._credentials = credentials or NoCredentials()
        self._rules = rules or RegistryRules()
        self._now = now
        self._accesses: dict[tuple[OciRepository, str], Access] = {}

    def pulling(self, repository: OciRepository) -> Access:
        """The way in for reading a repository."""
        return self._access(repository, pull_scope(repository.path))

    def cataloguing(self, domain: str) -> Access:
        """The way in for listing the repositories of a registry."""
        return self._access(OciRepository(domain, ""), CATALOG_SCOPE)

    def _access(self, repository: OciRepository, scope: str) -> Access:
        key = (repository, scope)
        if key not in self._accesses:
            self._accesses[key] = Access(
                http=self.http,
                base=self._base(repository.host),
                repository=repository,
                scope=scope,
                lookup=self._credentials,
                token_hosts=self._rules.token_hosts,
                now=self._now,
            )
        return self._accesses[key]

    def _base(self, host: str) -> httpx.URL:
        secure = httpx.URL(f"https://{host}/v2/")
        plain = httpx.URL(f"http://{host}/v2/")
        allowed = is_loopback(secure.host) and is_named(host_of(plain), self._rules.plain_http_hosts)
        return plain if allowed else secure

    async def ask(
        self,
        access: Access,
        url: str,
        *,
        stage: Stage,
        limit: int,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
    ) -> HttpDocument:
        """Send a request, and send it again with an answer to the registry's challenge where it answers 401.

        Raises NoAnswerError when it was not answered or no way in is known, BadAnswerError for an unusable answer.
        """

        async def asked() -> HttpDocument:
            return await self._ask(access, url, stage=stage, limit=limit, method=method, headers=headers)

        # The way in is no part of the answer: what is heard in the end is.
        question = DocumentQuestion.of(url, headers or {}, method=method, stage=stage, limit=limit)
        return await self.http.tape.document(question, asked)

    async def _ask(
        self,
        access: Access,
        url: str,
        *,
        stage: Stage,
        limit: int,
        method: str,
        headers: Mapping[str, str] | None,
    ) -> HttpDocument:
        sent = access.header()
        document = await self._send(access, url, sent, stage=stage, limit=limit, method=method, headers=headers)
        if document.status != _UNAUTHORIZED or not access.answers_for(document.url):
            return document
        renewed = await access.renewed(document.headers.get("www-authenticate", ""), sent, stage=stage)
        if renewed == sent:
            return document  # the same password again would be refused again
        return await self._send(access, url, renewed, stage=stage, limit=limit, method=method, headers=headers)

    async def _send(
        self,
        access: Access,
        url: str,
        authorization: str,
        *,
        stage: Stage,
        limit: int,
        method: str,
        headers: Mapping[str, str] | None,
    ) -> HttpDocument:
        given = {"Accept-Encoding": "identity", **(headers or {})}
        if authorization:
            given["Authorization"] = authorization
        return await self.http.get_document(
            url, stage=stage, limit=limit, method=method, headers=given, plain_secrets=access.plain, on_tape=False
        )


def unsuccessful(document: HttpDocument, access: Access, *, stage: Stage) -> SourceError:
    """The error that an unexpected status is: 401 and 403 are a matter of access, the rest is the registry's fault."""
    if document.status in _NO_ACCESS:
        if not access.answers_for(document.url):
            return NoAnswerError(
                f"{access.repository.domain} leads elsewhere, and there {status_in_words(document)};"
                " credentials for the registry are for nobody else",
                stage=stage,
                code=ProblemCode.HTTP_STATUS,
                hint="tell whoever runs the registry",
            )
        return access.refusal(document.status, status_in_words(document), stage=stage)
    if 400 <= document.status < 500:
        return BadAnswerError(
            status_in_words(document), stage=stage, code=ProblemCode.HTTP_STATUS, hint="tell whoever runs the registry"
        )
    return NoAnswerError(
        status_in_words(document),
        stage=stage,
        code=ProblemCode.HTTP_STATUS,
        hint="look whether the address is that of an OCI registry",
    )
