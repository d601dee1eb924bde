"""Packages that were kept and that nobody gives out now, as lines of plain text; whoever shows them reveals them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockwarden.core.reports.package_diff_lines import package_lines
from lockwarden.core.review.backfill_sightings import Came, Sighting
from lockwarden.core.review.rereleases import PackageRelation, Rerelease, SameKey

TITLE = "Kept packages of hashes that nothing vouches for"


def rerelease_lines(rereleases: Iterable[Rerelease]) -> Iterator[str]:
    """Each package: what it was, since when it is gone, who signed, and what differs; nothing for none."""
    for number, each in enumerate(rereleases):
        if number == 0:
            yield TITLE
        yield f"  {each.address} {each.version}"
        yield from (f"    {line}" for line in _of_one(each))


def _of_one(found: Rerelease) -> Iterator[str]:
    kept = "was seen" if found.diff is None and not found.given_out and found.sightings else "is kept"
    yield f"{found.old} {kept}; locked are {', '.join(map(str, found.locked))}"
    yield when_words(found)
    for giver, on in found.given_out:
        yield f"  seen at {giver or 'some place'}, last on {on:%Y-%m-%d}"
    yield from (f"  {_sighting_words(each)}" for each in found.sightings)
    yield f"  {signers_words(found)}"
    if found.relation is None or found.diff is None:
        yield f"? what is other today is not known: {found.why_not}"
        return
    mark = "▲" if found.relation is PackageRelation.SAME_CONTENT else "✗"
    yield f"{mark} {found.relation}, beside the {found.platform} package of today, which is the most like it"
    yield from package_lines(found.diff)


def when_words(found: Rerelease) -> str:
    """Whether it was this version's, and since when it is not, as far as earlier runs have seen."""
    if found.had_until is None and any(each.of_this_version for each in found.sightings):
        return "▲ it was this version's, as the metadata of a registry had it"
    if found.had_until is None:
        return "? no earlier run saw that it was this version's: it may be another release's"
    host = found.address.hostname.display
    gone = f", and first without it on {found.gone_since:%Y-%m-%d}" if found.gone_since else ""
    return f"▲ the release was made anew: {host} had it when it was asked on {found.had_until:%Y-%m-%d}{gone}"


def _sighting_words(sighting: Sighting) -> str:
    instead = f": {sighting.instead}" if sighting.instead is not None else ""
    came = {
        Came.IT: "got it from",
        Came.OTHER_BYTES: "got other bytes from",
        Came.NOTHING: "found nothing at",
    }[sighting.came]
    return f"a backfill {came} {sighting.place} on {sighting.on:%Y-%m-%d}{instead}"


def signers_words(found: Rerelease) -> str:
    """Who signed then and now."""
    now = ", ".join(sorted(found.signers_now)) or "nobody"
    then = next((each.signers for each in reversed(found.states) if each.had_the_old and each.signers), frozenset())
    match found.same_key:
        case SameKey.SAME:
            return f"signed by {found.same_key} as then: {now}"
        case SameKey.OTHER:
            return f"signed by {found.same_key} than then: {now} today, {', '.join(sorted(then))} then"
        case _:
            return f"signed by {now} today; who signed then is not known"
