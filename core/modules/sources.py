"""What the `source` of a module call is: a folder, a module of a registry, or an address of its own.

The order of the questions is OpenTofu's (`internal/addrs/module_source.go`): a beginning with a dot makes it local,
then whatever can be read as a registry's address is one, and everything else is remote.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct

from lockwarden.core.modules.detectors import DetectionProblem, whole_address
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.clients import OPENTOFU_REGISTRY
from lockwarden.core.values.errors import InvalidAddressError, ModuleSourceError
from lockwarden.core.values.go_addresses import GoUrl, cleaned, forced_getter, read_url, split_subdirectory
from lockwarden.core.values.source_redaction import redacted_source

LONGEST_SOURCE: Final = 8_192
"""Characters. Signed URLs reach four thousand."""
LOCAL_BEGINNINGS: Final = ("./", "../", ".\\", "..\\")
_NAME: Final = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z_-]{0,62}[0-9A-Za-z])?")
_TARGET: Final = re.compile(r"[0-9a-z]{1,64}")
_RESERVED: Final = frozenset({"github.com", "bitbucket.org"})
_REGISTRY_FORM: Final = "a module of a registry looks like namespace/name/target, with the registry's host before it"
_ARCHIVES: Final = ("tar.bz2", "tar.tbz2", "tar.gz", "tar.xz", "tgz", "txz", "zip", "bz2", "gz", "xz")
"""Kinds of archives, as the client has them; its documentation lists others."""
_FALSE: Final = frozenset({"0", "f", "F", "false", "False", "FALSE"})


class Getter(StrEnum):
    """What fetches a remote module package."""

    FILE = "file"
    GCS = "gcs"
    GIT = "git"
    HG = "hg"
    HTTP = "http"
    HTTPS = "https"
    OCI = "oci"
    S3 = "s3"


class LocalSource(Struct, frozen=True):
    """A folder of the same package."""

    path: str
    """Cleaned, with slashes; it begins with `./` or `../`."""


class RegistryModuleSource(Struct, frozen=True, kw_only=True):
    """A module of a registry."""

    host: Hostname
    namespace: str
    name: str
    target: str
    subdirectory: str = ""

    def __str__(self) -> str:
        below = f"//{self.subdirectory}" if self.subdirectory else ""
        return f"{self.host}/{self.namespace}/{self.name}/{self.target}{below}"


class RemoteSource(Struct, frozen=True, kw_only=True):
    """A package that is fetched by an address of its own."""

    getter: Getter
    url: GoUrl
    """Without its sub-directory. It may hold secrets."""
    subdirectory: str = ""
    asks_bitbucket: bool = False
    """Whether the clients ask Bitbucket what the repository is; here it is taken for one of git."""

    @property
    def archive(self) -> str:
        """The kind of archive that the client takes the package for; empty where it is none."""
        said = self.url.first("archive")
        if said:
            return said if said not in _FALSE and said in _ARCHIVES else ""
        return next((each for each in _ARCHIVES if self.url.path.endswith(f".{each}")), "")

    @property
    def scheme(self) -> str:
        """The scheme by which the package is fetched, such as `https` or `ssh`."""
        return self.url.scheme


ModuleSource: TypeAlias = LocalSource | RegistryModuleSource | RemoteSource


def parse_module_source(
    text: str, *, versioned: bool = False, default_registry: str = OPENTOFU_REGISTRY
) -> ModuleSource:
    """Read a source as the clients do; `versioned` says that the call has a `version`, which only registries have.

    Raises ModuleSourceError, whose message holds no secret.
    """
    if len(text) > LONGEST_SOURCE:
        raise ModuleSourceError(
            f"a source of {len(text)} characters is too long; the limit is {LONGEST_SOURCE}",
            hint="no real address comes near it",
        )
    if text.startswith(LOCAL_BEGINNINGS):
        if versioned:
            raise _refused(text, "a module in a folder has no version", hint="take “version” out of the call")
        return LocalSource(_local(text))
    try:
        return _registry(text, default_registry)
    except ModuleSourceError:
        if versioned:
            raise
    return _remote(text)


def _local(text: str) -> str:
    clean = cleaned(text.replace("\\", "/"))
    return clean if clean.startswith("../") else f"./{clean}"


def _registry(text: str, default_registry: str) -> RegistryModuleSource:
    address, subdirectory = split_subdirectory(text)
    if climbs(subdirectory):
        raise _refused(text, "its sub-directory leads outside of the package")
    parts = address.split("/")
    if len(parts) not in {3, 4}:
        raise _refused(text, "it is no registry's address, and only those have versions", hint=_REGISTRY_FORM)
    written = parts[0] if len(parts) == 4 else default_registry
    try:
        host = Hostname.parse(written)
    except InvalidAddressError as error:
        raise _refused(text, "what stands before its first slash is no registry's host", hint=_REGISTRY_FORM) from error
    if "." not in host.ascii:
        raise _refused(text, "a registry's host has a dot in its name", hint=_REGISTRY_FORM)
    if host.ascii in _RESERVED:
        raise _refused(text, f"{host} is no module registry", hint="leave “version” out to fetch it by git")
    namespace, name, target = parts[-3:]
    for what, part, grammar in (("namespace", namespace, _NAME), ("name", name, _NAME), ("target", target, _TARGET)):
        if not grammar.fullmatch(part):
            raise _refused(text, f"its {what} is none that a registry has", hint=_REGISTRY_FORM)
    return RegistryModuleSource(host=host, namespace=namespace, name=name, target=target, subdirectory=subdirectory)


def _remote(text: str) -> RemoteSource:
    address, subdirectory = split_subdirectory(text)
    if climbs(subdirectory):
        raise _refused(text, "its sub-directory leads outside of the package")
    try:
        whole = whole_address(address)
    except DetectionProblem as problem:
        raise _refused(text, str(problem), hint="a module in a folder begins with ./ or ../") from problem
    whole, inner = split_subdirectory(whole)
    if inner:
        subdirectory = cleaned(f"{inner}/{subdirectory}") if subdirectory else inner
    if climbs(subdirectory):
        raise _refused(text, "its sub-directory leads outside of the package")
    forced, rest = forced_getter(whole)
    url = read_url(rest)
    if url is None:
        raise _refused(text, "it cannot be read as a URL")
    try:
        getter = Getter(forced or url.scheme)
    except ValueError:
        known = ", ".join(Getter)
        raise _refused(text, "nothing fetches sources of this scheme", hint=f"there are {known}") from None
    return RemoteSource(
        getter=getter, url=url, subdirectory=subdirectory, asks_bitbucket=address.startswith("bitbucket.org/")
    )


def climbs(subdirectory: str) -> bool:
    """Whether a cleaned path leads out of the folder that it begins in."""
    return subdirectory == ".." or subdirectory.startswith("../")


def _refused(text: str, why: str, *, hint: str = "") -> ModuleSourceError:
    return ModuleSourceError(f"“{redacted_source(text)}” is not the source of a module: {why}", hint=hint)
