"""The repository template of an OCI mirror: where each provider's packages are.

The clients read it as a template of HCL 2. Lockwarden expands what people write: text and the three symbols. A
template with more than that (a condition, an operator) is kept and named, never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from lockwarden.core.cli_config.repositories import RepositoryAddressError, RepositoryPrefix
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.provider_patterns import WILDCARD, ProviderPattern

SYMBOLS: Final = ("hostname", "namespace", "type")
MAX_LENGTH: Final = 4096
"""Characters in a template."""

_PIECE: Final = LatePattern(
    r"(?P<escape>\$\$\{|%%\{)|\$\{[ \t\n]*+(?P<symbol>[^\W\d][\w-]*+)[ \t\n]*+\}"
    r"|(?P<other>[$%]\{)|(?P<text>[^$%]++|[$%])"
)
_ROOT: Final = LatePattern(r"\$\{~?[ \t\n]*(?P<name>[^\W\d][\w-]*)[ \t\n]*(?P<next>.?)")
_EXAMPLE: Final = {"hostname": "example.com", "namespace": "example-namespace", "type": "example-type"}
_ALL: Final = "only hostname, namespace and type are available"
_SELECTS: Final = {
    "hostname": "selects exactly one host",
    "namespace": "selects exactly one namespace",
    "type": "selects exactly one provider",
}


class TemplateProblem(ValueError):  # noqa: N818
    """The clients refuse the template; the message is a sentence about it."""


class Symbol(Struct, frozen=True):
    """A place where a part of the provider's address comes in."""

    name: str


class RepositoryTemplate(Struct, frozen=True, kw_only=True):
    """Where an OCI mirror keeps each provider."""

    text: str
    pieces: tuple[str | Symbol, ...]
    unsupported: str = ""
    """What the template has that Lockwarden does not expand although the clients may; then it names no repository."""

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that it refers to."""
        return frozenset(piece.name for piece in self.pieces if isinstance(piece, Symbol))

    def expand(self, address: ProviderAddress) -> RepositoryPrefix:
        """The registry and the repository of one provider. Raises InputError when the address cannot be mapped.

        Names with letters that no repository may have cannot be mapped; there is no way to write them otherwise.
        """
        if self.unsupported:
            raise InputError(
                f"the repository template {self.text} cannot be expanded: {self.unsupported}",
                hint="name the repository yourself: --source oci://REGISTRY/REPOSITORY",
            )
        values = {"hostname": address.hostname.ascii, "namespace": address.namespace, "type": address.type}
        text = self._filled(values)
        try:
            found = RepositoryPrefix.parse(text)
        except RepositoryAddressError as error:
            raise InputError(
                f"the repository template {self.text} makes “{text}” for {address}, which is no address:"
                f" {error.message}",
                hint="leave the provider out of this mirror with exclude",
            ) from error
        if not found.path:
            raise InputError(f"the repository template {self.text} names a registry and no repository in it")
        return found

    def _filled(self, values: dict[str, str]) -> str:
        return "".join(values[piece.name] if isinstance(piece, Symbol) else piece for piece in self.pieces)

    def _check(self, include: Iterable[ProviderPattern]) -> None:
        """Raises TemplateProblem for a template that gives two providers one repository, or none at all."""
        patterns = tuple(include)
        for name in SYMBOLS:
            literals = {getattr(pattern, name) for pattern in patterns} - {WILDCARD}
            if name not in self.symbols and len(literals) != 1:
                raise TemplateProblem(f"it must refer to ${{{name}}} unless “include” {_SELECTS[name]}")
        try:
            RepositoryPrefix.parse(self._filled(_EXAMPLE))
        except RepositoryAddressError as error:
            raise TemplateProblem(f"it must make an address of a registry and a repository: {error.message}") from error


def parse_template(text: str, *, include: Sequence[ProviderPattern] | None) -> RepositoryTemplate:
    """Read a template and check it against the patterns of its mirror; None means patterns that cannot be read.

    Raises TemplateProblem with what the clients refuse. A success does not mean that every provider can be mapped.
    """
    if len(text) > MAX_LENGTH:
        raise TemplateProblem(f"it has more than {MAX_LENGTH} characters")
    pieces: list[str | Symbol] = []
    unsupported = ""
    for match in _PIECE.finditer(text):
        match match.lastgroup:
            case "symbol":
                pieces.append(Symbol(_available(match["symbol"])))
            case "escape":
                pieces.append(match["escape"][1:])
            case "other":
                unsupported = unsupported or _other(text, match.start())
            case _:
                pieces.append(match[0])
    template = RepositoryTemplate(text=text, pieces=tuple(pieces), unsupported=unsupported)
    if include is not None and not unsupported:
        template._check(include)
    return template


def _available(name: str) -> str:
    if name not in SYMBOLS:
        raise TemplateProblem(f"the symbol “{name}” is not available; {_ALL}")
    return name


def _other(text: str, start: int) -> str:
    """What stands between braces and is no plain symbol. Raises TemplateProblem when the clients surely refuse it."""
    if root := _ROOT.match(text, start):
        if root["next"] == "(":
            raise TemplateProblem(f"functions such as “{root['name']}” may not be called in it")
        _available(root["name"])
    if "}" not in text[start:]:
        raise TemplateProblem("an expression in it begins with ${ or %{ and never ends")
    return "Lockwarden reads ${hostname}, ${namespace} and ${type} in it, and no other expressions"
