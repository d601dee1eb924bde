"""Who the operator is, and with which SSH key they sign, by git's settings."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from lockwarden.core.git.program import Git, safe_environment
from lockwarden.core.values.errors import GitError, InputError, ToolError
from lockwarden.core.values.printable import reveal

_NAMES: Final = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL")
_IDENTITY: Final = re.compile(r"(.+ <[^<>]+>) \d+ [+-]\d+\n?")
_MAX_LENGTH: Final = 300
_DOING: Final = "tell who you are"


_WHICH_KEY: Final = "tell which key you sign with"
_HINT: Final = "name the file of an SSH key: --key ~/.ssh/id_ed25519"


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


def ssh_signing_key(folder: Path, environ: Mapping[str, str]) -> str:
    """What `user.signingkey` names where `gpg.format` is `ssh`: a file, or a public key written out.

    A relative file starts at `folder`. Raises InputError where the settings name no SSH key, ToolError without git.
    """
    git = Git.at(folder, environ)
    form = _setting(git, "gpg.format")
    key = _setting(git, "user.signingkey", "--type=path")
    if not key:
        raise InputError("neither --key nor git's user.signingkey names a key to sign with", hint=_HINT)
    if form != "ssh":
        raise InputError("git's user.signingkey is no SSH key: its gpg.format is not “ssh”", hint=_HINT)
    if key.startswith(("key::", "ssh-", "ecdsa-", "sk-")):
        return key
    return os.path.join(folder, key)  # noqa: PTH118 - an absolute one stays


def _setting(git: Git, name: str, *how: str) -> str:
    answer = git.ask("config", *how, "--get", name, doing=_WHICH_KEY)
    return os.fsdecode(answer.printed).removesuffix("\n") if answer.exit_code == 0 else ""
