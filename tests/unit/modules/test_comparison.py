"""An installed copy beside its package."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.modules.comparison import CopyState, compared_copy, tree_h1, unknown_copy

A, B = "a" * 64, "b" * 64
PACKAGE = {"main.tf": A, ".hidden": A}


@table(
    ("installed", "revision", "fixed", "state"),
    [
        (PACKAGE, "", False, CopyState.EQUAL),
        ({"main.tf": A}, "", False, CopyState.EQUAL),
        (PACKAGE, "other", False, CopyState.EQUAL),
        ({"main.tf": B}, "", False, CopyState.DIFFERENT),
        ({"main.tf": B}, "", True, CopyState.CHANGED),
        ({"main.tf": B}, "today", False, CopyState.CHANGED),
        ({"main.tf": B}, "other", False, CopyState.OTHER_REVISION),
        ({"main.tf": A, ".other": A}, "today", False, CopyState.CHANGED),
    ],
)
def test_a_copy_is_equal_or_how_it_differs_is_told_as_far_as_it_is_known(
    installed: dict[str, str], revision: str, fixed: bool, state: CopyState
) -> None:
    found = compared_copy(installed, PACKAGE, today="today", installed_revision=revision, fixed=fixed)
    assert found.state is state
    assert (found.differences == ()) is (state is CopyState.EQUAL)
    assert (found.installed == found.package) is (state is CopyState.EQUAL)
    assert ("other is installed, and today" in found.reason) is (state is CopyState.OTHER_REVISION)


def test_the_one_number_is_the_h1_of_the_tree_and_what_is_unknown_has_none() -> None:
    # printf '%s  main.tf\n' e3b0…b855 | sha256sum | xxd -r -p | base64
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert tree_h1({"main.tf": empty}) == "h1:pJD3aUk3bGbSs6MiKa2SE8/BRpB8ivYT3qnv2XDZ2GU="
    unknown = unknown_copy("nobody answered")
    assert (unknown.state, unknown.reason, unknown.installed) == (CopyState.UNKNOWN, "nobody answered", "")
