"""What the app knows at one moment, as a frozen value, and the pure steps from one moment to the next."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.engine.wanted_platforms import policy_choice, wanted_platforms
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.exit_codes import ExitCode, code_for
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.writing import (
    LastWrite,
    Undo,
    after_going_back,
    after_writing,
    unwritten,
    what_undo_takes_back,
)
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import LockwardenError
from lockwarden.core.values.platforms import Platform
from lockwarden.tui.state.placeholders import Placeholder, PlaceholderKind, empty
from lockwarden.tui.state.progress import Phase, Progress


class Session(Struct, frozen=True, kw_only=True):
    """Everything that the screens show of one lock file."""

    sources: tuple[SourceSpec, ...]
    platforms: PlatformChoice
    base: str = ""
    """The revision that the lock file is compared with; none when it is empty."""
    review: Review | None = None
    progress: Progress = msgspec.field(default_factory=Progress)
    placeholder: Placeholder | None = None
    """What is shown instead of the review, if anything."""
    failure: LockwardenError | None = None
    """Why the last audit failed as a whole."""
    stale: bool = False
    """Whether the lock file on disk was seen to be another one than was read."""
    last_write: LastWrite | None = None
    """None where nothing was written, or the last write was taken back."""

    @property
    def changed(self) -> bool:
        """Whether the lock file is another one than its base has."""
        return self.review is not None and self.review.changed

    @property
    def may_be_changed(self) -> bool:
        """Whether the lock file is another one than its base has, or cannot be read, so that nobody can tell."""
        failed = self.placeholder is not None and self.placeholder.kind is PlaceholderKind.FAILED
        return self.changed or (bool(self.base) and failed)

    @property
    def unwritten(self) -> bool:
        """Whether decisions would be lost by leaving now."""
        return decisions_of(self) > 0

    @property
    def retractable(self) -> LastWrite | None:
        """The last write, while the lock file that was read last is still what was written."""
        last, review = self.last_write, self.review
        return last if last is not None and review is not None and last.is_in(review.lock_file) else None

    @property
    def undoes(self) -> Undo:
        """What one undo would take back."""
        return Undo.NOTHING if self.review is None else what_undo_takes_back(self.review, self.last_write)

    @property
    def failed(self) -> bool:
        """Whether something else than a review is shown, because there is none that can be relied on."""
        return self.placeholder is not None and not self.placeholder.harmless

    @property
    def exit_code(self) -> ExitCode:
        """What a script is told. A review behind a failure is of an earlier file, so it counts for nothing."""
        return code_for(unusable=True) if self.review is None or self.failed else self.review.exit_code


def decisions_of(session: Session) -> int:
    """How many decisions would be lost by leaving now."""
    return 0 if session.review is None else len(unwritten(session.review))


def status_of(session: Session, *, running: bool) -> Answer:
    """Where a file stands, while an audit is `running` or not."""
    review, placeholder = session.review, session.placeholder
    if placeholder is not None and placeholder.kind is PlaceholderKind.FAILED:
        return Answer.UNREADABLE
    if review is None:
        return Answer.READING
    if not review.providers and not review.exit_code:
        return Answer.EMPTY
    return review.answer_while(running=running)


def with_placeholder(session: Session, placeholder: Placeholder) -> Session:
    """Show something else than the review; the review itself and its decisions stay."""
    return replace(session, placeholder=placeholder)


def with_choice(session: Session, sources: tuple[SourceSpec, ...] | None, platforms: PlatformChoice | None) -> Session:
    """The session with other sources or platforms, where some are given."""
    return replace(session, sources=sources or session.sources, platforms=platforms or session.platforms)


def opened(
    session: Session, lock_file: LockFile, settings: ClientSettings, standards: Standards = NO_STANDARDS
) -> Session:
    """The lock file was read: a review before any audit. Decisions that were made stay where they fit."""
    wanted = policy_choice(session.platforms, [standards]).wanted
    started = Review.start(lock_file, settings=settings, platforms=wanted, standards=standards)
    placeholder = None if lock_file.providers else empty(lock_file)
    return replace(session, review=started.with_decisions(_decisions(session)), placeholder=placeholder, stale=False)


def restarted(session: Session) -> Session:
    """The session as an audit starts anew: what an earlier one said counts no more.

    What is shown instead of a review, because something failed, stays until the lock file is read again (`opened`).
    """
    review = session.review
    if review is None:
        return session
    fresh = opened(session, review.lock_file, review.settings, review.standards)
    placeholder = session.placeholder if session.failed else fresh.placeholder
    running = Progress(phase=Phase.RUNNING)
    return replace(fresh, placeholder=placeholder, progress=running, failure=None, stale=session.stale)


def written(
    session: Session, lock_file: LockFile, settings: ClientSettings, standards: Standards = NO_STANDARDS
) -> Session:
    """The session after the lock file was written and read again.

    The audits stay, since they are about what the sources said. Of the decisions, those to keep stay.
    """
    before = session.review
    held = standards.with_audits_of(before.standards) if before is not None else standards
    after = decided(opened(session, lock_file, settings, held), after_writing(_decisions(session)))
    for provider in before.providers if before is not None else ():
        entry = lock_file.entry(provider.address)
        if provider.audit is not None and entry is not None and entry.version == provider.audit.version:
            after = _with_audit(after, provider.audit)
    if before is None:
        return after
    return replace(after, last_write=LastWrite.of(before, lock_file))


def taken_back(session: Session, last: LastWrite) -> Session:
    """The lock file is again what it was before a write: the decisions that were written are unwritten again."""
    return replace(decided(session, after_going_back(last)), last_write=None)


def held_against(session: Session, standards: Standards) -> Session:
    """The lock file held against other standards; every audit that has ended is judged anew by them."""
    review = session.review
    if review is None:
        return session
    held = replace(session, review=review.with_standards(standards))
    # `with_standards` judges by the platforms of all; an audit may name more.
    for provider in review.providers if session.platforms.every else ():
        if provider.audit is not None:
            held = _with_audit(held, provider.audit)
    return held


def ended(session: Session, phase: Phase, failure: LockwardenError | None = None) -> Session:
    """The session after an audit ended early. What is known stays."""
    return replace(session, progress=replace(session.progress, phase=phase), failure=failure)


def decided(session: Session, decisions: Decisions) -> Session:
    """The session with other decisions."""
    review = session.review
    return session if review is None else replace(session, review=review.with_decisions(decisions))


def _decisions(session: Session) -> Decisions:
    return Decisions() if session.review is None else session.review.decisions


def _with_audit(session: Session, audit: Audit) -> Session:
    review = session.review
    if review is None:
        return session
    judged = replace(review, platforms=platforms_for(session, review, audit)).with_audit(audit)
    return replace(session, review=replace(judged, platforms=review.platforms))


def platforms_for(session: Session, review: Review, audit: Audit) -> frozenset[Platform]:
    """The platforms whose hashes are wanted of one release.

    Where every platform is wanted, the audit of the release says which there are.
    """
    return wanted_platforms(replace(session.platforms, wanted=review.platforms), audit)
