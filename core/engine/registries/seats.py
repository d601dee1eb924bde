"""Who of a cluster's workers may work: the limits on hosts are dealt out among as many seats, each with one worker."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from lockwarden.core.values.errors import ToolError

LOOK: Final = 1.0
"""Seconds between two looks at which workers there are."""
_ALONE: Final = 60.0
"""Seconds without any worker after which nobody is waited for any more."""
GO_ON: Final = "what is known so far is kept; go on with the same command when the cluster is well"


class Seats:
    """The seats of one run. A seat is taken again only when its worker is gone."""

    def __init__(self, client: Any, workers: Iterable[str]) -> None:
        self._client = client
        self.taken = tuple(sorted(workers))
        """The addresses of those who sit there."""
        self.count = len(self.taken)
        self._alive = frozenset(self.taken)
        self._looked = self._seen = asyncio.get_running_loop().time()

    async def alive(self) -> frozenset[str]:
        """The workers that there are, as of the last second; the seats of those that are gone went to others.

        Raises ToolError when the scheduler is gone, or all workers are and have been for a minute.
        """
        now = asyncio.get_running_loop().time()
        if now - self._looked < LOOK:
            return self._alive
        self._looked = now
        self._alive = await alive_workers(self._client)
        if self._alive:
            self._seen = now
        elif now - self._seen >= _ALONE:
            raise ToolError(f"all workers of the cluster have been gone for {now - self._seen:.0f} seconds", hint=GO_ON)
        kept = [seat for seat in self.taken if seat in self._alive]
        spare = sorted(self._alive - set(kept))[: self.count - len(kept)]
        self.taken = tuple(sorted((*kept, *spare)))
        return self._alive


async def alive_workers(client: Any) -> frozenset[str]:
    """The addresses of the workers that the scheduler knows. Raises ToolError when it does not answer."""
    try:
        known: Any = await client.scheduler.identity()
    except Exception as error:  # distributed hands on whatever its transports raise
        raise ToolError(
            f"the scheduler does not answer any more: {str(error) or type(error).__name__}", hint=GO_ON
        ) from error
    return frozenset(known["workers"])


def killed_workers(error: BaseException) -> bool:
    """Whether a task came to nothing because those who did it died of it."""
    return type(error).__name__ == "KilledWorker"


def not_done(error: BaseException) -> ToolError:
    """The error for a task that failed for a reason that lies in no package: the cluster, or a bug."""
    return ToolError(f"the cluster did not do its work: {type(error).__name__}: {error}", hint=GO_ON)


def deadly(url: str) -> ToolError:
    """The error for a package that one worker after the other dies of, such as for want of memory."""
    return ToolError(
        f"each worker that looks at {url} dies",
        hint="look into the workers' logs, perhaps they have too little memory; then go on with the same command",
    )
