"""Why a source could not be asked, or what it answered could not be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode

NETWORK: Final[Mapping[ProblemCode, Meaning]] = {
    # Connections
    ProblemCode.OFFLINE: Meaning(
        "offline",
        "The network was not asked, because of --offline.",
        "Check again without --offline.",
    ),
    ProblemCode.DNS_FAILURE: Meaning(
        "name not resolved",
        "The host's name cannot be resolved.",
        "Check the name, the network and the proxy settings.",
    ),
    ProblemCode.UNREACHABLE: Meaning(
        "host unreachable",
        "The host cannot be reached.",
        "Check the network and the proxy settings.",
    ),
    ProblemCode.CONNECTION_REFUSED: Meaning(
        "connection refused",
        "The host refused the connection.",
        "Check the address and the port, and whether the server runs.",
    ),
    ProblemCode.CONNECTION_RESET: Meaning(
        "connection reset",
        "The connection was reset or closed.",
        "Try again; a firewall or a proxy may have cut it.",
    ),
    ProblemCode.NO_CONNECTION: Meaning(
        "no connection",
        "No connection to the host could be made.",
        "Check the network.",
    ),
    ProblemCode.PROXY_REFUSED: Meaning(
        "proxy refused",
        "The proxy did not connect to the host.",
        "Check HTTPS_PROXY and NO_PROXY.",
    ),
    ProblemCode.TIMEOUT: Meaning(
        "out of time",
        "The host did not answer in time.",
        "Try again, or allow more time.",
    ),
    ProblemCode.TOO_SLOW: Meaning(
        "too slow",
        "The package came at less than the lowest rate, or took longer than a package may.",
        "The server or the line to it is overloaded, or somebody holds the package back; try later.",
    ),
    ProblemCode.HOST_PAUSED: Meaning(
        "host wants a pause",
        "The host limits how often it is asked, and wants to be left alone for longer than a run waits.",
        "Go on with the run later.",
    ),
    ProblemCode.TLS_CERTIFICATE: Meaning(
        "certificate not trusted",
        "The certificate of the host is not trusted.",
        "Look whether a proxy stands between; otherwise tell whoever runs the host.",
    ),
    ProblemCode.TLS_CLIENT_CERTIFICATE: Meaning(
        "client certificate refused",
        "The host wants a client certificate, or does not accept the one that was shown.",
        "Look at the certificate that is configured; whoever runs the host says which it takes.",
    ),
    ProblemCode.TLS_FAILURE: Meaning(
        "TLS failed",
        "No TLS connection to the host could be made.",
        "The server may know nothing newer than TLS 1.1, or a firewall cuts the connection.",
    ),
    ProblemCode.NOT_HTTP: Meaning(
        "not HTTP",
        "The host answered with something that is not HTTP.",
        "Check the address and the port.",
    ),
    ProblemCode.NOT_SENT: Meaning(
        "request not sent",
        "The request could not be sent.",
        "Check the address and the settings for the host.",
    ),
    # Answers
    ProblemCode.HTTP_STATUS: Meaning(
        "HTTP error",
        "The server answered with a status that says that it could not or would not answer.",
        "Try later, or ask who runs it; the message has the status.",
    ),
    ProblemCode.SHORT_BODY: Meaning(
        "answer cut off",
        "The answer ended before its announced end.",
        "A proxy may have cut it; try again.",
    ),
    ProblemCode.CONTENT_TYPE: Meaning(
        "wrong content type",
        "The answer has another content type than it should.",
        "A proxy or a log-in page may have answered in the server's place.",
    ),
    ProblemCode.CONTENT_ENCODING: Meaning(
        "wrong content encoding",
        "The answer is said to be gzip data, and is none, is damaged, or unpacks to many times its size.",
        "Ask who runs the server; a proxy may have changed it.",
    ),
    ProblemCode.UNUSABLE_JSON: Meaning(
        "unusable JSON",
        "The answer is no JSON, or not as the protocol has it.",
        "Look whether the address is right; a proxy or a log-in page may answer in its place.",
    ),
    ProblemCode.NOT_CONTINUED: Meaning(
        "download not continued",
        "The server did not go on with the package where it broke off.",
        "Try again; the package may have been replaced meanwhile.",
    ),
    ProblemCode.CHALLENGED: Meaning(
        "credentials asked for",
        "The registry asked for credentials in the middle of a download.",
        "Try again.",
    ),
    ProblemCode.REDIRECT_REFUSED: Meaning(
        "redirect refused",
        "A redirect leads where nothing may be asked.",
        "Name the right address in the configuration, or tell whoever runs the server.",
    ),
    ProblemCode.REDIRECT_BROKEN: Meaning(
        "broken redirect",
        "A redirect does not say where it leads.",
        "Tell whoever runs the server.",
    ),
    ProblemCode.TOO_MANY_REDIRECTS: Meaning(
        "too many redirects",
        "The server redirects more often than the limit.",
        "The server leads in a circle; tell whoever runs it.",
    ),
    ProblemCode.URL_REFUSED: Meaning(
        "URL refused",
        "The source names a URL that must not be asked.",
        "Ask who runs the source; an address inside of this machine may be an attack.",
    ),
    ProblemCode.NO_ANSWER: Meaning(
        "no answer",
        "The source gave no answer, for the reason that the message gives.",
        "Follow the hint, and check again.",
    ),
    ProblemCode.SOURCE_FAILED: Meaning(
        "source failed",
        "The source could not be asked, for the reason that the message gives.",
        "Follow the hint, and check again.",
    ),
    # Limits of this program
    ProblemCode.TOO_LARGE: Meaning(
        "answer over the limit",
        "What came is larger than the limit, or nested deeper, and was not read.",
        "Ask who runs the source what this is.",
    ),
    ProblemCode.DOCUMENTS_TOO_LARGE: Meaning(
        "documents over the limit",
        "The documents of the release are larger together than the limit; the rest was not read.",
        "Ask who runs the source why they are so large.",
    ),
    ProblemCode.TOO_MANY_HASHES: Meaning(
        "too many hashes",
        "The documents of the release hold more hashes than the limit; the rest was not used.",
        "Ask who runs the source why there are so many.",
    ),
}
