"""Why TLS failed, in words: what is wrong with a server's certificate, or with the handshake."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.http.client_certificates import CERTIFICATE, KEY
from lockwarden.core.values.problem_codes import ProblemCode

_PROXY: Final = (
    "behind a company's proxy that opens TLS, set SSL_CERT_FILE to the proxy's certificate; for a private authority, "
    "to the authority's; the check cannot be turned off"
)
_SELF_SIGNED: Final = (
    "when it is the right one, set SSL_CERT_FILE to it; a company's proxy that opens TLS may show it, too; "
    "the check cannot be turned off"
)
_UNKNOWN_ISSUER: Final = "its issuer is not among the authorities that are trusted here"
_WRONG_NAME: Final = "it was issued for other names than this one"
_CHECK_NAME: Final = (
    "check the host in the URL and the proxy settings, or ask who runs the server for a certificate with this name"
)
_VERSION_HINT: Final = "at least TLS 1.2 is needed; ask who runs the server, or the proxy in between, to offer it"
_NAMED: Final = f"name a certificate and its key in PEM form with {CERTIFICATE} and {KEY}"


class TlsWords(Struct, frozen=True, kw_only=True):
    """A stable code, one clear sentence, and what to do about it."""

    code: ProblemCode
    message: str
    hint: str


_CERTIFICATE: Final[Mapping[int, tuple[str, str]]] = MappingProxyType(
    {
        2: (_UNKNOWN_ISSUER, _PROXY),
        9: ("it is not valid yet", "check this machine's clock; otherwise the server's certificate is at fault"),
        10: (
            "it has expired, or one that it rests on has",
            "check this machine's clock; otherwise ask who runs the server to renew the certificate",
        ),
        18: ("it is self-signed, so nobody vouches for it", _SELF_SIGNED),
        19: (f"{_UNKNOWN_ISSUER} (a self-signed one comes along)", _PROXY),
        20: (_UNKNOWN_ISSUER, _PROXY),
        21: (_UNKNOWN_ISSUER, _PROXY),
        62: (_WRONG_NAME, _CHECK_NAME),
        64: (_WRONG_NAME, _CHECK_NAME),
    }
)
"""What is wrong and what helps, by OpenSSL's code for the result of the verification (x509_vfy.h)."""

_HANDSHAKE: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "UNSUPPORTED_PROTOCOL": ("it knows nothing newer than TLS 1.1", _VERSION_HINT),
        "TLSV1_ALERT_PROTOCOL_VERSION": ("it refuses TLS 1.2 and TLS 1.3", _VERSION_HINT),
        "WRONG_VERSION_NUMBER": ("it does not answer in TLS", "check the port; it may speak plain http"),
        "PACKET_LENGTH_TOO_LONG": ("it does not answer in TLS", "check the port; it may speak plain http"),
        "RECORD_LAYER_FAILURE": ("it does not answer in TLS", "check the port; it may speak plain http"),
        "NO_SHARED_CIPHER": ("it offers no encryption that is safe enough", _VERSION_HINT),
        "SSLV3_ALERT_HANDSHAKE_FAILURE": (
            "it refused the handshake",
            f"it may want a client certificate ({_NAMED}), or a kind of encryption that is not offered here",
        ),
    }
)
"""What went wrong and what helps, by OpenSSL's reason; the alerts are the server's own words."""

_WANTED: Final = frozenset({"TLSV13_ALERT_CERTIFICATE_REQUIRED", "PEER_DID_NOT_RETURN_A_CERTIFICATE"})
_NOT_ACCEPTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "TLSV1_ALERT_UNKNOWN_CA": "it does not know who issued it",
        "SSLV3_ALERT_BAD_CERTIFICATE": "it calls it bad",
        "SSLV3_ALERT_CERTIFICATE_EXPIRED": "it has expired",
        "SSLV3_ALERT_CERTIFICATE_REVOKED": "it was revoked",
        "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "it says no more than that",
        "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "it is of a kind that the server does not support",
        "TLSV1_ALERT_ACCESS_DENIED": "it gives no access",
        "TLSV1_ALERT_DECRYPT_ERROR": "its signature does not verify there",
    }
)


def certificate_refusal(error: ssl.SSLCertVerificationError, host: str) -> TlsWords:
    """What is wrong with the certificate of `host` (with its port). Who issued it is not in the exception."""
    text = getattr(error, "verify_message", "") or "it cannot be verified"
    reason, hint = _CERTIFICATE.get(getattr(error, "verify_code", -1), (text, _PROXY))
    return TlsWords(
        code=ProblemCode.TLS_CERTIFICATE, message=f"the certificate of {host} is not trusted: {reason}", hint=hint
    )


def handshake_failure(error: ssl.SSLError, host: str) -> TlsWords:
    """Why no TLS connection to `host` (with its port) came about, or why the server ended it over our certificate."""
    reason = getattr(error, "reason", None) or ""
    if reason in _WANTED:
        return TlsWords(
            code=ProblemCode.TLS_CLIENT_CERTIFICATE,
            message=f"{host} wants a client certificate, and none was shown",
            hint=_NAMED,
        )
    if reason in _NOT_ACCEPTED:
        return TlsWords(
            code=ProblemCode.TLS_CLIENT_CERTIFICATE,
            message=f"{host} does not accept the client certificate: {_NOT_ACCEPTED[reason]}",
            hint=f"look at the file that {CERTIFICATE} names; whoever runs the server says which certificates it takes",
        )
    words, hint = _HANDSHAKE.get(
        reason, (reason or "the handshake failed", "the server at this address and port may not speak TLS")
    )
    return TlsWords(
        code=ProblemCode.TLS_FAILURE, message=f"no TLS connection to {host} could be made: {words}", hint=hint
    )
