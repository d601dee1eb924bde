"""What went wrong below HTTP, as one clear sentence with a stable code, a hint, and whether it may pass."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import Final

import httpx
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.http.client_certificates import CERTIFICATE
from lockwarden.core.http.tls_errors import certificate_refusal, handshake_failure
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

_UNREACHABLE: Final = frozenset({errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL})
_DEEPEST: Final = 20
"""Causes that are followed; a chain may lead in a circle."""
_SLOW: Final = "try again; the server or the line to it is slow"
_MORE_TIME: Final = "try again, or allow more time: TF_REGISTRY_CLIENT_TIMEOUT holds seconds"
_RESET_HINT: Final = f"try again; a server that wants a client certificate ({CERTIFICATE}) may end it so, too"


class TransportFailure(Struct, frozen=True, kw_only=True):
    """One kind of failure at one host."""

    code: ProblemCode
    message: str
    hint: str = ""
    passing: bool = True
    """Whether asking again can help."""
    answered: bool = False
    """Whether the server did answer, with something that cannot be used."""

    def error(self, stage: Stage, cause: BaseException) -> SourceError:
        """The error to raise or to keep."""
        kind = BadAnswerError if self.answered else NoAnswerError
        error = kind(self.message, stage=stage, hint=self.hint, code=self.code)
        error.__cause__ = cause
        return error


def explain_transport_error(error: Exception, *, host: str, in_body: bool) -> TransportFailure:
    """Tell what an exception of the transport means. `in_body` is whether the answer had already begun."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _certificate(cause, host)
    for cause in causes:
        failure = _by_system_error(cause, host)
        if failure is not None:
            return failure
    return _by_kind(error, causes, host, in_body=in_body)


def with_issuer(failure: TransportFailure, issuer: str) -> TransportFailure:
    """The same trouble with the name of who issued the certificate that was shown."""
    return replace(failure, message=f"{failure.message}; “{issuer}” issued it") if issuer else failure


def _causes(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(_DEEPEST):
        if current is None:
            return
        yield current
        current = current.__cause__ or current.__context__


def _certificate(error: ssl.SSLCertVerificationError, host: str) -> TransportFailure:
    words = certificate_refusal(error, host)
    return TransportFailure(code=ProblemCode.TLS_CERTIFICATE, message=words.message, hint=words.hint, passing=False)


def _by_system_error(error: BaseException, host: str) -> TransportFailure | None:
    match error:
        case socket.gaierror():
            return TransportFailure(
                code=ProblemCode.DNS_FAILURE,
                message=f"the name {host} cannot be resolved",
                hint="check the name, the network and the proxy settings",
            )
        case ssl.SSLEOFError():
            return TransportFailure(
                code=ProblemCode.TLS_FAILURE,
                message=f"{host} ended the connection during the TLS handshake",
                hint="the server may know nothing newer than TLS 1.1, or want a client certificate "
                f"({CERTIFICATE}), or a firewall cuts the connection",
            )
        case ssl.SSLWantReadError() | ssl.SSLWantWriteError():
            return None
        case ssl.SSLError():
            words = handshake_failure(error, host)
            return TransportFailure(code=words.code, message=words.message, hint=words.hint, passing=False)
        case ConnectionRefusedError():
            return TransportFailure(
                code=ProblemCode.CONNECTION_REFUSED,
                message=f"{host} refused the connection",
                hint="check the address and the port, and whether the server runs",
            )
        case ConnectionResetError() | BrokenPipeError():
            return TransportFailure(
                code=ProblemCode.CONNECTION_RESET, message=f"the connection to {host} was reset", hint=_RESET_HINT
            )
        case OSError() if error.errno in _UNREACHABLE:
            return TransportFailure(
                code=ProblemCode.UNREACHABLE,
                message=f"{host} cannot be reached",
                hint="check the network and the proxy settings",
            )
    return None


def _by_kind(error: Exception, causes: list[BaseException], host: str, *, in_body: bool) -> TransportFailure:
    match error:
        case httpx.TimeoutException() | TimeoutError():
            what = "stopped sending" if in_body else "did not answer in time"
            return TransportFailure(
                code=ProblemCode.TIMEOUT, message=f"{host} {what}", hint=_SLOW if in_body else _MORE_TIME
            )
        case httpx.RemoteProtocolError() if any(isinstance(cause, httpx.InvalidURL) for cause in causes):
            return TransportFailure(
                code=ProblemCode.REDIRECT_REFUSED,
                message=f"a redirect of {host} is refused: the URL cannot be read",
                hint="tell whoever runs the server",
                passing=False,
            )
        case httpx.RemoteProtocolError() if in_body:
            return TransportFailure(
                code=ProblemCode.SHORT_BODY,
                message=f"the answer of {host} ended before its announced end",
                hint="a proxy may have cut it; try again",
                answered=True,
            )
        case httpx.RemoteProtocolError() if len(causes) > 2:  # the parser's own error lies below
            return TransportFailure(
                code=ProblemCode.NOT_HTTP,
                message=f"{host} answered with something that is not HTTP",
                hint="check the address and the port",
                passing=False,
                answered=True,
            )
        case httpx.ProxyError():
            return TransportFailure(
                code=ProblemCode.PROXY_REFUSED,
                message=f"the proxy did not connect to {host}: {error}",
                hint="check HTTPS_PROXY and NO_PROXY",
                passing=False,
            )
        case httpx.LocalProtocolError() | httpx.UnsupportedProtocol():
            return TransportFailure(
                code=ProblemCode.NOT_SENT,
                message=f"the request to {host} could not be sent",
                passing=False,
                hint="look for odd characters in its URL and in the token for it",
            )
        case httpx.RemoteProtocolError() | httpx.ReadError() | httpx.WriteError() | httpx.CloseError():
            return TransportFailure(
                code=ProblemCode.CONNECTION_RESET, message=f"the connection to {host} was closed", hint=_RESET_HINT
            )
    return TransportFailure(
        code=ProblemCode.NO_CONNECTION, message=f"no connection to {host} could be made", hint="check the network"
    )
