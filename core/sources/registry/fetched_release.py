"""All that is known of one release at its origin registry, and the answer that follows from it.

Everything here is derived from what was fetched so far, so that a answer can be asked for at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Observation
from lockwarden.core.evidence.source_answers import (
    DocumentSignature,
    Outcome,
    PackageFacts,
    Problem,
    SourceAnswer,
    SourceRef,
)
from lockwarden.core.sources.package_work import PackageEvidence
from lockwarden.core.sources.protocols.registry_documents import MAX_PLATFORMS
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.checks import answer_refusal
from lockwarden.core.sources.registry.packages import ReceivedPackage, answer_problems
from lockwarden.core.sources.registry.reports import RegistryReports
from lockwarden.core.sources.registry.signature_problems import signature_problems
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums_observations import (
    UNSIGNED_BESIDE_SIGNED,
    conflicting_files,
    decisive,
    left_out_signers,
    sums_observations,
    zh_list,
)
from lockwarden.core.sources.registry.sums_problems import sums_problems, unsigned_problems
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import OWN_REFUSALS, BadAnswerError, NotThereError, SourceError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeySeen
from lockwarden.core.values.versions import Version

_T = TypeVar("_T")
_UNLISTED: Final = "its list of checksums could not be checked"


class _FromSums(Struct, frozen=True, kw_only=True):
    """What follows from the lists of checksums alone, which may be long."""

    conflicts: frozenset[str]
    observations: tuple[tuple[Hash, Observation], ...]
    problems: tuple[Problem, ...]


class FetchedRelease(Struct, kw_only=True):
    """What was fetched of one release so far. A failure stands where the thing itself would."""

    ref: SourceRef
    address: ProviderAddress
    version: Version
    settings: ClientSettings
    refusal: str = ""
    """Why the client refuses every package of the provider, before it looks at any."""
    announced: frozenset[Platform] | None = None
    """The platforms that the list of versions names, which the clients ignore; None when it names none."""
    answers: dict[Platform, PlatformAnswer | SourceError] = msgspec.field(default_factory=dict)
    lists: dict[Platform, SignedSums | SourceError] = msgspec.field(default_factory=dict)
    downloads: dict[Platform, PackageEvidence | SourceError] = msgspec.field(default_factory=dict)
    checked: dict[Platform, None] = msgspec.field(default_factory=dict)
    """The platforms that `check` was asked for, once they are done."""
    problems: list[Problem] = msgspec.field(default_factory=list)
    _from_sums: dict[tuple[int, ...], _FromSums] = msgspec.field(default_factory=dict)

    @property
    def first_failure(self) -> SourceError | None:
        """The first thing that could not be had or used, or None; that a platform has no package is no failure."""
        answers = (each for each in _in_order(self.answers) if not isinstance(each, NotThereError))
        return next((each for each in (*answers, *_in_order(self.lists)) if isinstance(each, SourceError)), None)

    @property
    def good_answers(self) -> tuple[PlatformAnswer, ...]:
        """The answers that speak of the release and the platform that was asked for."""
        return tuple(each for each in _in_order(self.answers) if isinstance(each, PlatformAnswer) and not each.astray)

    @property
    def documents(self) -> tuple[SignedSums, ...]:
        """The lists of checksums, each once however many answers point at it."""
        found = [each for each in _in_order(self.lists) if isinstance(each, SignedSums)]
        return tuple({(each.document.sha256, each.report): each for each in reversed(found)}.values())[::-1]

    @property
    def decisive(self) -> tuple[SignedSums, ...]:
        """The lists of checksums that say which packages the release has: the signed ones where there are any."""
        return decisive(self.documents)

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """Every platform of the release that the registry names anywhere; None when no list of them is there.

        A list of checksums tells of all by itself, but where it names one platform: then each may have its own.
        """
        lists = self.decisive
        named = frozenset(claim.platform for answer in self.good_answers for claim in answer.metadata.packages.claims)
        listed = frozenset[Platform]().union(*(each.platforms for each in lists))
        known = self.announced or named
        if not known and not any(len(each.platforms) > 1 for each in lists):
            return None
        every = known.union(named, listed)
        return every if len(every) <= MAX_PLATFORMS else known or None

    @property
    def uncovered(self) -> frozenset[Platform]:
        """Platforms of the release whose package no list that decides names, and which are not known to be absent."""
        covered: set[Platform] = set()
        for each in self.decisive:
            covered |= each.platforms
        for answer in self.good_answers:
            covered |= {answer.platform for each in self.decisive if answer.metadata.filename in each.sums.by_name}
        return (self.platforms or frozenset()) - covered - self.absent

    @property
    def absent(self) -> frozenset[Platform]:
        """Platforms that the registry has no package for, and that no list names which could.

        A list of checksums for several platforms names all that there are. Where there is none, a platform that the
        registry itself names elsewhere is not absent for being denied. Whoever may not see a package is told the same.
        """
        denied = frozenset(place for place, each in self.answers.items() if isinstance(each, NotThereError))
        lists = self.decisive
        listed = frozenset[Platform]().union(*(each.platforms for each in lists))
        if any(len(each.platforms) > 1 for each in lists):
            return denied - listed
        return denied - listed - (self.platforms or frozenset())

    @property
    def open(self) -> frozenset[Platform]:
        """Platforms that are not covered and whose own document may still lead to another list of checksums.

        One that answered and led to a list has said its word: what it claims beside that is in no list.
        """
        return frozenset(each for each in self.uncovered if not isinstance(self.lists.get(each), SignedSums))

    @property
    def complete(self) -> bool:
        """Whether what the lists that decide do not name is no package of the release.

        Unsigned claims never make it so: what they name has to be asked, and one platform alone tells nothing.
        """
        told = self.announced is not None or any(len(each.platforms) > 1 for each in self.decisive)
        return told and bool(self.platforms) and not self.open and not any(each.refused for each in self.documents)

    @property
    def reports(self) -> RegistryReports:
        """What the registry reports beside the lists of checksums."""
        return RegistryReports(
            answers=self.good_answers,
            lists=self.decisive,
            complete=self.complete,
            refused={answer.platform: self._why_unused(answer.platform) for answer in self.good_answers},
            source=self.ref.id,
        )

    def _why_unused(self, platform: Platform) -> str:
        listed = self.lists.get(platform)
        if isinstance(listed, SignedSums):
            return f"{listed.document.name} cannot be used: {listed.refused}" if listed.refused else ""
        return _UNLISTED

    @property
    def _sums(self) -> _FromSums:
        """What follows from the lists that are there; derived anew only when another one came."""
        documents, source = self.documents, self.ref.id
        key = tuple(id(each) for each in documents)
        if key not in self._from_sums:
            conflicts = conflicting_files(documents)
            self._from_sums.clear()
            self._from_sums[key] = _FromSums(
                conflicts=conflicts,
                observations=tuple(sums_observations(documents, source=source, conflicts=conflicts)),
                problems=(
                    *left_out_signers(documents, source=source),
                    *(
                        problem
                        for listed in documents
                        for problem in (
                            *signature_problems(listed, source=source),
                            *sums_problems(listed, conflicts=conflicts, source=source),
                        )
                    ),
                    *unsigned_problems(documents, source=source),
                ),
            )
        return self._from_sums[key]

    def _received(self, platform: Platform) -> ReceivedPackage | None:
        """A package that was downloaded, with the documents that speak of it."""
        answer, listed, here = self.answers.get(platform), self.lists.get(platform), self.downloads.get(platform)
        if not (
            isinstance(answer, PlatformAnswer) and isinstance(listed, SignedSums) and isinstance(here, PackageEvidence)
        ):
            return None
        error = here.package.archive_error
        return ReceivedPackage(
            answer=answer,
            listed=listed,
            conflicts=self._sums.conflicts,
            beyond="" if self._decided(here.package.zh) else UNSIGNED_BESIDE_SIGNED,
            settings=self.settings,
            source=self.ref.id,
            location=here.location,
            zh=here.package.zh,
            size=here.package.size,
            facts=here.package.facts,
            flaw="" if error is None else error.message,
            computed_on=here.package.computed_on,
        )

    def _decided(self, zh: Hash) -> bool:
        """Whether one of the lists that decide has the archive, or none decides."""
        lists = self.decisive
        return not lists or any(zh in each.hashes for each in lists)

    def package_facts(self, platform: Platform) -> PackageFacts:
        """What is known of the package of a platform that was checked."""
        received = self._received(platform)
        facts = self._failed(platform) if received is None else received.package_facts
        return replace(facts, client_refusal=self.refusal) if self.refusal else facts

    def denied(self, platforms: Iterable[Platform]) -> tuple[PackageFacts, ...]:
        """The packages of these platforms of which the registry says that it has none."""
        return tuple(self._failed(each) for each in platforms if isinstance(self.answers.get(each), NotThereError))

    def source_answer(self) -> SourceAnswer:
        """The answer as far as things are known."""
        checked = sorted(self.checked, key=by_popularity)
        received = [package for platform in checked if (package := self._received(platform))]
        listed = zh_list(self.documents, complete=self.complete)
        return SourceAnswer(
            source=self.ref,
            outcome=Outcome.ANSWERED,
            observations=tuple(self._observations(received)),
            packages=tuple(self.package_facts(platform) for platform in checked),
            platforms=self.platforms,
            absent=self.absent,
            lists=() if listed is None else (listed,),
            signatures=self._signatures(),
            keys=self._keys(),
            problems=self._unique((*self.problems, *self._problems(received))),
        )

    def _observations(self, received: Sequence[ReceivedPackage]) -> Iterator[tuple[Hash, Observation]]:
        yield from self._sums.observations
        yield from self.reports.observations()
        for package in received:
            yield from package.observations()

    def _failed(self, platform: Platform) -> PackageFacts:
        """What is known of a package that could not be had: the first thing that went wrong on the way to it."""
        answer = self.answers[platform]
        if isinstance(answer, PlatformAnswer) and (refusal := answer_refusal(answer, self.settings)):
            return PackageFacts(platform=platform, outcome=Outcome.NO_ANSWER, client_refusal=refusal, detail=refusal)
        if isinstance(answer, PlatformAnswer) and (other := answer.other_release or answer.other_file):
            detail = f"the registry answers with a file of {other[:80]}"
            return PackageFacts(platform=platform, outcome=Outcome.NO_ANSWER, detail=detail)
        steps = (answer, self.lists.get(platform), self.downloads.get(platform))
        error = next(step for step in steps if isinstance(step, SourceError))
        refused = isinstance(error, BadAnswerError) and error.code not in OWN_REFUSALS
        absent = isinstance(answer, NotThereError)
        return PackageFacts(
            platform=platform,
            outcome=Outcome.NOT_THERE if absent else Outcome.NO_ANSWER,
            client_refusal=error.message if refused else "",
            detail=error.message,
            hint=error.hint,
        )

    def _signatures(self) -> tuple[DocumentSignature, ...]:
        return tuple(each.signature for each in self.documents)

    def _keys(self) -> tuple[KeySeen, ...]:
        keys = (key for each in self.documents for judgement in each.report.judgements for key in judgement.keys)
        return tuple({key.fingerprint: key for key in keys}.values())

    def _problems(self, received: Sequence[ReceivedPackage]) -> Iterator[Problem]:
        yield from self._sums.problems
        yield from self.reports.problems()
        for platform in sorted(self.answers, key=by_popularity):
            answer = self.answers[platform]
            if isinstance(answer, PlatformAnswer):
                yield from answer_problems(answer, self.settings, source=self.ref.id)
            elif isinstance(answer, NotThereError) and platform in (self.platforms or frozenset()):
                yield self._named_in_vain(platform, answer)
        failures = (each for each in _in_order(self.answers) if not isinstance(each, NotThereError))
        for each in (*failures, *_in_order(self.lists), *_in_order(self.downloads)):
            if isinstance(each, SourceError):
                yield problem_of(each, source=self.ref.id)
        for package in received:
            yield from package.problems()

    def _named_in_vain(self, platform: Platform, answer: NotThereError) -> Problem:
        listed = next((each.document.name for each in self.decisive if platform in each.platforms), "")
        namer = f"{listed} names the {platform} package of {self.version}, but the registry says that it has none"
        versions = (
            f"the registry's list of versions names {platform} for {self.version}, but there is no package for it"
        )
        return Problem(
            code=ProblemCode.PLATFORM_MISSING,
            severity=Severity.WARNING,
            message=namer if listed else versions,
            hint=answer.hint or "ask who runs the registry",
            source=self.ref.id,
        )

    def _unique(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        return tuple(dict.fromkeys(problems))


def _in_order(known: Mapping[Platform, _T]) -> tuple[_T, ...]:
    """What is known of each platform, likeliest first, whichever came first."""
    return tuple(known[platform] for platform in sorted(known, key=by_popularity))


def problem_of(error: SourceError, *, source: str) -> Problem:
    """A failed request as a problem: a warning, since it says nothing about the lock file."""
    return Problem(
        code=error.code or ProblemCode.NO_ANSWER,
        severity=Severity.WARNING,
        message=f"{source} could not be asked ({error.stage}): {error.message}",
        hint=error.hint,
        source=source,
    )
