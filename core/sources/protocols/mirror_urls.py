"""The URLs of a network mirror: of its documents, and of the archives that its documents point at."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import BadAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import resolved

_UNESCAPED: Final = "$&+,:;=@"
"""What Go leaves as it is in a path, beside letters, digits and -._~"""


def document_url(base: str, address: ProviderAddress, name: str) -> str:
    """The URL of one document about a provider, relative to the mirror's base URL as the clients have it.

    The host is in punycode. A base that does not end in a slash loses its last part, as with the clients; what stands
    before it stays as it is, `//` too.
    """
    parts = (address.hostname.ascii, address.namespace, address.type, name)
    folder, slash, _ = base.rpartition("/")
    if folder.endswith(":/"):
        folder = base
    return f"{folder}{slash}{'/'.join(quote(part, safe=_UNESCAPED) for part in parts)}"


def archive_url(document: str, written: str) -> str:
    """The URL of an archive, which is written relative to the final URL of the document that names it.

    Any scheme and host may come out; whether it may be asked is judged when it is asked. Raises BadAnswerError.
    """
    if not written:
        raise BadAnswerError(
            "the mirror gives no URL for the package",
            stage=Stage.ARCHIVES,
            code=ProblemCode.URL_MISSING,
            hint="ask who runs the mirror to complete its list of archives",
        )
    return resolved(document, written, stage=Stage.ARCHIVES)
