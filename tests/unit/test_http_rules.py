"""Rules of the HTTP client that need no server: settings, retries, certificate names, encodings, transport errors."""

from __future__ import annotations

import asyncio
import gzip
import random
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator

import httpx
import pytest
import trustme
from builders.tables import table
from httpcore._synchronization import AsyncEvent

from lockwarden.cli.process_tuning import do_without_absent_modules
from lockwarden.core.http.busy_servers import phrase
from lockwarden.core.http.content_encoding import RATIO_FLOOR, EncodedEndError, EncodingError, decoded, is_encoded
from lockwarden.core.http.package_streams import Pace
from lockwarden.core.http.retries import RetryBudget, may_pass, seconds_asked
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tls import issuer_name, issuer_shown_by, tls_context
from lockwarden.core.http.transport_errors import explain_transport_error
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode


def test_the_clients_variables_are_read() -> None:
    settings = HttpSettings.from_environment(
        {
            "TF_REGISTRY_CLIENT_TIMEOUT": "25",
            "TF_REGISTRY_DISCOVERY_RETRY": "+4",
            "TF_PROVIDER_DOWNLOAD_RETRY": "07",
            "TF_APPEND_USER_AGENT": " ci/1.0 ",
            "SSL_CERT_FILE": "/etc/company.pem",
            "SSL_CERT_DIR": "/etc/certs",
        },
        user_agent="lockwarden/1",
        insecure_http_hosts=frozenset({"example.test"}),
        offline=True,
    )
    assert settings == HttpSettings(
        metadata_timeout=25.0,
        metadata_retries=4,
        package_retries=7,
        user_agent="lockwarden/1 ci/1.0",
        insecure_http_hosts=frozenset({"example.test"}),
        offline=True,
        ca_file="/etc/company.pem",
        ca_folders="/etc/certs",
    )


@table("value", ["", "0", "-1", "x", "1.5", " 3", "３", "1_0", "99999999999999999999"])
def test_what_is_not_a_positive_number_is_ignored(value: str) -> None:
    names = ("TF_REGISTRY_CLIENT_TIMEOUT", "TF_REGISTRY_DISCOVERY_RETRY", "TF_PROVIDER_DOWNLOAD_RETRY")
    assert HttpSettings.from_environment(dict.fromkeys(names, value)) == HttpSettings()


@table("suffix", ["", "  ", "a\r\nX-Evil: 1", "bär", "x" * 201])
def test_an_unusable_user_agent_suffix_is_ignored(suffix: str) -> None:
    assert HttpSettings.from_environment({"TF_APPEND_USER_AGENT": suffix}).user_agent == "lockwarden"


def test_the_defaults_are_the_clients() -> None:
    settings = HttpSettings.from_environment({})
    assert (settings.metadata_timeout, settings.metadata_retries, settings.package_retries) == (10.0, 1, 2)


def test_a_status_has_its_usual_words() -> None:
    assert (phrase(404), phrase(599)) == ("Not Found", "")


def test_waits_double_up_to_the_limit() -> None:
    budget = RetryBudget(40)
    waits = [budget.next_delay(None) for _ in range(41)]
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0, *[30.0] * 35, None]
    assert budget.attempts == 41


def test_a_wait_that_the_server_asks_for_replaces_ours_within_the_limit() -> None:
    assert RetryBudget(1).next_delay(0.0) == 0.0
    assert RetryBudget(1).next_delay(99.0) == 30.0


def test_an_exhausted_budget_names_the_attempts_and_keeps_the_rest() -> None:
    error = BadAnswerError("it broke", stage=Stage.SUMS, hint="try", code=ProblemCode.SHORT_BODY)
    error.__cause__ = ValueError("why")
    budget = RetryBudget(1)
    assert budget.exhausted(error) is error
    budget.next_delay(None)
    final = budget.exhausted(error)
    assert isinstance(final, BadAnswerError)
    assert (final.message, final.stage, final.hint, final.code) == (
        "it broke (2 attempts)",
        Stage.SUMS,
        "try",
        "short-body",
    )
    assert final.__cause__ is error.__cause__


@table(("status", "passes"), [(429, True), (500, True), (599, True), (501, False), (404, False)])
def test_only_overload_and_server_errors_may_pass(status: int, passes: bool) -> None:
    assert may_pass(status) is passes


@table(
    ("header", "seconds"),
    [
        ("0", 0.0),
        (" 12 ", 12.0),
        ("31", 31.0),
        ("9" * 5000, 999_999_999.0),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0),
        ("Sun, 06 Nov 1994 08:49:57 GMT", 20.0),
        ("Sat, 05 Nov 1994 08:49:57 GMT", 0.0),
        ("Sat, 05 Nov 2044 08:49:57 GMT", 1_577_836_820.0),
        ("", None),
        ("soon", None),
        ("1.5", None),
        ("Sun, 99 Nov 1994 08:49:57 GMT", None),
    ],
)
def test_a_wait_is_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert seconds_asked(header, 784_111_777.0) == seconds


def test_the_issuer_of_a_certificate_is_read_from_its_bytes() -> None:
    authority = trustme.CA(organization_name="Corp, Inc.", organization_unit_name="Prüfstelle 7")
    certificate = ssl.PEM_cert_to_DER_cert(authority.issue_cert("example.test").cert_chain_pems[0].bytes().decode())
    assert issuer_name(certificate) == "Prüfstelle 7, Corp, Inc."
    for length in range(0, len(certificate), 13):
        assert issuer_name(certificate[:length]) == ""


@table("data", [b"", b"\x30", b"\x30\x00", b"\x30\x80", b"\x30\x84\xff\xff\xff\xff", bytes(50)])
def test_bytes_that_are_no_certificate_have_no_issuer(data: bytes) -> None:
    assert issuer_name(data) == ""


def test_an_issuer_that_cannot_be_asked_has_no_name() -> None:
    assert asyncio.run(issuer_shown_by("registry.invalid", 443, seconds=5)) == ""


def test_nothing_older_than_tls_1_2_is_spoken() -> None:
    assert tls_context().minimum_version == ssl.TLSVersion.TLSv1_2


async def inflate(chunks: list[bytes], encoding: str) -> list[bytes]:
    async def given() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [piece async for piece in decoded(given(), encoding)]


def bytewise(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


@pytest.mark.parametrize("content", [b"", b"content", bytes(range(256)) * 20], ids=["none", "short", "long"])
def test_gzip_is_undone_however_it_is_cut(content: bytes) -> None:
    packed = gzip.compress(content)
    for chunks in ([packed], bytewise(packed), [packed[:9], b"", packed[9:]]):
        assert b"".join(asyncio.run(inflate(chunks, "gzip"))) == content


def test_several_gzip_members_are_one_content() -> None:
    packed = gzip.compress(b"one") + gzip.compress(b"two")
    for chunks in ([packed], bytewise(packed)):
        assert b"".join(asyncio.run(inflate(chunks, "gzip"))) == b"onetwo"


def test_no_bytes_are_no_gzip_error() -> None:
    assert asyncio.run(inflate([], "gzip")) == []


def test_a_bomb_comes_in_bounded_pieces() -> None:
    pieces = asyncio.run(inflate([gzip.compress(bytes(RATIO_FLOOR))], "gzip"))
    assert sum(map(len, pieces)) == RATIO_FLOOR
    assert max(map(len, pieces)) <= 1024 * 1024


def test_a_bomb_is_cut_where_it_unpacks_to_many_times_its_size() -> None:
    with pytest.raises(EncodingError, match="more than 20 times its size"):
        asyncio.run(inflate([gzip.compress(bytes(RATIO_FLOOR + 1))], "gzip"))


def test_what_is_large_without_being_a_bomb_is_not_cut() -> None:
    content = random.Random(1).randbytes(RATIO_FLOOR // 16) * 18
    assert sum(map(len, asyncio.run(inflate([gzip.compress(content)], "gzip")))) == len(content)


def test_gzip_that_ends_too_early_or_is_damaged_is_an_error() -> None:
    packed = gzip.compress(b"content")
    with pytest.raises(EncodedEndError):
        asyncio.run(inflate([packed[:-1]], "gzip"))
    for wrong in (packed[:-8] + b"12345678", packed + b"trailing bytes", b"plain text"):
        with pytest.raises(EncodingError, match="damaged"):
            asyncio.run(inflate([wrong], "gzip"))


@table(
    ("name", "encoded"),
    [("gzip", True), ("GZIP", True), *((name, False) for name in ("", "identity", "x-gzip", "br", "gzip, gzip"))],
)
def test_the_clients_undo_one_encoding(name: str, encoded: bool) -> None:
    assert is_encoded(name) is encoded


def caused(outer: Exception, cause: Exception) -> Exception:
    outer.__cause__ = cause
    return outer


@table(
    ("error", "code", "passing"),
    [
        (caused(httpx.ConnectError("x"), OSError(113, "no route")), "unreachable", True),
        (caused(httpx.ReadError("x"), BrokenPipeError(32, "pipe")), "connection-reset", True),
        (httpx.ReadError("x"), "connection-reset", True),
        (httpx.ConnectError("x"), "no-connection", True),
        (httpx.PoolTimeout("x"), "timeout", True),
        (caused(httpx.ConnectTimeout("x"), ssl.SSLWantReadError()), "timeout", True),
        (httpx.LocalProtocolError("x"), "not-sent", False),
        (ssl.SSLError(1, "broken"), "tls-failure", False),
    ],
)
def test_trouble_below_http_has_a_code_and_one_sentence(error: Exception, code: str, passing: bool) -> None:
    failure = explain_transport_error(error, host="example.test", in_body=False)
    assert (failure.code, failure.passing) == (code, passing)
    assert "example.test" in failure.message
    kept = failure.error(Stage.SUMS, error)
    assert isinstance(kept, NoAnswerError)
    assert (kept.code, kept.__cause__) == (code, error)


def test_a_circle_of_causes_is_not_followed_for_ever() -> None:
    error = httpx.ReadError("x")
    error.__context__ = caused(ValueError("y"), error)
    assert explain_transport_error(error, host="example.test", in_body=True).code == "connection-reset"


def test_what_httpcore_looks_for_again_and_again_is_known_to_be_there_or_not() -> None:
    searched: list[str] = []
    AsyncEvent().setup()  # loads what it has to, once

    class Searches:
        def find_spec(self, name: str, *_: object) -> None:
            searched.append(name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "modules", dict(sys.modules))
        for absent in ("sniffio", "httpx._main"):
            sys.modules.pop(absent, None)
        do_without_absent_modules()
        patch.setattr(sys, "meta_path", [Searches(), *sys.meta_path])
        for _ in range(3):
            AsyncEvent().setup()
    assert not searched


def test_each_stretch_of_time_has_to_bring_its_bytes() -> None:
    pace = Pace(least=100, seconds=10.0, now=0.0)
    assert pace.deadline == 10.0
    assert pace.count(100, 9.0)
    assert pace.deadline == 20.0
    assert pace.count(1, 19.0)
    assert pace.deadline == 29.0
    assert pace.count(98, 28.0)
    assert not pace.count(1, 29.0)


def test_a_byte_now_and_then_is_too_slow_although_it_never_pauses_for_long() -> None:
    pace = Pace(least=100, seconds=60.0, now=0.0)
    assert [pace.count(1, 5.0 * step) for step in range(1, 13)] == [True] * 11 + [False]


def test_importing_the_client_changes_nothing_that_others_import() -> None:
    code = (
        "import sys; import lockwarden.core.http.client; "
        "print([name for name in ('sniffio', 'httpx._main') if sys.modules.get(name, 0) is None])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
