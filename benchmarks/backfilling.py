"""A registry's metadata that lacks 2,000 hashes, and the programs that compute them: a backfill in one process and on
Dask workers, and the bare pipeline over the same URLs.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Final

from benchmarks.processes import RunError, Usage, run
from benchmarks.programs import LOCKWARDEN, Workshop
from benchmarks.world import VERSION

COPIES: Final = 100
"""Each package is given out at so many URLs."""
_STARTS: Final = "1000"
"""Starts a second: the registry of the benchmarks needs no politeness."""


def urls(shop: Workshop) -> list[str]:
    """Where all of them are; the registry does not look at the first two parts of such a path."""
    return [url.replace("/files/", f"/copy/{copy}/files/", 1) for copy in range(COPIES) for url in shop.urls]


def run_bare_over_all(shop: Workshop) -> Usage:
    """The bare pipeline, six at a time."""
    folder = shop.fresh("bare-backfill")
    root = Path(__file__).resolve().parent.parent
    environ = {**shop.environ(folder / "home"), "PYTHONPATH": str(root)}
    return run([sys.executable, "-m", "benchmarks.bare", "pipeline", *urls(shop)], folder=folder, environ=environ)


def run_backfill(shop: Workshop, workers: int = 0) -> Usage:
    """The run of a backfill, with a new journal; its metadata stays. Raises RunError where lines are missing."""
    folder = shop.fresh(f"backfill-{workers}")
    _write_metadata(shop, folder)
    words = ["registry", "backfill", ".", "--step", "run", "--host-starts", _STARTS]
    words += ["--workers", str(workers)] if workers else []
    usage = run([str(LOCKWARDEN), *words], folder=folder, environ=shop.environ(folder / "home"))
    lines = (folder / "lockwarden-backfill.jsonl").read_text(encoding="utf-8").splitlines()
    if len([line for line in lines if '"state":"done"' in line]) != len(shop.urls) * COPIES:
        raise RunError(f"{len(lines)} lines for {len(shop.urls) * COPIES} packages")
    return usage


def _write_metadata(shop: Workshop, folder: Path) -> None:
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in shop.world.packages(shop.chosen)}
    for copy in range(COPIES):
        for each in shop.chosen.types:
            targets = []
            for url in shop.urls:
                name = url.rpartition("/")[2]
                if url.split("/")[-2] != each:
                    continue
                os, arch = name.removesuffix(".zip").split("_")[-2:]
                target = {"os": os, "arch": arch, "filename": name}
                target |= {"download_url": url.replace("/files/", f"/copy/{copy}/files/", 1), "shasum": digests[name]}
                targets.append(target)
            path = folder / "providers" / "c" / f"copy{copy}" / f"{each}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"versions": [{"version": VERSION, "targets": targets}]}, indent=2))
