"""What a source was not asked or did not answer, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.review.provider_review import ProviderReview

_SILENT: Final = frozenset({Outcome.NO_ANSWER, Outcome.NOT_ASKED})


def unanswered(provider: ProviderReview, *, told: Collection[str] | None = None) -> Iterator[str]:
    """Every question that stayed without an answer, unless a sentence of `told` says why already.

    By default `told` is what the provider's problems say.
    """
    told = [problem.message for problem in provider.problems] if told is None else told
    for answer in () if provider.audit is None else provider.audit.source_answers:
        yield from _of_source(answer, told)


def _of_source(answer: SourceAnswer, told: Collection[str]) -> Iterator[str]:
    questions = [(answer.source.id, answer.outcome, answer.detail)]
    questions += [
        (f"{answer.source.id}, package of {package.platform}", package.outcome, package.detail)
        for package in answer.packages
    ]
    for question, outcome, detail in questions:
        if outcome in _SILENT and not (detail and any(detail in message for message in told)):
            yield f"{question}: {outcome}{f': {detail}' if detail else ''}"
