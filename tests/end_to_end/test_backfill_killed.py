"""A backfill that is killed, or whose workers are, loses nothing: journal and files end as in an unbroken run."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import count
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


def killed_after(run: RegistryRun, seconds: float, *arguments: str, answers: int = 0) -> bool:
    """Start it, and kill it so many seconds later, or after so many answers, wherever it is; whether it was there."""
    gate = Gate(made().respond, answers - 1)
    gate.opened.set()  # it holds nothing back, and tells when it is reached
    run.server.serve(gate)
    process = run.start(*arguments)
    children: list[psutil.Process] = []
    try:
        assert not answers or gate.reached.wait(PATIENCE)
        process.wait(seconds)
        killed = False
    except subprocess.TimeoutExpired:
        killed = True
        children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate(timeout=PATIENCE)
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert not alive, "workers outlive the run that they were of"
    return killed


def goes_on(run: RegistryRun, journal: list[dict[str, object]], files: dict[str, bytes]) -> str:
    """Go on with a run that was killed: it asks for what is not in the journal, and ends like an unbroken one."""
    data = run.journal.read_bytes() if run.journal.exists() else b""
    run.server.settle()
    asked, torn = run.asked, bool(data) and not data.endswith(b"\n")
    ended = run.backfill(expected=0)
    assert ("ended in the middle of a line" in ended.err) is torn
    assert run.asked - asked == len(journal) - data.count(b"\n")
    assert without_times(run.journal) == journal
    assert run.files == files
    left = {path.name for path in run.folder.rglob("*") if path.is_file()} - {Path(each).name for each in files}
    assert left == {run.journal.name}
    return f"{data.count(10)} of {len(journal)}"


def test_a_run_that_was_killed_goes_on_and_ends_like_an_unbroken_one(authority: Authority, tmp_path: Path) -> None:
    journal, files = unbroken(tmp_path / "unbroken", authority)
    with registry_run(tmp_path / "run", authority) as run:
        run.serve(made())
        before = run.files
        killed_at(run, 3)
        assert run.files == before
        assert [path.name for path in run.folder.glob("*.scratch")], "packages were on their way"
        with run.journal.open("ab") as torn:
            torn.write(b'{"key":"torn')
        goes_on(run, journal, files)
        # One that was killed once everything was in the journal has left its packages, and there is nothing to do.
        (run.folder / f"{run.journal.name}.scratch").mkdir()
        (run.folder / f"{run.journal.name}.scratch" / "left.part").touch()
        goes_on(run, journal, files)


@pytest.mark.skipif(not THOROUGH, reason="50 kills take minutes: HYPOTHESIS_PROFILE=thorough")
@pytest.mark.parametrize("workers", [(), ("--workers", "2")])
def test_a_run_that_was_killed_at_random_moments_goes_on_and_ends_like_an_unbroken_one(
    authority: Authority, tmp_path: Path, workers: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    journal, files = unbroken(tmp_path / "unbroken", authority)
    slowly = ("--host-starts", "8", *workers)
    with registry_run(tmp_path / "whole", authority) as run:
        run.serve(made())
        began = time.monotonic()
        assert not killed_after(run, PATIENCE, *slowly)
        whole = time.monotonic() - began
    chance = random.Random(20261129)
    found: list[str] = []
    for number in count():
        if len(found) == 50:
            break
        with registry_run(tmp_path / str(number), authority) as run:
            run.serve(made())
            # Some fall anywhere in the time of a whole run, most after each of its answers.
            answers = max(0, chance.randrange(-3, 13))
            seconds = chance.random() * (0.3 if answers else whole)
            if not killed_after(run, seconds, *slowly, answers=answers):
                continue
            filled = sum(b'"size": 0' not in data for data in run.files.values())
            done = goes_on(run, journal, files)
            found.append(f"{done} lines, {filled} of {len(files)} files")
    with capsys.disabled():
        told = "; ".join(f"{times} x {words}" for words, times in sorted(Counter(found).items()))
        sys.stdout.write(f"\n{' '.join(workers) or 'here'}: 50 kills within {whole:.1f} s, after {told}\n")


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
    assert "./lockwarden[cluster]" in told.err
    assert backfilled.asked == 0
