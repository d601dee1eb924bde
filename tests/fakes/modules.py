"""Module calls on a real disk whose sources mean what a test says, and an app beside them."""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from fakes.driving import Driver, app_of
from fakes.keeping import MemoryKeeper
from fakes.lock_files import every_verdict
from fakes.running import AUTO, NOW, Disk
from lockwarden.core.engine.module_files import FoundModules, ModuleFilesOnDisk
from lockwarden.core.engine.module_resolving import OnAnswered
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.modules.listing import DiffedCall, ListedCall, ModuleListing
from lockwarden.core.modules.package_diff import PackageDiff, PackageFile, PackageTree, package_diff
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.tui.app import LockwardenApp

FIRST, SECOND = "1f" * 20, "2e" * 20
DIGEST = f"sha256:{'ab' * 32}"
GIT = "git::https://git.example.test/network.git"
OCI = "oci://registry.example.test/modules/cluster"
RANGE = "acme/bucket/aws"
MEANINGS: dict[str, Resolved | Unresolved] = {
    f"{GIT}?ref=v1.2.0": Resolved(revision=FIRST, how="its tag v1.2.0", pinned=f"{GIT}?ref={FIRST}"),
    f"{OCI}?tag=2.0": Resolved(revision=DIGEST, package=DIGEST, how="its tag 2.0", pinned=f"{OCI}?digest={DIGEST}"),
    RANGE: Unresolved(reason="the registry hangs", hint="try later"),
}
MAIN = f'''# everything
module "network" {{
  source = "{GIT}?ref=v1.2.0" # the tag
}}

module "cluster" {{
  source = "{OCI}?tag=2.0"
}}

module "bucket" {{
  source  = "{RANGE}"
  version = "~> 3.0"
}}

module "names" {{
  source = "./names"
}}
'''
DIFF = package_diff(
    PackageTree(
        name=SECOND,
        files={each: PackageFile.of(f"# {each}\n".encode()) for each in ("LICENSE", "main.tf", "old.tf")},
    ),
    PackageTree(
        name=FIRST,
        files={
            "LICENSE": PackageFile.of(b"# LICENSE\n"),
            "main.tf": PackageFile.of(b'# main.tf\nresource "null_resource" "run" {}\n'),
            "logo.png": PackageFile.of(b"\x89PNG\x00"),
        },
    ),
)
LOCK = f'''module "{GIT}?ref=v1.2.0" {{
  revision = "{SECOND}"
  by       = "Grace <grace@example.test>"
  at       = "2026-05-01T08:00:00Z"
}}
'''


@dataclass
class Meanings(ModuleFilesOnDisk):
    """The sources mean what `meanings` say; asking waits at a gate after the first answer, if it is held."""

    meanings: dict[str, Resolved | Unresolved] = field(default_factory=lambda: dict(MEANINGS))
    diff: PackageDiff | Unresolved = field(default_factory=lambda: DIFF)
    held: bool = False
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    may_read: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        names = {"GIT_AUTHOR_NAME": "Ada Example", "GIT_AUTHOR_EMAIL": "ada@example.test", "HOME": os.devnull}
        environ = {"PATH": os.environ["PATH"], **names}
        runtime = Runtime(environ=environ, cache_folder=None, now=lambda: NOW)
        super().__init__(AuditOptions(sources=(), platforms=AUTO), runtime)
        self.may_read.set()

    def read(self, folder: Path, *, base: str) -> FoundModules:
        self.may_read.wait()
        return super().read(folder, base=base)

    async def diffed(self, listing: ModuleListing, listed: ListedCall) -> DiffedCall:
        if self.held:
            await self.gate.wait()
        return DiffedCall(listed=listed, diff=self.diff)

    async def resolved(self, listing: ModuleListing, told: OnAnswered) -> ModuleListing:
        asked = [each for each in listing.calls if each.call.source in self.meanings]
        told(0, len(asked))
        told(1, len(asked))
        if self.held:
            await self.gate.wait()
        known = {each.key: self.meanings[each.call.source] for each in asked}
        return replace(listing, calls=tuple(replace(each, resolution=known.get(each.key)) for each in listing.calls))


def configuration(root: Path, *, main: str = MAIN, lock: str = LOCK) -> Path:
    """A repository with a configuration in infra/prod and a module lock; the folder of the configuration."""
    folder = root / "infra" / "prod"
    (folder / "names").mkdir(parents=True)
    (folder / "names" / "main.tf").touch()
    (folder / "main.tf").write_text(main)
    (root / ".git").mkdir()
    if lock:
        (root / ".lockwarden").mkdir()
        (root / ".lockwarden" / "modules.hcl").write_text(lock)
    return folder


def modules_app(folder: Path, files: Meanings | None = None, *, base: str = "") -> LockwardenApp:
    """The app on a lock file in a folder of module calls, which is new since a base."""
    world = every_verdict()
    keeper = MemoryKeeper(bases={base: None}) if base else None
    disk = Disk(world.data, path=str(folder / ".terraform.lock.hcl"))
    app = app_of(world, disk=disk, keeper=keeper, base=base)
    app.setup = replace(app.setup, modules=files or Meanings())
    return app


async def opened_modules(d: Driver, *keys: str) -> None:
    """Open the screen of modules, and press some keys there."""
    await d.press("M")
    await d.settle()
    await d.press(*keys)
    await d.settle()


def key_of(d: Driver) -> str:
    """The selected call; empty for none."""
    call = d.app.modules.call
    return "" if call is None else call.key


def lock_in(folder: Path) -> Path:
    """Where the module lock of a configuration is."""
    return folder.parents[1] / ".lockwarden" / "modules.hcl"


async def pressed(d: Driver, *keys: str) -> None:
    """Press some keys, and wait until everything has settled."""
    await d.press(*keys)
    await d.settle()
