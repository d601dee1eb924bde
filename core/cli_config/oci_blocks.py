"""Reads `oci_credentials` and `oci_default_credentials` blocks."""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Sequence
from typing import Final

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.decoding import DecodeProblem, last_bool, last_text, last_texts, unknown
from lockwarden.core.cli_config.document import ConfigurationDocument
from lockwarden.core.cli_config.repositories import RepositoryAddressError, RepositoryPrefix
from lockwarden.core.cli_config.settings import (
    BasicCredential,
    ConfiguredCredential,
    HelperCredential,
    OciCredentials,
    OciDefaults,
    TokenCredential,
    UselessCredential,
)
from lockwarden.core.hcl.syntax import HclBody, HclItem
from lockwarden.core.values.secret import Secret

CREDENTIALS: Final = "oci_credentials"
DEFAULTS: Final = "oci_default_credentials"
_HELPER: Final = "docker_credentials_helper"
_CREDENTIALS_SUMMARY: Final = "Invalid oci_credentials block"
_DEFAULTS_SUMMARY: Final = "Invalid oci_default_credentials block"
_GROUPS: Final = (("username", "password"), ("access_token", "refresh_token"), (_HELPER,))
_GROUP_WORDS: Final = "username and password, or access_token and refresh_token, or docker_credentials_helper"
_DEFAULT_ARGUMENTS: Final = ("discover_ambient_credentials", "docker_style_config_files", _HELPER)


class _BlockProblem(Exception):  # noqa: N818
    """The block cannot be used."""

    def __init__(self, message: str, *, line: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.hint = hint


def read_oci_credentials(
    document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics
) -> tuple[OciCredentials, ...]:
    """Every `oci_credentials` block of a file that can be used."""
    found = []
    for item in document.items:
        if item.name == CREDENTIALS:
            try:
                found.append(_credentials(_with_one_label(item, json=document.json), diagnostics))
            except _BlockProblem as problem:
                diagnostics.error(problem.line or item.line, _CREDENTIALS_SUMMARY, problem.message, hint=problem.hint)
            except DecodeProblem as problem:
                diagnostics.error(problem.line, _CREDENTIALS_SUMMARY, problem.message)
    return tuple(found)


def read_oci_defaults(
    document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics, *, windows: bool
) -> tuple[OciDefaults, ...]:
    """Every `oci_default_credentials` block of a file that can be used; paths by the rules of Windows or of others."""
    found = []
    for item in document.items:
        if item.name == DEFAULTS:
            try:
                found.append(_defaults(item, document, diagnostics, windows=windows))
            except _BlockProblem as problem:
                diagnostics.error(item.line, _DEFAULTS_SUMMARY, problem.message, hint=problem.hint)
            except DecodeProblem as problem:
                diagnostics.error(problem.line, _DEFAULTS_SUMMARY, problem.message)
    return tuple(found)


def valid_helper_name(name: str) -> bool:
    """Whether it may become part of the name of a program: it is no path, and not empty."""
    return bool(name) and not any(char in name for char in "/\\\0")


def _with_one_label(item: HclItem, *, json: bool) -> HclItem:
    """The item with its first label only; in JSON, what looks like more labels is the content."""
    if not json or len(item.labels) <= 1:
        return item
    inner = HclItem(item.keys[2:], item.value, item.line, assigned=False)
    return HclItem(item.keys[:2], HclBody((inner,), item.line), item.line, assigned=False)


def _credentials(item: HclItem, diagnostics: ConfigurationDiagnostics) -> OciCredentials:
    if len(item.labels) != 1 or not isinstance(item.value, HclBody):
        raise _BlockProblem("it needs one label, the registry or repositories that it is for, and then braces")
    label = item.labels[0]
    try:
        prefix = RepositoryPrefix.parse(label)
    except RepositoryAddressError as error:
        raise _BlockProblem(f"its label cannot be used: {error.message}", hint=error.hint) from error
    items = item.value.items
    values = {name: last_text(items, name) for group in _GROUPS for name in group}
    given = [group for group in _GROUPS if any(values[name] is not None for name in group)]
    if len(given) != 1:
        raise _BlockProblem(f"it must set {_GROUP_WORDS}{', and only one of these' if given else ''}")
    missing = [name for name in given[0] if values[name] is None]
    if missing:
        raise _BlockProblem(f"it must set both {' and '.join(given[0])}; {missing[0]} is missing")
    texts = tuple(found[0] for found in map(values.__getitem__, given[0]) if found is not None)
    credential = _credential(given[0], texts, prefix)
    diagnostics.ignore(unknown(items, values), CREDENTIALS)
    return OciCredentials(label=label, prefix=prefix, credential=credential, origin=diagnostics.at(item.line))


def _credential(group: tuple[str, ...], texts: tuple[str, ...], prefix: RepositoryPrefix) -> ConfiguredCredential:
    if group == (_HELPER,):
        if prefix.path:
            raise _BlockProblem(
                f"{_HELPER} cannot be used for some repositories only",
                hint=f"such helpers know whole registries: use the label “{prefix.domain}”",
            )
        _check_helper(texts[0])
        return HelperCredential(name=texts[0])
    first, second = texts
    if not first:
        return UselessCredential(message=f"the oci_credentials block has an empty {group[0]}")
    if group[0] == "username":
        return BasicCredential(username=first, password=Secret(second))
    return TokenCredential(access_token=Secret(first), refresh_token=Secret(second))


def _check_helper(name: str) -> None:
    if not valid_helper_name(name):
        raise _BlockProblem(
            f"“{name}” cannot be the name of a Docker credential helper",
            hint="NAME stands for the program docker-credential-NAME on the PATH",
        )


def _defaults(
    item: HclItem, document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics, *, windows: bool
) -> OciDefaults:
    if item.assigned or not isinstance(item.value, HclBody):
        raise _BlockProblem("it is a block and takes no equals sign")
    if item.labels and not document.json:
        raise _BlockProblem("it has no labels")
    items = item.value.items
    discover = last_bool(items, "discover_ambient_credentials")
    files = last_texts(items, "docker_style_config_files")
    helper = last_text(items, _HELPER)
    diagnostics.ignore(unknown(items, _DEFAULT_ARGUMENTS), DEFAULTS)
    _complain_of_contradictions(discover, files, helper, diagnostics)
    return OciDefaults(
        origin=diagnostics.at(item.line),
        discover_ambient_credentials=discover is None or discover[0],
        docker_style_config_files=files and _absolute(files[0], document.path, windows=windows),
        docker_credentials_helper=helper[0] if helper and valid_helper_name(helper[0]) else "",
    )


def _complain_of_contradictions(
    discover: tuple[bool, int] | None,
    files: tuple[tuple[str, ...], int] | None,
    helper: tuple[str, int] | None,
    diagnostics: ConfigurationDiagnostics,
) -> None:
    """Note what is wrong with the arguments although the block is used, as in the clients."""
    if helper is not None and not valid_helper_name(helper[0]):
        message = f"“{helper[0]}” cannot be the name of a Docker credential helper"
        diagnostics.error(helper[1], _DEFAULTS_SUMMARY, message)
    if discover is not None and not discover[0] and files is not None:
        diagnostics.error(
            files[1],
            _DEFAULTS_SUMMARY,
            "docker_style_config_files has no use where discover_ambient_credentials is false",
            hint="remove one of the two",
        )


def _absolute(files: Sequence[str], config_file: str, *, windows: bool) -> tuple[str, ...]:
    """The paths, relative ones from the folder of the configuration file."""
    paths = ntpath if windows else posixpath
    folder = paths.dirname(config_file)
    return tuple(paths.normpath(paths.join(folder, file)) for file in files)
