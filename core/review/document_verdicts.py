"""What a signature over a file of approvals came to, as a value; how it is judged is in `signed_approvals`."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme


class DocumentVerdict(Struct, frozen=True, kw_only=True):
    """What came of the signature over one file of approvals."""

    state: EvidenceState
    scheme: SignatureScheme | None = None
    """None where nobody can tell."""
    signer: str = ""
    """The key's fingerprint, the whole key, or an ID where the key is not known; may be empty."""
    owner: str = ""
    """Whose key it is, by the policy or the list of allowed signers."""
    detail: str = ""
    """The reason behind the state in a few words; empty for a good one."""
    serial: int = 0
    replayed: str = ""
    """Why the file is an older one, so that its signature counts for nothing, however good it is."""
    age_unknown: str = ""
    """Why nobody knows whether the file is an older one, which is as good as if it were."""

    @property
    def counts(self) -> bool:
        """A good signature by a key that every policy which counts names, over a file that is known as no older one."""
        return self.state is EvidenceState.GOOD and not self.replayed and not self.age_unknown

    @property
    def who(self) -> str:
        """The signer in words; empty where nobody can tell."""
        return f"{self.owner} ({self.signer})" if self.owner else self.signer
