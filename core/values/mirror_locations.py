"""When the location of a source and the location in a rule mean the same mirror."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

_TEMPLATE_NAME: Final = re.compile(r"\$(\{(?:hostname|namespace|type)\})")
_HTTP_PORT: Final = re.compile(r"(http://(?:\[[^\]/]*\]|[^/:]*)):80(?=/|$)")
_AS_THEY_ARE: Final = "".join(map(chr, range(0x21, 0x7F))).translate(str.maketrans("", "", '"<>`{}'))


def comparable_location(location: str) -> str:
    """The location in a form that is equal for equal mirrors, however they came to be among the sources.

    The template of an OCI mirror may have the form of options, `{type}`, or of the CLI configuration, `${type}`; a URL
    may have been through a URL library or not. Two that differ may still be the same server; folders are compared as
    they are written, links are not followed.
    """
    if location.startswith("oci://"):
        return _TEMPLATE_NAME.sub(r"\1", location)
    if location.startswith(("https://", "http://")):
        return _HTTP_PORT.sub(r"\1", quote(location, safe=_AS_THEY_ARE))
    return location
