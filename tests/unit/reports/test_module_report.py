"""The list of module calls as text and as JSON: the same, within bounds, and no secret in either."""

from __future__ import annotations

import json
from pathlib import Path

from builders.schema import violations

from lockwarden.core.configuration.native import read_native
from lockwarden.core.modules.calls import CallsFile, calls_of
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.reports.json_modules import modules_json
from lockwarden.core.reports.module_report import module_lines
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.clients import Client

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "modules.schema.json").read_text(encoding="utf-8"))
TEXT = """
module "registry" {
  source  = "acme/vpc/aws"
  version = "~> 1.0"
}
module "secret" {
  source = "git::http://ada:s3cret@example.test/vpc.git?sshkey=s3cret"
}
module "unknown" {
  source = var.where
}
run {}
"""


def listing() -> ModuleListing:
    def listed(place: int) -> ListedCall:
        call = calls[place]
        return ListedCall(key=call.name, call=call, classified=call.classified("registry.opentofu.org"))

    calls = calls_of([CallsFile(path="infra/main.tf", body=read_native(TEXT))])
    registry = ListedCall(
        key="registry",
        call=calls[0],
        classified=calls[0].classified("registry.opentofu.org"),
        installed=InstalledState.INSTALLED,
        folder="infra/.terraform/modules/registry",
        version="1.4.0",
    )
    test = CallsFile(
        path="infra/a.tftest.hcl", body=read_native('run "r" {\n  module {\n    source = "a/b/c"\n  }\n}\n'), test=True
    )
    (run,) = calls_of([test])
    tested = ListedCall(
        key="r",
        call=run,
        classified=run.classified("registry.opentofu.org"),
        installed=InstalledState.NOT_INSTALLED,
    )
    return ModuleListing(
        path="infra",
        client=Client.OPENTOFU,
        calls=(registry, listed(1), listed(2), tested),
        problems=(ReadingProblem(path="infra/x.tf", line=3, message="it cannot be read"),),
    )


def test_as_text_every_call_has_its_place_its_class_and_what_speaks_against_it() -> None:
    text = "\n".join(module_lines([listing(), ModuleListing(path="b", client=Client.OPENTOFU, calls=(), problems=())]))
    assert text.splitlines()[:5] == [
        "infra: 4 module calls; 3 floating; 1 unknown",
        "  ▲ infra/main.tf:3  registry  floating, registry",
        "      acme/vpc/aws  version ~> 1.0",
        "      the newest version that fits “~> 1.0” is installed",
        "      installed 1.4.0 in infra/.terraform/modules/registry",
    ]
    assert "  ▲ infra/main.tf:7  secret  floating, git\n" in text
    assert "      git::http://(secret)@example.test/vpc.git?sshkey=(secret)\n" in text
    assert "      ✗ its address holds what may be a secret: a user name or password, “sshkey”\n" in text
    assert "      ? what it installs is not known: its source goes by var.where" in text
    assert "  run.r  floating" in text
    assert "  Not installed: 1. The calls inside of them are not listed; tofu init fetches them" in text
    assert text.endswith("\n\nb: 0 module calls")
    assert "s3cret" not in text


def test_the_json_is_what_the_schema_describes() -> None:
    text = modules_json([listing()], ExitCode.UNUSABLE_INPUT)
    document = json.loads(text)
    assert list(violations(document, SCHEMA)) == []
    (configuration,) = document["configurations"]
    assert configuration["problems"] == [{"path": "infra/x.tf", "line": 3, "message": "it cannot be read"}]
    assert [(each["key"], each["line"], each["class"]) for each in configuration["calls"]] == [
        ("registry", 3, "floating"),
        ("secret", 7, "floating"),
        ("unknown", 10, "unknown"),
        ("run.r", 3, "floating"),
    ]
    assert configuration["calls"][0]["installed_version"] == "1.4.0"
    assert [each["code"] for each in configuration["calls"][1]["problems"]] == ["module-secret", "module-transport"]
    assert "s3cret" not in text


def test_what_has_no_room_is_counted() -> None:
    document = json.loads(modules_json([listing()], ExitCode.FINDINGS, limit=1_000))
    assert list(violations(document, SCHEMA)) == []
    assert document["omitted"] + len(document["configurations"][0]["calls"]) == 4
    assert document["omitted"] > 0
