"""Each way in which TLS fails: one sentence with the right reason, the issuer where there is one, and a hint."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from builders.tables import table
from contract.faulty_server import faulty_server
from contract.http_world import OK
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tls_errors import handshake_failure
from lockwarden.core.values.errors import NoAnswerError, SourceError, Stage

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
FAR_AWAY = datetime(2120, 1, 1, tzinfo=UTC)
BOTH_ENDS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@dataclass(frozen=True, kw_only=True)
class Corp:
    """A company's authority, which a client may or may not trust."""

    authority: trustme.CA
    ca_file: Path

    def server(self, *names: str, not_before: datetime | None = None, expires: datetime = FAR_AWAY) -> ssl.SSLContext:
        """A server whose certificate this authority issued."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        issued = self.authority.issue_cert(*names or ("localhost",), not_before=not_before, not_after=expires)
        issued.configure_cert(context)
        return context


@pytest.fixture(scope="module")
def corp(tmp_path_factory: pytest.TempPathFactory) -> Corp:
    authority = trustme.CA(organization_name="Corp Inc.", organization_unit_name="Gateway 7")
    ca_file = tmp_path_factory.mktemp("corp") / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_file))
    return Corp(authority=authority, ca_file=ca_file)


def self_signed(folder: Path) -> ssl.SSLContext:
    """A server whose certificate nobody but itself issued."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Box in the corner")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7, LONG_AGO, FAR_AWAY)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    certificate = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    (folder / "own.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "own.pem")
    return context


@contextmanager
def shaking_hands(context: ssl.SSLContext) -> Iterator[int]:
    """A server that only shakes hands, and waits for the client to leave when that fails; gives its port."""

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client = listener.accept()[0]
                with context.wrap_socket(client, server_side=True, do_handshake_on_connect=False) as connection:
                    with suppress(ssl.SSLError):
                        connection.do_handshake()
                    # What the client sent is read from the bare socket, so that the last alert is not lost to a reset.
                    with suppress(OSError):
                        while socket.socket.recv(connection, 4096):
                            pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def failure(context: ssl.SSLContext, *, host: str = "localhost", **settings: str) -> tuple[SourceError, int]:
    """How asking such a server ends, and its port."""

    async def main(port: int) -> SourceError:
        async with HttpClient(HttpSettings(**settings), now=time.time) as client:  # type: ignore[arg-type]
            with pytest.raises(NoAnswerError) as caught:
                await client.get_document(f"https://{host}:{port}/a", stage=Stage.INDEX, limit=1000, retries=0)
            return caught.value

    with shaking_hands(context) as port:
        return asyncio.run(main(port)), port


def test_an_unknown_issuer_is_named_with_the_way_to_trust_it(corp: Corp) -> None:
    error, port = failure(corp.server())
    assert error.code == "tls-certificate"
    assert error.message == (
        f"the certificate of localhost:{port} is not trusted: its issuer is not among the authorities that are trusted "
        "here; “Gateway 7, Corp Inc.” issued it"
    )
    assert "SSL_CERT_FILE" in error.hint
    assert "proxy" in error.hint


def test_an_unknown_issuer_that_comes_along_is_named(corp: Corp, tmp_path: Path) -> None:
    chain = tmp_path / "chain.pem"
    issued = corp.authority.issue_cert("localhost")
    chain.write_bytes(issued.private_key_and_cert_chain_pem.bytes() + corp.authority.cert_pem.bytes())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    error, _ = failure(context)
    assert "a self-signed one comes along" in error.message
    assert error.message.endswith("“Gateway 7, Corp Inc.” issued it")
    assert "SSL_CERT_FILE" in error.hint


def test_an_expired_certificate_is_told_with_its_issuer(corp: Corp) -> None:
    error, _ = failure(corp.server(expires=LONG_AGO), ca_file=str(corp.ca_file))
    assert "not trusted: it has expired, or one that it rests on has; “Gateway 7, Corp Inc.” issued it" in error.message
    assert "clock" in error.hint
    assert "SSL_CERT_FILE" not in error.hint


def test_a_certificate_that_is_not_valid_yet_is_told_with_its_issuer(corp: Corp) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    error, _ = failure(corp.server(not_before=tomorrow), ca_file=str(corp.ca_file))
    assert "not trusted: it is not valid yet; “Gateway 7, Corp Inc.” issued it" in error.message
    assert "clock" in error.hint


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_certificate_for_other_names_is_told_with_its_issuer(corp: Corp, host: str) -> None:
    error, port = failure(corp.server("mirror.example.test"), host=host, ca_file=str(corp.ca_file))
    assert error.message == (
        f"the certificate of {host}:{port} is not trusted: it was issued for other names than this one; "
        "“Gateway 7, Corp Inc.” issued it"
    )
    assert "host in the URL" in error.hint


def test_a_self_signed_certificate_is_told_with_its_own_name(tmp_path: Path) -> None:
    error, _ = failure(self_signed(tmp_path))
    assert "not trusted: it is self-signed, so nobody vouches for it; “Box in the corner” issued it" in error.message
    assert "SSL_CERT_FILE" in error.hint


def test_a_self_signed_certificate_can_be_trusted(tmp_path: Path) -> None:
    context = self_signed(tmp_path)

    async def main() -> int:
        settings = HttpSettings(ca_file=str(tmp_path / "own.pem"))
        async with faulty_server(context) as server, HttpClient(settings, now=time.time) as client:
            return (await client.get_document(server.on("/a", OK), stage=Stage.INDEX, limit=1000)).status

    assert asyncio.run(main()) == 200


def test_a_server_that_knows_only_old_tls_is_told_so(corp: Corp) -> None:
    context = corp.server()
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    error, port = failure(context, ca_file=str(corp.ca_file))
    assert error.code == "tls-failure"
    assert error.message == f"no TLS connection to localhost:{port} could be made: it refuses TLS 1.2 and TLS 1.3"
    assert "at least TLS 1.2 is needed" in error.hint


@pytest.mark.parametrize("version", BOTH_ENDS)
def test_a_server_that_wants_a_client_certificate_is_told_with_the_variables(
    corp: Corp, version: ssl.TLSVersion
) -> None:
    context = corp.server()
    context.minimum_version = context.maximum_version = version
    corp.authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    error, port = failure(context, ca_file=str(corp.ca_file))
    assert f"localhost:{port}" in error.message
    assert "client certificate" in f"{error.message} {error.hint}"
    assert "LOCKWARDEN_CLIENT_CERT and LOCKWARDEN_CLIENT_KEY" in error.hint
    if version is ssl.TLSVersion.TLSv1_3:
        assert error.code == "tls-client-certificate"
        assert error.message == f"localhost:{port} wants a client certificate, and none was shown"


def test_a_server_that_wants_a_client_certificate_and_cuts_the_connection_leaves_a_hint(corp: Corp) -> None:
    context = corp.server()
    corp.authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED

    async def main() -> SourceError:
        settings = HttpSettings(ca_file=str(corp.ca_file))
        async with faulty_server(context) as server, HttpClient(settings, now=time.time) as client:
            with pytest.raises(NoAnswerError) as caught:
                await client.get_document(server.url("/a"), stage=Stage.INDEX, limit=1000, retries=0)
            return caught.value

    error = asyncio.run(main())
    assert error.code in {"connection-reset", "tls-failure", "tls-client-certificate"}
    assert "LOCKWARDEN_CLIENT_CERT" in error.hint


@pytest.mark.parametrize("version", BOTH_ENDS)
def test_a_server_that_does_not_know_the_client_certificates_issuer_is_told(
    corp: Corp, tmp_path: Path, version: ssl.TLSVersion
) -> None:
    context = corp.server()
    context.minimum_version = context.maximum_version = version
    corp.authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    own = tmp_path / "client.pem"
    trustme.CA().issue_cert("someone@example.test").private_key_and_cert_chain_pem.write_to_path(str(own))
    error, port = failure(context, ca_file=str(corp.ca_file), client_certificate=str(own))
    assert error.code == "tls-client-certificate"
    assert error.message == (f"localhost:{port} does not accept the client certificate: it does not know who issued it")
    assert "LOCKWARDEN_CLIENT_CERT" in error.hint


@table(
    ("reason", "code", "message"),
    [
        ("WRONG_VERSION_NUMBER", "tls-failure", "does not answer in TLS"),
        ("UNSUPPORTED_PROTOCOL", "tls-failure", "nothing newer than TLS 1.1"),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", "tls-client-certificate", "does not accept .* expired"),
        ("INTERNAL_ERROR", "tls-failure", "INTERNAL_ERROR"),
        (None, "tls-failure", "the handshake failed"),
    ],
)
def test_every_other_failure_is_one_sentence_with_a_hint(reason: str | None, code: str, message: str) -> None:
    error = ssl.SSLError(1, "x")
    error.reason = reason  # type: ignore[assignment]
    words = handshake_failure(error, "mirror.example.test")
    assert words.code == code
    assert "mirror.example.test" in words.message
    assert re.search(message, words.message)
    assert words.hint
