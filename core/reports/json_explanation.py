"""The whole reasoning about one provider as JSON, `lockwarden.explanation/1`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import ToolJson
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.addresses import ProviderAddress


class ExplainedFileJson(Struct, frozen=True, kw_only=True):
    """The reasoning in one lock file that has the provider."""

    path: str
    lines: list[str]
    """For people to read: an indented line belongs to the one above it, and an empty one begins a new part. Their words
    may change."""


class ExplanationJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden check --explain ADDRESS --format json` writes. Members may be added; none is removed or changes
    its meaning within version 1."""

    schema: Literal["lockwarden.explanation/1"] = "lockwarden.explanation/1"
    tool: ToolJson
    address: str
    """HOSTNAME/NAMESPACE/TYPE."""
    exit_code: ExitCode
    """That of the whole run, whatever the other providers add to it: 0 nothing to object to, 1 findings, 2 a lock file
    cannot be read, 3 something could not be verified and nothing worse was found."""
    lock_files: list[ExplainedFileJson]
    """Those that have the provider, in the order in which they were given."""


def json_explanation(
    told: Mapping[str, Sequence[str]], address: ProviderAddress, exit_code: ExitCode, *, version: str
) -> str:
    """The lines of `explain`, by lock file, as one JSON object. It is plain ASCII."""
    document = ExplanationJson(
        tool=ToolJson(version=version),
        address=str(address),
        exit_code=exit_code,
        lock_files=[ExplainedFileJson(path=path, lines=list(lines)) for path, lines in told.items()],
    )
    return json_text(document)
