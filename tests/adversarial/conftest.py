"""Fixtures of the adversarial suite: the parties' keys, and a scene to act in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from adversarial.attack import Attack
from adversarial.parties import Parties
from adversarial.saying import say_everywhere
from adversarial.scene import Scene
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
