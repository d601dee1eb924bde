"""Going on with a package that broke off, only where the server says that it is still the same one.

RFC 9110, sections 13 and 14: only a strong validator says so; a date or a weak one does not. Where anything is in
doubt, the package is asked for anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.http.package_streams import PackageStream

PARTIAL: Final = 206
NOT_SATISFIABLE: Final = 416
_STRONG_TAG: Final = re.compile(r'"[\x21\x23-\x7e]{1,200}"\Z')


class ResumePoint(Struct, frozen=True, kw_only=True):
    """What has to be the same for the rest of a package to be the rest of that one."""

    url: str
    """Where it comes from in the end, without secrets."""
    tag: str
    """The server's strong entity tag."""
    total: int
    """Bytes of the whole package."""

    @classmethod
    def of(cls, stream: PackageStream) -> Self | None:
        """The point for a whole answer; None where the server gives nothing to hold on to."""
        tag = stream.headers.get("etag", "")
        if stream.declared_size is None or not _STRONG_TAG.match(tag):
            return None
        return cls(url=stream.url, tag=tag, total=stream.declared_size)

    def headers(self, start: int) -> Mapping[str, str]:
        """Ask for the bytes from `start` on, or for everything where the package is another one by now."""
        return {"Range": f"bytes={start}-", "If-Range": self.tag}

    def continued_by(self, stream: PackageStream, start: int) -> bool:
        """Whether a partial answer is the rest of the same package from `start` on."""
        return (
            stream.url == self.url
            and stream.headers.get("etag", "") == self.tag
            and stream.headers.get("content-range", "") == f"bytes {start}-{self.total - 1}/{self.total}"
            and stream.declared_size == self.total - start
        )
