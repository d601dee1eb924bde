"""What OCI registries answer: manifests, configurations, tokens, lists, errors; and the headers that lead elsewhere."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import httpx

from fuzzing.oracle import promise
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.oci.answers import errors_in, is_not_found, status_in_words
from lockwarden.core.oci.challenges import MAX_CHALLENGES, challenges_in
from lockwarden.core.oci.documents import Descriptor, read_config, read_image, read_index
from lockwarden.core.oci.pages import next_link
from lockwarden.core.oci.realms import may_see_credentials, realm_objection, realm_url
from lockwarden.core.oci.tags import TagList
from lockwarden.core.oci.tokens import TokenRequest, fetch_token
from lockwarden.core.values.errors import SourceError, Stage
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.oci_references import Digest

_T = TypeVar("_T")
_REGISTRY = httpx.URL("https://registry.example.test/v2/")
_REQUEST = TokenRequest(
    realm=httpx.URL("https://registry.example.test/token"), service="s", scope="repository:a:pull", plain_secrets=False
)


def oci_json(data: bytes) -> None:
    """Read a body as each of the documents of a registry."""
    for read in (read_index, read_image):
        try:
            found: Any = read(data)
        except BodyError:
            continue
        for descriptor in getattr(found, "manifests", ()) or getattr(found, "layers", ()):
            _descriptor(descriptor)
    try:
        config = read_config(data)
    except BodyError:
        pass
    else:
        promise(all(config.label(name) is not None for name, _ in config.labels), "a label is found by its name")
    document = _document(data)
    promise(all(len(error.message) <= 200 for error in errors_in(data)), "what a registry says is cut")
    promise(
        status_in_words(document).startswith(document.url) and is_not_found(document) in (True, False), "it is told"
    )
    _refused_or(fetch_token(_Http(document), _REQUEST, None, stage=Stage.CREDENTIALS))  # type: ignore[arg-type]
    tags = TagList.of(tuple(data.decode("latin-1").split('"')))
    promise({tag for several in tags.versions.values() for tag in several} <= set(tags.tags), "versions come from tags")


def oci_headers(data: bytes) -> None:
    """Read headers by which a registry leads to a token server or to the next page."""
    text = data.decode("latin-1")
    challenges = challenges_in(text)
    promise(len(challenges) <= MAX_CHALLENGES, "the number of challenges is bounded")
    next_link(text)
    for challenge in challenges:
        realm = realm_url(challenge.parameters.get("realm", ""))
        if realm is not None and not realm_objection(realm, _REGISTRY):
            promise(realm.scheme == "https" and realm.host, "a token is asked for over TLS alone")
            if may_see_credentials(realm, _REGISTRY, frozenset()):
                promise(realm.host == "registry.example.test", "credentials stay with the registry")


def _descriptor(descriptor: Descriptor) -> None:
    promise(descriptor.size >= 0, "a size is not negative")
    try:
        digest = Digest.parse(descriptor.digest)
    except ValueError:
        return
    promise(str(digest) == descriptor.digest, "a digest is kept as it is written")


class _Http:
    """Stands where a client stands, with one answer for every question."""

    def __init__(self, document: HttpDocument) -> None:
        self._document = document

    async def get_document(self, *_: object, **__: object) -> HttpDocument:
        return self._document


def _document(body: bytes) -> HttpDocument:
    headers: Mapping[str, str] = MappingProxyType({})
    return HttpDocument(
        url="https://registry.example.test/v2/a",
        status=200,
        content_type="application/json",
        headers=headers,
        body=body,
        sha256="",
        redirects=(),
        credentials_sent=False,
    )


def _refused_or(asking: Coroutine[Any, Any, _T]) -> _T | None:
    """What a coroutine that never waits returns, or None for a refusal of ours."""
    try:
        asking.send(None)
    except StopIteration as stop:
        value: _T = stop.value
        return value
    except SourceError:
        return None
    raise AssertionError("it waited")
