"""The keys of the screens: what they do, their words for the key line, their sentences for help and palette.

The ids are public, so that a keymap can put an action on another key.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from textual.binding import Binding

MOVING: Final = Binding.Group("Moving")
LOOKING: Final = Binding.Group("Looking")
DECIDING: Final = Binding.Group("Deciding")
WRITING: Final = Binding.Group("Writing")
ASKING: Final = Binding.Group("Sources, base and audit")
APP: Final = Binding.Group("Help and leaving")
GROUPS: Final = (MOVING, LOOKING, DECIDING, WRITING, ASKING, APP)
SIGNING_KEYS: Final = Binding.Group("On the screen of signing keys")
SOURCES: Final = Binding.Group("On the screen of sources")
FILES: Final = Binding.Group("On the list of lock files")
MODULES: Final = Binding.Group("On the screen of modules")
RESOLVING: Final = Binding.Group("On a lock file in conflict")


def _key(key: str, action: str, word: str, group: Binding.Group, tooltip: str, *, show: bool = False) -> Binding:
    name = action.partition("(")[0]
    return Binding(key, action, word, show=show, id=f"review.{name}", tooltip=tooltip, group=group)


def help_key(screen: str, *, show: bool = True) -> Binding:
    """The keys for help of a screen that has no list of keys of its own."""
    sentence = "Show all keys and what the words mean"
    return Binding("question_mark,f1", "app.help", "Help", show=show, id=f"{screen}.help", tooltip=sentence)


REVIEW_BINDINGS: Final = [
    _key("space", "decide", "Decide", DECIDING, "Decide this hash or the marked range: keep, add, drop", show=True),
    _key("a", "accept", "Accept", DECIDING, "Accept what is suggested for this provider", show=True),
    _key("w", "write", "Write", WRITING, "Write the lock file, after a look at the difference", show=True),
    _key("K", "keys", "Keys", LOOKING, "Look at the signing keys, and trust one for some providers", show=True),
    _key("c", "coverage", "Coverage", LOOKING, "See where a client would install with this lock file", show=True),
    _key("b", "base", "Base", ASKING, "Choose the revision that the lock file is compared with", show=True),
    _key("s", "sources", "Sources", ASKING, "Choose sources and platforms, and run the audit again", show=True),
    _key("d", "diff", "Diff", WRITING, "Look at the exact difference that the decisions make", show=True),
    _key("n", "finding(1)", "Next", LOOKING, "Go to the next finding", show=True),
    _key("M", "modules", "Modules", LOOKING, "Look at the module calls, and accept or pin what they get", show=True),
    _key("R", "record", "Record", DECIDING, "Record why this hash or the marked range is accepted", show=True),
    _key("slash", "filter", "Filter", LOOKING, "Filter by text, verdict, platform, key, change or problem", show=True),
    _key("r", "ask_again", "Ask again", ASKING, "Run the audit again with the same sources", show=True),
    _key("m", "resolve", "Resolve", LOOKING, "Look at both sides of a lock file in conflict, and resolve it"),
    _key("v", "changes_only", "Changes", LOOKING, "List only the providers that the change touches, or all of them"),
    _key("A", "accept_all", "Accept all", DECIDING, "Accept what is suggested for every provider, never a finding"),
    _key("x", "mark", "Mark", DECIDING, "Mark a range of hashes from here, or give the mark up"),
    _key("z", "undo", "Undo", DECIDING, "Undo the last decision, or take the last write back"),
    _key("Z", "redo", "Redo", DECIDING, "Redo the decision that was undone"),
    Binding(
        "N", "finding(-1)", "Previous", False, id="review.previous", tooltip="Go to the previous finding", group=LOOKING
    ),
    _key("enter", "detail", "Open", LOOKING, "Open everything that is known of this hash or provider"),
    _key("i", "about", "About", LOOKING, "Open everything that is known of this provider and of the lock file"),
    _key("y", "copy", "Copy", LOOKING, "Copy the whole hash to the clipboard"),
    _key("o", "browse", "Browse", LOOKING, "Open an address of this hash or provider in the browser"),
    _key("e", "edit", "Edit", WRITING, "Open the lock file in your editor, here, and review what was saved"),
    _key("E", "export", "Export", WRITING, "Export the review with its decisions: Markdown, JSON or HTML"),
    _key("left,h", "pane_left", "Providers", MOVING, "Move to the list of providers"),
    _key("right,l", "pane_right", "Hashes", MOVING, "Move to the hashes, and on to the reasons"),
    _key("escape", "back", "Back", APP, "Cancel the running audit, or back out one step"),
    _key("question_mark,f1", "help", "Help", APP, "Show all keys and what the words mean", show=True),
    _key("q", "leave", "Leave", APP, "Leave the review", show=True),
]


def _own(
    screen: str, group: Binding.Group, key: str, action: str, word: str, tooltip: str, *, name: str = ""
) -> Binding:
    """A key of one other screen; with a `name` of its own where several keys do the same to something else."""
    return Binding(key, action, word, id=f"{screen}.{name or action.partition('(')[0]}", tooltip=tooltip, group=group)


_of_keys = partial(_own, "keys", SIGNING_KEYS)
_of_sources = partial(_own, "sources", SOURCES)
_of_files = partial(_own, "files", FILES)
_of_modules = partial(_own, "modules", MODULES)
_of_resolving = partial(_own, "resolving", RESOLVING)
SIGNING_KEY_BINDINGS: Final = [
    _of_keys("t", "trust", "Trust", "Write into the policy that this key counts, after a look at the change"),
    _of_keys("y", "copy", "Copy", "Copy the whole fingerprint to the clipboard"),
    _of_keys("e", "export", "Export", "Save the key's armour to a file beside the lock file"),
    _of_keys("question_mark,f1", "help", "Help", "Show all keys and what the words mean"),
    _of_keys("escape,q", "close", "Back", "Go back to the review"),
]
SOURCES_BINDINGS: Final = [
    _of_sources("i,plus", "add", "Add", "Add a source"),
    _of_sources("x,delete", "remove", "Remove", "Remove the selected source"),
    _of_sources("t", "trust", "Trust", "Write into the policy that this mirror counts, after a look at the change"),
    _of_sources("r", "run", "Run again", "Run the audit with these sources and platforms"),
    _of_sources("question_mark,f1", "help", "Help", "Show all keys and what the words mean"),
    _of_sources("escape,q", "close", "Back", "Go back without a change"),
]
MODULES_BINDINGS: Final = [
    _of_modules("r", "ask", "Ask", "Ask what all sources mean today; where nothing could be read, read again"),
    _of_modules("a", "accept", "Accept", "Accept this call as it is into the module lock, after a look at the change"),
    _of_modules("p", "pin", "Pin", "Write into this call what it means today, after a look at the change"),
    _of_modules("d", "diff", "Diff", "See what is new in this module, file by file, since it was accepted"),
    _of_modules("n", "finding(1)", "Next", "Go to the next call that something speaks against"),
    Binding(
        "N",
        "finding(-1)",
        "Previous",
        show=False,
        id="modules.previous",
        tooltip="Go to the previous call that something speaks against",
        group=MODULES,
    ),
    _of_modules("A", "accept_all", "Accept all", "Accept all calls, but those that moved or changed since they were"),
    _of_modules("P", "pin_all", "Pin all", "Write into all calls what they mean today, after a look at the change"),
    Binding(
        "escape",
        "back",
        "Back",
        show=False,
        id="modules.back",
        tooltip="Cancel the asking, or go back to the review",
        group=MODULES,
    ),
    _of_modules("question_mark,f1", "help", "Help", "Show all keys and what the words mean"),
    _of_modules("q", "close", "Back", "Go back to the review"),
]
RESOLVING_BINDINGS: Final = [
    _of_resolving("space", "take", "Take", "Take another version of this provider"),
    _of_resolving("w", "write", "Write", "Write the resolved file, after a look at the difference"),
    _of_resolving("d", "diff", "Diff", "Look at the exact difference that resolving makes"),
    _of_resolving(
        "o",
        "take_all('ours')",
        "All ours",
        "Take the version of our side of every provider that it locks",
        name="take_ours",
    ),
    _of_resolving(
        "t", "take_all('theirs')", "All theirs", "Take the version of their side of every provider", name="take_theirs"
    ),
    _of_resolving(
        "u", "take_all('higher')", "All higher", "Take the higher version of every provider", name="take_higher"
    ),
    _of_resolving("r", "read_again", "Read again", "Read the file again, and audit both sides anew"),
    _of_resolving("question_mark,f1", "help", "Help", "Show all keys and what the words mean"),
    _of_resolving("escape,q", "close", "Back", "Go back without writing"),
]
FILES_BINDINGS: Final = [
    _of_files("enter", "open", "Open", "Open the review of this lock file"),
    _of_files("n", "objection(1)", "Next", "Go to the next lock file that changed or that something speaks against"),
    _of_files("slash", "filter", "Filter", "List only the lock files whose paths have some words"),
    _of_files("v", "changes_only", "Changes", "List only the lock files that the change touches, or all of them"),
    _of_files("w", "write", "Write", "Write all lock files with changes, after a look at the difference"),
    _of_files("d", "diff", "Diff", "Look at the exact difference that the decisions make to all lock files"),
    _of_files("D", "drift", "Drift", "Read where this lock file and others lock the same provider differently"),
    _of_files("s", "sources", "Sources", "Choose sources and platforms for all lock files, and run the audit again"),
    _of_files("r", "ask_again", "Ask again", "Audit all lock files again, and read those that could not be read"),
    _of_files("e", "edit", "Edit", "Open this lock file in your editor, and review what was saved"),
    _of_files("E", "export", "Export", "Export all reviews with their decisions: Markdown, JSON or HTML"),
    _of_files("m", "resolve", "Resolve", "Look at both sides of a lock file in conflict, and resolve it"),
    _of_files("M", "modules", "Modules", "Look at the module calls beside this lock file, and accept or pin them"),
    Binding(
        "N",
        "objection(-1)",
        "Previous",
        show=False,
        id="files.previous",
        tooltip="Go to the previous lock file that changed or that something speaks against",
        group=FILES,
    ),
    Binding(
        "escape",
        "back",
        "Back",
        show=False,
        id="files.back",
        tooltip="Go back to the list, or cancel the running audit",
        group=FILES,
    ),
    _of_files("question_mark,f1", "help", "Help", "Show all keys and what the words mean"),
    _of_files("q", "leave", "Leave", "Leave; a question comes first when decisions would be lost"),
]
