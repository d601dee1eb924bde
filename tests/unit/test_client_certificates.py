"""Files that cannot be a client certificate are wrong usage, and the path is named."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization

from lockwarden.core.http.client_certificates import load_client_certificate
from lockwarden.core.values.errors import InputError

PEM = serialization.Encoding.PEM
PASSWORD = serialization.BestAvailableEncryption(b"secret")
FORMS = [serialization.PrivateFormat.PKCS8, serialization.PrivateFormat.TraditionalOpenSSL]


@pytest.fixture(scope="module")
def issued() -> trustme.LeafCert:
    return trustme.CA().issue_cert("someone@example.test")


@pytest.fixture
def certificate(issued: trustme.LeafCert, tmp_path: Path) -> Path:
    path = tmp_path / "client.crt"
    path.write_bytes(issued.cert_chain_pems[0].bytes())
    return path


def refused(certificate: Path | str, key: Path | str = "") -> InputError:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    with pytest.raises(InputError) as caught:
        load_client_certificate(context, certificate=str(certificate), key=str(key))
    assert caught.value.hint
    return caught.value


def test_without_paths_nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[object] = []
    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", lambda _, *paths: loaded.append(paths))
    load_client_certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), certificate="", key="")
    assert not loaded


def test_a_key_without_a_certificate_is_refused(tmp_path: Path) -> None:
    assert str(tmp_path) in refused("", tmp_path).message


@pytest.mark.parametrize("name", ["nothing.pem", ".", "x\0y"])
def test_what_is_no_file_is_named(certificate: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert f"LOCKWARDEN_CLIENT_CERT names “{path}”" in refused(path).message
    assert f"LOCKWARDEN_CLIENT_KEY names “{path}”" in refused(certificate, path).message


def test_a_file_that_may_not_be_read_is_named(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(self: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    message = refused(certificate).message
    assert str(certificate) in message
    assert "Permission denied" in message


def test_a_file_without_a_certificate_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("a certificate would stand here")
    assert refused(path).message == f"LOCKWARDEN_CLIENT_CERT names “{path}”, which holds no certificate in PEM form"


def test_a_certificate_alone_needs_a_key(certificate: Path) -> None:
    assert "holds no private key" in refused(certificate).message


def test_a_file_without_end_is_not_read_to_it(certificate: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.pem"
    path.write_bytes(bytes(1024 * 1024 + 1))
    assert "more than 1048576 bytes" in refused(certificate, path).message


def test_a_key_of_another_certificate_is_told(certificate: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.key"
    path.write_bytes(trustme.CA().issue_cert("other@example.test").private_key_pem.bytes())
    expected = f"the private key in “{path}” does not belong to the certificate in “{certificate}”"
    assert refused(certificate, path).message == expected


@pytest.mark.parametrize("form", FORMS)
def test_a_key_with_a_pass_phrase_is_told_and_nobody_is_asked_for_it(
    issued: trustme.LeafCert, certificate: Path, tmp_path: Path, form: serialization.PrivateFormat
) -> None:
    key = serialization.load_pem_private_key(issued.private_key_pem.bytes(), None)
    path = tmp_path / "locked.key"
    path.write_bytes(key.private_bytes(PEM, form, PASSWORD))
    assert refused(certificate, path).message.endswith(f"“{path}”, whose private key needs a pass phrase")


@pytest.mark.parametrize("damaged", ["client.crt", "client.key"])
def test_damaged_files_are_named(issued: trustme.LeafCert, certificate: Path, tmp_path: Path, damaged: str) -> None:
    key = tmp_path / "client.key"
    key.write_bytes(issued.private_key_pem.bytes())
    path = tmp_path / damaged
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *lines[2:]]))
    message = refused(certificate, key).message
    assert str(certificate) in message
    assert str(key) in message
    assert "damaged" in message


def test_an_encrypted_certificate_is_told_and_nobody_is_asked_for_its_pass_phrase(
    issued: trustme.LeafCert, certificate: Path, tmp_path: Path
) -> None:
    key = tmp_path / "client.key"
    key.write_bytes(issued.private_key_pem.bytes())
    first, *rest = certificate.read_bytes().splitlines(keepends=True)
    headers = b"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC," + b"0" * 32 + b"\n\n"
    certificate.write_bytes(b"".join([first, headers, *rest]))
    assert str(certificate) in refused(certificate, key).message
