"""Every word that can be on a screen, with what it means: for the help. Pure.

Words of enums stand here by the enum's member, so that a word that is new and has no meaning is found by a test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from lockwarden.core.coverage.outcomes import Installability
from lockwarden.core.evidence.dispositions import Summary
from lockwarden.core.evidence.source_answers import Outcome, SourceKind
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.reports.meanings import SUBJECTS
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.rows import NOT_A_PACKAGE, UNKNOWN_PLATFORM
from lockwarden.core.values.signing_keys import KeyState, SignatureState
from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.render.styles import DASH, REMOVED

Words = tuple[tuple[str, str], ...]
_Word = TypeVar("_Word", bound=StrEnum)
COLUMNS: Final[Words] = (
    ("Chg", "with a base: the hash came in with the change, or the change took it out"),
    ("Platform", "whose package has the hash"),
    ("Reg", "the origin registry lists the hash as its own"),
    ("Loc", "it was computed here from a package that passed its source's checks"),
    ("Signed by", "the IDs of the keys whose signature covers it"),
    ("blank platform", "the hash is of the same package as the one above it"),
    (UNKNOWN_PLATFORM, "as a platform: no package that was looked at, and no list that was read, has the hash"),
    (
        NOT_A_PACKAGE,
        "as a platform: the list of checksums has the hash for another file, such as a manifest; clients record it",
    ),
    (DASH, "in a column: nothing; as a decision: there is nothing to decide"),
    ("+1 after a name", "so many more platforms or keys; ⟨open⟩ shows all of them"),
    ("▸ before a hash", "it is marked, and the next decision is for all that are"),
)
DECISIONS: Final[Mapping[Decision, str]] = MappingProxyType(
    {
        Decision.KEEP: "the hash stays in the lock file",
        Decision.ADD: "it comes into the lock file when that is written",
        Decision.DROP: "it goes out of the lock file when that is written",
        Decision.UNDECIDED: "nobody has decided, and the lock file stays as it is",
    }
)
ANSWERS: Final[Mapping[Answer, str]] = MappingProxyType(
    {
        Answer.UNREADABLE: "the lock file, or what it is held against, could not be read",
        Answer.UNWRITTEN: "the lock file was reviewed and could not be written",
        Answer.FINDINGS: "something speaks against committing the lock file as it is",
        Answer.INCOMPLETE: "nothing speaks against it, and something could not be checked",
        Answer.CHECKING: "results are still coming in, and nothing speaks against it so far",
        Answer.READING: "the lock file is being read",
        Answer.EMPTY: "there is nothing to review",
        Answer.GOOD: "everything was checked, and nothing speaks against it",
    }
)
OUTCOMES: Final[Mapping[Outcome, str]] = MappingProxyType(
    {
        Outcome.ANSWERED: "the source said what it has",
        Outcome.NOT_THERE: "the source answered that it does not have the version, or not for the platform",
        Outcome.NO_ANSWER: "the source was asked, and its answer could not be had or used",
        Outcome.NOT_ASKED: "nobody asked it, such as offline; that is no answer and proves nothing",
    }
)
SOURCES: Final[Mapping[SourceKind, str]] = MappingProxyType(
    {
        SourceKind.DIRECT: "each provider's origin registry, the host in its address",
        SourceKind.NETWORK_MIRROR: "a server that gives out copies of packages; it vouches for nothing unless trusted",
        SourceKind.FILESYSTEM_MIRROR: "a folder of packages, in the clients' layout",
        SourceKind.PLUGIN_CACHE: "the folder in which a client keeps unpacked providers",
        SourceKind.INSTALLED: "what a client has installed beside a configuration",
        SourceKind.OCI_MIRROR: "a registry of container images that gives out packages of providers",
    }
)
SUMMARIES: Final[Mapping[Summary, str]] = MappingProxyType(
    {
        Summary.SIGNED: "as a client would say: some hash is covered by a signature that counts",
        Summary.SIGNING_SKIPPED: "as a client would say: the registry offers no key, so that nothing is signed",
        Summary.VERIFIED_CHECKSUM: "as a client would say: the package matches a checksum that nobody signed",
        Summary.UNAUTHENTICATED: "as a client would say: nothing vouches for the package",
    }
)
SIGNATURES: Final[Mapping[SignatureState, str]] = MappingProxyType(
    {
        SignatureState.GOOD: "the key made this signature over this document",
        SignatureState.EXPIRED_KEY: "the signature is right, and the key has expired since, or begins in the future",
        SignatureState.EXPIRED_SIGNATURE: "the signature is right, and its own time is over or has not come",
        SignatureState.REVOKED: "the signature is right, and its key, subkey or every user ID was revoked",
        SignatureState.BAD: "the key is there and did not sign this document",
        SignatureState.UNKNOWN_ISSUER: "no offered key made the signature, or the one that did may not sign",
        SignatureState.UNDECODABLE_KEY: "what was offered as a key is none that can be read",
        SignatureState.UNDECODABLE_SIGNATURE: "what was offered as a signature is none that can be read",
    }
)
KEYS: Final[Mapping[KeyState, str]] = MappingProxyType(
    {
        KeyState.VALID: "of a key: it is in force today",
        KeyState.EXPIRED: "of a key: its time is over, or has not come",
        KeyState.REVOKED: "of a key: its owner has withdrawn it",
    }
)
COVERAGE: Final[Mapping[Installability, str]] = MappingProxyType(
    {
        Installability.FAILS: "init fails, or nothing can run after it",
        Installability.ANYTHING: "init succeeds with whatever the source gives out: nothing is compared",
        Installability.NEEDS_WRITING: "init succeeds, and nothing can run unless it may add an h1 to the lock file",
        Installability.OPEN: "the package was not looked at, or could not be",
        Installability.WORKS: "init succeeds, and so does what runs after it",
        Installability.UNUSED: "a cache that the client passes over, which harms nobody",
    }
)
PINNING: Final[Mapping[Pinning, str]] = MappingProxyType(
    {
        Pinning.IMMUTABLE: "of a module's source: it names its content by a digest or a commit",
        Pinning.NAMED: "of a module's source: it names a release, and whoever holds the name can move it",
        Pinning.FLOATING: "of a module's source: it means the newest there is, or whatever lies there",
        Pinning.LOCAL: "of a module's source: a folder of the same package",
        Pinning.UNKNOWN: "of a module's source: its value cannot be known without running the configuration",
        Pinning.REFUSED: "of a module's source: the client does not install it",
    }
)
INSTALLED: Final[Mapping[InstalledState, str]] = MappingProxyType(
    {
        InstalledState.INSTALLED: "a client has the module here",
        InstalledState.NOT_INSTALLED: "no client has installed the module here, as far as is written down",
        InstalledState.MISSING: "it is written down as installed, and its folder is not there",
        InstalledState.OTHER_SOURCE: "what lies there was asked for by another address than the call has now",
    }
)
AUDIT: Final[Words] = (
    ("waiting", "the provider's audit has not begun, or its results have not come yet"),
    ("asking …", "the source has been asked and has not answered yet"),
    ("packages looked at", "downloaded or found in the cache, hashed, and read member by member"),
    ("3/5 platforms hashed", "of so many of the release's platforms the package was looked at"),
    ("retries", "requests that failed in a way that may pass, and were or will be sent again"),
    ("cancelled, failed", "the audit ended early; what is known stays, and ⟨ask again⟩ asks again"),
    ("changed on disk", "the lock file is no longer what was read: ⟨ask again⟩ reads it again, and decisions stay"),
    ("trusted", "a rule of the policy names the key or the mirror for the provider"),
    ("not trusted", "the policy names other keys for the provider, so that this one is an alarm"),
    ("held against", "the policy, the approvals and the base by which the lock file is judged"),
)
SIGNS: Final[Words] = (
    ("✓", "good: it vouches, works, answered, or is in force"),
    ("✗", "bad: it speaks against committing"),
    ("▲", "a warning, or a change to look at"),
    ("!", "something to look at that is neither good nor bad"),
    ("?", "open: not asked, not answered, or not looked at"),
    ("+", "would come in"),
    (REMOVED.glyph, "was removed"),
    ("·", "a note, or something that nobody has to decide"),
    ("●", "decisions that are not in the lock file yet"),
    ("…", "still waiting"),
    ("→", "what to do about it"),
)


def sections() -> Iterator[tuple[str, Words]]:
    """All words but the verdicts, which have a look of their own, by subject."""
    yield "Columns", _with_keys(COLUMNS)
    yield "Signs", SIGNS
    yield "Decisions", _words(DECISIONS)
    yield "What the review comes to", _words(ANSWERS)
    yield "What sources are and say", (*_words(SOURCES), *_words(OUTCOMES))
    yield "The audit", _with_keys(AUDIT)
    yield "Signatures and keys", (*_words(SUMMARIES), *_words(SIGNATURES), *_words(KEYS))
    yield "Where a client would install", _words(COVERAGE)
    yield "Modules", (*_words(PINNING), *_words(INSTALLED))
    for subject, table in SUBJECTS.items():
        yield f"Problems: {subject}", tuple((each.name, each.sense) for each in table.values())


def _with_keys(words: Words) -> Words:
    return tuple((word, with_keys(meaning)) for word, meaning in words)


def _words(table: Mapping[_Word, str]) -> Words:
    return tuple((str(word), meaning) for word, meaning in table.items())
