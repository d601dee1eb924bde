"""The port that every source fills: open a release, check platforms one by one, tell what is known so far.

An adapter does not inherit from these. It never raises for what a server or a folder does: a failure is an outcome and
a problem in the answer, so that the other sources go on. Only cancellation and bugs travel as exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import SourceAnswer, SourceRef
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import SignatureReport
from lockwarden.core.values.versions import Version


class OpenRelease(Protocol):
    """One provider version at one source, its documents read, its packages not yet."""

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """Every platform of the release that the source knows of; None when it cannot say or did not answer."""
        ...

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        """Hashes that the source claims for each platform, which tell which download may explain a locked hash."""
        ...

    async def check(self, platform: Platform) -> None:
        """Get and hash the package of one platform; asking twice does it once. Failures become facts."""
        ...

    def source_answer(self) -> SourceAnswer:
        """All that is known so far, as a value; platforms that were not checked are not in its packages."""
        ...


class Source(Protocol):
    """A place packages come from."""

    @property
    def ref(self) -> SourceRef:
        """Which source this is."""
        ...

    async def open(
        self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
    ) -> OpenRelease:
        """Read the documents of a release; `platforms` are those that will be checked first.

        A source that fails returns a release whose answer says so, and whose `check` does nothing.
        """
        ...


class SignatureVerifierPort(Protocol):
    """What the origin registry needs of a signature verifier."""

    async def prepare(self, *, offered: Sequence[str]) -> None:
        """Read what `verify` will read first of these keys; whatever is wrong with it, that one tells."""
        ...

    async def verify(self, *, document: bytes, signature: bytes, offered: Sequence[str]) -> SignatureReport:
        """Judge a detached signature by each offered key on its own; raises ToolError when gpg is missing."""
        ...
