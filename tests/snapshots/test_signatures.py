"""How signatures beside GPG's look: the list of keys and identities, and a hash that one of them covers.

Every value is fixed; look at a changed picture before you accept it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from fakes.driving import Driver
from fakes.oci_mirrors import OCI
from fakes.running import app_of
from fakes.signed_indexes import keeping, signed_index
from textual.pilot import Pilot

from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.tui.app import LockwardenApp

Compare = Callable[..., bool]


def app() -> LockwardenApp:
    return app_of(signed_index(), sources=(SourceSpec(kind=OCI.kind, location=OCI.location),), keeper=keeping())


def after(made: LockwardenApp, *keys: str) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Wait for the audit, then press keys."""

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(made, pilot)
        await driver.settle()
        await driver.press(*keys)
        await driver.settle()

    return before


@pytest.mark.parametrize(
    ("keys", "size"),
    [
        (("K",), (120, 40)),
        (("K", "j", "j"), (80, 24)),
        pytest.param(("K",), (80, 24), marks=pytest.mark.thorough),
        pytest.param(("K", "j", "j"), (120, 40), marks=pytest.mark.thorough),
    ],
    ids=["key-120x40", "identity-80x24", "key-80x24", "identity-120x40"],
)
def test_signers(snap_compare: Compare, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    made = app()
    assert snap_compare(made, terminal_size=size, run_before=after(made, *keys))


def test_signed_hashes(snap_compare: Compare) -> None:
    made = app()
    assert snap_compare(made, terminal_size=(120, 40), run_before=after(made))
