"""A source that is not asked: nothing may go over the network, or there is no way to ask it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import Outcome, SourceRef
from lockwarden.core.sources.absent_release import AbsentRelease
from lockwarden.core.sources.port import OpenRelease
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

_WHY: Final = "with --offline, nobody is asked over the network"
ASK: Final = "leave --offline out to have it asked"
"""What helps where nobody was asked, because that is what the operator wanted."""


class OfflineSource:
    """Stands for a registry or a network mirror. Its silence proves nothing: what it could settle stays unchecked."""

    def __init__(self, ref: SourceRef, *, why: str = _WHY, hint: str = ASK) -> None:
        self.ref = ref
        self._why = why
        self._hint = hint

    async def open(
        self,
        address: ProviderAddress,  # noqa: ARG002 - the port's
        version: Version,  # noqa: ARG002 - the port's
        *,
        platforms: Sequence[Platform],  # noqa: ARG002 - the port's
        report: Report,  # noqa: ARG002 - the port's
    ) -> OpenRelease:
        """A release of which nothing is known."""
        return AbsentRelease(self.ref, Outcome.NOT_ASKED, self._why, hint=self._hint)
