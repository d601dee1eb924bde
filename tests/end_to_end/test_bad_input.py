"""Whatever is given: one clear sentence with a hint on stderr, exit code 2, and nothing written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from servers.https import HttpsServer
from servers.installed import Lockwarden

ZH = "zh:" + "ab" * 32
BLOCK = f'provider "registry.example.test/acme/one" {{\n  version = "1.4.0"\n  hashes = [\n    "{ZH}",\n  ]\n}}\n'
MISSING_VERSION = BLOCK.replace('  version = "1.4.0"\n', "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "configuration"
    made.mkdir()
    return made


BAD_FILES = {
    "not UTF-8": (b'provider "x\xff" {}\n', r":1: error: .*UTF-8"),
    "UTF-16": (BLOCK.encode("utf-16"), r":1: error: .*UTF-16"),
    "merge conflict": (
        f"{BLOCK}<<<<<<< HEAD\n{BLOCK}=======\n{BLOCK}>>>>>>> other\n".encode(),
        r":7: error: .*conflict.*lines 7, 14, 21",
    ),
    "two blocks": (f"{BLOCK}\n{BLOCK}".encode(), r":8: error: .*(?s:.*)\b1\b"),
    "unknown attribute": (BLOCK.replace("version", "vresion").encode(), r":2: error: .*vresion"),
    "empty hashes": (
        b'provider "registry.example.test/acme/one" {\n  version = "1.4.0"\n  hashes = []\n}\n',
        r":3: error",
    ),
    "hash without a scheme": (BLOCK.replace("zh:", "").encode(), r":3: error: .*scheme.*line 4"),
    "no version": (MISSING_VERSION.encode(), r":1: error: .*version"),
    "unclosed": (b'provider "x" {', r":1: error: "),
    "a file of the configuration": (
        b'terraform {\n}\nresource "a" "b" {\n}\n',
        r":1: error: this is no lock file: it is a file with a terraform block, and locks no provider$",
    ),
    "no HCL": (b"\x00\x01\x02", r":1: error: "),
}


def each_by_one_command(cases: Iterable[Any], commands: Sequence[str | None]) -> list[Any]:
    """All cases with the first command, some with each of the others; a thorough run tries all of them with each."""
    return [
        pytest.param(case, command, marks=() if not turn or place % 5 == turn else pytest.mark.thorough)
        for turn, command in enumerate(commands)
        for place, case in enumerate(cases)
    ]


@pytest.mark.parametrize(("name", "command"), each_by_one_command(BAD_FILES, ["check", "lock", "keys", None]))
def test_a_bad_lock_file_is_refused_at_its_line_with_a_hint(
    lockwarden: Lockwarden, folder: Path, command: str | None, name: str, https_server: HttpsServer
) -> None:
    content, expected = BAD_FILES[name]
    file = folder / ".terraform.lock.hcl"
    file.write_bytes(content)
    done = lockwarden.run(*([command] if command else []), ".", folder=folder, expected=2)
    assert re.search(rf"^\.terraform\.lock\.hcl{expected}", done.err, re.MULTILINE), done.err
    assert "  hint: " in done.err
    assert file.read_bytes() == content
    assert [path.name for path in folder.iterdir()] == [".terraform.lock.hcl"]
    assert https_server.journal.requests == ()


def test_all_problems_of_a_file_are_told_at_once(lockwarden: Lockwarden, folder: Path) -> None:
    text = f"{MISSING_VERSION}\nmodule {{\n}}\n{BLOCK.replace('acme/one', 'acme/two').replace('zh:', '')}"
    (folder / ".terraform.lock.hcl").write_text(text)
    done = lockwarden.run("check", folder=folder, expected=2)
    assert len(re.findall(r"^\.terraform\.lock\.hcl:\d+: error: ", done.err, re.MULTILINE)) == 3


def test_a_file_over_the_limit_names_the_limit(lockwarden: Lockwarden, folder: Path) -> None:
    with (folder / ".terraform.lock.hcl").open("wb") as file:
        file.truncate(33 * 1024 * 1024)
    done = lockwarden.run("check", folder=folder, expected=2)
    assert "limit of 33554432 bytes" in done.err


@pytest.mark.parametrize("path", [".", "nothing-here", "nothing-here/.terraform.lock.hcl"])
def test_where_no_lock_file_is_the_hint_says_how_to_make_one(lockwarden: Lockwarden, folder: Path, path: str) -> None:
    for command in (["check"], ["lock"], ["keys"], []):
        done = lockwarden.run(*command, path, folder=folder, expected=2)
        assert "there is no lock file" in done.err
        assert "init" in done.err.splitlines()[1]
    assert list(folder.iterdir()) == []


BAD_OPTIONS = [
    (["--platform", "linux"], "--platform: “linux” is not a platform"),
    (["--source", "no/such/folder"], "“no/such/folder” is not a source"),
    (["--source", "http://mirror.example.test/"], "plain HTTP"),
    (["--source", "oci://registry.example.test/{provider}"], "leads to no repository"),
    (["--jobs", "0"], "--jobs: 0 is not a number from 1 to 64"),
    (["--jobs", "many"], "'many' is not a valid integer"),
    (["--insecure-http", "http://x"], "--insecure-http"),
    (["--nonsense"], "No such option '--nonsense'"),
]


@pytest.mark.parametrize(("option", "command"), each_by_one_command(BAD_OPTIONS, ["check", "lock", None]))
def test_an_option_that_cannot_be_used_is_one_sentence_with_a_hint(
    lockwarden: Lockwarden, folder: Path, command: str | None, option: tuple[list[str], str]
) -> None:
    arguments, sentence = option
    (folder / ".terraform.lock.hcl").write_text(BLOCK)
    done = lockwarden.run(*([command] if command else []), *arguments, folder=folder, expected=2)
    assert done.out == ""
    first, second = done.err.splitlines()
    assert first.startswith("lockwarden: error: ")
    assert sentence in first
    assert second.startswith("  hint: ")


@pytest.mark.parametrize("arguments", [["--source", "no/such/folder"], ["--platform", "linux_amd64"]])
def test_keys_takes_what_makes_sense_for_it(lockwarden: Lockwarden, folder: Path, arguments: list[str]) -> None:
    done = lockwarden.run("keys", *arguments, folder=folder, expected=2)
    first, second = done.err.splitlines()
    assert first.startswith("lockwarden: error: ")
    assert second.startswith("  hint: ")


def test_an_unknown_form_of_report_is_refused(lockwarden: Lockwarden, folder: Path) -> None:
    done = lockwarden.run("check", "--format", "yaml", folder=folder, expected=2)
    assert "'yaml' is not one of 'text', 'json'" in done.err


def test_without_gpg_the_hint_says_what_to_install(lockwarden: Lockwarden, folder: Path, tmp_path: Path) -> None:
    (folder / ".terraform.lock.hcl").write_text(BLOCK)
    done = lockwarden.run("check", folder=folder, expected=2, PATH=str(tmp_path))
    assert "gpg" in done.err.splitlines()[0]
    assert "hint: " in done.err


def test_in_json_a_bad_file_is_in_the_report_too(lockwarden: Lockwarden, folder: Path) -> None:
    (folder / ".terraform.lock.hcl").write_text(BLOCK.replace("zh:", ""))
    done = lockwarden.run("check", "--format", "json", folder=folder, expected=2)
    (lock_file,) = done.report["lock_files"]
    assert lock_file["providers"] == []
    assert [(each["severity"], each["line"]) for each in lock_file["problems"]] == [("error", 3)]
    assert done.report["exit_code"] == 2


@pytest.mark.parametrize(
    ("text", "verdict", "code"), [("x9:whatever", "unchecked", 3), ("zh:" + "AB" * 32, "unexplained", 1)]
)
def test_a_hash_that_can_never_match_beside_good_ones_is_told_as_what_it_is(
    lockwarden: Lockwarden, folder: Path, text: str, verdict: str, code: int
) -> None:
    (folder / ".terraform.lock.hcl").write_text(BLOCK.replace(f'"{ZH}"', f'"{ZH}",\n    "{text}"'))
    done = lockwarden.run("check", "--offline", "--format", "json", folder=folder, expected=code)
    row = next(each for each in done.provider("one")["hashes"] if each["hash"] == text)
    assert row["verdict"] == verdict
    assert "can never match" in row["reasons"][0]


@pytest.mark.parametrize("hashes", ["", '  hashes = [\n    "x9:whatever",\n  ]\n'], ids=["missing", "unknown only"])
def test_an_entry_without_a_usable_hash_is_a_finding(lockwarden: Lockwarden, folder: Path, hashes: str) -> None:
    block = f'provider "registry.example.test/acme/one" {{\n  version = "1.4.0"\n{hashes}}}\n'
    (folder / ".terraform.lock.hcl").write_text(block)
    done = lockwarden.run("check", "--offline", folder=folder, expected=1)
    assert "accepts any package" in done.out


def test_hostile_text_of_a_lock_file_does_nothing_to_the_terminal(lockwarden: Lockwarden, folder: Path) -> None:
    (folder / ".terraform.lock.hcl").write_text(BLOCK.replace(ZH, "x9:\\u001b]0;title\\u0007\\u202e[bold]"))
    done = lockwarden.run("check", "--offline", "-v", folder=folder)
    assert "x9:<U+001B>]0;title<U+0007><U+202E>[bold]" in done.out
    assert all(line.isprintable() for line in (done.out + done.err).splitlines())
