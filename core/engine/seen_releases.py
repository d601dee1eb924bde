"""What earlier runs saw of origin registries' releases, as far as a lock file has a hash of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.locked_elsewhere import LockedElsewhere, signers_of, vouched_for
from lockwarden.core.store.known_releases import KnownRelease, KnownReleases
from lockwarden.core.store.package_files import RELEASES
from lockwarden.core.store.user_key import KEY_FILE, UserKey
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.versions import Version


class SeenReleases:
    """The releases that this user's runs have seen, each provider's read once. Everything here blocks."""

    def __init__(self, kept: KnownReleases) -> None:
        self._kept = kept
        self._read: dict[ProviderAddress, tuple[KnownRelease, ...]] = {}

    @classmethod
    def at(cls, folder: Path | None, state: Path | None) -> Self | None:
        """Those in a folder of the user's cache, sealed with the key in `state`; None where nothing was kept."""
        if folder is None or state is None or not (folder / RELEASES).is_dir():
            return None
        key = UserKey.at(state / KEY_FILE)
        return None if key is None else cls(KnownReleases(folder / RELEASES, key))

    @classmethod
    def of_run(cls, options: AuditOptions, runtime: Runtime) -> Self | None:
        """Those that a run believes: none where it keeps nothing, or computes all anew."""
        return cls.at(runtime.cache_folder, runtime.state_folder) if options.keep_cache and not options.fresh else None

    def of(self, lock_file: LockFile) -> Mapping[ProviderAddress, tuple[LockedElsewhere, ...]]:
        """What is known of the providers that have a hash of another version's package, own versions included."""
        found = {}
        for entry in lock_file.providers:
            if entry.address not in self._read:
                self._read[entry.address] = self._kept.of(entry.address)
            ways = [each for each in self._read[entry.address] if entry.hash_set & each.hashes]
            if any(each.version != entry.version for each in ways):
                origin = entry.address.hostname.display
                found[entry.address] = tuple(
                    LockedElsewhere.seen(each.version, entry.hash_set & each.hashes, origin=origin, on=each.on.date())
                    for each in ways
                )
        return found

    def keep(self, audits: Iterable[Audit], *, now: float) -> None:
        """Remember what the origins vouched for, `now` in seconds since 1970."""
        for audit in audits:
            signers = signers_of(audit)
            self._kept.add(audit.address, audit.version, vouched_for(audit), now=now, signers=signers)

    def states(self, address: ProviderAddress, version: Version) -> tuple[KnownRelease, ...]:
        """All that is known of one release, the earliest first."""
        return self._kept.states(address, version)
