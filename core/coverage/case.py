"""One case to judge: an entry, a platform, a source, and what the audit knows of the package there."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from msgspec import Struct

from lockwarden.core.coverage.checks import NOTHING_KNOWN, Allowed, Check, Shape
from lockwarden.core.coverage.evidence import CoverageEvidence
from lockwarden.core.evidence.observations import Basis
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, SourceAnswer, SourceKind
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.clients import Client
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

CACHES: Final = frozenset({SourceKind.PLUGIN_CACHE, SourceKind.INSTALLED})
"""Folders that a client looks into before it asks a source, and that it may pass over."""
_LOOKED_AT: Final = frozenset({Outcome.ANSWERED, Outcome.NO_ANSWER})


class Case(Struct, frozen=True, kw_only=True, dict=True):
    """What the rules look at."""

    entry: LockedProvider
    allowed: Allowed
    answer: SourceAnswer
    platform: Platform
    client: Client
    evidence: CoverageEvidence

    @property
    def kind(self) -> SourceKind:
        """The kind of the source."""
        return self.answer.source.kind

    @cached_property
    def package(self) -> PackageFacts | None:
        """The package, where it was asked for."""
        return self.answer.package(self.platform)

    @property
    def absent(self) -> bool:
        """Whether the source is known not to have the package.

        What a registry names beforehand does not settle it: a client asks for the package all the same.
        """
        if self.answer.outcome is not Outcome.ANSWERED:
            return self.answer.outcome is Outcome.NOT_THERE
        if self.package is not None:
            return self.package.outcome is Outcome.NOT_THERE
        return self.unnamed and self.kind is not SourceKind.DIRECT

    @property
    def unnamed(self) -> bool:
        """Whether the source names the platforms of the release, and not this one."""
        return self.answer.platforms is not None and self.platform not in self.answer.platforms

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The forms in which the client may get hold of the package; several where nothing tells which."""
        match self.kind:
            case SourceKind.OCI_MIRROR:
                return (Shape.BLOB,)
            case SourceKind.PLUGIN_CACHE | SourceKind.INSTALLED:
                return (Shape.FOLDER,)
            case SourceKind.FILESYSTEM_MIRROR if self.package is None or self.package.outcome not in _LOOKED_AT:
                return (Shape.ARCHIVE, Shape.FOLDER)
            case SourceKind.FILESYSTEM_MIRROR if self.package is not None and self.package.basis is Basis.DIRECTORY:
                return (Shape.FOLDER,)
            case _:
                return (Shape.ARCHIVE,)

    @cached_property
    def known(self) -> frozenset[Hash]:
        """The hashes that a client is known to compare with.

        Of an OCI mirror's package that was not looked at it is the digest that the registry names, since a client
        compares that before the download, and refuses bytes with another one.
        """
        package = self.package
        if self.kind is SourceKind.OCI_MIRROR and (package is None or package.zh is None):
            return self.promised
        if package is None:
            return NOTHING_KNOWN
        h1 = package.h1_directory if self.shapes == (Shape.FOLDER,) else package.h1_archive
        return frozenset(hash_ for hash_ in (package.zh, h1) if hash_ is not None)

    @property
    def promised(self) -> frozenset[Hash]:
        """The hashes that the source names for the package."""
        return self.evidence.promised(self.answer, self.platform)

    @property
    def likely(self) -> frozenset[Hash]:
        """What is known, and of schemes of which nothing is known what is promised."""
        schemes = {hash_.scheme for hash_ in self.known}
        return self.known.union(hash_ for hash_ in self.promised if hash_.scheme not in schemes)

    @property
    def folder_h1(self) -> frozenset[Hash]:
        """The `h1` of the unpacked package, which every run compares; empty where it is not known."""
        h1 = None if self.package is None else self.package.h1_directory
        return NOTHING_KNOWN if h1 is None else frozenset({h1})

    @property
    def archive_h1s(self) -> frozenset[Hash]:
        """The `h1` of archives that unpack to this very folder, as far as other sources gave them out."""
        return frozenset(
            package.h1_archive
            for answer in self.evidence.audit.source_answers
            for package in answer.packages
            if package.h1_archive is not None and package.h1_directory in self.folder_h1
        )

    def check(self, known: frozenset[Hash]) -> Check:
        """What `init` finds if these are the package's hashes."""
        checks = {self.allowed.at_install(shape, known) for shape in self.shapes}
        return checks.pop() if len(checks) == 1 else Check.OPEN
