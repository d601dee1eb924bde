"""Policies, approvals and earlier states of a lock file, with everything that a test does not care about filled in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime

from builders.audits import (
    ADDRESS,
    DARWIN,
    FINGERPRINT,
    LINUX,
    MIRROR,
    ORIGIN,
    VERSION,
    answer,
    computed,
    package,
    reported,
    signed,
    zh,
    zh_list,
)
from builders.audits import h1 as h1_of
from lockwarden.core.approvals.model import Approval
from lockwarden.core.evidence.observations import Document, Observation
from lockwarden.core.evidence.source_answers import Audit, SourceAnswer
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.model import Policy, PolicyRequirement, Rule, TrustedKey, TrustedMirror
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.versions import Version

POLICY = ".lockwarden.hcl"
STRANGER = "FEDCBA9876543210FEDCBA9876543210FEDCBA98"
"""Fingerprint of a key that no policy here names."""
TODAY = date(2026, 6, 1)
EVERYTHING = "*/*/*"
LINUX_SUMS = Document(name="SHA256SUMS", url="https://registry.example.test/linux/SHA256SUMS", sha256="7" * 64)
DARWIN_SUMS = Document(name="SHA256SUMS", url="https://registry.example.test/darwin/SHA256SUMS", sha256="8" * 64)


def key(
    fingerprint: str = FINGERPRINT, *, line: int = 1, owner: str = "Example Releases", providers: str = EVERYTHING
) -> TrustedKey:
    """A `signing_key` block."""
    return TrustedKey(
        rule=Rule(POLICY, line),
        fingerprint=fingerprint,
        owner=owner,
        providers=(ProviderPattern.parse(providers),),
    )


def mirror(
    location: str = MIRROR.location, *, trusted: bool = True, line: int = 6, providers: str = EVERYTHING
) -> TrustedMirror:
    """A `mirror` block."""
    return TrustedMirror(
        rule=Rule(POLICY, line), location=location, trusted=trusted, providers=(ProviderPattern.parse(providers),)
    )


def requirement(
    *,
    signed: bool = False,
    platforms: Iterable[Platform] = (),
    schemes: Iterable[str] = (),
    hosts: Iterable[str] | None = None,
    namespaces: Iterable[str] | None = None,
    line: int = 11,
    providers: str = EVERYTHING,
) -> PolicyRequirement:
    """A `require` block."""
    return PolicyRequirement(
        rule=Rule(POLICY, line),
        providers=(ProviderPattern.parse(providers),),
        signed=signed,
        platforms=frozenset(platforms),
        schemes=frozenset(schemes),
        hosts=None if hosts is None else frozenset(hosts),
        namespaces=None if namespaces is None else frozenset(namespaces),
    )


def policy(*rules: TrustedKey | TrustedMirror | PolicyRequirement) -> Policy:
    """A policy file with these blocks."""
    return Policy(
        path=POLICY,
        keys=tuple(each for each in rules if isinstance(each, TrustedKey)),
        mirrors=tuple(each for each in rules if isinstance(each, TrustedMirror)),
        requirements=tuple(each for each in rules if isinstance(each, PolicyRequirement)),
    )


def approval(
    *hashes: Hash,
    address: ProviderAddress = ADDRESS,
    version: Version = VERSION,
    until: date | None = None,
    line: int = 1,
) -> Approval:
    """One record."""
    return Approval(
        path=".lockwarden/approvals.hcl",
        line=line,
        address=address,
        version=version,
        hashes=frozenset(hashes),
        verdict="unexplained",
        signers=(),
        by="Ann <ann@example.test>",
        at=datetime(2026, 5, 20, 9, 30, tzinfo=UTC),
        reason="built in house",
        until=until,
    )


def base(lock_file: LockFile | None, *audits: Audit, name: str = "origin/main") -> BaseSide:
    """An earlier state of the lock file."""
    return BaseSide(name=name, commit="a" * 40, lock_file=lock_file, audits=audits)


def signed_document(document: Document, signers: Sequence[str], *platforms: Platform) -> list[tuple[Hash, Observation]]:
    """What a list of the `zh` hashes of these platforms' packages makes of them, signed by all of these keys."""
    seen: list[tuple[Hash, Observation]] = []
    for each in platforms:
        seen += [(zh(str(each)), signed(each, fingerprint=signer, document=document)) for signer in signers]
        seen.append((zh(str(each)), reported(each, document=document)))
    return seen


def given_out(*platforms: Platform, refused: str = "") -> list[tuple[Hash, Observation]]:
    """What the origin's packages of these platforms hash to."""
    return [
        (make(str(each)), computed(each, package_zh=zh(str(each)), refused=refused))
        for each in platforms
        for make in (zh, h1_of)
    ]


def two_documents(linux_signers: Sequence[str], darwin_signers: Sequence[str], *downloaded: Platform) -> SourceAnswer:
    """An origin with one SHA256SUMS for each of two platforms, as registries may have it."""
    return answer(
        ORIGIN,
        *signed_document(LINUX_SUMS, linux_signers, LINUX),
        *signed_document(DARWIN_SUMS, darwin_signers, DARWIN),
        *given_out(*downloaded),
        platforms=[LINUX, DARWIN],
        packages=[package(each, zh=zh(str(each)), h1=h1_of(str(each))) for each in downloaded],
        lists=[
            zh_list(
                zh(str(LINUX)),
                zh(str(DARWIN)),
                documents=(LINUX_SUMS, DARWIN_SUMS),
                signers=[*linux_signers, *darwin_signers],
                authenticated=bool(linux_signers) and bool(darwin_signers),
            )
        ],
    )


def signed_by(*signers: str, downloaded: Iterable[Platform] = (), listed_too: Iterable[Platform] = ()) -> SourceAnswer:
    """An origin with one list that all of these keys have signed; with none, the list is unsigned and used."""
    given = tuple(downloaded)
    every = (*given, *listed_too)
    origin_document = signed_document(LINUX_SUMS, signers, *every)
    return answer(
        ORIGIN,
        *origin_document,
        *given_out(*given),
        platforms=every,
        packages=[package(each, zh=zh(str(each)), h1=h1_of(str(each)), promised=[zh(str(each))]) for each in given],
        lists=[
            zh_list(
                *(zh(str(each)) for each in every),
                documents=(LINUX_SUMS,),
                signers=signers,
                authenticated=bool(signers),
            )
        ],
    )
