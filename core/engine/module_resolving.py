"""Asks what the sources of module calls mean today: each source once, several at a time, up to a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

from lockwarden.core.engine.network import Network, opened_network
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.evidence.events import ignore
from lockwarden.core.module_packages.git_remotes import GitRemotes
from lockwarden.core.module_packages.oci_packages import OciPackages
from lockwarden.core.modules.oci_sources import OciModuleSource, oci_source
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.reading import ListedCall, ModuleListing
from lockwarden.core.modules.resolution import (
    ArchiveUrl,
    GitRepository,
    Resolved,
    Unresolved,
    archive_url,
    git_repository,
    pinned_archive,
    pinned_git,
)
from lockwarden.core.modules.sources import Getter, ModuleSource, RemoteSource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.errors import NotThereError, SourceError

MAX_ASKED: Final = 500
"""Sources that are asked for in one run."""
_SIDE_BY_SIDE: Final = 8
_Answer: TypeAlias = tuple[str, str, str] | Unresolved
"""Revision, package and how."""
_Question: TypeAlias = OciModuleSource | GitRepository | ArchiveUrl


Told = Callable[[int, int], None]
"""Hears how many sources have answered, and of how many."""


def _nobody(_answered: int, _of: int) -> None:
    """Hears nothing."""


async def resolve_modules(
    listings: Sequence[ModuleListing], options: AuditOptions, place: Runtime, told: Told = _nobody
) -> tuple[ModuleListing, ...]:
    """The same listings, in which every call that leads elsewhere knows what it means today, or why not."""
    questions = {
        each: question for listing in listings for each in listing.calls if (question := _question(each, listing))
    }
    wanted = list(dict.fromkeys(each for each in questions.values() if not isinstance(each, Unresolved | Resolved)))
    answers = await _asked(wanted[:MAX_ASKED], options, place, told)
    for beyond in wanted[MAX_ASKED:]:
        answers[beyond] = Unresolved(
            reason=f"it is not asked: there are more than {MAX_ASKED} sources", hint="ask about fewer folders at a time"
        )
    return tuple(
        replace(listing, calls=tuple(_with(each, questions.get(each), answers) for each in listing.calls))
        for listing in listings
    )


def _question(listed: ListedCall, listing: ModuleListing) -> _Question | Resolved | Unresolved | None:
    """What has to be asked about a call; None where there is nothing to ask."""
    if listed.classified.pinning in {Pinning.LOCAL, Pinning.UNKNOWN, Pinning.REFUSED}:
        return None
    source: ModuleSource = listed.call.parsed(listing.client.default_registry)
    if isinstance(source, RemoteSource):
        if source.getter is Getter.OCI:
            return oci_source(source)
        if source.getter is Getter.GIT and not source.asks_bitbucket:
            return _itself(source.url.first("ref").lower(), listed) or git_repository(source)
        if source.getter in {Getter.HTTP, Getter.HTTPS} and source.archive:
            return archive_url(source, listed.call.source)
    return Unresolved(
        reason="sources of this kind are not resolved",
        hint="only those in OCI registries and in git, and archives, are so far",
    )


def _itself(commit: str, listed: ListedCall) -> Resolved | None:
    """The commit that a source names by its whole ID; None where it names none."""
    if listed.classified.pinning is not Pinning.IMMUTABLE:
        return None
    return Resolved(revision=commit, how="it names the commit itself; nobody was asked")


def _with(
    listed: ListedCall, question: _Question | Resolved | Unresolved | None, answers: dict[_Question, _Answer]
) -> ListedCall:
    if question is None or isinstance(question, Resolved | Unresolved):
        return replace(listed, resolution=question)
    answer = answers[question]
    if isinstance(answer, Unresolved):
        return replace(listed, resolution=answer)
    revision, package, how = answer
    fixed = listed.classified.pinning is Pinning.IMMUTABLE
    pinned = "" if fixed else _pinned(question, listed.call.source, revision)
    return replace(listed, resolution=Resolved(revision=revision, package=package, how=how, pinned=pinned))


def _pinned(question: _Question, source: str, revision: str) -> str:
    match question:
        case GitRepository():
            return pinned_git(source, revision)
        case ArchiveUrl():
            return pinned_archive(source, revision)
        case OciModuleSource():
            return f"{source.partition('?')[0].partition('#')[0]}?digest={revision}"
        case _:
            assert_never(question)


async def _asked(
    wanted: Sequence[_Question], options: AuditOptions, place: Runtime, told: Told
) -> dict[_Question, _Answer]:
    remotes = GitRemotes(place.environ)
    slots = asyncio.Semaphore(_SIDE_BY_SIDE)
    answers: dict[_Question, _Answer] = {}
    async with (
        PackageStore(None) as store,
        opened_network(options, place, store, ignore) as network,
        asyncio.TaskGroup() as group,
    ):
        packages = network.module_packages()

        async def ask(question: _Question) -> None:
            async with slots:
                match question:
                    case OciModuleSource():
                        answers[question] = await _oci(packages, question)
                    case ArchiveUrl():
                        answers[question] = await _archive(network, question)
                    case GitRepository():
                        found = await remotes.commit_of(question)
                        answers[question] = found if isinstance(found, Unresolved) else (found[0], "", found[1])
                    case _:
                        assert_never(question)
            told(len(answers), len(wanted))

        told(0, len(wanted))
        for each in wanted:
            group.create_task(ask(each))
    return answers


async def _archive(network: Network, archive: ArchiveUrl) -> _Answer:
    try:
        digest = await network.digest_of_archive(archive)
    except SourceError as error:
        return Unresolved(reason=error.message, hint=error.hint)
    return digest, "", "the archive that lies there"


async def _oci(packages: OciPackages, source: OciModuleSource) -> _Answer:
    try:
        found = await packages.resolve(source)
    except SourceError as error:
        return Unresolved(reason=error.message, hint=error.hint, absent=isinstance(error, NotThereError))
    how = f"its tag {source.tag}" if source.digest is None else "the manifest that it names"
    return str(found.manifest), str(found.digest), how
