"""One run of a backfill: budgets, progress, and every result in the journal before the next one is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Struct

from lockwarden.core.engine.registries.journals import OpenJournal
from lockwarden.core.engine.registries.pipeline import MayBegin, OnLine
from lockwarden.core.registry_metadata.journal_lines import JournalLine, State
from lockwarden.core.registry_metadata.plan import Plan, PlannedPackage
from lockwarden.core.review.exit_codes import ExitCode, code_for


class Engine(Protocol):
    """Whoever does the work: a pipeline of this process, or a cluster."""

    async def run(self, packages: Iterable[PlannedPackage], on_line: OnLine, may_begin: MayBegin) -> None:
        """Look at packages; each that is begun gives one line."""
        ...


class RunBudget(Struct, frozen=True, kw_only=True):
    """What a run may cost. It ends when the next package would cost more; what is running comes to its end."""

    packages: int | None = None
    bytes: int | None = None
    seconds: float | None = None


@dataclass(kw_only=True)
class BackfillProgress:
    """How far a run is. Times are seconds of one clock, whatever it counts from."""

    plan: Plan
    clock: Callable[[], float]
    began: float
    begun: int = 0
    begun_bytes: int = 0
    """Of what is running, as estimated."""
    states: Counter[State] = field(default_factory=Counter)
    received: int = 0
    """Bytes of packages that came whole."""
    spent: str = ""
    """Which budget has ended the run, or the empty string."""
    first_reasons: dict[State, str] = field(default_factory=dict)

    @property
    def ended(self) -> int:
        """Packages whose result is in the journal."""
        return self.states.total()

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return max(self.clock() - self.began, 1e-9)

    @property
    def rate(self) -> float:
        """Packages in a second."""
        return self.ended / self.seconds

    @property
    def seconds_left(self) -> float | None:
        """By the bytes that came so far and are expected to come, else by packages; None while nothing is known."""
        if not self.ended:
            return None
        total = self.plan.estimated_bytes
        done = self.received if total and self.received else 0
        share = min(done / total, 1.0) if done else self.ended / len(self.plan.packages)
        return self.seconds * (1 - share) / share

    @property
    def exit_code(self) -> ExitCode:
        """Findings where a person has to see to a package; incomplete while there is more to do."""
        open_ = any(count for state, count in self.states.items() if not state.final)
        return code_for(
            objected=any(state.objects for state in self.states if self.states[state]),
            incomplete=open_ or bool(self.spent) or self.ended < len(self.plan.packages),
        )


async def run_backfill(
    engine: Engine,
    progress: BackfillProgress,
    journal: OpenJournal,
    budget: RunBudget,
    report: Callable[[BackfillProgress], None],
) -> None:
    """Do what is planned, as far as the budget goes.

    Each result is in the journal before `report` hears of it. Raises SaveError when the journal cannot be written, and
    ToolError when a cluster is lost.
    """
    estimates = {package.key: package.estimate for package in progress.plan.packages}

    def may_begin(package: PlannedPackage) -> bool:
        progress.spent = _spent(progress, budget, package)
        if progress.spent:
            return False
        progress.begun += 1
        progress.begun_bytes += package.estimate
        return True

    def on_line(line: JournalLine) -> None:
        journal.add(line)
        progress.begun_bytes -= estimates.get(line.key, 0)
        progress.states[line.state] += 1
        progress.received += line.size
        progress.first_reasons.setdefault(line.state, f"{line.url}: {line.reason}")
        report(progress)

    progress.began = progress.clock()  # until now it may have waited for workers
    report(progress)
    await engine.run(progress.plan.packages, on_line, may_begin)


def _spent(progress: BackfillProgress, budget: RunBudget, package: PlannedPackage) -> str:
    if budget.packages is not None and progress.begun >= budget.packages:
        return "packages"
    expected = progress.received + progress.begun_bytes + package.estimate
    if budget.bytes is not None and (expected > budget.bytes or progress.received >= budget.bytes):
        return "bytes"
    if budget.seconds is not None and progress.clock() - progress.began >= budget.seconds:
        return "time"
    return ""
