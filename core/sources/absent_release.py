"""A release that a source does not have, or about which it could not be asked: its answer says which, and why."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, Problem, SourceAnswer, SourceRef, Unlisted
from lockwarden.core.values.errors import NotThereError, SourceError, Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_NOTHING: Final[Mapping[Platform, frozenset[Hash]]] = MappingProxyType({})


class AbsentRelease:
    """An open release in form only: there is nothing to check."""

    def __init__(
        self,
        source: SourceRef,
        outcome: Outcome,
        detail: str,
        problems: tuple[Problem, ...] = (),
        *,
        hint: str = "",
        ended_at: Stage | None = None,
        unlisted: Unlisted | None = None,
        packages: tuple[PackageFacts, ...] = (),
    ) -> None:
        self._finding = SourceAnswer(
            source=source,
            outcome=outcome,
            detail=detail,
            hint=hint,
            problems=problems,
            ended_at=ended_at,
            unlisted=unlisted,
            packages=packages,
        )

    @classmethod
    def of_error(
        cls,
        source: SourceRef,
        error: SourceError,
        problems: tuple[Problem, ...] = (),
        *,
        unlisted: Unlisted | None = None,
        packages: tuple[PackageFacts, ...] = (),
    ) -> AbsentRelease:
        """What a source error means: only the answer that something is not there is no problem.

        `packages` are those of which something is known all the same.
        """
        if isinstance(error, NotThereError):
            return cls(
                source,
                Outcome.NOT_THERE,
                error.message,
                problems,
                hint=error.hint,
                ended_at=error.stage,
                unlisted=unlisted,
            )
        why = _of_itself(source, error.message)
        problem = Problem(
            code=error.code or ProblemCode.SOURCE_FAILED,
            severity=Severity.WARNING,
            message=f"{source.id} could not be asked ({error.stage}): {why}",
            hint=error.hint,
            source=source.id,
        )
        return cls(
            source,
            Outcome.NO_ANSWER,
            why,
            (*problems, problem),
            hint=error.hint,
            ended_at=error.stage,
            packages=packages,
        )

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """None: nothing is known."""
        return None

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        """Nothing is claimed."""
        return _NOTHING

    async def check(self, platform: Platform) -> None:
        """Do nothing: there is no package to look at."""

    def source_answer(self) -> SourceAnswer:
        """Why there is nothing."""
        return self._finding


def _of_itself(source: SourceRef, message: str) -> str:
    """What went wrong, as it follows the name of the source: a sentence that begins with that goes on with “it”."""
    rest = message.removeprefix(f"{source.id} ")
    return message if rest == message else f"it {rest}"
