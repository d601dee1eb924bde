"""The tags of a repository, and the versions that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.answers import is_not_found, status_in_words
from lockwarden.core.oci.pages import each_page
from lockwarden.core.oci.registry import Registries, unsuccessful
from lockwarden.core.values.errors import BadAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.oci_references import is_tag, version_of
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import redacted
from lockwarden.core.values.versions import Version

MAX_TAGS: Final = 100_000
"""Tags of one repository."""


class TagList(Struct, frozen=True, kw_only=True):
    """The tags of a repository, each once, in the registry's order."""

    tags: tuple[str, ...]
    versions: Mapping[Version, tuple[str, ...]]
    """Version → the tags that stand for it. Of several, and even of one such as `1.0`, the client asks for its own."""

    @classmethod
    def of(cls, tags: tuple[str, ...]) -> TagList:
        """What these tags stand for; those that stand for no version stay in `tags` only."""
        found: dict[Version, list[str]] = {}
        kept = tuple(dict.fromkeys(tags))
        for tag in kept:
            version = version_of(tag) if is_tag(tag) else None
            if version is not None:
                # A list, since a registry may have all its tags stand for one version: 1.2.3, 01.2.3, 001.2.3 …
                found.setdefault(version, []).append(tag)
        versions = {version: tuple(written) for version, written in found.items()}
        return cls(tags=kept, versions=MappingProxyType(versions))


class _Page(msgspec.Struct):
    tags: list[str] = []


async def list_tags(registries: Registries, access: Access) -> TagList:
    """Ask for all tags of a repository.

    Raises NotThereError when the registry answers that it does not have the repository, NoAnswerError when it could not
    be asked or refuses, BadAnswerError for an answer that cannot be used.
    """
    url = f"{access.base}{access.repository.path}/tags/list"
    found: list[str] = []

    def take(document: HttpDocument) -> None:
        if document.status != 200:
            raise _no_list(document, access)
        found.extend(_tags_of(document))
        if len(found) > MAX_TAGS:
            raise BadAnswerError(
                f"{access.repository} has more than {MAX_TAGS} tags, which is the limit",
                stage=Stage.VERSIONS,
                code=ProblemCode.TOO_MANY_TAGS,
            )

    await each_page(registries, access, url, take, stage=Stage.VERSIONS)
    return TagList.of(tuple(found))


def _no_list(document: HttpDocument, access: Access) -> SourceError:
    if is_not_found(document):
        return NotThereError(
            f"{access.repository.domain} does not have the repository {access.repository.path}:"
            f" {status_in_words(document)}",
            stage=Stage.VERSIONS,
        )
    return unsuccessful(document, access, stage=Stage.VERSIONS)


def _tags_of(document: HttpDocument) -> list[str]:
    try:
        return read_json(document.body, _Page).tags
    except BodyError as error:
        raise BadAnswerError(
            f"what {redacted(document.url)} answered {error}",
            stage=Stage.VERSIONS,
            code=ProblemCode.UNUSABLE_JSON,
            hint="look whether the address is that of an OCI registry; a proxy or a log-in page may answer instead",
        ) from error
