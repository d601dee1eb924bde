"""How much of a signature, a key and gpg's answers is looked at."""

from __future__ import annotations

from msgspec import Struct


class SignatureLimits(Struct, frozen=True, kw_only=True):
    """Bounds that no honest release comes near; what passes one is not judged, and its detail names the limit."""

    blocks: int = 64
    """Offered key blocks."""
    armor_bytes: int = 1 << 20
    signature_bytes: int = 64 << 10
    document_bytes: int = 64 << 20
    keys: int = 256
    """Keys and subkeys in one block."""
    seconds: float = 20.0
    """For one run of gpg; then it is killed."""
    output_bytes: int = 8 << 20
    """Of gpg's listing, and of its status lines."""
    user_ids: int = 64
    """Shown of one key."""
    user_id_bytes: int = 1024
    """Shown of one user ID."""
    cached_blocks: int = 256
    """Key blocks that are remembered, since several providers share a key."""
    cached_bytes: int = 16 << 20
    """Of what is remembered of them."""
