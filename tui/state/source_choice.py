"""Choosing sources and platforms: a draft as a frozen value. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Self, assert_never

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.review.review import Review
from lockwarden.core.values.platforms import POPULARITY, Platform, by_popularity


class PlatformMode(StrEnum):
    """How the platforms are chosen."""

    AUTO = "auto"
    CURRENT = "current"
    ALL = "all"
    CHOSEN = "chosen"


class SourceChoice(Struct, frozen=True, kw_only=True):
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

    def with_source(self, spec: SourceSpec) -> SourceChoice:
        """One source more, at the end; the same when it is there already."""
        return self if spec in self.sources else replace(self, sources=(*self.sources, spec))

    def without_source(self, spec: SourceSpec) -> SourceChoice:
        """One source less."""
        return replace(self, sources=tuple(each for each in self.sources if each != spec))

    def with_mode(self, mode: PlatformMode) -> SourceChoice:
        """Platforms chosen another way."""
        return replace(self, mode=mode)

    def with_chosen(self, platforms: Iterable[Platform]) -> SourceChoice:
        """Another set of chosen platforms."""
        return replace(self, chosen=frozenset(platforms))


def known_platforms(review: Review | None, choice: SourceChoice) -> tuple[Platform, ...]:
    """Platforms to choose from: the usual ones, those that a source named, those that are chosen."""
    named = {Platform.parse(name) for name in POPULARITY} | choice.chosen | choice.named
    for provider in review.providers if review is not None else ():
        for answer in provider.audit.source_answers if provider.audit is not None else ():
            named |= answer.platforms or frozenset()
    return tuple(sorted(named, key=by_popularity))
