"""The repositories that a registry holds, where it offers a list of them (`_catalog`, an extension of Docker's)."""

from __future__ import annotations

from typing import Final

import msgspec

from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.answers import status_in_words
from lockwarden.core.oci.pages import each_page
from lockwarden.core.oci.registry import Registries, unsuccessful
from lockwarden.core.values.errors import BadAnswerError, InputError, NotThereError, Stage
from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.oci_references import MAX_NAME, OciRepository
from lockwarden.core.values.oci_templates import RepositoryNames, fitting, registry_of
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import redacted

MAX_REPOSITORIES: Final = 100_000
"""Names that a registry may list."""
_NOT_OFFERED: Final = frozenset({404, 405, 501})


class _Page(msgspec.Struct):
    repositories: list[str] = []


async def list_repositories(registries: Registries, domain: str) -> tuple[str, ...]:
    """The paths of all repositories that the registry is willing to name, each once, in its order.

    Raises NotThereError when it does not offer such a list, as most public registries, NoAnswerError when it could not
    be asked or refuses, BadAnswerError for an answer that cannot be used. A repository may be missing from it.
    """
    access = registries.cataloguing(domain)
    found: dict[str, None] = {}

    def take(document: HttpDocument) -> None:
        found.update(dict.fromkeys(name for name in _names_of(document, access) if len(name) <= MAX_NAME))
        if len(found) > MAX_REPOSITORIES:
            raise BadAnswerError(
                f"{domain} names more than {MAX_REPOSITORIES} repositories, which is the limit",
                stage=Stage.DISCOVERY,
                code=ProblemCode.TOO_MANY_REPOSITORIES,
            )

    await each_page(registries, access, f"{access.base}_catalog", take, stage=Stage.DISCOVERY)
    return tuple(found)


def _names_of(document: HttpDocument, access: Access) -> list[str]:
    if document.status in _NOT_OFFERED:
        raise NotThereError(
            f"{access.repository.domain} does not offer a list of its repositories: {status_in_words(document)}",
            stage=Stage.DISCOVERY,
        )
    if document.status != 200:
        raise unsuccessful(document, access, stage=Stage.DISCOVERY)
    try:
        return read_json(document.body, _Page).repositories
    except BodyError as error:
        raise BadAnswerError(
            f"what {redacted(document.url)} answered {error}", stage=Stage.DISCOVERY, code=ProblemCode.UNUSABLE_JSON
        ) from error


async def fitting_repositories(registries: Registries, names: RepositoryNames) -> tuple[OciRepository, ...]:
    """The repositories that a template could lead to, by their names alone. Raises as `list_repositories` does.

    Raises NotThereError, too, when the template does not lead to one registry or to none, so that there is nobody to
    ask.
    """
    try:
        domain = registry_of(names)
    except InputError as error:
        raise NotThereError(
            f"there is no registry to list: {error.message}", stage=Stage.DISCOVERY, hint=error.hint
        ) from error
    if domain is None:
        raise NotThereError(
            f"the template {names.text} leads to a registry for each provider, so there is no one registry to list",
            stage=Stage.DISCOVERY,
        )
    paths = fitting(names, await list_repositories(registries, domain))
    return tuple(OciRepository(domain, path) for path in paths)
