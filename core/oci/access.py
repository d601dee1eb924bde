"""How we come in at one repository of a registry: anonymously at first, then by what the registry asks for.

The flow is the client's: a 401 names ways to authenticate; credentials are only looked up then; a token is good for one
repository and is used until it expires. Credentials and tokens go to the registry and to a token server that may see
them, and nowhere else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import httpx

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.server_words import secrets_of
from lockwarden.core.oci.credentials import OciCredential, OciCredentialsLookup
from lockwarden.core.oci.realms import Challenge, challenges_in, may_see_credentials, realm_objection, realm_url
from lockwarden.core.oci.tokens import BearerToken, TokenRequest, basic, fetch_token
from lockwarden.core.values.errors import NoAnswerError, SourceError, Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, redacted

ANONYMOUS: Final = "anonymous"
NOT_ASKED: Final = "recorded evidence, nobody was asked"
CATALOG_SCOPE: Final = "registry:catalog:*"
_CONFIGURE: Final = "add an oci_credentials block for {domain} to the CLI configuration, or log in to the registry"


def pull_scope(path: str) -> str:
    """The scope of a token that lets its bearer read one repository."""
    return f"repository:{path}:pull"


@dataclass(kw_only=True)
class Access:
    """What is known of the way in at one repository; shared by all who ask it."""

    http: HttpClient
    base: httpx.URL
    """The registry's `/v2/`."""
    repository: OciRepository
    scope: str
    """What tokens are asked for; never what the registry says, which could name another repository."""
    lookup: OciCredentialsLookup
    token_hosts: frozenset[str]
    """Hosts in comparison form, beside the registry's, that the operator lets see credentials for a token."""
    now: Callable[[], float]
    """Seconds on a clock that never goes back."""
    _header: str = field(default="", repr=False)
    _good_until: float | None = None
    _credential: OciCredential | None = None
    _looked_up: bool = False
    _sent_from: str = ""
    _tried_from: str = ""
    """The same of what a token server was sent and has not taken."""
    _withheld_from: str = ""
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def plain(self) -> bool:
        """Whether the registry is spoken to over plain http, which is only done on this machine."""
        return self.base.scheme == "http"

    @property
    def credentials(self) -> str:
        """Where the credentials came from that were sent; `anonymous` while none were. Never a secret."""
        if self.http.tape.replays:
            return NOT_ASKED
        return self._sent_from or self._tried_from or ANONYMOUS

    def header(self) -> str:
        """The Authorization to send, or the empty string: nothing was asked for yet, or the token has expired."""
        if self._good_until is not None and self.now() >= self._good_until:
            self._header, self._good_until = "", None
        return self._header

    def answers_for(self, url: str) -> bool:
        """Whether a challenge from this URL is the registry's own; others are never answered."""
        try:
            asked = httpx.URL(url)
        except httpx.InvalidURL:
            return False
        return asked.scheme == self.base.scheme and host_of(asked) == host_of(self.base)

    async def renewed(self, challenge: str, refused: str, *, stage: Stage) -> str:
        """The Authorization that answers a challenge, after `refused` (or nothing, when empty) was sent in vain.

        Raises NoAnswerError when there is none, and what the lookup raises.
        """
        async with self._lock:
            if self._header and self._header != refused:
                return self._header  # somebody else was faster
            self._header, self._good_until = "", None
            offered = challenges_in(challenge)
            for scheme in ("bearer", "basic"):  # a token is worth less to a thief than a password
                for each in offered:
                    if each.scheme == scheme:
                        await self._answer(each, stage)
                        return self._header
            raise self._no_way_in(offered, stage)

    async def _answer(self, challenge: Challenge, stage: Stage) -> None:
        await self._way_in(challenge, stage)
        self._no_record_holds(self._header)

    def _no_record_holds(self, authorization: str) -> None:
        """Whatever is sent, to the registry or to its token server, stays out of what is written down of answers."""
        for secret in secrets_of({"Authorization": authorization}):
            self.http.tape.sent(secret)

    async def _way_in(self, challenge: Challenge, stage: Stage) -> None:
        credential = await self._credentials()
        if challenge.scheme == "basic":
            if credential is None or not credential.username:
                raise self._wants_password(credential, stage)
            self._header, self._sent_from = basic(credential), credential.origin
        elif credential is not None and credential.access_token:
            self._check_sendable(credential, stage)
            self._header, self._sent_from = f"Bearer {credential.access_token}", credential.origin
        else:
            token = await self._token(challenge, credential, stage)
            self._header, self._good_until = f"Bearer {token.value}", self.now() + token.seconds

    async def _credentials(self) -> OciCredential | None:
        if not self._looked_up:
            # The client looks up by the name as written and sends to a host of exactly that name.
            if self.repository.domain == self.repository.host:
                self._credential = await asyncio.to_thread(
                    self.lookup.lookup, self.repository.domain, self.repository.path
                )
            self._looked_up = True
        return self._credential

    async def _token(self, challenge: Challenge, credential: OciCredential | None, stage: Stage) -> BearerToken:
        realm = self._realm(challenge, stage)
        self._withheld_from = ""
        given = credential if credential is not None and credential.username else None
        if given is not None and not may_see_credentials(realm, self.base, self.token_hosts):
            given, self._withheld_from = None, host_of(realm)
        request = TokenRequest(
            realm=realm,
            service=challenge.parameters.get("service", ""),
            scope=self.scope,
            plain_secrets=self.plain,
        )
        if given is not None:
            self._no_record_holds(basic(given))
            self._tried_from = given.origin
        try:
            token = await fetch_token(self.http, request, given, stage=stage)
        except SourceError as error:
            if self._withheld_from and error.code == ProblemCode.CREDENTIALS_REQUIRED:
                raise self._withheld(str(error), stage) from error
            raise
        if given is not None:
            self._sent_from = given.origin
        return token

    def _realm(self, challenge: Challenge, stage: Stage) -> httpx.URL:
        realm = realm_url(challenge.parameters.get("realm", ""))
        objection = "it is no URL" if realm is None else realm_objection(realm, self.base)
        if realm is None or objection:
            shown = "" if realm is None else f" “{redacted(realm)}”"
            raise NoAnswerError(
                f"{self.repository.domain} sends us to the token server{shown}, which is refused: {objection}",
                stage=stage,
                code=ProblemCode.TOKEN_REALM_REFUSED,
                hint="whoever runs the registry has to name a token server that can be asked safely",
            )
        return realm

    def refusal(self, status: int, said: str, *, stage: Stage) -> SourceError:
        """What a 401 or 403 means that came although the registry's challenge was answered, or without one."""
        domain = self.repository.domain
        if self._withheld_from:
            return self._withheld(said, stage)
        if self._sent_from:
            return NoAnswerError(
                f"{domain} rejected the given authentication credentials ({status}) for “{self.scope}”: {said}",
                stage=stage,
                code=ProblemCode.CREDENTIALS_REJECTED,
                hint=f"look whether what is in {self._sent_from} may read {self.repository.path or 'its list'}",
            )
        return NoAnswerError(
            f"{domain} requires authentication credentials ({status}) for “{self.scope}”: {said}",
            stage=stage,
            code=ProblemCode.CREDENTIALS_REQUIRED,
            hint=self._how_to_configure(),
        )

    def _how_to_configure(self) -> str:
        if self.repository.domain != self.repository.host:
            return (
                f"{self.repository.domain} is asked at {self.repository.host}, and the clients send no credentials"
                f" there; write {self.repository.host} in the template and in the credentials"
            )
        return _CONFIGURE.format(domain=self.repository.domain)

    def _withheld(self, said: str, stage: Stage) -> SourceError:
        origin = "" if self._credential is None else f" from {self._credential.origin}"
        return NoAnswerError(
            f"the token server of {self.repository.domain} is {self._withheld_from}, which is another host, so the"
            f" credentials{origin} were not sent there; without them, {said}",
            stage=stage,
            code=ProblemCode.CREDENTIALS_WITHHELD,
            hint=f"if {self._withheld_from} is to see them, name it: --token-host {self._withheld_from}",
        )

    def _wants_password(self, credential: OciCredential | None, stage: Stage) -> SourceError:
        domain = self.repository.domain
        if credential is None:
            return NoAnswerError(
                f"{domain} requires a user name and a password, and there are none for it",
                stage=stage,
                code=ProblemCode.CREDENTIALS_REQUIRED,
                hint=self._how_to_configure(),
            )
        return NoAnswerError(
            f"{domain} requires a user name and a password, but {credential.origin} holds an access token",
            stage=stage,
            code=ProblemCode.CREDENTIALS_UNUSABLE,
            hint=_CONFIGURE.format(domain=domain),
        )

    def _no_way_in(self, offered: tuple[Challenge, ...], stage: Stage) -> SourceError:
        schemes = ", ".join(f"“{each.scheme[:40]}”" for each in offered)
        how = f"only knows {schemes}" if schemes else "does not say how"
        return NoAnswerError(
            f"{self.repository.domain} requires authentication (401), but {how}",
            stage=stage,
            code=ProblemCode.AUTHENTICATION_UNKNOWN,
            hint="registries ask for Basic or Bearer; a proxy may answer in its place",
        )

    def _check_sendable(self, credential: OciCredential, stage: Stage) -> None:
        if not (credential.access_token.isascii() and credential.access_token.isprintable()):
            raise NoAnswerError(
                f"the access token in {credential.origin} holds characters that cannot be sent",
                stage=stage,
                code=ProblemCode.CREDENTIALS_UNUSABLE,
                hint="look for a line end or a quotation mark in it",
            )
