"""With which SSH key the operator signs, by git's settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.git.program import Git
from lockwarden.core.values.errors import InputError

_DOING: Final = "tell which key you sign with"
_HINT: Final = "name the file of an SSH key: --key ~/.ssh/id_ed25519"


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
    answer = git.ask("config", *how, "--get", name, doing=_DOING)
    return os.fsdecode(answer.printed).removesuffix("\n") if answer.exit_code == 0 else ""
