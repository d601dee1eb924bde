"""A repository whose modules `check --modules` looks at: configuration, lock file, what is installed, and sources."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from builders.schema import violations
from contract.oci.kinds import Shelf
from end_to_end.module_packages import HOST, Bare, module, zipped
from end_to_end.pull_requests import PullRequest
from servers.https import Breakage, Broken, HttpsServer
from servers.installed import Ended, Lockwarden

from lockwarden.demo.world import Response

OCI = f"oci://{HOST}/mods/vpc"
GIT = f"git::https://{HOST}/vpc.git"
LOCK = ".lockwarden/modules.hcl"
HEADER = '# This file is maintained automatically by "tofu init".\n# Manual edits may be lost in future updates.\n'
_SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8"))


class Repository(Bare):
    """A real repository of a module, with files."""

    def commit_files(self, files: Mapping[str, str], *, move: bool = True) -> str:
        """Add a commit with just these files to the default branch, and have the tag v1.0.0 mean it; its ID."""
        who = f"a@example.test <a@example.test> {int(time.time())} +0000"
        told = [f"commit refs/heads/main\nmark :1\ncommitter {who}\ndata 1\nx\nfrom refs/heads/main^0\ndeleteall\n"]
        for name, text in files.items():
            mode = "120000" if name.endswith(".link") else "100644"
            told.append(f"M {mode} inline {name}\ndata {len(text.encode())}\n{text}\n")
        told.append(f"tag v1.0.0\nfrom :1\ntagger {who}\ndata 1\nx\n" if move else "")
        self._git("-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--force", given="".join(told))
        self.publish()
        return (self.folder / "refs" / "heads" / "main").read_text().strip()


@dataclass
class Sources:
    """An OCI registry and a server of git repositories behind one host."""

    server: HttpsServer
    git: Repository
    shelf: Shelf = field(default_factory=Shelf)
    down: bool = False

    def __post_init__(self) -> None:
        self.server.serve(self.respond)

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        if self.down:
            raise Broken(Breakage.CLOSE)
        if not path.startswith("/v2/"):
            return self.git.respond(path)
        _, _, reference = path.rpartition("/")
        if "/blobs/" in path:
            return Response(status=200, body=self.shelf.blobs.get(reference, b""))
        digest = self.shelf.tags.get(reference, reference)
        if digest not in self.shelf.manifests:
            return Response(status=404)
        media_type, body = self.shelf.manifests[digest]
        return Response(
            status=200, headers=(("Content-Type", media_type), ("Docker-Content-Digest", digest)), body=body
        )

    def push(self, files: Mapping[str, bytes], tag: str = "1.0.0") -> str:
        """Have a tag of the OCI repository mean a package with these files; the digest of its manifest."""
        return module(self.shelf, zipped(files), tag=tag)


def installed(folder: Path, sources: Mapping[str, str], files: Mapping[str, Mapping[str, str]]) -> None:
    """Write down modules as a client does that installed them; those without files are listed alone."""
    entries = [{"Key": key, "Source": source, "Dir": f".terraform/modules/{key}"} for key, source in sources.items()]
    modules = folder / ".terraform" / "modules"
    modules.mkdir(parents=True, exist_ok=True)
    (modules / "modules.json").write_text(json.dumps({"Modules": entries}))
    for key, of_module in files.items():
        (modules / key).mkdir(exist_ok=True)
        for name, text in of_module.items():
            (modules / key / name).write_text(text)


def checked(tree: PullRequest, *words: str, expected: int) -> Ended:
    """Run `check --modules` with a JSON report, which the schema has to describe."""
    done = tree.lockwarden.run("check", "--modules", "--format=json", *words, folder=tree.folder, expected=expected)
    assert list(violations(done.report, _SCHEMA)) == []
    return done


def codes(done: Ended) -> dict[str, list[str]]:
    """The codes of all that is told of the modules, by the call's key; those of the module lock below an empty one."""
    modules: Any = done.report["modules"]
    found: dict[str, list[str]] = {}
    for configuration in modules["configurations"]:
        for call in configuration["calls"]:
            found.setdefault(call["key"], []).extend(each["code"] for each in call["problems"])
    for lock in modules["locks"]:
        found.setdefault("", []).extend(each["problem"]["code"] for each in lock["uncalled"])
    return {key: each for key, each in found.items() if each}


def tree_on(folder: Path, lockwarden: Lockwarden, files: Mapping[str, str]) -> PullRequest:
    """A repository with a lock file that locks no provider, and these files."""
    return PullRequest.on(folder, lockwarden, {".terraform.lock.hcl": HEADER, ".gitignore": ".terraform/\n", **files})
