"""What is told of one provider of the origin registry."""

from __future__ import annotations

from builders.registry_runs import DARWIN, LINUX, WINDOWS, Registry
from contract.sources.registry.conftest import ADDRESS

from lockwarden.core.evidence.source_answers import Problem, SourceAnswer
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.verdicts import Verdict, judge_locked
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.demo.packages import DemoPackage

HOST = ADDRESS.split("/")[0]
EVERY = (LINUX, DARWIN, WINDOWS)
PLANTED = Hash(f"zh:{'de' * 32}")


def problems(answer: SourceAnswer) -> dict[str, Problem]:
    return {problem.code: problem for problem in answer.problems}


def verdict(registry: Registry, hash_: Hash, *platforms: Platform) -> Verdict:
    audit = registry.audit(ADDRESS, platforms=platforms or (LINUX,))
    return judge_locked(hash_, Evidence(audit, frozenset(platforms))).verdict


def paths(registry: Registry) -> list[str]:
    return sorted(request.path.rpartition("/")[2] for request in registry.server.journal.requests)


def zh_of(package: DemoPackage) -> Hash:
    return Hash(package.zh)
