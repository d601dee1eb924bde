"""The review of recorded evidence: the same verdicts, how old they are, and nobody asked."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from builders.evidence import Case, loaded_of, opened
from builders.three_providers import ThreeProviders
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict
from msgspec.structs import replace

from lockwarden.cli.on_screen import app_for
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import DIRECT, SourceKind
from lockwarden.core.review.backfill_sightings import Came, Sighting
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rereleases import Rerelease
from lockwarden.core.values.errors import InputError
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.lockfile import NAME, LockEntry, lock_text
from lockwarden.demo.transport import WorldTransport
from lockwarden.tui.state.progress import Phase

SIGHTING = Sighting(on=datetime(2026, 10, 1, tzinfo=UTC), place="https://dl.example.test/one.zip", came=Came.NOTHING)


def test_a_review_of_evidence_says_on_what_it_rests_and_how_old_that_is(key_maker: KeyMaker, tmp_path: Path) -> None:
    three = ThreeProviders.make(key_maker, platforms=("linux_amd64",))
    entries = [
        LockEntry(address=each.address, version=each.version, hashes=each.packages["linux_amd64"].hashes)
        for each in three.releases
    ]
    file = tmp_path / NAME
    file.write_text(lock_text(entries), encoding="utf-8")
    origin = SourceSpec(kind=SourceKind.DIRECT, location=DIRECT)
    case = Case.of([loaded_of(lock_text(entries))], WorldTransport(three.world()), origin)
    evidence = opened(case.recorded()[1], signer="alice@example.test")
    app = app_for(file, evidence.options(case.options, platforms_named=False), case.runtime.answered_by(evidence))
    app.reaction = 0

    async def scenario(d: Driver) -> None:
        def finished() -> bool:
            assert d.phase() is not Phase.FAILED, d.app.session.failure
            return d.phase() is Phase.FINISHED

        await d.until(finished)
        await d.settle()
        verdicts = {str(row.verdict) for provider in d.review.providers for row in provider.rows}
        assert verdicts == {"confirmed"}
        assert "3 days ago" in " ".join(d.text.split())
        assert any("is evidence recorded on" in each for each in d.app.setup.notes)

    drive(app, scenario, settled=False)


def test_what_earlier_runs_kept_of_a_replaced_package_stands_among_everything_about_its_hash() -> None:
    asked: list[str] = []

    async def kept(provider: ProviderReview) -> tuple[Rerelease, ...]:
        asked.append(str(provider.address))
        if len(asked) > 1:
            raise InputError("the cache is gone")
        old = [row.hash for row in provider.rows if row.objects]
        return (
            Rerelease(
                address=provider.address,
                version=provider.entry.version,
                locked=tuple(old),
                old=old[0],
                new=None,
                why_not="its bytes are not kept any more",
                sightings=(SIGHTING,),
            ),
        )

    async def scenario(d: Driver) -> None:
        d.app.setup = replace(d.app.setup, kept=kept)
        suspect = d.row.hash.text
        assert d.row.objects
        await d.press("enter")
        await d.settle()
        assert "What earlier runs kept of its package" in d.prose
        assert f"was seen; locked are {suspect}" in d.prose
        assert "a backfill found nothing at https://dl.example.test/one.zip on 2026-10-01" in d.prose
        assert "? what is other today is not known: its bytes are not kept any more" in d.prose
        await d.press("space", "z", "escape", "enter")
        assert asked[1:] == [asked[0]]
        assert "what earlier runs kept cannot be used: the cache is gone" in d.lines[-1]

    drive(app_of(every_verdict()), scenario, size=(140, 60))
