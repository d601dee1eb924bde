"""Fetches the tree of one commit of a module's repository, as a client's clone would have it.

Asking goes by the operator's own configuration of git, as in `git_remotes`. What was fetched is checked out without any
configuration but ours: no hook, no filter, no submodule, nothing else is fetched. Attributes of the repository that
change the bytes of a file (ends of lines, `$Id$`) count, since they do for the client.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.archives.writing import MOST_FOLDERS
from lockwarden.core.git.failures import words_of
from lockwarden.core.git.program import find_git
from lockwarden.core.git.running import GitOutput, git_bounds, run
from lockwarden.core.module_packages.git_remotes import asking_environment, asking_settings
from lockwarden.core.modules.resolution import GitRepository, Unresolved
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.system.programs import Bounds, search_path
from lockwarden.core.values.errors import GitError, ToolError

_BOUNDS: Final = git_bounds(seconds=120.0, output_bytes=32 * 1024 * 1024)
_MAX_FILES: Final = 50_000
_MAX_SIZE: Final = 1024 * 1024 * 1024
"""Bytes of all files of a tree together."""
_HINT: Final = "look at the repository with git itself"
_OURS: Final = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "core.symlinks=true", "gc.auto=0")
_ALL: Final = ("+refs/heads/*:refs/fetched/heads/*", "+refs/tags/*:refs/fetched/tags/*")
_LFS: Final = b"version https://git-lfs.github.com/spec/"


class GitPackages:
    """Trees of commits in repositories elsewhere."""

    def __init__(self, environ: Mapping[str, str], *, bounds: Bounds = _BOUNDS) -> None:
        self._environ = environ
        self._bounds = bounds

    async def check_out(self, repository: GitRepository, commit: str, folder: Path) -> Unresolved | None:
        """Put the files of a commit into an empty folder of ours, with a `.git` beside them; or why that is not so."""
        return await asyncio.to_thread(self._check_out, repository, commit, folder)

    def _check_out(self, repository: GitRepository, commit: str, folder: Path) -> Unresolved | None:
        doing = f"fetch {commit} from {repository.url}"
        try:
            started = self._alone(folder, "init", "--quiet", "--template=", doing=doing)
            if started.exit_code != 0:
                return _failed(started, doing)
            fetched = self._fetched(repository, commit, folder, doing)
            if fetched is not None:
                return fetched
            listed = self._alone(folder, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, doing=doing)
            if listed.exit_code != 0:
                return _failed(listed, doing)
            if why := _too_much(listed.printed):
                return Unresolved(reason=why, hint=_HINT)
            done = self._alone(folder, "checkout", "--quiet", "--force", "--detach", commit, doing=doing)
        except (GitError, ToolError) as error:
            return Unresolved(reason=error.message, hint=error.hint)
        if done.exit_code != 0:
            return _failed(done, doing)
        if any(_is_pointer(folder, path) for _, _, path in _entries(listed.printed)):
            return Unresolved(reason="it keeps files in git LFS, which are not fetched", hint=_HINT)
        return None

    def _fetched(self, repository: GitRepository, commit: str, folder: Path, doing: str) -> Unresolved | None:
        """Fetch the commit alone, or where the server gives no commit by its ID, all branches and tags."""
        environ = asking_environment(self._environ, str(folder))
        answer = None
        for wanted in (("--depth=1", "--", repository.url, commit), ("--", repository.url, *_ALL)):
            options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance")
            answer = self._run(folder, environ, *asking_settings(), "fetch", *options, *wanted, doing=doing)
            there = self._alone(folder, "cat-file", "-e", f"{commit}^{{commit}}", doing=doing)
            if there.exit_code == 0:
                return None
        if answer is not None and answer.exit_code == 0:
            return Unresolved(
                reason=f"the repository does not have the commit {commit} any more", hint=_HINT, absent=True
            )
        return None if answer is None else _failed(answer, doing)

    def _alone(self, folder: Path, *arguments: str, doing: str) -> GitOutput:
        """Run git with no configuration but ours, and with nothing that it could ask."""
        environ = {
            "PATH": os.pathsep.join(search_path(self._environ)),
            "HOME": os.devnull,
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
        }
        return self._run(folder, environ, *arguments, doing=doing)

    def _run(self, folder: Path, environ: Mapping[str, str], *arguments: str, doing: str) -> GitOutput:
        ours = [part for each in _OURS for part in ("-c", each)]
        command = [str(find_git(self._environ)), *ours, *arguments]
        return run(command, environ=environ, folder=folder, given=b"", bounds=self._bounds, doing=doing)


def _failed(answer: GitOutput, doing: str) -> Unresolved:
    return Unresolved(reason=f"git could not {doing}: {words_of(answer)}", hint=_HINT)


def _entries(listing: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Mode, size and path of each entry in what `git ls-tree -l -z` lists; the size of a submodule is 0."""
    for line in listing.split(b"\0"):
        if line:
            described, _, path = line.partition(b"\t")
            mode, _, _, size = described.split()
            yield mode, int(size) if size.isdigit() else 0, path


def _too_much(listing: bytes) -> str:
    """Why a tree is not checked out; a clause, empty where it is."""
    files = size = 0
    for mode, length, path in _entries(listing):
        if mode == b"160000":
            return "it has submodules, which are not fetched"
        if path.count(b"/") > MOST_FOLDERS:
            return f"it has more than {MOST_FOLDERS} folders within each other"
        files += 1
        size += length
    if files > _MAX_FILES or size > _MAX_SIZE:
        return f"it has more than {_MAX_FILES} files or {_MAX_SIZE} bytes"
    return ""


def _is_pointer(folder: Path, path: bytes) -> bool:
    """Whether a file stands for one that is kept elsewhere. A link that leads elsewhere is not followed."""
    place = os.path.join(os.fsencode(folder), path)  # noqa: PTH118 - the path is bytes
    try:
        file = open_to_read(place, follow=False)
    except OSError:
        return False
    try:
        return os.read(file, len(_LFS)) == _LFS
    finally:
        os.close(file)
