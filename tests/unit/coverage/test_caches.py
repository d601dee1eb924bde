"""Plugin caches and installed providers: used where their `h1` is locked, otherwise passed over, never a failure."""

from __future__ import annotations

import pytest
from builders.audits import DARWIN, LINUX, answer, h1, package, zh
from builders.coverage import ACCEPTED, ANYTHING, CACHE, INSTALLED, REFUSED, cell, folder, unhashed
from msgspec.structs import replace

from lockwarden.core.coverage.outcomes import CoverageOutcome, Installability
from lockwarden.core.evidence.observations import Basis
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, SourceAnswer, SourceRef

PASSED_OVER = CoverageOutcome.PASSED_OVER
BOTH = pytest.mark.parametrize("source", [CACHE, INSTALLED], ids=lambda source: source.kind)
NO_PROGRAM = "it has no executable file"


def holding(source: SourceRef, facts: PackageFacts | None = None) -> SourceAnswer:
    return answer(source, packages=[folder() if facts is None else facts], platforms=[LINUX])


@BOTH
def test_a_locked_h1_is_used_and_runs(source: SourceRef) -> None:
    said = cell(holding(source), h1("linux"), zh("other"))
    assert (said.outcome, said.runtime, said.standing) == (ACCEPTED, ACCEPTED, Installability.WORKS)
    assert said.reason == "the locked h1 matches"


@BOTH
def test_anything_else_is_passed_over_without_a_remedy(source: SourceRef) -> None:
    for hashes in ((zh("linux"),), (h1("other"),), ()):
        said = cell(holding(source), *hashes)
        assert (said.outcome, said.standing, said.remedy) == (PASSED_OVER, Installability.UNUSED, "")
        assert said.reason == "no locked h1 is that of what lies there, so that the client asks its sources"


def test_what_is_installed_runs_until_init_replaces_it_only_by_the_locked_hashes() -> None:
    assert cell(holding(INSTALLED), h1("other")).runtime is REFUSED
    assert cell(holding(INSTALLED), zh("linux")).runtime is REFUSED
    assert cell(holding(INSTALLED)).runtime is ANYTHING
    assert cell(holding(CACHE), h1("other")).runtime is None


@BOTH
def test_what_is_not_there_is_passed_over(source: SourceRef) -> None:
    for said in (
        answer(source, outcome=Outcome.NOT_THERE, platforms=None),
        answer(source, packages=[package(LINUX, outcome=Outcome.NOT_THERE)], platforms=[DARWIN]),
        answer(source, platforms=[DARWIN]),
    ):
        found = cell(said, h1("linux"))
        assert (found.outcome, found.runtime) == (PASSED_OVER, None)
        assert found.reason == "it holds no such package, so that the client asks its sources"


def test_a_package_without_its_program_is_a_trap_where_its_h1_is_locked() -> None:
    broken = folder(client_refusal=NO_PROGRAM)
    cached = cell(holding(CACHE, broken), h1("linux"))
    assert (cached.outcome, cached.runtime) == (REFUSED, None)
    installed = cell(holding(INSTALLED, broken), h1("linux"))
    assert (installed.outcome, installed.runtime) == (ACCEPTED, REFUSED)
    for said in (cached, installed):
        assert said.standing is Installability.FAILS
        assert said.reason.endswith(NO_PROGRAM)
        assert said.remedy == "remove it from there, so that the client asks its sources"
    assert cell(holding(INSTALLED, broken)).runtime is REFUSED


@BOTH
def test_content_that_no_client_can_hash_is_passed_over(source: SourceRef) -> None:
    facts = replace(unhashed(basis=Basis.DIRECTORY), client_refusal="a broken link")
    said = cell(holding(source, facts), h1("linux"))
    assert (said.outcome, said.runtime, said.reason) == (
        PASSED_OVER,
        None,
        "the client asks its sources: a broken link",
    )


@BOTH
def test_content_that_was_not_hashed_is_unknown_unless_no_h1_could_match(source: SourceRef) -> None:
    facts = unhashed(basis=Basis.DIRECTORY)
    said = cell(holding(source, facts), h1("linux"))
    assert (said.outcome, said.expected, said.reason) == (
        CoverageOutcome.UNKNOWN,
        None,
        "the package could not be hashed: it is too large",
    )
    for hashes in ((zh("linux"),), ()):
        passed_over = cell(holding(source, facts), *hashes)
        assert passed_over.outcome is PASSED_OVER
        assert passed_over.reason == "the entry has no h1 that could match, so that the client asks its sources"
