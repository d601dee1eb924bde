"""The file of a bundle: there is one for each content, and whatever is not that file is refused in one sentence."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from builders.tables import table
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.bundles import archive
from lockwarden.core.bundles.archive import BundleTooLargeError, read_bundle, written
from lockwarden.core.bundles.model import (
    SCHEMA,
    AnswerRecord,
    BundleRecord,
    DocumentRecord,
    HeardRecord,
    PlatformsRecord,
)
from lockwarden.core.bundles.replaying import Replayer
from lockwarden.core.values.errors import InputError

BODY = b'{"versions": []}'
DIGEST = hashlib.sha256(BODY).hexdigest()
ANSWER = AnswerRecord(status=200, url="https://registry.example.test/v1", body=DIGEST, sha256=DIGEST)
ASKED = DocumentRecord(url="https://registry.example.test/v1", heard=[HeardRecord(answer=ANSWER)])
RECORD = BundleRecord(
    schema=SCHEMA,
    tool="1.0",
    made=1_780_000_000,
    lock_files=["c" * 64],
    platforms=PlatformsRecord(wanted=["linux_amd64"]),
    sources=[],
    plans=[],
    documents=[ASKED],
)
DOCUMENTS = {DIGEST: BODY}
DATA = written(RECORD, DOCUMENTS)


def refused(data: bytes) -> str:
    with pytest.raises(InputError) as error:
        Replayer(read_bundle(data, "evidence.tar"), "evidence.tar")
    assert error.value.message.startswith("the evidence in evidence.tar cannot be used: ")
    assert "\n" not in error.value.message
    assert error.value.hint
    return error.value.message


def tar(*members: tuple[str, bytes], kind: bytes = tarfile.REGTYPE, form: int = tarfile.USTAR_FORMAT) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as opened:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size, info.type = len(content), kind
            opened.addfile(info, io.BytesIO(content))
    return made.getvalue()


def test_what_is_written_is_read_again_and_other_programs_can_read_it() -> None:
    bundle = read_bundle(DATA, "evidence.tar")
    assert (bundle.record, bundle.documents) == (RECORD, DOCUMENTS)
    assert bundle.digest == hashlib.sha256(DATA).hexdigest()
    with tarfile.open(fileobj=io.BytesIO(DATA)) as opened:
        assert opened.getnames() == ["evidence.json", f"documents/{DIGEST}"]
        member = opened.extractfile(f"documents/{DIGEST}")
        assert member is not None
        assert member.read() == BODY


@given(at=st.integers(0, 8 * len(DATA) - 1))
def test_with_another_bit_it_is_refused_or_says_something_else(at: int) -> None:
    changed = bytearray(DATA)
    changed[at // 8] ^= 1 << at % 8
    try:
        bundle = read_bundle(bytes(changed), "evidence.tar")
    except InputError:
        return
    assert bundle.record != RECORD
    assert bundle.digest != hashlib.sha256(DATA).hexdigest()


def test_cut_or_with_more_behind_it_is_refused() -> None:
    for data in (b"", b"\0" * 1024, DATA[:100], DATA[:600], DATA[:-512], DATA + bytes(512), DATA + b"x", b"PK" + DATA):
        refused(data)


@table(
    "members",
    [
        [],
        [("other.json", b"{}")],
        [("../evidence.json", b"{}")],
        [("evidence.json", b"{}"), ("evidence.json", b"{}")],
        [("evidence.json", b"{}"), ("documents/short", b"")],
    ],
)
def test_other_members_are_refused(members: list[tuple[str, bytes]]) -> None:
    refused(tar(*members))


def test_the_same_content_in_another_tar_is_refused() -> None:
    record = msgspec.json.encode(RECORD, order="deterministic")
    members = (("evidence.json", record), (f"documents/{DIGEST}", BODY))
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        assert "it is not as it was written" in refused(tar(*members, form=form))
    assert "it is not as it was written" in refused(tar(*reversed(members)))
    for kind in (tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE):
        refused(tar(("evidence.json", b""), kind=kind))
    spaced = written(RECORD, DOCUMENTS).replace(b'"tool":"1.0"', b'"tool": "1.0"')
    refused(spaced)


def test_a_document_that_is_missing_changed_or_meant_by_nobody_is_refused() -> None:
    assert "documents are missing in it" in refused(written(RECORD, {}))
    other = hashlib.sha256(b"other").hexdigest()
    assert "nothing in it means them" in refused(written(RECORD, {**DOCUMENTS, other: b"other"}))
    assert "does not have the digest" in refused(written(RECORD, {DIGEST: b"other"}))


def _edited(change: Callable[[Any], None]) -> bytes:
    raw = msgspec.json.decode(msgspec.json.encode(RECORD))
    change(raw)
    body = msgspec.json.encode(raw, order="deterministic")
    return DATA[:0] + tar(("evidence.json", body), (f"documents/{DIGEST}", BODY))


@table(
    "change",
    [
        lambda raw: raw.update(schema="lockwarden.evidence/2"),
        lambda raw: raw.update(unknown=1),
        lambda raw: raw.pop("made"),
        lambda raw: raw.update(made="now"),
        lambda raw: raw.update(documents=[[[[[]]]]]),
        lambda raw: raw["documents"][0]["heard"][0]["answer"].update(status="200"),
    ],
)
def test_what_the_document_cannot_say_is_refused(change: Callable[[Any], None]) -> None:
    assert "cannot be read: it is cut, or another version wrote it" in refused(_edited(change))


def test_text_that_is_none_is_refused() -> None:
    for text in (b"\xff", b"\xed\xa0\x80", b"\\ud800"):
        refused(DATA.replace(b'"tool":"1.0"', b'"tool":"' + text.ljust(3, b".")[:3] + b'"'))
        refused(tar(("evidence.json", msgspec.json.encode(RECORD).replace(b'"tool":"1.0"', b'"tool":"' + text + b'"'))))


def test_json_that_is_nested_without_end_is_refused() -> None:
    for body in (b"[" * 100_000, b'{"documents":' + b"[" * 100_000, b'{"unknown":' * 50_000):
        refused(tar(("evidence.json", body)))


@table(
    "changes",
    [
        {"made": 10**18},
        {"platforms": PlatformsRecord(wanted=["linux"])},
        {"documents": [replace(ASKED, heard=[])], "bodies": {}},
        {"documents": [replace(ASKED, heard=[HeardRecord()])], "bodies": {}},
    ],
)
def test_what_no_audit_can_have_found_is_refused(changes: dict[str, Any]) -> None:
    bodies = changes.pop("bodies", DOCUMENTS)
    assert "it says what no audit can have found" in refused(written(replace(RECORD, **changes), bodies))


def test_more_than_the_limits_is_neither_written_nor_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MAX_SIZE", 1000), ("MAX_RECORD", 100), ("MAX_DOCUMENTS", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(archive, name, limit)
            with pytest.raises(BundleTooLargeError, match="a bundle has at most"):
                written(RECORD, DOCUMENTS)
            assert "which is the limit" in refused(DATA)
