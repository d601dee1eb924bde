"""Turns what an operator wrote for `--source` into a source's kind and place, and gives every source a short name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final, assert_never
from urllib.parse import urlsplit

from msgspec import Struct

from lockwarden.core.cli_config.settings import Method
from lockwarden.core.evidence.source_answers import DIRECT, SourceKind, SourceRef
from lockwarden.core.system.links import absolute_folder
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.mirror_locations import (
    MAX_LENGTH,
    SCHEME,
    network_mirror_location,
    oci_mirror_location,
)

LOCAL_PREFIXES: Final = {"plugin-cache:": SourceKind.PLUGIN_CACHE, "installed:": SourceKind.INSTALLED}
_INSTALLED: Final = (".terraform", "providers")
_FORMS: Final = (
    "write direct, the https:// URL of a network mirror, oci://REGISTRY/{namespace}/{type} for an OCI mirror, or a"
    " folder: a filesystem mirror as it is, plugin-cache:FOLDER or installed:FOLDER"
)


class SourceSpec(Struct, frozen=True, kw_only=True):
    """A source that the operator chose: its kind and where it is."""

    kind: SourceKind
    location: str
    """A URL that ends in a slash, an absolute path, `oci://` and the template of an OCI mirror's repositories, or
    `direct` for each provider's own origin registry."""
    method: Method | None = None
    """What the CLI configuration says of it; None when the operator named it, so that it serves every provider."""
    id: str = ""
    """The name that it has already; empty where it is given one."""


def parse_source_spec(text: str, *, directory: Path, insecure_hosts: frozenset[str] = frozenset()) -> SourceSpec:
    """Read one `--source`; relative folders are relative to `directory`, and folders must exist.

    `insecure_hosts` (`host` or `host:port` in comparison form) may be spoken to over plain HTTP, beside this machine
    itself. Raises InputError.
    """
    if not text.strip() or "\0" in text or len(text) > MAX_LENGTH:
        raise InputError("a source must be given as a text of at most a few thousand characters", hint=_FORMS)
    if text == DIRECT:
        return SourceSpec(kind=SourceKind.DIRECT, location=DIRECT)
    for prefix, kind in LOCAL_PREFIXES.items():
        if text.startswith(prefix):
            return SourceSpec(kind=kind, location=_folder(text.removeprefix(prefix), directory))
    if match := SCHEME.match(text):
        scheme = match["scheme"].lower()
        if scheme == "oci":
            return SourceSpec(kind=SourceKind.OCI_MIRROR, location=oci_mirror_location(text[match.end() :]))
        location = network_mirror_location(text, scheme, insecure_hosts, forms=_FORMS)
        return SourceSpec(kind=SourceKind.NETWORK_MIRROR, location=location)
    folder = _folder(text, directory)
    installed = PurePath(folder).parts[-2:] == _INSTALLED
    return SourceSpec(kind=SourceKind.INSTALLED if installed else SourceKind.FILESYSTEM_MIRROR, location=folder)


def _folder(text: str, directory: Path) -> str:
    path = directory / text
    try:
        found = path.is_dir()
    except OSError:
        found = False
    if not text or not found:
        like_url = "/" in text and "." in text.split("/", maxsplit=1)[0].strip(".")
        hint = f"if it is a network mirror, write https://{text}" if like_url else _FORMS
        raise InputError(f"“{text}” is not a source: there is no such folder", hint=hint)
    return str(absolute_folder(text, directory))


def name_sources(specs: Sequence[SourceSpec]) -> tuple[SourceRef, ...]:
    """A reference for each spec, in their order: the id is short, and no two are equal."""
    taken: set[str] = set()
    refs: list[SourceRef] = []
    for spec in specs:
        id_ = next(name for name in _names(spec) if name not in taken)
        taken.add(id_)
        refs.append(SourceRef(id=id_, kind=spec.kind, location=spec.location))
    return tuple(refs)


def _names(spec: SourceSpec) -> Iterator[str]:
    """Names for a source, the shortest first, without end."""
    names = [spec.id] if spec.id else list(_natural_names(spec))
    yield from names
    number = 2
    while True:
        yield f"{names[-1]} ({number})"
        number += 1


def _natural_names(spec: SourceSpec) -> Iterator[str]:
    match spec.kind:
        case SourceKind.NETWORK_MIRROR | SourceKind.OCI_MIRROR:
            parts = urlsplit(spec.location)
            yield parts.netloc
            yield f"{parts.netloc}{parts.path}".rstrip("/")
        case SourceKind.DIRECT:
            yield DIRECT
        case SourceKind.INSTALLED | SourceKind.PLUGIN_CACHE | SourceKind.FILESYSTEM_MIRROR:
            parts_ = PurePath(spec.location).parts
            if parts_[-2:] != _INSTALLED and parts_[-1] != DIRECT:
                yield parts_[-1]
            yield "/".join(parts_[-2:])
            yield spec.location
        case _:
            assert_never(spec.kind)
