"""Reads the content of one file into settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from lockwarden.core.cli_config import installation, oci_blocks
from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.decoding import (
    DecodeProblem,
    all_texts,
    entry_body,
    labelled,
    last_bool,
    last_number,
    last_text,
    named,
    steps_of_each,
    unknown,
)
from lockwarden.core.cli_config.reading import ConfigurationDocument
from lockwarden.core.cli_config.settings import (
    CredentialsHelper,
    FileSettings,
    HostServices,
    RegistryProtocols,
    ServiceCredentials,
    Setting,
    asked_below,
)
from lockwarden.core.hcl.syntax import HclBody, HclItem, Literal, LiteralKind
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import InvalidAddressError
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.secret import Secret

_REFERENCE: Final = LatePattern(
    r"\$(?:\{(?P<braced>[^}]*)\}|(?P<broken>\{)|(?P<special>[*#$@!?0-9-])|(?P<plain>[A-Za-z0-9_]+))"
)
"""A variable inside of a text, `$NAME` or `${NAME}`, as the clients expand them in `plugin_cache_dir`."""

_CACHE: Final = "plugin_cache_dir"
_MAY_BREAK: Final = "plugin_cache_may_break_dependency_lock_file"
REGISTRY_PROTOCOLS: Final = "registry_protocols"
_EXACT: Final = frozenset({installation.NAME, REGISTRY_PROTOCOLS, oci_blocks.CREDENTIALS, oci_blocks.DEFAULTS})
"""Settings whose names the clients compare exactly."""
_PROVIDERS: Final = "providers.v1"
_ANY_CASE: Final = (_CACHE, _MAY_BREAK, "host", "credentials", "credentials_helper")


_ARGUMENTS: Final = ("retry_count", "request_timeout_seconds")
_SUMMARY: Final = "Invalid registry_protocols block"


def read_settings(
    document: ConfigurationDocument,
    diagnostics: ConfigurationDiagnostics,
    *,
    environ: Mapping[str, str],
    windows: bool = False,
) -> FileSettings:
    """Everything that a file says; what is wrong and what has no effect goes to `diagnostics`.

    A value of a wrong type in the older settings makes the whole file useless, as in the clients.
    """
    try:
        older = _older_settings(document, diagnostics, environ)
    except DecodeProblem as problem:
        diagnostics.error(problem.line, f"Error parsing {document.path}", problem.message, unreadable=True)
        return FileSettings(path=document.path)
    _ignore_unknown(document, diagnostics)
    return FileSettings(
        path=document.path,
        plugin_cache_dir=older.plugin_cache_dir,
        plugin_cache_may_break_dependency_lock_file=older.plugin_cache_may_break_dependency_lock_file,
        hosts=older.hosts,
        credentials=older.credentials,
        credentials_helpers=older.credentials_helpers,
        registry_protocols=read_registry_protocols(document, diagnostics),
        provider_installations=installation.read_installations(document, diagnostics),
        oci_defaults=oci_blocks.read_oci_defaults(document, diagnostics, windows=windows),
        oci_credentials=oci_blocks.read_oci_credentials(document, diagnostics),
    )


def _older_settings(
    document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics, environ: Mapping[str, str]
) -> FileSettings:
    items = document.items
    cache = last_text(items, _CACHE)
    folder = _expanded(cache[0], environ) if cache else ""
    may_break = last_bool(items, _MAY_BREAK)
    return FileSettings(
        path=document.path,
        plugin_cache_dir=Setting(folder, diagnostics.at(cache[1])) if cache and folder else None,
        plugin_cache_may_break_dependency_lock_file=may_break and Setting(may_break[0], diagnostics.at(may_break[1])),
        hosts=tuple(_hosts(items, diagnostics)),
        credentials=tuple(_credentials(items, diagnostics)),
        credentials_helpers=tuple(_helpers(items, diagnostics)),
    )


def _hosts(items: tuple[HclItem, ...], diagnostics: ConfigurationDiagnostics) -> Iterator[HostServices]:
    """The blocks of a file, one for each label; what Terraform reads of several otherwise than OpenTofu is noted."""
    for label, steps in steps_of_each(items, "host"):
        read = [_services(step, diagnostics) for step in steps]
        together = {name: url for services in read for name, url in services.items()}
        line = steps[-1][-1].line
        for url in dict.fromkeys(services.get(_PROVIDERS) or "" for services in (together, read[-1])):
            _warn_of_url(url, line, diagnostics)
        block = HostServices(
            label=label,
            hostname=_hostname(label, "host", line, diagnostics),
            services=MappingProxyType(together),
            to_terraform=MappingProxyType(read[-1]),
            origin=diagnostics.at(line),
        )
        if block.hostname is not None and together != read[-1] and Client.TERRAFORM in diagnostics.clients:
            diagnostics.note(
                line,
                "Several host blocks for one host",
                f"OpenTofu puts the host blocks for {block.hostname.display} in this file together, and Terraform "
                "takes the last one alone",
                hint="write all of its services into one block",
            )
        yield block


def _services(entries: tuple[HclItem, ...], diagnostics: ConfigurationDiagnostics) -> dict[str, str | None]:
    """The services of entries that are read as one."""
    services: dict[str, str | None] = {}
    for body in (entry_body(entry, 'host "HOST"') for entry in entries):
        for item in named(body, "services"):
            if not isinstance(item.value, HclBody) and not item.labels:
                raise DecodeProblem(item.value.line, "“services” needs names and URLs in braces")
            services.update(_members(item))
        diagnostics.ignore(unknown(body, ("services",)), "host")
    return services


def _warn_of_url(url: str, line: int, diagnostics: ConfigurationDiagnostics) -> None:
    """Say where the clients really ask, who need the slash at the end as for a mirror. Of a registry alone it is so."""
    base = asked_below(url)
    if not base or not url.partition("#")[0].partition("?")[0].removeprefix(base).strip():
        return
    from lockwarden.core.cli_config.methods import warn_of_a_dropped_part, without_secrets

    try:
        shown, below = without_secrets(url), without_secrets(base)
    except ValueError:
        return  # it cannot be asked at all, which is told where it is tried
    warn_of_a_dropped_part(shown, below, line, diagnostics)


def _credentials(items: tuple[HclItem, ...], diagnostics: ConfigurationDiagnostics) -> Iterator[ServiceCredentials]:
    """The blocks of a file; two with one label are read as one, whose later argument counts."""
    found: dict[str, dict[str, HclItem]] = {}
    lines: dict[str, int] = {}
    for label, entry in labelled(items, "credentials"):
        known = found.setdefault(label, {})
        lines.setdefault(label, entry.line)
        for item in entry_body(entry, 'credentials "HOST"'):
            known[item.name] = item
            lines[label] = entry.line if item.name == "token" else lines[label]
    for label, arguments in found.items():
        diagnostics.ignore((item for name, item in arguments.items() if name != "token"), "credentials")
        yield ServiceCredentials(
            label=label,
            hostname=_hostname(label, "credentials", lines[label], diagnostics),
            token=_token(arguments.get("token")),
            origin=diagnostics.at(lines[label]),
        )


def _token(item: HclItem | None) -> Secret | None:
    """The token, which must be a text."""
    text = None if item is None else _text(item)
    return None if text is None else Secret(text)


def _text(item: HclItem) -> str | None:
    """The value of an argument when it is written as a text, otherwise None."""
    value = item.value
    is_text = not item.labels and isinstance(value, Literal) and value.kind is LiteralKind.TEXT
    return value.value if is_text and isinstance(value, Literal) else None


def _helpers(items: tuple[HclItem, ...], diagnostics: ConfigurationDiagnostics) -> Iterator[CredentialsHelper]:
    found: dict[str, CredentialsHelper] = {}
    for label, entry in labelled(items, "credentials_helper"):
        body = entry_body(entry, 'credentials_helper "NAME"')
        arguments = tuple(map(Secret, all_texts(body, "args") or ()))
        diagnostics.ignore(unknown(body, ("args",)), "credentials_helper")
        found[label] = CredentialsHelper(name=label, arguments=arguments, origin=diagnostics.at(entry.line))
    yield from found.values()


def _members(item: HclItem) -> dict[str, str | None]:
    if item.labels:
        return {item.labels[0]: None}
    inner = item.value.items if isinstance(item.value, HclBody) else ()
    return {each.name: _text(each) for each in inner}


def _hostname(label: str, name: str, line: int, diagnostics: ConfigurationDiagnostics) -> Hostname | None:
    """The hostname that a label stands for; when it is none, that is complained about."""
    try:
        return Hostname.parse(label)
    except InvalidAddressError as error:
        reason = "it holds the character “@”" if "@" in label else error.message
        summary = f"The {name} block has an invalid hostname"
        diagnostics.error(line, summary, f"the label of this {name} block is not a hostname: {reason}", hint=error.hint)
        return None


def _ignore_unknown(document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics) -> None:
    exactly_known = (item for item in document.items if item.name not in _EXACT)
    diagnostics.ignore(unknown(exactly_known, _ANY_CASE))


def _expanded(text: str, environ: Mapping[str, str]) -> str:
    """The text with every reference replaced; a variable that is not set counts as empty. `~` stays what it is."""

    def value(match: re.Match[str]) -> str:
        name = match["braced"] or match["special"] or match["plain"] or ""
        return environ.get(name, "")

    return _REFERENCE.sub(value, text)


def read_registry_protocols(
    document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics
) -> RegistryProtocols | None:
    """The first usable `registry_protocols` block of a file; a second one is complained about."""
    found: RegistryProtocols | None = None
    line = 0
    for item in document.items:
        if item.name != REGISTRY_PROTOCOLS:
            continue
        if found is not None:
            diagnostics.error(
                item.line,
                "Duplicate registry_protocols block",
                f"there is a {REGISTRY_PROTOCOLS} block on line {line} already",
            )
        elif not isinstance(item.value, HclBody):
            diagnostics.error(item.line, _SUMMARY, f"“{REGISTRY_PROTOCOLS}” is a block with braces")
        else:
            found, line = _read(item.value.items, diagnostics), item.line
    return found


def _read(items: Sequence[HclItem], diagnostics: ConfigurationDiagnostics) -> RegistryProtocols:
    try:
        values = {name: last_number(items, name) for name in _ARGUMENTS}
    except DecodeProblem as problem:
        diagnostics.error(problem.line, _SUMMARY, problem.message)
        return RegistryProtocols()
    diagnostics.ignore(unknown(items, _ARGUMENTS), REGISTRY_PROTOCOLS)
    settings = {name: Setting(found[0], diagnostics.at(found[1])) for name, found in values.items() if found}
    return RegistryProtocols(
        retry_count=settings.get("retry_count"), request_timeout_seconds=settings.get("request_timeout_seconds")
    )
