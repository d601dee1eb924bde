"""The text of a JSON document, from structs or from dictionaries."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec

Json = dict[str, Any]


def json_text(document: msgspec.Struct | Json) -> str:
    """A whole document, indented, with a line feed at the end. Members come in the order of the struct's fields.

    It is ASCII, so that no character of a hostile text reaches a terminal as it is; `json` would leave DEL alone.
    Nor is there anything that the log of a CI job takes for a command: `##` can only be in a string, and no string
    begins a line.
    """
    plain = msgspec.to_builtins(document)  # msgspec's own encoder refuses half a surrogate pair
    text = json.dumps(plain, ensure_ascii=True)
    try:
        text = msgspec.json.format(text, indent=2)
    except msgspec.DecodeError:  # half a surrogate pair, which JSON can escape and msgspec does not know
        indented = io.StringIO()
        json.dump(plain, indented, indent=2, ensure_ascii=True)
        text = indented.getvalue()
    return text.replace("\x7f", "\\u007f").replace("##", "#\\u0023") + "\n"
