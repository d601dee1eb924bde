"""Source answers: what one source said about one provider version; and audits: all of them for a provider version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.dispositions import HashDisposition, Summary, fold, summarize
from lockwarden.core.evidence.observations import Basis, Document, Observation
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import Conclusion, KeyJudgement, KeySeen
from lockwarden.core.values.versions import Version

DIRECT: Final = "direct"
"""Stands for each provider's own origin registry."""


class SourceKind(StrEnum):
    """The kinds of places packages come from."""

    DIRECT = "direct"
    NETWORK_MIRROR = "network mirror"
    FILESYSTEM_MIRROR = "filesystem mirror"
    PLUGIN_CACHE = "plugin cache"
    INSTALLED = "installed providers"
    OCI_MIRROR = "OCI mirror"


class SourceRef(Struct, frozen=True, kw_only=True):
    """Which source: a short name that is unique in an audit, its kind, and where it is."""

    id: str
    kind: SourceKind
    location: str

    @property
    def is_origin(self) -> bool:
        """Whether the source is the origin registry, which alone may report hashes as its own."""
        return self.kind is SourceKind.DIRECT


class Problem(Struct, frozen=True, kw_only=True):
    """Something that a person should know about a source's answer or an entry, beyond the verdict on one hash."""

    code: ProblemCode
    severity: Severity
    message: str
    hint: str = ""
    source: str = ""
    """The source's id, or empty when the problem is of the entry itself."""


class Outcome(StrEnum):
    """How a question to a source ended. *Not there* and *no answer* are different facts."""

    ANSWERED = "answered"
    NOT_THERE = "not there"
    NO_ANSWER = "no answer"
    NOT_ASKED = "not asked"


class PackageFacts(Struct, frozen=True, kw_only=True):
    """One platform's package at one source: where it is, what its bytes hash to, and what a client would make of it."""

    platform: Platform
    outcome: Outcome
    location: str = ""
    basis: Basis = Basis.ARCHIVE
    size: int | None = None
    """Bytes of the archive."""
    zh: Hash | None = None
    h1_archive: Hash | None = None
    """`h1` over the archive's entries, directory entries listed."""
    h1_directory: Hash | None = None
    """`h1` of the directory that a client would extract, which is the one that it records."""
    promised: frozenset[Hash] = frozenset()
    """Hashes that the source promised for this package and that its bytes keep."""
    client_refusal: str = ""
    """Why a client would refuse to install it from here with an empty lock file; empty when it would not."""
    detail: str = ""
    """Why there is no package, when there is none."""
    hint: str = ""
    """What may help to get it; empty when nothing is known to."""

    @property
    def h1s(self) -> frozenset[Hash]:
        """The `h1` hashes of the package, one where archive and directory agree."""
        return frozenset(each for each in (self.h1_archive, self.h1_directory) if each is not None)

    @property
    def hashes(self) -> frozenset[Hash]:
        """Every hash that was computed from the package."""
        return self.h1s if self.zh is None else self.h1s | {self.zh}


class OciChain(Struct, frozen=True, kw_only=True):
    """How a package was reached in an OCI registry: every step after the tag is named by the digest of its bytes."""

    repository: str
    """Registry and path."""
    tag: str
    index_digest: str = ""
    """What the tag led to when it was read, whatever it is; empty when it was not learned."""
    platform: Platform | None = None
    """None where the chain ends before it divides by platform."""
    manifest_digest: str = ""
    layer_digests: tuple[str, ...] = ()
    """As the manifest names them, lowest first. A package that is an archive has one, whose digits are its `zh`."""
    credentials: str = ""
    """Where the credentials came from that the registry was asked with, or `anonymous`; never a secret."""


class HashList(Struct, frozen=True, kw_only=True):
    """A list of one scheme's hashes that the origin registry stands behind."""

    scheme: str
    documents: tuple[Document, ...]
    hashes: frozenset[Hash]
    complete: bool
    """The list covers every platform of the release, so that absence from it means something."""
    authenticated: bool
    """A signature that counts covers every document of it."""
    signers: frozenset[str] = frozenset()
    """Primary fingerprints of the keys whose signature counts."""


class DocumentSignature(Struct, frozen=True, kw_only=True):
    """What the offered keys say of one signed document, and what a client would conclude."""

    document: Document
    judgements: tuple[KeyJudgement, ...]
    issuers: tuple[str, ...]
    conclusion: Conclusion


class Unlisted(Struct, frozen=True, kw_only=True):
    """What a mirror answers for a version that its list does not name. A client asks for that where another method
    lists the version."""

    platforms: frozenset[Platform] = frozenset()
    """The platforms that it gives packages for all the same."""
    failure: str = ""
    """Why it gives no list of archives, one sentence; empty where it gives one."""


class SourceAnswer(Struct, frozen=True, kw_only=True):
    """What one source said about one provider version. A failed source is a value here, never an exception."""

    source: SourceRef
    outcome: Outcome
    detail: str = ""
    """Why there is no answer, or what is not there; one sentence."""
    hint: str = ""
    """What may help to get one; empty when nothing is known to."""
    ended_at: Stage | None = None
    """The request that failed, or that was answered with “not there”; None where none did."""
    unlisted: Unlisted | None = None
    """None where it was not asked for, which is usual."""
    observations: tuple[tuple[Hash, Observation], ...] = ()
    packages: tuple[PackageFacts, ...] = ()
    platforms: frozenset[Platform] | None = None
    """Every platform of the release that the source knows of; None when it does not say."""
    absent: frozenset[Platform] = frozenset()
    """Those of them of which there is certainly no package: the source has none, and no list of packages names one."""
    lists: tuple[HashList, ...] = ()
    signatures: tuple[DocumentSignature, ...] = ()
    keys: tuple[KeySeen, ...] = ()
    problems: tuple[Problem, ...] = ()
    chains: tuple[OciChain, ...] = ()
    """How the packages were reached, where the source is an OCI mirror; one a platform that was looked at."""
    other_signatures: tuple[SeenSignature, ...] = ()
    """Every signature beside GPG's that was found, also those that cover no hash that is known or are worth nothing."""
    signature_gaps: tuple[str, ...] = ()
    """Where nobody could look for such signatures; sentences. While there are any, none is not “unsigned”."""
    token_hosts: tuple[str, ...] = ()
    """Hosts in comparison form that were sent the token for this source."""

    def package(self, platform: Platform) -> PackageFacts | None:
        """The facts about one platform's package, or None when it was not asked for."""
        return next((each for each in self.packages if each.platform == platform), None)


class Audit(Struct, frozen=True, kw_only=True, dict=True):
    """All answers about one provider version, in the order of the sources."""

    address: ProviderAddress
    version: Version
    source_answers: tuple[SourceAnswer, ...]
    problems: tuple[Problem, ...] = ()
    """What the operator's own settings mean for it, whatever the sources say."""
    chain: tuple[str, ...] = ()
    """Ids of the sources that are the installation methods of a client for the provider, in its order. Empty where the
    sources are no such chain, but were named one by one."""
    recorded: RecordedEvidence | None = None
    """The evidence bundle that told the answers; None where the sources were asked now."""

    @cached_property
    def observations(self) -> Mapping[Hash, tuple[Observation, ...]]:
        """Every observation by the hash that it is about, in the order of the answers."""
        found: defaultdict[Hash, list[Observation]] = defaultdict(list)
        for answer in self.source_answers:
            for hash_, observation in answer.observations:
                found[hash_].append(observation)
        return {hash_: tuple(seen) for hash_, seen in found.items()}

    @cached_property
    def dispositions(self) -> Mapping[Hash, HashDisposition]:
        """The fold of each hash's observations."""
        return {hash_: fold(seen) for hash_, seen in self.observations.items()}

    @cached_property
    def summary(self) -> Summary:
        """The one word that OpenTofu would print for what these sources say together."""
        kept = any(
            package.promised and not package.client_refusal for f in self.source_answers for package in f.packages
        )
        return summarize(self.dispositions.values(), promise_kept=kept)

    @cached_property
    def client_word(self) -> Summary | None:
        """The same, or None where no source answered: then a client installs nothing, and prints no word."""
        answered = any(answer.outcome is Outcome.ANSWERED for answer in self.source_answers)
        return self.summary if answered else None

    @cached_property
    def origin(self) -> SourceAnswer | None:
        """The origin registry's answer, or None when it is not among the sources."""
        return next((answer for answer in self.source_answers if answer.source.is_origin), None)
