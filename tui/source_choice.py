"""Choosing sources and platforms: a draft as a frozen value, and what each source said last. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Self, assert_never

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.cli_config.describe_methods import selection_words
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec, name_sources
from lockwarden.core.evidence.source_answers import Audit, Finding, Outcome, SourceRef
from lockwarden.core.review.review import Review
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.platforms import POPULARITY, Platform, by_popularity
from lockwarden.tui.render.styles import OUTCOMES, WAITING, Look


class PlatformMode(StrEnum):
    """How the platforms are chosen."""

    AUTO = "auto"
    CURRENT = "current"
    ALL = "all"
    CHOSEN = "chosen"


class Draft(Struct, frozen=True, kw_only=True):
    """What a person is putting together, before it is run."""

    sources: tuple[SourceSpec, ...]
    mode: PlatformMode
    chosen: frozenset[Platform]
    current: Platform
    named: frozenset[Platform]
    """The platforms that `auto` always looks at."""

    @classmethod
    def of(cls, sources: tuple[SourceSpec, ...], choice: PlatformChoice, current: Platform) -> Self:
        """The draft that would run what runs now."""
        if choice.every:
            mode = PlatformMode.ALL
        elif choice.explain:
            mode = PlatformMode.AUTO
        else:
            mode = PlatformMode.CURRENT if choice.wanted == {current} else PlatformMode.CHOSEN
        named = choice.wanted if choice.explain else frozenset({current})
        return cls(sources=sources, mode=mode, chosen=choice.wanted, current=current, named=named)

    @property
    def choice(self) -> PlatformChoice:
        """The platforms as the audit wants them."""
        match self.mode:
            case PlatformMode.AUTO:
                return PlatformChoice(wanted=self.named, explain=True)
            case PlatformMode.CURRENT:
                return PlatformChoice(wanted=frozenset({self.current}))
            case PlatformMode.ALL:
                return PlatformChoice(wanted=frozenset({self.current}), every=True)
            case PlatformMode.CHOSEN:
                return PlatformChoice(wanted=self.chosen)
            case _:
                assert_never(self.mode)

    @property
    def problem(self) -> str:
        """Why it cannot be run; empty when it can."""
        if not self.sources:
            return "add at least one source"
        if self.mode is PlatformMode.CHOSEN and not self.chosen:
            return "choose at least one platform"
        return ""

    def with_source(self, spec: SourceSpec) -> Draft:
        """One source more, at the end; the same when it is there already."""
        return self if spec in self.sources else replace(self, sources=(*self.sources, spec))

    def without_source(self, spec: SourceSpec) -> Draft:
        """One source less."""
        return replace(self, sources=tuple(each for each in self.sources if each != spec))

    def with_mode(self, mode: PlatformMode) -> Draft:
        """Platforms chosen another way."""
        return replace(self, mode=mode)

    def with_chosen(self, platforms: Iterable[Platform]) -> Draft:
        """Another set of chosen platforms."""
        return replace(self, chosen=frozenset(platforms))


def known_platforms(review: Review | None, draft: Draft) -> tuple[Platform, ...]:
    """Platforms to choose from: the usual ones, those that a source named, those that are chosen."""
    named = {Platform.parse(name) for name in POPULARITY} | draft.chosen | draft.named
    for provider in review.providers if review is not None else ():
        for finding in provider.audit.findings if provider.audit is not None else ():
            named |= finding.platforms or frozenset()
    return tuple(sorted(named, key=by_popularity))


class SourceLine(Struct, frozen=True, kw_only=True):
    """One source of the draft, and what it said last."""

    spec: SourceSpec
    ref: SourceRef
    look: Look
    said: str
    configured: str = ""
    """What the CLI configuration says of it and where; empty when a person named it."""
    serves: bool | None = None
    """Whether the selected provider is asked for here; None while every source serves everything."""


def source_lines(
    draft: Draft, asked: tuple[SourceSpec, ...], review: Review | None, selected: ProviderAddress | None = None
) -> tuple[SourceLine, ...]:
    """Every source of the draft; `asked` are those that the review's audits are of."""
    ids = {spec: ref.id for spec, ref in zip(asked, name_sources(asked), strict=True)}
    matters = selected is not None and any(spec.method is not None for spec in draft.sources)
    found: list[SourceLine] = []
    for spec, ref in zip(draft.sources, name_sources(draft.sources), strict=True):
        look, said = _said(_findings(review, ids.get(spec, "")))
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
        return any(finding.source.id == ids[spec] for finding in audit.findings)
    return spec.method is None or spec.method.selects(address)


def _findings(review: Review | None, source: str) -> list[Finding]:
    audits = [each.audit for each in review.providers if each.audit is not None] if review is not None else []
    return [finding for audit in audits for finding in audit.findings if finding.source.id == source]


def _said(findings: list[Finding]) -> tuple[Look, str]:
    if not findings:
        return WAITING, "not asked yet"
    outcomes = Counter(finding.outcome for finding in findings)
    worst = next(each for each in reversed(Outcome) if outcomes[each])
    if worst is Outcome.ANSWERED:
        return OUTCOMES[worst], f"answered for {counted(len(findings), 'provider')}"
    parts = [f"{outcomes[each]} {each}" for each in Outcome if outcomes[each]]
    detail = next((finding.detail for finding in findings if finding.outcome is worst and finding.detail), "")
    return OUTCOMES[worst], ", ".join(parts) + (f": {detail}" if detail else "")
