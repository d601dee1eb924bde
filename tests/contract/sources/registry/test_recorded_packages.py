"""The source “direct” finds the packages that are in the recorded world; `conformance` says what follows of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from builders.registry_runs import DARWIN, LINUX, WINDOWS, Registry
from builders.tables import table
from servers.golden import WORLD, GoldenWorld
from servers.played import Played

from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer

CASES: dict[str, Any] = json.loads((WORLD / "cases.json").read_bytes())["registry"]


@pytest.fixture(scope="module")
def all_platforms() -> Mapping[str, SourceAnswer]:
    """Case → what is found of all its platforms."""
    found = Registry(server=Played(GoldenWorld().respond)).ask_all(
        [f"example.test/acme/{case}" for case in CASES], more=(DARWIN, WINDOWS)
    )
    return dict(zip(CASES, found, strict=True))


@table("case", CASES)
def test_packages_have_the_hashes_they_were_made_with_and_all_offered_keys_are_seen(
    all_platforms: Mapping[str, SourceAnswer], case: str
) -> None:
    answer = all_platforms[case]
    offered = set(CASES[case]["offered"]) - {"(not a key)"}
    facts = CASES[case]["facts"]
    if case == "wrong-os":  # every answer is for another platform, so nothing in it is used
        assert [package.outcome for package in answer.packages] == [Outcome.NO_ANSWER] * 3
        assert answer.keys == ()
        return
    assert offered <= {key.fingerprint for key in answer.keys}
    assert {str(package.platform) for package in answer.packages} == set(facts)
    for package in answer.packages:
        true = facts[str(package.platform)]
        assert package.outcome is Outcome.ANSWERED
        if case == "bytes-differ" and package.platform == LINUX:
            assert str(package.zh) != true["zh"]
            assert not package.promised
        elif case != "bytes-differ":
            assert str(package.zh) == true["zh"]
            assert str(package.h1_archive) == true["h1_archive"]
            assert str(package.h1_directory) == true["h1_directory"]
            assert package.size == true["size"]
