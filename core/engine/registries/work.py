"""What becomes of one package of a backfill: a line for the journal, whatever its server does. Nothing else is changed.

So the work may be done anywhere, and twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

import httpx
from msgspec import Struct

from lockwarden.core import __version__
from lockwarden.core.archives.facts import ArchiveFacts
from lockwarden.core.archives.oddities import OddityCode
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.package_streams import AnswerHead
from lockwarden.core.registry_metadata.journal_lines import JournalLine, State
from lockwarden.core.registry_metadata.model import EMPTY_H1
from lockwarden.core.registry_metadata.plan import PlannedPackage
from lockwarden.core.sources.package_work import PackageWork, package_evidence
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import SourceError
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of

_GONE: Final = frozenset({404, 410})
_NO_ACCESS: Final = frozenset({401, 403})
_OUR_LIMITS: Final = frozenset({OddityCode.TOO_LARGE, OddityCode.TOO_MANY_MEMBERS, OddityCode.RATIO})
_PASSING: Final = frozenset({ArchiveFault.NOT_A_FILE, ArchiveFault.STOPPED, ArchiveFault.UNREADABLE})


class WorkOutcome(Struct, frozen=True, kw_only=True):
    """How the work ended, with what the bytes are where they are the right ones."""

    state: State
    reason: str = ""
    zh: str = ""
    size: int = 0
    facts: ArchiveFacts | None = None


async def looked_at(
    http: HttpClient,
    store: PackageStore,
    package: PlannedPackage,
    *,
    now: Callable[[], float],
    run_id: str,
    worker: str,
) -> JournalLine:
    """Fetch one package and hash it; `now` gives seconds since 1970.

    What a server does wrong is no error here: the line says why the package is not known.
    """
    started = _moment(now())
    heads: list[AnswerHead] = []
    outcome = await _outcome(http, store, package, heads)
    last = heads[-1] if heads else None
    facts = outcome.facts
    return JournalLine(
        key=package.key,
        url=package.url,
        zh_expected=package.shasum,
        state=outcome.state,
        reason=outcome.reason,
        zh=outcome.zh,
        size=outcome.size,
        h1_archive="" if facts is None or facts.h1_archive is None else facts.h1_archive.text,
        h1_dir="" if facts is None or facts.h1_directory is None else facts.h1_directory.text,
        entries=0 if facts is None else facts.members,
        unpacked=0 if facts is None else facts.unpacked_size,
        dir_entries=0 if facts is None else facts.folders,
        duplicates=0 if facts is None else facts.repeated,
        oddities=() if facts is None else tuple(str(each.code) for each in facts.oddities),
        redirects=() if last is None else last.redirects,
        final_host="" if last is None else _host(last.url),
        status=0 if last is None else last.status,
        content_type="" if last is None else last.content_type,
        etag="" if last is None else last.etag,
        last_modified="" if last is None else last.last_modified,
        started=started,
        finished=_moment(now()),
        attempt=len(heads),
        subjects=package.subjects,
        tool_version=__version__,
        run_id=run_id,
        worker=worker,
    )


async def _outcome(
    http: HttpClient, store: PackageStore, package: PlannedPackage, heads: list[AnswerHead]
) -> WorkOutcome:
    wanted = Hash(f"{ZH}:{package.shasum}")
    work = PackageWork(url=package.url, zh=wanted)
    for last_try in (False, True):
        try:
            evidence = await package_evidence(http, store, work, keep=False, on_answer=heads.append)
        except SourceError as error:
            last = heads[-1] if heads else None
            # An address that a redirect gives may expire before it is asked: then the redirect gives another one.
            if last_try or last is None or not (last.redirects and last.status in _NO_ACCESS and not last.limited):
                return _failure(error, last)
        else:
            # A page of errors, or a body that was cut, may be gone the next time.
            if last_try or evidence.package.zh == wanted:
                return _of_bytes(evidence.package, wanted, package, heads[-1])
    raise AssertionError("unreachable")


def _failure(error: SourceError, last: AnswerHead | None) -> WorkOutcome:
    state = State.FAILED
    if error.code == ProblemCode.TOO_LARGE:
        state = State.TOO_LARGE
    elif error.code == ProblemCode.HOST_PAUSED or (last is not None and last.limited):
        state = State.THROTTLED
    elif error.code == ProblemCode.HTTP_STATUS and last is not None and last.status in _GONE:
        state = State.MISSING
    elif error.code == ProblemCode.HTTP_STATUS and last is not None and last.status in _NO_ACCESS:
        state = State.FORBIDDEN
    elif error.code in {ProblemCode.SHORT_BODY, ProblemCode.LONG_BODY} and last is not None and last.status == 200:
        return WorkOutcome(state=State.CHANGED, reason=f"{error.message}; content type “{last.content_type}”")
    return WorkOutcome(state=state, reason=error.message)


def _of_bytes(known: KnownPackage, wanted: Hash, package: PlannedPackage, last: AnswerHead) -> WorkOutcome:
    zh, size, facts = known.zh.value, known.size, known.facts
    if known.zh != wanted:
        reason = f"its bytes have another sha256, twice; content type “{last.content_type}”"
        return WorkOutcome(state=State.CHANGED, reason=reason, zh=zh, size=size)
    if facts is None or facts.h1_archive is None:
        state, reason = _without_h1(known)
        return WorkOutcome(state=state, reason=reason, zh=zh, size=size, facts=facts)
    if facts.h1_archive.text == EMPTY_H1:
        return WorkOutcome(state=State.CORRUPT, reason="it holds no file at all", zh=zh, size=size, facts=facts)
    differing = "; ".join(_differing(package, facts.h1_archive.text, size))
    state = State.CONFLICT if differing else State.DONE
    return WorkOutcome(state=state, reason=differing, zh=zh, size=size, facts=facts)


def _without_h1(known: KnownPackage) -> tuple[State, str]:
    error = known.archive_error
    if error is not None:
        return (State.FAILED if error.code in _PASSING else State.CORRUPT), error.message
    fatal = [each for each in known.facts.oddities if each.fatal] if known.facts is not None else []
    state = State.TOO_LARGE if fatal and fatal[0].code in _OUR_LIMITS else State.CORRUPT
    return state, fatal[0].message if fatal else "its content cannot be hashed"


def _differing(package: PlannedPackage, h1: str, size: int) -> Iterator[str]:
    for claimed_h1, claimed_size in package.claims:
        if claimed_h1 and claimed_h1 != h1:
            yield f"the file has {claimed_h1}, and it is {h1}"
        if claimed_size and claimed_size != size:
            yield f"the file says {claimed_size} bytes, and it has {size}"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _host(url: str) -> str:
    try:
        return host_of(httpx.URL(url))
    except (httpx.InvalidURL, ValueError):
        return ""
