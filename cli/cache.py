"""`lockwarden cache`: what is kept of packages between runs, and how to be rid of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lockwarden.cli.output import complain, show
from lockwarden.cli.own_settings import settings_here
from lockwarden.cli.surroundings import cache_folder, state_folder
from lockwarden.core.reports.text_report import shown
from lockwarden.core.store.hcl_tables import remove_tables
from lockwarden.core.store.kept_facts import Kept, clear_facts, kept_facts, kept_packages, kept_releases
from lockwarden.core.store.kept_facts import clear_packages as remove_packages
from lockwarden.core.store.user_key import KEY_FILE

_UNITS: Final = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


def cache(*, clear: bool, clear_packages: bool) -> int:
    """Show the user's cache, or clear it first; returns 2 when something could not be removed."""
    settings_here()
    return _cache(cache_folder(), state_folder() / KEY_FILE, everything=clear, packages=clear_packages)


def _cache(folder: Path, key_file: Path, *, everything: bool, packages: bool) -> int:
    if everything or packages:
        remove_packages(folder)
    if everything:
        clear_facts(folder)
        remove_tables(folder)
    show(shown(_lines(folder, key_file)))
    known = kept_facts(folder).files + kept_releases(folder).files
    left = kept_packages(folder).files * (everything or packages) + known * everything
    if left:
        complain(f"{left} file{'s'[: left != 1]} could not be removed", hint=f"look at who may write to {folder}")
    return 2 if left else 0


def _lines(folder: Path, key_file: Path) -> Iterator[str]:
    yield f"{folder}"
    yield f"  packages  {_amount(kept_packages(folder))}"
    yield f"  facts     {_amount(kept_facts(folder))}"
    yield f"  releases  {_amount(kept_releases(folder))}"
    yield f"The key that seals them is {key_file}." if key_file.exists() else "There is no key yet that seals them."


def _amount(kept: Kept) -> str:
    return f"{kept.files} ({_size(kept.size)})" if kept.files else "none"


def _size(size: int) -> str:
    """Bytes in the largest unit that leaves a number of at least one."""
    for unit, name in _UNITS:
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"
