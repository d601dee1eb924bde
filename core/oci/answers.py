"""What a registry's refusals mean: the list of errors in their bodies, and the status."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.http.busy_servers import phrase
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.server_words import quoted
from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.urls import redacted

NOT_FOUND_CODES: Final = frozenset({"NAME_UNKNOWN", "NAME_INVALID"})
"""Codes by which a registry says that it does not have a repository."""
_LONGEST: Final = 200


class RegistryError(Struct, frozen=True, kw_only=True):
    """One error of an answer: hostile text."""

    code: str
    message: str


class _Error(msgspec.Struct):
    code: str = ""
    message: str = ""


class _Body(msgspec.Struct):
    errors: list[_Error] = []


def errors_in(body: bytes) -> tuple[RegistryError, ...]:
    """The errors that a body lists; none where it is no such list."""
    try:
        errors = read_json(body, _Body).errors
    except BodyError:
        return ()
    return tuple(RegistryError(code=each.code[:_LONGEST], message=each.message[:_LONGEST]) for each in errors)


def status_in_words(document: HttpDocument) -> str:
    """What an answer said, as a sentence without its end: place, status, the registry's own words."""
    return sentence(redacted(document.url), document.status, document.said)


def sentence(url: str, status: int, said: str) -> str:
    """The same for an answer of which only parts are known; `url` and what it `said` without secrets."""
    return f"{url} answered {status} {phrase(status)}".rstrip() + quoted(said)


def is_not_found(document: HttpDocument) -> bool:
    """Whether a refusal to list tags means that the repository is not there, by the client's rule.

    A 404 whose body lists other errors is not: a proxy or a broken registry may say so of anything.
    """
    errors = errors_in(document.body)
    if any(error.code in NOT_FOUND_CODES for error in errors):
        return True
    return document.status == 404 and not errors
