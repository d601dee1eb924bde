"""Fuzzes one reader, guided by the branches that an input reaches: run.py TARGET [libFuzzer's options].

Runs in an environment of its own with atheris (`make fuzz`). An input that breaks a promise, or that takes longer than
SECONDS, is written to build/fuzz/TARGET/crash-… or timeout-… and ends the run.
"""

from __future__ import annotations

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
    from fuzzing.targets import CORPUS, TARGETS


def main() -> None:
    """Fuzz until libFuzzer's options say that it is enough. What was found new is kept for the next run."""
    name, options = sys.argv[1], sys.argv[2:]
    folder = ROOT / "build" / "fuzz" / name
    found = folder / "found"
    found.mkdir(parents=True, exist_ok=True)
    given = [f"-artifact_prefix={folder}/", f"-max_len={LONGEST}", f"-timeout={SECONDS}", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *given, *options, str(found), str(CORPUS / name)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
