"""A sample of what is filled: drawn by a seed, so that anybody can draw it again, and what it says about all of it."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from typing import Final

from msgspec import Struct

from lockwarden.core.registry_metadata.journal_lines import Subject
from lockwarden.core.registry_metadata.model import MetadataVersion, ProviderMetadata, Target

CONFIDENCE: Final = 0.95
"""How sure it is that the true share of wrong values is not larger than what is told."""
_MANY: Final = 100
_SOME: Final = 10
"""Versions from which on a provider counts as large, or as of a middle size."""
_SPARE: Final = 100


class Sampled(Struct, frozen=True, kw_only=True):
    """One filled target that was drawn, or could have been. Strata are size of the provider, year, and platform."""

    path: str
    subject: Subject
    version: int
    target: int
    url: str
    shasum: str
    h1: str
    size: int


class Sampler:
    """Takes in one file after the other, and keeps no more of each stratum than could be drawn of it."""

    def __init__(self, number: int, seed: str) -> None:
        self._number = number
        self._seed = seed
        self._counts: Counter[str] = Counter()
        self._lots: defaultdict[str, list[tuple[str, Sampled]]] = defaultdict(list)
        self._keys: set[bytes] = set()

    @property
    def total(self) -> int:
        """How many packages there are to draw from."""
        return self._counts.total()

    def add(self, path: str, provider: str, metadata: ProviderMetadata) -> None:
        """Take in the filled targets of one file, each package once."""
        count = len(metadata.listed)
        size = "large" if count >= _MANY else "middle" if count >= _SOME else "small"
        for place, version in enumerate(metadata.listed):
            stratum = f"{size} {(version.discovered or 'unknown')[:4]}"
            for at, target in enumerate(version.packages):
                if target.filled and target.zh is not None:
                    self._add(f"{stratum} {target.platform}", _sampled(path, provider, version, target, place, at))

    def _add(self, stratum: str, found: Sampled) -> None:
        lot = _lot(self._seed, found.url, found.shasum)
        if (key := bytes.fromhex(lot[:24])) in self._keys:
            return
        self._keys.add(key)
        self._counts[stratum] += 1
        lots = self._lots[stratum]
        lots.append((lot, found))
        if len(lots) >= 2 * self._number + _SPARE:
            self._keep(lots)

    def _keep(self, lots: list[tuple[str, Sampled]]) -> None:
        lots.sort(key=lambda each: each[0])
        del lots[self._number :]

    def drawn(self) -> tuple[Sampled, ...]:
        """The sample: as many packages as were asked for, or all where there are fewer.

        Every stratum gives its share. Which packages of it are drawn follows from the seed alone.
        """
        number = min(self._number, self.total)
        start = int(_lot(self._seed, "start")[:12], 16) / 16**12
        places = [int((place + start) * self.total / number) for place in range(number)]
        chosen: list[Sampled] = []
        begin = 0
        for stratum in sorted(self._counts):
            end = begin + self._counts[stratum]
            lots = self._lots[stratum]
            self._keep(lots)
            chosen += (found for _, found in lots[: sum(begin <= place < end for place in places)])
            begin = end
        return tuple(chosen)


def _sampled(path: str, provider: str, version: MetadataVersion, target: Target, place: int, at: int) -> Sampled:
    return Sampled(
        path=path,
        subject=Subject(provider, version.version, target.platform),
        version=place,
        target=at,
        url=target.download_url,
        shasum=target.shasum,
        h1=target.h1 or "",
        size=target.size or 0,
    )


def most_wrong(wrong: int, of: int) -> float:
    """The largest share of wrong ones, from 0 to 1, that a sample of `of` with `wrong` wrong ones allows at 95 %.

    Exact, by Clopper and Pearson; one-sided. 300 of which none is wrong allow 1 %, 3,000 allow 0.1 %.
    """
    if of <= 0 or wrong >= of:
        return 1.0
    low, high = wrong / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(wrong, of, middle) > 1 - CONFIDENCE:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, of: int, share: float) -> float:
    """How likely it is to see so few wrong ones if this share of all is wrong."""
    logs = (
        math.lgamma(of + 1)
        - math.lgamma(each + 1)
        - math.lgamma(of - each + 1)
        + (each * math.log(share) if each else 0.0)
        + (of - each) * math.log1p(-share)
        for each in range(wrong + 1)
    )
    return math.fsum(map(math.exp, logs))


def _lot(seed: str, *words: str) -> str:
    return hashlib.sha256("\n".join((seed, *words)).encode("utf-8", "surrogatepass")).hexdigest()
