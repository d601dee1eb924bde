"""What the sources of one audit say together: who may vouch, who contradicts whom, and what is still open.

The origin registry has the last word on what belongs to a release. What a mirror gives out counts by itself only while
the origin is not among the sources or does not know the release; once the origin is asked, a mirror's package counts
when its bytes are the origin's. So a source that falls silent never turns a doubt into a confirmation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from lockwarden.core.findings import Audit, Finding, HashList, Outcome
from lockwarden.core.hashes import H1, ZH, Hash
from lockwarden.core.observations import (
    ComputedLocally,
    ListedByMirror,
    Observation,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.platforms import Platform, by_popularity


@dataclass(frozen=True)
class Testimony:
    """One audit, read as a whole; `platforms` are those that the operator asked for."""

    audit: Audit
    platforms: frozenset[Platform] = frozenset()

    @property
    def origin(self) -> Finding | None:
        """The origin registry's finding, when it is among the sources."""
        return self.audit.origin

    @property
    def origin_name(self) -> str:
        """How sentences call the origin registry of this provider."""
        return self.audit.address.hostname.display

    @property
    def origin_answered(self) -> bool:
        """Whether the origin registry was asked and answered for this release."""
        return self.origin is not None and self.origin.outcome is Outcome.ANSWERED

    @property
    def release(self) -> str:
        """How sentences call the provider version."""
        return f"{self.audit.address.namespace}/{self.audit.address.type} {self.audit.version}"

    @property
    def origin_decides(self) -> bool:
        """Whether the origin is among the sources and has not answered that it does not know the release."""
        return self.origin is not None and self.origin.outcome is not Outcome.NOT_THERE

    @cached_property
    def zh_list(self) -> HashList | None:
        """The origin's list of `zh` hashes, when it answered with one that can be used."""
        if self.origin is None or not self.origin_answered:
            return None
        return next((each for each in self.origin.lists if each.scheme == ZH), None)

    @cached_property
    def origin_h1s(self) -> Mapping[Platform, frozenset[Hash]]:
        """The `h1` hashes computed from the origin's own packages that count, by platform."""
        found: defaultdict[Platform, set[Hash]] = defaultdict(set)
        for hash_, seen in self.audit.observations.items():
            for observation in seen:
                if (
                    hash_.scheme == H1
                    and isinstance(observation, ComputedLocally)
                    and self._from_origin(observation)
                    and observation.vouches
                ):
                    found[observation.platform].add(hash_)
        return {platform: frozenset(hashes) for platform, hashes in found.items()}

    def observations(self, hash_: Hash) -> tuple[Observation, ...]:
        """All that was observed of the hash."""
        return self.audit.observations.get(hash_, ())

    def contradiction(self, hash_: Hash, observation: Observation) -> str:
        """What the origin's own documents or packages say against this observation; empty when nothing."""
        match observation:
            case ReportedByRegistry(platform=Platform() as platform) if hash_.scheme == H1:
                if hash_ not in self.origin_h1s.get(platform, {hash_}):
                    return f"the {platform} package of {self.origin_name} has another h1"
            case ComputedLocally() if not self._from_origin(observation):
                return self._other_bytes(hash_, observation)
            case _:
                pass
        return ""

    def _other_bytes(self, hash_: Hash, observation: ComputedLocally) -> str:
        listed = self.zh_list
        if listed is not None and observation.package_zh is not None:
            if observation.package_zh in listed.hashes:
                return ""
            if listed.complete:
                return f"{self.origin_name} does not list the archive that {observation.source} gives out"
        true_h1s = self.origin_h1s.get(observation.platform)
        if hash_.scheme == H1 and true_h1s is not None and hash_ not in true_h1s:
            return f"the {observation.platform} package of {self.origin_name} has another h1"
        return ""

    @cached_property
    def report_doubt(self) -> str:
        """Why the origin's unsigned `h1` reports should not be taken on its word; empty when nothing speaks against it.

        Reports for platforms that were not asked for are believed, as OpenTofu does, only while those that could be
        checked held: every platform that was asked for was hashed, and none contradicts its report.
        """
        for hash_, seen in self.audit.observations.items():
            for observation in seen:
                if not isinstance(observation, ReportedByRegistry) or hash_.scheme != H1:
                    continue
                if self.contradiction(hash_, observation):
                    return f"{self.origin_name} reports a wrong h1 for {observation.platform}"
                if observation.platform in self.platforms and observation.platform not in self.origin_h1s:
                    return f"the {observation.platform} package could not be held against what the registry reports"
        return ""

    def counts(self, hash_: Hash, observation: Observation) -> bool:
        """Whether this observation alone is enough to confirm the hash.

        A registry's unsigned `h1` is a promise to be checked against the package, so it is not.
        """
        if isinstance(observation, ListedByMirror) or not observation.vouches:
            return False
        if self.contradiction(hash_, observation):
            return False
        match observation:
            case SignedBy() | ReportedByTrustedMirror():
                return True
            case ReportedByRegistry():
                return hash_.scheme == ZH and not self.disowned(hash_)
            case ComputedLocally():
                return self._from_origin(observation) or not self.origin_decides or self._same_bytes(observation)
            case _:
                assert_never(observation)

    def _same_bytes(self, observation: ComputedLocally) -> bool:
        return (
            self.zh_list is not None
            and observation.package_zh is not None
            and observation.package_zh in self.zh_list.hashes
        )

    def _from_origin(self, observation: Observation) -> bool:
        return self.origin is not None and observation.source == self.origin.source.id

    def disowned(self, hash_: Hash) -> bool:
        """Whether the origin's complete and authenticated list for the hash's scheme does not contain it."""
        if self.origin is None or not self.origin_answered:
            return False
        return any(
            each.scheme == hash_.scheme and each.complete and each.authenticated and hash_ not in each.hashes
            for each in self.origin.lists
        )

    def open_questions(self, hash_: Hash) -> tuple[str, ...]:
        """What could still vouch for the hash but was not asked or did not answer; sentences, likeliest first."""
        return tuple(self._open_questions(hash_))

    def _open_questions(self, hash_: Hash) -> Iterator[str]:
        origin = self.origin
        if origin is None:
            yield f"the origin registry {self.origin_name} is not among the sources"
            return
        match origin.outcome:
            case Outcome.NO_ANSWER | Outcome.NOT_ASKED:
                yield f"{self.origin_name} did not answer: {origin.detail}"
            case Outcome.NOT_THERE:
                for finding in self.audit.findings:
                    yield from _open_at_mirror(finding)
            case Outcome.ANSWERED if hash_.scheme == ZH:
                yield from self._open_in_list()
            case Outcome.ANSWERED:
                yield from _unsettled(origin)
            case _:
                assert_never(origin.outcome)

    def _open_in_list(self) -> Iterator[str]:
        if self.zh_list is None:
            yield f"the list of zh hashes of {self.origin_name} cannot be used"
        elif not self.zh_list.complete:
            yield f"the lists of {self.origin_name} do not cover every platform of the release"

    def platforms_of(self, hash_: Hash) -> frozenset[Platform]:
        """Platforms that the hash stands for: those of what counts, or, while nothing does, those that are claimed."""
        seen = self.observations(hash_)
        counted = frozenset(o.platform for o in seen if o.platform is not None and self.counts(hash_, o))
        return counted or frozenset(o.platform for o in seen if o.platform is not None)


def _open_at_mirror(finding: Finding) -> Iterator[str]:
    if finding.outcome in {Outcome.NO_ANSWER, Outcome.NOT_ASKED}:
        yield f"{finding.source.id} did not answer: {finding.detail}"
    elif finding.outcome is Outcome.ANSWERED:
        yield from _unsettled(finding)


def _unsettled(finding: Finding) -> Iterator[str]:
    """Platforms of the release whose package was neither hashed nor is known to be absent."""
    settled = {package.platform for package in finding.packages if package.outcome is Outcome.NOT_THERE}
    settled |= {
        observation.platform
        for _, observation in finding.observations
        if isinstance(observation, ComputedLocally) and observation.vouches
    }
    if finding.platforms is None:
        yield f"{finding.source.id} does not say which platforms the release has"
        return
    failed = {package.platform: package for package in finding.packages if package.platform not in settled}
    for platform in sorted(finding.platforms - settled, key=by_popularity):
        package = failed.get(platform)
        if package is None or package.outcome is Outcome.NOT_ASKED:
            yield f"the package of {platform} was not downloaded"
        elif package.outcome is Outcome.ANSWERED:
            yield f"the package of {platform} cannot be used: {package.detail or package.client_refusal}"
        else:
            yield f"the package of {platform} could not be had: {package.detail}"
