"""Real git in a folder of a test, with no configuration but that of the folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

NO_UPKEEP = ("-c", "maintenance.auto=false")
"""Options of git after which a commit starts no process that tidies up the repository."""


def git(folder: Path, *words: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *NO_UPKEEP, *words], cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout
