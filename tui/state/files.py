"""The lock files of one run, each with its session, and the pure steps from one moment of all of them to the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import AuditEvent, EarlierAudited, ProviderAudited
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.drift import BothRegistries, Drift
from lockwarden.core.review.exit_codes import ExitCode, worst
from lockwarden.core.review.following_decisions import followed, step_of
from lockwarden.core.review.locked_elsewhere import locked_in_run
from lockwarden.core.review.of_other_providers import with_other_providers
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NOWHERE, Elsewhere, Standards
from lockwarden.core.review.writing import LastWrite
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.state import session as steps
from lockwarden.tui.state.each_release_once import judged_by, with_audit
from lockwarden.tui.state.placeholders import Placeholder
from lockwarden.tui.state.ports import AuditGroup
from lockwarden.tui.state.progress import WAITING, Phase, Progress, fold_events, release_of
from lockwarden.tui.state.session import Session, status_of

DRIFTING: Final = "drifts"
"""The count of files that lock some provider in another way than is usual."""
Read = tuple[LockFile, ClientSettings, Standards]
"""A lock file, by whose rules it is judged, and what it is held against."""


class Files(Struct, frozen=True, kw_only=True, eq=False):
    """Every lock file of the run. Two moments are the same only when they are one value: comparing would take long."""

    sessions: Mapping[Path, Session] = MappingProxyType({})
    """By the path that was given: what the change touches first, or may, once all are read, and else in the order
    given."""
    current: Path = Path()
    """The file that is selected or open."""
    words: tuple[str, ...] = ()
    """Only files whose paths have all of them are listed."""
    chosen: str = ""
    """Only files that a count of all stands for are listed: an answer, or `DRIFTING`. The selected one is listed too,
    though its answer is another one meanwhile."""
    changes_only: bool = False
    """Whether only files that the change touches are listed, and those that cannot be read, as it may have done."""
    progress: Progress = Progress()
    """Of the audit of all files together; its states are by what is audited once."""
    drifts: Mapping[str, tuple[Drift, ...]] = MappingProxyType({})
    """By the path of a lock file, the providers that some other file locks differently, the loudest first."""
    apart: Mapping[str, int] = MappingProxyType({})
    """By path, how many providers a lock file locks in another way than is usual here, and not just for a platform."""
    both: Mapping[str, tuple[BothRegistries, ...]] = MappingProxyType({})
    """By path, the providers that the files lock under both default registries."""
    in_run: Elsewhere = NOWHERE
    """How the files lock providers that they lock for different versions."""

    @property
    def several(self) -> bool:
        """Whether there is more than one file, so that they are listed."""
        return len(self.sessions) > 1

    @property
    def session(self) -> Session:
        """The session of the selected file, with how far the audit is for it."""
        session = self.sessions[self.current]
        return replace(session, progress=self.progress_of(session))

    @property
    def listed(self) -> tuple[Path, ...]:
        """The files that are shown, in order."""
        return tuple(
            path
            for path, session in self.sessions.items()
            if (not self.changes_only or session.may_be_changed)
            and (not self.words or _has_all(self.words, _searched(str(path))))
            and (not self.chosen or path == self.current or self._is_chosen(session))
        )

    def _is_chosen(self, session: Session) -> bool:
        if self.chosen == DRIFTING:
            return session.review is not None and session.review.lock_file.path in self.apart
        return status_of(session, running=self.progress.running) == self.chosen

    @property
    def has_changes(self) -> bool:
        """Whether the change touches any of them, or may, since it cannot be read."""
        return any(session.may_be_changed for session in self.sessions.values())

    def progress_of(self, session: Session) -> Progress:
        """How far the audit is for one file."""
        review, run = session.review, self.progress
        if review is None:
            return Progress(phase=run.phase)
        jobs = {each.address: (review.settings, each.address, each.entry.version) for each in review.providers}
        states = {address: run.states[job] for address, job in jobs.items() if job in run.states}
        return replace(run, states=MappingProxyType(states), total=len(states))

    def both_of(self, session: Session) -> tuple[BothRegistries, ...]:
        """The providers of this file that the files lock under both default registries."""
        return () if session.review is None else self.both.get(session.review.lock_file.path, ())

    def drifts_of(self, session: Session) -> tuple[Drift, ...]:
        """What some other file locks differently than this one."""
        return () if session.review is None else self.drifts.get(session.review.lock_file.path, ())

    @property
    def unwritten(self) -> tuple[Path, ...]:
        """The files whose decisions would be lost by leaving now."""
        return tuple(path for path, session in self.sessions.items() if session.unwritten)

    @property
    def exit_code(self) -> ExitCode:
        """The worst of all files; one that could not be read, or that something failed with, is the worst there is."""
        return worst(session.exit_code for session in self.sessions.values())

    @property
    def groups(self) -> tuple[AuditGroup, ...]:
        """What is to be audited: the files that hold anything, by whose rules they are judged."""
        found: defaultdict[ClientSettings, list[tuple[LockFile, Standards]]] = defaultdict(list)
        for review in reviews_of(self):
            if review.providers:
                found[review.settings].append((review.lock_file, review.standards))
        return tuple(AuditGroup(settings=settings, files=tuple(files)) for settings, files in found.items())


def begun(paths: Sequence[Path], session: Session) -> Files:
    """The first moment: no file was read yet, and every one has the same session."""
    return Files(sessions=MappingProxyType(dict.fromkeys(paths, session)), current=paths[0])


def with_session(files: Files, path: Path, session: Session) -> Files:
    """The files with another session of one of them."""
    return with_sessions(files, {path: session})


def with_sessions(files: Files, changed: Mapping[Path, Session]) -> Files:
    """Other sessions of some files."""
    return replace(files, sessions=MappingProxyType({**files.sessions, **changed}))


def selected(files: Files, path: Path) -> Files:
    """The files with another one selected or open."""
    return replace(files, current=path)


def with_words(files: Files, text: str) -> Files:
    """List only the files whose paths have all words of a text."""
    return _reselected(replace(files, words=tuple(_searched(text).split())))


def _searched(text: str) -> str:
    """A text as it is searched: some systems take letters apart in names, which keyboards give as one."""
    return normalize("NFC", text).lower()


def _has_all(words: Iterable[str], text: str) -> bool:
    return all(word in text for word in words)


def with_chosen(files: Files, chosen: str) -> Files:
    """List only the files that a count of all stands for, or all of them again where it is chosen already."""
    now = replace(files, chosen="" if chosen == files.chosen else chosen)
    matching = [path for path in now.listed if not now.chosen or now._is_chosen(now.sessions[path])]
    return now if now.current in matching or not matching else selected(now, matching[0])


def with_changes_only(files: Files) -> Files:
    """List only the files that the change touches, or all of them again."""
    return _reselected(replace(files, changes_only=not files.changes_only))


def _reselected(files: Files) -> Files:
    """The first that is listed selected where the selected one is not."""
    listed = files.listed
    return files if files.current in listed or not listed else selected(files, listed[0])


def read(files: Files, found: Mapping[Path, Read | Placeholder]) -> Files:
    """The files after some of them were read. A placeholder is what is shown instead of a review."""
    sessions = {}
    for path, each in found.items():
        before = files.sessions[path]
        if isinstance(each, Placeholder):
            sessions[path] = steps.with_placeholder(before, each)
        else:
            lock_file, settings, standards = each
            sessions[path] = steps.opened(before, lock_file, settings, standards)
    return with_sessions(files, sessions)


def restarted(
    files: Files, sources: tuple[SourceSpec, ...] | None = None, platforms: PlatformChoice | None = None
) -> Files:
    """An audit of all files is about to start anew, with other sources or platforms where some are given."""
    fresh = {
        path: steps.restarted(steps.with_choice(session, sources, platforms))
        for path, session in files.sessions.items()
    }
    jobs = {
        (each.settings, one.address, one.entry.version): WAITING for each in reviews_of(files) for one in each.providers
    }
    progress = Progress(phase=Phase.RUNNING, states=MappingProxyType(jobs), total=len(jobs))
    return replace(with_sessions(files, fresh), progress=progress)


def after_events(files: Files, settings: ClientSettings, events: Iterable[AuditEvent]) -> Files:
    """The files after what the audit of one client's files told, each result in every file that holds its release."""
    told, sessions = tuple(events), dict(files.sessions)
    for event in told:
        if isinstance(event, ProviderAudited):
            sessions |= with_audit(sessions, settings, event)
        elif isinstance(event, EarlierAudited):
            for path, session, review in judged_by(sessions, settings):
                sessions[path] = steps.held_against(session, review.standards.with_audits(event.audits))
    progress = fold_events(files.progress, told, lambda event: (settings, *release_of(event)))
    return replace(with_sessions(files, sessions), progress=progress)


def ended(files: Files, phase: Phase, failure: LockwardenError | None = None) -> Files:
    """The files after the audit has ended, as it should or early. What is known stays."""
    after = partial(steps.ended, phase=phase, failure=failure)
    sessions = {path: after(session) for path, session in files.sessions.items()}
    done = replace(with_sessions(files, sessions), progress=replace(files.progress, phase=phase))
    return _with_other_providers(done)


def _with_other_providers(files: Files) -> Files:
    """The files with findings that say whose they are, which every audit that has ended may know."""
    open_ = {path: session for path, session in files.sessions.items() if session.review is not None}
    told = with_other_providers(reviews_of(files))
    changed = {
        path: replace(session, review=review)
        for (path, session), review in zip(open_.items(), told, strict=True)
        if review is not session.review
    }
    return with_sessions(files, changed)


def decided(files: Files, path: Path, decisions: Decisions) -> tuple[Files, int]:
    """The files with other decisions in one of them, and in every other that has the same entry.

    The number says in how many others something was decided.
    """
    before = files.sessions[path]
    after = steps.decided(before, decisions)
    if before.review is None or after.review is None:
        return files, 0
    step = step_of(before.review, after.review)
    others = {
        other: steps.decided(session, following)
        for other, session in files.sessions.items()
        if other != path and session.review is not None
        if (following := followed(step, session.review)) is not None
    }
    return with_sessions(files, {path: after, **others}), len(others)


def noticed(files: Files, stale: Mapping[Path, bool]) -> Files:
    """The files after a look at the disk: for some paths, whether the file there is another one than was read."""
    changed = {path: replace(files.sessions[path], stale=each) for path, each in stale.items()}
    return with_sessions(files, changed)


def written(files: Files, path: Path, found: Read | Placeholder) -> Files:
    """The files after one of them was written and read again."""
    if isinstance(found, Placeholder):
        return read(files, {path: found})
    lock_file, settings, standards = found
    held = standards.with_run(files.in_run)
    after = with_session(files, path, steps.written(files.sessions[path], lock_file, settings, held))
    return _with_other_providers(held_against_each_other(after))


def taken_back(files: Files, path: Path, last: LastWrite) -> Files:
    """The files after a write of one of them was taken back, and it was read again."""
    return with_session(files, path, steps.taken_back(files.sessions[path], last))


def held_against(files: Files, path: Path, standards: Standards) -> Files:
    """The files with one of them held against other standards."""
    held = standards.with_run(files.in_run)
    return _with_other_providers(with_session(files, path, steps.held_against(files.sessions[path], held)))


def held_against_each_other(files: Files) -> Files:
    """The files with what they lock for different versions of one provider among what each is held against."""
    in_run = locked_in_run(each.lock_file for each in reviews_of(files))
    held = {
        path: steps.held_against(session, session.review.standards.with_run(in_run))
        for path, session in files.sessions.items()
        if session.review is not None and session.review.standards.in_run != in_run
    }
    return replace(with_sessions(files, held), in_run=in_run)


def reviews_of(files: Files) -> Iterable[Review]:
    """The reviews of the files that could be read."""
    return (each.review for each in files.sessions.values() if each.review is not None)
