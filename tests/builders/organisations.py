"""Results of runs over many repositories as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from builders.audits import ADDRESS, DARWIN, LINUX, ORIGIN, answer, audit, origin_with, reported, zh, zh_list
from builders.run_results import KEY, SIGNATURE, locked, review_of
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.reports.organisation.result import (
    OrganisationResult,
    RepositoryFile,
    RepositoryProblem,
    RepositoryResult,
)
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeySeen
from lockwarden.core.values.versions import Version

LINUX_ZH, DARWIN_ZH = zh(str(LINUX)), zh(str(DARWIN))
LONE = ProviderAddress.parse("registry.example.test/acme/lone")
BARE = ProviderAddress.parse("registry.example.test/acme/bare")
SILENT = ProviderAddress.parse("registry.example.test/acme/silent")
OLD = Version.parse("1.0.0")


def signed_origin(key: KeySeen = KEY) -> SourceAnswer:
    """An origin with two signed packages, and the key that it offers."""
    return replace(origin_with(LINUX, DARWIN), keys=(key,), signatures=(SIGNATURE,))


def unsigned_origin() -> SourceAnswer:
    """An origin that lists one package, which nobody signed."""
    return answer(
        ORIGIN, (LINUX_ZH, reported(LINUX)), platforms=[LINUX], lists=[zh_list(LINUX_ZH, authenticated=False)]
    )


def silent_origin() -> SourceAnswer:
    """An origin that did not answer."""
    return SourceAnswer(
        source=ORIGIN, outcome=Outcome.NO_ANSWER, detail="it hangs", ended_at=Stage.DISCOVERY, platforms=None
    )


AUDITS: Mapping[tuple[ProviderAddress, Version], Audit] = {
    (each.address, each.version): each
    for each in (
        audit(signed_origin()),
        audit(signed_origin(), version=OLD),
        audit(signed_origin(), address=LONE),
        audit(unsigned_origin(), address=BARE),
        audit(silent_origin(), address=SILENT),
    )
}


def review(
    path: str,
    *entries: tuple[ProviderAddress, Version, Sequence[Hash]],
    standards: Standards = NO_STANDARDS,
) -> Review:
    """The review of one lock file of these entries, each of which has an audit above."""
    made = [locked(*hashes, address=address, version=version) for address, version, hashes in entries]
    found = [AUDITS[address, version] for address, version, _ in entries]
    return review_of(made, *found, path=path, standards=standards)


def repository(
    name: str,
    reviews: Mapping[str, Review],
    *,
    revision: str = "",
    problems: Iterable[RepositoryProblem] = (),
    commit: str = "c" * 40,
) -> RepositoryResult:
    """A repository with these lock files."""
    label = f"{name}@{revision}" if revision else name
    files = (
        RepositoryFile(path=path, result=FileResult(path=f"{label}:{path}", review=_called(each, f"{label}:{path}")))
        for path, each in reviews.items()
    )
    return RepositoryResult(
        name=name, label=label, revision=revision, commit=commit, files=tuple(files), problems=tuple(problems)
    )


def missing(name: str, message: str = "there is no folder") -> RepositoryResult:
    """A repository that is not there."""
    problem = RepositoryProblem(
        code=ProblemCode.REPOSITORY_MISSING, severity=Severity.ERROR, message=message, hint="clone it"
    )
    return repository(name, {}, problems=(problem,), commit="")


def organisation(*repositories: RepositoryResult) -> OrganisationResult:
    """A run over these."""
    files = tuple(file.result for each in repositories for file in each.files)
    return OrganisationResult(
        repositories=repositories, run=RunResult(sources=(ORIGIN,), files=files), standards_at="HEAD"
    )


def _called(found: Review, path: str) -> Review:
    return replace(found, lock_file=replace(found.lock_file, path=path))


def well(path: str = ".terraform.lock.hcl") -> Review:
    """A lock file that nothing speaks against."""
    return review(path, (ADDRESS, Version.parse("1.2.3"), [LINUX_ZH, DARWIN_ZH]))


def varied() -> OrganisationResult:
    """Six repositories: two that are well, one with a planted hash and others' faults, one that is not there."""
    now = Version.parse("1.2.3")
    return organisation(
        repository("apps/web", {"infra/.terraform.lock.hcl": well()}),
        repository("apps/shop", {".terraform.lock.hcl": well()}),
        repository(
            "apps/planted",
            {
                "a/.terraform.lock.hcl": review("a", (ADDRESS, now, [LINUX_ZH, DARWIN_ZH, zh("planted")])),
                "b/.terraform.lock.hcl": review("b", (ADDRESS, OLD, [LINUX_ZH]), (LONE, now, [LINUX_ZH])),
            },
        ),
        repository("apps/bare", {".terraform.lock.hcl": review("c", (BARE, now, [LINUX_ZH]))}, revision="main"),
        repository("apps/silent", {".terraform.lock.hcl": review("d", (SILENT, now, [LINUX_ZH, DARWIN_ZH]))}),
        repository("apps/empty", {}),
        missing("apps/gone"),
    )
