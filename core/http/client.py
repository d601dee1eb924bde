"""The one HTTP client: limits, time, retries, redirects, credentials, and every failure as a typed error.

It says what a server answered, not whether that is true.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from copy import copy
from typing import TYPE_CHECKING, Final, Self, TypeVar

import httpx
from msgspec.structs import replace

from lockwarden.core.evidence.events import Report, RetryScheduled, ignore
from lockwarden.core.http.connections import open_client, uses_a_proxy
from lockwarden.core.http.documents import HttpDocument, read_document
from lockwarden.core.http.exchanges import (
    HostSlots,
    HttpRequest,
    HttpResponse,
    SendError,
    Slots,
    Stopwatch,
    exchange,
)
from lockwarden.core.http.host_tokens import CredentialsLookup, HostTokens, no_credentials
from lockwarden.core.http.redirect_policy import MOST_REDIRECTS
from lockwarden.core.http.request_reporting import RequestReporting
from lockwarden.core.http.retries import Retry, RetryBudget, limits_requests, may_pass
from lockwarden.core.http.server_words import secrets_of, unmistakable
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tape import LIVE, DocumentQuestion, Tape
from lockwarden.core.http.tls import issuer_shown_by
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import first_url, host_of, readable, redacted

if TYPE_CHECKING:
    from lockwarden.core.http.elsewhere import PackagesElsewhere
    from lockwarden.core.http.package_streams import AnswerHead, PackageStream
    from lockwarden.core.http.transport_errors import TransportFailure

_ISSUER_SECONDS: Final = 5.0
"""For asking who issued a certificate that was refused, so that the error can say it."""
_T = TypeVar("_T")


class HttpClient:
    """Asks servers over HTTPS. Open it with `async with`, once for a whole audit."""

    def __init__(
        self,
        settings: HttpSettings,
        *,
        now: Callable[[], float],
        report: Report = ignore,
        credentials: CredentialsLookup = no_credentials,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        package_slots: HostSlots | None = None,
        tape: Tape = LIVE,
        elsewhere: PackagesElsewhere | None = None,
    ) -> None:
        """With `transport` nothing leaves the process. `sleep` waits seconds, `now` gives seconds since 1970.

        `package_slots` replace the limit of the settings on the packages that are fetched from a host at once. `tape`
        hears of every document that is asked for, or gives it in the servers' place. `elsewhere` fetches the packages
        that need no credentials.
        """
        self.settings = settings
        self.tape = tape
        self.elsewhere = elsewhere
        self._report = report
        self._reporting = RequestReporting(report)
        self._transport = transport
        self._sleep = sleep
        self._now = now
        self._opened: httpx.AsyncClient | None = None
        self._tokens = HostTokens(credentials)
        self._secrets: set[str] = set()
        self._document_slots = Slots(settings.documents_per_host)
        self._package_slots = package_slots or Slots(settings.packages_per_host)

    async def __aenter__(self) -> Self:
        """Load the trusted certificates. Raises InputError when they, or a proxy variable, cannot be used."""
        self._opened = await asyncio.to_thread(open_client, self.settings, self._transport)
        return self

    async def __aexit__(self, *_: object) -> None:
        client, self._opened = self._opened, None
        if client is not None:
            await client.aclose()

    def token_hosts(self, host: str) -> tuple[str, ...]:
        """The hosts that have been sent the token for `host` so far, that one first; all in comparison form."""
        return self._tokens.seen_by(host)

    @property
    def secrets_sent(self) -> frozenset[str]:
        """What has been sent to be let in, to whomever: nothing is shown of any server's answer that repeats it.

        Short ones are left out, which only the answer to their own request is held against.
        """
        return frozenset(self._secrets)

    def with_package_retries(self, times: int) -> Self:
        """The same open client, which asks `times` times more for a package; it is closed with this one."""
        other = copy(self)
        other.settings = replace(self.settings, package_retries=times)
        return other

    async def get_document(
        self,
        url: str,
        *,
        stage: Stage,
        limit: int,
        credentials_for: str | None = None,
        credentials_also_at: frozenset[str] = frozenset(),
        max_redirects: int = MOST_REDIRECTS,
        content_types: frozenset[str] | None = None,
        retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        method: str = "GET",
        plain_secrets: bool = False,
        on_tape: bool = True,
    ) -> HttpDocument:
        """Ask for a document of at most `limit` bytes; every final status is a value. `method` is GET or HEAD.

        Without `credentials_for`, an Authorization among the `headers` goes to the URL's own host only, over https;
        with `plain_secrets` also over plain http where that is this machine. The token of `credentials_for` goes to
        that host and to `credentials_also_at` (which only the host itself or the operator may have named), over https.
        `content_types` are what a 200 must have. Raises NoAnswerError when nothing was answered (also after 429 and
        5xx, which are retried), BadAnswerError for an unusable answer.

        What is not `on_tape` is a part of another question, or secret: no tape hears of it.
        """

        async def ask() -> HttpDocument:
            return await self._get_document(
                url,
                stage=stage,
                limit=limit,
                credentials_for=credentials_for,
                credentials_also_at=credentials_also_at,
                max_redirects=max_redirects,
                content_types=content_types,
                retries=retries,
                headers=headers or {},
                method=method,
                plain_secrets=plain_secrets,
            )

        if not on_tape:
            return await ask()
        question = DocumentQuestion.of(
            url, headers or {}, method=method, stage=stage, limit=limit, content_types=content_types
        )
        return await self.tape.document(question, ask)

    async def _get_document(
        self,
        url: str,
        *,
        stage: Stage,
        limit: int,
        credentials_for: str | None,
        credentials_also_at: frozenset[str],
        max_redirects: int,
        content_types: frozenset[str] | None,
        retries: int | None,
        headers: Mapping[str, str],
        method: str,
        plain_secrets: bool,
    ) -> HttpDocument:
        given = dict(headers)
        token = await self._tokens.of(credentials_for, stage)
        if token is not None:
            given["Authorization"] = f"Bearer {token}".rstrip(" \t")  # as Go sends it, also without a token
            self.tape.sent(token)
        hosts = None if credentials_for is None else credentials_also_at | {credentials_for}
        seconds = httpx.Timeout(self.settings.metadata_timeout, pool=None)
        request = self._ask(
            url, stage, given, hosts, max_redirects, seconds, method=method, plain_secrets=plain_secrets
        )
        if credentials_for is not None and token is not None:
            request = replace(request, sent_to=self._tokens.sent_to(credentials_for))
        secrets = self.secrets_sent | secrets_of(given)
        sends = any(name.lower() == "authorization" for name in given)

        async def attempt() -> HttpDocument | Retry:
            watch = Stopwatch(self.settings.metadata_timeout)
            try:
                async with exchange(self._client_in_use, request, watch, self._document_slots) as reply:
                    if may_pass(reply.response.status_code):
                        from lockwarden.core.http.busy_servers import busy_server

                        return await busy_server(reply, watch, stage, secrets, now=self._now())
                    return await self._document(
                        reply, watch, stage, limit, content_types, secrets, credentials_sent=sends
                    )
            except SendError as error:
                return await self._again(error.cause, error.url, stage)

        return await self.persist(url, stage, RetryBudget(self._retries(retries)), attempt)

    async def begin_package(
        self,
        url: str,
        stack: AsyncExitStack,
        *,
        stage: Stage = Stage.PACKAGE,
        headers: Mapping[str, str] | None = None,
        plain_secrets: bool = False,
        on_answer: Callable[[AnswerHead], None] = lambda _: None,
    ) -> PackageStream | Retry:
        """One attempt at a package, whose connection `stack` closes. Secrets in `headers` as for a document."""
        from lockwarden.core.http.busy_servers import busy_server
        from lockwarden.core.http.package_streams import AnswerHead, package_stream

        seconds = httpx.Timeout(self.settings.package_stall, connect=self.settings.metadata_timeout, pool=None)
        given = {"Accept-Encoding": "identity", **(headers or {})}
        request = self._ask(url, stage, given, None, MOST_REDIRECTS, seconds, plain_secrets=plain_secrets)
        watch = Stopwatch(self.settings.package_stall)
        attempt = AsyncExitStack()
        try:
            reply = await attempt.enter_async_context(
                exchange(self._client_in_use, request, watch, self._package_slots)
            )
            on_answer(AnswerHead.of(reply))
            response = reply.response
            if may_pass(response.status_code) or limits_requests(response.status_code, response.headers):
                return await busy_server(reply, watch, stage, self.secrets_sent | secrets_of(given), now=self._now())
            stream = package_stream(reply, stage=stage, settings=self.settings, reporting=self._reporting)
            await attempt.enter_async_context(aclosing(stream.chunks))
            stack.push_async_exit(attempt.pop_all())
            return stream
        except SendError as error:
            return await self._again(error.cause, error.url, stage)
        finally:
            await attempt.aclose()

    async def persist(
        self, url: str, stage: Stage, budget: RetryBudget, attempt: Callable[[], Awaitable[_T | Retry]]
    ) -> _T:
        """Try until an attempt gives something else than Retry or the budget is spent; then raises the last error."""
        while isinstance(outcome := await attempt(), Retry):
            delay = budget.next_delay(outcome.after)
            if delay is None:
                raise budget.exhausted(outcome.error)
            self._report(
                RetryScheduled(
                    url=redacted(url),
                    stage=stage,
                    attempt=budget.attempts,
                    delay=delay,
                    reason=outcome.error.message,
                    host=host_of(readable(url)),
                )
            )
            await self._sleep(delay * (1 + self.settings.jitter * random.random()))  # noqa: S311
        return outcome

    @property
    def _client_in_use(self) -> httpx.AsyncClient:
        if self._opened is None:
            raise RuntimeError("an HTTP client is used outside its async with")
        return self._opened

    def _retries(self, retries: int | None) -> int:
        return self.settings.metadata_retries if retries is None else retries

    def _ask(
        self,
        url: str,
        stage: Stage,
        headers: Mapping[str, str],
        secret_hosts: frozenset[str] | None,
        max_redirects: int,
        timeout: httpx.Timeout,
        *,
        method: str = "GET",
        plain_secrets: bool = False,
    ) -> HttpRequest:
        first = first_url(url, stage=stage, insecure_hosts=self.settings.insecure_http_hosts)
        if self.tape.replays:
            raise NoAnswerError(
                f"{redacted(first)} is not in the evidence, and nobody is asked",
                stage=stage,
                code=ProblemCode.NOT_IN_EVIDENCE,
                hint="make the evidence anew, with the same options",
            )
        if self.settings.offline:
            raise NoAnswerError(
                f"{redacted(first)} was not asked, because of --offline",
                stage=stage,
                code=ProblemCode.OFFLINE,
                hint="leave --offline out to have it asked",
            )
        self._secrets |= unmistakable(secrets_of(headers))
        return HttpRequest(
            url=first,
            stage=stage,
            headers=headers,
            secrets=self.secrets_sent,
            secret_hosts=frozenset({host_of(first)}) if secret_hosts is None else secret_hosts,
            max_redirects=max_redirects,
            insecure_hosts=self.settings.insecure_http_hosts,
            timeout=timeout,
            method=method,
            plain_secrets=plain_secrets,
            reporting=self._reporting,
        )

    async def _document(
        self,
        reply: HttpResponse,
        watch: Stopwatch,
        stage: Stage,
        limit: int,
        content_types: frozenset[str] | None,
        secrets: frozenset[str],
        *,
        credentials_sent: bool,
    ) -> HttpDocument | Retry:
        try:
            async with watch.running():
                return await read_document(
                    reply,
                    stage=stage,
                    limit=limit,
                    content_types=content_types,
                    credentials_sent=credentials_sent and reply.secrets_sent,
                    secrets=secrets,
                )
        except BadAnswerError as error:
            if error.code == ProblemCode.SHORT_BODY:
                return Retry(error=error)
            raise
        except (httpx.TransportError, OSError) as error:
            from lockwarden.core.http.transport_errors import explain_transport_error

            return Retry(
                error=explain_transport_error(error, host=host_of(reply.url), in_body=True).error(stage, error)
            )

    async def _again(self, cause: Exception, url: httpx.URL, stage: Stage) -> Retry:
        """What to do about trouble before an answer: try again, or raise the error."""
        from lockwarden.core.http.transport_errors import explain_transport_error

        failure = explain_transport_error(cause, host=host_of(url), in_body=False)
        if failure.code == ProblemCode.TLS_CERTIFICATE:
            failure = await self._with_issuer(failure, url)
        error = failure.error(stage, cause)
        if failure.passing:
            return Retry(error=error)
        raise error

    async def _with_issuer(self, failure: TransportFailure, url: httpx.URL) -> TransportFailure:
        if self._transport is not None or uses_a_proxy(self.settings.proxies):
            return failure
        from lockwarden.core.http.transport_errors import with_issuer

        issuer = await issuer_shown_by(url.host, url.port or 443, seconds=_ISSUER_SECONDS)
        return with_issuer(failure, issuer)
