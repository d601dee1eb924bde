"""One host that does not answer, and all that wait for it: told once in every report and over all lock files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from builders.three_providers import HOST
from servers.https import HttpsServer
from servers.installed import Lockwarden

from lockwarden.demo.world import Response

HASH = "zh:" + "ab" * 32


def entry(name: str) -> str:
    return f'provider "{HOST}/acme/{name}" {{\n  version = "1.4.0"\n  hashes = [\n    "{HASH}",\n  ]\n}}\n'


def test_it_is_told_once_with_the_providers_and_the_files_that_wait_for_it(
    lockwarden: Lockwarden, https_server: HttpsServer, tmp_path: Path
) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return Response(status=503)

    https_server.serve(respond)
    for folder, names in {"one": ("one", "two"), "two": ("three",)}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / ".terraform.lock.hcl").write_text("\n".join(map(entry, names)))
    reports = {form: tmp_path / f"report.{form}" for form in ("sarif", "junit", "markdown", "text")}
    written = [word for form, path in reports.items() for word in ("--report", f"{form}:{path}")]
    lockwarden.run("check", "--recursive", ".", *written, folder=tmp_path, expected=3)
    for path in reports.values():
        text = path.read_text().replace("`", "")
        told = [line for line in text.splitlines() if "could not be asked" in line]
        assert len(told) == 1, path
        assert "3 providers wait for it: " in text
    results = json.loads(reports["sarif"].read_text())["runs"][0]["results"]
    assert [each["level"] for each in results] == ["warning"]
    assert "1 hash unchecked, line 4" in results[0]["message"]["text"]
