"""A SHA256SUMS document with its signature judged: whether the list is used, and why not.

The list is used when a key stands behind it, or when the client skips the check and nothing enforces it. Otherwise
nothing in it counts. A client may be stricter than that: it stops at the first key that it stumbles over.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from lockwarden.core.addresses import ProviderAddress
from lockwarden.core.clients import ClientSettings
from lockwarden.core.findings import DocumentSignature
from lockwarden.core.keys import (
    Conclusion,
    ConclusionKind,
    KeyJudgement,
    SignatureReport,
    SignatureState,
    conclude,
)
from lockwarden.core.observations import Document
from lockwarden.core.platforms import Platform
from lockwarden.core.sources.registry.package_names import FileKind, FileLabel, label_of
from lockwarden.core.sources.registry.sums import Sums, SumsLine
from lockwarden.core.versions import Version

_EXPIRED = frozenset({SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE})
_FAILURES = (
    (SignatureState.BAD, "its signature is bad: it was made over another document, or the document was changed since"),
    (SignatureState.REVOKED, "it is signed with a key that was revoked"),
    (SignatureState.EXPIRED_KEY, "its key was not valid when it signed"),
    (SignatureState.EXPIRED_SIGNATURE, "its signature was not valid when it was made"),
    (SignatureState.UNDECODABLE_SIGNATURE, "its signature cannot be decoded"),
    (SignatureState.UNKNOWN_ISSUER, "none of the offered keys made its signature"),
    (SignatureState.UNDECODABLE_KEY, "the offered signing key cannot be decoded"),
)
"""What a failed signature means, the most telling first."""


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
        """The signature as the finding shows it."""
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
        """Why the list is not of this release at all; empty when some line of it may be."""
        kinds = {self.label(line).kind for line in self.sums.lines}
        if kinds == {FileKind.FOREIGN}:
            return f"it names files of other providers or versions only, none of {self.address.type} {self.version}"
        return ""

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
        return label_of(line.file_name, type_name=self.address.type, version=self.version)

    @cached_property
    def platforms(self) -> frozenset[Platform]:
        """The platforms that have a package in the list, by the file names."""
        labels = (self.label(line) for line in self.sums.lines)
        return frozenset(label.platform for label in labels if label.platform is not None)
