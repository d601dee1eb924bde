"""What every report says of the CLI configuration that a run went by."""

from __future__ import annotations

import json
from pathlib import Path

from builders.run_results import run_of
from builders.schema import violations
from msgspec.structs import replace

from lockwarden.core.reports.configuration_lines import ConfigurationJson, configuration_line
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.result import UsedConfiguration
from lockwarden.core.reports.text_report import text_report
from lockwarden.core.values.origins import UsedFile

DIGEST = f"sha256:{'0123456789abcdef' * 4}"
SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "report.schema.json").read_text(encoding="utf-8"))
USED = UsedConfiguration(
    files=(
        UsedFile(path="/home/me/.tofurc", digest=DIGEST),
        UsedFile(path="ci\x1b.tfrc", digest=DIGEST, revision="c0ffee" * 6 + "abcd"),
    ),
    replaced_hosts=("a.test", "b.test"),
)


def test_it_takes_one_line() -> None:
    assert configuration_line(UsedConfiguration()) == "Configuration: no CLI configuration file"
    assert configuration_line(USED) == (
        f"Configuration: /home/me/.tofurc ({DIGEST}); ci\x1b.tfrc at c0ffeec0ffee ({DIGEST});"
        " host blocks replace the services of a.test, b.test"
    )


def test_the_text_ends_with_it_and_nothing_in_it_acts() -> None:
    assert text_report(replace(run_of(), configuration=USED)).splitlines()[-1] == configuration_line(USED).replace(
        "\x1b", "<U+001B>"
    )
    assert "Configuration" not in text_report(run_of())


def test_json_has_full_values_and_tells_none_from_not_looked_for() -> None:
    assert ConfigurationJson.of(None) is None
    assert ConfigurationJson.of(UsedConfiguration()) == ConfigurationJson(files=[], replaced_hosts=[])
    report = json.loads(json_report(replace(run_of(), configuration=USED)))
    assert list(violations(report, SCHEMA)) == []
    assert report["configuration"]["files"] == [
        {"path": "/home/me/.tofurc", "digest": DIGEST},
        {"path": "ci\x1b.tfrc", "digest": DIGEST, "revision": "c0ffee" * 6 + "abcd"},
    ]
    assert report["configuration"]["replaced_hosts"] == ["a.test", "b.test"]
