"""`lockwarden config`: every setting with its place, who serves a provider, what OCI registries list, and no secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders.schema import published, violations
from builders.three_providers import HOST, MIRROR
from end_to_end.configuring import OCI_CREDENTIALS, OCI_HOST, SECRET, THREE_WAYS, run
from servers.https import HttpsServer
from servers.installed import Ended, Lockwarden

from lockwarden.demo.world import Response

SCHEMA = published("config")
ONE, THREE = f"{HOST}/acme/one", f"{HOST}/acme/three"
TEMPLATE = f"{OCI_HOST}/providers/${{namespace}}/${{type}}"


def document(done: Ended) -> Any:
    """The JSON on stdout, which is what the published schema describes."""
    assert done.report["exit_code"] == done.code
    return done.report


def test_it_tells_every_setting_with_its_place_and_no_secret_and_asks_nobody(
    lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
) -> None:
    file = home / ".tofurc"
    file.write_text(
        THREE_WAYS + f'credentials "{HOST}" {{\n  token = "{SECRET}"\n}}\n' + OCI_CREDENTIALS + 'frobnicate = "yes"\n'
    )
    done = run(lockwarden, "config", folder=folder, TF_TOKEN_mirror_example_test=SECRET)
    assert done.code == 0
    assert f"  read: {file}\n" in done.out
    assert f"  2: network mirror {MIRROR}, for {HOST}/acme/two  [{file}:6]\n" in done.out
    sent = "sent to the host, and to where its service discovery leads and what it names"
    assert f"  {HOST}: token (secret), {sent}  [{file}:14]\n" in done.out
    variable = "[the environment variable TF_TOKEN_mirror_example_test]"
    assert f"  mirror.example.test: token (secret), {sent}  {variable}\n" in done.out
    assert f"  frobnicate: no client knows it  [{file}:21]\n" in done.out
    served = done.out.partition("Who serves\n")[2]
    assert f"  {HOST}/acme/two\n    · not asked: OCI mirror" in served
    assert f"    ✓ network mirror {MIRROR} ({file}:6)\n" in served
    assert everything.journal.requests == ()


def test_a_file_that_both_clients_read_is_told_as_each_reads_it(
    lockwarden: Lockwarden, folder: Path, home: Path
) -> None:
    file = home / ".terraformrc"
    template = f"{OCI_HOST}/${{hostname}}/${{namespace}}/${{type}}"
    mirror = 'filesystem_mirror {\n    path = "$HOME/none"\n    include = ["acme/*"]\n  }'
    oci = f'oci_mirror {{\n    repository_template = "{template}"\n  }}'
    file.write_text(f"disable_checkpoint = true\nprovider_installation {{\n  {mirror}\n  {oci}\n}}\n")
    both = ("registry.opentofu.org/acme/one", "registry.terraform.io/acme/one")
    done = run(lockwarden, "config", *both, folder=folder)
    assert "for acme/* (registry.opentofu.org with OpenTofu or registry.terraform.io with Terraform)" in done.out
    assert done.out.count(f"✓ filesystem mirror $HOME/none ({file}:3)") == 2
    assert (
        f"  disable_checkpoint: Terraform alone knows it, for its questions about newer releases of itself  [{file}:1]"
        in done.out
    )
    assert "there is no folder $HOME/none, so the clients fail for every provider of this method" in done.out
    assert "the clients replace neither ~ nor a variable such as $HOME in it" in done.out
    assert "Terraform reports an error in this file and goes on without the method" in done.out
    checked = run(lockwarden, "check", "--offline", folder=folder)
    assert "there is no folder $HOME/none" in checked.err
    assert "oci_mirror" not in checked.err


@pytest.mark.parametrize(
    ("header", "host", "denied"),
    [
        ("tofu", "registry.opentofu.org", "OpenTofu cannot"),
        ("tofu", "registry.terraform.io", ""),
        ("terraform", "registry.opentofu.org", ""),
        ("terraform", "registry.terraform.io", "Terraform cannot"),
        # Nobody says which client it is, and the address belongs to one.
        ("", "registry.opentofu.org", "no client can"),
        ("", "registry.terraform.io", "no client can"),
    ],
)
def test_a_pattern_without_a_host_is_read_as_the_client_of_the_lock_file_reads_it(
    lockwarden: Lockwarden, tmp_path: Path, home: Path, header: str, host: str, denied: str
) -> None:
    """With such an exclusion each client installs what is of the other one's registry, and not what is of its own."""
    mirror = f'network_mirror {{\n    url = "{MIRROR}"\n    exclude = ["acme/*"]\n  }}'
    (home / ".terraformrc").write_text(f"provider_installation {{\n  {mirror}\n}}\n")
    top = f'# This file is maintained automatically by "{header} init".\n\n' if header else ""
    entry = f'provider "{host}/acme/one" {{\n  version = "1.4.0"\n  hashes = [\n    "zh:{"ab" * 32}",\n  ]\n}}\n'
    (tmp_path / ".terraform.lock.hcl").write_text(top + entry)
    done = run(lockwarden, "check", "--offline", "--format", "json", folder=tmp_path)
    told = {each["code"]: each["message"] for each in done.provider("one")["problems"]}
    assert ("no-source" in told) is bool(denied)
    assert denied in told.get("no-source", "")


def test_as_json_it_says_which_method_serves_the_named_providers(
    lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
) -> None:
    (home / ".tofurc").write_text(THREE_WAYS.replace("direct {", 'direct {\n    include = ["a.test/*/*"]'))
    done = run(lockwarden, "config", ONE, THREE, "--format", "json", folder=folder)
    assert done.code == 1
    one, three = document(done)["providers"]
    assert [method["serves"] for method in one["methods"]] == [True, False, False]
    assert [method["serves"] for method in three["methods"]] == [False, False, False]
    assert one["methods"][0]["origin"] == {"kind": "file", "name": str(home / ".tofurc"), "line": 2}
    assert one["dev_override"] is None


def test_as_json_every_kind_of_setting_is_what_the_published_schema_describes(
    lockwarden: Lockwarden, folder: Path, home: Path
) -> None:
    (home / ".tofurc").write_text(
        f"provider_installation {{\n"
        f'  dev_overrides {{\n    "{ONE}" = "/dev/one"\n  }}\n'
        f'  network_mirror {{\n    url = "https://user:{SECRET}@mirror.example.test/"\n  }}\n'
        f"  carrier_pigeon {{}}\n}}\n"
        f'plugin_cache_dir = "{home}"\n'
        f"registry_protocols {{\n  retry_count = 3\n}}\n"
        f'host "{HOST}" {{\n  services = {{}}\n}}\n'
        f'credentials "{HOST}" {{\n  token = "{SECRET}"\n}}\n'
        f'colour = "blue"\n' + OCI_CREDENTIALS
    )
    variables = {"TF_TOKEN_mirror_example_test": SECRET, "TF_REGISTRY_CLIENT_TIMEOUT": ""}
    done = run(lockwarden, "config", ONE, "--format", "json", folder=folder, **variables)
    assert done.code == 1
    report = document(done)
    assert {line["section"] for line in report["settings"]} == set(
        SCHEMA["$defs"]["setting"]["properties"]["section"]["enum"]
    )
    kinds = {line["origin"]["kind"] for line in report["settings"] if line["origin"] is not None}
    assert kinds == set(SCHEMA["$defs"]["origin"]["properties"]["kind"]["enum"])
    assert report["providers"][0]["dev_override"] == {
        "folder": "/dev/one",
        "origin": {"kind": "file", "name": str(home / ".tofurc"), "line": 3},
    }


@pytest.mark.parametrize("configuration", ["", "provider_installation {\n"], ids=["none", "one that does not parse"])
def test_as_json_little_is_what_the_published_schema_describes_too(
    lockwarden: Lockwarden, tmp_path: Path, home: Path, configuration: str
) -> None:
    if configuration:
        (home / ".tofurc").write_text(configuration)
    done = run(lockwarden, "config", "--format", "json", folder=tmp_path)
    assert done.code == (2 if configuration else 0)
    assert document(done)["providers"] == []


def test_the_check_against_the_schema_finds_what_is_wrong(lockwarden: Lockwarden, folder: Path) -> None:
    text = run(lockwarden, "config", ONE, "--format", "json", folder=folder).out
    for place, spoiled in (
        ("settings", {"section": "colours"}),
        ("settings", {"origin": {"kind": "file"}}),
        ("providers", {"methods": None}),
        ("providers", {"extra": 0}),
    ):
        report = json.loads(text)
        report[place][0].update(spoiled)
        assert len(list(violations(report, SCHEMA))) == 1


def test_a_file_that_does_not_parse_is_told_beside_what_else_was_found(
    lockwarden: Lockwarden, folder: Path, home: Path
) -> None:
    (home / ".tofurc").write_text("provider_installation {\n")
    done = run(lockwarden, "config", folder=folder)
    assert done.code == 2
    assert f"{home / '.tofurc'}:1: error: " in done.err
    assert "Who serves" in done.out


def asked_of(everything: HttpsServer, lockwarden: Lockwarden, folder: Path, home: Path, code: int) -> Any:
    """What `--ask` tells of the one registry, as JSON."""
    (home / ".tofurc").write_text(THREE_WAYS + OCI_CREDENTIALS)
    done = run(lockwarden, "config", "--ask", "--format", "json", folder=folder)
    assert done.code == code
    assert {request.host for request in everything.journal.requests} == {OCI_HOST}
    (registry,) = document(done)["registries"]
    assert registry["template"] == TEMPLATE
    return registry


def test_asked_to_it_lists_what_the_registry_of_an_oci_mirror_holds(
    lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
) -> None:
    assert asked_of(everything, lockwarden, folder, home, code=0) == {
        "template": TEMPLATE,
        "answered": True,
        "offers_a_list": True,
        "detail": "the registry has 3 repositories that fit",
        "hint": "",
        "repositories": [f"{OCI_HOST}/providers/acme/{name}" for name in ("one", "three", "two")],
    }


@pytest.mark.parametrize(("status", "answered", "code"), [(404, True, 0), (503, False, 3)])
def test_that_a_registry_offers_no_list_is_an_answer_and_a_failure_is_none(
    lockwarden: Lockwarden,
    everything: HttpsServer,
    folder: Path,
    home: Path,
    status: int,
    answered: bool,
    code: int,
) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return Response.of_status(status)

    everything.serve(respond)
    registry = asked_of(everything, lockwarden, folder, home, code)
    assert (registry["answered"], registry["offers_a_list"], registry["repositories"]) == (answered, False, [])
    assert ("does not offer a list of its repositories" in registry["detail"]) is answered
    text = run(lockwarden, "config", "--ask", folder=folder).out.partition("Repositories that fit\n")[2]
    assert text.startswith(f"  {'·' if answered else '?'} oci://{TEMPLATE}: {registry['detail']}\n")
    assert (f"    → {registry['hint']}\n" in text) is bool(registry["hint"])


def test_an_oci_template_that_ends_in_a_colon_is_read_without_it_and_told(
    lockwarden: Lockwarden, home: Path, tmp_path: Path
) -> None:
    (home / ".tofurc").write_text(
        'provider_installation {\n  oci_mirror {\n    repository_template = "r.test/${namespace}/${type}:"\n'
        '    include = ["h.test/*/*"]\n  }\n}\n'
    )
    done = run(lockwarden, "config", "h.test/acme/one", folder=tmp_path)
    assert done.code == 0
    assert "ends in a colon with nothing behind it, which the clients drop" in done.out
    assert "→ write r.test/${namespace}/${type}; the version's tag is added by the client" in done.out
    assert f"    ✓ OCI mirror r.test/${{namespace}}/${{type}} ({home / '.tofurc'}:2)" in done.out
    named = run(lockwarden, "check", "--source", "oci://r.test/{namespace}/{type}:", folder=tmp_path)
    assert named.code == 2
    assert "ends in a colon with nothing behind it" in named.err
