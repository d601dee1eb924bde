"""What the CI action and the pre-commit hook run, and that all that they install is pinned."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.ci_action import ROOT, Runner, default_of, evaluated, steps
from end_to_end.hostile_checkout import hostile_environment, make_hostile, stand_in_action
from end_to_end.pull_requests import PullRequest, lock_text
from servers.https import HttpsServer
from servers.installed import PROGRAM, Ended, Lockwarden

LOCK = ".terraform.lock.hcl"
PLANTED = f"zh:{'0' * 64}"


def planted(text: str) -> str:
    """A lock file with a hash that is nobody's."""
    return text.replace("  hashes = [\n", f'  hashes = [\n    "{PLANTED}",\n', 1)


@pytest.fixture
def change(three_providers: ThreeProviders, lockwarden: Lockwarden, served: HttpsServer, tmp_path: Path) -> PullRequest:
    files = {f"infra/{LOCK}": lock_text(three_providers.releases)}
    return PullRequest.on(tmp_path / "repository", lockwarden, files)


@pytest.fixture
def runner(change: PullRequest, tmp_path: Path) -> Runner:
    temporary = tmp_path / "runner temp"
    temporary.mkdir()
    environment = change.lockwarden.environment
    return Runner(action=ROOT, checkout=change.folder, temporary=temporary, environment=environment)


def run(runner: Runner, **inputs: str) -> tuple[subprocess.CompletedProcess[str], str, str]:
    """The step that checks; what it did, the job summary and the outputs."""
    said = {
        "paths": "infra\n",
        "arguments": "--platform=linux_amd64\n--platform=darwin_arm64\n--platform=windows_amd64\n",
    }
    done = runner.installed().run(steps()[1], **{**said, **inputs})
    return done, runner.summary.read_text() if runner.summary.exists() else "", runner.outputs.read_text()


def test_a_change_that_is_well_ends_with_0_and_a_short_summary(runner: Runner) -> None:
    done, summary, outputs = run(runner, base="HEAD")
    assert done.returncode == 0, done.stdout
    assert "Nothing to object to" in summary.splitlines()[0]
    assert outputs == "exit-code=0\n"


def test_inputs_are_data_and_the_log_of_the_run_is_no_command_to_the_runner(runner: Runner, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    paths = f"$(touch {marker})\n; touch {marker}\n::set-output name=a::b\n"
    done, *_ = run(runner, paths=paths, base="--policy=::error::x")
    assert not marker.exists()
    assert [each.name for each in steps()] == ["Install Lockwarden", "Check the lock file"]
    assert not any("${{" in each.run for each in steps())
    first, *rest, last = done.stdout.splitlines()
    token = re.fullmatch(r"::stop-commands::([0-9a-f]{64})", first)
    assert token is not None
    assert last == f"::{token[1]}::"
    assert rest
    assert not any(line.strip().startswith("::") for line in rest)
    assert "--policy=" in done.stdout  # a base is a revision and no option
    assert done.stderr == ""
    assert done.returncode == 2


COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.mark.parametrize(
    ("context", "base"),
    [
        ({"github.event_name": "pull_request", "github.base_ref": "main"}, "refs/remotes/origin/main"),
        ({"github.base_ref": "release/v1.2-{0}"}, "refs/remotes/origin/release/v1.2-{0}"),
        ({"github.base_ref": "main", "github.event.merge_group.base_sha": COMMIT}, "refs/remotes/origin/main"),
        ({"github.event.merge_group.base_sha": COMMIT}, COMMIT),
        ({"github.event_name": "push", "github.ref": "refs/heads/main"}, ""),
    ],
    ids=["pull request", "a branch with signs in its name", "both", "merge queue", "push"],
)
def test_the_base_is_by_default_what_the_change_is_to_be_merged_into(context: dict[str, str], base: str) -> None:
    assert evaluated(default_of("base"), context) == base


def test_the_documented_job_checks_out_what_would_be_merged() -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (ref,) = re.findall(r"\n          ref: (.*)\n", text)
    assert evaluated(ref, {"github.event.number": "7", "github.sha": COMMIT}) == "refs/pull/7/merge"
    assert evaluated(ref, {"github.sha": COMMIT}) == COMMIT


def test_a_hash_that_a_pull_request_plants_ends_the_job_and_is_in_the_summary_and_in_the_sarif(
    change: PullRequest, runner: Runner, tmp_path: Path
) -> None:
    change.git("update-ref", "refs/remotes/origin/main", "HEAD")
    path = change.folder / "infra" / LOCK
    path.write_text(planted(path.read_text()))
    change.git("commit", "-q", "-a", "-m", "planted")
    base = evaluated(default_of("base"), {"github.base_ref": "main"})
    done, summary, outputs = run(runner, base=base, sarif_file=str(tmp_path / "report.sarif"))
    assert done.returncode == 1, done.stdout
    assert "Changes against refs/remotes/origin/main" in done.stdout
    assert "Do not commit yet" in summary
    assert PLANTED in summary
    assert outputs == "exit-code=1\n"
    report = json.loads((tmp_path / "report.sarif").read_text())
    assert "disowned" in {each["ruleId"] for each in report["runs"][0]["results"]}


def test_nothing_of_the_checkout_runs_in_the_action(change: PullRequest, runner: Runner, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    action = tmp_path / "action"
    pip = stand_in_action(action)
    make_hostile(change.folder, canary)
    (change.folder / "infra" / LOCK).write_text(planted((change.folder / "infra" / LOCK).read_text()))
    change.commit("a change")
    change.git("config", "core.fsmonitor", str(change.folder / "bin" / "git"))
    path = change.lockwarden.environment["PATH"].partition(":")[2]
    environment = {**runner.environment, **pip, **hostile_environment(change.folder, path)}
    hostile = replace(runner, action=action, environment=environment)
    install, check = steps()
    done = hostile.run(install)
    assert done.returncode == 0, done.stdout + done.stderr
    done = hostile.run(check, paths="infra", base="HEAD~1", arguments="--platform=linux_amd64")
    assert done.returncode == 1, done.stdout + done.stderr
    assert PLANTED in done.stdout
    assert not canary.exists(), canary.read_text()


def test_what_lies_in_the_hostile_checkout_would_run(tmp_path: Path) -> None:
    checkout, canary = tmp_path / "repository", tmp_path / "canary"
    make_hostile(checkout, canary)
    environment = hostile_environment(checkout, "/usr/bin:/bin")
    for command, names in {
        (sys.executable, "-m", "venv", "x"): ("PATH", "PYTHONPATH"),
        (sys.executable, "-m", "pip", "install", "x"): ("PATH", "PYTHONPATH"),
        ("/bin/sh", "-c", "git x"): ("PATH",),
        ("bash", "-c", ":"): ("PATH", "BASH_ENV"),
    }.items():
        canary.unlink(missing_ok=True)
        env = {name: environment[name] for name in names}
        subprocess.run(command, cwd=checkout, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        assert canary.exists(), command


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


HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text().split("- id: ")[1:]
MODULES = "lockwarden-modules"


def hook(name: str, id_: str = "lockwarden") -> str:
    text = next(each for each in HOOKS if each.splitlines()[0] == id_)
    found = re.search(rf"^ +{name}: (.*)", text, re.MULTILINE)
    assert found is not None
    return found[1]


def as_pre_commit(
    change: PullRequest, files: Sequence[str], *, args: Sequence[str] | None = None, id_: str = "lockwarden"
) -> Ended:
    """What pre-commit runs in the hook's own Python: the entry, the user's args or those of the hook, and the names."""
    assert all(re.search(hook("files", id_), name) for name in files)
    given = re.findall(r"[^\[\], ]+", hook("args", id_)) if args is None else args
    python, *words = shlex.split(hook("entry", id_))
    assert [python, *words[:3]] == ["python", "-I", "-m", "lockwarden.cli"]
    return change.lockwarden.run(*words[3:], *given, *files, folder=change.folder)


def test_the_hook_reviews_the_lock_files_that_it_is_given(change: PullRequest) -> None:
    assert not re.search(hook("files"), "infra/main.tf")
    # What macOS or Windows take for a lock file, when a commit brings nothing else.
    assert all(re.search(hook("files", each), "infra/.Terraform.LOC\u212a.hcl") for each in ("lockwarden", MODULES))
    done = as_pre_commit(change, [f"infra/{LOCK}"], args=["--platform=all", "--"])
    assert done.code == 0, done.out + done.err
    path = change.folder / "infra" / LOCK
    path.write_text(planted(path.read_text()))
    done = as_pre_commit(change, [f"infra/{LOCK}"])
    assert done.code == 1
    assert PLANTED in done.out


def test_the_hook_and_the_action_look_at_modules_where_they_are_told_to(change: PullRequest, runner: Runner) -> None:
    secret = 'module "m" {\n  source = "git::https://ada:s3cret@example.test/m.git"\n}\n'
    change.write({"infra/main.tf": secret, "other/main.tf": "", "other/--help.tf": secret})
    done = as_pre_commit(change, ["infra/main.tf"], id_=MODULES)
    assert done.code == 1, done.out + done.err
    assert "infra/main.tf:2  m  error: secret in a module's address" in done.out
    assert LOCK not in done.out.splitlines()[0]
    done = as_pre_commit(change, ["other/--help.tf", ".lockwarden/modules.hcl"], id_=MODULES)
    assert done.code == 1, done.out + done.err
    done = as_pre_commit(change, [f"infra/{LOCK}"], args=["--offline", "--"], id_=MODULES)
    assert f"infra/{LOCK}: Not everything was checked" in done.out
    assert "modules of infra: Do not commit yet" in done.out
    assert all(re.search(hook("files", MODULES), each) for each in ("a.tofu", "x/a.tf.json", "a.tftest.hcl"))
    assert not re.search(hook("files", MODULES), "README.md")
    assert "s3cret" not in done.out + done.err

    _, summary, outputs = run(runner, base="HEAD", modules="true")
    assert "secret in a module" in summary
    assert outputs == "exit-code=1\n"


def test_what_could_not_be_checked_ends_the_job_unless_it_may_go_on(change: PullRequest, runner: Runner) -> None:
    change.write({"infra/main.tf": 'module "m" {\n  source = "git::https://ada:s3cret@example.test/m.git"\n}\n'})
    done, _, outputs = run(runner, arguments="--offline", base="HEAD")
    assert done.returncode == 3
    assert outputs == "exit-code=3\n"
    assert "module" not in done.stdout  # which are looked at where that is asked for
    runner.outputs.unlink()
    done = runner.run(steps()[1], paths="infra\n", arguments="--offline", fail_open="true")
    assert done.returncode == 0
    assert runner.outputs.read_text() == "exit-code=3\n"


def test_a_folder_that_is_called_like_an_option_is_none_to_the_hook(
    change: PullRequest, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    three_providers.write_folder(change.folder / "m")
    text = planted(lock_text(three_providers.releases))
    names = ["--source=m", "--report=text:victim", "-r", "--policy=x", "--", "--help"]
    change.write({f"{name}/{LOCK}": text for name in names} | {f"victim/{LOCK}": "# theirs\n"})
    done = as_pre_commit(change, [f"{name}/{LOCK}" for name in names])
    assert done.code == 1, done.out + done.err
    for name in names:
        assert f"{name}/{LOCK}: Do not commit yet" in done.out
    assert (change.folder / "victim" / LOCK).read_text() == "# theirs\n"


def test_a_hook_whose_arguments_do_not_end_refuses_to_run(change: PullRequest) -> None:
    python, *words = shlex.split(hook("entry"))
    command: list[str | Path] = [PROGRAM.with_name(python), *words, "--offline", f"infra/{LOCK}"]
    environment = dict(change.lockwarden.environment)
    done = subprocess.run(command, cwd=change.folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "let the arguments end with “--”" in done.stderr
