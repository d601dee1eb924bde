"""What a source names, whichever way it is spelt. So a change cannot escape its entry in the module lock by another
spelling.

Two sources that name the same here may still be different things for a server. So this is a reason to look closer,
never to say that two are the same.
"""

from __future__ import annotations

from typing import Final

from lockwarden.core.modules.oci_sources import oci_source
from lockwarden.core.modules.sources import Getter, RegistryModuleSource, RemoteSource, parse_module_source
from lockwarden.core.values.errors import ModuleSourceError

_DEFAULT_PORTS: Final = (":443", ":22", ":80")
_REF_PREFIXES: Final = ("refs/", "tags/", "heads/", "remotes/", "origin/")
_NO_NAME: Final = frozenset({"ref", "depth", "checksum", "archive"})
"""Arguments that say how a package is fetched, or that have a place of their own."""


def what_is_named(source: str, version: str) -> tuple[str, ...]:
    """What a source and the version beside it name, in one spelling. Equal tuples name one package and revision."""
    try:
        parsed = parse_module_source(source, versioned=bool(version))
        if isinstance(parsed, RegistryModuleSource):
            return _registry(parsed, version)
        if isinstance(parsed, RemoteSource):
            return _remote(parsed)
    except ModuleSourceError:
        pass  # it names nothing but itself
    return (source, version)


def _registry(source: RegistryModuleSource, version: str) -> tuple[str, ...]:
    wanted = "".join(version.split()).removeprefix("=").removeprefix("v")
    return ("registry", source.host.ascii, source.namespace.lower(), source.name.lower(), source.target, wanted)


def _remote(source: RemoteSource) -> tuple[str, ...]:
    if source.getter is Getter.OCI:
        found = oci_source(source)
        return ("oci", str(found.repository), found.reference)
    url = source.url
    host = url.host.lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    path = url.path.strip("/").lower().removesuffix(".git")
    arguments = sorted(f"{name}={value}" for name, value in url.query if name not in _NO_NAME)
    return (source.getter.removesuffix("s"), host, path, _ref(url.first("ref")), *arguments)


def _ref(ref: str) -> str:
    """A name of git without what says of which kind it is."""
    for prefix in _REF_PREFIXES:
        ref = ref.removeprefix(prefix)
    return "" if ref == "HEAD" else ref
