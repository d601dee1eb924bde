"""Asks a registry's token server for a token (Docker's token protocol, which registries of all makers speak)."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import msgspec
from msgspec import Struct

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.redirect_policy import MOST_OF_A_TOKEN
from lockwarden.core.oci.answers import status_in_words
from lockwarden.core.oci.credentials import OciCredential
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, redacted

MAX_ANSWER: Final = 256 * 1024
"""Bytes of an answer with a token."""
MAX_TOKEN: Final = 64 * 1024
"""Characters. Tokens with many permissions reach some thousand."""
DEFAULT_SECONDS: Final = 60.0
"""How long a token is good where its server does not say, by the protocol."""
_LONGEST: Final = 24 * 3600.0
"""Seconds that a token is used at most, whatever its server says."""
_USED_FOR: Final = 0.9
"""Of its time, so that a token does not expire on its way."""
_REFUSED: Final = frozenset({400, 401, 403})


@dataclass(frozen=True, slots=True, kw_only=True)
class BearerToken:
    """A token and for how long it is used."""

    value: str = field(repr=False)
    seconds: float
    """From when it arrived."""


class TokenRequest(Struct, frozen=True, kw_only=True):
    """What to ask which token server for."""

    realm: httpx.URL
    service: str
    scope: str
    plain_secrets: bool
    """Whether the registry is spoken to over plain http on this machine, and its token server may be, too."""

    @property
    def url(self) -> str:
        """Where to ask; what the realm's own query holds stays."""
        wanted = {"service": self.service, "scope": self.scope}
        return str(self.realm.copy_merge_params({name: value for name, value in wanted.items() if value}))


class _TokenBody(msgspec.Struct):
    token: str = ""
    access_token: str = ""
    expires_in: Any = None


def basic(credential: OciCredential) -> str:
    """The value of an Authorization header with a user name and a password."""
    pair = f"{credential.username}:{credential.password}".encode()
    return f"Basic {base64.b64encode(pair).decode()}"


async def fetch_token(
    http: HttpClient, request: TokenRequest, credential: OciCredential | None, *, stage: Stage
) -> BearerToken:
    """Ask for a token, without credentials where there are none for this server.

    Raises NoAnswerError when the server gives none, BadAnswerError for an answer that cannot be used. That a token is
    given does not mean that the registry lets its bearer do what was asked for.
    """
    document = await http.get_document(
        request.url,
        stage=stage,
        limit=MAX_ANSWER,
        max_redirects=MOST_OF_A_TOKEN,
        headers={} if credential is None else {"Authorization": basic(credential)},
        plain_secrets=request.plain_secrets,
        on_tape=False,
    )
    if document.status != 200:
        raise _refused(document, request, credential, stage)
    try:
        body = read_json(document.body, _TokenBody)
    except BodyError as error:
        raise _unusable(document, str(error), stage) from error
    value = body.access_token or body.token
    if not value:
        raise _unusable(document, "holds no token", stage)
    if len(value) > MAX_TOKEN or not (value.isascii() and value.isprintable()):
        raise _unusable(document, "holds a token that cannot be sent", stage)
    return BearerToken(value=value, seconds=_seconds(body.expires_in))


def _seconds(expires_in: object) -> float:
    given = expires_in if isinstance(expires_in, int | float) and expires_in > 0 else DEFAULT_SECONDS
    return min(float(min(given, _LONGEST)), _LONGEST) * _USED_FOR


def _refused(
    document: HttpDocument, request: TokenRequest, credential: OciCredential | None, stage: Stage
) -> SourceError:
    server = host_of(request.realm)
    if document.status not in _REFUSED:
        return NoAnswerError(
            f"the token server {server} gave no token: {status_in_words(document)}",
            stage=stage,
            code=ProblemCode.HTTP_STATUS,
            hint="look whether the registry's address is right; a proxy or a log-in page may answer in its place",
        )
    if credential is None:
        return NoAnswerError(
            f"the token server {server} gives no token for “{request.scope}” without credentials:"
            f" {status_in_words(document)}",
            stage=stage,
            code=ProblemCode.CREDENTIALS_REQUIRED,
            hint="add an oci_credentials block to the CLI configuration, or log in to the registry",
        )
    return NoAnswerError(
        f"the token server {server} rejected the credentials for “{request.scope}”: {status_in_words(document)}",
        stage=stage,
        code=ProblemCode.CREDENTIALS_REJECTED,
        hint=f"renew what is in {credential.origin}; a token server may want a password of its own kind",
    )


def _unusable(document: HttpDocument, why: str, stage: Stage) -> BadAnswerError:
    return BadAnswerError(
        f"what the token server answered at {redacted(document.url)} {why}",
        stage=stage,
        code=ProblemCode.TOKEN_UNUSABLE,
        hint="look whether the registry's address is right; a proxy or a log-in page may answer in its place",
    )
