"""Versions of providers at two registries as JSON, `lockwarden.registries/1`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Self

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import HexDigits, ProblemJson, ToolJson, hashes_json, platforms_json
from lockwarden.core.reports.result import FileProblem
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.registry_comparison import (
    AtRegistry,
    ComparedFile,
    ComparedPackage,
    Likeness,
    MovedHash,
    PackageComparison,
    RegistryComparison,
)
from lockwarden.core.review.verdicts import Verdict


class AtRegistryJson(Struct, frozen=True, kw_only=True):
    """What one registry says of the version."""

    host: str
    outcome: Outcome
    detail: str
    """Why there is no answer; may be empty."""
    platforms: list[str] | None
    """Null where it does not say."""
    signers: list[HexDigits]
    """Fingerprints of the primary keys whose signatures count."""

    @classmethod
    def of(cls, at: AtRegistry) -> Self:
        """One registry."""
        return cls(
            host=at.host,
            outcome=at.outcome,
            detail=at.detail,
            platforms=None if at.platforms is None else platforms_json(at.platforms),
            signers=sorted(at.signers),
        )


class ComparedPackageJson(Struct, frozen=True, kw_only=True):
    """The packages of one platform at both."""

    platform: str
    standing: PackageComparison
    first: list[str]
    """The zh hashes at the first registry; more than one only where it contradicts itself."""
    second: list[str]

    @classmethod
    def of(cls, compared: ComparedPackage) -> Self:
        """One platform."""
        return cls(
            platform=str(compared.platform),
            standing=compared.standing,
            first=hashes_json(compared.first),
            second=hashes_json(compared.second),
        )


class MovedHashJson(Struct, frozen=True, kw_only=True):
    """A locked hash, and what it is at each of both."""

    hash: str
    line: int
    first: Verdict
    second: Verdict
    standing: Likeness
    """Whether it stands for the same bytes at both: confirmed at both, or of a package that both list."""

    @classmethod
    def of(cls, moved: MovedHash) -> Self:
        """One hash."""
        return cls(
            hash=moved.locked.hash.text,
            line=moved.locked.line,
            first=moved.first,
            second=moved.second,
            standing=moved.standing,
        )


class RegistryComparisonJson(Struct, frozen=True, kw_only=True):
    """One locked version at two registries."""

    address: str
    """As it is locked."""
    version: str
    exit_code: ExitCode
    """0 the same at both, 1 not the same, 3 could not be told."""
    first: AtRegistryJson
    second: AtRegistryJson
    there: Likeness
    """Whether both have the version."""
    platforms: Likeness
    signers: Likeness
    packages: list[ComparedPackageJson]
    hashes: list[MovedHashJson]

    @classmethod
    def of(cls, compared: RegistryComparison) -> Self:
        """One provider."""
        return cls(
            address=str(compared.locked),
            version=str(compared.version),
            exit_code=compared.exit_code,
            first=AtRegistryJson.of(compared.first),
            second=AtRegistryJson.of(compared.second),
            there=compared.there,
            platforms=compared.platforms,
            signers=compared.signers,
            packages=[ComparedPackageJson.of(each) for each in compared.packages],
            hashes=[MovedHashJson.of(each) for each in compared.hashes],
        )


class ComparedFileJson(Struct, frozen=True, kw_only=True):
    """One lock file."""

    path: str
    comparisons: list[RegistryComparisonJson]
    passed_over: list[str]
    """Providers of other registries than those that are compared."""
    problems: list[ProblemJson]

    @classmethod
    def of(cls, file: ComparedFile, problems: Iterable[FileProblem] = ()) -> Self:
        """One file; `problems` tell why it cannot be read."""
        return cls(
            path=file.path,
            comparisons=[RegistryComparisonJson.of(each) for each in file.comparisons],
            passed_over=[str(each) for each in file.passed_over],
            problems=[ProblemJson.of(each) for each in problems],
        )


class RegistriesJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden compare-registries --format json` writes. Members may be added; none is removed or changes its
    meaning within version 1."""

    schema: Literal["lockwarden.registries/1"] = "lockwarden.registries/1"
    tool: ToolJson
    exit_code: ExitCode
    """0 the same at both, 1 not the same, 2 a lock file cannot be read, 3 something could not be asked."""
    lock_files: list[ComparedFileJson]


def json_registries(files: Iterable[ComparedFileJson], exit_code: ExitCode, *, version: str) -> str:
    """The files of a run as one JSON object."""
    return json_text(RegistriesJson(tool=ToolJson(version=version), exit_code=exit_code, lock_files=list(files)))
