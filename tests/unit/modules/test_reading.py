"""Reading the module calls of a configuration from disk: what is followed, what is not, and what is told of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lockwarden.core.configuration.files import Limits
from lockwarden.core.modules import reading
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ModuleListing
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.reading import LIMITS, list_calls
from lockwarden.core.system.configuration_files import FolderFiles
from lockwarden.core.values.clients import Client


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "repository" / "root").mkdir(parents=True)
    return Path(os.path.realpath(tmp_path)) / "repository"


def put(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)


def call(name: str, source: str) -> str:
    return f'module "{name}" {{\n  source = "{source}"\n}}\n'


def listed(top: Path, data_folder: str = "", limits: Limits = LIMITS) -> ModuleListing:
    return list_calls(top / "root", FolderFiles(top, limits), named="root", data_folder=data_folder)


def keys(found: ModuleListing) -> list[str]:
    return [each.key for each in found.calls]


def told(found: ModuleListing) -> list[str]:
    return [f"{each.path}:{each.line}: {each.message}" for each in found.problems]


def manifest(*entries: tuple[str, str, str, str]) -> str:
    names = ("Key", "Source", "Version", "Dir")
    return json.dumps(
        {"Modules": [{"Key": "", "Source": "", "Dir": "."}, *(dict(zip(names, each, strict=True)) for each in entries)]}
    )


def test_calls_of_local_modules_follow_the_call_of_the_module(top: Path) -> None:
    put(
        top,
        {
            "root/b.tf": call("two", "../common"),
            "root/a.tf": call("one", "../common") + call("far", "acme/vpc/aws"),
            "root/tests/t.tftest.hcl": 'run "r" {\n  module {\n    source = "./x"\n  }\n}\n',
            "common/main.tofu": call("inner", "./inner"),
            "common/inner/x.tf.json": '{"output": {}}',
        },
    )
    (top / "common" / "folder.tf").mkdir()
    found = listed(top)
    assert keys(found) == ["one", "far", "two", "r", "one.inner", "two.inner"]
    assert [each.folder for each in found.calls if each.key == "one.inner"] == ["common/inner"]
    assert [(each.call.path, each.call.line) for each in found.calls if each.key == "two"] == [("root/b.tf", 2)]
    assert (found.problems, found.client) == ((), Client.OPENTOFU)
    assert [each.installed for each in found.calls if each.key == "far"] == [InstalledState.NOT_INSTALLED]


def test_the_lock_file_tells_the_client_and_so_the_registry(top: Path) -> None:
    put(
        top,
        {
            "root/main.tf": call("m", "acme/vpc/aws"),
            "root/main.tofu": call("n", "acme/vpc/aws"),
            "root/.terraform.lock.hcl": '# This file is maintained automatically by "terraform init".\n',
            "root/.terraform/modules/modules.json": manifest(
                ("m", "registry.terraform.io/acme/vpc/aws", "1.0.0", ".terraform/modules/m")
            ),
            "root/.terraform/modules/m/main.tf": "",
        },
    )
    found = listed(top)
    assert (found.client, keys(found)) == (Client.TERRAFORM, ["m"])
    assert found.calls[0].installed is InstalledState.INSTALLED
    (top / "root" / ".terraform.lock.hcl").unlink()
    (top / "root" / ".terraform.lock.hcl").symlink_to("/etc/passwd")
    assert listed(top).client is Client.OPENTOFU


def test_installed_modules_are_read_where_the_client_says_that_they_lie(top: Path) -> None:
    modules = "root/.terraform/modules"
    put(
        top,
        {
            "root/main.tf": call("r", "acme/vpc/aws//sub/x")
            + call("g", "github.com/acme/vpc?b=2&ref=v1.2.0&a=1")
            + call("gone", "acme/gone/aws")
            + call("moved", "acme/moved/aws")
            + call("odd", "acme/odd/aws"),
            f"{modules}/modules.json": manifest(
                ("r", "registry.opentofu.org/acme/vpc/aws//sub/x", "1.2.3", ".terraform/modules/r/sub/x"),
                ("r.up", "../../other", "", ".terraform/modules/r/other"),
                ("g", "git::https://github.com/acme/vpc.git?a=1&b=2&ref=v1.2.0", "", ".terraform/modules/g"),
                ("g.h", "oci://example.test/h", "", ".terraform/modules/g.h"),
                ("gone", "registry.opentofu.org/acme/gone/aws", "1.0.0", ".terraform/modules/gone"),
                ("moved", "registry.opentofu.org/acme/before/aws", "1.0.0", ".terraform/modules/moved"),
                ("odd", ":", "1.0.0", ".terraform/modules/odd"),
            ),
            f"{modules}/r/sub/x/main.tf": call("up", "../../other") + call("out", "../../../g"),
            f"{modules}/r/other/main.tf": "",
            f"{modules}/g/main.tf": call("h", "oci://example.test/h"),
            f"{modules}/g.h/main.tf": "",
        },
    )
    found = listed(top)
    by_key = {each.key: each for each in found.calls}
    assert {key: each.installed for key, each in by_key.items()} == {
        "r": InstalledState.INSTALLED,
        "r.up": None,
        "r.out": None,
        "g": InstalledState.INSTALLED,
        "g.h": InstalledState.INSTALLED,
        "gone": InstalledState.MISSING,
        "moved": InstalledState.OTHER_SOURCE,
        "odd": InstalledState.OTHER_SOURCE,
    }
    assert (by_key["r"].version, by_key["r"].folder) == ("1.2.3", "root/.terraform/modules/r/sub/x")
    assert told(found) == [f"{modules}/r/sub/x/main.tf:5: the module “out” lies outside of the package: {modules}/g"]


def test_the_whole_package_lies_where_the_client_puts_it_or_above_the_sub_directory(top: Path) -> None:
    """The sub-directory of a registry's location stands nowhere but in the folder that the client wrote down."""
    source = "registry.opentofu.org/acme/vpc/aws"
    put(
        top,
        {
            "root/main.tf": call("r", "acme/vpc/aws") + call("s", "acme/vpc/aws//x") + call("t", "acme/vpc/aws//x"),
            "root/.terraform/modules/modules.json": manifest(
                ("r", source, "1.0.0", ".terraform/modules/r/located/deep"),
                ("s", f"{source}//x", "1.0.0", "elsewhere/x"),
                ("t", f"{source}//x", "1.0.0", "elsewhere/y"),
            ),
            "root/.terraform/modules/r/located/deep/main.tf": "",
            "root/elsewhere/x/main.tf": "",
            "root/elsewhere/y/main.tf": "",
        },
    )
    packages = {each.key: Path(each.package).relative_to(top / "root").as_posix() for each in listed(top).calls}
    assert packages == {"r": ".terraform/modules/r", "s": "elsewhere", "t": "elsewhere/y"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "it is not the JSON"),
        ('{"Modules": [{"Key": "a"}, {"Key": "a"}]}', "it has two entries for “a”"),
        ("", "it is empty"),
    ],
)
def test_a_list_of_installed_modules_that_cannot_be_read_is_told(top: Path, text: str, why: str) -> None:
    put(top, {"root/main.tf": call("m", "acme/vpc/aws"), "root/.terraform/modules/modules.json": text})
    found = listed(top)
    assert keys(found) == ["m"]
    (problem,) = found.problems
    assert problem.path == "root/.terraform/modules/modules.json"
    assert problem.message.startswith(why)


def test_a_data_folder_of_the_operator_counts_inside_of_the_repository(top: Path, tmp_path: Path) -> None:
    put(
        top,
        {
            "root/main.tf": call("m", "acme/vpc/aws"),
            "data/modules/modules.json": manifest(("m", "registry.opentofu.org/acme/vpc/aws", "1.0.0", "../data/m")),
            "data/m/main.tf": "",
        },
    )
    assert listed(top, "../data").calls[0].installed is InstalledState.INSTALLED
    put(tmp_path, {"beside/modules/modules.json": manifest()})
    assert told(listed(top, str(tmp_path / "beside"))) == [
        "../beside/modules/modules.json:0: it lies outside of the repository, and is not read"
    ]
    (top / "linked").symlink_to(tmp_path / "beside")
    assert "a link that leads out" in told(listed(top, "../linked"))[0]


def test_what_leads_out_or_round_or_nowhere_is_told_with_its_line_and_the_others_are_listed(
    top: Path, tmp_path: Path
) -> None:
    put(tmp_path, {"beside/main.tf": call("secret", "./x")})
    put(
        top,
        {
            "root/main.tf": call("out", "../../beside")
            + call("loop", "./loop")
            + call("self", "./.")
            + call("gone", "./gone")
            + call("nul", "./a\\u0000b")
            + call("linked", "./linked")
            + call("last", "./last"),
            "root/loop/main.tf": call("back", "../"),
            "root/last/main.tf": call("round", "./round"),
            "root/last/round/main.tf": "",
            "root/broken.tf": "\n\n}",
        },
    )
    (top / "root" / "linked").symlink_to(tmp_path / "beside")
    (top / "root" / "loop" / "self").symlink_to(".")
    found = listed(top)
    assert "last.round" in keys(found)
    assert not any("secret" in key for key in keys(found))
    assert told(found) == [
        "root/broken.tf:3: it cannot be read: a brace closes nothing",
        "root/main.tf:2: the module “out” lies outside of the repository: ../beside",
        "root/main.tf:8: the module “self” calls a folder that leads here, which has no end",
        "root/main.tf:11: the module “gone” is missing, or has no configuration: root/gone",
        "root/a\x00b:0: a\x00b cannot be looked into: embedded null byte",
        "root/main.tf:17: the module “linked” lies outside of the repository: ../beside",
        "root/loop/main.tf:2: the module “back” calls a folder that leads here, which has no end",
    ]


def test_a_link_to_its_own_folder_ends_at_once(top: Path) -> None:
    put(top, {"root/main.tf": call("m", "./again")})
    (top / "root" / "again").symlink_to(".")
    assert told(listed(top)) == ["root/main.tf:2: the module “m” calls a folder that leads here, which has no end"]


def test_an_installed_module_outside_of_the_repository_is_not_read(top: Path, tmp_path: Path) -> None:
    put(tmp_path, {"beside/main.tf": call("secret", "./x")})
    put(
        top,
        {
            "root/main.tf": call("m", "acme/vpc/aws"),
            "root/.terraform/modules/modules.json": manifest(
                ("m", "registry.opentofu.org/acme/vpc/aws", "1.0.0", "../../beside")
            ),
        },
    )
    found = listed(top)
    assert keys(found) == ["m"]
    assert told(found) == ["root/main.tf:2: the module “m” lies outside of the repository: ../beside"]


def test_tests_of_called_modules_and_names_beyond_the_limit_are_not_read(top: Path) -> None:
    put(top, {"root/main.tf": call("m", "./m"), "root/m/a.tf": "", "root/m/a.tftest.hcl": "x", "root/m/b.tf": ""})
    found = listed(top, limits=Limits(names=2))
    assert told(found) == ["root/m:0: it has more names than are read"]


def test_a_folder_without_configuration_is_told(top: Path) -> None:
    assert told(listed(top)) == ["root:0: there is no configuration in it"]


def test_more_calls_than_the_limit_are_told_and_the_first_are_listed(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_CALLS", 10)
    # Each folder calls the next one twice: a thousand calls of ten files.
    put(top, {f"root/{'x/' * depth}main.tf": call("a", "./x") + call("b", "./x") for depth in range(10)})
    found = listed(top)
    assert len(found.calls) == 10
    assert told(found) == ["root:0: it has more than 10 module calls, which is the limit"]


def test_more_problems_than_the_limit_are_left_out(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_PROBLEMS", 3)
    put(top, {"root/main.tf": "".join(call(f"m{number}", f"./gone{number}") for number in range(9))})
    assert (len(listed(top).problems), len(listed(top).calls)) == (3, 9)


def test_an_address_of_ten_kilobytes_is_refused_and_shown_short(top: Path) -> None:
    put(top, {"root/main.tf": call("m", f"https://example.test/{'a' * 10_000}")})
    (found,) = listed(top).calls
    assert found.classified.pinning is Pinning.REFUSED
    assert len(found.classified.reason) < 200


def test_files_that_only_the_other_client_reads_are_noticed_and_can_be_read_by_its_rules(top: Path) -> None:
    put(top, {"root/main.tf": call("one", "acme/one/aws"), "root/main.tofu": call("two", "acme/two/aws")})
    found = listed(top)
    assert (keys(found), found.other_files) == (["two"], True)
    other = list_calls(top / "root", FolderFiles(top, LIMITS), named="root", client=Client.TERRAFORM)
    assert (keys(other), other.client) == (["one"], Client.TERRAFORM)
    (top / "root" / "main.tofu").unlink()
    assert not listed(top).other_files
