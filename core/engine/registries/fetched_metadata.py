"""Metadata of a registry that is given out at a URL: one file, or an archive of the registry's repository."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lockwarden.core.engine.registries.settings import WorkRuntime, WorkSettings
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.downloads import download
from lockwarden.core.registry_metadata.model import MAX_SIZE, provider_of
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.errors import ArchiveError, InputError, SourceError, Stage
from lockwarden.core.values.urls import redacted

_OK = 200


def is_url(place: str) -> bool:
    """Whether somebody who names metadata means a URL."""
    return place.lower().startswith(("https://", "http://"))


@asynccontextmanager
async def fetched_metadata(url: str, settings: WorkSettings, place: WorkRuntime) -> AsyncIterator[Path]:
    """The metadata in a temporary folder until the block ends. Raises InputError when it cannot be had."""
    with tempfile.TemporaryDirectory(prefix="lockwarden-") as folder:
        client = HttpClient(place.http(settings), now=place.now, transport=place.transport)
        try:
            async with client as http, PackageStore(None, now=place.now, limits=settings.store_limits) as store:
                if urlsplit(url).path.lower().endswith(".json"):
                    await _one_file(http, url, Path(folder))
                else:
                    stored = await download(http, url, store, promised=lambda _: True)
                    if await store.unpack(stored.zh, Path(folder), kind="") is None:
                        raise InputError(f"what {redacted(url)} gives is gone from the disk already")
        except (SourceError, ArchiveError) as error:
            raise InputError(
                f"no metadata can be had from {redacted(url)}: {error.message}",
                hint="name a metadata file, as …/providers/a/acme/widget.json, or a .tar.gz or .zip archive of the"
                " registry's repository",
            ) from error
        yield Path(folder)


async def _one_file(http: HttpClient, url: str, folder: Path) -> None:
    path = unquote(urlsplit(url).path)
    parts = provider_of(path)
    if parts is None or any(part in {".", ".."} for part in parts):
        raise InputError(
            f"{redacted(url)} is not named like a metadata file",
            hint="the name of one ends with providers/LETTER/NAMESPACE/NAME.json",
        )
    document = await http.get_document(url, stage=Stage.METADATA, limit=MAX_SIZE)
    if document.status != _OK:
        raise InputError(f"{redacted(url)} answered {document.status}", hint="look whether the file is still there")
    target = folder / "providers" / parts[0][:1].lower() / parts[0] / f"{parts[1]}.json"
    await asyncio.to_thread(_written, target, document.body)


def _written(target: Path, body: bytes) -> None:
    target.parent.mkdir(parents=True)
    target.write_bytes(body)
