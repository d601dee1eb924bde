"""Fixtures of the adversarial suite: the parties' keys, and a scene to act in."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from adversarial.attack import Attack
from adversarial.committed import Commit
from adversarial.parties import Parties
from adversarial.saying import say_everywhere
from adversarial.scene import Scene
from fakes.git_commands import NO_UPKEEP
from servers.https import HttpsServer

from lockwarden.demo.keys import KeyMaker


@pytest.fixture(scope="session")
def parties(key_maker: KeyMaker) -> Parties:
    return Parties.make(key_maker)


@pytest.fixture
def scene(https_server: HttpsServer, program_environment: Callable[..., dict[str, str]], tmp_path: Path) -> Scene:
    folder, temporary = tmp_path / "configuration", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    environment = program_environment(TMPDIR=str(temporary))
    return Scene(server=https_server, environment=environment, folder=folder)


@pytest.fixture
def hostile(scene: Scene, parties: Parties) -> Scene:
    """A scene in which every party says what it would like a terminal to do."""
    say_everywhere(scene, parties)
    return scene


@pytest.fixture
def attack(scene: Scene, parties: Parties) -> Attack:
    return Attack(scene, parties)


@pytest.fixture
def commit(scene: Scene) -> Commit:
    """Commits everything in the scene's folder, which is a repository."""

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "-c", "commit.gpgsign=false", *NO_UPKEEP)
        subprocess.run(["git", *who, *arguments], cwd=scene.folder, check=True, capture_output=True)

    git("init", "-q", "-b", "main")

    def commit() -> None:
        git("add", "-A")
        git("commit", "-q", "-m", "one")

    return commit
