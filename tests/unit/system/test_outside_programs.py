"""Which program opens a file or an address, with which arguments, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.core.system.outside_programs import browser_command, editor_command, run_beside, run_in_foreground
from lockwarden.core.values.errors import ToolError

URL = "https://releases.example.test/widget/SHA256SUMS"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs that say what they were given."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("vi", "nano", "code", "hx", "emacs", "gvim", "weird", "xdg-open", "firefox"):
        (folder / name).write_text(f'#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "{tmp_path}/told"\nexit 0\n')
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("editor", "arguments"),
    [
        ("vi", ["+41", "FILE"]),
        ("nano", ["+41", "FILE"]),
        ("emacs -nw", ["-nw", "+41", "FILE"]),
        ("code", ["--wait", "--goto", "FILE:41"]),
        ("code --wait -n", ["--wait", "-n", "--goto", "FILE:41"]),
        ("hx", ["FILE:41"]),
        ("gvim", ["--nofork", "+41", "FILE"]),
        ("weird --all 'two words'", ["--all", "two words", "FILE"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(programs: Path, editor: str, arguments: list[str]) -> None:
    file = programs / ".terraform.lock.hcl"
    command = editor_command({"PATH": str(programs), "EDITOR": editor}, file, 41)
    program = programs / editor.split(maxsplit=1)[0]
    assert command == [str(program), *(each.replace("FILE", str(file)) for each in arguments)]


def test_what_is_set_counts_before_the_environment_and_its_own_order(programs: Path) -> None:
    environ = {"PATH": str(programs), "VISUAL": "nano", "EDITOR": "vi"}
    assert Path(editor_command(environ, programs, 1)[0]).name == "nano"
    assert Path(editor_command(environ, programs, 1, setting="hx")[0]).name == "hx"
    assert Path(editor_command({"PATH": str(programs)}, programs, 1)[0]).name == "vi"


@pytest.mark.parametrize("name", ["-R", "--cmd=quit", "+!sh", "a\nb", "x:3"])
def test_no_name_of_a_file_is_an_option(
    programs: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    *_, told = editor_command({"PATH": str(programs), "EDITOR": "vi"}, Path(name), 0)
    assert told == f"{tmp_path}/{name}"


@pytest.mark.parametrize("editor", ["./edit", "bin/vi", "vi 'open", "nothing-like-it"])
def test_what_lies_in_the_current_folder_or_nowhere_is_refused_with_a_hint(
    programs: Path, editor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(programs.parent)
    with pytest.raises(ToolError) as refused:
        editor_command({"PATH": f".:bin:{programs}", "EDITOR": editor}, Path("x"), 1)
    assert refused.value.hint


def test_a_relative_folder_of_path_holds_no_editor(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(programs)
    with pytest.raises(ToolError, match="no editor is known"):
        editor_command({"PATH": ".:"}, Path("x"), 1)


def test_a_program_has_the_terminal_and_its_exit_code_is_told(programs: Path, tmp_path: Path) -> None:
    environ = {"PATH": f".:{programs}"}
    command = editor_command({**environ, "EDITOR": "weird"}, tmp_path / "x", 7)
    assert run_in_foreground(command, environ) == 0
    assert (tmp_path / "told").read_text().splitlines() == command
    with pytest.raises(ToolError, match="cannot be started"):
        run_in_foreground([str(tmp_path / "absent")], environ)


def test_the_browser_is_the_one_of_the_environment_or_of_the_desktop(programs: Path, tmp_path: Path) -> None:
    path = str(programs)
    assert browser_command({"PATH": path}, URL) == [str(programs / "xdg-open"), URL]
    assert browser_command({"PATH": path, "BROWSER": "firefox -P x:w3m"}, URL) == [f"{path}/firefox", "-P", "x", URL]
    assert browser_command({"PATH": path, "BROWSER": "firefox --new=%s"}, URL) == [f"{path}/firefox", f"--new={URL}"]
    run_beside(browser_command({"PATH": path}, URL), {"PATH": path})
    assert (tmp_path / "told").read_text().splitlines() == [str(programs / "xdg-open"), URL]
    with pytest.raises(ToolError, match="no program opens a browser"):
        browser_command({"PATH": "."}, URL)
    with pytest.raises(ToolError, match="ended with 1"):
        run_beside(["/bin/false"], {})


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "https://x.test/a b", "--help"])
def test_only_addresses_of_the_web_are_opened(programs: Path, address: str) -> None:
    with pytest.raises(ToolError, match="no address that may be opened"):
        browser_command({"PATH": str(programs)}, address)
