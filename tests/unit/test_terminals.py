"""What can be shown where text goes, by what is said, the environment, and where it leads."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.values.terminals import (
    Outlet,
    Signs,
    When,
    in_ascii,
    light_background,
    signs_for,
    wants_colours,
)

TERMINAL = Outlet(terminal=True, columns=80)
PIPE = Outlet()
FILE = Outlet(file=True)
XTERM = {"TERM": "xterm-256color"}


@table(
    ("when", "environ", "outlet", "coloured"),
    [
        (None, XTERM, TERMINAL, True),
        (When.AUTO, XTERM, TERMINAL, True),
        (None, {}, TERMINAL, True),
        (None, XTERM, PIPE, False),
        (None, {"TERM": "dumb"}, TERMINAL, False),
        (None, {**XTERM, "CLICOLOR": "0"}, TERMINAL, False),
        (None, {**XTERM, "CLICOLOR": "1"}, PIPE, False),
        (None, {**XTERM, "NO_COLOR": "1"}, TERMINAL, False),
        (None, {**XTERM, "NO_COLOR": ""}, TERMINAL, True),
        (None, {"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, TERMINAL, False),
        (None, {"NO_COLOR": "1", "GITHUB_ACTIONS": "true"}, PIPE, False),
        (None, {"FORCE_COLOR": "1"}, PIPE, True),
        (None, {"FORCE_COLOR": "3", "TERM": "dumb"}, FILE, True),
        (None, {"CLICOLOR_FORCE": "1"}, FILE, True),
        (None, {**XTERM, "FORCE_COLOR": "0"}, TERMINAL, False),
        (None, {**XTERM, "FORCE_COLOR": "False"}, TERMINAL, False),
        (None, {"FORCE_COLOR": "", "CLICOLOR_FORCE": "0"}, PIPE, False),
        (When.NEVER, {"FORCE_COLOR": "1"}, TERMINAL, False),
        (When.ALWAYS, {"NO_COLOR": "1", "TERM": "dumb"}, FILE, True),
        (None, {"GITHUB_ACTIONS": "true"}, PIPE, True),
        (None, {"GITLAB_CI": "true"}, PIPE, True),
        (None, {"TF_BUILD": "True"}, PIPE, True),
        (None, {"GITLAB_CI": "true"}, FILE, False),
        (None, {"GITHUB_ACTIONS": "false"}, PIPE, False),
        (None, {"CI": "true"}, PIPE, False),
        (When.AUTO, {"CI": "true", "GITHUB_ACTIONS": "true"}, PIPE, True),
    ],
)
def test_colours(when: When | None, environ: dict[str, str], outlet: Outlet, coloured: bool) -> None:
    assert wants_colours(when, environ, outlet) is coloured


@table(
    ("said", "environ", "outlet", "signs"),
    [
        (None, {}, PIPE, Signs.UNICODE),
        (None, {"LANG": "de_DE.UTF-8"}, TERMINAL, Signs.UNICODE),
        (None, {"LANG": "de_DE.utf8@euro"}, TERMINAL, Signs.UNICODE),
        (None, {"LANG": "en_US.UTF-8", "LC_ALL": "C"}, TERMINAL, Signs.ASCII),
        (None, {"LC_ALL": "", "LC_CTYPE": "", "LANG": "POSIX"}, PIPE, Signs.ASCII),
        (None, {"LC_ALL": "C", "LANG": "C"}, PIPE, Signs.ASCII),
        (None, {"LC_CTYPE": "C.UTF-8", "LANG": "C"}, PIPE, Signs.UNICODE),
        (None, {"LC_ALL": "de_DE.ISO-8859-1"}, PIPE, Signs.ASCII),
        (None, {"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, PIPE, Signs.UNICODE),
        (None, {"LANG": "C.UTF-8", "PYTHONIOENCODING": "ascii"}, Outlet(encoding="ascii"), Signs.ASCII),
        (None, {"LANG": "C.UTF-8"}, Outlet(encoding="ISO8859-1"), Signs.ASCII),
        (None, {"LANG": "C.UTF-8"}, Outlet(encoding="UTF-16"), Signs.UNICODE),
        (None, {"TERM": "linux", "LANG": "C.UTF-8"}, TERMINAL, Signs.ASCII),
        (None, {"TERM": "linux", "LANG": "C.UTF-8"}, PIPE, Signs.UNICODE),
        (Signs.UNICODE, {"TERM": "linux", "LC_ALL": "C"}, TERMINAL, Signs.UNICODE),
        (Signs.ASCII, {"LANG": "C.UTF-8"}, TERMINAL, Signs.ASCII),
    ],
)
def test_signs(said: Signs | None, environ: dict[str, str], outlet: Outlet, signs: Signs) -> None:
    assert signs_for(said, environ, outlet) is signs


def test_in_ascii_our_signs_have_words_and_everything_else_its_number() -> None:
    assert in_ascii("✗ a → “b” … · ✓ ▲ –") == 'x a -> "b" ... - v ^ -'
    assert in_ascii("ж é 💥") == r"\u0436 \xe9 \U0001f4a5"
    assert in_ascii("plain") == "plain"


@table(
    ("answer", "variable", "light"),
    [
        ("rgb:ffff/ffff/ffff", "", True),
        ("rgb:0000/0000/0000", "0;15", False),
        ("rgb:fd/f6/e3", "", True),
        ("rgba:1/1/2/f", "", False),
        ("rgb:0000/0000/ffff", "", False),
        ("rgb:0000/ffff/0000", "", True),
        ("", "15;0", False),
        ("", "0;15", True),
        ("", "12;default;8", False),
        ("", "0;7", True),
        ("", "0;99", None),
        ("", "default;default", None),
        ("nonsense", "", None),
    ],
)
def test_whether_the_background_is_light(answer: str, variable: str, light: bool | None) -> None:
    assert light_background(answer, {"COLORFGBG": variable}) is light
