"""A lock file in which several sides stood, with what each of them locks and what is made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.lockfile.resolved_text import resolved_text
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.resolving import (
    Candidate,
    Choices,
    ResolvedProvider,
    chosen_version,
    in_conflict,
    merged_entry,
    resolve_provider,
)
from lockwarden.core.review.review import Review
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError


class Resolution(Struct, frozen=True, kw_only=True):
    """What becomes of one file."""

    conflict: ConflictedLockFile
    reviews: tuple[Review, ...]
    """Of the sides, in their order."""
    choices: Choices
    providers: tuple[ResolvedProvider, ...]
    """Those of which the sides do not say the same, by address."""
    alike: tuple[LockedProvider, ...]
    """Those of which they do; they stay as they are."""

    @property
    def unresolved(self) -> tuple[ResolvedProvider, ...]:
        """Those of which nothing is confirmed; while there is one, nothing is written."""
        return tuple(each for each in self.providers if each.entry is None)

    @property
    def entries(self) -> tuple[LockedProvider, ...]:
        """All that the resolved file locks."""
        return (*self.alike, *(each.entry for each in self.providers if each.entry is not None))

    def next_lock_file(self, second_reader: SecondReader) -> bytes:
        """The bytes of the resolved file. Only for one of which nothing is unresolved. Raises LockFileEditError."""
        return resolved_text(self.conflict, self.entries, second_reader)

    def exit_code(self, after: Review | None) -> ExitCode:
        """What a script is told: the code of the file as it is resolved, whose review is `after`.

        Where nothing can be written for want of what is confirmed, that is a finding, or incomplete where it was not
        asked. So is a hash that was left out because nobody knows of it.
        """
        codes = [
            code_for(objected=each.entry is None and not each.open, incomplete=each.open) for each in self.providers
        ]
        return worst(codes if after is None else (*codes, after.exit_code))


Asked = Callable[[ProviderAddress], str | None]
"""What the configuration asks of a provider's version, as a lock file records it; None where that is not known."""


def _nobody_asks(_: ProviderAddress) -> None:
    return None


def resolution(
    conflict: ConflictedLockFile, reviews: Sequence[Review], choices: Choices, *, asked: Asked = _nobody_asks
) -> Resolution:
    """Resolve a file whose sides were all audited; `reviews` are theirs. Raises InputError as `chosen_version` does."""
    by_address: defaultdict[ProviderAddress, list[tuple[int, Candidate]]] = defaultdict(list)
    for number, (side, review) in enumerate(zip(conflict.sides, reviews, strict=True)):
        for each in review.providers:
            by_address[each.address].append((number, Candidate(side=side.name, review=each)))
    whole = tuple(each.name for each in conflict.sides if each.layer == 1)
    providers, alike = [], []
    for address in sorted(by_address, key=lambda each: each.sort_key):
        found = by_address[address]
        candidates = tuple(each for _, each in found)
        if not in_conflict(candidates, whole):
            alike.append(candidates[0].entry)
            continue
        version, why = chosen_version(candidates, choices)
        constraints = asked(address)
        merged = merged_entry(candidates, version, choices, asked=constraints)
        number, own = next(pair for pair in found if pair[1].entry.version == version)
        judged = reviews[number].judged(own.review, merged)
        providers.append(resolve_provider(candidates, judged, why=why, asked=constraints))
    return Resolution(
        conflict=conflict, reviews=tuple(reviews), choices=choices, providers=tuple(providers), alike=tuple(alike)
    )


def refuse_unknown(choices: Choices, conflicts: Iterable[ConflictedLockFile]) -> None:
    """Raises InputError for a choice of a provider that no side of any file locks, if there is anything to resolve."""
    sides = (side for each in conflicts for side in each.sides)
    known = dict.fromkeys(str(entry.address) for side in sides for entry in side.lock_file.providers)
    for name in choices.of if known else ():
        if not any(f"/{each}".endswith(f"/{name}") for each in known):
            raise InputError(
                f"no side locks “{name}”, of which something is to be taken", hint=f"they lock {', '.join(known)}"
            )


class ResolvedFile(Struct, frozen=True, kw_only=True):
    """One file with what it is resolved to."""

    resolution: Resolution
    after: bytes | None
    """The bytes of the resolved file; None while something of it is unresolved."""
    review: Review | None
    """Of the resolved file, by the same audits."""

    @property
    def path(self) -> str:
        """Which file."""
        return self.resolution.conflict.path

    @property
    def exit_code(self) -> ExitCode:
        """What a script is told of it."""
        return self.resolution.exit_code(self.review)
