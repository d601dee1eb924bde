"""Snapshots are pictures of the screen; one version of Python owns them, so that they do not go back and forth."""

from __future__ import annotations

import sys

import pytest

OWNER = (3, 11)


@pytest.fixture(autouse=True)
def one_owner(pytestconfig: pytest.Config) -> None:
    """Refuse to write snapshots with another version of Python than the one that they were made with."""
    if pytestconfig.getoption("--snapshot-update") and sys.version_info[:2] != OWNER:
        pytest.fail(f"snapshots are updated with Python {OWNER[0]}.{OWNER[1]} only")
