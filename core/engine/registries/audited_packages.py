"""Packages of an audit, as a worker looks at them: data goes in and comes out, and nothing of it stays there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.bundles.model import ErrorRecord
from lockwarden.core.engine.registries.held import HeldOpen
from lockwarden.core.engine.registries.settings import WorkRuntime
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.elsewhere import AskedPackage
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.sources.package_work import PackageWork, package_evidence
from lockwarden.core.store.known_facts import KnownPackage, WrittenPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.errors import SourceError, ToolError
from lockwarden.core.values.hashes import Hash


class AuditWork(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the packages of one run are to be fetched, here or by a worker elsewhere."""

    http: HttpSettings
    here: bool
    """Whether workers are on the machine of whoever asks: then its certificates and proxies are theirs."""
    run: str
    """No two runs have the same, so that none is handed what another one was told."""


class _Answer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a worker says of one package: what it is, or why that is not known."""

    asked: AskedPackage
    package: WrittenPackage | None = None
    failure: ErrorRecord | None = None


_WORK: Final = msgspec.json.Decoder(AuditWork)
_ASKED: Final = msgspec.json.Decoder(AskedPackage)
_ANSWER: Final = msgspec.json.Decoder(_Answer)
"""Made here, by one thread: msgspec crashes where two threads are the first to read into the same types."""


class _Open(Struct, frozen=True):
    http: HttpClient
    store: PackageStore


OPEN: Final[HeldOpen[_Open]] = HeldOpen()
"""In this process."""


def look_at(settings: bytes, asked: bytes, place: WorkRuntime) -> bytes:
    """Fetch one package and hash it; what it is, or why that is not known, as bytes. Blocks."""
    wanted = _ASKED.decode(asked)
    return OPEN.run(settings, lambda: _opened(_WORK.decode(settings), place), lambda opened: _looked(opened, wanted))


def close_audit(settings: bytes) -> None:
    """Let go of what is open for a run that is over. Blocks."""
    OPEN.close(settings)


@asynccontextmanager
async def _opened(work: AuditWork, place: WorkRuntime) -> AsyncIterator[_Open]:
    settings = work.http
    if not work.here:
        own = HttpSettings.from_environment(place.environ, proxies=place.proxies())
        settings = replace(
            settings,
            ca_file=own.ca_file,
            ca_folders=own.ca_folders,
            client_certificate=own.client_certificate,
            client_key=own.client_key,
            proxies=own.proxies,
        )
    client = HttpClient(settings, now=place.now, transport=place.transport)
    async with client as http, PackageStore(place.scratch, now=place.now) as store:
        yield _Open(http, store)


async def _looked(opened: _Open, asked: AskedPackage) -> bytes:
    http = opened.http.with_package_retries(asked.retries)
    work = PackageWork(url=asked.url, zh=asked.zh, size=asked.size)
    try:
        evidence = await package_evidence(http, opened.store, work, keep=False)
    except SourceError as error:
        failure = ErrorRecord.of(error, error.message, error.hint)
        return msgspec.json.encode(_Answer(asked=asked, failure=failure))
    return msgspec.json.encode(_Answer(asked=asked, package=WrittenPackage.of(evidence.package)))


def package_of(answer: bytes, asked: AskedPackage) -> KnownPackage:
    """What a worker said of the package that it was asked for.

    Raises the SourceError that it met, and ToolError for what is no answer to just this question.
    """
    try:
        given = _ANSWER.decode(answer)
        known = None if given.package is None else given.package.known()
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError, OverflowError) as error:
        raise _unbelievable(f"it is no answer about a package: {error}") from error
    if given.asked != asked:
        raise _unbelievable("it is about another package")
    failure = given.failure
    if failure is not None and given.package is None:
        raise failure.error()
    if known is None or failure is not None:
        raise _unbelievable("it contradicts itself")
    claimed = () if known.facts is None else (known.facts.h1_archive, known.facts.h1_directory)
    if known.size < 0 or not all(each is None or Hash(each.text).usable for each in (known.zh, *claimed)):
        raise _unbelievable("it has a hash or a size that no package could have")
    return replace(known, computed_on=None, givers={})


def _unbelievable(why: str) -> ToolError:
    return ToolError(
        f"a worker gave an answer that cannot be believed: {why}",
        hint="see that lockwarden has the same version on all workers, and who else can reach the scheduler",
    )
