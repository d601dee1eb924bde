"""Which version of a module a constraint means: the rules of hashicorp/go-version, from its own tests and by hand."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.modules.registry_versions import LONGEST, newest_version


@table(
    ("versions", "constraint", "wanted"),
    [
        ("1.0.0 1.2.0 1.10.0 2.0.0-rc1", "", "1.10.0"),
        ("1.0.0 1.2.0", "  ", "1.2.0"),
        ("v1.0 1", "= 1.0.0", "1.0.0"),
        ("1.0.0 1.2.0 2.0.0", "1.2.0", "1.2.0"),
        ("1.0.0 1.2.0 2.0.0", "!= 2.0.0", "1.2.0"),
        ("1.0.0 1.2.0 2.0.0", "> 1.0, < 2", "1.2.0"),
        ("1.0.0 1.2.0 2.0.0", "<= 1.0", "1.0.0"),
        ("1.0.0 1.2.0 2.0.0", ">= 2", "2.0.0"),
        ("1.0.0 1.2.0 2.0.0", "> 2", None),
        ("1.0.9 1.1.0", "~> 1.0", "1.1.0"),
        ("1.0.9 1.1.0 2.0.0", "~> 1.0.1", "1.0.9"),
        ("1.0.9 1.1.0 2.0.0", "~> 1.0", "1.1.0"),
        ("1.0.0 2.0.0 3.1.0", "~> 1", "3.1.0"),
        ("1.0.0", "~> 1.0.1", None),
        ("1.0.0", "~> 1.0.0.1", None),
        ("1.0.0.2 1.0.0.1", "~> 1.0.0.1", "1.0.0.2"),
        ("1.0.0-beta 1.0.0", "1.0.0-beta", "1.0.0-beta"),
        ("1.0.0-beta", "= 1.0.0-beta", "1.0.0-beta"),
        ("1.0.0-beta", "1.0.0-alpha", None),
        ("1.0.0-beta", ">= 1.0.0-beta", None),
        ("1.0.0-beta", "1.0.0-beta, > 0.9", None),
        ("1.0.0-beta 1.0.0", "> 1.0.0-beta", "1.0.0"),
        ("1.0.0", "= 1.0.0-beta", None),
        ("1.0.0", "~> 1.0.0-beta", None),
        ("1.0.0beta2 x 1.0.0+build.5", "", "1.0.0+build.5"),
        ("1.0.0", "newest", None),
        ("1.0.0", "> 0.1, x", None),
        ("1.0.0", f"> {'0' * LONGEST}", None),
        (f"1.0.0 {'9' * (LONGEST + 1)}", "", "1.0.0"),
        ("", "", None),
    ],
)
def test_the_newest_that_fits(versions: str, constraint: str, wanted: str | None) -> None:
    found = newest_version(versions.split(), constraint)
    assert (None if found is None else str(found)) == wanted
