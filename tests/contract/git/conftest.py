"""Fixtures: a home folder to make repositories beside, and one repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract.git.repositories import Home, Work


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(folder=tmp_path.resolve())


@pytest.fixture
def work(home: Home) -> Work:
    return home.init()
