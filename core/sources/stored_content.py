"""What a stored package of a mirror is, also where its bytes are no archive at all."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.sources.package_content import archive_problems, archive_refusal
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


def unhashable(stored: KnownPackage) -> str:
    """Why a package has no `h1`, or the empty string; its `zh` is as good as any."""
    if stored.facts is None:
        return "" if stored.archive_error is None else stored.archive_error.message
    return next((oddity.message for oddity in stored.facts.oddities if oddity.fatal), "")


def stored_refusal(stored: KnownPackage, provider_type: str) -> str:
    """Why every client would fail to unpack or to start the package, or the empty string."""
    return unhashable(stored) if stored.facts is None else archive_refusal(stored.facts, provider_type)


def stored_problems(stored: KnownPackage, provider_type: str, *, platform: Platform, source: str) -> Iterator[Problem]:
    """What is wrong with the package, or odd about it, each kind once."""
    if stored.facts is not None:
        yield from archive_problems(stored.facts, provider_type, platform=platform, source=source)
    if (error := stored.archive_error) is not None:
        yield Problem(
            code=ProblemCode.PACKAGE_NOT_AN_ARCHIVE,
            severity=Severity.ERROR,
            message=f"the {platform} package from {source} is no archive that can be hashed: {error.message}",
            hint=error.hint or "look at what is given out there; a proxy may answer in place of a server",
            source=source,
        )
