"""`lockwarden modules`: the calls of a configuration with their classes, and what it does with what it cannot read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders.schema import violations
from servers.installed import Lockwarden

from lockwarden.core.modules import reading

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "modules.schema.json").read_text(encoding="utf-8"))
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def call(name: str, source: str) -> str:
    return f'module "{name}" {{\n  source = "{source}"\n}}\n'


def test_it_lists_every_call_and_objects_to_none_that_is_known(lockwarden: Lockwarden, root: Path) -> None:
    (root / "local").mkdir()
    (root / "main.tf").write_text(call("a", "./local") + call("b", f"github.com/acme/vpc?ref={COMMIT}"))
    (root / "local" / "main.tf.json").write_text('{\n  "module": {\n    "c": {"source": "acme/vpc/aws"}\n  }\n}\n')
    done = lockwarden.run("modules", folder=root, expected=0)
    assert done.out.splitlines() == [
        ".: 3 module calls; 1 immutable; 1 floating; 1 local",
        "  · main.tf:2  a  local",
        "      ./local",
        "      it is part of the package that calls it",
        "  ✓ main.tf:5  b  immutable, git",
        f"      github.com/acme/vpc?ref={COMMIT}",
        "      it names a commit by its whole ID",
        "  ▲ local/main.tf.json:3  a.c  floating, registry",
        "      acme/vpc/aws",
        "      without a version the newest is installed",
        "  Not installed: 2. The calls inside of them are not listed; tofu init fetches them",
    ]
    assert done.err == ""


def test_a_file_that_cannot_be_read_is_told_with_its_line_and_stops_no_other(
    lockwarden: Lockwarden, root: Path
) -> None:
    (root / "a.tf").write_text('\nmodule "a" {\n')
    (root / "b.tf").write_text(call("b", "acme/vpc/aws"))
    (root / "c.tf").write_bytes(b"\xff")
    done = lockwarden.run("modules", ".", "--format", "json", folder=root, expected=2)
    assert list(violations(done.report, SCHEMA)) == []
    (configuration,) = done.report["configurations"]
    assert [each["key"] for each in configuration["calls"]] == ["b"]
    assert [(each["path"], each["line"]) for each in configuration["problems"]] == [("a.tf", 3), ("c.tf", None)]
    assert "a.tf:3: error: it cannot be read: a block never ends\n" in done.err
    assert "c.tf: error: it cannot be read: it is not UTF-8\n" in done.err


def test_a_path_that_is_none_and_a_folder_without_configuration_end_with_a_sentence(
    lockwarden: Lockwarden, root: Path
) -> None:
    for path in ("gone", "", "gone/main.tf"):
        done = lockwarden.run("modules", path, folder=root, expected=2)
        assert done.err.startswith("lockwarden: error: there is no folder “")
        assert done.out == ""
    done = lockwarden.run("modules", folder=root, expected=2)
    assert done.err == ".: error: there is no configuration in it\n"
    (root / "main.tf").write_text(call("a", "acme/vpc/aws"))
    done = lockwarden.run("modules", root / "main.tf", folder=root.parent, expected=0)
    assert f"{root}/main.tf:2  a  floating" in done.out


@pytest.mark.parametrize("form", [(), ("--format", "json")], ids=["text", "json"])
def test_no_secret_of_a_source_is_printed_in_any_form(
    lockwarden: Lockwarden, root: Path, form: tuple[str, ...]
) -> None:
    sources = (
        "git::https://ada:s3cret@example.test/vpc.git",
        "git::https://s3cret@example.test/vpc.git",
        "git::ssh://git@example.test/vpc.git?sshkey=s3cret",
        "https://example.test/vpc.zip?X-Amz-Signature=s3cret",
        "https://example.test/vpc.zip?ref=1#s3cret",
        "htps:/ada:s3cret@example.test/vpc",
        "ada:s3cret@example.test:vpc",
        "https://ada:a/s3cret@example.test/vpc",
        "ftp://ada:s3cret@example.test/vpc",
        "oci://ada:s3cret@example.test/vpc:1",
        f"https://ada:s3cret@example.test/{'a' * 10_000}",
    )
    (root / "main.tf").write_text("".join(call(f"m{place}", each) for place, each in enumerate(sources)))
    done = lockwarden.run("modules", *form, folder=root, expected=1)
    assert "s3cret" not in done.out + done.err
    assert done.out.count("(secret)") > 5


def test_as_many_calls_as_the_limit_says_are_read_and_one_more_is_told(
    lockwarden: Lockwarden, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reading.MAX_CALLS == 10_000
    monkeypatch.setattr(reading, "MAX_CALLS", 100)
    (root / "main.tf").write_text("".join(call(f"m{place}", "acme/vpc/aws") for place in range(101)))
    done = lockwarden.run("modules", folder=root, expected=2)
    assert done.out.startswith(".: 100 module calls; 100 floating\n")
    assert done.err == ".: error: it has more than 100 module calls, which is the limit\n"
