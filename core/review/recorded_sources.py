"""Which of several installation methods the hashes that are recorded come from, beside what the clients record."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform


class BeyondFirst(Struct, frozen=True, kw_only=True):
    """Hashes that the client's own `init` would not have recorded."""

    method: str
    """The first method, which has the release: `init` takes its package and records what it says, and no other's."""
    hashes: tuple[Hash, ...]


def beyond_first(
    audit: Audit, added: Iterable[Hash], *, settings: ClientSettings, platforms: frozenset[Platform]
) -> BeyondFirst | None:
    """What of the added hashes the client would not record from the first method of a chain; None where there is none.

    `lockwarden lock` records what the rule selects from every method, so that the lock file holds for all of them.
    Where the first one does not have the release for every platform, or did not answer, `init` may end there or take
    another's package, and nothing is said.
    """
    first = next((each for each in audit.source_answers if each.source.id in audit.chain[:1]), None)
    if first is None or first.outcome is not Outcome.ANSWERED or any(_lacks(first, each) for each in platforms):
        return None
    taken = recorded(replace(audit, source_answers=(first,)), settings=settings, platforms=platforms)
    others = tuple(each for each in added if each not in taken)
    return BeyondFirst(method=first.source.id, hashes=others) if others else None


def _lacks(first: SourceAnswer, platform: Platform) -> bool:
    package = first.package(platform)
    if package is not None:
        return package.outcome is Outcome.NOT_THERE
    return first.platforms is not None and platform not in first.platforms
