"""The module calls of a configuration, each with everything that is known of it."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.comparison import CopyComparison
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.lock_changes import FilesOfEntry, LockChange
from lockwarden.core.modules.module_lock import HeldAgainst
from lockwarden.core.modules.package_diff import PackageDiff
from lockwarden.core.modules.pinning import Classified
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.values.clients import Client


class ReadingProblem(Struct, frozen=True, kw_only=True):
    """What could not be read of a configuration."""

    path: str
    message: str
    """A clause."""
    line: int = 0


class ListedCall(Struct, frozen=True, kw_only=True):
    """One call, with what its text says and what lies there."""

    key: str
    """The names of the calls that lead there, as `network.subnets`."""
    call: ModuleCall
    classified: Classified
    installed: InstalledState | None = None
    """None for a local module, which needs no installation, and where nothing could be installed."""
    own: bool = True
    """Whether the call stands in the configuration itself, and not in a module that a client installed."""
    folder: str = ""
    """Where it lies, as people know it; empty where that is not known."""
    version: str = ""
    """The version of a registry's module that is installed."""
    package: str = ""
    """The folder of the whole package that is installed, absolute; empty where there is none."""
    held_against: HeldAgainst | None = None
    """How it stands to the module lock; None where there is no lock, or nothing to be locked."""
    resolution: Resolved | Unresolved | None = None
    """What the source means today; None where nobody was to ask, or nothing is there to be asked."""
    lock_change: LockChange | None = None
    """What the change under review does to its entry in the module lock; None for nothing, and without a base."""
    locked_files: FilesOfEntry = FilesOfEntry.NONE
    """How the files stand to the package that the change under review locks for it, where it adds the entry."""
    comparison: CopyComparison | None = None
    """How the installed copy stands to the package of its source; None where they were not to be compared."""


class DiffedCall(Struct, frozen=True, kw_only=True):
    """One call with what is new in its package, or why that cannot be told."""

    listed: ListedCall
    diff: PackageDiff | Unresolved


class ModuleListing(Struct, frozen=True, kw_only=True):
    """All module calls of one configuration."""

    path: str
    """The folder as it was named."""
    client: Client
    """By whose rules it was read."""
    calls: tuple[ListedCall, ...]
    problems: tuple[ReadingProblem, ...]
    other_files: bool = False
    """Whether the other client would read other files of it."""

    @property
    def not_installed(self) -> int:
        """How many modules no client installed, so that the calls inside of them are not there."""
        return sum(each.installed is InstalledState.NOT_INSTALLED for each in self.calls)
