"""Which cluster the options mean, and how an audit gets its workers from there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from lockwarden.core.values.errors import InputError

if TYPE_CHECKING:
    from lockwarden.core.engine.registries.cluster_opening import ClusterPlace
    from lockwarden.core.http.elsewhere import PackagesElsewhere
    from lockwarden.core.http.settings import HttpSettings


def cluster_place(workers: int | None, scheduler: str | None) -> ClusterPlace | None:
    """The cluster of `--workers` or `--scheduler`; None without these. Raises InputError for both."""
    if workers is not None and scheduler is not None:
        raise InputError("--workers and --scheduler exclude each other", hint="a scheduler has its own workers")
    if workers is None and scheduler is None:
        return None
    from lockwarden.core.engine.registries.cluster_opening import ClusterPlace

    return ClusterPlace(workers=workers, address=scheduler or "")


def audit_workers(
    cluster: ClusterPlace | None, jobs: int
) -> Callable[[HttpSettings], AbstractAsyncContextManager[PackagesElsewhere]] | None:
    """What opens the way to the workers of a cluster, for an audit that asks for so many packages at a time."""
    if cluster is None:
        return None
    from lockwarden.cli.cluster_work import TASKS
    from lockwarden.core.engine.registries.cluster_opening import opened_packages

    return lambda settings: opened_packages(settings, TASKS, cluster, jobs=jobs)
