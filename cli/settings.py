"""`lockwarden settings`: the settings file with everything that it may say, as comments; or where it is."""

from __future__ import annotations

from typing import Final

from lockwarden.cli.output import out
from lockwarden.cli.own_settings import settings_here
from lockwarden.cli.surroundings import settings_file

DEFAULT: Final = """\
# The settings of Lockwarden, in TOML. What stands here is what counts without them.
# They are read from your own folder alone, and never from a repository that is under review.

# auto takes what fits the terminal's background; dark, light, ansi-dark, ansi-light, or another theme of the palette.
# --theme and LOCKWARDEN_THEME come first; without all three, the theme that you chose last counts.
# theme = "auto"

# Which characters frames and signs are made of: auto, unicode, ascii.
# signs = "auto"

# Colours of what is printed: auto, always, never. --color comes first.
# color = "auto"

# What opens a lock file, with its options. Without it: VISUAL, else EDITOR.
# editor = ""

# Where to ask, as --source says it; folders are relative to this file. Without it: what your CLI configuration says.
# Reports say that the sources, or the platforms, are those of your settings.
# sources = ["direct", "https://mirror.example.com/"]

# Whose packages are looked at, as --platform says it.
# platforms = ["auto"]

# The columns of the table of hashes beside verdict, hash and decision.
# columns = ["platform", "signed-by", "registry", "local"]

# The keys, with commas between several.
# [keys]
"""
_SCREENS: Final = {
    "review": "The review",
    "keys": "The signing keys",
    "sources": "The sources",
    "modules": "The modules",
    "resolving": "A lock file in conflict",
    "files": "The list of lock files",
}


def settings(*, path: bool) -> int:
    """Print it and return the exit code. Raises InputError for what is wrong with the user's settings."""
    if path:
        from lockwarden.cli.look import check_look

        out(f"{settings_file()}\n")
        check_look(settings_here())
    else:
        out(f"{DEFAULT}{_keys()}")
    return 0


def _keys() -> str:
    """A line for everything that a key can be chosen for, with the key that it has and what it does."""
    from lockwarden.tui.keymap import BY_NAME

    lines, last = [], ""
    for name, binding in BY_NAME.items():
        screen = name.partition(".")[0]
        if screen != last:
            lines.append(f"# # {_SCREENS[screen]}")
        entry = f'"{name}" = "{binding.key}"'
        lines.append(f"# {entry:<40}  # {binding.tooltip}")
        last = screen
    return "\n".join(lines) + "\n"
