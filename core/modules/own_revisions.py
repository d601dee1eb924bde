"""The revision that a source names by itself, so that nobody has to be asked and nobody can move it."""

from __future__ import annotations

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.oci_sources import oci_source
from lockwarden.core.modules.pinning import Pinning, classify
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.modules.sources import Getter, RemoteSource
from lockwarden.core.values.errors import ModuleSourceError

_SHA256 = 64
"""Hexadecimal digits."""


def own_revision(call: ModuleCall, default_registry: str) -> Resolved | None:
    """The commit, or the digest of the manifest or archive, that a call names; None where it names none."""
    try:
        source = call.parsed(default_registry)
    except ModuleSourceError:
        return None
    if not isinstance(source, RemoteSource) or classify(source).pinning is not Pinning.IMMUTABLE:
        return None
    revision = _named_by(source)
    return Resolved(revision=revision, how="it names it by itself; nobody was asked") if revision else None


def _named_by(source: RemoteSource) -> str:
    if source.getter is Getter.OCI:
        return str(oci_source(source).digest)
    if source.getter is Getter.GIT:
        return source.url.first("ref").lower()
    checksum = source.url.first("checksum").rpartition(":")[2].lower()
    return f"sha256:{checksum}" if len(checksum) == _SHA256 else ""
