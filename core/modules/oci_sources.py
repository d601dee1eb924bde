"""Sources of module packages in OCI registries: `oci://REGISTRY/REPOSITORY[//SUBDIR][?tag=TAG|?digest=DIGEST]`.

Rules and refusals are those of OpenTofu (`internal/getmodules/oci_getter.go`).
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from lockwarden.core.modules.sources import Getter, RemoteSource
from lockwarden.core.values.errors import InputError, ModuleSourceError
from lockwarden.core.values.oci_references import Digest, OciRepository, is_tag

DEFAULT_TAG: Final = "latest"
_SUFFIX: Final = re.compile(r"(?P<path>[^:@]+)(?P<mark>[:@])(?P<rest>.+)", re.DOTALL)
_LONGEST: Final = 200


class OciModuleSource(Struct, frozen=True, kw_only=True):
    """A module package in an OCI registry, by tag or by digest."""

    repository: OciRepository
    tag: str = ""
    """Empty where a digest is given."""
    digest: Digest | None = None
    subdirectory: str = ""

    @property
    def reference(self) -> str:
        """The tag or digest that the registry is asked for."""
        return self.tag if self.digest is None else str(self.digest)

    @property
    def whole(self) -> OciModuleSource:
        """The repository as a source, whatever is wanted of it."""
        return OciModuleSource(repository=self.repository)

    def __str__(self) -> str:
        below = f"//{self.subdirectory}" if self.subdirectory else ""
        argument = f"tag={self.tag}" if self.digest is None else f"digest={self.digest}"
        return f"oci://{self.repository}{below}?{argument}"


def oci_source(source: RemoteSource) -> OciModuleSource:
    """The repository and what is wanted of it. Raises ModuleSourceError for what the client refuses."""
    if source.getter is not Getter.OCI or source.url.scheme != "oci":
        raise ModuleSourceError(
            "oci source type only supports oci URL scheme", hint="write oci://REGISTRY/REPOSITORY?tag=TAG"
        )
    if source.archive:
        raise ModuleSourceError(
            "the “archive” argument is not allowed for OCI sources, because the archive format is detected"
            " automatically from the image manifest",
            hint="a repository whose name ends like an archive counts as such an argument",
        )
    tag, digest = _arguments(source)
    repository = _repository(source)
    if digest is None and not is_tag(tag or DEFAULT_TAG):
        raise ModuleSourceError(f"invalid reference: invalid tag “{tag[:_LONGEST]}”")
    return OciModuleSource(
        repository=repository,
        tag="" if digest is not None else tag or DEFAULT_TAG,
        digest=digest,
        subdirectory=source.subdirectory,
    )


def _arguments(source: RemoteSource) -> tuple[str, Digest | None]:
    given: dict[str, str] = {}
    for name, value in source.url.query:
        if name in given:
            raise ModuleSourceError(f"too many “{name[:_LONGEST]}” arguments")
        given[name] = value
    given.pop("archive", None)  # a false one, which the client drops
    unknown = sorted(given.keys() - {"tag", "digest"})
    for name in ("tag", "digest"):
        if given.get(name) == "":
            raise ModuleSourceError(f"{name} argument must not be empty")
    digest: Digest | None = None
    if "digest" in given:
        try:
            digest = Digest.parse(given["digest"])
        except ValueError as error:
            raise ModuleSourceError(f"invalid digest: {error}") from error
    if unknown:
        plural = "s" if len(unknown) > 1 else ""
        names = ", ".join(f"“{name[:_LONGEST]}”" for name in unknown[:5])
        raise ModuleSourceError(
            f"unsupported argument{plural} {names}",
            hint="a source in an OCI registry has “tag” or “digest”, or neither",
        )
    if digest is not None and "tag" in given:
        raise ModuleSourceError(
            "cannot set both “tag” and “digest” arguments", hint="the digest alone says which package is meant"
        )
    return given.get("tag", ""), digest


def _repository(source: RemoteSource) -> OciRepository:
    path = source.url.path.removeprefix("/")
    try:
        return OciRepository.parse(f"{source.url.host}/{path}")
    except InputError as error:
        raise ModuleSourceError(
            f"invalid reference: invalid repository “{path[:_LONGEST]}”: {error.message}", hint=_meant(path)
        ) from error


def _meant(path: str) -> str:
    match = _SUFFIX.fullmatch(path)
    if match is None:
        return "a repository's name has lower-case letters, digits, and . _ - and / between them"
    kind = "tag" if match["mark"] == ":" else "digest"
    return f"write …/{match['path'][:_LONGEST]}?{kind}={match['rest'][:_LONGEST]}"
