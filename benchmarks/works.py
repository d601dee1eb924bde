"""The works that are measured, each with its contenders and its goals. Lockwarden comes first in each."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from benchmarks.backfilling import run_backfill, run_bare_over_all
from benchmarks.idle import idle_bytes
from benchmarks.machine import clients
from benchmarks.processes import run
from benchmarks.programs import (
    LOCKWARDEN,
    Workshop,
    check_again,
    check_repositories,
    check_tree,
    check_without_packages,
    commit_bump,
    lock_with_client,
    lock_with_lockwarden,
    plant,
    plant_repositories,
    require_same_hashes,
    run_bare,
    run_parts,
)
from benchmarks.rounds import Contender, Series, interleaved
from benchmarks.screen import seconds_of_keys, seconds_to_open, write_lock_file
from benchmarks.serving import Registry, far_away
from benchmarks.table import Goal, Result
from benchmarks.world import (
    FEW_LARGE,
    FEW_SMALL,
    MANY_SMALL,
    ONE_HUGE,
    ONE_TINY,
    ORGANISATION,
    REGISTRY,
    SHARED,
    ProviderSet,
    World,
)

_OURS = "lockwarden"
_BARE = "bare pipeline"
_LIMIT = "bare limit"
_LINK = "link alone"
_PARTS = "bare parts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What every work needs."""

    folder: Path
    """Where programs run; it is removed afterwards."""
    world: World
    registry: Registry
    rounds: int

    def shop(self, chosen: ProviderSet) -> Workshop:
        """The folders for one set of providers."""
        return Workshop(folder=self.folder / chosen.name, world=self.world, registry=self.registry, chosen=chosen)

    def measure(self, contenders: dict[str, Contender], *, unmeasured: int = 1) -> dict[str, Series]:
        """Every contender in turn."""
        return interleaved(contenders, rounds=self.rounds, registry=self.registry, unmeasured=unmeasured)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One work: the providers that it needs, and how it is measured."""

    name: str
    needs: tuple[ProviderSet, ...]
    measure: Callable[[Bench], tuple[Result, ...]]
    quick: bool = True
    """Whether it is part of the smaller set."""


def _cold(title: str, chosen: ProviderSet, over: dict[str, float], bench: Bench) -> tuple[Result, ...]:
    shop = bench.shop(chosen)
    contenders: dict[str, Contender] = {_OURS: partial(lock_with_lockwarden, shop)}
    contenders |= {each: partial(lock_with_client, shop, each) for each in clients()}
    contenders |= {_BARE: partial(run_bare, shop, "pipeline"), _LIMIT: partial(run_bare, shop, "limit")}
    series = bench.measure(contenders)
    for each in clients():
        require_same_hashes(shop, each)
    ours = series[_OURS]
    goals = [
        Goal(text=f"≥ {least:g} x {name}", reached=f"{times:.2f} x", met=times >= least)
        for name, least in over.items()
        if name in series
        for times in (ours.times_of(series[name]),)
    ]
    slower = 1 / ours.times_of(series[_BARE])
    goals.append(Goal(text=f"≤ 1.2 x {_BARE}", reached=f"{slower:.2f} x", met=slower <= 1.2))
    cold = Result(work=title, series=series, goals=tuple(goals))
    return (cold, *_warm(title.replace("cold lock", "warm re-audit"), bench, shop))


def _warm(title: str, bench: Bench, shop: Workshop) -> tuple[Result, ...]:
    def result(name: str, series: Series) -> Result:
        goals = (
            Goal(text="≤ 1 s", reached=f"{series.seconds:.2f} s", met=series.seconds <= 1),
            Goal(text="no package byte", reached=f"{series.package_bytes} bytes", met=not series.package_bytes),
        )
        return Result(work=name, series={series.name: series}, goals=goals)

    kept = bench.measure({_OURS: partial(check_again, shop)})[_OURS]
    evicted = bench.measure({_OURS: partial(check_without_packages, shop)})[_OURS]
    return (result(title, kept), result(f"{title}, packages evicted", evicted))


def _brief(bench: Bench) -> tuple[Result, ...]:
    shop = bench.shop(FEW_SMALL)
    contenders: dict[str, Contender] = {_OURS: partial(lock_with_lockwarden, shop)}
    contenders |= {each: partial(lock_with_client, shop, each) for each in clients()}
    contenders |= {_PARTS: partial(run_parts, shop, "packages")}
    cold = bench.measure(contenders)
    warm = bench.measure({_OURS: partial(check_again, shop), _PARTS: partial(run_parts, shop)})
    for each in clients():
        require_same_hashes(shop, each)
    return (
        Result(work="cold lock, 3 x 3 of 2 MB", series=cold, goals=(_within(0.45, cold[_OURS]), _beside_parts(cold))),
        Result(
            work="warm re-audit, 3 x 3 of 2 MB", series=warm, goals=(_within(0.35, warm[_OURS]), _beside_parts(warm))
        ),
    )


def _beside_parts(series: dict[str, Series]) -> Goal:
    times = 1 / series[_OURS].times_of(series[_PARTS])
    return Goal(text=f"≤ 1.3 x {_PARTS}", reached=f"{times:.2f} x", met=times <= 1.3)


def _within(most: float, series: Series) -> Goal:
    return Goal(text=f"≤ {most:g} s", reached=f"{series.seconds:.2f} s", met=series.seconds <= most)


def _over_the_link(title: str, chosen: ProviderSet, most: float | None, bench: Bench) -> tuple[Result, ...]:
    """`most` seconds are the goal; without that, 1.05 times what the link takes."""
    with far_away(bench.registry) as registry:
        shop = replace(bench, registry=registry, folder=bench.folder / "far").shop(chosen)
        contenders: dict[str, Contender] = {_OURS: partial(lock_with_lockwarden, shop)}
        contenders |= {_LINK: partial(run_bare, shop, "link")}
        contenders |= {each: partial(lock_with_client, shop, each) for each in clients()}
        series = bench.measure(contenders)
    for each in clients():
        require_same_hashes(shop, each)
    if most is None:
        times = 1 / series[_OURS].times_of(series[_LINK])
        goal = Goal(text=f"≤ 1.05 x {_LINK}", reached=f"{times:.2f} x", met=times <= 1.05)
    else:
        goal = _within(most, series[_OURS])
    return (Result(work=f"{title}, 40 ms and 200 Mbit/s away", series=series, goals=(goal,)),)


def _huge(bench: Bench) -> tuple[Result, ...]:
    shop = bench.shop(ONE_HUGE)
    contenders: dict[str, Contender] = {_OURS: partial(lock_with_lockwarden, shop)}
    contenders |= {each: partial(lock_with_client, shop, each) for each in clients()}
    series = bench.measure(contenders)
    folder = shop.folder / _OURS
    idle = idle_bytes([str(LOCKWARDEN), "--offline", "."], folder=folder, environ=shop.environ(folder / "home"))
    over = (series[_OURS].peak_bytes - idle) / 1_000_000
    goal = Goal(
        text="≤ 150 MB over the idle app", reached=f"{over:+.0f} MB ({idle / 1e6:.0f} MB idle)", met=over <= 150
    )
    return (Result(work="one package of 700 MB (2.7 GB unpacked)", series=series, goals=(goal,)),)


def _start_up(bench: Bench) -> tuple[Result, ...]:
    shop = bench.shop(ONE_TINY)
    lock_with_lockwarden(shop)
    folder = shop.folder / _OURS
    environ = shop.environ(folder / "home")

    def measured(title: str, words: list[str], most: float, codes: set[int]) -> Result:
        command = [str(LOCKWARDEN), *words]
        contender = partial(run, command, folder=folder, environ=environ, expected=frozenset(codes))
        series = bench.measure({_OURS: contender})
        return Result(work=title, series=series, goals=(_within(most, series[_OURS]),))

    return (
        measured("--version", ["--version"], 0.2, {0}),
        measured("check --offline of one file", ["check", "--offline", "."], 0.6, {3}),
    )


def _trees(bench: Bench) -> tuple[Result, ...]:
    shop = bench.shop(SHARED)
    lock_with_lockwarden(shop)
    one = plant(shop, "one", files=1, providers=30)
    hundred = plant(shop, "hundred", files=100, providers=30)
    contenders: dict[str, Contender] = {
        "100 files": partial(check_tree, shop, hundred, cold=True),
        "1 file": partial(check_tree, shop, one, cold=True),
    }
    series = bench.measure(contenders)
    ratio = 1 / series["100 files"].times_of(series["1 file"])
    goal = Goal(text="≤ 1.3 x one file", reached=f"{ratio:.2f} x", met=ratio <= 1.3)
    shared = Result(work="cold check, 100 lock files that share 30 providers", series=series, goals=(goal,))
    many = {f"{files} files": plant(shop, f"files{files}", files=files, providers=10) for files in (1_000, 500)}
    series = bench.measure({name: partial(check_tree, shop, top) for name, top in many.items()})
    seconds, half = series["1000 files"].seconds, series["500 files"].seconds
    goals = (
        Goal(text="≤ 20 s", reached=f"{seconds:.1f} s", met=seconds <= 20),
        Goal(text="linear: ≤ 2.2 x 500 files", reached=f"{seconds / half:.2f} x", met=seconds <= 2.2 * half),
    )
    title = "warm check, 1,000 lock files of 10 providers out of 30"
    return (shared, Result(work=title, series=series, goals=goals))


def _with_a_base(bench: Bench) -> tuple[Result, ...]:
    shop = bench.shop(SHARED)
    if not (shop.folder / _OURS).exists():
        lock_with_lockwarden(shop)
    top = plant(shop, "base", files=100, providers=10)
    commit_bump(shop, top, files=15)
    contenders: dict[str, Contender] = {
        "with --base": partial(check_tree, shop, top, base="main"),
        "without": partial(check_tree, shop, top),
    }
    series = bench.measure(contenders)
    ratio = 1 / series["with --base"].times_of(series["without"])
    goal = Goal(text="≤ 1.5 x without --base", reached=f"{ratio:.2f} x", met=ratio <= 1.5)
    return (Result(work="warm check, 100 lock files, 15 of them bumped", series=series, goals=(goal,)),)


def _organisation(bench: Bench) -> tuple[Result, ...]:
    """Whole repositories, bare ones and working trees, against one lock file of all that they lock."""
    shop = bench.shop(ORGANISATION)
    lock_with_lockwarden(shop)
    one = plant(shop, "one", files=1, providers=40)
    tops = {
        number: plant_repositories(shop, f"own{number}", repositories=number, providers=10) for number in (500, 250)
    }
    contenders: dict[str, Contender] = {
        f"{number} repositories": partial(check_repositories, shop, top) for number, top in tops.items()
    }
    series = bench.measure({**contenders, "1 file": partial(check_tree, shop, one, cold=True)})
    all_, half, alone = series.values()
    asked = (all_.packages, all_.documents) == (alone.packages, alone.documents)
    each = (all_.cpu_seconds - half.cpu_seconds) / 250 * 1000
    goals = (
        Goal(text="asks what 1 file does", reached=f"{all_.packages} + {all_.documents}", met=asked),
        Goal(text="≤ 20 ms of CPU for each repository more", reached=f"{each:.0f} ms", met=each <= 20),
    )
    return (Result(work="cold, 500 repositories that share 40 providers", series=series, goals=goals),)


def _of_keys(which: str, seconds: Sequence[float]) -> Goal:
    slow = sorted(seconds)[int(len(seconds) * 0.95)]
    reached = f"{slow * 1000:.0f} ms, median {statistics.median(seconds) * 1000:.0f} ms, {len(seconds)} keys"
    return Goal(text=f"key to painted, p95 ≤ 50 ms: {which}", reached=reached, met=slow <= 0.05)


def _screen(bench: Bench) -> tuple[Result, ...]:
    folder = bench.folder / "screen"
    folder.mkdir()
    file = write_lock_file(folder)
    environ = bench.shop(ONE_TINY).environ(folder / "home")
    command = [str(LOCKWARDEN), "--offline", str(file)]
    opened = statistics.median(seconds_to_open(command, folder=folder, environ=environ) for _ in range(bench.rounds))
    moving, opening = seconds_of_keys(file, environ=environ)
    goals = (
        Goal(text="open ≤ 1 s", reached=f"{opened:.2f} s", met=opened <= 1),
        _of_keys("moves, decisions", moving),
        _of_keys("screens, the filter", opening),
    )
    return (Result(work="the app on 5,100 hashes", series={}, goals=goals),)


def _backfill(bench: Bench) -> tuple[Result, ...]:
    shop = bench.shop(REGISTRY)
    contenders: dict[str, Contender] = {
        _OURS: partial(run_backfill, shop),
        "1 Dask worker": partial(run_backfill, shop, 1),
        "2 Dask workers": partial(run_backfill, shop, 2),
        _BARE: partial(run_bare_over_all, shop),
    }
    series = bench.measure(contenders, unmeasured=0)  # each takes so long that its first moments are no matter
    bare = series[_BARE]
    goals = [
        Goal(text=f"{name}: ≤ 2 x bare pipeline{of}", reached=f"{ratio:.2f} x", met=ratio <= 2)
        for name, each in series.items()
        if each is not bare
        for of, ratio in (("", 1 / each.times_of(bare)), (", of CPU", each.cpu_seconds / bare.cpu_seconds))
    ]
    peak = max(each.peak_bytes for each in series.values())
    goals.append(Goal(text="≤ 250 MB in any process", reached=f"{peak / 1e6:.0f} MB", met=peak <= 250e6))
    return (Result(work="backfill of 2,000 packages", series=series, goals=tuple(goals)),)


WORKS = (
    Work(name="start", needs=(ONE_TINY,), measure=_start_up),
    Work(
        name="large",
        needs=(FEW_LARGE,),
        measure=partial(_cold, "cold lock, 3 x 3 of 60 MB", FEW_LARGE, {"terraform": 5, "tofu": 2}),
    ),
    Work(
        name="small",
        needs=(MANY_SMALL,),
        measure=partial(_cold, "cold lock, 10 x 5 of 20 MB", MANY_SMALL, {"terraform": 7, "tofu": 2.5}),
        quick=False,
    ),
    Work(name="brief", needs=(FEW_SMALL,), measure=_brief),
    Work(
        name="far-brief",
        needs=(FEW_SMALL,),
        measure=partial(_over_the_link, "cold lock, 3 x 3 of 2 MB", FEW_SMALL, 0.8),
    ),
    Work(
        name="far",
        needs=(MANY_SMALL,),
        measure=partial(_over_the_link, "cold lock, 10 x 5 of 20 MB", MANY_SMALL, None),
        quick=False,
    ),
    Work(name="screen", needs=(ONE_TINY,), measure=_screen),
    Work(name="trees", needs=(SHARED,), measure=_trees),
    Work(name="base", needs=(SHARED,), measure=_with_a_base),
    Work(name="backfill", needs=(REGISTRY,), measure=_backfill, quick=False),
    Work(name="organisation", needs=(ORGANISATION,), measure=_organisation),
    Work(name="memory", needs=(ONE_HUGE,), measure=_huge, quick=False),
)
"""In the order in which they are measured; `name` is what the command line knows them by."""
