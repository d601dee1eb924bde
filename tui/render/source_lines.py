"""What is told of each source that a person may choose: who it serves by the configuration, and what it said last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct
from textual.content import Content

from lockwarden.core.cli_config.describe_methods import selection_words
from lockwarden.core.engine.source_spelling import SourceSpec, name_sources
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer, SourceRef
from lockwarden.core.review.review import Review
from lockwarden.core.review.sentences import Tone
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.prose import QUIET, hanging, sentence
from lockwarden.tui.render.styles import OUTCOMES, TONES, WAITING, Look
from lockwarden.tui.render.text import plain, shorten, spaced
from lockwarden.tui.state.source_choice import SourceChoice


class SourceLine(Struct, frozen=True, kw_only=True):
    """One source of the choice, and what it said last."""

    spec: SourceSpec
    ref: SourceRef
    look: Look
    said: str
    configured: str = ""
    """What the CLI configuration says of it and where; empty when a person named it."""
    serves: bool | None = None
    """Whether the selected provider is asked for here; None while every source serves everything."""


def source_lines(
    choice: SourceChoice, asked: tuple[SourceSpec, ...], review: Review | None, selected: ProviderAddress | None = None
) -> tuple[SourceLine, ...]:
    """Every source of the choice; `asked` are those that the review's audits are of."""
    ids = {spec: ref.id for spec, ref in zip(asked, name_sources(asked), strict=True)}
    matters = selected is not None and any(spec.method is not None for spec in choice.sources)
    found: list[SourceLine] = []
    for spec, ref in zip(choice.sources, name_sources(choice.sources), strict=True):
        look, said = _said(_answers(review, ids.get(spec, "")))
        found.append(
            SourceLine(
                spec=spec,
                ref=ref,
                look=look,
                said=said,
                configured=f"{selection_words(spec.method)}, {spec.method.origin}" if spec.method is not None else "",
                serves=_serves(spec, selected, _audit_of(review, selected), ids) if selected and matters else None,
            )
        )
    return tuple(found)


def _audit_of(review: Review | None, address: ProviderAddress | None) -> Audit | None:
    providers = () if review is None else review.providers
    return next((each.audit for each in providers if each.address == address), None)


def _serves(spec: SourceSpec, address: ProviderAddress, audit: Audit | None, ids: Mapping[SourceSpec, str]) -> bool:
    """Whether a source is asked for a provider: as its audit had it, else by the patterns alone."""
    if audit is not None and spec in ids:
        return any(answer.source.id == ids[spec] for answer in audit.source_answers)
    return spec.method is None or spec.method.selects(address)


def _answers(review: Review | None, source: str) -> list[SourceAnswer]:
    audits = [each.audit for each in review.providers if each.audit is not None] if review is not None else []
    return [answer for audit in audits for answer in audit.source_answers if answer.source.id == source]


def _said(source_answers: list[SourceAnswer]) -> tuple[Look, str]:
    if not source_answers:
        return WAITING, "not asked yet"
    outcomes = Counter(answer.outcome for answer in source_answers)
    worst = next(each for each in reversed(Outcome) if outcomes[each])
    if worst is Outcome.ANSWERED:
        return OUTCOMES[worst], f"answered for {counted(len(source_answers), 'provider')}"
    parts = [f"{outcomes[each]} {each}" for each in Outcome if outcomes[each]]
    detail = next(
        (answer.detail for answer in source_answers if answer.outcome is worst and answer.detail),
        "",
    )
    return OUTCOMES[worst], ", ".join(parts) + (f": {on_screen(detail)}" if detail else "")


def drawn_source(line: SourceLine, width: int, selected: str) -> Content:
    """A source: what and where it is, what it said last, what the configuration says, who is asked for here."""
    name = plain(shorten(line.ref.id, width // 2), "bold")
    kind = plain("" if line.ref.kind == line.ref.id else line.ref.kind, QUIET)
    room = width - name.cell_length - kind.cell_length - 6
    place = plain(shorten(line.ref.location, room)) if room > 8 and line.ref.location != line.ref.id else Content("")
    said = next(sentence(line.look, line.said, max(10, width - 4)))
    below = [said, *_configured(line, max(10, width - 4), selected)]
    return Content("\n").join([spaced(name, kind, place), *(Content("  ") + each for each in below)])


def _configured(line: SourceLine, width: int, selected: str) -> Iterator[Content]:
    if line.configured:
        yield from hanging(Content("  "), plain(line.configured, QUIET), width)
    if line.serves is not None:
        words = f"serves {selected}" if line.serves else f"is not asked for {selected}"
        yield from sentence(TONES[Tone.FOR if line.serves else Tone.NOTE], words, width)
