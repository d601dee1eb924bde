"""Providers of the demo whose sources lie, disagree, or do not answer."""

from __future__ import annotations

from lockwarden.demo.cast import Notary, Role
from lockwarden.demo.lockfile import LockEntry
from lockwarden.demo.mirrors import Mirrored
from lockwarden.demo.packages import zipped
from lockwarden.demo.releases import HashesShape
from lockwarden.demo.story import (
    BUILT_AGAIN,
    FIVE,
    FOUR,
    OPENTOFU,
    OTHER,
    Story,
    all_are,
    contents,
    packages_of,
    published,
)
from lockwarden.demo.story import signed_hashes as signed
from lockwarden.demo.world import Response


def lying_registry(notary: Notary) -> Story:
    """The registry reports an h1 that its own package does not have, and the lock file took it over."""
    address, version = f"{OPENTOFU}/acme/compass", "5.1.0"
    packages = packages_of(address, version, FIVE, size=70_000)
    other = packages_of(address, version, FIVE, size=70_000, build="never released")["darwin_arm64"]
    lie = other.h1
    release = published(
        notary,
        address,
        version,
        packages,
        signer=Role.RELEASES,
        offered=(Role.RELEASES,),
        days_ago=9,
        extra_hashes=HashesShape.PACKAGES,
        reported={"darwin_arm64": (packages["darwin_arm64"].zh, lie)},
    )
    honest = (*signed(release), *contents(packages, *(name for name in FIVE if name != "darwin_arm64")))
    return Story(
        title="A registry that reports a wrong h1",
        tells="For darwin_arm64 the registry reports an h1 that its own, signed package does not have. tofu records it"
        " without a look; only who downloads the package can tell.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints=">= 5.0.0, < 6.0.0", hashes=(*honest, lie)),
        verdicts=all_are("confirmed", honest),
    )


def other_bytes(notary: Notary) -> Story:
    """The mirror's package is another program than the origin's."""
    address, version = f"{OPENTOFU}/acme/ferry", "1.4.2"
    packages = packages_of(address, version, FOUR, size=110_000)
    own = packages_of(address, version, FOUR, size=110_000, build="by the mirror")["linux_amd64"]
    release = published(notary, address, version, packages, signer=Role.RELEASES, offered=(Role.RELEASES,), days_ago=48)
    locked = (*signed(release), *contents(packages, "linux_amd64"))
    return Story(
        title="A mirror with another package",
        tells="For linux_amd64 the mirror serves other files than the origin under the same version. Its hashes are"
        " offered; nobody signed them, and neither side confirms the other.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints="~> 1.4", hashes=locked),
        mirrored=Mirrored(address=address, version=version, packages=packages | {"linux_amd64": own}),
        verdicts=all_are("confirmed", locked) | all_are("offered", own.hashes),
    )


def repacked(notary: Notary) -> Story:
    """The mirror packed the same files anew, and its zh came into the lock file."""
    address, version = f"{OPENTOFU}/acme/kiln", "2.2.0"
    packages = packages_of(address, version, FOUR, size=55_000)
    again = zipped(packages["linux_amd64"].files, modified=BUILT_AGAIN)
    release = published(
        notary, address, version, packages, signer=Role.RELEASES, offered=(Role.RELEASES,), days_ago=100
    )
    right = (*signed(release), *contents(packages, "linux_amd64"))
    return Story(
        title="A mirror that repackages",
        tells="The mirror's archive holds the same files in another zip: the h1 is the same, the zh is not. That zh is"
        " in the lock file, and the origin's signed list does not have it.",
        release=release,
        lock=LockEntry(address=address, version=version, hashes=(*right, again.zh)),
        mirrored=Mirrored(address=address, version=version, packages=packages | {"linux_amd64": again}),
        verdicts=all_are("confirmed", right) | {again.zh: "disowned"},
    )


def withdrawn_platform(notary: Notary) -> Story:
    """The registry announces a platform and then does not have it."""
    address, version = f"{OTHER}/acme/anvil", "4.0.0"
    packages = packages_of(address, version, FOUR, size=35_000)
    release = published(notary, address, version, packages, signer=Role.BUILDS, offered=(Role.BUILDS,), days_ago=20)
    gone = Response.of_status(404, text="not found\n")
    locked = (*signed(release), *contents(packages, "linux_amd64"))
    lost = packages["darwin_arm64"].h1
    return Story(
        title="A platform that is gone",
        tells="The team uses darwin_arm64, and the signed list still names its package, but the registry answers that"
        " there is none. Nobody can say any more whether that platform's h1 is right.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints="4.0.0", hashes=(*locked, lost)),
        answers={release.metadata_path("darwin_arm64"): gone, release.package_path("darwin_arm64"): gone},
        verdicts=all_are("confirmed", locked) | {lost: "unchecked"},
    )


def no_answer(notary: Notary) -> Story:
    """One package cannot be fetched, so its h1 stays open."""
    address, version = f"{OTHER}/acme/signal", "0.3.0"
    packages = packages_of(address, version, FOUR, size=65_000)
    release = published(notary, address, version, packages, signer=Role.BUILDS, offered=(Role.BUILDS,), days_ago=5)
    # Nothing is won by waiting, so a client that tries again may do so at once.
    busy = Response.of_status(503, text="try again later\n", headers=(("Retry-After", "0"),))
    locked = (*signed(release), *contents(packages, "linux_amd64"))
    open_question = packages["darwin_arm64"].h1
    return Story(
        title="A package that does not come",
        tells="The server of the packages answers 503 for darwin_arm64. The h1 of that package is neither confirmed nor"
        " unexplained: it could not be checked.",
        release=release,
        lock=LockEntry(address=address, version=version, constraints="~> 0.3.0", hashes=(*locked, open_question)),
        answers={release.package_path("darwin_arm64"): busy},
        verdicts=all_are("confirmed", locked) | {open_question: "unchecked"},
    )


STORIES = (lying_registry, other_bytes, repacked, withdrawn_platform, no_answer)
"""In the order in which a reader meets them."""
