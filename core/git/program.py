"""The git program, and the environment and settings under which it starts nothing and asks nobody.

Only the operator's own files may say how git behaves here: their configuration and the system's are read, for
`safe.directory` and their name. Of the environment nothing else that git knows is handed on. That matters inside a
hook: git starts hooks with GIT_DIR, GIT_INDEX_FILE and more, which would bend every question to another repository or
a half-made index. Without them the repository is found from the path alone, as on the command line.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from lockwarden.core.git.failures import refusal
from lockwarden.core.git.model import GitLimits
from lockwarden.core.git.object_reader import ObjectReader
from lockwarden.core.git.running import INSTALL_HINT, GitOutput, git_bounds, keep, run
from lockwarden.core.system.programs import Bounds, find_program, search_path
from lockwarden.core.values.errors import ToolError

if TYPE_CHECKING:
    from lockwarden.core.git.model import Entry, Revision
    from lockwarden.core.system.kept_programs import KeptProgram

_KEPT: Final = (
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",  # where the operator's own settings are, not settings themselves
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "SUDO_UID",  # whose repositories are trusted under sudo
)
_FIXED: Final = {
    "LC_ALL": "C",  # messages that can be told apart
    # No protocol at all, whatever a setting allows: a git without the next variable cannot fetch either.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone says what it lacks instead of asking for it
    "GIT_NO_REPLACE_OBJECTS": "1",  # an id stands for the object that has it
    "GIT_GRAFT_FILE": os.devnull,  # and a commit has the parents that it names
    "GIT_TRACE2": "0",  # whatever files or sockets the operator's settings name: nothing is told there
    "GIT_TRACE2_EVENT": "0",
    "GIT_TRACE2_PERF": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_SETTINGS: Final = (
    "core.fsmonitor=",  # a program, or a daemon, asked what changed
    f"core.hooksPath={os.devnull}",
    "core.askPass=",
    "core.sshCommand=false",
    "credential.helper=",  # an empty one forgets those before it
    "log.showSignature=false",  # would run gpg.program
    "safe.bareRepository=explicit",  # folders in a working tree that look like a repository are not one
    "user.useConfigOnly=true",  # a guessed name is no identity
    "core.commitGraph=false",  # says again what commits say of their parents, and nobody holds it against them
)
_OPTIONS: Final = ("--no-pager", "--literal-pathspecs", *(part for each in _SETTINGS for part in ("-c", each)))
_BARE: Final = ("-c", "safe.bareRepository=all")
"""For a folder that was named as a repository, or found where nobody commits anything. Whose it is still counts."""


class Git(Struct, frozen=True, kw_only=True):
    """The git program, run in one folder."""

    program: Path
    folder: Path
    environ: Mapping[str, str]
    limits: GitLimits
    bare: bool = False
    """Whether the folder itself may be a repository, without a working tree."""
    full_names: dict[tuple[str, str], str] = msgspec.field(default_factory=dict)
    """What names were found to stand for, with the id that they led to: many lock files have one base."""
    folders: dict[str, dict[bytes, Entry]] = msgspec.field(default_factory=dict)
    """What was read of folders, by the id of each."""
    objects: dict[tuple[str, str], bytes] = msgspec.field(default_factory=dict)
    """Small objects that were read, by kind and id."""
    reader: ObjectReader = msgspec.field(default_factory=ObjectReader)
    """Reads all objects."""
    listings: dict[str, bytes] = msgspec.field(default_factory=dict)
    """All files of some commits, by the id of each."""
    mainlines: dict[tuple[str, bytes], tuple[Revision, ...]] = msgspec.field(default_factory=dict)
    """The commits up to one that changed files of a name, by way of first parents."""
    settings: dict[str, bytes] = msgspec.field(default_factory=dict)
    """Settings of the repository that were asked for."""

    @classmethod
    def at(
        cls, folder: Path, environ: Mapping[str, str], limits: GitLimits | None = None, *, bare: bool = False
    ) -> Git:
        """The git on the PATH of `environ`, in `folder`. Raises ToolError when there is none."""
        return cls(
            program=find_git(environ),
            folder=folder,
            environ=safe_environment(environ),
            limits=limits or GitLimits(),
            bare=bare,
        )

    @property
    def _words(self) -> tuple[str, ...]:
        return (str(self.program), *_OPTIONS, *(_BARE if self.bare else ()))

    def ask(self, *arguments: str, doing: str, given: bytes = b"", at_most: int | None = None) -> GitOutput:
        """Run one command; its exit code is part of the answer. `at_most` bounds its output, in bytes.

        Raises ToolError when git cannot be started; GitError when it needs too long or prints too much.
        """
        return run(
            [*self._words, *arguments],
            environ=self.environ,
            folder=self.folder,
            given=given,
            bounds=self.bounds(at_most),
            doing=doing,
        )

    def keep(self, *arguments: str, doing: str) -> KeptProgram:
        """Start one command that answers one question after another. Raises ToolError when git cannot be started."""
        command = [*self._words, *arguments]
        return keep(command, environ=self.environ, folder=self.folder, doing=doing)

    def bounds(self, at_most: int | None = None) -> Bounds:
        """What one run, or one question, may take; `at_most` bounds its output, in bytes."""
        limit = self.limits.listing_bytes if at_most is None else at_most
        return git_bounds(seconds=self.limits.seconds, output_bytes=limit)

    def tell(self, *arguments: str, doing: str, given: bytes = b"", at_most: int | None = None) -> bytes:
        """What one command prints. Raises like `ask`, and GitError when it fails."""
        answer = self.ask(*arguments, doing=doing, given=given, at_most=at_most)
        if answer.exit_code != 0:
            raise refusal(answer, doing=doing, folder=self.folder)
        return answer.printed


def find_git(environ: Mapping[str, str]) -> Path:
    """The git program on the PATH of `environ`; relative entries, which could lead into a repository, do not count.

    Raises:
        ToolError: there is none.
    """
    if (program := find_program("git", environ)) is not None:
        return program
    raise ToolError("git is not installed", hint=INSTALL_HINT)


def safe_environment(environ: Mapping[str, str], *, extra: tuple[str, ...] = ()) -> dict[str, str]:
    """All that git gets to know of `environ`; `extra` names further variables to hand on."""
    kept = {name: environ[name] for name in (*_KEPT, *extra) if name in environ}
    return {**kept, **_FIXED, "PATH": os.pathsep.join(search_path(environ))}
