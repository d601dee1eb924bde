"""Who vouches for a bundle: by a detached SSH signature over the whole file, and by a list of who may.

The signature holds no time, so that the list's windows are judged at the time of the check.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from lockwarden.core.document_signatures.allowed_signers import AllowedSigner, AllowedSigners
from lockwarden.core.document_signatures.ssh_signature import read_ssh_signature
from lockwarden.core.document_signatures.verification import is_good_ssh, touched
from lockwarden.core.values.errors import InputError

NAMESPACE: Final = "evidence@lockwarden"
"""The namespace of such signatures, as ssh-keygen calls it.

A signature over a Git commit, or over approvals, has another namespace and says nothing of evidence.
"""
SUFFIX: Final = ".sig"
"""Where the signature of a file lies: beside it, as ssh-keygen writes it."""
_SKEW: Final = timedelta(minutes=5)
"""By how much the clock of whoever recorded may be ahead of ours."""
UNSIGNED: Final = "nobody has signed it"


class Vouching(Struct, frozen=True, kw_only=True):
    """What is known of who signed a file."""

    fingerprint: str = ""
    """Of the key whose good signature for evidence it is; empty where there is none."""
    signer: str = ""
    """Whose the list says that the key is; empty where it lets that key not vouch."""
    doubt: str = UNSIGNED
    """Why nobody of the list vouches, the end of a sentence; empty where somebody does."""


def vouching_for(
    data: bytes, signature: bytes | None, signers: AllowedSigners | None, *, name: str, now: datetime
) -> Vouching:
    """Who vouches for a file. `signers` is None where nobody was named.

    Raises InputError where there is a signature that is none, for another purpose, or not over this file.
    """
    if signature is None:
        return Vouching()
    read = read_ssh_signature(signature.decode("ascii", "replace"))
    if read.namespace != NAMESPACE:
        raise InputError(
            f"the signature {name}{SUFFIX} is for “{read.namespace[:80]}”, and not for evidence",
            hint=f"sign it for {NAMESPACE}: ssh-keygen -Y sign -n {NAMESPACE} -f KEY {name}",
        )
    if not is_good_ssh(read, data):
        raise InputError(
            f"the signature {name}{SUFFIX} is not over {name}: one of them was changed, or belongs to something else",
            hint="bring both files over anew from whoever made them",
        )
    key = read.key.fingerprint
    if not touched(read):
        return Vouching(doubt=f"{key} has signed it, and nobody touched the security key that it lies in")
    if signers is None:
        return Vouching(fingerprint=key, doubt=f"{key} has signed it, and you named nobody who may vouch for evidence")
    lines = [each for each in signers.of(read.key) if each.serves(NAMESPACE)]
    if not lines:
        return Vouching(
            fingerprint=key, doubt=f"{key} has signed it, whom {signers.path} does not name for {NAMESPACE}"
        )
    holding = [each for each in lines if not each.begins_later(now) and not each.has_ended(now)]
    if not holding:
        return Vouching(fingerprint=key, doubt=f"{key} has signed it, whom {signers.path} does not name for this time")
    return Vouching(fingerprint=key, signer=_named(holding[0]), doubt="")


def in_time(vouching: Vouching, made: datetime, now: datetime, *, max_age: timedelta | None) -> Vouching:
    """The same, unless the evidence is older than it may be, or claims to be from the future."""
    if not vouching.fingerprint:
        return vouching
    if made > now + _SKEW:
        return Vouching(doubt=f"it claims to be made on {made:%Y-%m-%d}, which is in the future")
    if max_age is not None and now - made > max_age:
        return Vouching(
            doubt=f"it was made on {made:%Y-%m-%d}, and you take none that is older than {max_age.days} days"
        )
    return vouching


def _named(line: AllowedSigner) -> str:
    return ", ".join(line.principals)
