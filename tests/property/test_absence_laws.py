"""Whatever a change adds to hide lock files, the exit code with `-r --base` is never better than without it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from adversarial.checkout import LOCK, Checkout, locked, requiring
from adversarial.hiding import HARMLESS, HIDING
from hypothesis import given, settings
from hypothesis import strategies as st

WORSE = (0, 3, 1, 2)
"""Exit codes, each worse than those before it, or at least no better."""
FOLDERS = ("net", "app", "data")


@given(
    losing=st.lists(st.sampled_from(FOLDERS), unique=True, max_size=2),
    hiding=st.dictionaries(st.sampled_from(FOLDERS), st.sampled_from([*HIDING, *HARMLESS]), min_size=1),
)
@settings(max_examples=5, deadline=None)
def test_nothing_that_a_change_adds_to_hide_lock_files_makes_the_exit_code_better(
    losing: list[str], hiding: dict[str, Callable[[Checkout, str], None]]
) -> None:
    with tempfile.TemporaryDirectory() as top:
        files: dict[str, str] = {}
        for each in FOLDERS:
            files |= {
                f"{each}/main.tf": requiring(f"{each}-one", f"{each}-two"),
                f"{each}/{LOCK}": locked(f"{each}-one", f"{each}-two"),
            }
        checkout = Checkout.of(Path(top).resolve() / "checkout", files)
        checkout.write({f"{each}/{LOCK}": locked(f"{each}-one") for each in losing})
        before = checkout.check("-r")
        for where, act in hiding.items():
            act(checkout, where)
        checkout.commit()
        after = checkout.check("-r")
        assert WORSE.index(after.code) >= WORSE.index(before.code), (before.out, after.out)
        assert after.code == 1 or not any(act in HIDING for act in hiding.values())
