"""What is written down of an audit, and what is not."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from builders.evidence import opened
from builders.tables import table

from lockwarden.core.bundles.archive import read_bundle
from lockwarden.core.bundles.model import PlatformsRecord, SourceRecord
from lockwarden.core.bundles.recording import Recorder
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.tape import DocumentQuestion
from lockwarden.core.values.errors import BadAnswerError, InputError, NoAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

URL = "https://registry.example.test/v1/one"
SECRET = "token-0123456789"


def recorder() -> Recorder:
    return Recorder(now=lambda: datetime(2026, 11, 1, tzinfo=UTC), roots=("/home/ann",))


def question(
    url: str = URL, headers: Mapping[str, str] | None = None, *, stage: Stage = Stage.METADATA
) -> DocumentQuestion:
    return DocumentQuestion.of(url, headers or {}, method="GET", stage=stage, limit=1000)


def document(body: bytes, *, url: str = URL, **headers: str) -> HttpDocument:
    return HttpDocument(
        url=url,
        status=200,
        content_type="application/json",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        body=body,
        sha256=hashlib.sha256(body).hexdigest(),
        redirects=(),
        credentials_sent=False,
    )


def hear(record: Recorder, asked: DocumentQuestion, *outcomes: HttpDocument | SourceError) -> None:
    waiting = list(outcomes)

    async def ask() -> HttpDocument:
        outcome = waiting.pop(0)
        if isinstance(outcome, SourceError):
            raise outcome
        return outcome

    for outcome in outcomes:
        if isinstance(outcome, SourceError):
            with pytest.raises(type(outcome)):
                asyncio.run(record.document(asked, ask))
        else:
            assert asyncio.run(record.document(asked, ask)) is outcome


def made(record: Recorder) -> bytes:
    return record.bundle(tool="1.0", lock_files=[], platforms=PlatformsRecord(wanted=[]), services={})


def replayed(data: bytes, asked: DocumentQuestion) -> HttpDocument:
    async def nobody() -> HttpDocument:
        raise AssertionError("somebody was asked")

    return asyncio.run(opened(data).replayer.document(asked, nobody))


@table(
    ("stage", "answer"),
    [
        (Stage.METADATA, document(b'{"echo": "' + SECRET.encode() + b'"}')),
        (Stage.METADATA, document(b"{}", url=URL, link=f"<{URL}/{SECRET}>")),
        (Stage.SUMS, document(b"abc  https://registry.example.test/x?token=1\n")),
        (Stage.SIGNATURE, document(b"https://registry.example.test/x?token=1\n")),
        (Stage.METADATA, document(b'{"urls": ["https://h/x?token=1"]}', docker_content_digest="sha256:1")),
    ],
)
def test_what_holds_a_secret_or_would_lose_bytes_that_count_is_withheld(stage: Stage, answer: HttpDocument) -> None:
    record = recorder()
    record.sent(SECRET)
    hear(record, question(stage=stage), answer)
    data = made(record)
    assert SECRET.encode() not in data
    assert b"token=1" not in data
    with pytest.raises(NoAnswerError, match="must not leave the machine") as error:
        replayed(data, question(stage=stage))
    assert error.value.code is ProblemCode.NOT_IN_EVIDENCE


def test_what_was_sent_with_a_question_is_a_secret_too() -> None:
    record = recorder()
    asked = question(headers={"Authorization": f"Bearer {SECRET}"})
    hear(record, asked, document(b'{"echo": "' + SECRET.encode() + b'"}'))
    assert SECRET.encode() not in made(record)


def test_where_a_secret_cannot_be_left_out_nothing_is_written() -> None:
    record = recorder()
    record.sent(SECRET)
    record.sources["mirror"] = SourceRecord(id="mirror", kind=SourceKind.NETWORK_MIRROR, location=f"https://{SECRET}/")
    with pytest.raises(InputError, match="would hold a secret"):
        made(record)


def test_the_answers_to_one_question_come_in_their_order_and_the_last_one_stays() -> None:
    record = recorder()
    first, second = document(b'{"tag": 1}'), document(b'{"tag": 2}')
    hear(record, question(), first, first, second)
    replayer = opened(made(record)).replayer

    async def nobody() -> HttpDocument:
        raise AssertionError("somebody was asked")

    told = [asyncio.run(replayer.document(question(), nobody)).body for _ in range(3)]
    assert told == [first.body, second.body, second.body]


@pytest.mark.parametrize("kind", [NotThereError, NoAnswerError, BadAnswerError])
def test_an_error_stays_what_it_was_without_paths(kind: type[SourceError]) -> None:
    record = recorder()
    error = kind(
        "cannot be stored in /home/ann/cache", stage=Stage.VERSIONS, code=ProblemCode.TIMEOUT, hint="see /etc/x.conf"
    )
    hear(record, question(), error)
    with pytest.raises(kind) as again:
        replayed(made(record), question())
    assert type(again.value) is kind
    told = again.value
    assert (told.message, told.hint) == ("cannot be stored in (a local path)", "see (a local path)")
    assert (told.stage, told.code) == (Stage.VERSIONS, ProblemCode.TIMEOUT)


def test_what_was_not_asked_in_this_way_is_not_in_the_evidence() -> None:
    record = recorder()
    hear(record, question(headers={"Accept": "application/json"}), document(b"{}"))
    data = made(record)
    assert replayed(data, question(headers={"Accept": "application/json"})).body == b"{}"
    others = (
        question(),
        question(f"{URL}/other", {"Accept": "application/json"}),
        question(f"{URL}?page=2", {"Accept": "application/json"}),
        DocumentQuestion.of(URL, {"Accept": "application/json"}, method="HEAD", stage=Stage.METADATA, limit=1000),
        DocumentQuestion.of(URL, {"Accept": "application/json"}, method="GET", stage=Stage.METADATA, limit=1),
        DocumentQuestion.of(
            URL,
            {"Accept": "application/json"},
            method="GET",
            stage=Stage.METADATA,
            limit=1000,
            content_types=frozenset({"text/plain"}),
        ),
    )
    for asked in others:
        with pytest.raises(NoAnswerError, match="is not in the evidence"):
            replayed(data, asked)


def test_one_client_may_be_answered_in_another_way_than_the_other() -> None:
    record = recorder()
    for version in ("1.12.6", "1.11.4"):
        hear(record, question(headers={"X-Terraform-Version": version}), document(version.encode()))
    data = made(record)
    for version in ("1.12.6", "1.11.4"):
        assert replayed(data, question(headers={"X-Terraform-Version": version})).body == version.encode()
    assert len(read_bundle(data, "evidence.tar").documents) == 2
