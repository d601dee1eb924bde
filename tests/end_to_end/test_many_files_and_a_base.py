"""Many lock files against a base: what is told, and how many git processes it takes."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from end_to_end.pull_requests import PullRequest
from servers.installed import Lockwarden

NAME = ".terraform.lock.hcl"
REGISTRY = "registry.terraform.io/hashicorp"
MOST_PROCESSES = 10
FILES = 40


def hashes(provider: str, version: str) -> list[str]:
    return sorted(f"zh:{hashlib.sha256(f'{provider} {version} {each}'.encode()).hexdigest()}" for each in range(3))


def block(provider: str, version: str) -> str:
    rows = "".join(f'    "{each}",\n' for each in hashes(provider, version))
    return f'provider "{REGISTRY}/{provider}" {{\n  version = "{version}"\n  hashes = [\n{rows}  ]\n}}\n'


def lock(**versions: str) -> str:
    return "\n".join(["# made for a test", "", *(block(name, version) for name, version in sorted(versions.items()))])


def place(number: int) -> str:
    return f"envs/team{number % 10}-stack{number:03}/{NAME}"


@pytest.fixture
def many(lockwarden: Lockwarden, tmp_path: Path) -> PullRequest:
    """Lock files that all differ; fifteen get the same bump, one is new, one is gone, one lies elsewhere."""
    made = PullRequest.on(tmp_path / "team", lockwarden, {"README": "stacks\n", ".lockwarden.hcl": ""})
    (made.folder / "envs").mkdir()
    files = {place(each): lock(null="3.2.1", random=f"3.5.{each}") for each in range(FILES)}
    made.write(files)
    made.commit("the lock files as they were")
    made.git("checkout", "--quiet", "-b", "change")
    made.write({place(each): lock(null="3.2.2", random=f"3.5.{each}") for each in range(15)})
    (made.folder / place(FILES - 2)).parent.rename(made.folder / "envs" / "moved")
    shutil.rmtree((made.folder / place(FILES - 1)).parent)
    made.write({f"added/{NAME}": lock(local="2.5.1")})
    made.commit("bump")
    made.git("checkout", "--quiet", "main")
    made.write({".lockwarden.hcl": "# asks for nothing yet\n"})
    made.commit("main went on")
    made.git("checkout", "--quiet", "change")
    made.write({f"untracked/{NAME}": lock(tls="4.0.5")})
    return made


@pytest.fixture
def counted(lockwarden: Lockwarden, tmp_path: Path) -> tuple[dict[str, str], Path]:
    """The variables for a run whose git processes are written down, and where."""
    folder, log = tmp_path / "counting", tmp_path / "git.log"
    folder.mkdir()
    log.touch()
    real = shutil.which("git")
    (folder / "git").write_text(f'#!/bin/sh\necho "$*" >>{log}\nexec {real} "$@"\n')
    (folder / "git").chmod(0o755)
    return {"PATH": f"{folder}:{lockwarden.environment['PATH']}"}, log


def test_forty_files_take_at_most_ten_git_processes(many: PullRequest, counted: tuple[dict[str, str], Path]) -> None:
    extra, log = counted
    words = ("check", "-r", "--offline", "--base", "main", "--format", "json", ".")
    done = many.lockwarden.run(*words, folder=many.folder, expected=3, **extra)
    started = log.read_text().splitlines()
    assert 0 < len(started) <= MOST_PROCESSES, "\n".join(each.partition("useConfigOnly=true ")[2] for each in started)
    files = {each["path"]: each for each in done.report["lock_files"]}
    assert {
        *map(place, range(FILES - 2)),
        f"envs/moved/{NAME}",
        place(FILES - 1),
        f"added/{NAME}",
        f"untracked/{NAME}",
    } == set(files)
    changed = {
        path: [change["kind"] for provider in each["providers"] for change in provider["changes"]]
        for path, each in files.items()
    }
    assert sorted(path for path, kinds in changed.items() if kinds) == [
        f"added/{NAME}",
        *sorted(place(each) for each in range(15)),
        f"untracked/{NAME}",
    ]
    codes = {path: [each["code"] for each in file["problems"]] for path, file in files.items()}
    assert "lock-file-renamed" in codes[f"envs/moved/{NAME}"]
    assert "lock-file-gone" in codes[place(FILES - 1)]


def test_hashes_that_came_to_many_files_cost_no_more_git_processes(
    many: PullRequest, counted: tuple[dict[str, str], Path]
) -> None:
    extra, log = counted
    came = f"h1:{'A' * 43}="
    for number in range(20, 30):
        path = many.folder / place(number)
        path.write_text(path.read_text().replace("  hashes = [\n", f'  hashes = [\n    "{came}",\n', 1))
    many.commit("hashes come to ten files")
    words = ("check", "-r", "--offline", "--base", "main", "--format", "json", ".")
    done = many.lockwarden.run(*words, folder=many.folder, expected=None, **extra)
    assert done.code in {1, 3}
    started = log.read_text().splitlines()
    assert 0 < len(started) <= MOST_PROCESSES, "\n".join(each.partition("useConfigOnly=true ")[2] for each in started)
    assert sum("rev-list" in each and "first-parent" in each for each in started) == 1
