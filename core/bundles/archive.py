"""The file that a bundle is: a tar archive of one JSON document and the documents of servers, by their digests.

There is one file for each content. What is read has to be, byte for byte, what is written for it: so nothing can hide
in it, no two readers can disagree about it, and equal evidence is an equal file.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from lockwarden.core.archives.tar import MemberKind, members_of
from lockwarden.core.bundles.model import Bundle, BundleRecord
from lockwarden.core.values.errors import ArchiveError, InputError

MAX_SIZE: Final = 64 * 1024 * 1024
"""Bytes of the whole file. The evidence of a lock file with thirty providers has some megabytes."""
MAX_DOCUMENTS: Final = 20_000
"""Documents of one bundle."""
MAX_RECORD: Final = 16 * 1024 * 1024
"""Bytes of the JSON document."""
_RECORD: Final = "evidence.json"
_FOLDER: Final = "documents/"
_BLOCK: Final = 512
"""Bytes of a block of tar."""
_END: Final = bytes(2 * _BLOCK)
_DOCUMENT: Final = re.compile(r"documents/[0-9a-f]{64}\Z")
_HINT: Final = "make it anew with “lockwarden bundle”, and bring the whole file over"
_READER: Final = msgspec.json.Decoder(BundleRecord)
"""Made here, by one thread: msgspec crashes where two threads are the first to read into the same types."""


class BundleTooLargeError(InputError):
    """There is more evidence than a bundle may hold."""


def written(record: BundleRecord, documents: Mapping[str, bytes]) -> bytes:
    """The bytes of a bundle; `documents` are the bodies by their SHA-256. Raises BundleTooLargeError.

    Equal evidence gives equal bytes, whenever and wherever it is written.
    """
    body = msgspec.json.encode(record, order="deterministic")
    members = [(_RECORD, body), *((_FOLDER + digest, documents[digest]) for digest in sorted(documents))]
    size = len(_END) + sum(_BLOCK + len(content) + -len(content) % _BLOCK for _, content in members)
    if len(body) > MAX_RECORD or len(documents) > MAX_DOCUMENTS or size > MAX_SIZE:
        raise BundleTooLargeError(
            f"the evidence has {size} bytes in {len(documents)} documents; a bundle has at most {MAX_SIZE} in"
            f" {MAX_DOCUMENTS}",
            hint="make bundles of fewer lock files at a time",
        )
    return b"".join(_member(name, content) for name, content in members) + _END


def _member(name: str, content: bytes) -> bytes:
    header = b"".join(
        (
            name.encode("ascii").ljust(100, b"\0"),
            b"0000644\0" + b"0000000\0" * 2,
            f"{len(content):011o}\0".encode(),
            b"0" * 11 + b"\0",
            b" " * 8,
            b"0".ljust(101, b"\0"),
            b"ustar\0" + b"00",
        )
    ).ljust(_BLOCK, b"\0")
    checksum = f"{sum(header):06o}\0 ".encode()
    return header[:148] + checksum + header[156:] + content + bytes(-len(content) % _BLOCK)


def read_bundle(data: bytes, name: str) -> Bundle:
    """Read a bundle; `name` is what sentences call the file.

    Raises InputError for what is no bundle, is too large, or has one byte more or other than what is written for it.

    That it can be read says nothing about who made it, or whether what it says is true.
    """
    try:
        members = _members(data)
        body = members.pop(_RECORD, None)
        if body is None:
            raise _UnusableError("it holds no evidence")
        record = _READER.decode(body)
        documents = {each.removeprefix(_FOLDER): content for each, content in members.items()}
        _check_documents(record, documents)
        if written(record, documents) != data:
            raise _UnusableError("it is not as it was written")
    except ArchiveError as error:
        raise _refused(name, error.message) from error
    except _UnusableError as error:
        raise _refused(name, str(error)) from error
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:  # of text that is none it says the last
        raise _refused(name, "what it says cannot be read: it is cut, or another version wrote it") from error
    return Bundle(record=record, documents=documents, digest=hashlib.sha256(data).hexdigest())


class _UnusableError(Exception):
    """The file is no bundle; the text is the end of a sentence."""


def _refused(name: str, why: str) -> InputError:
    return InputError(f"the evidence in {name} cannot be used: {why}", hint=_HINT)


def _members(data: bytes) -> dict[str, bytes]:
    if len(data) > MAX_SIZE:
        raise _UnusableError(f"it has more than {MAX_SIZE} bytes, which is the limit")
    found: dict[str, bytes] = {}
    for entry, content in members_of(io.BytesIO(data)):
        name = entry.name.decode("ascii", "replace")
        if entry.kind is not MemberKind.FILE or (name != _RECORD and not _DOCUMENT.match(name)) or name in found:
            raise _UnusableError("it holds something that is no evidence")
        if len(found) > MAX_DOCUMENTS:
            raise _UnusableError(f"it holds more than {MAX_DOCUMENTS} documents, which is the limit")
        found[name] = b"".join(content)
        if name == _RECORD and len(found[name]) > MAX_RECORD:
            raise _UnusableError(f"its document has more than {MAX_RECORD} bytes, which is the limit")
    return found


def _check_documents(record: BundleRecord, documents: Mapping[str, bytes]) -> None:
    """Every document is named once by its digest and meant by an answer, and none is missing."""
    for digest, content in documents.items():
        if hashlib.sha256(content).hexdigest() != digest:
            raise _UnusableError(f"the document {digest[:12]}… does not have the digest by which it is named")
    meant = set(bodies_of(record))
    if meant != set(documents):
        raise _UnusableError("documents are missing in it, or nothing in it means them")


def bodies_of(record: BundleRecord) -> Iterable[str]:
    """The digests of the documents that the answers mean."""
    for document in record.documents:
        for heard in document.heard:
            if heard.answer is not None:
                yield heard.answer.body
