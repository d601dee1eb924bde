"""Providers of the demo whose lock file entry holds what the origin does not know."""

from __future__ import annotations

from lockwarden.demo.cast import Notary, Role
from lockwarden.demo.lockfile import LockEntry
from lockwarden.demo.story import (
    BUILT_AGAIN,
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


def released_again(notary: Notary) -> Story:
    """The publisher replaced the packages of a version that was locked before."""
    address, version = f"{OTHER}/acme/ledger", "1.0.3"
    before = packages_of(address, version, WITHOUT_WINDOWS, size=40_000, build="first")
    packages = packages_of(address, version, WITHOUT_WINDOWS, size=40_000, build="second", modified=BUILT_AGAIN)
    first = published(notary, address, version, before, signer=Role.BUILDS, offered=(), days_ago=90)
    release = published(notary, address, version, packages, signer=Role.BUILDS, offered=(Role.BUILDS,), days_ago=3)
    old = [text for text in signed(first) if text not in signed(release)]
    kept = [text for text in signed(first) if text in signed(release)]
    fresh = [text for text in signed(release) if text not in signed(first)]
    content = contents(before, "linux_amd64")
    return Story(
        title="The same version, released again",
        tells="The lock file has the packages of the first release. The publisher has replaced them since, and signed a"
        " new list: the old zh are disowned, the new ones are new.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints="~> 1.0", hashes=(*signed(first), *content)),
        verdicts=all_are("disowned", old)
        | all_are("confirmed", kept)
        | all_are("new", fresh)
        | all_are("unexplained", content),
    )


def planted(notary: Notary) -> Story:
    """Somebody added the hashes of a package that nobody released."""
    address, version = f"{OPENTOFU}/acme/gauge", "0.3.7"
    packages = packages_of(address, version, FOUR, size=50_000)
    hostile = packages_of(address, version, FOUR, size=50_000, build="by nobody")["linux_amd64"]
    release = published(notary, address, version, packages, signer=Role.RELEASES, offered=(Role.RELEASES,), days_ago=60)
    right = (*signed(release), *contents(packages, "linux_amd64", "windows_amd64"))
    return Story(
        title="Two planted hashes",
        tells="Beside the right hashes stand the h1 and the zh of a package that nobody released. Every client command"
        " keeps them and would install that package.",
        release=release,
        lock=LockEntry(address=address, version=version, hashes=(*right, *hostile.hashes)),
        verdicts=all_are("confirmed", right) | {hostile.zh: "disowned", hostile.h1: "unexplained"},
    )


STORIES = (released_again, planted)
"""In the order in which a reader meets them."""
