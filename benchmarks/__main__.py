"""`python -m benchmarks`: build the world where it is missing, measure, print the table."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from benchmarks.machine import described, load
from benchmarks.processes import RunError
from benchmarks.serving import serving
from benchmarks.table import Result, as_json, lines
from benchmarks.works import WORKS, Bench
from benchmarks.world import World


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks; returns 1 when something that is measured did not do its work."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if unknown := set(asked.works) - {each.name for each in WORKS}:
        parser.error(f"there is no work {min(unknown)}")
    works = [each for each in WORKS if not asked.works or each.name in asked.works]
    if asked.quick:
        works = [each for each in works if each.quick]
    world = World.at(asked.world)
    for chosen in dict.fromkeys(chosen for work in works for chosen in work.needs):
        _tell(f"world: {chosen.name}")
        world.add(chosen)
    results: list[Result] = []
    before = load()
    with serving(world.folder) as registry, tempfile.TemporaryDirectory(prefix="lockwarden-bench-") as folder:
        bench = Bench(folder=Path(folder), world=world, registry=registry, rounds=asked.rounds)
        try:
            for work in works:
                _tell(f"measuring: {work.name}")
                results += work.measure(bench)
        except RunError as error:
            _tell(str(error))
            return 1
    machine = described() | {"load before": before}
    sys.stdout.write("\n".join([*(f"{name}: {value}" for name, value in machine.items()), "", *lines(results), ""]))
    if asked.json is not None:
        asked.json.write_text(json.dumps(as_json(machine, results), indent=1) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--world",
        type=Path,
        default=platformdirs.user_cache_path("lockwarden-benchmarks"),
        metavar="DIR",
        help="where the packages are built, once (about 2 GB)",
    )
    parser.add_argument("--rounds", type=_rounds, default=5, metavar="N", help="runs of each contender (default 5)")
    parser.add_argument("--quick", action="store_true", help="only what takes little time and room")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep every single run")
    parser.add_argument(
        "works", nargs="*", metavar="WORK", help=f"only these works: {', '.join(each.name for each in WORKS)}"
    )
    return parser


def _rounds(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError("a number from 1 to 100")
    return int(text)


def _tell(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
