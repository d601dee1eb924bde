"""How far the source of a module pins what is installed, told from the call alone; no server is asked.

The classes are five, from what can never mean something else to what may do so at any time. A registry may lead a
version to an address of any class, so a version is never more than a name.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, assert_never

from msgspec import Struct

from lockwarden.core.modules.oci_sources import DEFAULT_TAG, oci_source
from lockwarden.core.modules.sources import Getter, LocalSource, ModuleSource, RegistryModuleSource, RemoteSource
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.source_redaction import has_secret_name

_COMMIT: Final = re.compile(r"[0-9A-Fa-f]{40}")
_SHORT_COMMIT: Final = re.compile(r"[0-9A-Fa-f]{7,39}")
_RELEASE: Final = re.compile(
    r"refs/tags/.+|v?[0-9]+(?:\.[0-9]+)*(?:[-+][\w.+-]+)?|[\w./-]+[/-]v?[0-9]+\.[0-9]+\.[0-9]+[\w.+-]*"
)
"""What tags of releases look like, also of one module among several in a repository."""
_LONGEST_NAME: Final = 255
_TERM: Final = re.compile(
    r"\s*(?P<operator>=|!=|>=|<=|~>|>|<|)\s*v?[0-9]+(?:\.[0-9]+)*(?:-[0-9A-Za-z.~-]+)?(?:\+[0-9A-Za-z.~-]+)?\s*"
)
_LONGEST_VERSION: Final = 1_000
_CHECKSUMS: Final = {"md5": 32, "sha1": 40, "sha256": 64, "sha512": 128}
_HEXADECIMAL: Final = re.compile(r"[0-9A-Fa-f]+")
_GIT_SCHEMES: Final = frozenset({"https", "ssh", "git+ssh"})
_SHOWN: Final = 100


class Pinning(StrEnum):
    """How far a source pins what is installed."""

    IMMUTABLE = "immutable"
    """It names its content by a digest."""
    NAMED = "named, mutable"
    """It names a release, and whoever holds the name can have it mean something else."""
    FLOATING = "floating"
    """It means the newest there is, or whatever lies there."""
    LOCAL = "local"
    """Part of the package that calls it, and as pinned as that one."""
    UNKNOWN = "unknown"
    """Its value cannot be known without running the configuration."""
    REFUSED = "refused"
    """The client does not install it."""


class Classified(Struct, frozen=True, kw_only=True):
    """What the text of a call says of what it installs."""

    kind: str
    """Such as git or registry, in one word; empty where that is not known."""
    pinning: Pinning
    reason: str
    """A clause."""
    unverifiable_transport: str = ""
    """Why anybody on the way could change it; a clause, empty where nobody could."""
    secrets: tuple[str, ...] = ()
    """What in the address may be a secret; names, never values."""


def unknown(reason: str) -> Classified:
    """The class of a source that is no constant."""
    return Classified(kind="", pinning=Pinning.UNKNOWN, reason=reason)


def refused(error: ModuleSourceError) -> Classified:
    """The class of a source that the client refuses."""
    return Classified(kind="", pinning=Pinning.REFUSED, reason=error.message)


def classify(source: ModuleSource, version: str = "") -> Classified:
    """The class of a source; `version` is what the call says beside a registry's address, and empty without."""
    match source:
        case LocalSource():
            return Classified(kind="local", pinning=Pinning.LOCAL, reason="it is part of the package that calls it")
        case RegistryModuleSource():
            pinning, reason = _version(version)
            return Classified(kind="registry", pinning=pinning, reason=reason)
        case RemoteSource():
            pinning, reason = _remote(source)
            return Classified(
                kind="http" if source.getter is Getter.HTTPS else source.getter.value,
                pinning=pinning,
                reason=reason,
                unverifiable_transport=_transport(source),
                secrets=tuple(_secrets(source)),
            )
        case _:
            assert_never(source)


def _version(version: str) -> tuple[Pinning, str]:
    if not version.strip():
        return Pinning.FLOATING, "without a version the newest is installed"
    terms = [_TERM.fullmatch(term) for term in version.split(",")]
    shown = version[:_SHOWN]
    if len(version) > _LONGEST_VERSION or any(term is None for term in terms):
        return Pinning.REFUSED, f"“{shown}” is not a constraint on versions"
    if any(term is not None and term["operator"] in {"", "="} for term in terms):
        return Pinning.NAMED, "the registry says what the version is, and may say something else another time"
    return Pinning.FLOATING, f"the newest version that fits “{shown}” is installed"


def _remote(source: RemoteSource) -> tuple[Pinning, str]:
    match source.getter:
        case Getter.GIT:
            return _git(source)
        case Getter.HG:
            return _mercurial(source)
        case Getter.OCI:
            return _oci(source)
        case Getter.FILE if not source.archive:
            return Pinning.FLOATING, "it is whatever lies there on the machine"
        case Getter.FILE | Getter.HTTP | Getter.HTTPS | Getter.S3 | Getter.GCS:
            return _archive(source)
        case _:
            assert_never(source.getter)


def _git(source: RemoteSource) -> tuple[Pinning, str]:
    ref = source.url.first("ref")
    shown = ref[:_SHOWN]
    if not ref:
        return Pinning.FLOATING, "without “ref” it is the newest commit of the default branch"
    if _COMMIT.fullmatch(ref):
        if source.url.first("depth").strip() not in {"", "0"}:
            return Pinning.REFUSED, "git cannot fetch a commit by its ID together with “depth”"
        return Pinning.IMMUTABLE, "it names a commit by its whole ID"
    if _SHORT_COMMIT.fullmatch(ref):
        return Pinning.NAMED, f"“{shown}” may be the beginning of a commit's ID, and a branch or tag can have the name"
    if _is_release(ref):
        return Pinning.NAMED, f"“{shown}” looks like a tag, and a tag can be moved"
    return Pinning.FLOATING, f"“{shown}” may be a branch, which moves with every push"


def _is_release(name: str) -> bool:
    return len(name) <= _LONGEST_NAME and _RELEASE.fullmatch(name) is not None


def _mercurial(source: RemoteSource) -> tuple[Pinning, str]:
    revision = source.url.first("rev")
    if _COMMIT.fullmatch(revision):
        return Pinning.IMMUTABLE, "it names a changeset by its whole ID"
    if not revision:
        ignored = ", and “ref” is not heeded" if source.url.first("ref") else ""
        return Pinning.FLOATING, f"without “rev” it is the newest changeset{ignored}"
    if _is_release(revision) or _SHORT_COMMIT.fullmatch(revision):
        return Pinning.NAMED, f"“{revision[:_SHOWN]}” is a name that can be moved"
    return Pinning.FLOATING, f"“{revision[:_SHOWN]}” may be a branch"


def _oci(source: RemoteSource) -> tuple[Pinning, str]:
    try:
        found = oci_source(source)
    except ModuleSourceError as error:
        return Pinning.REFUSED, error.message
    if found.digest is not None:
        return Pinning.IMMUTABLE, "it names the manifest by its digest"
    if found.tag == DEFAULT_TAG:
        return Pinning.FLOATING, "the tag “latest” moves with every release"
    return Pinning.NAMED, f"the tag “{found.tag}” can be moved"


def _archive(source: RemoteSource) -> tuple[Pinning, str]:
    checksum = source.url.first("checksum")
    if not source.archive:
        if checksum:
            return Pinning.REFUSED, "a checksum can be given for an archive only"
        if source.getter in {Getter.S3, Getter.GCS}:
            return Pinning.FLOATING, "it is whatever lies there"
        return Pinning.FLOATING, "the server says where the package is, and may say something else another time"
    if not checksum:
        return Pinning.FLOATING, "it is whatever archive lies there; nothing says what it should be"
    type_, colon, value = checksum.partition(":")
    if colon and type_ == "file":
        return Pinning.FLOATING, "its checksum is whatever another file says"
    if not colon:
        type_, value = next((name for name, digits in _CHECKSUMS.items() if digits == len(checksum)), ""), checksum
    if len(value) != _CHECKSUMS.get(type_) or not _HEXADECIMAL.fullmatch(value):
        return Pinning.REFUSED, "its checksum is none that the client knows"
    if type_ in {"md5", "sha1"}:
        return Pinning.NAMED, f"it names the archive by {type_}, by which two archives can be made alike"
    return Pinning.IMMUTABLE, f"it names the archive by its {type_} checksum"


def _transport(source: RemoteSource) -> str:
    if source.getter is Getter.FILE or source.scheme == "file":
        return "a folder of the machine is no release of anybody"
    if source.scheme == "http":
        return "plain http can be changed by anybody on the way"
    if source.getter is Getter.GIT and source.scheme not in _GIT_SCHEMES:
        how = (
            "the protocol git:// knows no encryption"
            if source.scheme == "git"
            else "git takes the scheme for a program"
        )
        return f"{how}, so nobody is known to be at the other end"
    return ""


def _secrets(source: RemoteSource) -> list[str]:
    user = source.url.user
    found = []
    if user and (":" in user or source.scheme not in {"ssh", "git+ssh"}):
        found.append("a user name or password")
    found += [f"“{name[:_SHOWN]}”" for name, value in source.url.query if value and has_secret_name(name)]
    return list(dict.fromkeys(found))
