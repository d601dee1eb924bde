"""Asks what the sources of module calls mean today: each source once, several at a time, up to a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from lockwarden.core.engine.network import opened_network
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.module_packages.git_remotes import GitRemotes
from lockwarden.core.module_packages.meanings import Meant
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.oci_sources import OciModuleSource
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import (
    ArchiveUrl,
    GitRepository,
    ModuleQuestion,
    PageUrl,
    RegistryModule,
    Resolved,
    Unresolved,
    pinned_archive,
    pinned_git,
    question_of,
)
from lockwarden.core.modules.sources import Getter, ModuleSource, RegistryModuleSource, RemoteSource
from lockwarden.core.store.packages import PackageStore

MAX_ASKED: Final = 500
"""Sources that are asked for in one run."""
_SIDE_BY_SIDE: Final = 8


OnAnswered = Callable[[int, int], None]
"""Hears how many sources have answered, and of how many."""


def _nobody(_answered: int, _of: int) -> None:
    """Hears nothing."""


async def resolve_modules(
    listings: Sequence[ModuleListing], options: AuditOptions, runtime: Runtime, told: OnAnswered = _nobody
) -> tuple[ModuleListing, ...]:
    """The same listings, in which every call that leads elsewhere knows what it means today, or why not."""
    questions = {
        each: question for listing in listings for each in listing.calls if (question := _question(each, listing))
    }
    wanted = list(dict.fromkeys(each for each in questions.values() if not isinstance(each, Unresolved | Resolved)))
    answers = await _asked(wanted[:MAX_ASKED], options, runtime, told)
    for beyond in wanted[MAX_ASKED:]:
        answers[beyond] = Unresolved(
            reason=f"it is not asked: there are more than {MAX_ASKED} sources", hint="ask about fewer folders at a time"
        )
    return tuple(
        replace(listing, calls=tuple(_with(each, questions.get(each), answers) for each in listing.calls))
        for listing in listings
    )


def _question(listed: ListedCall, listing: ModuleListing) -> ModuleQuestion | Resolved | Unresolved | None:
    """What has to be asked about a call; None where there is nothing to ask."""
    if listed.classified.pinning in {Pinning.LOCAL, Pinning.UNKNOWN, Pinning.REFUSED}:
        return None
    source: ModuleSource = listed.call.parsed(listing.client.default_registry)
    if isinstance(source, RegistryModuleSource):
        return RegistryModule(replace(source, subdirectory=""), listed.call.version)
    if not isinstance(source, RemoteSource):
        return None
    return _itself(source, listed) or question_of(source, listed.call.source)


def _itself(source: RemoteSource, listed: ListedCall) -> Resolved | None:
    """The commit that a source names by its whole ID; None where it names none."""
    if listed.classified.pinning is not Pinning.IMMUTABLE or source.getter is not Getter.GIT or source.asks_bitbucket:
        return None
    return Resolved(revision=source.url.first("ref").lower(), how="it names the commit itself; nobody was asked")


def _with(
    listed: ListedCall, question: ModuleQuestion | Resolved | Unresolved | None, answers: Mapping[ModuleQuestion, Meant]
) -> ListedCall:
    if question is None or isinstance(question, Resolved | Unresolved):
        return replace(listed, resolution=question)
    answer = answers[question]
    if isinstance(answer, Unresolved):
        return replace(listed, resolution=answer)
    fixed = listed.classified.pinning is Pinning.IMMUTABLE
    pinned = "" if fixed else _pinned(question, listed.call.source, answer.revision)
    return replace(
        listed,
        resolution=Resolved(
            revision=answer.revision,
            package=answer.package,
            how=answer.how,
            pinned=pinned,
            location=answer.location,
        ),
    )


def _pinned(question: ModuleQuestion, source: str, revision: str) -> str:
    match question:
        case GitRepository():
            return pinned_git(source, revision)
        case ArchiveUrl():
            return pinned_archive(source, revision)
        case OciModuleSource():
            return f"{source.partition('?')[0].partition('#')[0]}?digest={revision}"
        case PageUrl() | RegistryModule():
            return ""
        case _:
            assert_never(question)


async def _asked(
    wanted: Sequence[ModuleQuestion], options: AuditOptions, runtime: Runtime, told: OnAnswered
) -> dict[ModuleQuestion, Meant]:
    remotes = GitRemotes(runtime.environ)
    slots = asyncio.Semaphore(_SIDE_BY_SIDE)
    answers: dict[ModuleQuestion, Meant] = {}
    async with (
        PackageStore(None, now=lambda: runtime.now().timestamp()) as store,
        opened_network(options, runtime, store, runtime.report) as network,
        asyncio.TaskGroup() as group,
    ):
        meanings = network.module_meanings(remotes)

        async def ask(question: ModuleQuestion) -> None:
            async with slots:
                answers[question] = await meanings.answer(question)
            told(len(answers), len(wanted))

        told(0, len(wanted))
        for each in wanted:
            group.create_task(ask(each))
    return answers
