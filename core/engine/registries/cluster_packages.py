"""Packages of an audit, looked at by the workers of a cluster: each goes out when the audit asks for it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from lockwarden.core.engine.registries.audited_packages import AuditWork, package_of
from lockwarden.core.engine.registries.cluster import TRIES, ClusterTasks
from lockwarden.core.engine.registries.seats import LOOK, Seats, deadly, killed_workers, not_done
from lockwarden.core.http.elsewhere import AskedPackage
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.urls import redacted


class _GoneError(Exception):
    """All who were to do it are gone, and others are there."""


class ClusterPackages:
    """Fetches packages on a cluster. Downloads from one host at the same time are those of the settings, over all."""

    def __init__(self, client: Any, settings: HttpSettings, tasks: ClusterTasks, seats: Seats, *, here: bool) -> None:
        """`here` says that the workers are this machine's own."""
        self._client = client
        self._tasks = tasks
        self._seats = seats
        self.lasting = here
        """What other machines say is believed for a run; facts are kept of what was computed on this one."""
        http = replace(settings, packages_per_host=max(1, settings.packages_per_host // seats.count))
        if not here:
            # What is of this machine, or holds secrets, stays here.
            http = replace(http, ca_file="", ca_folders="", client_certificate="", client_key="", proxies={})
        self.shared = msgspec.json.encode(AuditWork(http=http, here=here, run=secrets.token_hex(16)))

    async def package(self, asked: AskedPackage) -> KnownPackage:
        """What a package is, whichever workers come and go.

        Raises the SourceError that the worker met, and ToolError when the scheduler or all workers are gone, or when a
        worker gives something that it was not asked for.
        """
        tries = deaths = 0
        while True:
            try:
                return package_of(await self._answer(asked, tries), asked)
            except _GoneError:
                pass
            except Exception as error:  # what distributed raises for killed workers is known by its name alone
                if not killed_workers(error):
                    raise
                deaths += 1
                if deaths > TRIES:
                    raise deadly(redacted(asked.url)) from error
            tries += 1

    async def _answer(self, asked: AskedPackage, tries: int) -> bytes:
        """One attempt. Raises _GoneError when all who might do it are gone, and what killed its workers."""
        chosen, data = self._seats.taken, msgspec.json.encode(asked)
        key = hashlib.sha256(self.shared + data).hexdigest()[:32]
        future = self._client.submit(
            self._tasks.package,
            self.shared,
            data,
            key=f"lockwarden-package-{key}-{tries}",
            workers=list(chosen) or None,
            allow_other_workers=False,
            pure=False,
        )
        result = asyncio.ensure_future(future.result())
        try:
            while not result.done():
                await asyncio.wait([result], timeout=LOOK)
                if not result.done() and not await self._seats.alive() & set(chosen) and self._seats.taken:
                    raise _GoneError
            try:
                answer: bytes = result.result()
            except (asyncio.CancelledError, Exception) as error:  # a lost task is a cancelled one
                if killed_workers(error):
                    raise
                raise not_done(error) from error
            return answer
        finally:
            await self._let_go(future, result)

    async def _let_go(self, future: Any, result: asyncio.Future[bytes]) -> None:
        if result.done():
            future.release()
            return
        result.cancel()
        # Gathered, not awaited: how it ends does not matter, and a cancellation of the audit must not be lost.
        await asyncio.gather(result, return_exceptions=True)
        with suppress(Exception):  # nobody waits for it any more, and a scheduler that is gone has nothing to cancel
            await self._client.cancel([future])
