"""Which files of a configuration count, and that nothing outside of the repository or of the limits does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.configuration.files import Limits
from lockwarden.core.configuration.names import chosen_names, is_configuration
from lockwarden.core.configuration.requirements import Required
from lockwarden.core.system.configuration_files import required_on_disk
from lockwarden.core.values.clients import Client


def put(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)


def read(top: Path, folder: str = "root", limits: Limits | None = None) -> Required:
    return required_on_disk(top / folder, within=top, client=Client.OPENTOFU, limits=limits)


def types(found: Required) -> set[str]:
    return {address.type for each in found.requirements for address in each.addresses}


def uses(*names: str) -> str:
    return "".join(f'provider "{each}" {{}}\n' for each in names)


def calls(*sources: str) -> str:
    return "".join(f'module "m{number}" {{\n  source = "{each}"\n}}\n' for number, each in enumerate(sources))


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "repository" / "root").mkdir(parents=True)
    return tmp_path / "repository"


def test_names_are_chosen_as_each_client_does() -> None:
    names = ["a.tf", "a.tofu", "b.tf", "c.tofu", "d.tf.json", "d.tofu.json", "t.tftest.hcl", "t.tofutest.hcl"]
    others = [".h.tf", "x.tf~", "#y.tf#", "z.tfvars", ".tf", "u.hcl", "v.tftest"]
    assert chosen_names([*names, *others], Client.TERRAFORM) == ["a.tf", "b.tf", "d.tf.json", "t.tftest.hcl"]
    assert chosen_names([*names, *others], Client.OPENTOFU) == [
        "a.tofu",
        "b.tf",
        "c.tofu",
        "d.tofu.json",
        "t.tofutest.hcl",
    ]
    assert [each for each in (*names, *others) if is_configuration(each)] == names


def test_files_overrides_tests_and_modules_of_modules_add_up(top: Path) -> None:
    put(
        top,
        {
            "root/main.tf": uses("a") + calls("../parts/x", "../parts/x"),
            "root/b_override.tf": 'terraform {\n  required_providers {\n    a = { source = "acme/b" }\n  }\n}\n',
            "root/override.tf.json": '{"provider": {"c": {}}}',
            "root/tests/x.tftest.hcl": uses("d"),
            "root/tests/ignored.tf": uses("nothing"),
            "parts/x/x.tf": uses("e") + calls("./y"),
            "parts/x/x.tftest.hcl": uses("nothing"),
            "parts/x/y/y.tf": uses("f") + calls("../../x"),
        },
    )
    found = read(top)
    assert (types(found), found.open, found.found) == ({"b", "c", "d", "e", "f"}, (), True)


def test_a_folder_without_configuration_has_none(top: Path) -> None:
    put(top, {"root/README": "x", "file": "x"})
    (top / "root" / "folder.tf").mkdir()
    for folder in ("root", "gone", "file"):
        assert read(top, folder) == Required()


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"root/main.tf": calls("./gone")}, "the module root/gone is missing, or has no configuration"),
        ({"root/main.tf": calls("./empty"), "root/empty/x": ""}, "the module root/empty is missing"),
        ({"root/main.tf": calls("../../beside")}, "../beside: beside lies outside of the repository"),
        ({"root/main.tf": calls("../../gone")}, "the module ../gone is missing"),
        ({"root/main.tf": calls("./x/cloud") + calls("a/b/c").replace("m0", "n")}, "root: it calls the module a/b/c"),
        ({"root/main.tf": "a"}, "root: main.tf cannot be read: line 1: “=” or “{” is missing"),
        ({"root/main.tf": "", "root/terragrunt.hcl": ""}, "root: Terragrunt may add to it"),
        ({"root/terragrunt.hcl": ""}, "root: Terragrunt may add to it"),
        ({"root/terragrunt.stack.hcl": ""}, "root: Terragrunt may add to it"),
        (
            {"root/main.tf": "", "root/b.tfquery.hcl": "", "root/a.tfstack.hcl": ""},
            "root: a.tfstack.hcl may require more",
        ),
    ],
)
def test_what_is_missing_or_cannot_be_read_leaves_it_open(top: Path, files: dict[str, str], why: str) -> None:
    put(top.parent, {"beside/main.tf": uses("nothing")})
    put(top, files)
    found = read(top)
    assert any(each.startswith(why) for each in found.open), found.open
    assert "nothing" not in types(found)


def test_links_count_as_far_as_they_stay_inside(top: Path) -> None:
    put(top, {"common/versions.tf": uses("a"), "root/bytes.tf": ""})
    put(top.parent, {"beside.tf": uses("nothing")})
    (top / "root" / "versions.tf").symlink_to("../common/versions.tf")
    (top / "linked").symlink_to("root")
    assert types(read(top, "linked")) == {"a"}
    (top / "root" / "out.tf").symlink_to("../../beside.tf")
    (top / "root" / "gone.tf").symlink_to("nowhere.tf")
    os.mkfifo(top / "root" / "pipe.tf")
    (top / "root" / "bytes.tf").write_bytes(b"\xff")
    found = read(top)
    assert types(found) == {"a"}
    assert found.open == (
        "root: bytes.tf cannot be read: it is not UTF-8",
        "root: gone.tf cannot be read: No such file or directory",
        "root: out.tf cannot be read: it is a link that leads out of the repository",
        "root: pipe.tf cannot be read: it is not a regular file",
    )


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"modules": 1}, "it has more than 1 modules"),
        ({"files": 1}, "there are more than 1 files"),
        ({"names": 1}, "root has more than 1 names"),
        ({"file_bytes": 10}, "it is larger than the limit of 10 bytes"),
        ({"bytes": 40}, "all files together are larger than the limit of 40 bytes"),
    ],
)
def test_more_than_a_limit_leaves_it_open(top: Path, limits: dict[str, int], why: str) -> None:
    put(top, {"root/a.tf": calls("./x"), "root/b.tf": uses("b"), "root/x/x.tf": uses("x")})
    found = read(top, limits=Limits(**limits))
    assert any(why in each for each in found.open), found.open


def test_a_folder_that_cannot_be_looked_into_leaves_it_open(top: Path) -> None:
    put(top, {"root/main.tf": calls("./a\\u0000b")})
    assert any("cannot be looked into" in each for each in read(top).open)
