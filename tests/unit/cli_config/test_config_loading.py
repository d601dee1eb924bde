"""Reading the configuration of a process from its disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.cli_config.loading import MAX_FILES, load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.oci_credentials import read_container_files
from lockwarden.core.cli_config.reading import MAX_BYTES
from lockwarden.core.cli_config.settings import CliConfig
from lockwarden.core.values.errors import CliConfigError
from lockwarden.core.values.platforms import Platform

TOKEN = 'credentials "{}" {{ token = "t" }}\n'


def load(home: Path, **environ: str) -> CliConfig:
    surroundings = Surroundings(
        environ={"HOME": str(home), **environ},
        account_home="",
        platform=Platform("linux", "amd64"),
        directory=str(home),
    )
    return load_cli_config(surroundings)


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def complaints(config: CliConfig) -> list[str]:
    return [f"{each.severity} {each}" for each in config.diagnostics]


def test_the_folders_files_follow_the_main_file_in_the_order_of_their_names(tmp_path: Path) -> None:
    main = write(tmp_path / ".tofurc")
    folder = tmp_path / ".terraform.d"
    named = ["B.tfrc", "a.tfrc", "b.tfrc.json", "é.tfrc", ".tfrc"]
    for name in [*named, "c.rc", "d.tfrc.bak", "e.json", "tfrc"]:
        write(folder / name, "{}" if name.endswith("json") else "")
    (folder / "plugins").mkdir()
    names = [".tfrc", "B.tfrc", "a.tfrc", "b.tfrc.json", "é.tfrc"]
    assert load(tmp_path).files == (str(main), *(str(folder / name) for name in names))


def test_a_variable_leaves_the_folder_out_and_may_be_relative(tmp_path: Path) -> None:
    write(tmp_path / ".terraform.d/a.tfrc", "x")
    mine = write(tmp_path / "mine.rc")
    assert load(tmp_path, TF_CLI_CONFIG_FILE="mine.rc").files == (str(mine),)


def test_the_null_device_is_an_empty_configuration(tmp_path: Path) -> None:
    config = load(tmp_path, TF_CLI_CONFIG_FILE=os.devnull)
    assert (config.files, config.diagnostics) == ((os.devnull,), ())


def test_nothing_there_is_nothing_to_complain_about(tmp_path: Path) -> None:
    config = load(tmp_path)
    assert (config.files, config.diagnostics) == ((), ())
    write(tmp_path / ".terraform.d", "a file")
    assert load(tmp_path).diagnostics == ()


def test_a_file_that_does_not_parse_is_named_with_its_line_and_the_others_are_still_read(tmp_path: Path) -> None:
    main = write(tmp_path / ".tofurc", "provider_installation {\n  direct {\n")
    write(tmp_path / ".terraform.d/a.tfrc", TOKEN.format("a.test"))
    config = load(tmp_path)
    assert complaints(config) == [f"error {main}:2: a block begins here and never ends"]
    assert [each.label for each in config.credentials] == ["a.test"]
    with pytest.raises(CliConfigError) as caught:
        config.checked()
    assert caught.value.message == f"{main}:2: a block begins here and never ends"
    assert caught.value.hint == "close it with }"


def test_what_may_not_be_read_is_named(tmp_path: Path) -> None:
    loop = tmp_path / ".terraform.d/loop.tfrc"
    loop.parent.mkdir()
    loop.symlink_to(loop)
    config = load(tmp_path)
    (found,) = config.diagnostics
    assert found.unreadable
    assert str(found).startswith(f"{loop}: it cannot be read: ")


def test_a_main_file_that_cannot_be_opened_is_warned_of(tmp_path: Path) -> None:
    loop = tmp_path / ".tofurc"
    loop.symlink_to(loop)
    assert load(tmp_path).files == ()
    looped = load(tmp_path, TF_CLI_CONFIG_FILE=str(loop))
    assert complaints(looped)[0].startswith(f"warning {loop}: it cannot be opened: ")
    missing = load(tmp_path, TF_CLI_CONFIG_FILE="nope/x")
    assert complaints(missing) == [
        (
            f"warning {tmp_path}/nope/x: it does not exist, although TF_CLI_CONFIG_FILE names it;"
            " the clients go on without it"
        )
    ]
    strange = load(tmp_path, TF_CLI_CONFIG_FILE="a\0b")
    assert "it cannot be opened: it is no path" in complaints(strange)[0]
    assert missing.checked() is missing


def test_folders_and_pipes_are_no_files_and_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / ".tofurc").mkdir()
    pipe = tmp_path / ".terraform.d/pipe.tfrc"
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    assert complaints(load(tmp_path)) == [
        f"error {tmp_path}/.tofurc: it is a folder",
        f"error {pipe}: it is not a regular file",
    ]


def test_size_and_number_of_files_are_limited(tmp_path: Path) -> None:
    main = write(tmp_path / ".tofurc", "#" * (MAX_BYTES + 1))
    folder = tmp_path / ".terraform.d"
    for number in range(MAX_FILES + 1):
        write(folder / f"{number}.tfrc")
    assert complaints(load(tmp_path)) == [
        f"error {main}:1: it is larger than the limit of {MAX_BYTES} bytes",
        f"error {folder}: it holds more than {MAX_FILES} configuration files",
    ]


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path) -> None:
    folder = tmp_path / ".terraform.d"
    folder.symlink_to(folder)
    (found,) = complaints(load(tmp_path))
    assert found.startswith(f"error {folder}: the folder cannot be read: ")


@pytest.mark.parametrize("text", ['plugin_cache_dir = "/nonexistent/cache"', 'plugin_cache_dir = "~/cache"'])
def test_a_cache_that_is_not_there_is_named(tmp_path: Path, text: str) -> None:
    main = write(tmp_path / ".tofurc", text)
    (found,) = load(tmp_path).diagnostics
    assert (found.origin.name, found.origin.line, found.unreadable) == (str(main), 1, False)
    assert "cannot be opened: No such file or directory" in found.message
    assert "~ is not expanded" in found.hint


def test_a_cache_that_a_variable_names_is_named_as_such(tmp_path: Path) -> None:
    write(tmp_path / ".tofurc", f'plugin_cache_dir = "{tmp_path}"')
    assert load(tmp_path).diagnostics == ()
    (found,) = load(tmp_path, TF_PLUGIN_CACHE_DIR="a\0b").diagnostics
    assert str(found.origin) == "the environment variable TF_PLUGIN_CACHE_DIR"
    assert "it is no path" in found.message


def test_container_files_are_read_where_the_configuration_says(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", '{"credsStore": "s"}')
    broken = write(tmp_path / "broken.json", "{")
    huge = write(tmp_path / "huge.json", " " * (MAX_BYTES + 1))
    missing = tmp_path / "missing.json"

    def named(*files: Path) -> CliConfig:
        listed = ", ".join(f'"{file}"' for file in files)
        write(tmp_path / ".tofurc", f"oci_default_credentials {{ docker_style_config_files = [{listed}] }}")
        return load(tmp_path)

    standard = [missing, good]
    assert [each.path for each in read_container_files(load(tmp_path), standard).files] == [str(good)]
    assert read_container_files(named(), standard).files == ()
    assert [each.store for each in read_container_files(named(good), []).files] == ["s"]
    failed = read_container_files(named(good, missing, broken, tmp_path, huge), [])
    assert failed.files == ()
    assert failed.error == "; ".join(
        [
            f"{missing} does not exist, although the configuration names it",
            f"{broken} is not JSON of the form that container tools write",
            f"{tmp_path} cannot be read: it is a folder",
            f"{huge} is larger than the limit of {MAX_BYTES} bytes",
        ]
    )
    write(tmp_path / ".tofurc")
    warned = read_container_files(load(tmp_path), [good, good / "x", broken])
    assert (warned.files, warned.error) == ((), "")
    assert warned.warning.startswith(f"{good}/x cannot be read: Not a directory; {broken} is not JSON")
    write(tmp_path / ".tofurc", "oci_default_credentials { discover_ambient_credentials = false }")
    assert read_container_files(load(tmp_path), [broken]).warning == ""


def test_a_home_whose_name_no_system_takes_is_warned_of(tmp_path: Path) -> None:
    (warning, error) = load(tmp_path / ("x" * 5000)).diagnostics
    assert "it cannot be opened: File name too long" in warning.message
    assert "the folder cannot be read: File name too long" in error.message


def test_without_a_null_device_nothing_is_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "devnull", str(tmp_path / "nothing"))
    assert complaints(load(tmp_path, TF_CLI_CONFIG_FILE="/dev/null")) == ["error /dev/null: it is not a regular file"]
