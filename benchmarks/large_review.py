"""The app on a large lock file whose results arrive all the time: `python -m benchmarks.large_review FILE KEYS`.

It takes its own keys from the terminal and writes to KEYS, one a line, the name of each key and the seconds from
reading it to the end of the painting that follows its handling.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from textual import events

from lockwarden.cli.process_tuning import collect_rarely
from lockwarden.cli.surroundings import clock
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.lock_file_reading import read
from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.evidence.events import AuditFinished, AuditPlanned, ProviderAudited
from lockwarden.core.evidence.observations import Document, ListShape, ReportedByRegistry
from lockwarden.core.evidence.source_answers import (
    DIRECT,
    Audit,
    HashList,
    Outcome,
    SourceAnswer,
    SourceKind,
    SourceRef,
)
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import NotThereError, Stage
from lockwarden.core.values.platforms import Platform
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.state.ports import AuditGroup, GroupReport, ReviewSetup

PROVIDERS: Final = 300
HASHES: Final = 17
_EVERY: Final = 0.03
"""Seconds from one result to the next."""
_ORIGIN: Final = SourceRef(id="direct", kind=SourceKind.DIRECT, location="origin registries")
_SUMS: Final = Document(name="SHA256SUMS", url="https://registry.example.test/SHA256SUMS", sha256="5" * 64)


def lock_text() -> str:
    """A lock file of 300 providers with 17 hashes each."""
    blocks = (
        f'\nprovider "registry.example.test/acme/p{number:04}" {{\n  version = "1.0.0"\n  hashes = [\n'
        + "".join(f'    "zh:{number:032x}{place:032x}",\n' for place in range(HASHES))
        + "  ]\n}\n"
        for number in range(PROVIDERS)
    )
    return "# Made for measuring.\n" + "".join(blocks)


class MeasuredApp(LockwardenApp):
    """Notes how long each key takes to be seen."""

    CSS_PATH = [  # noqa: RUF012
        Path(sys.modules[LockwardenApp.__module__].__file__ or "").with_name("app.tcss"),
        *LockwardenApp.CSS_PATH[1:],
    ]

    def __init__(self, setup: ReviewSetup, *, keys: Path) -> None:
        super().__init__(setup)
        self._keys = keys.open("w", encoding="ascii")
        self._read_last = 0.0
        self._pressed: list[tuple[str, float]] = []
        """When the keys were read that were handled and not painted yet."""

    async def on_event(self, event: events.Event) -> None:
        """Handle it; a key's time runs from when it was read."""
        await super().on_event(event)
        # A key passes here twice when no widget takes it.
        if isinstance(event, events.Key) and event.time != self._read_last:
            self._read_last = event.time
            self._pressed.append((event.key, event.time))

    def _display(self, *given: Any) -> None:
        super()._display(*given)
        now = time.monotonic()
        self._keys.writelines(f"{key} {now - pressed:.6f}\n" for key, pressed in self._pressed)
        self._keys.flush()
        self._pressed.clear()


def _audited(entry: LockedProvider) -> Audit:
    seen = ReportedByRegistry(
        source=_ORIGIN.id, document=_SUMS, shape=ListShape.SUMS, platform=None, refused="", file_name=""
    )
    listed = HashList(
        scheme="zh",
        documents=(_SUMS,),
        hashes=entry.hash_set,
        complete=True,
        authenticated=False,
        signers=frozenset(),
    )
    answer = SourceAnswer(
        source=_ORIGIN,
        outcome=Outcome.ANSWERED,
        observations=tuple((each, seen) for each in sorted(entry.hash_set)),
        platforms=frozenset(),
        lists=(listed,),
    )
    return Audit(address=entry.address, version=entry.version, source_answers=(answer,))


async def _audit(
    groups: Sequence[AuditGroup], _sources: tuple[SourceSpec, ...], _platforms: PlatformChoice, report: GroupReport
) -> None:
    for group in groups:
        entries = [entry for lock_file, _ in group.files for entry in lock_file.providers]
        tell = partial(report, group.settings)
        tell(AuditPlanned(releases=tuple((each.address, each.version) for each in entries)))
        for entry in entries:
            await asyncio.sleep(_EVERY)
            tell(ProviderAudited(audit=_audited(entry)))
        tell(AuditFinished())


async def _no_list(source: SourceSpec) -> tuple[Any, ...]:
    raise NotThereError(f"{source.location} has no list", stage=Stage.DISCOVERY)


def main() -> None:
    """Run the app until it is left."""
    file, keys = (Path(each) for each in sys.argv[1:])
    collect_rarely(on_screen=True)
    spec = SourceSpec(kind=SourceKind.DIRECT, location=DIRECT)
    second_reader = SecondReader()
    setup = ReviewSetup(
        paths=(file,),
        load=lambda path: read(path, second_reader),
        save=save,
        audit=_audit,
        sources=(spec,),
        platforms=PlatformChoice(wanted=frozenset({Platform("linux", "amd64")}), explain=True),
        settings_for=lambda _: ClientSettings(),
        parse_source=lambda _: spec,
        list_repositories=_no_list,
        store=StandardsFinder(environ=os.environ, directory=file.parent, now=clock, second_reader=second_reader),
        now=clock,
        current_platform=Platform("linux", "amd64"),
        second_reader=second_reader,
    )
    MeasuredApp(setup, keys=keys).run()


if __name__ == "__main__":
    main()
