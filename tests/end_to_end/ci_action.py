"""The steps of the CI action as they stand in action.yml, run as a runner runs them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from servers.warm import CLIENT, server

ROOT = Path(__file__).parents[2]
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
_BASH = shutil.which("bash") or "/bin/bash"
_EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
_DEFAULTS = {
    "paths": ".",
    "base": "",
    "policy": "",
    "arguments": "",
    "sarif-file": "",
    "modules": "false",
    "fail-open": "false",
}


_PARTS = re.compile(r"\s*(&&|\|\||==|[(),]|'(?:[^']|'')*'|[A-Za-z_][\w.-]*)")


def default_of(name: str) -> str:
    """What an input is when nobody gives it, as it stands in action.yml."""
    found = re.search(rf"\n  {name}:\n(?: {{4}}.*\n)*? {{4}}default: (.*)\n", ACTION)
    assert found is not None
    return found[1]


def evaluated(text: str, context: Mapping[str, str]) -> str:
    """An expression of a workflow by a runner's rules: what the context lacks is empty, and what is empty is false."""
    found = _EXPRESSION.fullmatch(text)
    assert found is not None
    parts = _PARTS.findall(found[1])
    assert "".join(parts) == re.sub(r"\s", "", found[1]), "an expression that these rules do not know"
    value, rest = _either(parts, context)
    assert rest == []
    return value


def _either(parts: list[str], context: Mapping[str, str]) -> tuple[str, list[str]]:
    value, parts = _both(parts, context)
    while parts[:1] == ["||"]:
        other, parts = _both(parts[1:], context)
        value = value or other
    return value, parts


def _both(parts: list[str], context: Mapping[str, str]) -> tuple[str, list[str]]:
    value, parts = _one(parts, context)
    while parts[:1] == ["&&"]:
        other, parts = _one(parts[1:], context)
        value = value and other
    return value, parts


def _one(parts: list[str], context: Mapping[str, str]) -> tuple[str, list[str]]:
    name, *parts = parts
    if name.startswith("'"):
        return name[1:-1].replace("''", "'"), parts
    if name != "format":
        return context.get(name, ""), parts
    assert parts[0] == "("
    template, parts = _one(parts[1:], context)
    given = []
    while parts[0] == ",":
        value, parts = _one(parts[1:], context)
        given.append(value)
    assert parts[0] == ")"
    return template.format(*given), parts[1:]


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step that runs something."""

    name: str
    folder: str
    environment: Mapping[str, str]
    run: str


def steps() -> tuple[Step, ...]:
    """Those that run something, in order."""
    parts = re.split(r"\n    - ", ACTION.split("\n  steps:")[1])
    return tuple(_step(part) for part in parts if "\n      run: |" in part)


def _step(part: str) -> Step:
    assert "\n      shell: bash\n" in part
    env = re.search(r"\n      env:\n((?: {8}.*\n)+)", part)
    folder = re.search(r"\n      working-directory: (.*)", part)
    run = re.search(r"\n      run: \|\n((?: {8}.*(?:\n|\Z))+)", part)
    assert env is not None
    assert run is not None
    pairs = (line.strip().split(": ", 1) for line in env[1].splitlines())
    return Step(
        name=part.removeprefix("name: ").partition("\n")[0],
        folder="${{ github.workspace }}" if folder is None else folder[1],
        environment={name: "" if value == '""' else value for name, value in pairs},
        run=re.sub(r"^ {8}", "", run[1], flags=re.MULTILINE),
    )


@dataclass(frozen=True, kw_only=True)
class Runner:
    """A runner with the action in one folder, the checkout in another, and one for temporary things."""

    action: Path
    checkout: Path
    temporary: Path
    environment: Mapping[str, str]

    @property
    def summary(self) -> Path:
        return self.temporary / "summary.md"

    @property
    def outputs(self) -> Path:
        return self.temporary / "outputs"

    def installed(self) -> Runner:
        """The same where the first step has been run: with the command of the tests, which need not be loaded."""
        programs = self.temporary / "lockwarden" / "bin"
        programs.mkdir(parents=True)
        python, command = shlex.quote(sys.executable), shlex.join(["-IS", CLIENT, str(server())])
        (programs / "python").write_text(
            f'#!/bin/sh\ncase "$1 $2 $3" in "-I -m lockwarden.cli") shift 3; exec {python} {command} "$@" ;; esac\n'
            f'exec {python} "$@"\n'
        )
        (programs / "python").chmod(0o755)
        return self

    def run(self, step: Step, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run one step with inputs, of which an underscore stands for a hyphen."""
        values = {
            "github.action_path": str(self.action),
            "github.workspace": str(self.checkout),
            "runner.temp": str(self.temporary),
            "steps.python.outputs.python-path": sys.executable,
            **{f"inputs.{name}": value for name, value in _DEFAULTS.items()},
            **{f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()},
        }

        def filled(text: str) -> str:
            return _EXPRESSION.sub(lambda found: values[found[1]], text)

        script = self.temporary / "step.sh"
        script.write_text(step.run)
        return subprocess.run(
            [_BASH, "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=filled(step.folder),
            env={
                **self.environment,
                "GITHUB_STEP_SUMMARY": str(self.summary),
                "GITHUB_OUTPUT": str(self.outputs),
                **{name: filled(text) for name, text in step.environment.items()},
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
