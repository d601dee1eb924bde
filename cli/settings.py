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

# Other keys, with commas between several. The names are those of the review, the list of files (files.…), the signing
# keys (keys.…), the sources (sources.…) and the modules (modules.…).
# [keys]
# "review.decide" = "space"
# "review.write" = "w,ctrl+s"
"""


def settings(*, path: bool) -> int:
    """Print it and return the exit code. Raises InputError for what is wrong with the user's settings."""
    if path:
        from lockwarden.cli.look import check_look

        out(f"{settings_file()}\n")
        check_look(settings_here())
    else:
        out(DEFAULT)
    return 0
