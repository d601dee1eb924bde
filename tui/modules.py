"""The app's part that reads module calls, asks what they mean, and accepts and pins them after a look."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from textual.app import App
from textual.message import Message
from textual.worker import Worker

from lockwarden.core.engine.module_accepting import Acceptance
from lockwarden.core.evidence.pulse import Pulse, Watch
from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.reports.differences import difference, difference_of_files
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.render.package_diffs import package_difference, package_notes
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.file_diff import CHANGED_MEANWHILE, FileDiffScreen
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.state import modules as steps
from lockwarden.tui.state.modules import ModulesState
from lockwarden.tui.state.ports import ModuleAccess
from lockwarden.tui.workers import end_of, run_in_worker

_GROUP = "modules"


class SourceAnswered(Message):
    """One source more has answered."""

    def __init__(self, run: object, answered: int, of: int) -> None:
        super().__init__()
        self.run, self.answered, self.of = run, answered, of

    def can_replace(self, message: Message) -> bool:
        """Only the newest count matters."""
        return isinstance(message, SourceAnswered)


class ModulesControl:
    """Reads, asks, accepts and pins."""

    def __init__(self, host: App[int], app: ReviewApp) -> None:
        """`host` and `app` are one: it runs the workers, and it holds what is shown."""
        self._host, self._app = host, app
        self._worker: Worker[None] | None = None
        self._run: object = None
        """Marks the asking whose answers count."""
        self._watch: Watch | None = None
        """Hears what is asked now, or was asked last."""
        self.begun_at: datetime | None = None
        """When what runs, or ran last, began, by the clock of the run."""

    @property
    def _files(self) -> ModuleAccess:
        found = self._app.setup.modules
        assert found is not None  # noqa: S101 - or the screen is not offered
        return found

    @property
    def _state(self) -> ModulesState:
        return self._app.modules

    def open(self) -> None:
        """Read the calls beside the selected lock file."""
        folder = self._app.files.current.parent
        self._app.modules = steps.begun(folder, self._app.session.base)
        self._begin(self._read)

    def moment(self) -> Pulse | None:
        """How the asking or fetching is now; None while there is none."""
        state = self._state
        if self._watch is None or (state.asking is None and not state.fetching):
            return None
        return self._watch.moment(self._app.setup.clock())

    def _listen(self) -> None:
        """Hear from now on which servers are asked."""
        clock = self._app.setup.clock
        self._watch = watch = Watch(begun=clock())
        self._files.report = lambda event: watch.hear(event, clock())

    def read_again(self) -> None:
        """Read them anew; what was known of the same calls stays."""
        self._begin(self._read)

    def _begin(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self.cancel()
        before, self._run = self._worker, object()
        self.begun_at = self._app.setup.now()
        self._worker = run_in_worker(self._host, partial(self._after, before, work), group=_GROUP, exclusive=False)

    async def _after(self, before: Worker[None] | None, work: Callable[[], Coroutine[None, None, None]]) -> None:
        await end_of(before)
        await work()

    async def _read(self) -> None:
        state = self._state
        try:
            found = await asyncio.to_thread(self._files.read, state.folder, base=state.base)
        except LockwardenError as error:
            self._app.modules = steps.unreadable(self._state, error)
            return
        self._app.modules = steps.read(self._state, found)

    def ask(self) -> None:
        """Ask what all sources mean today."""
        self._begin(self._ask)

    async def _ask(self) -> None:
        listing, run = self._state.listing, self._run
        if listing is None:
            return
        self._listen()
        self._app.modules = steps.asking(self._state, 0, 0)

        def told(answered: int, of: int) -> None:
            self._host.post_message(SourceAnswered(run, answered, of))

        try:
            found = await self._files.resolved(listing, told)
        except LockwardenError as error:
            self._refuse("Nobody could be asked", error)
        else:
            self._app.modules = steps.resolved(self._state, found)
            self._app.say("asked: each call says what it means today, or why that is not known")
        finally:
            if run is self._run:
                self._app.modules = steps.not_asking(self._state)

    def answered(self, message: SourceAnswered) -> None:
        """Show how many have answered."""
        if message.run is self._run and self._state.asking is not None:
            self._app.modules = steps.asking(self._state, message.answered, message.of)

    def cancel(self) -> None:
        """Give up reading or asking; what is known stays."""
        if self._worker is not None:
            self._worker.cancel()

    def diff(self, listed: ListedCall) -> None:
        """Show what is new in the package of a call since it was accepted."""
        self._begin(partial(self._diff, listed))

    async def _diff(self, listed: ListedCall) -> None:
        listing = self._state.listing
        if listing is None:
            return
        self._listen()
        self._app.say(with_keys("fetching both packages; ⟨modules back⟩ cancels it"))
        self._app.modules = steps.fetching(self._state, fetching=True)
        try:
            found = (await self._files.diffed(listing, listed)).diff
        except LockwardenError as error:
            self._refuse("Nothing could be compared", error)
            return
        finally:
            self._app.modules = steps.fetching(self._state, fetching=False)
        if isinstance(found, Unresolved):
            self._refuse("What is new in it is not known", LockwardenError(found.reason, hint=found.hint))
            return
        shown = FileDiffScreen(
            package_difference(found), title=f"What is new in {listed.key}", notes=package_notes(found), writing=False
        )
        self._host.push_screen(shown)

    def accept(self, calls: Sequence[ListedCall]) -> None:
        """Accept calls as they are today into the module lock, after a look at the difference."""
        run_in_worker(self._host, partial(self._accept, tuple(calls)), group="look")

    async def _accept(self, calls: tuple[ListedCall, ...]) -> None:
        listing = self._state.listing
        if listing is None:
            return
        try:
            made = await asyncio.to_thread(self._files.accept, listing, calls)
        except LockwardenError as error:
            self._refuse("Nothing was written", error)
            return
        shown = FileDiffScreen(
            difference(made.before, made.after), title=_shown(made.found.path), notes=_notes(made, calls, self._state)
        )
        if await self._host.push_screen_wait(shown):
            await self._write([(partial(self._files.save_acceptance, made), made.found.path.name)], calls)

    def pin(self, calls: Sequence[ListedCall]) -> None:
        """Write into the configuration what calls mean today, after a look at the difference."""
        run_in_worker(self._host, partial(self._pin, tuple(calls)), group="look")

    async def _pin(self, calls: tuple[ListedCall, ...]) -> None:
        try:
            made = await asyncio.to_thread(self._files.pin, calls)
        except LockwardenError as error:
            self._refuse("Nothing was written", error)
            return
        left = tuple(f"{each.call.path}:{each.call.line} stays: {why}" for each, why in made.left_out)
        if not made.files:
            self._refuse("Nothing was written", LockwardenError(left[0] if left else "nothing is left to pin"))
            return
        count = sum(len(each.calls) for each in made.files)
        notes = (
            f"{counted(count, 'source')} in {counted(len(made.files), 'file')} cannot mean anything else from then on",
            "Install them anew and accept them: for the client and the module lock they are other sources",
            *left,
        )
        shown = FileDiffScreen(
            difference_of_files((each.path, each.shown_before, each.shown_after) for each in made.files),
            title="The configuration",
            notes=notes,
        )
        if await self._host.push_screen_wait(shown):
            await self._write([(partial(self._files.save_pins, each), each.path) for each in made.files], calls)

    async def _write(self, files: Iterable[tuple[Callable[[], None], str]], calls: tuple[ListedCall, ...]) -> None:
        """Write each file on its own, unless the calls stand otherwise by now than they were looked at."""
        now = {id(each) for each in self._state.entries}
        if any(id(each) not in now for each in calls):
            self._app.say(CHANGED_MEANWHILE)
            return
        written: list[str] = []
        for save, name in files:
            try:
                await asyncio.to_thread(save)
            except LockwardenError as error:
                self._refuse(f"{name} was not written", error)
            else:
                written.append(name)
        if written:
            await self._read()
            self._app.say(f"written: {', '.join(written)}" if len(written) < 4 else f"written: {len(written)} files")

    def _refuse(self, title: str, error: LockwardenError) -> None:
        self._host.push_screen(
            ConfirmScreen(Confirmation(title=title, rows=((error.message, error.hint),), safe="Back"))
        )


def _notes(made: Acceptance, calls: tuple[ListedCall, ...], state: ModulesState) -> tuple[str, ...]:
    held = [each.held_against.entry for each in calls if each.held_against is not None]
    moved = [
        f"{listed.key} meant {entry.revision} when it was accepted, and means {listed.resolution.revision} today"
        for listed in calls
        if isinstance(listed.resolution, Resolved)
        and listed.held_against is not None
        and (entry := listed.held_against.entry) is not None
        and entry.revision not in {"", listed.resolution.revision}
    ]
    changed = [
        f"of {each.key}, {'; '.join(each.held_against.differences)}"
        for each in calls
        if each.held_against is not None and each.held_against.differences
    ]
    replaced = sum(each is not None for each in held)
    first = f"{counted(len(made.entries), 'source')} accepted as {'it is' if len(made.entries) == 1 else 'they are'}"
    base = (f"The module lock of {state.base} counts until it has this, too",) if state.base else ()
    return (
        f"{first}{', in the place of what was accepted before' if replaced else ''}",
        *moved,
        *changed,
        *((with_keys("What is new in it, file by file, is on key ⟨module diff⟩ of the list"),) if moved else ()),
        "The files are those that lie here; nobody has compared them with what the source means today",
        *base,
    )


def _shown(path: Path) -> str:
    """A path as short as it is clear: from the working folder where it lies in it, whole otherwise."""
    folder = Path.cwd()
    return str(path.relative_to(folder) if folder in path.parents else path)
