"""The credentials for OCI registries when several threads ask for them first."""

from __future__ import annotations

import contextlib
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import pytest

from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.oci_credentials import OciCredentialStore
from lockwarden.core.cli_config.stores import oci_credential_store
from lockwarden.core.engine import operator_configuration
from lockwarden.core.engine.operator_configuration import Configured

WAIT = 0.05
"""Seconds that whoever makes a store waits for somebody who makes another one."""


def test_whichever_threads_ask_first_there_is_one_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    surroundings = Surroundings.of_process({"HOME": str(tmp_path)})
    configured = Configured.of(surroundings)
    make = oci_credential_store
    both = Barrier(2)

    def slowly(*given: object, **named: object) -> OciCredentialStore:
        with contextlib.suppress(BrokenBarrierError):
            both.wait(WAIT)
        return make(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(operator_configuration, "oci_credential_store", slowly)
    stores: list[OciCredentialStore] = []
    threads = [Thread(target=lambda: stores.append(configured.oci_credentials)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 2
    assert stores[0] is stores[1]
