"""`lockwarden organisation` over real repositories and a real registry."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.organisations import LOCK, Clones
from end_to_end.pull_requests import ASKED, lock_text
from servers.https import HttpsServer
from servers.installed import Lockwarden

MADE_UP = "zh:" + hashlib.sha256(b"nobody").hexdigest()


@pytest.fixture
def clones(tmp_path: Path, lockwarden: Lockwarden) -> Clones:
    folder = tmp_path / "clones"
    folder.mkdir()
    return Clones(folder=folder, environment=lockwarden.environment)


@pytest.fixture
def texts(three_providers: ThreeProviders) -> Mapping[str, str]:
    """Lock files: all three providers, one of them, one with a planted hash."""
    one, *_ = three_providers.releases
    whole = lock_text(three_providers.releases)
    return {
        "whole": whole,
        "one": lock_text([one]),
        "planted": lock_text([one]).replace("  hashes = [\n", f'  hashes = [\n    "{MADE_UP}",\n', 1),
    }


def by_label(report: Any) -> dict[str, Any]:
    return {each["label"]: each for each in report["repositories"]}


def test_each_release_is_audited_once_for_all_repositories_and_revisions(
    clones: Clones, texts: Mapping[str, str], lockwarden: Lockwarden, served: HttpsServer
) -> None:
    clones.make("team-a/infra", {LOCK: texts["whole"], f"envs/prod/{LOCK}": texts["one"]})
    clones.make("team-b/infra", {f"live/{LOCK}": texts["whole"]})
    clones.bare("team-b/mirror.git", "team-b/infra")
    for number in range(6):
        clones.make(f"team-c/app{number}", {LOCK: texts["one"]})
    clones.make("docs", {"README": "nothing is locked here\n"})
    served.journal.clear()
    done = lockwarden.run("organisation", *ASKED, "--format", "json", "clones", folder=clones.folder.parent, expected=0)
    asked = [request.path for request in served.journal.requests]
    assert len([path for path in asked if path.endswith(".zip")]) == 9
    assert len(asked) == len(set(asked)), "no document is asked for twice"
    rows = by_label(done.report)
    assert rows.keys() == {
        "team-a/infra",
        "team-b/infra",
        "team-b/mirror.git",
        "docs",
        *(f"team-c/app{number}" for number in range(6)),
    }
    assert rows["docs"]["answer"] == "No lock file"
    assert [each["path"] for each in rows["team-a/infra"]["lock_files"]] == [LOCK, f"envs/prod/{LOCK}"]
    providers = {each["address"]: each for each in done.report["providers"]}
    assert {name.rpartition("/")[2]: each["repositories"] for name, each in providers.items()} == {
        "one": 9,
        "two": 3,
        "three": 3,
    }
    (key,) = done.report["keys"]
    assert (len(key["repositories"]), key["lock_files"], len(key["providers"]), key["hashes"]) == (9, 10, 3, 9)
