"""What many repositories rely on, as JSON: providers, versions, keys, and where they drift."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from lockwarden.core.reports.json_values import HexDigits, Time, time_json
from lockwarden.core.reports.organisation.rows import DriftRow
from lockwarden.core.review.across_repositories import KeyReliance, ProviderUse, ReleaseUse
from lockwarden.core.review.drift import DriftKind
from lockwarden.core.review.signing import Signing
from lockwarden.core.values.signing_keys import KeyState


class ReleaseUseJson(Struct, frozen=True, kw_only=True):
    """One version of a provider, and who locks it."""

    version: str
    signing: Signing
    """“not known” where the origin was not asked, did not answer, or gave no list."""
    signed_by_fingerprints: list[HexDigits]
    repositories: list[str]
    """Labels of repositories at their revisions."""
    lock_files: int

    @classmethod
    def of(cls, release: ReleaseUse) -> Self:
        """One version."""
        return cls(
            version=str(release.version),
            signing=release.signing,
            signed_by_fingerprints=list(release.signers),
            repositories=list(release.labels),
            lock_files=release.files,
        )


class ProviderUseJson(Struct, frozen=True, kw_only=True):
    """One provider that is locked somewhere."""

    address: str
    repositories: int
    """How many use it; one at two revisions counts once."""
    lock_files: int
    versions: list[ReleaseUseJson]
    """The newest first."""

    @classmethod
    def of(cls, use: ProviderUse) -> Self:
        """One provider."""
        return cls(
            address=str(use.address),
            repositories=len(use.repositories),
            lock_files=use.files,
            versions=[ReleaseUseJson.of(each) for each in use.releases],
        )


class KeyRelianceJson(Struct, frozen=True, kw_only=True):
    """A signing key that stands behind something that is locked. User IDs are claims of whoever made the key."""

    fingerprint: HexDigits
    """Of the primary key."""
    key_id: HexDigits
    """The last 16 digits of the fingerprint."""
    user_ids: list[str]
    algorithm: str
    created: Time | None
    expires: Time | None
    state: KeyState
    """Whether it could sign something today."""
    trusted: str | bool | None
    """The rule of a policy that names the key for a provider; false when the policies name other keys; null when none
    speaks of it."""
    providers: list[str]
    versions: int
    hashes: int
    """Locked ones that its signatures cover, each once."""
    repositories: list[str]
    """By name; one at two revisions counts once."""
    lock_files: int

    @classmethod
    def of(cls, reliance: KeyReliance) -> Self:
        """One key."""
        key = reliance.key
        return cls(
            fingerprint=key.fingerprint,
            key_id=key.key_id,
            user_ids=list(key.user_ids),
            algorithm=key.algorithm,
            created=time_json(key.created),
            expires=time_json(key.expires),
            state=key.state,
            trusted=reliance.trusted,
            providers=[str(each) for each in reliance.providers],
            versions=reliance.releases,
            hashes=reliance.hashes,
            repositories=list(reliance.repositories),
            lock_files=reliance.files,
        )


class DriftingJson(Struct, frozen=True, kw_only=True):
    """One way in which a provider is locked that is locked in other ways, too; it objects to nothing."""

    address: str
    version: str
    kinds: list[DriftKind]
    """In what it differs from what most lock files have; empty for what is usual."""
    hashes: list[str]
    lacking: list[str]
    """Hashes that other files lock for the same version."""
    repositories: list[str]
    """Labels of repositories at their revisions."""

    @classmethod
    def of(cls, row: DriftRow) -> Self:
        """One way."""
        return cls(
            address=str(row.drift.address),
            version=str(row.form.version),
            kinds=list(row.form.kinds),
            hashes=[str(each) for each in sorted(row.form.hashes)],
            lacking=[str(each) for each in sorted(row.drift.lacking(row.form))],
            repositories=list(row.labels),
        )
