"""Module registries: which version a constraint means today, and where they say that it is.

The token of a host goes to the host, and to where its own discovery document (or the operator's configuration) puts its
registry; with nothing else. Source: OpenTofu's `internal/registry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import httpx

from lockwarden.core.http.access_hints import if_hidden, if_refused, may_be_hidden
from lockwarden.core.http.busy_servers import phrase
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.server_words import beyond_not_found, quoted
from lockwarden.core.modules.indirection import HEADER, Location, is_relative, listed_versions, location_in
from lockwarden.core.modules.registry_versions import newest_version
from lockwarden.core.modules.resolution import RegistryModule
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, redacted, resolved

MODULES: Final = "modules.v1"
_VERSION_HEADERS: Final = {"X-Terraform-Version": "1.12.6"}
_WELL_KNOWN: Final = "/.well-known/terraform.json"
_LIMIT: Final = 8 * 1024 * 1024
_OK: Final = 200
_NO_CONTENT: Final = 204
_NOT_FOUND: Final = 404
_NO_ACCESS: Final = frozenset({401, 403})
_ASK: Final = "ask who runs the registry"


class ModuleRegistries:
    """Asks module registries; what a host's discovery document says is asked once."""

    def __init__(self, http: HttpClient, services: Mapping[str, Mapping[str, str | None]]) -> None:
        """`services` gives the services of hosts (in comparison form) that are not asked for them."""
        self._http = http
        self._configured = services
        self._bases: dict[Hostname, str] = {}

    async def location(self, module: RegistryModule) -> tuple[str, Location]:
        """The newest version that fits, and where the registry says that it is; never a relative address.

        Raises NotThereError when the registry has no such module or version, NoAnswerError when it could not be asked,
        BadAnswerError for an answer that cannot be used.
        """
        host, name = module.source.host, str(module.source)
        base = await self._base(host)
        path = "/".join(
            quote(each, safe="") for each in (module.source.namespace, module.source.name, module.source.target)
        )
        listing = await self._ask(host, f"{base}{path}/versions")
        if listing.status == _NOT_FOUND:
            raise _without_module(listing, host, name)
        _require(listing, host, {_OK})
        try:
            version = newest_version(listed_versions(listing.body), module.constraint)
        except BodyError as error:
            raise _malformed(f"the list of versions of {name}", error) from error
        if version is None:
            wanted = f"that fits “{module.constraint[:100]}”" if module.constraint else "that is no pre-release"
            raise _absent(f"{name} has no version {wanted}")
        document = await self._ask(host, f"{base}{path}/{quote(str(version), safe='+~')}/download")
        if document.status == _NOT_FOUND:
            raise _absent(f"{host.display} does not have version {version} of {name}, which it lists")
        _require(document, host, {_OK, _NO_CONTENT})
        try:
            found = location_in(document.body, document.headers.get(HEADER, ""))
        except BodyError as error:
            raise _malformed(f"the location of {name} {version}", error) from error
        return str(version), _absolute(found, document, f"{name} {version}")

    async def _base(self, host: Hostname) -> str:
        """Where the host's module registry is, with a slash at its end."""
        if host not in self._bases:
            found = await self._discovered(host)
            self._bases[host] = found if found.endswith("/") else f"{found}/"
        return self._bases[host]

    async def _discovered(self, host: Hostname) -> str:
        known = self._configured.get(host.ascii)
        discovery = f"https://{host.ascii}{_WELL_KNOWN}"
        if known is not None:
            value = known.get(MODULES)
            if not value:
                raise _unusable(f"the host block for {host.display} in the CLI configuration has no URL for {MODULES}")
            return resolved(discovery, value, stage=Stage.DISCOVERY, by_operator=True)
        document = await self._http.get_document(
            discovery, stage=Stage.DISCOVERY, limit=_LIMIT, credentials_for=host.ascii
        )
        if document.status == _NOT_FOUND:
            raise _absent(f"{host.display} does not offer a module registry")
        _require(document, host, {_OK})
        try:
            services = read_json(document.body, dict[str, Any])
        except BodyError as error:
            raise _malformed(f"the discovery document of {host.display}", error) from error
        value = services.get(MODULES)
        if value is None:
            raise _absent(f"{host.display} does not offer a module registry")
        if not isinstance(value, str) or not value:
            raise _unusable(f"the URL of the module registry of {host.display} is no text")
        return resolved(document.url, value, stage=Stage.DISCOVERY)

    async def _ask(self, host: Hostname, url: str) -> HttpDocument:
        return await self._http.get_document(
            url,
            stage=Stage.METADATA,
            limit=_LIMIT,
            credentials_for=host.ascii,
            credentials_also_at=frozenset({host_of(httpx.URL(url))}),
            headers=_VERSION_HEADERS,
        )


def _absolute(found: Location, document: HttpDocument, what: str) -> Location:
    if not found.address:
        raise BadAnswerError(
            f"the registry does not say where {what} is", stage=Stage.METADATA, code=ProblemCode.ANSWER_MALFORMED
        )
    if not is_relative(found.address):
        return found
    return Location(
        address=resolved(document.url, found.address, stage=Stage.METADATA),
        direct=found.direct,
        with_credentials=found.with_credentials,
    )


def _require(document: HttpDocument, host: Hostname, statuses: set[int]) -> None:
    if document.status in statuses:
        return
    status = f"{document.status} {phrase(document.status)}".rstrip()
    message = f"{redacted(document.url)} answered {status}{quoted(document.said)}"
    if document.status in _NO_ACCESS or document.status >= 500:
        hint = if_refused(document, host) if document.status in _NO_ACCESS else _ASK
        raise NoAnswerError(message, stage=Stage.METADATA, code=ProblemCode.HTTP_STATUS, hint=hint)
    raise BadAnswerError(message, stage=Stage.METADATA, code=ProblemCode.HTTP_STATUS, hint=_ASK)


def _without_module(document: HttpDocument, host: Hostname, name: str) -> SourceError:
    """That the registry says it has no such module, which it may say of one that it hides as well."""
    said = f"{host.display} does not have a module {name}{quoted(beyond_not_found(document.said))}"
    if not may_be_hidden(document, host):
        return _absent(said)
    hint = if_hidden(document, host, "")
    return NoAnswerError(f"{said}; it may hide it", stage=Stage.VERSIONS, code=ProblemCode.HTTP_STATUS, hint=hint)


def _absent(what: str) -> SourceError:
    hint = "read the source and the version letter by letter; a private module needs credentials"
    return NotThereError(what, stage=Stage.VERSIONS, code=ProblemCode.MODULE_ABSENT, hint=hint)


def _malformed(what: str, error: BodyError) -> SourceError:
    return BadAnswerError(
        f"{what} {error}",
        stage=Stage.METADATA,
        code=ProblemCode.ANSWER_MALFORMED,
        hint="a proxy or a log-in page may answer in its place",
    )


def _unusable(what: str) -> SourceError:
    return BadAnswerError(what, stage=Stage.DISCOVERY, code=ProblemCode.URL_REFUSED, hint=_ASK)
