"""A scene whose folder is a repository, in which the last commit is the base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adversarial.scene import BOTH, Answered

Commit = Callable[[], None]
"""Commits everything in the folder."""
BASE: Final = ("--base", "HEAD", *BOTH)


def message(done: Answered, name: str, code: str) -> str:
    """What the problem with this code says."""
    problems = {problem["code"]: str(problem["message"]) for problem in done.provider(name)["problems"]}
    assert code in problems, done.told
    return problems[code]
