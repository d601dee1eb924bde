"""What a screen that lies over a review knows of it."""

from __future__ import annotations

from typing import Protocol

from lockwarden.core.review.review import Review
from lockwarden.tui.state.review_state import ReviewState
from lockwarden.tui.state.session import Session


class ReviewBelow(Protocol):
    """A review screen: where a person is in it, and what its keys do."""

    state: ReviewState

    @property
    def session(self) -> Session:
        """What the app knows now."""
        ...

    @property
    def review(self) -> Review:
        """The review; only where there is one."""
        ...

    def why_not(self, action: str) -> str:
        """Why the action does nothing now; empty when it does something."""
        ...

    def give_up_marks(self) -> None:
        """Mean the selected hash alone."""
        ...

    def focus_pane(self) -> None:
        """Put the focus where the state says it is."""
        ...

    def action_browse(self) -> None:
        """Open an address of what is selected."""
        ...

    def action_edit(self) -> None:
        """Open the lock file in the operator's editor."""
        ...

    def action_decide(self) -> None:
        """Go round the decisions of what is selected."""
        ...

    def action_record(self) -> None:
        """Record that what is selected is accepted."""
        ...

    def action_undo(self) -> None:
        """Take the last decision back."""
        ...

    def action_copy(self) -> None:
        """Copy the whole hash."""
        ...
