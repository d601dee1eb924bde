"""Gets the two documents of a network mirror, and says what each failure means for the clients and for an audit."""

from __future__ import annotations

from typing import Final

import httpx
from msgspec import Struct

from lockwarden.core.http.busy_servers import phrase
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.redirect_policy import MOST_OF_A_NETWORK_MIRROR
from lockwarden.core.http.server_words import quoted
from lockwarden.core.sources.once import Once
from lockwarden.core.sources.protocols.discovery import PROVIDERS
from lockwarden.core.sources.protocols.mirror_documents import (
    MirrorArchive,
    MirrorIndex,
    read_archives,
    read_mirror_index,
)
from lockwarden.core.sources.protocols.mirror_urls import document_url
from lockwarden.core.sources.protocols.probing import Probes, RegistryTrace
from lockwarden.core.system.allowance import current_allowance
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError, BodyLimitError, looks_like_html
from lockwarden.core.values.mirror_locations import why_no_client_asks
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, redacted
from lockwarden.core.values.versions import Version

MAX_DOCUMENT: Final = 8 * 1024 * 1024
"""Bytes of one document. An index of a thousand versions has some twenty thousand."""

_FORBIDDEN: Final = 403
_JSON: Final = "application/json"
_PAGE: Final = "answered with a web page (HTML) instead of JSON"
_HINT: Final = "look whether the URL is that of a network mirror; a proxy or a log-in page may answer in its place"


class ArchiveList(Struct, frozen=True, kw_only=True):
    """The list of one version's archives, and the document that it is."""

    document: HttpDocument
    archives: tuple[MirrorArchive, ...]


class MirrorDocuments:
    """The documents below one mirror's base URL. The token of the mirror's host goes with every request."""

    def __init__(self, http: HttpClient, base_url: str, probes: Probes) -> None:
        self.host = host_of(httpx.URL(base_url))
        self._never_asked = why_no_client_asks(base_url)
        self._http = http
        self._base = base_url
        self._probes = probes
        self._indexes: Once[ProviderAddress, MirrorIndex] = Once()
        self._is_mirror = False

    async def index(self, address: ProviderAddress) -> MirrorIndex:
        """The versions of a provider; the mirror is asked once.

        Raises NotThereError when the mirror does not have the provider or could not serve it, NoAnswerError when it was
        not answered, BadAnswerError for an answer that cannot be used.
        """
        if ":" in address.hostname.ascii:
            raise NotThereError(
                f"a network mirror cannot serve providers of a host with a port, as {address.hostname} is",
                stage=Stage.INDEX,
            )
        return await self._indexes.get(address, lambda: self._read_index(address))

    async def _read_index(self, address: ProviderAddress) -> MirrorIndex:
        if self._never_asked:
            raise BadAnswerError(
                f"the clients ask no network mirror at this host: {self._never_asked}",
                stage=Stage.INDEX,
                code=ProblemCode.MIRROR_HOST_UNUSABLE,
                hint="give the mirror a host name of letters, digits and dashes",
            )
        try:
            index = await self._ask_for_index(address)
        except (NotThereError, BadAnswerError) as error:
            if error.code not in {ProblemCode.PROVIDER_UNKNOWN, ProblemCode.HTML} or self._is_mirror:
                raise
            trace = await self._probes.registry_at(self._base, address)
            if trace is None:
                raise
            raise self._not_a_mirror(error, trace) from error
        self._is_mirror = True
        return index

    async def _ask_for_index(self, address: ProviderAddress) -> MirrorIndex:
        document = await self._get(address, "index.json", Stage.INDEX)
        if document.status == 404:
            page = "; it answered with a web page (HTML)" if looks_like_html(document.body) else ""
            raise NotThereError(
                f"{self.host} does not have the provider {address}{page}",
                stage=Stage.INDEX,
                code=ProblemCode.PROVIDER_UNKNOWN,
            )
        try:
            return read_mirror_index(self._body(document, Stage.INDEX))
        except BodyError as error:
            raise _unusable(document, Stage.INDEX, error) from error

    async def archives(self, address: ProviderAddress, version: Version) -> ArchiveList:
        """The archives of a version. Raises NoAnswerError and BadAnswerError as `index` does."""
        document = await self._get(address, f"{version}.json", Stage.ARCHIVES)
        if document.status == 404:
            raise BadAnswerError(
                f"{self.host} lists version {version} of {address} in its index but does not have its list of archives",
                stage=Stage.ARCHIVES,
                code=ProblemCode.MIRROR_CONTRADICTS_ITSELF,
                hint="the mirror is incomplete, and the clients give up on it; ask who runs it",
            )
        try:
            archives = read_archives(self._body(document, Stage.ARCHIVES))
        except BodyError as error:
            raise _unusable(document, Stage.ARCHIVES, error) from error
        current_allowance().charge_hashes([hash_ for each in archives for hash_ in each.hashes], stage=Stage.ARCHIVES)
        return ArchiveList(document=document, archives=archives)

    async def _get(self, address: ProviderAddress, name: str, stage: Stage) -> HttpDocument:
        return await self._http.get_document(
            document_url(self._base, address, name),
            stage=stage,
            limit=MAX_DOCUMENT,
            credentials_for=self.host,
            max_redirects=MOST_OF_A_NETWORK_MIRROR,
            retries=0,
        )

    def _body(self, document: HttpDocument, stage: Stage) -> bytes:
        """The body of an answer that the clients would read. Raises what the status or the content type means."""
        if document.status in {401, 403}:
            raise self._no_access(document, stage)
        url = redacted(document.url)
        if document.status != 200:
            said = f"{document.status} {phrase(document.status)}".rstrip() + quoted(document.said)
            raise NoAnswerError(f"{url} answered {said}", stage=stage, code=ProblemCode.HTTP_STATUS, hint=_HINT)
        if document.media_type == _JSON:
            return document.body
        if document.media_type == "text/html" or looks_like_html(document.body):
            raise BadAnswerError(f"{url} {_PAGE}", stage=stage, code=ProblemCode.HTML, hint=_HINT)
        given = f"the content type “{document.content_type[:100]}”" if document.content_type else "no content type"
        raise BadAnswerError(
            f"{url} answered with {given} instead of {_JSON}", stage=stage, code=ProblemCode.CONTENT_TYPE, hint=_HINT
        )

    def _no_access(self, document: HttpDocument, stage: Stage) -> SourceError:
        if document.credentials_sent:
            return NoAnswerError(
                f"{self.host} rejected the given authentication credentials ({document.status}{quoted(document.said)})",
                stage=stage,
                code=ProblemCode.CREDENTIALS_REJECTED,
                hint=f"renew the token for {self.host} in the CLI configuration",
            )
        return NoAnswerError(
            f"{self.host} requires authentication credentials ({document.status}{quoted(document.said)})",
            stage=stage,
            code=ProblemCode.CREDENTIALS_REQUIRED,
            hint=f"add a credentials block for {self.host} to the CLI configuration, or set its TF_TOKEN_… variable"
            + ("; a bucket also says so of what it does not have" if document.status == _FORBIDDEN else ""),
        )

    def _not_a_mirror(self, error: NotThereError | BadAnswerError, trace: RegistryTrace) -> SourceError:
        """The same error with what a provider registry in the mirror's place means for whoever named it."""
        if trace.certain:
            said = "this URL speaks the registry protocol: it is an origin registry, or a pull-through of one"
        else:
            said = f"the host offers a provider registry at {trace.url}, which the URL may be part of"
        return type(error)(
            f"{error.message}; {said}",
            stage=error.stage,
            code=ProblemCode.REGISTRY_INSTEAD_OF_MIRROR if isinstance(error, NotThereError) else error.code,
            hint=f"ask it as a registry: give the source direct for addresses of {self.host}; for those of another "
            f"host, a host block in the CLI configuration with the service {PROVIDERS} = “{trace.url}”",
        )


def _unusable(document: HttpDocument, stage: Stage, error: BodyError) -> BadAnswerError:
    if isinstance(error, BodyLimitError):
        message = f"what {redacted(document.url)} answered {error}"
        return BadAnswerError(message, stage=stage, code=ProblemCode.TOO_LARGE, hint="ask who runs the mirror")
    return BadAnswerError(
        f"what {redacted(document.url)} answered {error}",
        stage=stage,
        code=ProblemCode.HTML if looks_like_html(document.body) else ProblemCode.UNUSABLE_JSON,
        hint=_HINT,
    )
