"""Several installation methods for one provider: one verdict for all of them, as `init` goes through them.

Rules, as both clients were seen to follow them:

- Every method is asked for its list of versions first, also those behind the one that is installed from. That a method
  does not know the provider passes it over; any other failure ends `init`.
- Then the methods are asked in order for the package of the locked version, and the first that has one for the platform
  is installed from. That there is none for the platform passes a method over; a mirror without the list of archives, or
  without the tag, and any failure end `init`.
- What becomes of that package decides: no other method is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome, Installability
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer, SourceKind
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import OWN_REFUSALS, Stage
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode

_LISTS: Final[Mapping[SourceKind, frozenset[Stage]]] = {
    SourceKind.DIRECT: frozenset({Stage.DISCOVERY, Stage.VERSIONS}),
    SourceKind.NETWORK_MIRROR: frozenset({Stage.INDEX}),
    SourceKind.OCI_MIRROR: frozenset({Stage.DISCOVERY, Stage.VERSIONS}),
    SourceKind.FILESYSTEM_MIRROR: frozenset({Stage.FOLDER}),
}
"""The requests by which a method learns which versions it has; a failure of any other one comes later."""
_ASKED_FIRST: Final = "and a client that finds the version elsewhere asks for it here first"
_LEAVE_OUT: Final = "or keep this provider from it with an “exclude” in the CLI configuration"


class ChainVerdict(Struct, frozen=True, kw_only=True):
    """How `init` ends on one platform with all methods of the CLI configuration that serve the provider."""

    platform: Platform
    source: str
    """The id of the method that decides; empty where none of them does."""
    standing: Installability
    word: str
    """The outcome in words: that of the method's cell where a package was reached."""
    reason: str
    """One sentence without a full stop."""
    remedy: str = ""


class _List(Enum):
    """What a method's list of versions comes to."""

    NAMES_IT = auto()
    DOES_NOT = auto()
    ENDS = auto()
    OPEN = auto()


def chain_of(
    entry: LockedProvider, audit: Audit, *, settings: ClientSettings, platforms: Iterable[Platform]
) -> tuple[ChainVerdict, ...]:
    """The verdict for each platform in the order of popularity; none where the sources are no chain.

    Like a cell it speaks of a first install and vouches for nobody.
    """
    if not audit.chain:
        return ()
    asked = {source_answer.source.id: source_answer for source_answer in audit.source_answers}
    methods = tuple(asked[each] for each in audit.chain if not _unknown_to(settings.client, asked[each]))
    cells = coverage_of(entry, audit, settings=settings, platforms=platforms)
    chain = _Chain(
        version=str(entry.version),
        methods=methods,
        lists={each.source.id: _list_of(each) for each in methods},
        cells={(cell.platform, cell.source): cell for cell in cells},
    )
    return tuple(chain.verdict(each) for each in sorted(frozenset(platforms), key=by_popularity))


def _unknown_to(client: Client, source_answer: SourceAnswer) -> bool:
    """Whether the client drops the method, with a complaint about the configuration."""
    return client is Client.TERRAFORM and source_answer.source.kind is SourceKind.OCI_MIRROR


def _list_of(source_answer: SourceAnswer) -> _List:
    at_list = source_answer.ended_at is None or source_answer.ended_at in _LISTS[source_answer.source.kind]
    match source_answer.outcome:
        case Outcome.ANSWERED:
            return (
                _List.ENDS
                if any(each.code == ProblemCode.VERSIONS_INVALID for each in source_answer.problems)
                else _List.NAMES_IT
            )
        case Outcome.NOT_THERE if source_answer.ended_at is Stage.DISCOVERY and source_answer.source.is_origin:
            return _List.ENDS
        case Outcome.NOT_THERE:
            return _List.DOES_NOT
        case Outcome.NO_ANSWER if not at_list:
            return _List.NAMES_IT
        case Outcome.NO_ANSWER if not _only_ours(source_answer):
            return _List.ENDS
        case _:
            return _List.OPEN


def _only_ours(source_answer: SourceAnswer) -> bool:
    """Whether it failed by a rule that no client has, so that a client may get further."""
    return any(each.code in OWN_REFUSALS for each in source_answer.problems)


class _Chain(Struct, frozen=True, kw_only=True):
    version: str
    methods: Sequence[SourceAnswer]
    lists: Mapping[str, _List]
    cells: Mapping[tuple[Platform, str], Coverage]

    def verdict(self, platform: Platform) -> ChainVerdict:
        """How `init` ends on a platform."""
        if (ending := next(self._with(_List.ENDS), None)) is not None:
            return _ends(
                platform,
                ending,
                f"every method has to give its list of versions, and that of {ending.source.id} ends init:"
                f" {_detail(ending)}",
            )
        silent = next(self._with(_List.OPEN), None)
        if silent is None and not any(self._with(_List.NAMES_IT)):
            return _nowhere(platform, f"no method has version {self.version}{self._details()}")
        for source_answer in self.methods:
            met = self._met(source_answer, platform)
            if met is not None:
                return met if silent is None or met.standing is Installability.FAILS else _open(platform, silent)
        return _nowhere(platform, f"no method has a package of version {self.version} for this platform")

    def _with(self, answer: _List) -> Iterator[SourceAnswer]:
        return (each for each in self.methods if self.lists[each.source.id] is answer)

    def _details(self) -> str:
        return "".join(f"; {each.detail}" for each in self.methods if each.detail)

    def _met(self, source_answer: SourceAnswer, platform: Platform) -> ChainVerdict | None:
        """What the client meets at a method; None where it goes on to the next one."""
        source = source_answer.source.id
        match self.lists[source]:
            case _List.OPEN:
                return _open(platform, source_answer)
            case _List.DOES_NOT:
                return _unlisted(source_answer, platform, self.version)
            case _:
                pass
        package = source_answer.package(platform)
        if source_answer.outcome is Outcome.NO_ANSWER:
            if package is not None and package.outcome is Outcome.NOT_THERE:
                return None  # what failed belongs to the packages of other platforms
            return _stopped(
                platform, source_answer, f"the {source_answer.ended_at} of {source} ends init: {_detail(source_answer)}"
            )
        cell = self.cells[platform, source]
        if cell.outcome is CoverageOutcome.NOT_THERE:
            return None
        if package is not None and package.outcome is Outcome.NO_ANSWER:
            return _stopped(
                platform, source_answer, f"what belongs to the package of {source} ends init: {package.detail}"
            )
        return ChainVerdict(
            platform=platform,
            source=source,
            standing=cell.standing,
            word=cell.word,
            reason=f"{source} is the first method that has the package; {cell.reason}",
            remedy=cell.remedy,
        )


def _unlisted(source_answer: SourceAnswer, platform: Platform, version: str) -> ChainVerdict | None:
    """A method that does not list the version, which another one lists: it is asked for the package all the same."""
    source, unlisted = source_answer.source.id, source_answer.unlisted
    match source_answer.source.kind:
        case SourceKind.FILESYSTEM_MIRROR:
            return None
        case SourceKind.OCI_MIRROR:
            why = f"{source} has no tag for {version}, {_ASKED_FIRST}"
            return _ends(platform, source_answer, f"{why}: {_detail(source_answer)}")
        case SourceKind.NETWORK_MIRROR if unlisted is not None and unlisted.failure:
            why = f"{source} does not list {version}, {_ASKED_FIRST}"
            return _ends(platform, source_answer, f"{why}: {unlisted.failure}")
        case SourceKind.NETWORK_MIRROR if unlisted is not None and platform not in unlisted.platforms:
            return None
        case _:
            said = f"it does not list {version}, and may give a package for it all the same, which was not looked at"
            return ChainVerdict(
                platform=platform,
                source=source,
                standing=Installability.OPEN,
                word=CoverageOutcome.UNKNOWN.value,
                reason=f"init asks {source} first: {said}",
                remedy=f"have {source} list the version, {_LEAVE_OUT}",
            )


def _stopped(platform: Platform, source_answer: SourceAnswer, reason: str) -> ChainVerdict:
    return _open(platform, source_answer) if _only_ours(source_answer) else _ends(platform, source_answer, reason)


def _ends(platform: Platform, source_answer: SourceAnswer, reason: str) -> ChainVerdict:
    return ChainVerdict(
        platform=platform,
        source=source_answer.source.id,
        standing=Installability.FAILS,
        word="init ends",
        reason=reason,
        remedy=f"have {source_answer.source.id} answer for it, {_LEAVE_OUT}",
    )


def _nowhere(platform: Platform, reason: str) -> ChainVerdict:
    return ChainVerdict(
        platform=platform,
        source="",
        standing=Installability.FAILS,
        word=CoverageOutcome.NOT_THERE.value,
        reason=reason,
        remedy="have the package put there, add a method that has it, or choose a version that one of them has",
    )


def _open(platform: Platform, source_answer: SourceAnswer) -> ChainVerdict:
    return ChainVerdict(
        platform=platform,
        source=source_answer.source.id,
        standing=Installability.OPEN,
        word=CoverageOutcome.UNKNOWN.value,
        reason=f"init needs the answer of {source_answer.source.id}, which is not known: {_detail(source_answer)}",
        remedy="check again when it can be asked",
    )


def _detail(source_answer: SourceAnswer) -> str:
    return source_answer.detail or next((each.message for each in source_answer.problems), "it gives no usable answer")
