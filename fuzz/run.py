"""Fuzzes one reader, guided by the branches that an input reaches: run.py TARGET [libFuzzer's options].

Runs in an environment of its own with atheris (`make fuzz`). An input that breaks a promise, or that takes longer than
SECONDS, is written to build/fuzz/TARGET/crash-… or timeout-… and ends the run.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

import atheris

ROOT: Final = Path(__file__).resolve().parents[1]
SECONDS: Final = 10
"""For one input of at most LONGEST bytes, on a machine that does other things, too."""
LONGEST: Final = 4096

sys.path.insert(0, str(ROOT / "tests"))
with atheris.instrument_imports(include=["lockwarden"]):
    from fuzzing.targets import TARGETS, kept_inputs


def main() -> None:
    """Fuzz until libFuzzer's options say that it is enough. What was found new is kept for the next run."""
    name, options = sys.argv[1], sys.argv[2:]
    folder = ROOT / "build" / "fuzz" / name
    found, kept = folder / "found", folder / "kept"
    shutil.rmtree(kept, ignore_errors=True)
    for each in (found, kept):
        each.mkdir(parents=True, exist_ok=True)
    for file, content in kept_inputs()[name].items():
        (kept / file).write_bytes(content)
    given = [f"-artifact_prefix={folder}/", f"-max_len={LONGEST}", f"-timeout={SECONDS}", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *given, *options, str(found), str(kept)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
