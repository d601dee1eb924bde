"""Reads the installation methods inside of a `provider_installation` block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.decoding import all_texts, last_bool, last_number, last_text, unknown
from lockwarden.core.cli_config.settings import Direct, FilesystemMirror, Method, NetworkMirror, OciMirror
from lockwarden.core.cli_config.templates import TemplateProblem, parse_template
from lockwarden.core.hcl.syntax import HclItem
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import InvalidAddressError
from lockwarden.core.values.go_addresses import read_url
from lockwarden.core.values.mirror_locations import why_no_client_asks
from lockwarden.core.values.provider_patterns import ProviderPattern

_METHOD: Final = "Invalid provider_installation method block"
_TEMPLATE: Final = "Invalid oci_mirror repository template"
_URL: Final = "Invalid URL for provider installation source"
_PATTERNS: Final = ("include", "exclude")
_Lists: TypeAlias = Mapping[str, tuple[str, ...]]
_Patterns: TypeAlias = tuple[ProviderPattern, ...]
_WORDS: Final = {"include": "inclusion", "exclude": "exclusion"}
_ARGUMENTS: Final = {
    "direct": (*_PATTERNS, "download_retry_count"),
    "filesystem_mirror": (*_PATTERNS, "path"),
    "network_mirror": (*_PATTERNS, "url", "download_retry_count", "trust_all_hashes"),
    "oci_mirror": (*_PATTERNS, "repository_template"),
}


class MethodProblem(Exception):  # noqa: N818
    """The method cannot be used."""

    def __init__(self, message: str, *, summary: str = _METHOD, line: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.summary = summary
        self.line = line
        """0 for the line of the block."""
        self.hint = hint


class PatternProblem(MethodProblem):
    """The method is well formed, but its patterns or its URL cannot be used."""


def read_method(item: HclItem, items: Sequence[HclItem], diagnostics: ConfigurationDiagnostics) -> Method:
    """One method. Raises MethodProblem and DecodeProblem when it cannot be used."""
    if item.name not in _ARGUMENTS:
        raise MethodProblem(
            f"there is no provider installation method “{item.name}”",
            hint="direct, filesystem_mirror, network_mirror, oci_mirror and dev_overrides are known",
        )
    lists = {name: all_texts(items, name) or () for name in _PATTERNS}
    method = _READERS[item.name](item, items, lists, diagnostics)
    diagnostics.ignore(unknown(items, _ARGUMENTS[item.name]), f"provider_installation.{item.name}")
    return method


def _direct(item: HclItem, items: Sequence[HclItem], lists: _Lists, diagnostics: ConfigurationDiagnostics) -> Method:
    retries = last_number(items, "download_retry_count")
    include, exclude = _patterns(items, lists, diagnostics)
    return Direct(
        origin=diagnostics.at(item.line),
        include=include,
        exclude=exclude,
        download_retry_count=retries and retries[0],
    )


def _filesystem(
    item: HclItem, items: Sequence[HclItem], lists: _Lists, diagnostics: ConfigurationDiagnostics
) -> Method:
    path, _ = _required(items, "path")
    include, exclude = _patterns(items, lists, diagnostics)
    return FilesystemMirror(origin=diagnostics.at(item.line), include=include, exclude=exclude, path=path)


def _network(item: HclItem, items: Sequence[HclItem], lists: _Lists, diagnostics: ConfigurationDiagnostics) -> Method:
    retries = last_number(items, "download_retry_count")
    trusted = last_bool(items, "trust_all_hashes")
    url, line = _required(items, "url")
    shown = _shown_url(url, line)
    include, exclude = _patterns(items, lists, diagnostics)
    method = NetworkMirror(
        origin=diagnostics.at(item.line),
        include=include,
        exclude=exclude,
        url=url,
        shown=shown,
        download_retry_count=retries and retries[0],
        trust_all_hashes=trusted is not None and trusted[0],
    )
    _warn_of_url(method, line, diagnostics)
    return method


def _warn_of_url(method: NetworkMirror, line: int, diagnostics: ConfigurationDiagnostics) -> None:
    """Say where the clients really ask, and what is not asked here."""
    base, shown = without_secrets(method.base_url), method.shown
    host = urlsplit(shown).netloc
    if refused := why_no_client_asks(method.url):
        diagnostics.warning(
            line,
            "Host of a URL that the clients never ask",
            f"both clients end where they want something of this network mirror: {refused}",
            hint="give the mirror a host name of letters, digits and dashes",
        )
    if urlsplit(method.url).netloc.rpartition("@")[0]:
        diagnostics.warning(
            line,
            "User name or password in a URL",
            f"the URL of the network mirror at {host} holds a user name or a password, so that it is not asked here",
            hint=f"leave it out; where the mirror takes a token, write a credentials block for {host}, or set its"
            " TF_TOKEN_… variable",
        )
    written = method.url.rstrip(" ")
    if written != method.url:
        asked = without_secrets(written)
        diagnostics.warning(
            line,
            "Space at the end of a URL",
            f"the clients drop what stands behind the last slash of {shown} and ask below {base}",
            hint=f"write {asked}{'' if asked.endswith('/') else '/'}",
        )
    else:
        warn_of_a_dropped_part(shown, base, line, diagnostics)


def warn_of_a_dropped_part(shown: str, base: str, line: int, diagnostics: ConfigurationDiagnostics) -> None:
    """Say that a URL needs a slash at its end, if the clients ask at another base than it seems to name."""
    if base.rstrip("/") != shown.rstrip("/"):
        diagnostics.warning(
            line,
            "URL without a slash at its end",
            f"the clients drop the last part of {shown} and ask below {base}",
            hint=f"write {shown}/",
        )


def _oci(item: HclItem, items: Sequence[HclItem], lists: _Lists, diagnostics: ConfigurationDiagnostics) -> Method:
    text, line = _required(items, "repository_template")
    try:
        template = parse_template(text, include=_readable(lists["include"]))
    except TemplateProblem as problem:
        raise MethodProblem(
            f"the repository template cannot be used: {problem}", summary=_TEMPLATE, line=line
        ) from problem
    include, exclude = _patterns(items, lists, diagnostics)
    if Client.TERRAFORM in diagnostics.clients:
        diagnostics.note(
            item.line,
            _METHOD,
            "OpenTofu alone knows oci_mirror: Terraform reports an error in this file and goes on without the method",
            hint="keep it in a file that OpenTofu alone reads, .tofurc, where both clients are used",
        )
    if template.unsupported:
        diagnostics.warning(line, _TEMPLATE, f"the repository template cannot be expanded: {template.unsupported}")
    elif template.text.endswith(":"):
        diagnostics.warning(
            line,
            "Colon at the end of a repository template",
            "the repository template ends in a colon with nothing behind it, which the clients drop",
            hint=f"write {template.text.removesuffix(':')}; the version's tag is added by the client",
        )
    return OciMirror(origin=diagnostics.at(item.line), include=include, exclude=exclude, template=template)


_READERS: Final[Mapping[str, Callable[[HclItem, Sequence[HclItem], _Lists, ConfigurationDiagnostics], Method]]] = {
    "direct": _direct,
    "filesystem_mirror": _filesystem,
    "network_mirror": _network,
    "oci_mirror": _oci,
}


def _required(items: Sequence[HclItem], name: str) -> tuple[str, int]:
    found = last_text(items, name)
    if found is None or not found[0]:
        raise MethodProblem(f"the argument “{name}” is required")
    return found


def _patterns(
    items: Sequence[HclItem], lists: _Lists, diagnostics: ConfigurationDiagnostics
) -> tuple[_Patterns, _Patterns]:
    """The included and the excluded patterns, as each client that reads the file has them. Raises PatternProblem."""
    include, exclude = (_parsed(items, name, lists[name], diagnostics.clients) for name in _PATTERNS)
    return include, exclude


def _parsed(items: Sequence[HclItem], name: str, texts: Sequence[str], clients: tuple[Client, ...]) -> _Patterns:
    try:
        return tuple(each for text in texts for each in ProviderPattern.parse_for(text, clients))
    except InvalidAddressError as error:
        raise PatternProblem(
            error.message,
            summary=f"Invalid provider source {_WORDS[name]} patterns",
            line=next(item.line for item in items if item.name.casefold() == name),
            hint=error.hint,
        ) from error


def _readable(texts: Sequence[str]) -> _Patterns | None:
    """The patterns, or None when they cannot be read, which is complained about elsewhere."""
    try:
        return tuple(map(ProviderPattern.parse, texts))
    except InvalidAddressError:
        return None


def _shown_url(url: str, line: int) -> str:
    """The URL without secrets. Raises PatternProblem unless the clients take it.

    A space may stand in its path, also at the end. Success does not say that it can be asked: its port may be none.
    """
    read = read_url(url)
    try:
        usable = read is not None and read.scheme == "https" and bool(read.host) and bool(urlsplit(url).netloc)
    except ValueError:
        usable = False
    if not usable:
        raise PatternProblem(
            "a network mirror must be at an https:// URL with a host name", summary=_URL, line=line
        ) from None
    return without_secrets(url)


def without_secrets(url: str) -> str:
    """The URL for people: no user information, no query, no fragment, a space in its path spelled out."""
    parts = urlsplit(url)
    path = parts.path.replace(" ", "%20")
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], path, "", ""))
