"""The screens that a review and the list of lock files open over themselves, and what follows from their answers.

Each is loaded when it opens first: all of them together would delay the review that nobody has left yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state.review_state import ReviewState

_NO_MODULES: Final = "there is no configuration here to look at"


def why_no_modules(screen: SpeakingScreen) -> str:
    """Why there are no module calls to look at; empty where there may be some."""
    return _NO_MODULES if screen.lockwarden.setup.modules is None else ""


def open_modules(screen: SpeakingScreen) -> None:
    """Read the module calls beside the selected lock file, and show them."""
    from lockwarden.tui.screens.modules import ModulesScreen

    screen.lockwarden.module_work.open()
    screen.app.push_screen(ModulesScreen())


def open_conflict(screen: SpeakingScreen) -> None:
    """Read both sides of the selected lock file, which is in conflict, and show them."""
    from lockwarden.tui.screens.resolving import ResolvingScreen

    screen.lockwarden.resolving_work.open()
    screen.app.push_screen(ResolvingScreen())


def open_sources(screen: SpeakingScreen, provider: ProviderAddress | None = None) -> None:
    """Choose sources and platforms; a key that is about one provider is about this one."""
    from lockwarden.tui.screens.sources import SourcesScreen
    from lockwarden.tui.state.source_choice import SourceChoice

    session, setup = screen.lockwarden.session, screen.lockwarden.setup
    draft = SourceChoice.of(session.sources, session.platforms, setup.current_platform)
    screen.app.push_screen(SourcesScreen(draft, provider))


def open_coverage(screen: SpeakingScreen, state: ReviewState) -> None:
    """Show where a client would install with this lock file, the selected provider first."""
    from lockwarden.tui.screens.coverage import CoverageScreen

    first = () if state.provider is None else (state.provider,)
    screen.app.push_screen(CoverageScreen(tuple(dict.fromkeys((*first, *state.order)))))


def open_bases(screen: SpeakingScreen, lock_file: LockFile) -> None:
    """Choose the revision that the lock file is compared with, and compare with another one than now."""
    from lockwarden.tui.screens.bases import BasesScreen

    app = screen.lockwarden

    def chosen(base: str | None) -> None:
        if base is not None and base != app.session.base:
            app.standards.compare_with(base)

    screen.app.push_screen(BasesScreen(lock_file, app.session.base), chosen)


def open_export(screen: SpeakingScreen, what: str, paths: Callable[[], Iterable[Path]]) -> None:
    """Export the reviews of the lock files at `paths`, `what` in our own words, once it is said to which file."""
    from lockwarden.tui.screens.export import ExportScreen

    def named(name: str | None) -> None:
        if name:
            screen.lockwarden.outside.export(Path(name), paths())

    screen.app.push_screen(ExportScreen(what), named)
