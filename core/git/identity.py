"""Who the operator is, by git's settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from lockwarden.core.git.program import Git, safe_environment
from lockwarden.core.values.errors import GitError, ToolError
from lockwarden.core.values.printable import reveal

_NAMES: Final = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL")
_IDENTITY: Final = re.compile(r"(.+ <[^<>]+>) \d+ [+-]\d+\n?")
_MAX_LENGTH: Final = 300
_DOING: Final = "tell who you are"


def identity(folder: Path, environ: Mapping[str, str]) -> str:
    """`Name <mail>` as git would write it into a commit made in `folder`, safe to show; empty when it is not set.

    Nobody vouches for it: it is what the settings of the operator, of the repository or the environment say, and a name
    that git would have to guess from the account counts as not set. It does not fail: a missing git, or a repository
    that git refuses, leave it empty.
    """
    try:
        git = Git.at(folder, environ)
        known = replace(git, environ=safe_environment(environ, extra=_NAMES))
        answer = known.ask("var", "GIT_AUTHOR_IDENT", doing=_DOING)
    except (GitError, ToolError):
        return ""
    found = _IDENTITY.fullmatch(answer.printed.decode("utf-8", "replace"))
    return reveal(found[1])[:_MAX_LENGTH] if answer.exit_code == 0 and found else ""
