"""The repositories that an OCI mirror's registry lists, asked for when a person selects the mirror."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual import work
from textual.worker import Worker, WorkerState

from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.render.repository_list import (
    RepositoryList,
    asking,
    listed_by,
    locked_repositories,
    not_found,
    registry_in,
    render_repositories,
)
from lockwarden.tui.render.text import lines
from lockwarden.tui.state.ports import ListRepositories
from lockwarden.tui.widgets.prose_view import ProseView

_GROUP: Final = "repositories"
_OTHER_LINES: Final = 21
"""Lines that a screen should have left for the sources and the platforms."""
_FEWEST: Final = 3


class RepositoryView(ProseView):
    """Shows the list of one source at a time, and asks for each list once."""

    def __init__(
        self,
        list_repositories: ListRepositories,
        addresses: Callable[[], tuple[ProviderAddress, ...]],
        show_fault: Callable[[BaseException], None],
    ) -> None:
        """`addresses` are those of the locked providers; a fault of our own is told to `show_fault`."""
        super().__init__(id="repositories")
        self._list_repositories, self._addresses, self._show_fault = list_repositories, addresses, show_fault
        self.display = False
        self._source: SourceSpec | None = None
        self._known: dict[SourceSpec, RepositoryList] = {}

    def show_source(self, source: SourceSpec | None) -> None:
        """Show the list of this source, and ask for it where it is not known; other kinds of sources have none."""
        before = self._source
        self._source = source if source is not None and source.kind is SourceKind.OCI_MIRROR else None
        self._draw()
        if self._source != before:
            self.workers.cancel_group(self, _GROUP)
            if self._source is not None and self._source not in self._known:
                self._ask(self._source)

    def ask_again(self) -> None:
        """Ask once more where the list could not be had."""
        known = None if self._source is None else self._known.get(self._source)
        if self._source is not None and known is not None and not known.final:
            del self._known[self._source]
            self._draw()
            self._ask(self._source)

    @work(group=_GROUP, exclusive=True, exit_on_error=False)
    async def _ask(self, source: SourceSpec) -> None:
        try:
            listed = await self._list_repositories(source)
            locked = locked_repositories(source, self._addresses())
            self._known[source] = listed_by(registry_in(source.location), listed, locked)
        except LockwardenError as error:
            self._known[source] = not_found(error)
        self._draw()

    def _draw(self) -> None:
        self.display = self._source is not None
        if self._source is not None:
            known = self._known.get(self._source) or asking(registry_in(self._source.location))
            most = max(_FEWEST, self.screen.size.height - _OTHER_LINES)
            self.show(lambda width: lines(*render_repositories(known, width, most=most)))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show a fault of our own as what it is."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self._show_fault(event.worker.error)
