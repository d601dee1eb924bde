"""Asks the repositories of modules which commits their branches and tags are, with `git ls-remote` alone.

It asks by https and ssh and nothing else, fetches and runs nothing of the repository, and never asks a person. How git
comes in is the operator's own configuration: credential helpers, proxies, certificates, keys of ssh. The configuration
of no repository is read, since it works in an empty folder.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.git.failures import words_of
from lockwarden.core.git.program import find_git
from lockwarden.core.git.running import git_bounds, run
from lockwarden.core.modules.resolution import GitRepository, Unresolved, is_beginning, revision_in, wanted_references
from lockwarden.core.system.programs import Bounds, search_path, temporary_folder
from lockwarden.core.values.errors import GitError, ToolError

_KEPT: Final = (
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSH_COMMAND",
    "SSH_AUTH_SOCK",
    *("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"),
)
_SSH: Final = "ssh -o BatchMode=yes -o StrictHostKeyChecking=yes"
_SETTINGS: Final = ("core.askPass=", "core.pager=cat", "http.followRedirects=initial")
_BOUNDS: Final = git_bounds(seconds=30.0, output_bytes=1024 * 1024)
_HINT: Final = "try git ls-remote with the same address; it may need credentials"


class GitRemotes:
    """Repositories elsewhere."""

    def __init__(self, environ: Mapping[str, str], *, bounds: Bounds = _BOUNDS) -> None:
        self._environ = environ
        self._bounds = bounds

    async def commit_of(self, repository: GitRepository) -> tuple[str, str] | Unresolved:
        """The commit that a reference means now, and a clause that says by which name; or why that is not known.

        It may mean another commit the moment after.
        """
        return await asyncio.to_thread(self._commit_of, repository)

    def _commit_of(self, repository: GitRepository) -> tuple[str, str] | Unresolved:
        doing = f"ask {repository.url} for its references"
        wanted = [name for name, _ in wanted_references(repository.ref)]
        if wanted and is_beginning(repository.ref):
            wanted = ["refs/heads/*", "refs/tags/*"]
        if not wanted:
            return revision_in(b"", repository.ref)
        wanted += [f"{name}^{{}}" for name in wanted if not name.endswith("*")]
        try:
            with tempfile.TemporaryDirectory(prefix="lockwarden-", dir=temporary_folder()) as folder:
                answer = run(
                    [str(find_git(self._environ)), *asking_settings(), "ls-remote", "--", repository.url, *wanted],
                    environ=asking_environment(self._environ, folder),
                    folder=Path(folder),
                    given=b"",
                    bounds=self._bounds,
                    doing=doing,
                )
        except (GitError, ToolError) as error:
            return Unresolved(reason=error.message, hint=error.hint)
        if answer.exit_code != 0:
            return Unresolved(reason=f"git could not {doing}: {words_of(answer)}", hint=_HINT)
        return revision_in(answer.printed, repository.ref)


def asking_settings() -> list[str]:
    """The options with which git is started wherever it asks servers."""
    return [part for each in _SETTINGS for part in ("-c", each)]


def asking_environment(environ: Mapping[str, str], folder: str) -> dict[str, str]:
    """The whole environment of git wherever it asks servers. `folder` is an empty one of ours, in which it works."""
    kept = {name: environ[name] for name in _KEPT if environ.get(name)}
    if "GIT_SSL_CAINFO" not in kept and environ.get("SSL_CERT_FILE"):
        kept["GIT_SSL_CAINFO"] = environ["SSL_CERT_FILE"]  # what everything else here goes by
    return {
        "GIT_SSH_COMMAND": _SSH,
        **kept,
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": "https:ssh",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CEILING_DIRECTORIES": os.path.dirname(folder),  # noqa: PTH120 - a text
        "PATH": os.pathsep.join(search_path(environ)),
    }
