"""The review of recorded evidence: the same verdicts, how old they are, and nobody asked."""

from __future__ import annotations

from pathlib import Path

from builders.evidence import Case, loaded_of, opened
from builders.three_providers import ThreeProviders
from fakes.driving import Driver, drive

from lockwarden.cli.on_screen import app_for
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import DIRECT, SourceKind
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.lockfile import NAME, LockEntry, lock_text
from lockwarden.demo.transport import WorldTransport
from lockwarden.tui.state.progress import Phase


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
    app = app_for(file, evidence.options(case.options, platforms_named=False), case.place.answered_by(evidence))
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
