"""How a provider's address leads to its repository in an OCI registry, and which repositories fit that.

The form of options is here: `REGISTRY/{namespace}/{type}`, a URI template of level 1 (RFC 6570), as OpenTofu's
`-oci-mirror` has it. Other forms come from whoever reads configurations; they only have to fill the port.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Protocol, Self
from urllib.parse import quote

from msgspec import Struct

from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.oci_references import OciRepository

SYMBOLS: Final = ("hostname", "namespace", "type")
MAX_LENGTH: Final = 4_096
"""Characters in a template."""
_VARIABLE: Final = re.compile(r"\{(?P<name>[A-Za-z0-9_]*)\}")
_FORM: Final = "write REGISTRY/PATH, in which {hostname}, {namespace} and {type} may stand"
_PROBE: Final = ProviderAddress(
    Hostname("0probe0hostname0.test", "0probe0hostname0.test"), "0probe0namespace0", "0probe0type0"
)
"""A provider whose parts are found again in whatever a template makes of it."""
_PROBES: Final = {
    _PROBE.hostname.ascii: "hostname",
    _PROBE.namespace: "namespace",
    _PROBE.type: "type",
}
_ANY_PROBE: Final = re.compile("|".join(map(re.escape, _PROBES)))


class NamedRepository(Protocol):
    """A registry and a repository in it."""

    @property
    def domain(self) -> str:
        """The registry with an optional port."""
        ...

    @property
    def path(self) -> str:
        """The repository in it."""
        ...


class RepositoryNames(Protocol):
    """The port: leads from a provider to its repository."""

    @property
    def text(self) -> str:
        """The template as it was written."""
        ...

    def expand(self, address: ProviderAddress) -> NamedRepository:
        """The repository of a provider. Raises InputError when it can have none."""
        ...


class UriTemplate(Struct, frozen=True):
    """A template in the form of options."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a template, with or without `oci://` before it. Raises InputError when no repository can come out."""
        template = cls(text.removeprefix("oci://"))
        if template.text.endswith(":"):
            raise InputError(
                f"the OCI repository template “{template.text}” ends in a colon with nothing behind it",
                hint=f"write oci://{template.text.rstrip(':')}; the version's tag is added to it",
            )
        if len(template.text) > MAX_LENGTH:
            raise InputError(f"an OCI repository template of {len(text)} characters is too long", hint=_FORM)
        try:
            template.expand(_PROBE)
        except InputError as error:
            raise InputError(
                f"the OCI repository template “{template.text}” leads to no repository: {_with_names(error.message)}",
                hint=f"{_FORM}; ${{namespace}} is the form of the CLI configuration" if "$" in text else _FORM,
            ) from error
        return template

    def expand(self, address: ProviderAddress) -> OciRepository:
        """The repository of a provider; an unknown name expands to nothing. Raises InputError when it can have none."""
        values = {"hostname": address.hostname.ascii, "namespace": address.namespace, "type": address.type}
        return OciRepository.parse(
            _VARIABLE.sub(lambda match: quote(values.get(match["name"], ""), safe="-._~"), self.text)
        )


def _with_names(message: str) -> str:
    """A message about the probe, as one about the template."""
    return _ANY_PROBE.sub(lambda match: f"{{{_PROBES[match[0]]}}}", message)


def repository_of(names: RepositoryNames, address: ProviderAddress) -> OciRepository:
    """The repository of a provider, held against the grammar. Raises InputError."""
    named = names.expand(address)
    return OciRepository.parse(f"{named.domain}/{named.path}")


def registry_of(names: RepositoryNames) -> str | None:
    """The registry that a template leads to, where it is the same for every provider; None where it is not.

    Raises InputError for a template that leads nowhere.
    """
    domain = names.expand(_PROBE).domain
    return None if _ANY_PROBE.search(domain) else domain


def fitting(names: RepositoryNames, paths: Iterable[str]) -> tuple[str, ...]:
    """The paths to which a template could lead for some provider, by their names alone. Raises InputError likewise."""
    shape = re.compile(_shape(names.expand(_PROBE).path))
    return tuple(path for path in paths if shape.fullmatch(path))


def _shape(made: str) -> str:
    """A pattern for the paths that a template makes, from the one that it made for the probe."""
    pattern, at = "", 0
    seen: set[str] = set()
    for match in _ANY_PROBE.finditer(made):
        name = _PROBES[match[0]]
        pattern += re.escape(made[at : match.start()])
        pattern += f"(?P={name})" if name in seen else f"(?P<{name}>[a-z0-9._-]+)"
        seen.add(name)
        at = match.end()
    return pattern + re.escape(made[at:])
