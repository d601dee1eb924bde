"""Sessions of the world in which every verdict occurs, before and after its audit."""

from __future__ import annotations

from pathlib import Path

from fakes.lock_files import every_verdict
from fakes.running import AUTO, SOURCES
from lockwarden.core.evidence.events import AuditEvent, AuditFinished, AuditPlanned, ProviderAudited
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings
from lockwarden.tui.state import files, session
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.state.session import Session

SETTINGS = ClientSettings()
EMPTY = Session(sources=SOURCES, platforms=AUTO)
EVENTS: tuple[AuditEvent, ...] = (
    AuditPlanned(releases=tuple((each.address, each.version) for each in every_verdict().audits)),
    *(ProviderAudited(audit=each) for each in every_verdict().audits),
    AuditFinished(),
)


def begun() -> Session:
    """The lock file was read."""
    return session.opened(EMPTY, every_verdict().lock_file(), SETTINGS)


def audited() -> Session:
    """Its audit has ended."""
    return heard(session.restarted(begun()), *EVENTS)


def heard(now: Session, *events: AuditEvent) -> Session:
    """The session, as that of a run's only file, after what an audit told; then the audit has ended."""
    path = Path("x.hcl")
    one = files.with_session(files.begun((path,), now), path, now)
    return files.ended(files.after_events(files.restarted(one), SETTINGS, events), Phase.FINISHED).session


def review_of(now: Session) -> Review:
    """The session's review, which it must have."""
    assert now.review is not None
    return now.review


def decided(now: Session, *choices: tuple[HashKey, Decision]) -> Session:
    """The session with decisions made in one step."""
    return session.decided(now, review_of(now).decisions.decide(choices))
