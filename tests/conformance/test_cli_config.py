"""CLI configurations: the same complaints and the same providers served as the client recorded.

`cli_config.json` holds what was recorded: `texts` (a configuration → complaints, with the innermost line that the
client names) and `patterns` (include and exclude → is the provider `HOST/acme/plain` served).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conformance.config_home import RECORDED, Home

from lockwarden.core.cli_config.serving import effective_installation, serves
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import CliConfigError
from lockwarden.core.values.severity import Severity

TEXTS: dict[str, Any] = RECORDED["texts"]

BLOCK_LINE = "the client names the line of the outermost block, Lockwarden the one of the method or argument"
TEMPLATE_LINE = "the client names the line of the oci_mirror block, Lockwarden the one of its template"
OTHER_LINES = {
    "method with a label": (2, BLOCK_LINE),
    "method with =": (2, BLOCK_LINE),
    "dev_overrides bad address": (3, BLOCK_LINE),
    "network without url": (2, BLOCK_LINE),
    "filesystem without path": (2, BLOCK_LINE),
    "oci without hostname": (3, TEMPLATE_LINE),
    "oci fixed, two included": (3, TEMPLATE_LINE),
    "oci other variable": (3, TEMPLATE_LINE),
    "oci with a tag": (3, TEMPLATE_LINE),
    "oci with a scheme": (3, TEMPLATE_LINE),
    "oci upper case": (3, TEMPLATE_LINE),
    "oci escaped": (3, TEMPLATE_LINE),
    "registry_protocols twice": (
        2,
        "the client names the first block, Lockwarden both",
    ),
    "oci_default files and no discovery": (3, "the client names the block, Lockwarden the argument that has no use"),
}
"""Deliberate differences: the line that Lockwarden names, and why."""
OTHER_SUMMARY = {"oci function": "Invalid oci_mirror repository template"}
"""The client's words for this one do not name the block."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    folder = tmp_path / "home"
    folder.mkdir()
    return Home(folder=folder)


# Texts


@pytest.mark.parametrize("case", TEXTS)
def test_a_configuration_gets_a_diagnostic_where_the_client_complains(home: Home, case: str) -> None:
    complaints = TEXTS[case]["complaints"]
    path = home.write("rc", TEXTS[case]["text"])
    home.variables["TF_CLI_CONFIG_FILE"] = str(path)
    found = [each for each in home.load().diagnostics if each.severity is Severity.ERROR]
    assert [each.severity.value for each in found] == [each["severity"] for each in complaints]
    for ours, theirs in zip(found, complaints, strict=True):
        assert ours.origin.name == str(path)
        assert ours.summary.startswith(OTHER_SUMMARY.get(case, theirs["summary"]))
        assert theirs["line"] is None or ours.origin.line == OTHER_LINES.get(case, (theirs["line"], ""))[0]
        assert ours.message


UNREADABLE = {"syntax error", "credentials no label"}
"""Where the client uses nothing of the file; an audit stops there."""


@pytest.mark.parametrize("case", TEXTS)
def test_only_a_file_of_which_the_client_uses_nothing_ends_an_audit(home: Home, case: str) -> None:
    home.variables["TF_CLI_CONFIG_FILE"] = str(home.write("rc", TEXTS[case]["text"]))
    config = home.load()
    if case not in UNREADABLE:
        assert config.checked() is config
        return
    line = TEXTS[case]["complaints"][0]["line"]
    with pytest.raises(CliConfigError, match=rf"/rc:{line}: "):
        config.checked()


def test_the_table_of_lines_names_only_cases_where_the_client_names_another_line() -> None:
    for case, (line, reason) in OTHER_LINES.items():
        assert [each["line"] for each in TEXTS[case]["complaints"]] != [line]
        assert reason


# Patterns


@pytest.mark.parametrize("host", ["example.test", "registry.opentofu.org"])
@pytest.mark.parametrize("case", RECORDED["patterns"])
def test_patterns_serve_the_same_providers(home: Home, case: str, host: str) -> None:
    recorded = RECORDED["patterns"][case]
    lists = [f"    {name} = {recorded[name]}" for name in ("include", "exclude") if recorded[name]]
    mirror = ["  filesystem_mirror {", f'    path = "{home.folder}"', *lists, "  }"]
    home.write(".tofurc", "\n".join(["provider_installation {", *mirror, "}", ""]))
    config = home.load()
    installation = effective_installation(config.checked(), home.surroundings)
    address = ProviderAddress.parse(f"{host}/acme/plain")
    served = [each for each in installation.methods if serves(each, address)]
    assert bool(served) is recorded[host]
    assert config.diagnostics == ()
