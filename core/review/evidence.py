"""What the sources of one audit say together: who may vouch, and who contradicts whom.

The origin registry has the last word on what belongs to a release, or a mirror that the policy trusts in its place.
What another mirror gives out counts by itself only while nobody with the last word is among the sources or knows the
release. Otherwise its package counts when its bytes are theirs. So a source that falls silent never turns a doubt into
a confirmation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import assert_never

import msgspec
from msgspec import Struct

from lockwarden.core.evidence.observations import (
    ComputedLocally,
    ListedByMirror,
    ListShape,
    Observation,
    OtherSignature,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.evidence.source_answers import Audit, HashList, Outcome, SourceAnswer
from lockwarden.core.review.unsettled import open_at_mirror
from lockwarden.core.values.clients import DEFAULT_REGISTRIES
from lockwarden.core.values.hashes import H1, ZH, Hash
from lockwarden.core.values.platforms import Platform

_NONE: Mapping[str, str] = MappingProxyType({})


class Evidence(Struct, frozen=True, dict=True):
    """One audit, read as a whole; `platforms` are those that the operator asked for."""

    audit: Audit
    """As the policy has it: what it does not let count is marked as refused."""
    platforms: frozenset[Platform] = frozenset()
    unruled: Audit | None = None
    """The audit before any policy was applied; None where there was none to apply. Read it by `before_policy`."""
    trusted_mirrors: Mapping[str, str] = msgspec.field(default_factory=lambda: _NONE)
    """Ids of the sources that vouch in the origin's place, each with the name of the rule that says so."""
    unasked_mirrors: tuple[str, ...] = ()
    """Mirrors that would vouch and are not among the sources; sentences."""
    trusted_keys: Mapping[str, str] = msgspec.field(default_factory=lambda: _NONE)
    """Fingerprints of the keys that the policy names, each with the name of the rule."""

    @property
    def before_policy(self) -> Audit:
        """What the sources said, whatever the policy makes of it."""
        return self.unruled or self.audit

    @property
    def origin(self) -> SourceAnswer | None:
        """The origin registry's answer, when it is among the sources."""
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

    @property
    def may_be_hidden(self) -> bool:
        """Whether the origin denies the provider as a whole, as registries do to whoever may not see it.

        A list of versions that lacks the release hides nothing, and the public registries hide nothing from anybody.
        """
        origin = self.origin
        denied = origin is not None and origin.outcome is Outcome.NOT_THERE and origin.ended_at is not None
        return denied and self.audit.address.hostname.ascii not in DEFAULT_REGISTRIES

    @cached_property
    def decided(self) -> bool:
        """Whether somebody has the last word: the origin, or a mirror in its place that may know the release."""
        return (
            self.origin_decides
            or bool(self.unasked_mirrors)
            or any(answer.outcome is not Outcome.NOT_THERE for answer in self.vouching_mirrors)
        )

    @property
    def vouching_mirrors(self) -> tuple[SourceAnswer, ...]:
        """What the mirrors that vouch in the origin's place said, whatever else the policy makes of it."""
        return tuple(answer for answer in self.before_policy.source_answers if answer.source.id in self.trusted_mirrors)

    @cached_property
    def zh_list(self) -> HashList | None:
        """The origin's list of `zh` hashes, when it answered with one that can be used."""
        if self.origin is None or not self.origin_answered:
            return None
        return next((each for each in self.origin.lists if each.scheme == ZH), None)

    @cached_property
    def origin_h1s(self) -> Mapping[Platform, frozenset[Hash]]:
        """The `h1` hashes computed from the origin's own packages, by platform.

        Those that a policy refuses are among them: what contradicts the origin's packages does so under any policy.
        """
        found: defaultdict[Platform, set[Hash]] = defaultdict(set)
        for hash_, seen in self.before_policy.observations.items():
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

    def lacked_by_origin(self, hash_: Hash, platform: Platform | None) -> bool:
        """Whether the origin's lists, or its own package of the platform, could be read and lack the hash."""
        if hash_.scheme == H1:
            return platform is not None and hash_ not in self.origin_h1s.get(platform, {hash_})
        return self.zh_list is not None and hash_ not in self.zh_list.hashes

    @cached_property
    def report_doubt(self) -> str:
        """Why the origin's unsigned `h1` reports should not be taken on its word; empty when nothing speaks against it.

        Reports for platforms that were not asked for are believed only while those that could be checked held, as with
        OpenTofu. That means: every platform that was asked for was hashed, and none contradicts its report.
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
        if observation.source in self.trusted_mirrors:
            return True
        if self.contradiction(hash_, observation):
            return False
        match observation:
            case SignedBy():
                return True
            case ReportedByTrustedMirror():
                # Trusted by the CLI configuration: enough where nobody can say better, never against the origin.
                return not self.decided or self._known_archive(hash_)
            case ReportedByRegistry():
                return hash_.scheme == ZH and self._may_be_listed(hash_, observation)
            case ComputedLocally():
                if self._from_origin(observation):
                    return not self._beyond_signed(observation.package_zh)
                return not self.decided or self._known_archive(observation.package_zh)
            case OtherSignature():
                # It says who gave this out. What belongs to the release is for whoever has the last word.
                return not self.decided or self._known_archive(hash_)
            case _:
                assert_never(observation)

    @property
    def authorities(self) -> tuple[str, ...]:
        """How sentences call everyone with the last word among the sources: trusted mirrors, and the origin."""
        return (*self.trusted_mirrors, *([self.origin_name] if self.origin_decides else []))

    def rule_for(self, observation: Observation) -> str:
        """The rule of the policy that lets this observation count, or the empty string."""
        if observation.refused:
            return ""
        if observation.source in self.trusted_mirrors and not isinstance(observation, ListedByMirror):
            return self.trusted_mirrors[observation.source]
        match observation:
            case SignedBy():
                return self.trusted_keys.get(observation.fingerprint, "")
            case OtherSignature():
                return observation.signature.rule
            case _:
                return ""

    def signed_beyond_the_client(self, hash_: Hash) -> OtherSignature | None:
        """A signature that counts and that no client reads, where a package of its source can be installed.

        What it covers may be recorded for every platform, as with a signed list: our extension of the client's rule.
        """
        installable = {
            answer.source.id
            for answer in self.audit.source_answers
            for package in answer.packages
            if package.outcome is Outcome.ANSWERED and not package.client_refusal and package.platform in self.platforms
        }
        signatures = (each for each in self.observations(hash_) if isinstance(each, OtherSignature))
        return next((each for each in signatures if each.source in installable and self.counts(hash_, each)), None)

    def confirms(self, hash_: Hash) -> bool:
        """Whether some observation of the hash counts."""
        return any(self.counts(hash_, observation) for observation in self.observations(hash_))

    def _may_be_listed(self, zh: Hash, observation: ReportedByRegistry) -> bool:
        """Whether the lists of checksums have a `zh` that the origin reports; what it reports beside them adds none."""
        if self.zh_list is None:
            return observation.shape is ListShape.SUMS
        return zh in self.zh_list.hashes

    def _beyond_signed(self, zh: Hash | None) -> bool:
        """Whether the origin's lists are signed and lack an archive, so that its giving it out proves nothing."""
        listed = self.zh_list
        return listed is not None and listed.authenticated and zh is not None and zh not in listed.hashes

    def _known_archive(self, zh: Hash | None) -> bool:
        """Whether an archive with this `zh` is known to whoever has the last word."""
        if zh is None:
            return False
        # A line of the origin's list does not count by itself: it may contradict another.
        authorities = (s for s in self.observations(zh) if s.source in self.trusted_mirrors or self._from_origin(s))
        return any(self.counts(zh, seen) for seen in authorities)

    def _from_origin(self, observation: Observation) -> bool:
        return self.origin is not None and observation.source == self.origin.source.id

    @property
    def mirror_answered(self) -> bool:
        """Whether a mirror that vouches in the origin's place was asked and answered for this release."""
        return any(answer.outcome is Outcome.ANSWERED for answer in self.vouching_mirrors)

    @cached_property
    def open_at_mirrors(self) -> tuple[str, ...]:
        """What is open at the mirrors that vouch in the origin's place; sentences."""
        return (
            *(question for answer in self.vouching_mirrors for question in open_at_mirror(answer)),
            *self.unasked_mirrors,
        )

    def platforms_of(self, hash_: Hash) -> frozenset[Platform]:
        """Platforms that the hash stands for: those of what counts, or, while nothing does, those that are claimed."""
        seen = self.observations(hash_)
        counted = frozenset(o.platform for o in seen if o.platform is not None and self.counts(hash_, o))
        return counted or frozenset(o.platform for o in seen if o.platform is not None)
