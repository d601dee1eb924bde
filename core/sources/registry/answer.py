"""One answer of an origin registry about one platform's package, and what of it can be told without the package."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.observations import Document
from lockwarden.core.sources.protocols.registry_documents import MetadataAnswer
from lockwarden.core.sources.registry.package_names import label_of
from lockwarden.core.values.errors import BadAnswerError, InvalidVersionError, Stage
from lockwarden.core.values.platforms import POPULARITY, Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import resolved
from lockwarden.core.values.versions import Version

LOWEST_PROTOCOL: Final = 5
"""Of the plugin protocols that today's clients speak."""
HIGHEST_PROTOCOL: Final = 6

_SHA256: Final = re.compile(r"[0-9a-fA-F]{64}")


class PlatformAnswer(Struct, frozen=True, kw_only=True):
    """The metadata of one package, and where it came from."""

    type_name: str
    """The provider type that was asked for, as version and platform are."""
    version: Version
    platform: Platform
    document: Document
    url: str
    """The URL that answered in the end, which the answer's own URLs are relative to. May hold secrets."""
    metadata: MetadataAnswer

    @property
    def other_target(self) -> str:
        """The platform that the answer is for when that is not the one that was asked for; else empty."""
        target = f"{self.metadata.os}_{self.metadata.arch}"
        return "" if target == str(self.platform) else target

    @property
    def other_release(self) -> str:
        """Type and version that the answer's file name says when they are not what was asked for; else empty."""
        return label_of(self.metadata.filename, type_name=self.type_name, version=self.version).release

    @property
    def other_file(self) -> str:
        """The platform that the answer's file name says when that is a usual one that was not asked for; else empty.

        The clients do not look. Other words in that place may be an author's own for what was asked for: `armv6`.
        """
        named = label_of(self.metadata.filename, type_name=self.type_name, version=self.version).platform
        return str(named) if named is not None and named != self.platform and str(named) in POPULARITY else ""

    @property
    def astray(self) -> bool:
        """Whether it speaks of something else than what was asked for, so that nothing it says or leads to counts."""
        return bool(self.other_target or self.other_release or self.other_file)

    @property
    def digest(self) -> str:
        """The SHA-256 digest that the answer promises, in lower case; empty when it promises none."""
        return self.metadata.shasum.lower() if _SHA256.fullmatch(self.metadata.shasum) else ""

    @property
    def usable(self) -> bool:
        """Whether it promises a package of the release for the platform that was asked for."""
        return not self.astray and bool(self.digest)

    def resolved(self, url: str, *, stage: Stage) -> str:
        """One of the answer's own URLs made absolute. Raises BadAnswerError for none, and for what is no URL."""
        if not url:
            raise BadAnswerError(
                f"the registry's answer for {self.platform} names no URL for the {stage}",
                stage=stage,
                code=ProblemCode.URL_MISSING,
                hint="ask who runs the registry to correct its answer",
            )
        return resolved(self.url, url, stage=stage)

    @property
    def protocol_refusal(self) -> str:
        """Why the clients cannot talk to the provider; a sentence's end, empty when they can or nothing is said."""
        known: list[Version] = []
        for text in self.metadata.protocols:
            try:
                known.append(Version.parse(text))
            except InvalidVersionError:
                return f"the registry's answer has an invalid protocol version “{text[:80]}”"
        if not known or any(LOWEST_PROTOCOL <= each.major <= HIGHEST_PROTOCOL for each in known):
            return ""
        told = ", ".join(f"{each.major}.{each.minor}" for each in known[:8])
        return f"it speaks provider protocol {told}, and the clients {LOWEST_PROTOCOL} and {HIGHEST_PROTOCOL}"
