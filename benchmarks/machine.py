"""What was measured, and on what."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path


def clients() -> tuple[str, ...]:
    """The clients that are on PATH."""
    return tuple(each for each in ("terraform", "tofu") if shutil.which(each))


def described() -> dict[str, str]:
    """The machine and the versions of the programs."""
    names = {each: _first_line([each, "version"]) for each in clients()}
    return {
        "processor": _of_file("/proc/cpuinfo", r"model name\s*:\s*(.*)") or platform.machine(),
        "cores": str(os.cpu_count()),
        "load": load(),
        "memory": _of_file("/proc/meminfo", r"MemTotal:\s*(\d+ kB)"),
        "system": f"{platform.system()} {platform.release()}",
        "python": sys.version.split()[0],
        "lockwarden": version("lockwarden"),
        **{each: names.get(each, "not on PATH") for each in ("terraform", "tofu")},
    }


def load() -> str:
    """How busy the machine is with everything: the averages of one, five and fifteen minutes."""
    return ", ".join(f"{each:.1f}" for each in os.getloadavg())


def _first_line(command: list[str]) -> str:
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    return told.partition("\n")[0]


def _of_file(path: str, pattern: str) -> str:
    try:
        found = re.search(pattern, Path(path).read_text(encoding="utf-8"))
    except OSError:
        return ""
    return found[1].strip() if found else ""
