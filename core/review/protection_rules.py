"""What a change of an entry takes away: hashes of a scheme, or of a platform, that clients checked packages by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.change_kinds import Change, ChangeContext, ChangeKind
from lockwarden.core.review.changes import EntryChange
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.values.hashes import H1, PREFERRED_SCHEMES, ZH, Hash
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.severity import Severity

_LOCK: Final = "“lockwarden lock” adds the hashes of the platforms that you name"


def protection_changes(
    before: LockedProvider, after: LockedProvider, change: EntryChange, context: ChangeContext
) -> Iterator[Change]:
    """What the entry lost that packages were checked by, the entry's all first, then a scheme, then platforms."""
    if before.protects and not after.protects:
        yield Change(
            kind=ChangeKind.PROTECTION_REMOVED,
            severity=Severity.ERROR,
            message=f"no usable hash of {after.address} is left, so every client accepts any package for it",
            hint="put the hashes back" if change.same_packages else _LOCK,
        )
        return
    for scheme, consequence in (
        (H1, "an unpacked mirror is no longer checked, and a run finds no hash that a folder could match"),
        (ZH, "an OCI mirror cannot serve it, and no signed list names what is left"),
    ):
        if _of_scheme(before, scheme) and not _of_scheme(after, scheme):
            worthless = any(each.scheme == scheme for each in after.hash_set)
            # Other packages are often locked anew from another source; a policy can require their schemes.
            fewer = not change.same_packages and not worthless
            yield Change(
                kind=ChangeKind.PROTECTION_REMOVED,
                severity=Severity.WARNING if fewer else Severity.ERROR,
                message=f"the last {scheme} hash of {after.address} "
                + ("that could match is gone" if worthless else f"is gone: {consequence}"),
                hint=_LOCK,
            )
    lost, lost_h1 = (_lost_platforms(change, context.evidence, schemes) for schemes in (PREFERRED_SCHEMES, {H1}))
    if lost:
        yield _fewer(f"no hash known to be of {_listed(lost)} is left, where there was one")
    if lost_h1 - lost and _of_scheme(after, H1):
        yield _fewer(f"no h1 known to be of {_listed(lost_h1 - lost)} is left, where there was one")
    was, now = len(_of_scheme(before, H1)), len(_of_scheme(after, H1))
    packages, left = len(_of_scheme(before, ZH)), len(_of_scheme(after, ZH))
    # The `zh` are those of a list of all packages: where as many of them went, the release has fewer platforms.
    smaller = left > 0 and was - now <= packages - left
    if not change.same_packages and 0 < now < was and not smaller:
        yield _fewer(f"{was} h1 hashes were locked and {now} {'are' if now > 1 else 'is'}: fewer platforms have one")


def _listed(platforms: Iterable[Platform]) -> str:
    return ", ".join(str(each) for each in sorted(platforms, key=by_popularity))


def _fewer(message: str) -> Change:
    return Change(
        kind=ChangeKind.PROTECTION_REMOVED,
        severity=Severity.WARNING,
        message=message,
        hint="if those platforms are still in use, add them: lockwarden lock --platform OS_ARCH",
    )


def _of_scheme(entry: LockedProvider, scheme: str) -> frozenset[Hash]:
    return frozenset(each for each in entry.hash_set if each.scheme == scheme and each.usable)


def _lost_platforms(change: EntryChange, evidence: Evidence | None, schemes: Collection[str]) -> frozenset[Platform]:
    """Platforms that a hash which went is known to be of, and no hash of the schemes that is locked now."""
    if evidence is None or change.after is None:
        return frozenset()

    def known(hashes: Iterable[Hash]) -> frozenset[Platform]:
        right = (hash_ for hash_ in hashes if hash_.scheme in schemes and evidence.confirms(hash_))
        return frozenset(platform for hash_ in right for platform in evidence.platforms_of(hash_))

    return known(change.removed) - known(change.after.hash_set)
