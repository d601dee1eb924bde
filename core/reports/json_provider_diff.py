"""Two packages of providers, member by member, as JSON, `lockwarden.package-diff/1`."""

from __future__ import annotations

from typing import Literal, Self

from msgspec import Struct

from lockwarden.core.modules.package_diff import PackageDiff
from lockwarden.core.reports.json_package_diff import FileDiffJson
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import ToolJson, hash_json
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.rereleases import PackageRelation
from lockwarden.core.values.hashes import Hash


class ComparedArchiveJson(Struct, frozen=True, kw_only=True):
    """One of both packages."""

    name: str
    """As it was named."""
    zh: str
    size: int
    """Bytes of the archive."""
    h1: str | None
    """The one that clients record; null where none can be claimed."""

    @classmethod
    def of(cls, name: str, zh: Hash, size: int, h1: Hash | None) -> Self:
        """One package."""
        return cls(name=name, zh=zh.text, size=size, h1=hash_json(h1))


class ProviderDiffJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden package-diff --format json` writes. Members may be added; none is removed or changes its meaning
    within version 1."""

    schema: Literal["lockwarden.package-diff/1"] = "lockwarden.package-diff/1"
    tool: ToolJson
    exit_code: ExitCode
    """0 the same bytes, 1 not the same."""
    relation: PackageRelation
    before: ComparedArchiveJson
    after: ComparedArchiveJson
    files: list[FileDiffJson]
    """Those that differ."""
    alike: int
    """How many files are the same in both."""
    left_out: int
    """How many more files differ than are listed."""


def json_provider_diff(
    before: ComparedArchiveJson,
    after: ComparedArchiveJson,
    diff: PackageDiff,
    relation: PackageRelation,
    exit_code: ExitCode,
    *,
    version: str,
) -> str:
    """Two packages as one JSON object."""
    return json_text(
        ProviderDiffJson(
            tool=ToolJson(version=version),
            exit_code=exit_code,
            relation=relation,
            before=before,
            after=after,
            files=[FileDiffJson.of(each) for each in diff.files],
            alike=diff.alike,
            left_out=diff.left_out,
        )
    )
