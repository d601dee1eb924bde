"""Standard base64 with its padding, where one value has one spelling: no blanks, no unused bits."""

from __future__ import annotations

import base64
import binascii

from lockwarden.core.document_signatures.faults import MalformedError


def decoded(text: str, what: str) -> bytes:
    """The bytes; raises MalformedError, which calls the text `what`, for any other spelling of them."""
    try:
        found = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise MalformedError(f"{what} is not base64") from error
    if base64.b64encode(found).decode("ascii") != text:
        raise MalformedError(f"{what} is not base64 in its usual spelling")
    return found
