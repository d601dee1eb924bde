"""Snapshots are pictures of the screen; one version of Python owns them, so that they do not go back and forth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fakes.unseen_pictures import quick, share_styles

from lockwarden.tui.app import LockwardenApp

OWNER = (3, 11)


@pytest.fixture(autouse=True)
def one_owner(pytestconfig: pytest.Config) -> None:
    """Refuse to write snapshots with another version of Python than the one that they were made with."""
    if pytestconfig.getoption("--snapshot-update") and sys.version_info[:2] != OWNER:
        pytest.fail(f"snapshots are updated with Python {OWNER[0]}.{OWNER[1]} only")


@pytest.fixture
def snap_compare(snap_compare: Callable[..., bool]) -> Iterator[Callable[..., bool]]:
    """Compare an app's picture, which alone is drawn, with the one that was accepted."""

    def compare(app: LockwardenApp, **how: Any) -> bool:
        share_styles(app)
        return snap_compare(app, **how)

    with quick():
        yield compare
