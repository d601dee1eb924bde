"""What `-lockfile=readonly` makes of entries that OpenTofu takes for entries of its own registry as well."""

from __future__ import annotations

import pytest
from builders.audits import LINUX
from builders.reviews import entry
from msgspec.structs import replace

from lockwarden.core.coverage.cells import with_readonly
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome
from lockwarden.core.values.addresses import ProviderAddress

OTHER = ProviderAddress.parse("registry.opentofu.org/hashicorp/null")
MATCHES = "the locked zh matches"
FAILS = f"{MATCHES}; with -lockfile=readonly init fails, since"
CELL = Coverage(platform=LINUX, source="direct", outcome=CoverageOutcome.ACCEPTED, reason=MATCHES)


@pytest.mark.parametrize(
    ("side", "reason"),
    [
        ("", MATCHES),
        ("read_as", f"{FAILS} OpenTofu takes the entry for {OTHER} as well"),
        ("moved_from", f"{FAILS} the file has only {OTHER}, which OpenTofu takes for this"),
    ],
)
def test_a_cell_says_that_an_init_that_may_not_write_fails(side: str, reason: str) -> None:
    of = replace(entry(), **{side: OTHER}) if side else entry()
    assert with_readonly(CELL, of) == replace(CELL, reason=reason)
