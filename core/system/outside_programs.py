"""The operator's own programs that a review is left for: an editor at a line, a browser. Never the repository's.

Which ones, the environment says. A program is named by its whole path, or looked for in the absolute folders of PATH.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from lockwarden.core.system.programs import find_program, search_path
from lockwarden.core.values.errors import ToolError
from lockwarden.core.values.web_links import web_link

_EDITOR_VARIABLES: Final = ("VISUAL", "EDITOR")
_EDITORS: Final = ("vi", "nano")
"""Where the environment names none."""
_WITH_PLUS: Final = frozenset(
    (
        *("vi", "vim", "nvim", "view", "gvim", "ex", "ed"),
        *("nano", "pico", "emacs", "emacsclient", "joe", "jed", "kak", "micro", "mg", "ne", "mcedit"),
    )
)
"""Editors that take the line before the file, as POSIX has it of `ex`."""
_GO_TO: Final = frozenset(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"))
_WITH_COLON: Final = frozenset(("hx", "helix", "subl", "sublime_text", "zed", "zeditor"))
_ON_THEIR_OWN: Final = {
    **dict.fromkeys(_GO_TO, "--wait"),
    **dict.fromkeys(("subl", "sublime_text", "zed", "zeditor"), "--wait"),
    "gvim": "--nofork",
}
"""What makes them end only when the file is closed, since the review goes on then."""
_OPENERS: Final = ("xdg-open", "wslview", "open")
_SOON: Final = 3.0
"""Seconds within which a browser that cannot be opened says so."""


def editor_command(environ: Mapping[str, str], path: Path, line: int, *, setting: str = "") -> list[str]:
    """What opens a file at a line, from 1; `setting` is a command that counts before the environment.

    Raises ToolError where there is no editor.
    """
    said = next(
        (each for each in (setting, *(environ.get(name, "") for name in _EDITOR_VARIABLES)) if each.strip()), ""
    )
    words = _words(said) if said else _usual(environ)
    program = _program(words[0], environ)
    return [program, *_at_line(words, Path(os.path.abspath(path)), max(1, line))]  # noqa: PTH100 - links stay


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ToolError(f"the editor “{command}” is no command: {error}", hint="correct EDITOR") from error
    if not words:
        raise ToolError(f"the editor “{command}” is no command", hint="correct EDITOR")
    return words


def _usual(environ: Mapping[str, str]) -> list[str]:
    found = next((each for each in _EDITORS if find_program(each, environ) is not None), "")
    if not found:
        raise ToolError("no editor is known", hint="set EDITOR to the one that you like")
    return [found]


def _program(name: str, environ: Mapping[str, str]) -> str:
    if os.sep not in name:
        if (found := find_program(name, environ)) is not None:
            return str(found)
        raise ToolError(f"the program “{name}” is in no absolute folder of PATH", hint="name it by its whole path")
    if not Path(name).is_absolute():
        raise ToolError(
            f"“{name}” leads from the current folder, and what was checked out there is never run",
            hint="name the program by its whole path",
        )
    return name


def _at_line(words: Sequence[str], path: Path, line: int) -> list[str]:
    """The arguments of an editor. The path is absolute, so that it is never taken for an option."""
    name = Path(words[0]).name
    own = _ON_THEIR_OWN.get(name, "")
    given = [*words[1:], *([own] if own and own not in words[1:] else [])]
    if name in _GO_TO:
        return [*given, "--goto", f"{path}:{line}"]
    if name in _WITH_COLON:
        return [*given, f"{path}:{line}"]
    return [*given, *([f"+{line}"] if name in _WITH_PLUS else []), str(path)]


def browser_command(environ: Mapping[str, str], address: str) -> list[str]:
    """What opens an address in the operator's browser.

    Raises ToolError where there is no such program, and for what is no address of the web.
    """
    if not web_link(address):
        raise ToolError("this is no address that may be opened", hint="only plain https:// and http:// addresses are")
    named = environ.get("BROWSER", "").split(os.pathsep)[0]
    if named.strip():
        words = _words(named)
        rest = [each.replace("%s", address) for each in words[1:]]
        return [_program(words[0], environ), *rest, *([] if "%s" in named else [address])]
    found = next((each for each in (find_program(name, environ) for name in _OPENERS) if each is not None), None)
    if found is None:
        raise ToolError("no program opens a browser here", hint="copy the address instead, or set BROWSER")
    return [str(found), address]


def run_in_foreground(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Let a program have the terminal until it ends, and return its exit code. Raises ToolError. It blocks."""
    try:
        return subprocess.run(command, env=_handed_on(environ), check=False).returncode
    except (OSError, ValueError) as error:
        raise ToolError(_not_started(command, error), hint="look at EDITOR") from error


def run_beside(command: Sequence[str], environ: Mapping[str, str]) -> None:
    """Start a program that needs no terminal. Raises ToolError where it fails at once. It blocks for a moment."""
    try:
        process = subprocess.Popen(
            command,
            env=_handed_on(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ToolError(_not_started(command, error), hint="copy the address instead") from error
    try:
        code = process.wait(_SOON)
    except subprocess.TimeoutExpired:
        return  # a browser that runs on
    if code:
        raise ToolError(f"{Path(command[0]).name} ended with {code}", hint="copy the address instead")


def _handed_on(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment, but for folders of PATH that lead from the current one."""
    return {**environ, "PATH": os.pathsep.join(search_path(environ))}


def _not_started(command: Sequence[str], error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return f"{command[0]} cannot be started: {reason or 'its name or arguments are wrong'}"
