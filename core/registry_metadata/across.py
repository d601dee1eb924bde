"""What metadata files say of each other: the same URL, and the same digest, mean the same bytes wherever they stand.

So two namespaces that list the same packages, such as `hashicorp/X` and `opentofu/X`, check each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from lockwarden.core.registry_metadata.findings import MetadataFinding
from lockwarden.core.registry_metadata.model import ProviderMetadata, Target
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_DIGEST: Final = 12
"""Bytes of what stands for a text; among so few texts no two have the same."""
_Seen = tuple[bytes, int, int, int]
"""What was said, and the places of the file, the version and the target."""


class AcrossFiles:
    """Takes in one file after the other and keeps only digests of what they say."""

    def __init__(self) -> None:
        self._files: list[str] = []
        self._paths: dict[str, str] = {}
        self._zh_of_url: dict[bytes, _Seen] = {}
        self._h1_of_zh: dict[bytes, _Seen] = {}
        self._size_of_zh: dict[bytes, _Seen] = {}

    def findings(self, path: str, metadata: ProviderMetadata) -> Iterator[MetadataFinding]:
        """What the file says otherwise than those before it."""
        number = len(self._files)
        self._files.append(path)
        other = self._paths.setdefault(path.lower(), path)
        if other != path:
            yield MetadataFinding(
                code=ProblemCode.METADATA_TWIN,
                severity=Severity.ERROR,
                message=f"its path is that of {other} but for the case, and published paths are in lower case",
                hint="one of the two is never seen; find out which, and remove it",
            )
        for place, version in enumerate(metadata.listed):
            for at, target in enumerate(version.packages):
                for what, before in self._differing(target, (number, place, at)):
                    yield MetadataFinding(
                        code=ProblemCode.METADATA_CONTRADICTION,
                        severity=Severity.ERROR,
                        message=f"{version.version} {target.platform}: {what} than in {self._files[before]}",
                        hint="at most one of them is right: compute it again from the package",
                        version=place,
                        target=at,
                    )

    def _differing(self, target: Target, where: tuple[int, int, int]) -> Iterator[tuple[str, int]]:
        url, zh = _short(target.download_url), _short(target.shasum)
        told = [("its URL has another shasum", self._zh_of_url, url, zh)]
        if target.h1:
            told.append(("its shasum has another h1", self._h1_of_zh, zh, _short(target.h1)))
        if target.size:
            told.append(("its shasum has another size", self._size_of_zh, zh, _short(str(target.size))))
        for what, known, key, value in told:
            seen = known.setdefault(key, (value, *where))
            if seen[0] != value:
                yield what, seen[1]


def _short(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_DIGEST]
