"""Where the installed command begins: before anything else is imported, not from the current folder.

Python itself looks for modules wherever PYTHONPATH says, and an empty entry of it is the current folder: a `click.py`
of a checked-out repository would be run in place of ours. What Python has done before this file is out of our hands;
with a base, such an entry is refused (`core/cli_config/guarding.py`).
"""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line and return the exit code; modules come from where Python and this program are installed."""
    sys.path[:] = [each for each in sys.path if not _is_here(each)]
    from lockwarden.cli.process_tuning import collect_no_more, collect_rarely

    collect_rarely()  # what is loaded from here on is needed to the end
    from lockwarden.cli.main import main as run

    try:
        return run()
    finally:
        collect_no_more()


def _is_here(entry: str) -> bool:
    """Whether an entry of the search path is the current folder, or depends on it, and does not hold this program."""
    if not os.path.isabs(entry):  # noqa: PTH117 - pathlib is not imported yet
        return not entry or os.path.exists(entry)  # noqa: PTH110 - some entries are no paths, but marks for hooks
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:
        return False
    return os.path.realpath(entry) == os.path.realpath(here) and not _holds_us(entry)


def _holds_us(entry: str) -> bool:
    own, folder = os.path.realpath(__file__), os.path.realpath(entry)
    return own.startswith(os.path.join(folder, ""))  # noqa: PTH118
