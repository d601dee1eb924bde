"""Providers of the demo that differ in who signed them and what the registry says about that."""

from __future__ import annotations

from lockwarden.demo.cast import Notary, Role
from lockwarden.demo.lockfile import LockEntry
from lockwarden.demo.mirrors import Mirrored
from lockwarden.demo.releases import HashesShape
from lockwarden.demo.story import (
    FIVE,
    FOUR,
    OPENTOFU,
    OTHER,
    WITHOUT_WINDOWS,
    Story,
    all_are,
    contents,
    packages_of,
    published,
)
from lockwarden.demo.story import signed_hashes as signed


def plain(notary: Notary) -> Story:
    """Everything in order: a signed list, and hashes from the registry that are true."""
    address, version = f"{OPENTOFU}/acme/widget", "3.2.1"
    packages = packages_of(address, version, FIVE, size=180_000)
    release = published(
        notary,
        address,
        version,
        packages,
        signer=Role.RELEASES,
        offered=(Role.RELEASES,),
        days_ago=30,
        extra_hashes=HashesShape.PACKAGES,
    )
    locked = (*signed(release), *contents(packages, *FIVE))
    mirrored = Mirrored(address=address, version=version, packages=packages)
    return Story(
        title="A release as it should be",
        tells="Signed, and every hash of the lock file is one that the origin vouches for. One zh is no package but the"
        " release's manifest.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints="~> 3.2", hashes=locked),
        mirrored=mirrored,
        in_folders=mirrored,
        verdicts=all_are("confirmed", locked),
    )


def two_keys(notary: Notary) -> Story:
    """The registry offers an expired key before the one that signed."""
    address, version = f"{OPENTOFU}/acme/relay", "1.8.0"
    packages = packages_of(address, version, FOUR, size=60_000)
    release = published(
        notary,
        address,
        version,
        packages,
        signer=Role.RELEASES,
        offered=(Role.RETIRED, Role.RELEASES),
        days_ago=12,
    )
    locked = (*signed(release), *contents(packages, "linux_amd64", "darwin_arm64"))
    mirrored = Mirrored(address=address, version=version, packages=packages)
    return Story(
        title="Two keys, one of them expired",
        tells="The publisher changed keys. The registry still offers the expired one first; this release was signed by"
        " the other.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints=">= 1.6.0", hashes=locked),
        mirrored=mirrored,
        in_folders=mirrored,
        verdicts=all_are("confirmed", locked),
    )


def signing_subkey(notary: Notary) -> Story:
    """A subkey signed; the lock file is incomplete; a registry that is not the default one reports h1 hashes."""
    address, version = f"{OTHER}/acme/beacon", "0.9.4"
    packages = packages_of(address, version, FIVE, size=90_000)
    release = published(
        notary,
        address,
        version,
        packages,
        signer=Role.OFFLINE,
        offered=(Role.OFFLINE,),
        days_ago=75,
        extra_hashes=HashesShape.PACKAGES,
    )
    locked = (packages["linux_amd64"].zh, packages["linux_arm64"].zh, packages["linux_amd64"].h1)
    missing = [text for text in signed(release) if text not in locked]
    return Story(
        title="Signed by a subkey, locked on one machine",
        tells="The primary key only certifies; its subkey signed. The lock file knows linux only: the other signed zh"
        " are new. The h1 that this registry reports are offered: no signature covers them.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints="~> 0.9.0", hashes=locked),
        verdicts=all_are("confirmed", locked)
        | all_are("new", missing)
        | all_are("offered", contents(packages, "windows_amd64")),
    )


def no_keys(notary: Notary) -> Story:
    """The default registry offers no key at all."""
    address, version = f"{OPENTOFU}/acme/lantern", "2.0.0"
    packages = packages_of(address, version, WITHOUT_WINDOWS, size=45_000)
    release = published(notary, address, version, packages, signer=Role.UNPUBLISHED, offered=(), days_ago=200)
    locked = (*signed(release), *contents(packages, "linux_amd64"))
    return Story(
        title="No keys: signing skipped",
        tells="The registry offers no signing key for this publisher. Its word is all that stands behind these hashes.",
        release=release,
        lock=LockEntry(address=address, version=version, hashes=locked),
        verdicts=all_are("confirmed", locked),
    )


STORIES = (plain, two_keys, signing_subkey, no_keys)
"""In the order in which a reader meets them."""
