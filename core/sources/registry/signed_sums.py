"""A SHA256SUMS document with its signature judged: whether the list is used, and why not.

The list is used when it is not another release's, and a key stands behind it, or the client skips the check and nothing
enforces it. Otherwise nothing in it counts. A client may be stricter than that: it stops at the first key that it
stumbles over. It is laxer, too: it never asks which release a list is of.

Names of package form tell which release that is. One of another release makes the list that release's, unless packages
of this one are named beside it. Then the author signed both, and only those of this release count for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from lockwarden.core.evidence.observations import Document
from lockwarden.core.evidence.source_answers import DocumentSignature
from lockwarden.core.sources.registry.package_names import FileKind, FileLabel, label_of
from lockwarden.core.sources.registry.sums import Sums, SumsLine
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import (
    Conclusion,
    ConclusionKind,
    KeyJudgement,
    SignatureReport,
    SignatureState,
    conclude,
)
from lockwarden.core.values.versions import Version

_EXPIRED = frozenset({SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE})
_FAILURES = (
    (SignatureState.BAD, "its signature is bad"),
    (SignatureState.REVOKED, "it is signed with a key that was revoked"),
    (SignatureState.EXPIRED_KEY, "its key was not valid when it signed"),
    (SignatureState.EXPIRED_SIGNATURE, "its signature was not valid when it was made"),
    (SignatureState.UNDECODABLE_SIGNATURE, "its signature cannot be decoded"),
    (SignatureState.UNKNOWN_ISSUER, "none of the offered keys made its signature"),
    (SignatureState.UNDECODABLE_KEY, "the offered signing key cannot be decoded"),
)
"""What a failed signature means, the most telling first."""
_NAMED = 3
"""Releases that a sentence names."""


class SignedSums(Struct, frozen=True, kw_only=True, dict=True):
    """One list of checksums of one release, as it was fetched and judged."""

    address: ProviderAddress
    version: Version
    document: Document
    sums: Sums
    report: SignatureReport
    settings: ClientSettings

    @cached_property
    def conclusion(self) -> Conclusion:
        """What the client would conclude from the signature."""
        return conclude(self.report, host=self.address.hostname.ascii, settings=self.settings)

    @property
    def signature(self) -> DocumentSignature:
        """The signature as the answer shows it."""
        return DocumentSignature(
            document=self.document,
            judgements=self.report.judgements,
            issuers=self.report.issuers,
            conclusion=self.conclusion,
        )

    @cached_property
    def signers(self) -> tuple[KeyJudgement, ...]:
        """The judgements that stand behind the document and that the settings do not refuse."""
        return tuple(each for each in self.report.vouching if not self.enforced_against(each))

    def enforced_against(self, judgement: KeyJudgement) -> str:
        """Why the settings refuse a judgement that would vouch otherwise; empty when they do not."""
        if self.settings.enforce_expiration and judgement.state in _EXPIRED:
            return "the settings refuse what has expired since it was signed"
        return ""

    @cached_property
    def unsigned(self) -> str:
        """Why the list is not used, as far as its signature goes; a sentence's end, empty when it is used."""
        if self.signers or self.conclusion.kind is ConclusionKind.SKIPPED:
            return ""
        if not self.report.judgements:
            return "the registry offers no signing key, and the client demands one"
        states = {judgement.state for judgement in self.report.judgements}
        if self.report.vouching:
            return "every key that stands behind it has expired, which the settings refuse"
        return next(text for state, text in _FAILURES if state in states)

    @cached_property
    def misplaced(self) -> str:
        """Why the list is not of this release at all; empty when it may be.

        Only names of package form decide, but where every name says another release.
        """
        kinds = {label.kind for label in self._labels.values()}
        if FileKind.PACKAGE in kinds:
            return ""
        if FileKind.FOREIGN_PACKAGE in kinds or kinds == {FileKind.FOREIGN}:
            return f"it seems to be the list of {self.other_releases}, and names no package of {self.release}"
        return ""

    @property
    def release(self) -> str:
        """How sentences call the release."""
        return f"{self.address.type} {self.version}"

    @property
    def other_releases(self) -> str:
        """Which other releases the names speak of, those of packages first; the end of a sentence."""
        told = {
            label.release[:80]: None
            for kind in (FileKind.FOREIGN_PACKAGE, FileKind.FOREIGN)
            for label in self._labels.values()
            if label.kind is kind
        }
        more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
        return f"{', '.join(list(told)[:_NAMED])}{more}"

    @property
    def says_nothing(self) -> bool:
        """Whether no name of the list says which release it is of, so that the signature may be over any."""
        return bool(self.sums.lines) and not any(
            label.kind in {FileKind.PACKAGE, FileKind.FOREIGN_PACKAGE} for label in self._labels.values()
        )

    def foreign(self, line: SumsLine) -> str:
        """Why a line says nothing of this release; a sentence's end, empty when it may."""
        label = self.label(line)
        return f"the line is for a package of {label.release[:80]}" if label.kind is FileKind.FOREIGN_PACKAGE else ""

    @cached_property
    def hashes(self) -> frozenset[Hash]:
        """The hashes that the list gives for this release."""
        return frozenset(line.hash for line in self.sums.lines if not self.foreign(line))

    @cached_property
    def names_of(self) -> Mapping[Platform, frozenset[str]]:
        """The names that the list has for each platform's package, as far as the names themselves say it."""
        found: defaultdict[Platform, set[str]] = defaultdict(set)
        for name, label in self._labels.items():
            if label.platform is not None:
                found[label.platform].add(name)
        return {platform: frozenset(names) for platform, names in found.items()}

    @property
    def refused(self) -> str:
        """Why nothing in the list counts; a sentence's end, empty when the list is used."""
        return self.unsigned or self.misplaced

    @property
    def authenticated(self) -> bool:
        """Whether a signature that counts covers the document."""
        return bool(self.signers)

    def label(self, line: SumsLine) -> FileLabel:
        """What a line's file name is to this release."""
        return self._labels[line.file_name]

    @cached_property
    def _labels(self) -> Mapping[str, FileLabel]:
        names = dict.fromkeys(line.file_name for line in self.sums.lines)
        return {name: label_of(name, type_name=self.address.type, version=self.version) for name in names}

    @property
    def platforms(self) -> frozenset[Platform]:
        """The platforms that have a package in the list, by the file names."""
        return frozenset(self.names_of)
