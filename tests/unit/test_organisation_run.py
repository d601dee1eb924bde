"""Putting many repositories together: each result belongs to its repository, whatever those are called."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from builders.organisations import well
from builders.reading import parse
from builders.reviews import HEADER, entry_text

from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.organisation import run
from lockwarden.core.engine.organisation.committed_lock_files import CommittedFile, CommittedState, repository_label
from lockwarden.core.engine.organisation.places import RepositoryRef
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.values.hashes import Hash

TODAY = date(2026, 6, 1)
ONE, TWO, THREE = (Hash(f"zh:{digit * 64}") for digit in "123")


def state(name: str, files: dict[str, str], *, revision: str = "") -> CommittedState:
    place = RepositoryRef(name=name, written=name, folder=Path("/clones") / name, revision=revision)
    made = []
    for path, text in files.items():
        label = f"{repository_label(place)}:{path}"
        loaded = Loaded(path=label, lock_file=parse((HEADER + text).encode(), path=label), problems=())
        made.append(CommittedFile(path=path, loaded=loaded))
    return CommittedState(place=place, commit="c" * 40, files=tuple(made))


def test_no_repository_takes_the_name_of_another_one_at_a_revision() -> None:
    states = run.ready(
        [
            state("a", {"x:y": entry_text(ONE), "z": entry_text(ONE)}, revision="main"),
            state("a@main", {"x:y": entry_text(TWO)}),
            state("a@main:x", {"y": entry_text(THREE)}),
        ],
        today=TODAY,
        seen=None,
    )
    audited = run.to_audit(states)
    names = [each.path for each in audited]
    assert names == ["a@main:x:y", "a@main:z", "a@main:x:y (2)", "a@main:x:y (3)"]
    assert [each.lock_file.path for each in audited if each.lock_file is not None] == names
    results = RunResult(sources=(), files=tuple(FileResult(path=name, review=well()) for name in names))
    made = run.put_together(states, results, policy_files=(), standards_at="HEAD")
    assert [each.label for each in made.repositories] == ["a@main", "a@main (2)", "a@main:x"]
    assert [[file.result.path for file in each.files] for each in made.repositories] == [
        ["a@main:x:y", "a@main:z"],
        ["a@main:x:y (2)"],
        ["a@main:x:y (3)"],
    ]


def test_a_repository_beyond_the_limit_of_hashes_is_told_and_the_others_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "MAX_HASHES", 2)
    given = [
        state("one", {"x": entry_text(ONE)}),
        state("large", {"x": entry_text(TWO, THREE)}),
        state("same", {"x": entry_text(ONE)}),
        state("two", {"x": entry_text(TWO)}),
    ]
    forgotten: list[str] = []
    kept = tuple(run.within_limits(given, lambda each: forgotten.append(each.place.name)))
    assert forgotten == ["large"]
    assert [(each.place.name, len(each.files), [str(problem.code) for problem in each.problems]) for each in kept] == [
        ("one", 1, []),
        ("large", 0, ["repository-too-large"]),
        ("same", 1, []),
        ("two", 1, []),
    ]


def test_every_file_is_held_against_how_the_others_lock_the_same_provider() -> None:
    old, new = (entry_text(each, version=version) for each, version in ((ONE, "1.0.0"), (TWO, "2.0.0")))
    states = run.ready([state("a", {"x": old}), state("b", {"x": new})], today=TODAY, seen=None)
    for file in run.to_audit(states):
        assert file.standards.today == TODAY
        (ways,) = file.standards.in_run.values()
        assert {str(each.version) for each in ways} == {"1.0.0", "2.0.0"}
