"""A scene: servers that one party controls, a lock file, and `lockwarden` run over both."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from builders.three_providers import HOST, MIRROR
from servers.https import HttpsServer, Respond, of_world
from servers.in_process import in_process
from servers.installed import PATIENCE, PROGRAM, Ended
from servers.no_connections import without_connections
from servers.remembered_gpg import asking_gpg_once

from lockwarden.cli.main import lockwarden, main
from lockwarden.demo.lockfile import NAME, LockEntry, lock_text
from lockwarden.demo.mirrors import Mirrored, network_mirror_site
from lockwarden.demo.packages import DemoPackage, provider_package
from lockwarden.demo.releases import Release, registry_sites
from lockwarden.demo.responses import Response
from lockwarden.demo.world import World

NOW = datetime.now(UTC)
BUILT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
PLATFORMS = ("linux_amd64", "darwin_arm64")
LINUX = ("--platform", "linux_amd64")
BOTH = (*LINUX, "--platform", "darwin_arm64")
MIB = 1024 * 1024
USUAL_MEMORY = 300 * MIB
"""Bytes of resident memory that no run may need, whatever it is given. A run on small input needs a quarter."""
USUAL_SECONDS = 30.0
"""Seconds of processor time; a run on small input needs one."""


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def packages(name: str, version: str = "1.0.0", *, build: str = "", size: int = 2000) -> dict[str, DemoPackage]:
    """Packages for PLATFORMS; another `build` is another program."""
    return {
        platform: provider_package(name, version, platform, size=size, modified=BUILT, build=build)
        for platform in PLATFORMS
    }


def unsigned(name: str, *, version: str = "1.0.0", host: str = HOST, build: str = "") -> Release:
    """A release of HOST/acme/NAME without a signature."""
    return Release(address=f"{host}/acme/{name}", version=version, packages=packages(name, version, build=build))


def entry(release: Release, *hashes: str, constraints: str = "") -> LockEntry:
    """The lock file entry of a release with these hashes, or with all its own."""
    own = [text for package in release.packages.values() for text in package.hashes]
    return LockEntry(
        address=release.address, version=release.version, hashes=tuple(hashes or own), constraints=constraints
    )


def with_documents(release: Release, sums: bytes, signature: bytes) -> Callable[[World], World]:
    """Serve another list of checksums or another signature for a release."""
    documents = {release.sums_path: Response.of_bytes(sums), release.signature_path: Response.of_bytes(signature)}
    return lambda world: world.with_answers(release.files_host, documents)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Ended):
    """How a run ended, with what its report says of a provider."""

    @property
    def told(self) -> str:
        """What went on, in short, for who looks at a failed test."""
        if not self.out.startswith("{"):
            return f"{self.code}: {self.out[:4000]}\n{self.err[:2000]}"
        lines = [f"{self.code}: {self.err[:2000]}"]
        for lock_file in self.report["lock_files"]:
            lines += [f"  {problem}" for problem in lock_file["problems"]]
            for provider in lock_file["providers"]:
                lines.append(provider["address"])
                lines += [f"  {row['verdict']} {row['hash']} {row['reasons']}" for row in provider["hashes"]]
                lines += [f"  {each['severity']} {each['code']}: {each['message']}" for each in provider["problems"]]
        return "\n".join(lines)

    def codes(self, name: str) -> set[str]:
        """The codes of a provider's problems."""
        return {problem["code"] for problem in self.provider(name)["problems"]}

    def confirmed(self, name: str) -> set[str]:
        """The hashes of a provider that somebody vouches for."""
        return {text for text, verdict in self.verdicts(name).items() if verdict == "confirmed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Answered):
    """How a run of the installed command ended, and what it took."""

    seconds: float
    """Of processor time, its children's included."""
    memory: int
    """Bytes: the largest resident set of the process or of a child of its."""


@dataclass(slots=True, kw_only=True)
class Scene:
    """Everything that one test needs."""

    server: HttpsServer
    environment: dict[str, str]
    folder: Path

    @property
    def lock_file(self) -> Path:
        return self.folder / NAME

    def serve(
        self,
        *releases: Release,
        at_mirror: Sequence[Mirrored] = (),
        answers: Callable[[World], World] = lambda world: world,
        through: Callable[[Respond], Respond] = lambda respond: respond,
    ) -> None:
        """Serve releases and a mirror; `answers` changes documents, `through` changes how they are served."""
        world = World.of([*registry_sites(releases), network_mirror_site(MIRROR, at_mirror)])
        self.server.serve(through(of_world(answers(world))))

    def lock(self, *entries: LockEntry) -> bytes:
        """Write the lock file as a client would, and return its bytes."""
        self.lock_file.write_text(lock_text(entries), encoding="utf-8", newline="\n")
        return self.lock_file.read_bytes()

    def asked(self, ending: str) -> list[str]:
        """The paths with this ending that the server was asked for."""
        return [request.path for request in self.server.journal.requests if request.path.endswith(ending)]

    def check(self, *arguments: str | Path, expected: int, form: str = "json") -> Answered:
        """Check the lock file in this process, where an error that nobody turned into a result fails the test.

        The lock file has to stay as it is.
        """
        done = self.check_any(*arguments, form=form)
        assert done.code == expected, done.told
        return done

    def check_any(self, *arguments: str | Path, form: str = "json") -> Answered:
        """The same, however it ends."""
        before = self.lock_file.read_bytes()
        done = self.run("check", *arguments, "--format", form)
        assert self.lock_file.read_bytes() == before
        return done

    def run(self, *arguments: str | Path) -> Answered:
        """Run any command in this process."""
        out, err = io.StringIO(), io.StringIO()
        with (
            pytest.MonkeyPatch.context() as patch,
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            without_connections(),
            asking_gpg_once(),
        ):
            patch.chdir(self.folder)
            for name in tuple(os.environ):
                patch.delenv(name)
            for name, value in self.environment.items():
                patch.setenv(name, value)
            code = lockwarden.main(list(map(str, arguments)), prog_name="lockwarden", standalone_mode=False)
        return Answered(code=code, out=out.getvalue(), err=err.getvalue())

    def check_to_its_end(self, *arguments: str | Path, expected: int, form: str = "json", **extra: str) -> Answered:
        """Check in this process as the installed command does, which makes an exit code and a sentence of each error.

        The lock file has to stay as it is, and nothing unfinished beside it.
        """
        before = self.lock_file.read_bytes()
        done = self.ended("check", *arguments, "--format", form, **extra)
        assert done.code == expected, done.told
        self._left_alone(before)
        return done

    def ended(self, *arguments: str | Path, **extra: str) -> Answered:
        """Run any command so."""
        code, out, err = in_process(
            lambda: main(list(map(str, arguments))), folder=self.folder, environment={**self.environment, **extra}
        )
        done = Answered(code=code, out=out, err=err)
        assert "Traceback" not in done.err, done.told
        assert "internal error" not in done.err, done.told
        return done

    def check_measured(self, *arguments: str | Path, expected: int, form: str = "json") -> Measured:
        """The same with the installed command, within the usual memory and time."""
        before = self.lock_file.read_bytes()
        command = [PROGRAM, "check", *arguments, "--format", form]
        done = measured(command, folder=self.folder, environment=self.environment)
        assert done.code == expected, done.told
        assert "Traceback" not in done.err, done.told
        assert "internal error" not in done.err, done.told
        assert done.memory < USUAL_MEMORY, done.memory
        assert done.seconds < USUAL_SECONDS, done.seconds
        self._left_alone(before)
        return done

    def _left_alone(self, before: bytes) -> None:
        assert self.lock_file.read_bytes() == before
        assert sorted(path.name for path in self.folder.iterdir() if path.suffix == ".tmp") == []


_MEASURE = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, capture_output=True, timeout=float(sys.argv[1]))
used = resource.getrusage(resource.RUSAGE_CHILDREN)
json.dump([done.returncode, done.stdout.decode(), done.stderr.decode(), used.ru_utime + used.ru_stime, used.ru_maxrss],
          sys.stdout)
"""


def measured(command: Sequence[str | Path], *, folder: Path, environment: Mapping[str, str]) -> Measured:
    """Run a program below a small one whose only child it is, so that what it took is known."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _MEASURE, str(PATIENCE), *map(str, command)],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE + 10,
    )
    assert done.returncode == 0, done.stderr
    code, out, err, seconds, kibibytes = json.loads(done.stdout)
    unit = 1 if sys.platform == "darwin" else 1024
    return Measured(code=code, out=out, err=err, seconds=seconds, memory=kibibytes * unit)
