"""Reads CLI configurations that never were on a disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.file_settings import read_settings
from lockwarden.core.cli_config.ignored_settings import IgnoredSetting
from lockwarden.core.cli_config.merging import merge
from lockwarden.core.cli_config.reading import parse
from lockwarden.core.cli_config.settings import CliConfig, FileSettings
from lockwarden.core.values.diagnostics import Diagnostic

ReadConfig = Callable[..., CliConfig]


@pytest.fixture
def read_config() -> ReadConfig:
    """Reads the text of a main file and then those of `a.tfrc`, `b.tfrc`, … in the configuration folder."""

    def read(main: str | None, *folder: str, environ: Mapping[str, str] | None = None) -> CliConfig:
        surrounding = dict(environ or {})
        diagnostics: list[Diagnostic] = []
        ignored: list[IgnoredSetting] = []

        def settings(text: str, path: str) -> FileSettings:
            complaints = ConfigurationDiagnostics(path)
            document = parse(text.encode("utf-8"), path=path)
            found = read_settings(document, complaints, environ=surrounding)
            diagnostics.extend(complaints.diagnostics)
            ignored.extend(complaints.ignored)
            return found

        first = None if main is None else settings(main, "/home/.tofurc")
        rest = [settings(text, f"/home/.terraform.d/{'abcd'[place]}.tfrc") for place, text in enumerate(folder)]
        return merge(first, rest, environ=surrounding, diagnostics=diagnostics, ignored=ignored)

    return read
