"""Provider addresses `hostname/namespace/type`: parse, normalise, order.

All parts follow the rules for names in the DNS: they are mapped by UTS #46 (non-transitional, STD3 rules), so that
case and Unicode forms that mean the same name are equal. Look-alike letters stay different; the ASCII form shows them.
"""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.clients import OPENTOFU_REGISTRY
from lockwarden.core.values.domain_names import DomainNameError, normalised_name
from lockwarden.core.values.errors import InvalidAddressError

DEFAULT_NAMESPACE: Final = "hashicorp"
LEGACY_NAMESPACE: Final = "-"
BUILTIN_NAMESPACE: Final = "builtin"
BUILTIN_HOSTS: Final = frozenset({"terraform.io", "opentofu.org"})
MAX_LENGTH: Final = 1024
"""Characters in an address or a hostname. A name in the DNS has at most 253, so nothing real comes near it."""

_HTTPS_PORT: Final = 443
_MAX_PORT: Final = 65535
_REDUNDANT_PREFIXES: Final = ("terraform-", "opentofu-")
_FORM: Final = "an address looks like registry.opentofu.org/hashicorp/aws: hostname/namespace/type"


class Hostname(Struct, frozen=True, eq=False):
    """A registry's host with an optional port; two are equal when their comparison forms are."""

    ascii: str
    """Comparison form: lower-case punycode and an optional `:port`. For URLs, sorting and credentials."""
    display: str
    """Unicode form, as lock files, messages and directory names have it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a hostname with an optional port; `:443` is the same as none.

        Raises InvalidAddressError for anything else, also for a label that is already punycode: people have to write
        the letters that they mean.
        """
        if len(text) > MAX_LENGTH:
            raise InvalidAddressError(
                f"a hostname of {len(text)} characters is too long; the limit is {MAX_LENGTH}", hint=_FORM
            )
        name, colon, port = text.partition(":")
        suffix = _port_suffix(text, name, port) if colon else ""
        try:
            ascii_name, display_name = _normalised_host(name)
        except DomainNameError as error:
            raise InvalidAddressError(f"“{text}” is not a hostname: {error}", hint=_FORM) from error
        return cls(ascii_name + suffix, display_name + suffix)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hostname) and self.ascii == other.ascii

    def __hash__(self) -> int:
        return hash(self.ascii)

    @property
    def international(self) -> bool:
        """Whether the Unicode form differs, so that both forms should be shown."""
        return self.ascii != self.display

    def __str__(self) -> str:
        return self.display


def _port_suffix(text: str, name: str, port: str) -> str:
    digits = port.lstrip("0")
    if not (port.isascii() and port.isdigit()):
        if name.lower() in ("http", "https"):
            raise InvalidAddressError(
                f"“{text}” is a full URL; only a hostname and an optional port are needed", hint=_FORM
            )
        raise InvalidAddressError(f"“{text}” is not a hostname: its port is not a decimal number", hint=_FORM)
    if len(digits) > len(str(_MAX_PORT)) or int(port or "0") > _MAX_PORT:
        raise InvalidAddressError(f"“{text}” is not a hostname: its port is above {_MAX_PORT}", hint=_FORM)
    return "" if int(port) == _HTTPS_PORT else f":{int(port)}"


def _normalised_host(name: str) -> tuple[str, str]:
    labels = name.split(".")
    if name.endswith(".") and len(labels) > 1:
        labels.pop()
    for label in labels:
        if not label:
            raise DomainNameError("a part of it is empty")
        if label.startswith("xn--"):
            raise DomainNameError(f"“{label}” is punycode; write it with the letters that it stands for")
    return normalised_name(name)


class ProviderAddress(Struct, frozen=True):
    """The identity of a provider. Hashable; equal when hostname, namespace and type are after normalisation."""

    hostname: Hostname
    namespace: str
    type: str

    @classmethod
    def parse(cls, text: str, *, default_registry: str = OPENTOFU_REGISTRY) -> Self:
        """Read `type`, `namespace/type` or `hostname/namespace/type`.

        A missing namespace is `hashicorp`, a missing host is `default_registry`. Raises InvalidAddressError.
        """
        if len(text) > MAX_LENGTH:
            raise InvalidAddressError(
                f"a provider address of {len(text)} characters is too long; the limit is {MAX_LENGTH}", hint=_FORM
            )
        parts = text.split("/")
        if len(parts) > 3 or "" in parts:
            raise InvalidAddressError(f"“{text}” is not a provider address: it needs one to three parts", hint=_FORM)
        type_name = _part(text, "type", parts[-1])
        if len(parts) == 1:
            return cls(Hostname.parse(default_registry), DEFAULT_NAMESPACE, type_name)
        legacy = parts[-2] == LEGACY_NAMESPACE
        namespace = LEGACY_NAMESPACE if legacy else _part(text, "namespace", parts[-2])
        hostname = Hostname.parse(parts[0] if len(parts) == 3 else default_registry)
        if legacy and hostname.ascii != Hostname.parse(default_registry).ascii:
            raise InvalidAddressError(
                f"“{text}” is not a provider address: the namespace “-” exists only on {default_registry}", hint=_FORM
            )
        _refuse_redundant_prefix(text, type_name)
        return cls(hostname, namespace, type_name)

    @property
    def short(self) -> str:
        """The form for messages, which omits the host only when it is exactly `registry.opentofu.org`."""
        rest = f"{self.namespace}/{self.type}"
        return rest if self.hostname.ascii == OPENTOFU_REGISTRY else f"{self.hostname.display}/{rest}"

    @property
    def sort_key(self) -> tuple[str, str, str]:
        """The order of blocks in a lock file: by comparison form of the host, then namespace, then type."""
        return (self.hostname.ascii, self.namespace, self.type)

    @property
    def builtin(self) -> bool:
        """Whether it is part of the client itself, by OpenTofu's rule."""
        return self.namespace == BUILTIN_NAMESPACE and self.hostname.ascii in BUILTIN_HOSTS

    @property
    def legacy(self) -> bool:
        """Whether it is in the legacy namespace `-`."""
        return self.namespace == LEGACY_NAMESPACE

    def __str__(self) -> str:
        return f"{self.hostname.display}/{self.namespace}/{self.type}"


def _part(text: str, what: str, part: str) -> str:
    if "." in part or "--" in part:
        raise InvalidAddressError(
            f"“{text}” is not a provider address: its {what} must have no dots and no double dashes", hint=_FORM
        )
    try:
        display = normalised_name(part)[1]
    except DomainNameError as error:
        raise InvalidAddressError(f"“{text}” is not a provider address: its {what}: {error}", hint=_FORM) from error
    if "." in display or "--" in display:
        raise InvalidAddressError(
            f"“{text}” is not a provider address: its {what} must have no dots and no double dashes", hint=_FORM
        )
    return display


def _refuse_redundant_prefix(text: str, type_name: str) -> None:
    for prefix in _REDUNDANT_PREFIXES:
        if not type_name.startswith(prefix):
            continue
        bare = type_name.removeprefix(f"{prefix}provider-")
        hint = f"leave the prefix out: {bare}" if bare != type_name else "the owner of the provider has to rename it"
        raise InvalidAddressError(
            f"“{text}” is not a provider address: its type must not start with “{prefix}”", hint=hint
        )
