"""The packages of modules as trees: fetched by a revision, held against what is installed, and against each other."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from lockwarden.core.engine.network import Network, opened_network
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.module_packages.git_packages import GitPackages
from lockwarden.core.module_packages.placing import module_folder
from lockwarden.core.module_packages.trees import tree_in
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.oci_sources import OciModuleSource
from lockwarden.core.modules.package_diff import PackageTree
from lockwarden.core.modules.resolution import (
    ArchiveUrl,
    GitRepository,
    PackageLocation,
    PackageSource,
    Resolved,
    Unresolved,
    question_of,
)
from lockwarden.core.modules.sources import RemoteSource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.system.programs import temporary_folder
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError, NotThereError, SourceError
from lockwarden.core.values.hashes import zh_of_digest
from lockwarden.core.values.oci_references import Digest

MAX_FETCHED: Final = 100
"""Packages that are fetched in one run."""
_SIDE_BY_SIDE: Final = 4
_FEWER: Final = "look at fewer folders at a time"
_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class PackageTrees:
    """Fetches packages by the revision that they are of, each once."""

    def __init__(self, network: Network, store: PackageStore, runtime: Runtime, options: AuditOptions) -> None:
        self._network = network
        self._store = store
        self._git = GitPackages(runtime.environ)
        self._offline = options.offline
        self._slots = asyncio.Semaphore(_SIDE_BY_SIDE)
        self._storing = asyncio.Lock()
        """Two packages with the same bytes would replace each other's file in the store while it is unpacked."""
        self._count = 0
        self._locks: dict[tuple[PackageLocation, str], asyncio.Lock] = {}
        self._known: dict[tuple[PackageLocation, str], PackageTree | Unresolved] = {}

    async def fetch(
        self, listed: ListedCall, listing: ModuleListing, revision: str, *, contents: bool
    ) -> PackageTree | Unresolved:
        """The package that a call's source had at a revision: a commit, or the digest of a manifest or an archive.

        Its bytes have that revision's digest. It is called by the revision. Without `contents` only the digests and
        sizes of its files are kept.
        """
        package = _location_of(listed, listing)
        if isinstance(package, Unresolved):
            return package
        if self._offline:
            return Unresolved(reason="nobody was asked, because of --offline", hint="leave --offline out")
        if not _fits(package.source, revision):
            return Unresolved(reason=f"{revision} is no revision of such a source", hint=_ANEW)
        key = (package, revision)
        async with self._locks.setdefault(key, asyncio.Lock()):
            if contents or key not in self._known:
                if self._count >= MAX_FETCHED:
                    return Unresolved(reason=f"more than {MAX_FETCHED} packages are not fetched", hint=_FEWER)
                self._count += 1
                found = await self._fetch(package, revision, contents=contents)
                if contents:
                    return found  # it may be large, and is asked for once
                self._known[key] = found
            return self._known[key]

    async def _fetch(self, package: PackageLocation, revision: str, *, contents: bool) -> PackageTree | Unresolved:
        async with self._slots:
            with tempfile.TemporaryDirectory(prefix="lockwarden-", dir=temporary_folder()) as name:
                folder = Path(name)
                try:
                    missing = await self._put(package.source, revision, folder)
                    if missing is not None:
                        return missing
                    return await asyncio.to_thread(_tree, folder, package.within, revision, contents=contents)
                except (SourceError, ArchiveError) as error:
                    absent = isinstance(error, NotThereError)
                    return Unresolved(reason=error.message, hint=error.hint, absent=absent)

    async def _put(self, package: PackageSource, revision: str, folder: Path) -> Unresolved | None:
        """Put the files into an empty folder. Raises SourceError and ArchiveError."""
        if isinstance(package, GitRepository):
            return await self._git.check_out(package, revision, folder)
        async with self._storing:
            return await self._put_stored(package, revision, folder)

    async def _put_stored(
        self, package: OciModuleSource | ArchiveUrl, revision: str, folder: Path
    ) -> Unresolved | None:
        if isinstance(package, OciModuleSource):
            packages = self._network.module_packages()
            exact = OciModuleSource(repository=package.repository, digest=Digest.parse(revision))
            await packages.unpack(await packages.resolve(exact), folder)
            return None
        wanted = zh_of_digest(bytes.fromhex(Digest.parse(revision).value))
        digest = await self._network.digest_of_archive(package, wanted=wanted)
        if digest != revision:
            return Unresolved(reason=f"the archive is {digest} now, and {revision} cannot be had any more", hint=_LOOK)
        if await self._store.unpack(wanted, folder, kind=package.kind) is None:
            return Unresolved(reason="the archive was removed before it could be unpacked", hint="try again")
        return None


_LOOK: Final = "whoever keeps the archive may have the earlier one"
_ANEW: Final = "remove the block from the module lock and lock again"


def _tree(folder: Path, within: Sequence[str], revision: str, *, contents: bool) -> PackageTree:
    """The package in a folder, or within folders of it. Raises ArchiveError, also when a link leads out of it."""
    top = folder
    for each in within:
        top /= module_folder(top, each)
        if not Path(os.path.realpath(top)).is_relative_to(os.path.realpath(folder)):
            raise ArchiveError("a link in it leads out of it", code=ArchiveFault.LEAVING_LINK)
    return tree_in(top, name=revision, contents=contents)


def _fits(package: PackageSource, revision: str) -> bool:
    """Whether a revision, which may come from a file, is one that such a source can have."""
    if isinstance(package, GitRepository):
        return _COMMIT.fullmatch(revision) is not None
    try:
        digest = Digest.parse(revision)
    except ValueError:
        return False
    return isinstance(package, OciModuleSource) or digest.zh is not None


def _location_of(listed: ListedCall, listing: ModuleListing) -> PackageLocation | Unresolved:
    """Where the package of a call comes from, or why it is not fetched."""
    today = listed.resolution
    if isinstance(today, Resolved) and today.location is not None:
        return today.location
    source = listed.call.parsed(listing.client.default_registry)
    if isinstance(source, RemoteSource):
        question = question_of(source, listed.call.source)
        match question:
            case Unresolved():
                return question
            case OciModuleSource():
                return PackageLocation(source=question.whole)
            case GitRepository() | ArchiveUrl():
                return PackageLocation(source=question)
    why = today.reason if isinstance(today, Unresolved) else "nobody was asked"
    return Unresolved(reason=f"where its package lies is not known: {why}", hint="ask again what its source means")


@asynccontextmanager
async def opened_trees(options: AuditOptions, runtime: Runtime) -> AsyncIterator[PackageTrees]:
    """What fetches packages, until the block ends. Nothing of them is left behind."""
    async with (
        PackageStore(None, now=lambda: runtime.now().timestamp()) as store,
        opened_network(options, runtime, store, runtime.report) as network,
    ):
        yield PackageTrees(network, store, runtime, options)
