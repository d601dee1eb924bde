"""The app's part that changes policy, approvals and base: each change is looked at before it is written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from textual.app import App

from lockwarden.core.approvals.record import with_approval
from lockwarden.core.engine.source_spelling import SourceSpec, name_sources
from lockwarden.core.policy.edit import with_mirror, with_signing_key
from lockwarden.core.reports.differences import difference
from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.key_use import KeyUse
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.recording import approval_of
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.seen import as_seen, keys_of
from lockwarden.core.review.trusted_keys import trust_warning
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import FileChangedError, LockwardenError
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signing_keys import KeySeen
from lockwarden.tui.screens.approval import ApprovalDraft, ApprovalScreen
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.screens.patterns import PatternsScreen
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.state.files import held_against, read, with_session
from lockwarden.tui.state.ports import ReviewSetup, StandardsStore
from lockwarden.tui.workers import run_in_worker


class _Change(Struct, frozen=True, kw_only=True):
    """One change of a file beside the lock file; what is called blocks, and raises LockwardenError."""

    edited: Callable[[], bytes]
    before: bytes
    path: Callable[[], Path]
    notes: tuple[str, ...]
    """Sentences above the difference."""
    save: Callable[[bytes], None]
    then: str = ""
    """What is to be done once it is written."""


class StandardsControl:
    """Changes what lock files are held against."""

    def __init__(self, host: App[int], app: ReviewApp) -> None:
        """`host` and `app` are one: it runs the workers, and it holds the files."""
        self._host, self._app = host, app

    @property
    def _store(self) -> StandardsStore:
        return self._app.setup.store

    def compare_with(self, base: str) -> None:
        """Hold the lock file against its state at another revision, none when it is empty, and audit again."""
        run_in_worker(self._host, partial(self._compare, base), group="load")

    async def _compare(self, base: str) -> None:
        path, review = self._app.files.current, self._app.session.review
        if review is None:
            return
        self._store.look_anew()
        try:
            setup, sources = await asyncio.to_thread(self._held_to, base)
            lock_file = await asyncio.to_thread(setup.store.as_judged, review.lock_file, base=base)
            standards = await asyncio.to_thread(setup.store.standards, lock_file, base=base)
        except LockwardenError as error:
            self._refuse("This cannot be compared with", error)
            return
        self._app.setup = setup
        rebased = with_session(self._app.files, path, replace(self._app.files.sessions[path], base=base))
        if lock_file == review.lock_file:
            self._app.show(held_against(rebased, path, standards))
        else:  # the base names another client, by whose rules it is judged from now on
            self._app.show(read(rebased, {path: (lock_file, setup.settings_for(lock_file), standards)}))
        self._app.audits.start(sources)

    def _held_to(self, base: str) -> tuple[ReviewSetup, tuple[SourceSpec, ...]]:
        """What the run goes by with a base, and which sources it asks. It blocks, and raises LockwardenError."""
        setup, asked = self._app.setup, self._app.session.sources
        others = (each.base for path, each in self._app.files.sessions.items() if path != self._app.files.current)
        if not base and any(others):
            return setup, asked
        return setup.with_base(base, asked)

    async def _hold_again(self) -> None:
        """Read policy and approvals again, after one of them was written; what was audited stays.

        The open file comes first, and the others after it, since most of them share a policy.
        """
        for path in dict.fromkeys((self._app.files.current, *self._app.files.sessions)):
            session = self._app.files.sessions[path]
            if session.review is None:
                continue
            lock_file, base = session.review.lock_file, session.base
            try:
                standards = await asyncio.to_thread(self._store.standards, lock_file, base=base)
            except LockwardenError as error:
                self._refuse("This cannot be read", error)
                return
            now = self._app.files.sessions[path].review or session.review
            self._app.show(held_against(self._app.files, path, standards.with_audits_of(now.standards)))

    def trust_key(self, use: KeyUse) -> None:
        """Write into the policy that a key counts, once the providers were chosen and the change was looked at."""
        signed = dict.fromkeys(each.address for each in use.signings if each.made_here)
        offered = dict.fromkeys(each.address for each in use.signings)
        review = self._app.session.review
        owner = use.key.user_ids[0] if use.key.user_ids else ""

        def edited(review: Review, patterns: tuple[ProviderPattern, ...]) -> bytes:
            return with_signing_key(review.standards.own_policy, use.key.fingerprint, owner, patterns)

        self._change_policy(
            f"Trust the key {use.key.key_id} for which providers?",
            signed or offered,
            edited,
            "Only keys that the policy names for a provider count for it from then on",
            warning="" if review is None else trust_warning(review.standards.policy, use),
        )

    def trust_mirror(self, spec: SourceSpec) -> None:
        """Write into the policy that a mirror vouches in the origin's place."""
        review = self._app.session.review
        addresses = [each.address for each in review.providers] if review is not None else []

        def edited(review: Review, patterns: tuple[ProviderPattern, ...]) -> bytes:
            return with_mirror(review.standards.own_policy, spec.location, True, patterns)

        self._change_policy(
            f"Trust {name_sources((spec,))[0].id} for which providers?",
            addresses,
            edited,
            "What this mirror gives out counts for these providers, whatever their origin registry says",
        )

    def _change_policy(
        self,
        title: str,
        addresses: Iterable[ProviderAddress],
        edited: Callable[[Review, tuple[ProviderPattern, ...]], bytes],
        consequence: str,
        *,
        warning: str = "",
    ) -> None:
        def chosen(patterns: tuple[ProviderPattern, ...] | None) -> None:
            review = self._app.session.review
            if not patterns or review is None:
                return
            policy = review.standards.own_policy

            def save(data: bytes) -> None:
                self._store.save_policy(review.lock_file, data, before=policy)

            self._look_and_write(
                _Change(
                    edited=lambda: edited(review, patterns),
                    before=policy.data,
                    path=lambda: self._store.policy_path(review.lock_file),
                    notes=("The policy gets one rule more", consequence, *([warning] if warning else [])),
                    save=save,
                )
            )

        self._host.push_screen(PatternsScreen(title, tuple(addresses), warning=warning), chosen)

    def record_approval(self, provider: ProviderReview, rows: tuple[HashRow, ...]) -> None:
        """Record that a person accepts these hashes, once a reason was given and the record was looked at."""
        review = self._app.session.review
        if review is None or not rows:
            return
        approvals = review.standards.own_approvals
        keys = keys_of(provider, rows)

        def drafted(draft: ApprovalDraft | None) -> None:
            if draft is None:
                return

            def edited() -> bytes:
                return with_approval(
                    approvals,
                    approval_of(
                        review,
                        provider,
                        rows,
                        reason=draft.reason,
                        by=draft.by,
                        at=self._app.setup.now(),
                        until=draft.until,
                    ),
                )

            def save(data: bytes) -> None:
                self._hold_to(review, keys)
                self._store.save_approvals(review.lock_file, data, before=approvals)

            self._look_and_write(
                _Change(
                    edited=edited,
                    before=approvals.data,
                    path=lambda: self._store.approvals_path(review.lock_file),
                    notes=(
                        "One approval is recorded",
                        "It accepts exactly these hashes of this version, and nothing else",
                    ),
                    save=save,
                    then="; sign it again with the command approve-sign" if approvals.serial else "",
                )
            )

        who = partial(self._store.identity, review.lock_file)
        self._host.push_screen(ApprovalScreen(provider, rows, today=review.standards.today, who=who), drafted)

    def _hold_to(self, seen: Review, keys: tuple[HashKey, ...]) -> None:
        """Refuse to record what no longer stands as it was shown. Raises LockwardenError."""
        now = self._app.session.review
        if now is None or not as_seen(seen, now, keys):
            raise LockwardenError(
                "results came in while the record was written, and these hashes stand otherwise now",
                hint="look at them again, and record them once more if they are still right",
            )

    def _look_and_write(self, change: _Change) -> None:
        run_in_worker(self._host, partial(self._look, change), group="look")

    async def _look(self, change: _Change) -> None:
        try:
            data = await asyncio.to_thread(change.edited)
            place = await asyncio.to_thread(change.path)
        except LockwardenError as error:
            self._refuse("Nothing was written", error)
            return
        shown = FileDiffScreen(difference(change.before, data), title=_shown(place), notes=change.notes)
        if await self._host.push_screen_wait(shown):
            try:
                await asyncio.to_thread(change.save, data)
            except LockwardenError as error:
                self._refuse("Nothing was written", error)
                return
            await self._hold_again()
            self._app.say(f"written: {place.name}{change.then}")

    def save_armor(self, key: KeySeen, path: Path) -> None:
        """Save a key's armor as it was offered."""
        run_in_worker(self._host, partial(self._save_armor, key, path), group="export", exclusive=False)

    async def _save_armor(self, key: KeySeen, path: Path) -> None:
        armor = key.armor.encode(errors="replace")
        try:
            await asyncio.to_thread(self._store.save_new, path, armor)
        except FileChangedError:
            self._refuse("Nothing was written", LockwardenError(f"{path} is there already", hint="move it away first"))
        except LockwardenError as error:
            self._refuse("Nothing was written", error)
        else:
            self._app.say(f"written: {path.name}")

    def _refuse(self, title: str, error: LockwardenError) -> None:
        self._host.push_screen(
            ConfirmScreen(Confirmation(title=title, rows=((error.message, error.hint),), safe="Back"))
        )


def _shown(path: Path) -> str:
    """A path as short as it is clear: from the working folder where it lies in it, whole otherwise."""
    folder = Path.cwd()
    return str(path.relative_to(folder) if folder in path.parents else path)
