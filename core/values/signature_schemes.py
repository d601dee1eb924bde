"""The ways to sign, and what is known of one signature beside GPG's: values only, nothing is verified here.

What GPG says of a signature is in `lockwarden.core.values.signing_keys`. Here stands what the other schemes share.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct


class SignatureScheme(StrEnum):
    """How a signature was made, which says what can be known of its maker."""

    GPG = "gpg"
    COSIGN_KEY = "cosign-key"
    SIGSTORE = "sigstore"
    NOTATION = "notation"
    SSHSIG = "sshsig"
    MINISIGN = "minisign"
    SIGNIFY = "signify"


MINISIGN_SCHEMES: Final = frozenset({SignatureScheme.MINISIGN, SignatureScheme.SIGNIFY})
"""Schemes whose keys have no fingerprint, so that a policy names them whole."""
DOCUMENT_SCHEMES: Final = MINISIGN_SCHEMES | {SignatureScheme.SSHSIG}
"""Schemes by which approvals are signed; their signatures name or need no file with a key."""
KEY_SCHEMES: Final = DOCUMENT_SCHEMES | {SignatureScheme.COSIGN_KEY}
"""Schemes beside GPG whose keys a policy can name."""
SUPPORTED_SCHEMES: Final = KEY_SCHEMES | {SignatureScheme.GPG, SignatureScheme.SIGSTORE}
"""Schemes whose signatures a policy can require."""


class SignedKind(StrEnum):
    """What sort of document a signature covers."""

    SHA256SUMS = "sha256sums"
    OCI_INDEX = "oci-index"
    OCI_MANIFEST = "oci-manifest"
    PACKAGE = "package"
    STATEMENT = "statement"
    APPROVALS = "approvals"


class EvidenceState(StrEnum):
    """What came of checking one signature that is not GPG's."""

    GOOD = "good"
    NO_KNOWN_KEY = "no known key"
    """No key that the policy names made it, as far as can be told."""
    BAD = "bad signature"
    """It fails under the very key that it names."""
    MALFORMED = "malformed"
    UNSUPPORTED = "unsupported"
    SOMETHING_ELSE = "of something else"
    """The signature is right, and what it signs is not what it lies beside."""
    KEY_EXPIRED = "key expired"
    KEY_NOT_YET_VALID = "key not yet valid"
    KEY_REVOKED = "key revoked"
    CERTIFICATE_NOT_VALID = "certificate not valid at signing"
    IDENTITY_MISMATCH = "identity mismatch"
    LOG_PROOF_MISSING = "log proof missing"
    LOG_UNKNOWN = "log unknown"


class LogState(StrEnum):
    """Whether a public log was shown to hold the signature."""

    VERIFIED = "verified"
    NONE = "none"
    """The signature came with no entry of a log."""
    NOT_CHECKED = "not checked"
    """It came with one, which nobody looked at."""


class Signer(Struct, frozen=True, kw_only=True, order=True):
    """Who made a signature, as its scheme can tell: a key, or an identity that an issuer vouched for.

    Whether that is the right one is for the policy to say.
    """

    scheme: SignatureScheme
    fingerprint: str = ""
    """The key's, as the scheme's own tools write it: `sha256:` and 64 digits, or `SHA256:` and base64."""
    issuer: str = ""
    subject: str = ""
    """What the issuer vouched for: an address of mail, or of a workflow."""
    source_repository: str = ""
    source_ref: str = ""

    @property
    def name(self) -> str:
        """The whole name: what tells this signer from every other."""
        if self.fingerprint:
            return self.fingerprint
        if not self.subject:
            return ""
        built = f", built from {self.source_repository}" if self.source_repository else ""
        ref = f" at {self.source_ref}" if self.source_ref else ""
        return f"{self.subject} by {self.issuer}{built}{ref}"

    @property
    def short(self) -> str:
        """Sixteen characters for a narrow column; others can have the same ones."""
        prefix = self.scheme.partition("-")[0]
        value = self.fingerprint.rpartition(":")[2] or self.subject.rpartition("/")[2]
        return f"{prefix} {value}"[:16]


class SignedDocument(Struct, frozen=True, kw_only=True):
    """What a signature covers."""

    kind: SignedKind
    digest: str
    """`sha256:` and 64 digits of the bytes."""
    name: str = ""
    """How people know it."""
