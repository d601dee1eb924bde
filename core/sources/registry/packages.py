"""What the bytes of one package of an origin registry are, and whether they are what the registry promised.

A package counts as the registry's when two digests are its own: that of the registry's answer, and that which the list
of checksums has for it. The list itself has to be in use. That says who gave the package out, never that it is
harmless.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from lockwarden.core.archives.facts import ArchiveFacts
from lockwarden.core.evidence.observations import Observation
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, Problem
from lockwarden.core.sources.package_content import (
    archive_doubt,
    archive_observations,
    archive_problems,
    archive_refusal,
)
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.checks import client_refusal
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


class ReceivedPackage(Struct, frozen=True, kw_only=True):
    """One package whose bytes were hashed, now or earlier, with the documents that speak of it."""

    answer: PlatformAnswer
    listed: SignedSums
    conflicts: frozenset[str]
    """Files that the registry gives more than one hash for."""
    beyond: str = ""
    """Why the list does not count although it is used: others of the release are signed and lack the package."""
    settings: ClientSettings
    source: str
    location: str
    """URL without query and user information."""
    zh: Hash
    size: int
    facts: ArchiveFacts | None
    """None when the bytes are no archive at all."""
    flaw: str = ""
    """Why the bytes are no archive; a sentence's end."""
    computed_on: datetime | None = None
    """When its bytes were hashed; None where they were fetched and hashed for this audit."""

    @property
    def names(self) -> frozenset[str]:
        """The names that the list of checksums may have for the package: those that say so, or else the answer's."""
        return self.listed.names_of.get(self.answer.platform) or frozenset({self.answer.metadata.filename})

    @property
    def beside(self) -> bool:
        """Whether the answer calls it as the list calls another file than the platform's package."""
        filename = self.answer.metadata.filename
        return filename not in self.names and filename in self.listed.sums.by_name

    @property
    def listed_hashes(self) -> frozenset[Hash]:
        """What the list of checksums has for the package."""
        return frozenset().union(*(self.listed.sums.by_name.get(name, frozenset()) for name in self.names))

    @property
    def refused(self) -> str:
        """Why the package does not count as the registry's; a sentence's end, empty when it does."""
        name = self.listed.document.name
        if self.zh.value != self.answer.digest:
            return "its bytes are not what the registry's answer promises"
        if self.listed.refused:
            return f"{name} cannot be used: {self.listed.refused}"
        if not self.listed_hashes:
            return f"{name} does not list it"
        if self.names & self.conflicts:
            return f"the registry lists several hashes for {min(self.names & self.conflicts)}"
        if self.zh not in self.listed_hashes:
            if self.beside:
                return f"{name} has it beside the {self.answer.platform} package, not as that"
            return f"its bytes are not what {name} lists"
        return self.beyond

    @property
    def package_facts(self) -> PackageFacts:
        """The package as the answer shows it."""
        called = self.listed.sums.by_name.get(self.answer.metadata.filename, frozenset())  # the clients go by that
        kept = self.zh.value == self.answer.digest and self.zh in self.listed_hashes | called
        return PackageFacts(
            platform=self.answer.platform,
            outcome=Outcome.ANSWERED,
            location=self.location,
            size=self.size,
            zh=self.zh,
            h1_archive=None if self.facts is None else self.facts.h1_archive,
            h1_directory=None if self.facts is None else self.facts.h1_directory,
            promised=frozenset({self.zh}) if kept else frozenset(),
            client_refusal=self._client_refusal,
            detail=self.refused or self.flaw or ("" if self.facts is None else archive_doubt(self.facts)),
        )

    @property
    def _client_refusal(self) -> str:
        checks = client_refusal(self.answer, self.listed, self.settings, zh=self.zh, size=self.size)
        if checks:
            return checks
        if self.facts is None:
            return f"it is no archive: {self.flaw}"
        return archive_refusal(self.facts, self.listed.address.type)

    def observations(self) -> Iterator[tuple[Hash, Observation]]:
        """That each hash was computed here; marked as refused when the package does not count."""
        return archive_observations(
            self.zh,
            self.facts,
            source=self.source,
            platform=self.answer.platform,
            location=self.location,
            computed_on=self.computed_on,
            refused=self.refused,
        )

    def problems(self) -> Iterator[Problem]:
        """Where the answer, the list and the bytes contradict each other, and what is odd about the archive."""
        for code, severity, message, hint in self._problems():
            yield Problem(code=code, severity=severity, message=message, hint=hint, source=self.source)
        if self.facts is not None:
            yield from archive_problems(
                self.facts, self.listed.address.type, platform=self.answer.platform, source=self.source
            )

    def _problems(self) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
        platform, name = self.answer.platform, self.listed.document.name
        digest, metadata = self.answer.digest, self.answer.metadata
        listed = sorted(hash_.value for hash_ in self.listed_hashes)
        stale = "the registry may be stale, or the release was made anew, or somebody changed one of them"
        if not listed:
            yield (
                ProblemCode.PACKAGE_NOT_LISTED,
                Severity.ERROR,
                f"{name} has no hash for the {platform} package “{metadata.filename}”",
                "the clients look for exactly this name; nothing signed speaks of the package",
            )
        elif metadata.filename not in self.listed.sums.by_name:
            yield (
                ProblemCode.PACKAGE_LISTED_OTHERWISE,
                Severity.WARNING,
                (
                    f"the registry calls the {platform} package “{metadata.filename[:120]}”, which is not what {name} "
                    "calls it"
                ),
                "the clients look for exactly this name and refuse the package; ask who runs the registry",
            )
        if listed and digest and digest not in listed:
            called = f" as “{metadata.filename[:120]}”, a file beside that package" if self.beside else ""
            yield (
                ProblemCode.SHASUM_CONTRADICTS_SUMS,
                Severity.ERROR,
                (
                    f"for {platform} the registry's answer promises sha256 {digest}{called} and {name} "
                    f"{' and '.join(listed)}; the package has {self.zh.value}"
                ),
                "the clients take it, since the list has a file of that name; ask who runs the registry"
                if self.beside
                else stale,
            )
        if digest and self.zh.value != digest and (not listed or digest in listed):
            yield (
                ProblemCode.PACKAGE_CONTRADICTS_SHASUM,
                Severity.ERROR,
                f"the {platform} package has sha256 {self.zh.value} where the registry promises {digest}",
                self.flaw or stale,
            )
        yield from self._size_problems()
        if self.facts is None:
            text = f"what {self.source} gives out for {platform} is no package: {self.flaw}"
            yield (ProblemCode.PACKAGE_NOT_AN_ARCHIVE, Severity.ERROR, text, "look at what the URL gives out")

    def _size_problems(self) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
        claim = self.answer.metadata.packages.claim(self.answer.platform)
        if claim is not None and claim.size > 0 and claim.size != self.size:
            yield (
                ProblemCode.PACKAGE_SIZE_DIFFERS,
                Severity.ERROR,
                f"the registry says that the {claim.platform} package has {claim.size} bytes, and it has {self.size}",
                "OpenTofu refuses it; ask who runs the registry to read the package anew",
            )


def answer_problems(answer: PlatformAnswer, settings: ClientSettings, *, source: str) -> Iterator[Problem]:
    """What is wrong with an answer whether or not the package was downloaded."""
    for code, severity, message, hint in _answer_problems(answer, settings):
        yield Problem(code=code, severity=severity, message=message, hint=hint, source=source)


def _answer_problems(
    answer: PlatformAnswer, settings: ClientSettings
) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
    platform, metadata = answer.platform, answer.metadata
    ask = "ask who runs the registry"
    if answer.other_release:
        text = (
            f"asked for {answer.type_name} {answer.version} for {platform}, the registry answers with "
            f"“{metadata.filename[:120]}”, a file of {answer.other_release[:80]}"
        )
        yield (
            ProblemCode.ANSWER_FOR_OTHER_RELEASE,
            Severity.ERROR,
            text,
            f"nothing that this answer leads to counts; {ask}",
        )
    if answer.other_target:
        text = f"asked for {platform}, the registry answers with a package for {answer.other_target[:80]}"
        yield (ProblemCode.ANSWER_FOR_OTHER_PLATFORM, Severity.ERROR, text, f"the clients refuse it; {ask}")
    elif answer.other_file:
        text = (
            f"asked for {platform}, the registry answers with “{metadata.filename[:120]}”, the package for "
            f"{answer.other_file}"
        )
        hint = f"nothing that this answer leads to counts, and the clients take it; {ask}"
        yield (ProblemCode.ANSWER_FOR_OTHER_PLATFORM, Severity.ERROR, text, hint)
    if not answer.digest:
        text = f"the registry's answer for {platform} has no SHA-256 digest: “{metadata.shasum[:80]}”"
        yield (ProblemCode.ANSWER_WITHOUT_DIGEST, Severity.ERROR, text, f"the clients refuse it; {ask}")
    if refusal := answer.protocol_refusal:
        text = f"the clients cannot use the {platform} package: {refusal}"
        yield (ProblemCode.PROTOCOL_UNSUPPORTED, Severity.WARNING, text, "choose a newer version of the provider")
    if metadata.surplus_keys:
        text = f"the registry offers {metadata.surplus_keys} signing keys too many; only the first are looked at"
        yield (ProblemCode.TOO_MANY_SIGNING_KEYS, Severity.WARNING, text, ask)
    if settings.client is not Client.OPENTOFU or not metadata.packages.claims:
        return
    claim = metadata.packages.claim(platform)
    if claim is None:
        text = f"the registry's “packages” lack the platform {platform}"
        yield (ProblemCode.PACKAGES_INCOMPLETE, Severity.WARNING, text, f"OpenTofu refuses it; {ask}")
    elif claim.size <= 0:
        text = f"the registry's “packages” say that the {platform} package has {claim.size} bytes"
        yield (ProblemCode.PACKAGE_SIZE_INVALID, Severity.WARNING, text, f"OpenTofu refuses it; {ask}")
