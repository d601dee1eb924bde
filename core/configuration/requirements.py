"""What the files of one module require: providers, by the clients' rules, and the modules that it calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.configuration.syntax import Block, Body, Reference, Table, Text, Value
from lockwarden.core.values.addresses import BUILTIN_HOSTS, BUILTIN_NAMESPACE, ProviderAddress
from lockwarden.core.values.clients import DEFAULT_REGISTRIES
from lockwarden.core.values.constraints import VersionConstraints
from lockwarden.core.values.errors import InvalidAddressError, InvalidVersionError
from lockwarden.core.values.source_redaction import redacted_source

_IN_THE_CLIENT: Final = "terraform"
"""The local name of the provider that is part of the client, unless the configuration gives it another meaning."""
_USING: Final = ("resource", "data", "ephemeral", "action", "list")
"""Blocks whose type begins with the local name of a provider."""
_LOCAL: Final = ("./", "../", ".\\", "..\\")


class ProviderRequirement(Struct, frozen=True, kw_only=True):
    """One provider that is required. An address without a host is that of each client's own registry."""

    addresses: frozenset[ProviderAddress]
    constraints: frozenset[str] | None = frozenset()
    """The versions that are asked for, as they are written; None where one is computed."""

    @property
    def any_host(self) -> bool:
        """Whether the configuration leaves the host to the client."""
        return len(self.addresses) > 1


class Required(Struct, frozen=True, kw_only=True):
    """What a configuration requires."""

    requirements: frozenset[ProviderRequirement] = frozenset()
    open: tuple[str, ...] = ()
    """Why it may require more; clauses."""
    found: bool = False
    """Whether the root module has any configuration at all."""

    def requires(self, address: ProviderAddress) -> bool:
        """Whether a provider is required. Where the configuration names no host, either client's own registry counts.

        That it is not required is certain only where nothing is `open`.
        """
        return any(address in each.addresses for each in self.requirements)

    def constraints_on(self, address: ProviderAddress) -> str | None:
        """What is asked of a provider's version, as a lock file records it; empty for nothing.

        None where it cannot be told: the provider is not required, a constraint is computed or malformed, or more may
        be required than was read.
        """
        found = [each.constraints for each in self.requirements if address in each.addresses]
        if not found or not self.found or self.open:
            return None
        texts: set[str] = set()
        for each in found:
            if each is None:
                return None
            texts |= each
        try:
            return str(VersionConstraints.parse(", ".join(sorted(texts))))
        except InvalidVersionError:
            return None

    def leaves_host_open(self, address: ProviderAddress) -> bool:
        """Whether the provider is required only by addresses that leave the host to the client."""
        return all(each.any_host for each in self.requirements if address in each.addresses)


NOTHING_REQUIRED: Final = Required()


class SourceFile(Struct, frozen=True, kw_only=True):
    """One file of a module, as it was read."""

    body: Body
    override: bool = False
    """Whether its name makes it replace what the others say."""
    test: bool = False
    """Whether it holds tests, which the clients install for as well."""


class Module(Struct, frozen=True, kw_only=True):
    """What one module requires by itself."""

    requirements: frozenset[ProviderRequirement]
    calls: tuple[str, ...]
    """Where the local modules lie that it calls, relative to it."""
    open: tuple[str, ...]
    """Why it may require more than that; clauses."""


def module_of(files: Iterable[SourceFile]) -> Module:
    """What the files of one folder say together."""
    everything = tuple(files)
    open_: list[str] = []
    declared: dict[str, set[str]] = {}
    asked: dict[str, set[str | None]] = {}
    for replacing in (False, True):
        for file in everything:
            if file.override is replacing and not file.test:
                versions = _versions(file.body)
                for name, sources in _declared(file.body, open_).items():
                    declared[name] = sources if replacing else declared.get(name, set()) | sources
                    asked[name] = versions.get(name, set()) | (set() if replacing else asked.get(name, set()))
    for file in everything:
        for name, version in () if file.test else _of_provider_blocks(file.body):
            asked.setdefault(name, set()).add(version)
    by_source: dict[str, set[str | None]] = {}
    names = {name for file in everything for name in (_used_by_tests(file.body) if file.test else _used(file.body))}
    implied = {name: {name} for name in names if name not in declared and name != _IN_THE_CLIENT}
    for name, sources in (declared | implied).items():
        for source in sources:
            by_source.setdefault(source, set()).update(asked.get(name, set()))
    requirements = frozenset(
        each for source in sorted(by_source) if (each := _requirement(source, by_source[source], open_)) is not None
    )
    found = tuple(each for file in everything for each in _calls(file))
    calls = tuple(dict.fromkeys(each for each in found if each is not None and each.startswith(_LOCAL)))
    if any(each is None for each in found):
        open_.append("it calls a module whose source is computed or missing")
    elsewhere = sorted({each for each in found if each is not None and not each.startswith(_LOCAL)})
    if elsewhere:
        more = f" and {len(elsewhere) - 1} more" if len(elsewhere) > 1 else ""
        open_.append(f"it calls the module {redacted_source(elsewhere[0])}{more} from elsewhere")
    return Module(requirements=requirements, calls=calls, open=tuple(dict.fromkeys(open_)))


def _declared(body: Body, open_: list[str]) -> dict[str, set[str]]:
    """The sources that one file declares, by local name; a declaration without one is `hashicorp/NAME`."""
    found: dict[str, set[str]] = {}
    blocks = (each for terraform in body.of_type("terraform") for each in terraform.body.of_type("required_providers"))
    for block in blocks:
        for attribute in block.body.attributes:
            name = attribute.name.lower()
            sources = _sources(name, attribute.value)
            if sources is None:
                open_.append(f"the source of the provider {name} is computed")
            found.setdefault(name, set()).update(sources or ())
    return found


def _versions(body: Body) -> dict[str, set[str | None]]:
    """The versions that one file asks for in its declarations, by local name; None for one that is computed."""
    found: dict[str, set[str | None]] = {}
    blocks = (each for terraform in body.of_type("terraform") for each in terraform.body.of_type("required_providers"))
    for block in blocks:
        for attribute in block.body.attributes:
            said = found.setdefault(attribute.name.lower(), set())
            if isinstance(attribute.value, Table):
                said.update(_text(each) for key, each in attribute.value.entries if key == "version")
            else:
                said.add(_text(attribute.value))
    return found


def _of_provider_blocks(body: Body) -> Iterator[tuple[str, str | None]]:
    """The versions that blocks of providers ask for, as very old configurations do."""
    for block in body.of_type("provider"):
        for name in block.labels[:1]:
            yield from ((name.lower(), _text(each)) for each in block.body.values("version"))


def _text(value: Value) -> str | None:
    return value.value if isinstance(value, Text) else None


def _sources(name: str, value: Value) -> set[str] | None:
    """None when it cannot be told."""
    if isinstance(value, Text):
        return {name}  # nothing but a version
    if not isinstance(value, Table) or any(key is None for key, _ in value.entries):
        return None
    said = [each for key, each in value.entries if key == "source"]
    sources = {each.value for each in said if isinstance(each, Text)}
    return None if len(sources) < len(set(said)) else sources or {name}


def _used(body: Body) -> Iterator[str]:
    """The local names of the providers that blocks need, declared or not."""
    for block in body.of_type("provider"):
        yield from (each.lower() for each in block.labels[:1])
    for block in (*body.of_type(*_USING), *(inner for each in body.of_type("check") for inner in each.body.blocks)):
        yield from _of_resource(block)
    for block in body.of_type("import"):
        for value in (*block.body.values("provider"), *block.body.values("to")):
            # What is imported into another module is a resource there.
            yield from (_prefix(each) for each in _names(value)[:1] if each != "module")


def _of_resource(block: Block) -> Iterator[str]:
    chosen = [name for value in block.body.values("provider") for name in _names(value)[:1]]
    yield from chosen or (_prefix(each) for each in block.labels[:1])


def _names(value: Value) -> tuple[str, ...]:
    if isinstance(value, Reference):
        return value.names
    return tuple(value.value.split(".")) if isinstance(value, Text) else ()


def _prefix(type_: str) -> str:
    return type_.partition("_")[0].lower()


def _used_by_tests(body: Body) -> Iterator[str]:
    for block in body.of_type("provider", "mock_provider"):
        yield from (each.lower() for each in block.labels[:1])


def _calls(file: SourceFile) -> Iterator[str | None]:
    runs = (inner for run in file.body.of_type("run") for inner in run.body.of_type("module"))
    for block in runs if file.test else file.body.of_type("module"):
        values = block.body.values("source")
        yield from (value.value if isinstance(value, Text) else None for value in values or (None,))


def _requirement(source: str, versions: set[str | None], open_: list[str]) -> ProviderRequirement | None:
    """None for a provider that is part of the client, and for what is no address."""
    try:
        found = frozenset(ProviderAddress.parse(source, default_registry=host) for host in DEFAULT_REGISTRIES)
    except InvalidAddressError:
        open_.append(f"“{source}” is not the address of a provider")
        return None
    builtin = {each.namespace for each in found} == {BUILTIN_NAMESPACE}
    if builtin and all(each.hostname.ascii in BUILTIN_HOSTS for each in found):
        return None
    known = frozenset(each for each in versions if each is not None)
    return ProviderRequirement(addresses=found, constraints=known if len(known) == len(versions) else None)
