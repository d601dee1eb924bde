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
_ANY_PROBE_KEPT: Final = re.compile(f"({_ANY_PROBE.pattern})")
_VALUE: Final = re.compile(r"[a-z0-9._-]+")
MOST_TRIES: Final = 50
"""Ways in which one name is compared with a template in which a symbol comes twice."""


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
    """The paths to which a template could lead for some provider, by their names alone. Raises InputError likewise.

    A registry chooses its names, so that comparing one takes no longer than reading it, or MOST_TRIES where a symbol
    comes twice; a name that takes more than that is passed over.
    """
    shape = _Shape.of(names.expand(_PROBE).path)
    return tuple(path for path in paths if shape.fits(path))


class _Shape(Struct, frozen=True):
    """What all paths have in common that a template makes: a text, a symbol, a text and so on to the last text."""

    texts: tuple[str, ...]
    symbols: tuple[str, ...]
    repeats: bool
    """Whether a symbol comes twice."""

    @classmethod
    def of(cls, made: str) -> Self:
        """The shape behind the path that a template makes for the probe."""
        parts = tuple(_ANY_PROBE_KEPT.split(made))
        symbols = tuple(_PROBES[probe] for probe in parts[1::2])
        return cls(parts[::2], symbols, repeats=len(set(symbols)) < len(symbols))

    def fits(self, path: str) -> bool:
        """Whether the template makes this path for some values of its symbols."""
        first = self.texts[0]
        return path.startswith(first) and self._fits_from(path, len(first), 0, {}, [MOST_TRIES])

    def _fits_from(self, path: str, at: int, index: int, values: dict[str, str], tries: list[int]) -> bool:
        """The same for what stands from `at` on, where the symbol `index` begins."""
        tries[0] -= 1
        if index == len(self.symbols) or tries[0] < 0:
            return at == len(path) and tries[0] >= 0
        symbol, text = self.symbols[index], self.texts[index + 1]
        known = values.get(symbol)
        if known is not None:
            follows = at + len(known) + len(text)
            return path.startswith(known + text, at) and self._fits_from(path, follows, index + 1, values, tries)
        value = _VALUE.match(path, at)
        if value is None:
            return False
        if index + 1 == len(self.symbols):
            return at < len(path) - len(text) <= value.end() and path.endswith(text)
        end = path.find(text, at + 1, value.end() + len(text))
        while end >= 0:
            if self._fits_from(path, end + len(text), index + 1, values | {symbol: path[at:end]}, tries):
                return True
            if not self.repeats:
                return False  # what a longer value leaves to the next one, that one can take as well
            end = path.find(text, end + 1, value.end() + len(text))
        return False
