"""A repository whose configuration and attributes name a program for everything that git can run one for.

Each program leaves a mark with its name, so that a test can tell which of them ran.
"""

from __future__ import annotations

import hashlib
import os
import pty
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.git.repositories import LOCK, Home, Work, lock_text

HOOKS = (
    "post-index-change",
    "reference-transaction",
    "pre-commit",
    "post-checkout",
    "post-merge",
    "fsmonitor-watchman",
)

PROGRAMS = {
    "alias.st": "!{}",
    "alias.rev-parse": "!{}",
    "alias.cat-file": "!{}",
    "alias.ls-tree": "!{}",
    "alias.rev-list": "!{}",
    "core.alternateRefsCommand": "{}",
    "core.askPass": "{}",
    "core.editor": "{}",
    "core.fsmonitor": "{}",
    "core.gitProxy": "{}",
    "core.pager": "{}",
    "core.sshCommand": "{}",
    "credential.helper": "!{}",
    "diff.bad.command": "{}",
    "diff.bad.textconv": "{}",
    "diff.external": "{}",
    "difftool.bad.cmd": "{}",
    "filter.bad.clean": "{}",
    "filter.bad.smudge": "{}",
    "filter.long.process": "{}",
    "gpg.program": "{}",
    "gpg.ssh.defaultKeyCommand": "{}",
    "gpg.ssh.program": "{}",
    "gpg.x509.program": "{}",
    "hook.bad.command": "{}",
    "interactive.diffFilter": "{}",
    "merge.bad.driver": "{}",
    "mergetool.bad.cmd": "{}",
    "pager.cat-file": "{}",
    "pager.ls-tree": "{}",
    "pager.rev-list": "{}",
    "pager.rev-parse": "{}",
    "remote.origin.receivepack": "{}",
    "remote.origin.uploadpack": "{}",
    "sequence.editor": "{}",
    "submodule.bad.update": "!{}",
    "trailer.bad.cmd": "{}",
    "trailer.bad.command": "{}",
    "uploadpack.packObjectsHook": "{}",
}

SETTINGS = {
    "core.hooksPath": "{folder}/hooks",
    "diff.bad.cachetextconv": "true",
    "diff.tool": "bad",
    "extensions.partialClone": "origin",
    "filter.bad.required": "true",
    "filter.long.required": "true",
    "hook.bad.event": "post-index-change",
    "log.showSignature": "true",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.origin.promisor": "true",
    "remote.origin.partialCloneFilter": "blob:none",
    "safe.directory": "*",
    "user.useConfigOnly": "false",
}

VARIABLES = (
    "EDITOR",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "PAGER",
    "SSH_ASKPASS",
    "VISUAL",
)


@dataclass(frozen=True, kw_only=True)
class Trap:
    """The hostile repository; its commits, oldest first, and the path of a file whose content it lacks."""

    work: Work
    folder: Path
    """Where the programs are, and their marks."""
    commits: tuple[str, ...]
    lost: str
    signed: str

    @property
    def environ(self) -> dict[str, str]:
        """An environment that names programs, too."""
        programs = {name: str(self.program(f"env.{name}")) for name in VARIABLES}
        return {**self.work.environ, **programs, "GIT_TRACE2_EVENT": str(self.folder / "marks" / "trace")}

    def program(self, name: str) -> Path:
        return program(self.folder, name)

    def marks(self) -> set[str]:
        """The programs that ran since this was asked last."""
        found = {path.name for path in (self.folder / "marks").iterdir()}
        for name in found:
            (self.folder / "marks" / name).unlink()
        return found

    def plain(self, *arguments: str, terminal: bool = False) -> set[str]:
        """What runs when a person runs git here."""
        self.run(["git", *arguments], {**self.work.environ, "TERM": "xterm"}, terminal=terminal)
        return self.marks()

    def run(self, command: Sequence[str], environ: Mapping[str, str], *, terminal: bool) -> None:
        """Run a command here, on a terminal or with its output going nowhere."""
        master, slave = pty.openpty()
        subprocess.run(
            command,
            cwd=self.work.folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=slave if terminal else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
        )
        os.close(slave)
        os.close(master)


def program(folder: Path, name: str) -> Path:
    """A program that leaves its mark; one for content hands on what it is given."""
    path = folder / "bin" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        (folder / "marks").mkdir(exist_ok=True)
        rest = "exec /bin/cat" if name in {"filter.bad.clean", "filter.bad.smudge", "diff.bad.textconv"} else "exit 0"
        path.write_text(f"#!/bin/sh\n: > '{folder}/marks/{name}'\n{rest}\n", encoding="utf-8")
        path.chmod(0o755)
    return path


def set_trap(home: Home, *, url: str) -> Trap:
    """Make the repository; what it lacks would be fetched from `url`."""
    work, folder = home.init("hostile"), home.folder / "trap"
    folder.mkdir()
    lost = f"lost/{LOCK}"
    work.write(f"old/{LOCK}", lock_text())
    work.write(lost, lock_text("h1:lost"))
    work.write("main.tf", b"# one\n")
    first = work.commit("One")
    work.git("mv", f"old/{LOCK}", LOCK)
    work.git("rm", "--quiet", lost)
    work.write(".gitattributes", b"*.hcl filter=bad diff=bad merge=bad\n*.tf filter=long diff=bad\n")
    second = work.commit("Two")
    signed = sign(work, second)
    work.git("branch", "side", second)
    work.git("update-ref", "refs/remotes/origin/main", first)
    work.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    work.git("update-ref", "refs/heads/main", signed)
    forget(work, lock_text("h1:lost"))
    work.write(".git/info/attributes", b"* filter=bad diff=bad merge=bad\n")
    (work.folder / ".git" / "MERGE_HEAD").write_text(f"{first}\n", encoding="ascii")
    for name in HOOKS:
        for place in (folder / "hooks", work.folder / ".git" / "hooks"):
            place.mkdir(exist_ok=True)
            (place / name).symlink_to(program(folder, f"hooks.{name}"))
    work.write(LOCK, lock_text("h1:now"))
    work.git("config", "core.repositoryFormatVersion", "1")
    work.git("config", "remote.origin.url", url)
    work.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    work.git("config", "branch.main.remote", "origin")
    work.git("config", "branch.main.merge", "refs/heads/main")
    for name, value in PROGRAMS.items():
        work.git("config", name, value.format(program(folder, name)))
    for name, value in SETTINGS.items():
        work.git("config", name, value.format(folder=folder))
    trap = Trap(work=work, folder=folder, commits=(first, second, signed), lost=lost, signed=signed)
    trap.marks()
    return trap


def sign(work: Work, commit: str) -> str:
    """A commit with the same tree that claims to be signed; its id."""
    raw = work.git("cat-file", "commit", commit)
    head, _, message = raw.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----"
    tree, rest = head.split("\n", 1)
    others = [line for line in rest.split("\n") if not line.startswith("parent ")]
    given = "\n".join([tree, f"parent {commit}", *others, signature]) + f"\n\n{message}\n"
    return work.git("hash-object", "-w", "-t", "commit", "--stdin", given=given.encode())


def forget(work: Work, data: bytes) -> None:
    """Remove the object of these bytes."""
    id_ = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    (work.folder / ".git" / "objects" / id_[:2] / id_[2:]).unlink()
