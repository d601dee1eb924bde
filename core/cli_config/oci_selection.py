"""Chooses the credentials for a repository in an OCI registry. It asks nobody: a helper that is chosen is only named.

The most specific source wins: one for the longest part of the repository's path, then one for its registry, then one
for all registries. Of equals, the first one wins: `oci_credentials` blocks, the helper of `oci_default_credentials`,
then the files in their order, and in a file `auths`, `credHelpers`, `credsStore`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.cli_config.docker_files import DockerFile
from lockwarden.core.cli_config.settings import (
    ConfiguredCredential,
    HelperCredential,
    OciCredentials,
    OciDefaults,
    UsableCredential,
    UselessCredential,
)
from lockwarden.core.values.origins import Origin

_FOR_ALL: Final = -1
"""Less specific than any registry, which has 0 segments of a path."""


class OciSource(StrEnum):
    """The kinds of places that know credentials for OCI registries."""

    BLOCK = "oci_credentials block"
    DEFAULT_HELPER = "oci_default_credentials helper"
    AUTHS = "auths entry"
    CRED_HELPERS = "credHelpers entry"
    CREDS_STORE = "credsStore"


class OciCandidate(Struct, frozen=True, kw_only=True):
    """A source of credentials that is meant for a repository."""

    specificity: int
    credential: UsableCredential
    source: OciSource
    origin: Origin

    @property
    def shown(self) -> str:
        """What it is and where it stands, without any secret."""
        helper = f" “{self.credential.name}”" if isinstance(self.credential, HelperCredential) else ""
        return f"{self.source}{helper} ({self.origin})"


class MalformedEntry(Struct, frozen=True, kw_only=True):
    """A source that is meant for a repository and holds nothing that could be used."""

    message: str
    source: OciSource
    origin: Origin

    @property
    def shown(self) -> str:
        """What it is and where it stands, without any secret."""
        return f"{self.source} ({self.origin}), which cannot be used"


class MalformedEntryError(Exception):
    """A source that is meant for the repository holds nothing usable although others do; the lookup fails."""

    def __init__(self, entry: MalformedEntry) -> None:
        super().__init__(entry.message)
        self.entry = entry


def choose(candidates: Iterable[OciCandidate | MalformedEntry]) -> OciCandidate | None:
    """The candidate that is used; None when there is none that could be.

    Raises MalformedEntryError when one holds nothing usable and another one does, whichever is the more specific.
    """
    chosen: OciCandidate | None = None
    malformed: MalformedEntry | None = None
    for candidate in candidates:
        if isinstance(candidate, MalformedEntry):
            malformed = malformed or candidate
        elif chosen is None or candidate.specificity > chosen.specificity:
            chosen = candidate
    if chosen is not None and malformed is not None:
        raise MalformedEntryError(malformed)
    return chosen


def candidates_for(
    domain: str,
    repository: str,
    *,
    blocks: Iterable[OciCredentials],
    defaults: OciDefaults | None,
    files: Sequence[DockerFile],
) -> Iterator[OciCandidate | MalformedEntry]:
    """Every source that is meant for a repository, in the order in which equals win."""
    for block in blocks:
        segments = block.prefix.matched_segments(domain, repository)
        if segments is not None:
            yield _candidate(segments, block.credential, OciSource.BLOCK, block.origin)
    if defaults is not None and defaults.docker_credentials_helper:
        yield OciCandidate(
            specificity=_FOR_ALL,
            credential=HelperCredential(name=defaults.docker_credentials_helper),
            source=OciSource.DEFAULT_HELPER,
            origin=defaults.origin,
        )
    for file in files:
        yield from _of_file(file, domain, repository)


def _of_file(file: DockerFile, domain: str, repository: str) -> Iterator[OciCandidate | MalformedEntry]:
    origin = Origin.of_file(file.path)
    for entry in file.auths:
        segments = entry.prefix.matched_segments(domain, repository)
        if segments is not None:
            yield _candidate(segments, entry.credential, OciSource.AUTHS, origin)
    for helped, name in file.helpers:
        if helped == domain:
            helper = HelperCredential(name=name)
            yield OciCandidate(specificity=0, credential=helper, source=OciSource.CRED_HELPERS, origin=origin)
    if file.store:
        helper = HelperCredential(name=file.store)
        yield OciCandidate(specificity=_FOR_ALL, credential=helper, source=OciSource.CREDS_STORE, origin=origin)


def _candidate(
    segments: int, credential: ConfiguredCredential, source: OciSource, origin: Origin
) -> OciCandidate | MalformedEntry:
    if isinstance(credential, UselessCredential):
        return MalformedEntry(message=credential.message, source=source, origin=origin)
    return OciCandidate(specificity=segments, credential=credential, source=source, origin=origin)
