"""CLI configurations and the files of container tools: typed refusals, no silence, no secret in any word about them."""

from __future__ import annotations

import re

from fuzzing.oracle import promise
from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.docker_files import DockerFileError, parse_docker_file
from lockwarden.core.cli_config.document import ConfigurationDocument
from lockwarden.core.cli_config.file_settings import read_settings
from lockwarden.core.cli_config.merging import merge
from lockwarden.core.cli_config.reading import parse
from lockwarden.core.hcl.syntax import SyntaxProblem

CANARY = "c4n4ry-t0k3n"
"""The token of the kept inputs. Where it stands once, and as a token, no word about the file may hold it."""
_TOKEN_LINE = re.compile(rf'^ *token = "{CANARY}"$'.encode(), re.MULTILINE)
_ENVIRONMENT = {"HOME": "/home/user", "EMPTY": ""}
_ANY_CASE = frozenset(
    {
        "plugin_cache_dir",
        "plugin_cache_may_break_dependency_lock_file",
        "host",
        "credentials",
        "credentials_helper",
    }
)
_EXACT = frozenset({"provider_installation", "registry_protocols", "oci_credentials", "oci_default_credentials"})


def cli_config(data: bytes) -> None:
    """Read a file in either form, and take it over into settings."""
    diagnostics = ConfigurationDiagnostics("file")
    try:
        document = parse(data, path="file")
    except SyntaxProblem as problem:
        promise(0 <= problem.line <= data.count(b"\n") + 1, "an error names a line of the file")
        _keeps_secret(data, problem.message, problem.hint)
        return
    settings = read_settings(document, diagnostics, environ=_ENVIRONMENT)
    config = merge(settings, [], environ=_ENVIRONMENT, diagnostics=diagnostics.diagnostics, ignored=diagnostics.ignored)
    _keeps_secret(data, repr(settings), repr(config), *map(repr, diagnostics.diagnostics))
    if not any(diagnostic.unreadable for diagnostic in diagnostics.diagnostics):
        _nothing_is_passed_over(document, diagnostics)


def _nothing_is_passed_over(document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics) -> None:
    """A setting that has no effect because nobody knows it is named."""
    told = {setting.name for setting in diagnostics.ignored}
    for item in document.items:
        known = item.name.casefold() in _ANY_CASE or item.name in _EXACT
        promise(known or ".".join(filter(None, item.keys)) in told, f"the unknown setting {item.name!r} is named")


def docker_file(data: bytes) -> None:
    """Read a file in which container tools keep credentials."""
    try:
        found = parse_docker_file(data, path="file")
    except DockerFileError as error:
        _keeps_secret(data, str(error), repr(error.__cause__))
        return
    _keeps_secret(data, repr(found))


def _keeps_secret(data: bytes, *texts: str) -> None:
    """Where the token stands once, on a line of its own and in no template, it is a token and nothing else."""
    if data.count(CANARY.encode()) == 1 and _TOKEN_LINE.search(data) and b"${" not in data and b"<<" not in data:
        promise(not any(CANARY in text for text in texts), "a token is never shown")
