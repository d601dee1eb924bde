"""The audit of a release on its way into every lock file that holds it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from lockwarden.core.evidence.events import ProviderAudited
from lockwarden.core.review.judging import Judging
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings
from lockwarden.tui.state.session import Session, platforms_for


def judged_by(sessions: Mapping[Path, Session], settings: ClientSettings) -> list[tuple[Path, Session, Review]]:
    """The files that are judged by these rules."""
    return [
        (path, session, session.review)
        for path, session in sessions.items()
        if session.review is not None and session.review.settings == settings
    ]


def with_audit(
    sessions: Mapping[Path, Session], settings: ClientSettings, event: ProviderAudited
) -> dict[Path, Session]:
    """The files that hold the release, with its audit; entries that lock the same are judged once."""
    audit = event.audit
    judging = Judging(settings)
    found = {}
    for path, session, review in judged_by(sessions, settings):
        entry = review.lock_file.entry(audit.address)
        if entry is None or entry.version != audit.version:
            continue
        platforms = platforms_for(session, review, audit)
        judged = judging.review(entry, audit, platforms=platforms, standards=review.standards)
        providers = tuple(judged if each.entry is entry else each for each in review.providers)
        found[path] = replace(session, review=replace(review, providers=providers))
    return found
