"""What is known about signing keys and about one detached signature: values only, no gpg.

The adapter in `lockwarden.core.signatures` fills these in; `conclude` answers what a client would make of them.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum, StrEnum, auto
from typing import Final, assert_never

from msgspec import Struct

from lockwarden.core.values.clients import Client, ClientSettings

DOES_NOT_FIT: Final = "it does not fit this document"
"""The detail of a signature that is bad because it is over something else."""


class SignatureState(StrEnum):
    """What one offered key block says about the signature.

    Several things may be wrong at once; the state names the first in the clients' order: wrong, revoked, key expired,
    signature expired.
    """

    GOOD = "good"
    EXPIRED_KEY = "expired key"
    """The signature is right; the key or subkey that made it has expired since, or was made in the future."""
    EXPIRED_SIGNATURE = "expired signature"
    """The signature is right and limited in time, and its time is over or has not come."""
    REVOKED = "revoked key"
    """The signature is right; the key, the subkey that made it, or every user ID of the key was revoked."""
    BAD = "bad signature"
    """The key is there, and did not sign this document, or not so that anybody may rely on it."""
    UNKNOWN_ISSUER = "unknown issuer"
    """No key in the block made the signature, or the one that did may not sign. The clients go on to the next block."""
    UNDECODABLE_KEY = "undecodable key"
    UNDECODABLE_SIGNATURE = "undecodable signature"


class KeyState(StrEnum):
    """Whether a primary key is in force today; one that was made in the future counts as expired, as in the clients."""

    VALID = "valid"
    EXPIRED = "expired"
    REVOKED = "revoked"


class KeySeen(Struct, frozen=True, kw_only=True):
    """One primary key that a source offered. User IDs are claims: nothing here proves who holds the key."""

    fingerprint: str
    """All hexadecimal digits of the primary key's fingerprint, upper case."""
    key_id: str
    """The last 16 digits of the fingerprint, which is what the clients print."""
    user_ids: tuple[str, ...]
    algorithm: str
    """Algorithm and size in the usual short form: `rsa4096`, `ed25519`, `nistp256`."""
    created: datetime | None
    expires: datetime | None
    state: KeyState
    signing_subkeys: tuple[str, ...] = ()
    """Fingerprints of the subkeys that may sign documents, expired and revoked ones included."""
    armor: str = ""
    """The block that the source offered, exactly."""
    notes: tuple[str, ...] = ()
    """What of the key is not shown here, and why: sentence parts for people."""


class KeyJudgement(Struct, frozen=True, kw_only=True):
    """What one offered block says about the signature, judged on its own."""

    position: int
    """Place of the block in the source's answer, from 0; the clients stop at the first that decides."""
    state: SignatureState
    keys: tuple[KeySeen, ...] = ()
    """The primary keys in the block; the first is the one that `state` speaks of when it found the issuer."""
    fingerprint: str = ""
    """The primary key's fingerprint, when the issuer was found in this block."""
    signing_fingerprint: str = ""
    """The fingerprint of the key or subkey that made the signature, when the issuer was found."""
    signed_at: datetime | None = None
    """The time that the signature claims."""
    valid_when_signed: bool = False
    """Whether the signature is right, and the signing key and its primary key existed and had not expired at the time
    that the signature claims. Its maker can claim any time."""
    detail: str = ""
    """The reason in a few words where there is one: a revocation's cause, what expired, why a block is undecodable."""

    @property
    def key_id(self) -> str:
        """The primary key's 16-digit ID, or the empty string."""
        return self.fingerprint[-16:]

    @property
    def vouches(self) -> bool:
        """Whether this key stands behind the document: a good signature, or one that has merely expired since."""
        match self.state:
            case SignatureState.GOOD:
                return True
            case SignatureState.EXPIRED_KEY | SignatureState.EXPIRED_SIGNATURE:
                return self.valid_when_signed
            case (
                SignatureState.REVOKED
                | SignatureState.BAD
                | SignatureState.UNKNOWN_ISSUER
                | SignatureState.UNDECODABLE_KEY
                | SignatureState.UNDECODABLE_SIGNATURE
            ):
                return False
            case never:
                assert_never(never)


class SignatureReport(Struct, frozen=True, kw_only=True):
    """All that the offered keys say about one detached signature over one document."""

    judgements: tuple[KeyJudgement, ...]
    """One for each offered block, in the source's order. Empty when no key was offered."""
    issuers: tuple[str, ...] = ()
    """Fingerprints (or 16-digit IDs, where the packet has no more) that the signature names as its makers."""
    digest_algorithms: tuple[str, ...] = ()
    """The digest of each signature in the file, such as `sha512`; `sha1` and `md5` are weak."""

    @property
    def vouching(self) -> tuple[KeyJudgement, ...]:
        """The judgements that stand behind the document, beyond what a client would look at."""
        return tuple(judgement for judgement in self.judgements if judgement.vouches)


class ConclusionKind(StrEnum):
    """How a client ends its look at a signature."""

    ACCEPTED = "accepted"
    SKIPPED = "skipped"
    REFUSED = "refused"


class Conclusion(Struct, frozen=True, kw_only=True):
    """What a client would conclude from the same signature and keys."""

    kind: ConclusionKind
    key_id: str = ""
    """The primary key ID that the client would print, when it accepted."""
    expired: bool = False
    """It accepted a key or signature that has expired."""
    reason: str = ""
    """Why it refused or skipped."""


def conclude(report: SignatureReport, *, host: str, settings: ClientSettings) -> Conclusion:
    """What the client of `settings` would conclude for a provider on `host`: the first key that decides ends it.

    OpenTofu skips verification when its own registry offers no key and nothing enforces it; Terraform never skips.
    OpenTofu remembers an expired key or signature and accepts it when no later key is good; Terraform accepts an
    expired key at once and refuses an expired signature. All else but an unknown issuer ends the search with a refusal.
    """
    if not report.judgements:
        kind = ConclusionKind.SKIPPED if settings.takes_unsigned(host) else ConclusionKind.REFUSED
        return Conclusion(kind=kind, reason="the registry offers no signing key")
    expired: KeyJudgement | None = None
    for judgement in report.judgements:
        match _step(judgement.state, settings.client):
            case _Step.ACCEPT:
                is_expired = judgement.state is not SignatureState.GOOD
                return Conclusion(kind=ConclusionKind.ACCEPTED, key_id=judgement.key_id, expired=is_expired)
            case _Step.REMEMBER:
                expired = expired or judgement
            case _Step.NEXT:
                pass
            case _Step.REFUSE:
                return Conclusion(kind=ConclusionKind.REFUSED, reason=_refusal(judgement))
            case never:
                assert_never(never)
    if expired is None:
        return Conclusion(kind=ConclusionKind.REFUSED, reason="no offered key made the signature (unknown issuer)")
    if settings.enforce_expiration:
        return Conclusion(kind=ConclusionKind.REFUSED, reason=f"nothing but an {expired.state} verifies")
    return Conclusion(kind=ConclusionKind.ACCEPTED, key_id=expired.key_id, expired=True)


class _Step(Enum):
    """What a client does after it has looked at one block."""

    ACCEPT = auto()
    REMEMBER = auto()
    NEXT = auto()
    REFUSE = auto()


def _step(state: SignatureState, client: Client) -> _Step:
    match state:
        case SignatureState.GOOD:
            return _Step.ACCEPT
        case SignatureState.UNKNOWN_ISSUER:
            return _Step.NEXT
        case SignatureState.EXPIRED_KEY:
            return _Step.REMEMBER if client is Client.OPENTOFU else _Step.ACCEPT
        case SignatureState.EXPIRED_SIGNATURE:
            return _Step.REMEMBER if client is Client.OPENTOFU else _Step.REFUSE
        case (
            SignatureState.REVOKED
            | SignatureState.BAD
            | SignatureState.UNDECODABLE_KEY
            | SignatureState.UNDECODABLE_SIGNATURE
        ):
            return _Step.REFUSE
        case never:
            assert_never(never)


def _refusal(judgement: KeyJudgement) -> str:
    detail = f" ({judgement.detail})" if judgement.detail else ""
    return f"key {judgement.position + 1} of those offered ends the search: {judgement.state}{detail}"
