"""The journal of a backfill: one line for each package that was looked at, and what several journals say together.

It is the only state of a backfill. Metadata files are only ever filled from it, so that whoever has the old files and
the journal can make the new ones again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.registry_metadata.model import EMPTY_DIGEST, EMPTY_H1, Size, package_key
from lockwarden.core.values.errors import MetadataError
from lockwarden.core.values.hashes import H1, ZH, Hash


class State(StrEnum):
    """How the work on one package ended."""

    DONE = "done"
    CONFLICT = "conflict"
    """The bytes are the right ones, and a size or hash that a file has already is not theirs."""
    CHANGED = "changed"
    """What is given out there is not what the file has the digest of: the release was made anew, or a page of errors
    stands in its place."""
    CORRUPT = "corrupt"
    """The bytes are the right ones, and no archive that has an `h1`."""
    MISSING = "missing"
    """The server says that it does not have it."""
    FORBIDDEN = "forbidden"
    """The server does not give it to us."""
    TOO_LARGE = "too-large"
    """A limit of this program's own."""
    THROTTLED = "throttled"
    """The host limits how often it is asked."""
    FAILED = "failed"
    """It could not be had this time."""

    @property
    def final(self) -> bool:
        """Whether it is not looked at again unless somebody says so."""
        return self not in {State.THROTTLED, State.FAILED}

    @property
    def objects(self) -> bool:
        """Whether a person has to see to it."""
        return self in {State.CONFLICT, State.CHANGED, State.CORRUPT}


_PRECEDENCE: Final = (State.DONE, State.CONFLICT)
"""What the bytes are is known for ever once they were seen; of everything else, the last word counts."""


class Subject(Struct, frozen=True, order=True):
    """What a package serves."""

    provider: str
    """`namespace/name`."""
    version: str
    platform: str


class JournalLine(Struct, frozen=True, kw_only=True):
    """What became of one package, with the evidence for it."""

    key: str
    url: str
    """As the metadata file has it."""
    zh_expected: str
    state: State
    reason: str = ""
    """Why it is not done; hostile text."""
    zh: str = ""
    size: Size = 0
    """Bytes that were counted, not announced."""
    h1_archive: str = ""
    """The value that is filled in."""
    h1_dir: str = ""
    """What a client computes of the unpacked package."""
    entries: int = 0
    unpacked: int = 0
    dir_entries: int = 0
    duplicates: int = 0
    oddities: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    final_host: str = ""
    status: int = 0
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    started: str = ""
    finished: str = ""
    attempt: int = 0
    """Answers that it took in this run."""
    subjects: tuple[Subject, ...] = ()
    tool_version: str = ""
    run_id: str = ""
    worker: str = ""

    @property
    def has_evidence(self) -> bool:
        """Whether bytes with the expected digest were seen, so that the line says what they are."""
        return self.state in _PRECEDENCE

    @property
    def evidence(self) -> tuple[str, int, str, str]:
        """What is true of the bytes for ever."""
        return (self.zh, self.size, self.h1_archive, self.h1_dir)

    @property
    def flaw(self) -> str:
        """Why the line cannot be believed, or the empty string."""
        if self.key != package_key(self.url, self.zh_expected):
            return "its key is not that of its URL and digest"
        if not self.has_evidence:
            return ""
        if self.zh != self.zh_expected or not Hash(f"{ZH}:{self.zh}").usable or self.zh == EMPTY_DIGEST:
            return "its bytes are not those that were expected"
        if self.size <= 0 or not (self.h1_archive.startswith(f"{H1}:") and Hash(self.h1_archive).usable):
            return "it lacks a size or an h1"
        return "its package is empty" if self.h1_archive == EMPTY_H1 else ""


def written(line: JournalLine) -> bytes:
    """The line as it stands in a journal, with its line feed."""
    return msgspec.json.encode(line) + b"\n"


_READER: Final = msgspec.json.Decoder(JournalLine)
"""Made here, by one thread: msgspec crashes where two threads are the first to read into the same types."""


def whole_part(data: bytes) -> bytes:
    """A journal without the torn line that a killed run may have left at its end."""
    return data[: data.rfind(b"\n") + 1]


def read_journal(data: bytes, name: str) -> tuple[JournalLine, ...]:
    """The lines of a journal; a torn last one is ignored. Raises MetadataError for any other that is damaged."""
    lines = []
    for number, text in enumerate(whole_part(data).split(b"\n")[:-1], 1):
        try:
            line = _READER.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise _damaged(name, number, f"it is no line of a journal: {error}") from error
        if line.flaw:
            raise _damaged(name, number, line.flaw)
        lines.append(line)
    return tuple(lines)


def _damaged(name: str, number: int, why: str) -> MetadataError:
    return MetadataError(
        f"{name}:{number}: the journal is damaged here: {why}",
        hint="take the line out if you know what wrote it, or begin a new journal; nothing was written",
    )


def merged(journals: Mapping[str, Iterable[JournalLine]]) -> dict[str, JournalLine]:
    """What journals, by their names, say of each package together.

    Raises MetadataError where two lines have seen the same bytes, at whichever URLs, and computed different things from
    them: one of the machines was wrong, and nobody knows which.
    """
    found: dict[str, tuple[str, JournalLine]] = {}
    of_bytes: dict[str, tuple[str, JournalLine]] = {}
    for name, lines in journals.items():
        for line in lines:
            if line.has_evidence:
                name_seen, seen = of_bytes.setdefault(line.zh, (name, line))
                if seen.evidence != line.evidence:
                    raise _contradiction(name_seen, seen, name, line)
            name_before, before = found.get(line.key, ("", None))
            if before is None:
                found[line.key] = (name, line)
            elif not (before.has_evidence and line.has_evidence):
                found[line.key] = (name_before, before) if before.has_evidence else (name, line)
    return {key: line for key, (_, line) in found.items()}


def _contradiction(name_before: str, before: JournalLine, name: str, line: JournalLine) -> MetadataError:
    about = line.url if line.url == before.url else f"the bytes of {before.url} and {line.url}, which are the same"
    return MetadataError(
        f"{name_before} and {name} contradict each other about {about}: {_told(before)}; {_told(line)}",
        hint="compute it on a third machine, find out which of the two was wrong, and do anew all that it did; nothing"
        " was written",
    )


def _told(line: JournalLine) -> str:
    by = f" by {line.worker}" if line.worker else ""
    return f"{line.h1_archive} and {line.size} bytes{by}, {line.finished or 'at no time'}"
