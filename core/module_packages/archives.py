"""Module packages that are archives at a URL: what their bytes are today. They are hashed, and not unpacked here."""

from __future__ import annotations

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.downloads import download
from lockwarden.core.modules.resolution import ArchiveUrl
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.hashes import Hash


async def digest_of_archive(
    http: HttpClient, store: PackageStore, archive: ArchiveUrl, *, wanted: Hash | None = None
) -> str:
    """`sha256:` and the digest of the archive; nothing of it is kept, unless it is the one that is wanted.

    Raises NoAnswerError when it could not be fetched, BadAnswerError when there is none or it cannot be used.
    """
    stored = await download(http, archive.url, store, expected=wanted)
    return f"sha256:{stored.zh.value}"
