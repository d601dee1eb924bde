"""What a backfill has to fetch, counted before anything is asked: which packages, in which order, for which targets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from lockwarden.core.registry_metadata.journal_lines import JournalLine, State, Subject
from lockwarden.core.registry_metadata.model import MetadataVersion, ProviderMetadata, Target
from lockwarden.core.registry_metadata.shards import Shard

_REPOSITORY_PARTS: Final = 2
"""How many parts of a URL's path name a repository, as in `/owner/name/releases/…`."""


class PlannedPackage(Struct, frozen=True, kw_only=True):
    """One package that is to be fetched once, whatever it serves."""

    key: str
    url: str
    shasum: str
    subjects: tuple[Subject, ...]
    claims: tuple[tuple[str, int], ...] = ()
    """What targets that are half filled have already: an `h1` or an empty text, a size or 0."""
    estimate: int = 0
    """Bytes: as a target says, or as packages of the same platform have beside it; 0 where nothing is known."""

    @property
    def size_known(self) -> bool:
        """Whether a target says how large it is."""
        return any(size for _, size in self.claims)

    @property
    def host(self) -> str:
        """The host that it is asked for, in small letters."""
        return host_of_url(self.url)


class Counts(Struct, kw_only=True):
    """How much of a registry is filled."""

    files: int = 0
    versions: int = 0
    filled_versions: int = 0
    partial_versions: int = 0
    unfilled_versions: int = 0
    targets: int = 0
    filled: int = 0
    half_filled: int = 0
    unfilled: int = 0

    def add(self, metadata: ProviderMetadata) -> None:
        """Count one file."""
        self.files += 1
        for version in metadata.listed:
            targets = version.packages
            full = sum(each.filled for each in targets)
            self.versions += 1
            self.targets += len(targets)
            self.filled += full
            self.half_filled += sum(each.half_filled for each in targets)
            self.unfilled += sum(not each.filled and not each.half_filled for each in targets)
            match _coverage(version):
                case "filled":
                    self.filled_versions += 1
                case "partial":
                    self.partial_versions += 1
                case _:
                    self.unfilled_versions += 1


class Plan(Struct, frozen=True, kw_only=True):
    """What is to be done."""

    counts: Counts
    packages: tuple[PlannedPackage, ...]
    """In the order in which they are begun."""
    settled: Mapping[str, int]
    """How many packages have a line with a final state, by that state."""
    refused: Mapping[str, int]
    """How many targets cannot be asked for, by why."""
    in_other_shards: int = 0

    @property
    def known_bytes(self) -> int:
        """What targets say of the sizes of packages that are to be fetched."""
        return sum(each.estimate for each in self.packages if each.size_known)

    @property
    def estimated_bytes(self) -> int:
        """Of those that nothing is known of, the mean of the others is taken."""
        sizes = [each.estimate for each in self.packages if each.estimate]
        mean = sum(sizes) // len(sizes) if sizes else 0
        return sum(each.estimate or mean for each in self.packages)

    @property
    def hosts(self) -> Mapping[str, int]:
        """How many packages are asked of each host, the most first."""
        return dict(Counter(each.host for each in self.packages).most_common())


class _Draft:
    def __init__(self, target: Target, position: tuple[object, ...]) -> None:
        self.url, self.shasum = target.download_url, target.shasum
        self.subjects: list[Subject] = []
        self.claims: list[tuple[str, int]] = []
        self.estimate = 0
        self.position = position

    def add(self, subject: Subject, target: Target, position: tuple[object, ...], estimate: int) -> None:
        self.subjects.append(subject)
        if target.half_filled:
            self.claims.append((target.h1 or "", target.size or 0))
        self.estimate = target.size or self.estimate or estimate
        self.position = max(self.position, position)


class Planner:
    """Takes in one file after the other, and keeps only what is to be done."""

    def __init__(
        self,
        journal: Mapping[str, JournalLine],
        *,
        reopened: Collection[State] = (),
        allowed_hosts: Collection[str] = (),
        shard: Shard | None = None,
    ) -> None:
        """`journal` is what was done already. Without `allowed_hosts` every host may be asked."""
        self._journal = journal
        self._reopened = frozenset(reopened)
        self._hosts = frozenset(allowed_hosts)
        self._shard = shard or Shard()
        self._drafts: dict[str, _Draft] = {}
        self._settled: dict[str, State] = {}
        self._refused: Counter[str] = Counter()
        self._elsewhere: set[str] = set()
        self.counts = Counts()

    def add(self, provider: str, metadata: ProviderMetadata) -> None:
        """Take in the file of a provider, `namespace/name`."""
        self.counts.add(metadata)
        sizes = _Sizes(metadata)
        for version in metadata.listed:
            for target in version.packages:
                if not target.filled:
                    self._target(Subject(provider, version.version, target.platform), version, target, sizes)

    def _target(self, subject: Subject, version: MetadataVersion, target: Target, sizes: _Sizes) -> None:
        key = target.key
        line = self._journal.get(key)
        if line is not None and line.state.final and line.state not in self._reopened:
            self._settled[key] = line.state
            return
        if reason := self._refusal(target):
            self._refused[reason] += 1
            return
        if not self._shard.has(key):
            self._elsewhere.add(key)
            return
        parsed = version.parsed
        position = (0,) if parsed is None else (1, *parsed.order_key)
        draft = self._drafts.setdefault(key, _Draft(target, position))
        draft.add(subject, target, position, sizes.estimate(target))

    def _refusal(self, target: Target) -> str:
        if target.zh is None:
            return "its shasum is none that a package could have"
        parts = urlsplit_or_none(target.download_url)
        if parts is None or parts.scheme != "https" or not parts.hostname:
            return "its URL is no https URL"
        if self._hosts and host_of_url(target.download_url) not in self._hosts:
            return "its host is not among those that may be asked"
        return ""

    def plan(self) -> Plan:
        """The plan for all files that were taken in.

        It goes in rounds: the newest version of every repository, then the next of each. Within a round the large
        packages come first. So a run that is stopped has covered all repositories alike, and none gets a burst.
        """
        by_repository: dict[str, list[tuple[_Draft, PlannedPackage]]] = defaultdict(list)
        for key, draft in self._drafts.items():
            package = PlannedPackage(
                key=key,
                url=draft.url,
                shasum=draft.shasum,
                subjects=tuple(sorted(draft.subjects)),
                claims=tuple(dict.fromkeys(draft.claims)),
                estimate=draft.estimate,
            )
            by_repository[_repository(draft.url)].append((draft, package))
        return Plan(
            counts=self.counts,
            packages=tuple(_rounds(by_repository)),
            settled=Counter(str(state) for state in self._settled.values()),
            refused=self._refused,
            in_other_shards=len(self._elsewhere),
        )


def _rounds(by_repository: Mapping[str, list[tuple[_Draft, PlannedPackage]]]) -> Iterator[PlannedPackage]:
    queues: list[list[PlannedPackage]] = []
    for name in sorted(by_repository):
        found = sorted(by_repository[name], key=lambda each: (-each[1].estimate, each[1].key))
        found.sort(key=lambda each: each[0].position, reverse=True)
        queues.append([package for _, package in found])
    for place in range(max(map(len, queues), default=0)):
        one_round = [queue[place] for queue in queues if place < len(queue)]
        yield from sorted(one_round, key=lambda each: (-each.estimate, each.key))


class _Sizes:
    """What the packages of a provider weigh, as far as its file says."""

    def __init__(self, metadata: ProviderMetadata) -> None:
        self._by_platform: dict[str, int] = {}
        for version in metadata.listed:
            for target in version.packages:
                if target.size:
                    self._by_platform.setdefault(target.platform, target.size)
        self._any = max(self._by_platform.values(), default=0)

    def estimate(self, target: Target) -> int:
        return self._by_platform.get(target.platform, self._any)


def fill_of_versions(versions: Iterable[MetadataVersion]) -> tuple[str, ...]:
    """For each version `filled`, `partial` or `unfilled`."""
    return tuple(map(_coverage, versions))


def _coverage(version: MetadataVersion) -> str:
    targets = version.packages
    if all(each.filled for each in targets):
        return "filled"
    return "partial" if any(each.filled or each.half_filled for each in targets) else "unfilled"


def _repository(url: str) -> str:
    parts = urlsplit(url)
    return "/".join((parts.netloc.lower(), *parts.path.split("/")[1 : 1 + _REPOSITORY_PARTS]))


def urlsplit_or_none(url: str) -> SplitResult | None:
    """The parts of a URL; None for what is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def host_of_url(url: str) -> str:
    """Host and port in small letters, without port 443; empty for what is no URL."""
    parts = urlsplit_or_none(url)
    return "" if parts is None else parts.netloc.rpartition("@")[2].lower().removesuffix(":443")
