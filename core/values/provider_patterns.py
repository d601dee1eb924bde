"""Patterns of provider addresses, as the CLI configuration's `include` and `exclude` have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.addresses import MAX_LENGTH, Hostname, ProviderAddress
from lockwarden.core.values.clients import OPENTOFU_REGISTRY, Client
from lockwarden.core.values.domain_names import DomainNameError, normalised_name
from lockwarden.core.values.errors import InvalidAddressError

WILDCARD: Final = "*"
_FORM: Final = "a pattern looks like example.com/*/*, example.com/acme/* or acme/widget; an asterisk is a whole part"


class ProviderPattern(Struct, frozen=True, eq=False):
    """Stands for one provider address or, with asterisks for whole parts from the right, for many."""

    hostname: str
    """In comparison form, or an asterisk."""
    namespace: str
    type: str
    text: str
    """As it was written."""

    @classmethod
    def parse(cls, text: str, *, default_registry: str = OPENTOFU_REGISTRY) -> Self:
        """Read `NAMESPACE/TYPE`, which is on `default_registry`, or `HOSTNAME/NAMESPACE/TYPE`.

        A part may be an asterisk when every part to the right of it is one. Raises InvalidAddressError.
        """
        if len(text) > MAX_LENGTH:
            raise InvalidAddressError(
                f"a pattern of {len(text)} characters is too long; the limit is {MAX_LENGTH}", hint=_FORM
            )
        parts = text.split("/")
        if len(parts) not in (2, 3):
            raise InvalidAddressError(f"“{text}” is not a pattern: it needs two or three parts", hint=_FORM)
        hostname = _hostname(parts[0]) if len(parts) == 3 else Hostname.parse(default_registry).ascii
        namespace = _name(text, "namespace", parts[-2])
        type_name = _name(text, "type", parts[-1])
        if hostname == WILDCARD and not namespace == type_name == WILDCARD:
            raise InvalidAddressError(
                f"“{text}” is not a pattern: a host of * needs * as namespace and as type", hint=_FORM
            )
        if namespace == WILDCARD and type_name != WILDCARD:
            raise InvalidAddressError(f"“{text}” is not a pattern: a namespace of * needs * as type", hint=_FORM)
        return cls(hostname, namespace, type_name, text)

    @classmethod
    def parse_for(cls, text: str, clients: Iterable[Client]) -> tuple[Self, ...]:
        """What the text stands for to each of the clients; one pattern where it names a host. Raises as `parse`."""
        return tuple(dict.fromkeys(cls.parse(text, default_registry=each.default_registry) for each in clients))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProviderPattern) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    @property
    def _parts(self) -> tuple[str, str, str]:
        return self.hostname, self.namespace, self.type

    def matches(self, address: ProviderAddress) -> bool:
        """Whether the pattern stands for this address, among others perhaps."""
        pairs = (
            (self.hostname, address.hostname.ascii),
            (self.namespace, address.namespace),
            (self.type, address.type),
        )
        return all(mine in (WILDCARD, theirs) for mine, theirs in pairs)

    def __str__(self) -> str:
        return self.text


def as_read_by(patterns: Sequence[ProviderPattern], client: Client | None) -> tuple[ProviderPattern, ...]:
    """Of patterns that stand for what either client reads, those that the client reads.

    Where it is not known to read them, or nobody says which client it is, they stay as they are.
    """
    if client is None:
        return tuple(patterns)
    meant = frozenset(patterns)
    own = {each: ProviderPattern.parse(each.text, default_registry=client.default_registry) for each in patterns}
    return tuple(each for each in patterns if own[each] == each or own[each] not in meant)


def selects(
    address: ProviderAddress, *, include: Iterable[ProviderPattern], exclude: Iterable[ProviderPattern]
) -> bool:
    """Whether an address is among the included ones (all, when no pattern says which) and not among the excluded."""
    included = tuple(include)
    if any(pattern.matches(address) for pattern in exclude):
        return False
    return not included or any(pattern.matches(address) for pattern in included)


def _hostname(text: str) -> str:
    return WILDCARD if text == WILDCARD else Hostname.parse(text).ascii


def _name(pattern: str, what: str, part: str) -> str:
    if part == WILDCARD:
        return part
    try:
        name = normalised_name(part)[1] if part else ""
    except DomainNameError as error:
        raise InvalidAddressError(
            f"“{pattern}” is not a pattern: its {what} must be a name or *: {error}", hint=_FORM
        ) from error
    if not name or any(wrong in name or wrong in part for wrong in (".", "--")):
        raise InvalidAddressError(
            f"“{pattern}” is not a pattern: its {what} must be a name without dots and double dashes, or *", hint=_FORM
        )
    return name
