"""A CLI configuration, programs and packages that a change brings along: with a base, none of it decides anything."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import site
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from adversarial.attack import BASE, FOLDER, HOST_BLOCK, TRUSTED, Attack
from adversarial.parties import Parties
from adversarial.scene import BOTH, Scene, entry
from builders.three_providers import HOST

from lockwarden.demo.mirrors import write_packed
from lockwarden.demo.releases import SERVICE, registry_sites
from lockwarden.demo.world import Response, World


def ways(folder: Path) -> dict[str, tuple[str, dict[str, str]]]:
    """Where the change puts a file, and variables of the operator that lead there."""
    outside = folder.parent
    found = {
        "relative": (".tofurc", {"TF_CLI_CONFIG_FILE": ".tofurc"}),
        "absolute": ("ci/tofurc", {"TF_CLI_CONFIG_FILE": str(folder / "ci/tofurc")}),
        "dots": ("ci/tofurc", {"TF_CLI_CONFIG_FILE": f"{outside}/configuration/../configuration/ci/tofurc"}),
        "link from outside": ("ci/tofurc", {"TF_CLI_CONFIG_FILE": str(outside / "link")}),
        "home": (".tofurc", {"TF_CLI_CONFIG_FILE": "", "HOME": str(folder)}),
        "relative home": (".terraformrc", {"TF_CLI_CONFIG_FILE": "", "HOME": "."}),
        "folder": (".terraform.d/x.tfrc", {"TF_CLI_CONFIG_FILE": "", "HOME": str(folder)}),
        "xdg": ("c/opentofu/tofurc", {"TF_CLI_CONFIG_FILE": "", "XDG_CONFIG_HOME": str(folder / "c")}),
        "xdg folder": ("c/opentofu/x.tfrc.json", {"TF_CLI_CONFIG_FILE": "", "XDG_CONFIG_HOME": "c"}),
    }
    (outside / "link").symlink_to(folder / found["link from outside"][0])
    return found


def test_a_configuration_that_a_change_brings_does_not_count(attack: Attack) -> None:
    attack.check(1)  # what it is without the change's file
    usual = dict(attack.scene.environment)
    for way, (name, variables) in ways(attack.scene.folder).items():
        attack.reset()
        attack.scene.environment = dict(usual)
        attack.write(name, HOST_BLOCK)
        attack.commit("and a configuration")
        attack.scene.server.journal.clear()
        done = attack.check(1, **variables)
        assert "so the change under review brings it" in done.err, way
        assert done.report["configuration"] == {"files": [], "replaced_hosts": []}, way
        assert {request.host for request in attack.scene.server.journal.requests} == {HOST}, way
        assert attack.check(0, *BOTH).report["configuration"]["replaced_hosts"] == [HOST], way  # the danger is real


@pytest.mark.parametrize("text", [HOST_BLOCK, TRUSTED], ids=["host block", "trusted mirror"])
def test_a_configuration_that_a_change_rewrites_counts_as_it_is_at_the_base(attack: Attack, text: str) -> None:
    before = f'credentials "{HOST}" {{\n  token = "sesame"\n}}\n'
    attack.on_main("ci/tofurc", before)
    for spoil in ("rewritten", "link", "removed", "folder link"):
        attack.git("checkout", "-q", "main", "--", "ci")
        path = attack.scene.folder / "ci/tofurc"
        match spoil:
            case "rewritten":
                path.write_text(text)
            case "removed":
                path.unlink()
            case "link":
                outside = attack.scene.folder.parent / "outside.tfrc"
                outside.write_text(text)
                path.unlink()
                path.symlink_to(outside)
            case _:
                elsewhere = attack.scene.folder.parent / "elsewhere"
                elsewhere.mkdir()
                (elsewhere / "tofurc").write_text(text)
                path.unlink()
                path.parent.rmdir()
                path.parent.symlink_to(elsewhere)
        attack.scene.server.journal.clear()
        done = attack.check(1, TF_CLI_CONFIG_FILE="ci/tofurc")
        assert "counts as it is at refs/heads/main" in done.err
        digest = f"sha256:{hashlib.sha256(before.encode()).hexdigest()}"
        tip = attack.git("rev-parse", "main")
        path_told = str(attack.scene.folder / "ci/tofurc")
        assert done.report["configuration"] == {
            "files": [{"path": path_told, "digest": digest, "revision": tip}],
            "replaced_hosts": [],
        }
        assert {request.host for request in attack.scene.server.journal.requests} == {HOST}
        assert any(request.authorization for request in attack.scene.server.journal.requests)


def test_a_file_that_no_commit_has_is_refused(attack: Attack) -> None:
    attack.write("home/.terraform.d/checkpoint", "of no interest")
    home = {"TF_CLI_CONFIG_FILE": "", "HOME": str(attack.scene.folder / "home")}
    attack.check(1, **home)
    attack.write("home/.terraform.d/x.tfrc", HOST_BLOCK)
    assert "lies in the working tree, but in no commit" in attack.refused(**home)
    attack.write(".tofurc", HOST_BLOCK)
    done = attack.scene.check_to_its_end(*BASE, expected=2, TF_CLI_CONFIG_FILE=".tofurc")
    assert ".tofurc lies in the working tree, but in no commit" in done.err
    assert "hint: with --base, keep what configures the check outside of the working tree" in done.err


def test_mirrors_in_the_working_tree_vouch_for_nothing(attack: Attack, tmp_path: Path) -> None:
    write_packed(attack.scene.folder / "vendored", [attack.as_widget])
    write_packed(attack.scene.folder / "terraform.d/plugins", [attack.as_widget])
    attack.commit("packages that fit")
    outside = tmp_path / "outside.tfrc"
    for path in ("vendored", str(attack.scene.folder / "vendored"), str(tmp_path / "link")):
        (tmp_path / "link").unlink(missing_ok=True)
        (tmp_path / "link").symlink_to(attack.scene.folder / "vendored")
        outside.write_text(FOLDER.format(path))
        done = attack.check(1, TF_CLI_CONFIG_FILE=str(outside))
        assert done.confirmed("widget") == set()
        assert "is not asked: it lies in the working tree" in done.err
    for source in ("vendored", "plugin-cache:vendored", "installed:vendored", str(tmp_path / "link")):
        assert "lies in the working tree" in attack.refused("--source", source)
    outside.write_text("")
    done = attack.check(1)  # the folder that the clients know by themselves
    assert [source["id"] for source in done.report["sources"]] == ["direct"]
    assert "terraform.d/plugins is not asked" in done.err


def test_programs_in_the_working_tree_are_never_run(attack: Attack, tmp_path: Path, parties: Parties) -> None:
    ran = tmp_path / "ran"
    script = f"#!/bin/sh\ntouch {shlex.quote(str(ran))}\nexit 1\n"
    for name in ("bin/gpg", "bin/git", "gpg", "git", ".terraform.d/plugins/terraform-credentials-vault"):
        attack.write(name, script).chmod(0o755)
    attack.commit("programs")
    path = attack.scene.environment["PATH"]
    folder = attack.scene.folder
    attack.check(1, *BOTH, PATH=os.pathsep.join([".", "bin", "", path]))
    attack.check(1, PATH=os.pathsep.join([".", "bin", "", str(folder / "bin"), path]))
    config = tmp_path / "outside.tfrc"
    config.write_text('credentials_helper "vault" {}\n')
    attack.scene.environment |= {"HOME": str(folder), "TF_CLI_CONFIG_FILE": str(config)}
    assert "so it is not run" in attack.refused()
    assert not ran.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [("PYTHONPATH", ":/nowhere"), ("PYTHONPATH", "/nowhere:src"), ("SSL_CERT_FILE", "ca.pem"), ("SSL_CERT_DIR", ".")],
)
def test_variables_that_lead_into_the_working_tree_are_refused(attack: Attack, name: str, value: str) -> None:
    assert attack.refused(**{name: value}).startswith(f"{name} ")


def test_modules_of_the_user_in_the_working_tree_are_refused(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    own = attack.write("site/usercustomize.py", "").parent
    monkeypatch.setattr(site, "ENABLE_USER_SITE", True)  # as outside of a virtual environment
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(own))
    assert attack.refused().startswith(f"{own} lies in the working tree")


def test_neither_cache_nor_state_in_the_working_tree_is_used(attack: Attack) -> None:
    folder = attack.scene.folder
    done = attack.check(1, XDG_CACHE_HOME=str(folder / "cache"), XDG_STATE_HOME=str(folder / "state"))
    assert "so nothing is kept there" in done.err
    assert not (attack.scene.folder / "cache").exists()
    assert not (attack.scene.folder / "state").exists()


def test_settings_of_git_in_the_working_tree_do_not_count(attack: Attack, tmp_path: Path) -> None:
    traced = tmp_path / "traced"
    setting = f"[trace2]\n\tnormalTarget = {traced}\n\teventTarget = {traced}\n\tperfTarget = {traced}\n"
    attack.write(".gitconfig", f"{setting}[core]\n\texcludesFile = /nowhere\n")
    attack.commit("settings")
    attack.check(1, HOME=str(attack.scene.folder))
    outside = tmp_path / "operator"
    outside.mkdir()
    (outside / ".gitconfig").write_text(setting)
    attack.check(1, HOME=str(outside))
    assert not traced.exists()


def test_a_report_says_which_configuration_it_went_by(attack: Attack, tmp_path: Path) -> None:
    config = tmp_path / "outside.tfrc"
    config.write_text(HOST_BLOCK)
    digest = hashlib.sha256(HOST_BLOCK.encode()).hexdigest()
    attack.scene.environment["TF_CLI_CONFIG_FILE"] = str(config)
    for form in ("text", "markdown", "sarif", "junit"):
        done = attack.scene.run("check", *BASE, "--format", form)
        assert digest in done.out
        assert HOST in done.out.partition(digest)[2]
    attack.scene.environment |= {"TF_CLI_CONFIG_FILE": "", "HOME": str(tmp_path / "nobody")}
    for form in ("text", "markdown", "junit"):
        assert "no CLI configuration file" in attack.scene.run("check", *BASE, "--format", form).out
    done = attack.scene.run("check", *BASE, "--format", "sarif")
    invocation = json.loads(done.out)["runs"][0]["invocations"][0]
    assert invocation["properties"] == {"configuration": {"files": [], "replaced_hosts": []}}


@pytest.mark.parametrize("leads", ["redirect", "names"])
def test_a_token_goes_where_its_host_leads_and_the_report_says_so(scene: Scene, parties: Parties, leads: str) -> None:
    api = "api.example.test"
    served = parties.release("widget", host=api)
    world = World.of(registry_sites((served,)))
    elsewhere = f"https://{api}/.well-known/terraform.json"

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host == HOST and path == "/.well-known/terraform.json":
            if leads == "redirect":
                return Response(status=302, headers=(("Location", elsewhere),))
            return Response.of_json({"providers.v1": f"https://{api}{SERVICE}"})
        return world.respond(host, path)

    scene.server.serve(respond)
    scene.lock(replace(entry(served), address=f"{HOST}/acme/widget"))
    scene.environment["TF_TOKEN_registry_example_test"] = "sesame"
    done = scene.check(*BOTH, expected=0)
    told = {(each.host, each.path.rpartition("/")[2]) for each in scene.server.journal.requests if each.authorization}
    assert told == {(HOST, "terraform.json"), (api, "versions"), (api, "amd64"), (api, "arm64")}
    (finding,) = done.provider("widget")["findings"]
    assert finding["token_hosts"] == [HOST, api]
    text = scene.run("check", *BOTH, "--verbose").out
    assert f"token sent to {HOST}, {api}\n" in text
    assert "sesame" not in text + done.out
    shown = scene.run("config")
    assert "sent to the host, and to where its service discovery leads and what it names" in shown.out


def test_modules_of_the_current_folder_are_not_imported(attack: Attack) -> None:
    attack.write("click.py", "raise SystemExit('from the checkout')\n")
    attack.write("httpx/__init__.py", "raise SystemExit('from the checkout')\n")
    attack.scene.environment["PYTHONPATH"] = f":.:{attack.scene.folder}:/nowhere"
    done = attack.scene.check_measured(*BOTH, expected=1)
    assert "from the checkout" not in done.err
    assert done.report["exit_code"] == 1


def test_a_relative_temporary_folder_is_no_false_alarm(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    done = scene.check_to_its_end(*BOTH, expected=0, TMPDIR=".")
    assert done.confirmed("widget") == set(entry(release).hashes)
    assert not list(scene.folder.glob("lockwarden-*"))


def test_without_a_cache_that_can_be_used_it_goes_on_without_one(
    scene: Scene, parties: Parties, tmp_path: Path
) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    (tmp_path / "file").touch()
    scene.environment["XDG_CACHE_HOME"] = str(tmp_path / "file")
    done = scene.check(*BOTH, expected=0)
    assert "cannot be used: packages: Not a directory" in done.err
    assert "it goes on without one" in done.err
    (tmp_path / "cache" / "lockwarden").mkdir(parents=True)
    (tmp_path / "cache" / "lockwarden" / "facts").touch()
    scene.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    assert "cannot be used: facts: " in scene.check(*BOTH, expected=0).err
