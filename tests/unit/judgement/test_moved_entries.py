"""Entries that Terraform wrote, where OpenTofu installs by the lock file.

Expected: OpenTofu's documented reading of `registry.terraform.io/hashicorp/*` since 1.10, which adds an entry of its
own registry without hashes, and so changes the set of providers.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.audits import LINUX, h1, zh
from builders.reading import SECOND_READER, edited
from builders.reviews import HEADER, entry_text

from lockwarden.core.coverage.cells import with_readonly
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome
from lockwarden.core.engine.client_lock_files import as_client_reads, read_for_client
from lockwarden.core.lockfile.edit import HashChange
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.provider_judging import review_provider
from lockwarden.core.review.review import Review
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings

OLD, NEW = "registry.terraform.io/hashicorp/null", "registry.opentofu.org/hashicorp/null"
MOVED = ProviderAddress.parse(NEW)
BY_TERRAFORM = HEADER.replace("tofu", "terraform")
REQUIRED = 'terraform {{\n  required_providers {{\n    null = {{\n      source = "{}"\n    }}\n  }}\n}}\n'
A, B, C = h1("a"), h1("b"), zh("c")
CELL = Coverage(platform=LINUX, source="direct", outcome=CoverageOutcome.ACCEPTED, reason="the locked zh matches")


def read(folder: Path, text: str, *, client: Client | None = None, configuration: str = "") -> LockFile:
    if configuration:
        (folder / "main.tf").write_text(configuration)
    file = folder / ".terraform.lock.hcl"
    file.write_text(text, newline="")
    return read_for_client(file, SECOND_READER, client=client)


@pytest.mark.parametrize(
    ("header", "client", "moved"),
    [
        (HEADER, None, [NEW]),
        (HEADER, Client.OPENTOFU, [NEW]),
        (HEADER, Client.TERRAFORM, []),
        (BY_TERRAFORM, None, []),
        (BY_TERRAFORM, Client.OPENTOFU, [NEW]),
        ("", None, []),
        ("", Client.OPENTOFU, [NEW]),
    ],
)
def test_it_is_read_by_the_client_that_is_named(
    header: str, client: Client | None, moved: list[str], tmp_path: Path
) -> None:
    found = read(tmp_path, header + entry_text(A, address=OLD), client=client)
    assert [str(each.address) for each in found.moved] == moved
    assert [str(each.read_as) for each in found.providers] == (moved or ["None"])
    assert [str(each.address) for each in found.entries] == [OLD, *moved]
    assert found.provider(MOVED) is None
    assert (found.entry(MOVED) is None) is (not moved)


@pytest.mark.parametrize("header", [HEADER, BY_TERRAFORM, ""])
@pytest.mark.parametrize("before", [None, Client.OPENTOFU, Client.TERRAFORM])
@pytest.mark.parametrize("client", [None, Client.OPENTOFU, Client.TERRAFORM])
def test_whatever_it_was_read_by_before_it_is_read_by_the_client_that_counts(
    header: str, before: Client | None, client: Client | None, tmp_path: Path
) -> None:
    text = header + entry_text(A, address=OLD)
    expected = read(tmp_path, text, client=client)
    assert as_client_reads(read(tmp_path, text, client=before), SECOND_READER, client=client) == expected


@pytest.mark.parametrize(
    ("blocks", "moved"),
    [
        (entry_text(A, address=OLD) + entry_text(B, address=NEW), []),
        (entry_text(A, address="registry.terraform.io/acme/null"), []),
        (entry_text(A, address="registry.example.test/hashicorp/null"), []),
        (entry_text(A, address=OLD, version="2.0.0", constraints="~> 2.0"), [("2.0.0", "~> 2.0", OLD)]),
    ],
)
def test_only_an_entry_of_hashicorp_without_a_twin_is_taken_for_another(
    blocks: str, moved: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    found = read(tmp_path, HEADER + blocks)
    assert [(str(each.version), each.constraints, str(each.moved_from)) for each in found.moved] == moved
    assert all(not each.hashes for each in found.moved)
    assert [each.read_as is None for each in found.providers] == [not moved] * len(found.providers)


@pytest.mark.parametrize(
    ("configuration", "needed"),
    [
        (REQUIRED.format("hashicorp/null"), True),
        (REQUIRED.format("registry.terraform.io/hashicorp/null"), False),
        (REQUIRED.format("registry.opentofu.org/hashicorp/null"), True),
        (REQUIRED.format("acme/other"), False),
        ("", True),
        (REQUIRED.format("acme/other") + 'module "a" {\n  source = "./not-there"\n}\n', True),
    ],
)
def test_what_nothing_requires_is_never_installed_and_still_changes_the_set_of_providers(
    configuration: str, needed: bool, tmp_path: Path
) -> None:
    found = read(tmp_path, HEADER + entry_text(A, address=OLD), configuration=configuration)
    assert bool(found.moved) is needed
    assert str(found.providers[0].read_as) == NEW
    review = Review.start(found, settings=ClientSettings(), platforms=[LINUX])
    told = [(str(each.address), str(p.code), str(p.severity)) for each in review.providers for p in each.problems]
    warning = (OLD, "entry-read-as-opentofus", "warning")
    assert told == [warning, *([(NEW, "entry-read-as-opentofus", "error")] if needed else [])]
    assert (review.exit_code is ExitCode.FINDINGS) is needed


def test_where_both_are_required_the_set_of_providers_is_as_it_should_be(tmp_path: Path) -> None:
    """Seen: tofu 1.12.6 `init -lockfile=readonly` ends with 0, and init keeps both entries."""
    both = "".join(f'    p{at} = {{\n      source = "{each}"\n    }}\n' for at, each in enumerate((OLD, NEW)))
    configuration = f"terraform {{\n  required_providers {{\n{both}  }}\n}}\n"
    found = read(tmp_path, HEADER + entry_text(A, address=OLD), configuration=configuration)
    assert as_client_reads(found, SECOND_READER, client=None) == found
    review = Review.start(found, settings=ClientSettings(), platforms=[LINUX])
    (problem,) = [problem for each in review.providers for problem in each.problems]
    assert str(problem.severity) == "error"
    assert problem.hint == "add its hashes, as “lockwarden lock” does"
    assert with_readonly(CELL, found.moved[0]) == CELL


def test_an_entry_that_stands_in_no_file_is_no_change_and_no_entry_without_hashes(tmp_path: Path) -> None:
    found = read(tmp_path, HEADER + entry_text(A, address=OLD))
    (moved,) = found.moved
    done = review_provider(moved, None, settings=ClientSettings(), platforms=frozenset({LINUX}))
    assert [str(each.code) for each in done.problems] == ["entry-read-as-opentofus"]
    assert done.changes == ()


@pytest.mark.parametrize("header", [HEADER, BY_TERRAFORM])
def test_the_new_block_stands_where_the_client_would_write_it(header: str, tmp_path: Path) -> None:
    text = header + entry_text(A, address="registry.example.test/a/b") + entry_text(B, address=OLD, constraints="1.2.3")
    found = read(tmp_path, text, client=Client.OPENTOFU)
    expected = (
        header
        + entry_text(A, address="registry.example.test/a/b")
        + entry_text(A, C, address=NEW, constraints="1.2.3")
        + entry_text(B, address=OLD, constraints="1.2.3")
    )
    assert edited(found, {MOVED: HashChange(add=frozenset({A, C}))}).decode() == expected


@pytest.mark.parametrize(("ending", "line_end"), [("\n", "\n"), ("", "\n"), ("\r\n", "\r\n")])
def test_in_a_file_of_another_form_the_new_block_stands_at_the_end(ending: str, line_end: str, tmp_path: Path) -> None:
    block = entry_text(A, address=OLD).rstrip("\n")
    text = (HEADER + "# ours\n" + block).replace("\n", line_end) + ending
    found = read(tmp_path, text)
    nothing = {found.providers[0].address: HashChange()}
    result = edited(found, {MOVED: HashChange(add=frozenset({C})), **nothing})
    added = entry_text(C, address=NEW).replace("\n", line_end)
    assert result.decode() == text + ("" if ending else line_end) + added


def test_an_entry_without_a_hash_to_add_gets_no_block(tmp_path: Path) -> None:
    found = read(tmp_path, HEADER + entry_text(A, address=OLD))
    assert edited(found, {MOVED: HashChange(drop=frozenset({A}))}) == found.data
