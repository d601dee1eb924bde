"""Problems that no source can see alone: a registry's `h1` that its own package does not have, sources that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from lockwarden.core.evidence.observations import ComputedLocally, ReportedByRegistry, ReportedByTrustedMirror
from lockwarden.core.evidence.platform_names import meant_platform
from lockwarden.core.evidence.source_answers import Outcome, Problem
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_SHOWN: Final = 3
"""Hashes that one sentence names."""


def contradictions(evidence: Evidence) -> tuple[Problem, ...]:
    """Every contradiction between what was reported, computed and listed in one audit, each once."""
    found = (
        *_wrong_reports(evidence),
        *_other_bytes(evidence),
        *_other_lists(evidence),
        *_unknown_release(evidence),
        *_missing_platforms(evidence),
    )
    return tuple(dict.fromkeys(found))


def _wrong_reports(evidence: Evidence) -> Iterator[Problem]:
    for hash_, seen in evidence.audit.observations.items():
        for observation in seen:
            if isinstance(observation, ReportedByRegistry) and evidence.contradiction(hash_, observation):
                platform = observation.platform
                true = ", ".join(sorted(str(h1) for h1 in evidence.origin_h1s[platform])) if platform else ""
                yield Problem(
                    code=ProblemCode.REGISTRY_H1_DIFFERS,
                    severity=Severity.ERROR,
                    message=f"{evidence.origin_name} reports {hash_} for {platform}, but the package hashes to {true}",
                    hint="OpenTofu does not compare the two and would record the wrong one; report it to the registry",
                    source=observation.source,
                )


def _other_bytes(evidence: Evidence) -> Iterator[Problem]:
    for hash_, seen in evidence.audit.observations.items():
        for observation in seen:
            if isinstance(observation, ComputedLocally) and evidence.contradiction(hash_, observation):
                rule = evidence.trusted_mirrors.get(observation.source, "")
                trust = f", which {rule} trusts in its place" if rule else ""
                yield Problem(
                    code=ProblemCode.OTHER_BYTES,
                    severity=Severity.WARNING if rule else Severity.ERROR,
                    message=f"{observation.source} gives out another {observation.platform} package of "
                    f"{evidence.release} than {evidence.origin_name}{trust}",
                    hint="ask who runs it; approve its hash only when you know why the package differs",
                    source=observation.source,
                )


def _other_lists(evidence: Evidence) -> Iterator[Problem]:
    """What a mirror that vouches in the origin's place lists, and neither its own packages nor the origin's have."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for hash_, seen in evidence.audit.observations.items():
        for observation in seen:
            if (
                isinstance(observation, ReportedByTrustedMirror)
                and observation.source in evidence.trusted_mirrors
                and observation.vouches
                and not any(isinstance(each, ComputedLocally) and each.source == observation.source for each in seen)
                and evidence.lacked_by_origin(hash_, observation.platform)
            ):
                found[observation.source, str(observation.platform or "no platform")].append(hash_.text)
    for (source, platform), hashes in found.items():
        more = f" and {len(hashes) - _SHOWN} more" if len(hashes) > _SHOWN else ""
        yield Problem(
            code=ProblemCode.MIRROR_LISTS_OTHER,
            severity=Severity.WARNING,
            message=f"{source}, which {evidence.trusted_mirrors[source]} trusts in place of {evidence.origin_name}, "
            f"lists {', '.join(hashes[:_SHOWN])}{more} for {platform}, which {evidence.origin_name} does not have; "
            "its own package was not held against that",
            hint=f"look at the package with --platform {platform}, and ask who runs the mirror why it differs",
            source=source,
        )


def _unknown_release(evidence: Evidence) -> Iterator[Problem]:
    origin = evidence.origin
    if origin is not None and origin.outcome is Outcome.NOT_THERE and not origin.problems:
        yield Problem(
            code=ProblemCode.NOT_AT_ORIGIN,
            severity=Severity.WARNING,
            message=f"{evidence.origin_name} does not have {evidence.release}: {origin.detail}",
            hint=origin.hint or "check the address",
            source=origin.source.id,
        )


def _missing_platforms(evidence: Evidence) -> Iterator[Problem]:
    origin = evidence.origin
    if origin is None or not evidence.origin_answered:
        return
    # Of a platform that the registry announces and does not have, the source itself tells.
    for platform in sorted(evidence.platforms - (origin.platforms or frozenset())):
        package = origin.package(platform)
        if package is not None and package.outcome is Outcome.NOT_THERE:
            meant = meant_platform(platform, evidence.audit)
            rather = f"did you mean {meant}? If not, " if meant else ""
            yield Problem(
                code=ProblemCode.PLATFORM_MISSING,
                severity=Severity.WARNING,
                message=f"{evidence.origin_name} has no {platform} package of {evidence.release}",
                hint=f"{rather}the lock file cannot serve that platform; leave it out, or choose another version",
                source=origin.source.id,
            )
