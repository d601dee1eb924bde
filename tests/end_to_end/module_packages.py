"""Module packages for tests of the installed command: made in memory, and served over HTTPS."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from contract.oci.kinds import Shelf, image
from servers.https import HttpsServer, Respond
from servers.oci_registry import MODULE, OCI_MANIFEST

from lockwarden.demo.world import Response

HOST = "registry.example.test"
RIGHT = {"main.tf": b"# main\n", "child/main.tf": b"# child\n", "run.sh": b"#!/bin/sh\n", ".hidden": b"hidden\n"}


def zipped(files: Mapping[str, bytes], modes: Mapping[str, int] | None = None) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = (modes or {}).get(name, 0o100644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return packed.getvalue()


ZIP = zipped(RIGHT, {"run.sh": 0o100755})


def module(shelf: Shelf, *contents: bytes, tag: str = "latest", **changes: Any) -> str:
    """Put a module package on a shelf; the digest of its manifest."""
    layers = [shelf.blob(content, "archive/zip") for content in contents]
    return str(shelf.manifest(image(shelf.empty(), layers, MODULE) | changes, OCI_MANIFEST, tag)["digest"])


Change = Callable[[str, Response], Response]


def serve(https_server: HttpsServer, shelf: Shelf, change: Change = lambda path, response: response) -> Respond:
    """The repository of a shelf over HTTPS, whose answers can be changed."""

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        _, _, reference = path.rpartition("/")
        if "/blobs/" in path:
            return change(path, Response(status=200, body=shelf.blobs.get(reference, b"")))
        digest = shelf.tags.get(reference, reference)
        if digest not in shelf.manifests:
            return Response(status=404)
        media_type, body = shelf.manifests[digest]
        answer = Response(
            status=200, headers=(("Content-Type", media_type), ("Docker-Content-Digest", digest)), body=body
        )
        return change(path, answer)

    https_server.serve(respond)
    return respond


def call(name: str, source: str) -> str:
    return f'module "{name}" {{\n  source = "{source}"\n}}\n'


class Bare:
    """A real bare repository, served as plain files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, content in _empty_commit_and_tag().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / "refs").mkdir(exist_ok=True)
        self.first = (folder / "refs" / "heads" / "main").read_text().strip()

    @classmethod
    def made(cls, folder: Path) -> None:
        """Make the repository that all begin with."""
        made = cls.__new__(cls)
        made.folder = folder
        made._git("init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(folder))
        made._git("tag", "--annotate", "--message=x", "v1.0.0", made.commit("first"))
        made.publish()

    def _git(self, *arguments: str, given: str = "") -> str:
        names = {f"GIT_{who}_{what}": "a@example.test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder.parent), "GIT_CONFIG_NOSYSTEM": "1", **names}
        done = subprocess.run(
            ["git", "-C", str(self.folder.parent if arguments[0] == "init" else self.folder), *arguments],
            input=given,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def commit(self, message: str) -> str:
        """Add a commit to the default branch; its ID."""
        tree = self._git("mktree")
        commit = self._git("commit-tree", "-m", message, tree)
        self._git("update-ref", "refs/heads/main", commit)
        return commit

    def move_tag(self, commit: str) -> None:
        self._git("tag", "--force", "v1.0.0", commit)
        self.publish()

    def publish(self) -> None:
        self._git("update-server-info")

    def respond(self, path: str) -> Response:
        file = self.folder / path.partition("?")[0].removeprefix("/vpc.git/")
        if not path.startswith("/vpc.git/") or not file.is_file():
            return Response(status=404)
        return Response(status=200, headers=(("Content-Type", "text/plain"),), body=file.read_bytes())


@cache
def _empty_commit_and_tag() -> dict[str, bytes]:
    """The files of a bare repository with an empty commit and a tag of it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "vpc.git")
        Bare.made(folder)
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def tree(folder: Path) -> dict[str, tuple[str, bytes]]:
    """Every file below a folder: its mode and its bytes; what is neither file nor folder fails the test."""
    found = {}
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        assert stat.S_ISREG(mode) or stat.S_ISDIR(mode), path
        if stat.S_ISREG(mode):
            found[path.relative_to(folder).as_posix()] = (oct(stat.S_IMODE(mode)), path.read_bytes())
    return found
