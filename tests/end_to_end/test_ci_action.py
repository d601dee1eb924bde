"""What the CI action and the pre-commit hook run, and that all that they install is pinned."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.pull_requests import PullRequest, lock_text
from servers.https import HttpsServer
from servers.installed import PROGRAM, Lockwarden

ROOT = Path(__file__).parents[2]
LOCK = ".terraform.lock.hcl"


@pytest.fixture
def change(three_providers: ThreeProviders, lockwarden: Lockwarden, served: HttpsServer, tmp_path: Path) -> PullRequest:
    files = {f"infra/{LOCK}": lock_text(three_providers.releases)}
    return PullRequest.on(tmp_path / "repository", lockwarden, files)


def run(change: PullRequest, **said: str) -> tuple[subprocess.CompletedProcess[str], str, str]:
    """The action's script as its step runs it; what it did, the job summary and the outputs."""
    summary, outputs = change.folder.parent / "summary.md", change.folder.parent / "outputs"
    environment = {
        **change.lockwarden.environment,
        "PATH": f"{PROGRAM.parent}:{change.lockwarden.environment['PATH']}",
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(outputs),
        "LOCKWARDEN_PATHS": "infra\n",
        "LOCKWARDEN_ARGUMENTS": "--platform=linux_amd64\n--platform=darwin_arm64\n--platform=windows_amd64\n",
        **said,
    }
    script = ROOT / "scripts/action.sh"
    done = subprocess.run(["bash", script], cwd=change.folder, env=environment, capture_output=True, text=True)
    return done, summary.read_text(), outputs.read_text()


def test_a_change_that_is_well_ends_with_0_and_a_short_summary(change: PullRequest) -> None:
    done, summary, outputs = run(change, LOCKWARDEN_BASE="HEAD")
    assert done.returncode == 0, done.stderr
    assert "Nothing to object to" in summary.splitlines()[0]
    assert outputs == "exit-code=0\n"


def test_a_planted_hash_ends_the_job_and_is_in_the_summary_and_in_the_sarif(
    change: PullRequest, tmp_path: Path
) -> None:
    path = change.folder / "infra" / LOCK
    planted = f"zh:{'0' * 64}"
    path.write_text(path.read_text().replace("  hashes = [\n", f'  hashes = [\n    "{planted}",\n', 1))
    done, summary, outputs = run(change, LOCKWARDEN_BASE="HEAD", LOCKWARDEN_SARIF=str(tmp_path / "report.sarif"))
    assert done.returncode == 1
    assert "Do not commit yet" in summary
    assert planted in summary
    assert outputs == "exit-code=1\n"
    report = json.loads((tmp_path / "report.sarif").read_text())
    assert "disowned" in {each["ruleId"] for each in report["runs"][0]["results"]}


@pytest.mark.parametrize(("fail_open", "code"), [("false", 3), ("true", 0)])
def test_what_could_not_be_checked_ends_the_job_unless_it_may_go_on(
    change: PullRequest, fail_open: str, code: int
) -> None:
    done, _, outputs = run(change, LOCKWARDEN_ARGUMENTS="--offline", LOCKWARDEN_FAIL_OPEN=fail_open)
    assert done.returncode == code
    assert outputs == "exit-code=3\n"


def test_inputs_are_data_and_never_part_of_a_command(change: PullRequest, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    done, *_ = run(change, LOCKWARDEN_PATHS=f"$(touch {marker})\n; touch {marker}")
    assert done.returncode == 2
    assert not marker.exists()
    steps = (ROOT / "action.yml").read_text().split("runs:\n")[1]
    for script in re.findall(r"run: \|\n((?: {8}.*\n)+)", steps):
        assert "${{" not in script


def test_everything_that_the_action_uses_is_pinned() -> None:
    uses = re.findall(r"uses: (\S+)", (ROOT / "action.yml").read_text())
    assert uses
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each) for each in uses)
    packages = re.split(r"\n(?=\S)", (ROOT / "requirements/run.txt").read_text())
    assert all("--hash=sha256:" in each for each in packages if "==" in each)
    assert "--require-hashes" in (ROOT / "action.yml").read_text()


def test_the_action_installs_what_the_project_needs() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    needed = re.findall(r'^  "([a-z0-9-]+)[>=<]', project.split("dependencies = [")[1].split("]")[0], re.MULTILINE)
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements/run.txt").read_text(), re.MULTILINE))
    assert {*needed, "setuptools"} <= pinned


def test_the_hooks_command_reviews_the_lock_files_that_it_is_given(change: PullRequest) -> None:
    entry = re.search(r"entry: lockwarden (.*)", (ROOT / ".pre-commit-hooks.yaml").read_text())
    assert entry is not None
    files = re.search(r"files: (.*)", (ROOT / ".pre-commit-hooks.yaml").read_text())
    assert files is not None
    assert re.search(files[1], f"infra/{LOCK}")
    assert not re.search(files[1], "infra/main.tf")
    words = (*shlex.split(entry[1]), f"infra/{LOCK}")
    change.lockwarden.run(*words, "--platform", "all", folder=change.folder, expected=0)
