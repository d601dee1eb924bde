"""The keys of the review: what they do, their words for the key line, their sentences for help and palette.

The ids are public, so that a keymap can put an action on another key.
"""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

MOVING: Final = Binding.Group("Moving")
LOOKING: Final = Binding.Group("Looking")
DECIDING: Final = Binding.Group("Deciding")
WRITING: Final = Binding.Group("Writing")
ASKING: Final = Binding.Group("Sources and audit")
APP: Final = Binding.Group("Help and leaving")
GROUPS: Final = (MOVING, LOOKING, DECIDING, WRITING, ASKING, APP)


def _key(key: str, action: str, word: str, group: Binding.Group, tooltip: str, *, show: bool = False) -> Binding:
    name = action.partition("(")[0]
    return Binding(key, action, word, show=show, id=f"review.{name}", tooltip=tooltip, group=group)


REVIEW_KEYS: Final = [
    _key("space", "decide", "Decide", DECIDING, "Decide this hash or the marked range: keep, add, drop", show=True),
    _key("a", "accept", "Accept", DECIDING, "Accept what is suggested for this provider", show=True),
    _key("n", "finding(1)", "Next", LOOKING, "Go to the next finding", show=True),
    _key("A", "accept_all", "Accept all", DECIDING, "Accept what is suggested for every provider, never a finding"),
    _key("x", "mark", "Mark", DECIDING, "Mark a range of hashes from here, or give the mark up"),
    _key("z", "undo", "Undo", DECIDING, "Undo the last decision"),
    _key("Z", "redo", "Redo", DECIDING, "Redo the decision that was undone"),
    _key("s", "sources", "Sources", ASKING, "Choose sources and platforms, and run the audit again", show=True),
    _key("d", "diff", "Diff", WRITING, "Look at the exact difference that the decisions make", show=True),
    _key("w", "write", "Write", WRITING, "Write the lock file, after a look at the difference", show=True),
    _key("r", "ask_again", "Ask again", ASKING, "Run the audit again with the same sources", show=True),
    _key("slash", "filter", "Filter", LOOKING, "Filter by text, verdict, platform or key", show=True),
    Binding(
        "N", "finding(-1)", "Previous", False, id="review.previous", tooltip="Go to the previous finding", group=LOOKING
    ),
    _key("enter", "detail", "Open", LOOKING, "Open everything that is known of this hash or provider"),
    _key("y", "copy", "Copy", LOOKING, "Copy the whole hash to the clipboard"),
    _key("left,h", "pane_left", "Providers", MOVING, "Move to the list of providers"),
    _key("right,l", "pane_right", "Hashes", MOVING, "Move to the hashes, and on to the reasons"),
    _key("escape", "back", "Back", APP, "Cancel the running audit, or back out one step"),
    _key("question_mark,f1", "help", "Help", APP, "Show all keys and what the words mean", show=True),
    _key("q", "leave", "Leave", APP, "Leave the review", show=True),
]
