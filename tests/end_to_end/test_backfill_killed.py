"""A backfill that is killed, or whose workers are, loses nothing: journal and files end as in an unbroken run."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import psutil
import pytest
from builders.registry_metadata import Registry, target, without_times
from builders.thorough import THOROUGH
from end_to_end.registry_runs import Gate, RegistryRun, registry_run
from servers.authority import Authority
from servers.installed import PATIENCE

PLATFORMS = ("darwin_arm64", "linux_amd64", "windows_amd64")


def made() -> Registry:
    names = ("one", "two", "three", "four")
    return Registry([target(name, "1.0.0", platform) for name in names for platform in PLATFORMS])


def unbroken(folder: Path, authority: Authority) -> tuple[list[dict[str, object]], dict[str, bytes]]:
    with registry_run(folder, authority) as run:
        run.serve(made())
        run.backfill(expected=0)
        return without_times(run.journal), run.files


def killed_at(run: RegistryRun, answers: int, *arguments: str) -> None:
    """Start it, and kill it once the server has given so many answers and holds back the next one."""
    gate = Gate(made().respond, answers)
    run.server.serve(gate)
    process = run.start("--host-requests", "2", *arguments)
    try:
        assert gate.reached.wait(PATIENCE)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        gate.opened.set()
    run.server.serve(made().respond)


def moments() -> list[int]:
    """A handful; with the thorough profile, 50 random ones."""
    if THOROUGH:
        return [random.Random(20261129).randrange(12) for _ in range(50)]
    return [3]


@pytest.mark.parametrize("workers", [(), ("--workers", "2")] if THOROUGH else [()])
def test_a_run_that_was_killed_goes_on_and_ends_like_an_unbroken_one(
    authority: Authority, tmp_path: Path, workers: tuple[str, ...]
) -> None:
    journal, files = unbroken(tmp_path / "unbroken", authority)
    for place, moment in enumerate(moments()):
        with registry_run(tmp_path / str(place), authority) as run:
            run.serve(made())
            before = run.files
            killed_at(run, moment, *workers)
            assert run.files == before
            with run.journal.open("ab") as torn:
                torn.write(b'{"key":"torn')
            done = len(run.journal.read_bytes().splitlines()) - 1
            ended = run.backfill(expected=0)
            assert "ended in the middle of a line" in ended.err
            assert run.asked == 12 - done
            assert without_times(run.journal) == journal
            assert run.files == files


def test_a_worker_that_is_killed_costs_only_what_it_was_doing(authority: Authority, tmp_path: Path) -> None:
    journal, files = unbroken(tmp_path / "unbroken", authority)
    with registry_run(tmp_path / "run", authority) as run:
        run.serve(made())
        gate = Gate(made().respond, 4)
        run.server.serve(gate)
        process = run.start("--workers", "2", "--host-requests", "4")
        try:
            assert gate.reached.wait(PATIENCE)
            children = psutil.Process(process.pid).children(recursive=True)
            workers = [each for each in children if "spawn_main" in " ".join(each.cmdline())]
            assert len(workers) == 2
            workers[0].kill()
            workers[0].wait(PATIENCE)
        finally:
            gate.opened.set()
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, f"{out}\n{err}"
        # Nothing but its own progress, which a slow machine has it tell.
        assert all(line.startswith("lockwarden: ") and "packages," in line for line in err.splitlines()), err
        assert without_times(run.journal) == journal
        assert run.files == files
        assert run.asked < 24
        assert run.lockwarden.leftovers() == []


def test_without_a_scheduler_or_its_library_a_sentence_tells_it(
    backfilled: RegistryRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    backfilled.serve(made())
    told = backfilled.backfill("--scheduler", "tcp://127.0.0.1:9", expected=2)
    assert "no scheduler can be spoken to at tcp://127.0.0.1:9" in told.err
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    told = backfilled.backfill("--workers", "2", expected=2)
    assert "needs Dask's “distributed”, which is not installed" in told.err
    assert "lockwarden[cluster]" in told.err
    assert backfilled.asked == 0
