"""What the content of a package says beyond its source's own checks: its observations, whether a client could use it.

The same for every kind of source. That content is sound says nothing about who made it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from lockwarden.core.archives.facts import ArchiveFacts
from lockwarden.core.archives.oddities import Oddity, OddityCode
from lockwarden.core.evidence.observations import Basis, ComputedLocally
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_OUR_LIMITS: Final = frozenset({OddityCode.TOO_LARGE, OddityCode.TOO_MANY_MEMBERS, OddityCode.RATIO})
"""Fatal oddities that only say that this program gave up; a client might not."""
_NOT_UNPACKED: Final = frozenset(
    {
        OddityCode.CLIMBING_NAME,
        OddityCode.CONFLICTING_NAMES,
        OddityCode.EMPTY_ARCHIVE,
        OddityCode.NUL_IN_NAME,
        OddityCode.TOO_LONG_NAME,
        OddityCode.UNNAMED_FILE,
    }
)
"""Oddities that keep the clients from unpacking an archive."""
_HINT: Final = "compare with the package of the origin registry, and ask who made this one"


def archive_observations(
    zh: Hash,
    facts: ArchiveFacts | None,
    *,
    source: str,
    platform: Platform,
    location: str,
    computed_on: datetime | None = None,
    refused: str = "",
) -> Iterator[tuple[Hash, ComputedLocally]]:
    """The hashes computed from an archive; the folder's `h1` only where it differs from the archive's."""

    def computed(basis: Basis) -> ComputedLocally:
        return ComputedLocally(
            source=source,
            platform=platform,
            basis=basis,
            location=location,
            package_zh=zh,
            computed_on=computed_on,
            refused=refused,
        )

    yield zh, computed(Basis.ARCHIVE)
    if facts is None:
        return
    if facts.h1_archive is not None:
        yield facts.h1_archive, computed(Basis.ARCHIVE)
    if facts.h1_directory is not None and facts.h1_directory != facts.h1_archive:
        yield facts.h1_directory, computed(Basis.DIRECTORY)


def archive_doubt(facts: ArchiveFacts) -> str:
    """Why this program gave up on the content of an archive that a client might accept, or the empty string."""
    fatal = _fatal(facts)
    return fatal.message if fatal is not None and fatal.code in _OUR_LIMITS else ""


def archive_refusal(facts: ArchiveFacts, provider_type: str) -> str:
    """Why every client would fail to unpack or to start what is in an archive, or the empty string.

    Also empty where this program gave up at a limit of its own; `archive_doubt` says so.
    """
    fatal = _fatal(facts)
    if fatal is not None:
        return "" if fatal.code in _OUR_LIMITS else f"its content cannot be hashed: {fatal.message}"
    if facts.h1_directory is None:
        why = next((oddity.message for oddity in facts.oddities if oddity.code in _NOT_UNPACKED), "its names are odd")
        return f"it cannot be unpacked: {why}"
    return "" if has_executable(facts.executables, provider_type) else no_executable(provider_type)


def has_executable(names: tuple[str, ...], provider_type: str) -> bool:
    """Whether one of the files at a package's root is the program that a client would start."""
    wanted = f"terraform-provider-{provider_type}"
    return any(name.startswith(wanted) and name[len(wanted) : len(wanted) + 1] in {"", "_", "."} for name in names)


def no_executable(provider_type: str) -> str:
    """Why a client refuses a package without its program."""
    return f"it has no executable file whose name starts with terraform-provider-{provider_type}"


def executable_problem(
    names: tuple[str, ...], provider_type: str, *, platform: Platform, source: str
) -> Problem | None:
    """The problem of a package that no client can start, or None."""
    if has_executable(names, provider_type):
        return None
    return Problem(
        code=ProblemCode.NO_EXECUTABLE,
        severity=Severity.WARNING,
        message=f"the {platform} package from {source} cannot be used: {no_executable(provider_type)}",
        hint=_HINT,
        source=source,
    )


def archive_problems(facts: ArchiveFacts, provider_type: str, *, platform: Platform, source: str) -> Iterator[Problem]:
    """What is odd about an archive, each kind once."""
    if problem := executable_problem(facts.executables, provider_type, platform=platform, source=source):
        yield problem
    for oddity in facts.oddities:
        if oddity.code is OddityCode.NO_EXECUTABLE:
            continue
        yield Problem(
            code=ProblemCode(f"archive-{oddity.code}"),
            severity=Severity.ERROR if oddity.fatal and oddity.code not in _OUR_LIMITS else Severity.WARNING,
            message=f"the {platform} package from {source} is odd: {oddity.message}",
            hint=_HINT,
            source=source,
        )
    if facts.h1_directory is not None and facts.h1_archive not in {None, facts.h1_directory}:
        yield Problem(
            code=ProblemCode.TWO_H1,
            severity=Severity.NOTE,
            message=f"the {platform} package from {source} has one h1 as an archive ({facts.h1_archive}) and another"
            f" one as a folder ({facts.h1_directory}), which is the one that the clients record",
            hint="nothing is wrong: the archive has entries for folders, or names written in an unusual way",
            source=source,
        )


def _fatal(facts: ArchiveFacts) -> Oddity | None:
    return next((oddity for oddity in facts.oddities if oddity.fatal), None)


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
