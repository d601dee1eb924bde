"""Builds documents and answers of an origin registry for tests of what is concluded from them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from lockwarden.core.archives.inspection import ArchiveFacts, Oddity
from lockwarden.core.evidence.observations import Document
from lockwarden.core.sources.protocols.registry_documents import MetadataAnswer
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums import read_sums
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import KeyJudgement, KeySeen, KeyState, SignatureReport, SignatureState
from lockwarden.core.values.versions import Version

WIDGET = ProviderAddress.parse("example.test/acme/widget")
WIDGET_ON_DEFAULT = ProviderAddress.parse("registry.opentofu.org/acme/widget")
VERSION = Version(1, 0, 0)
LINUX = Platform("linux", "amd64")
DARWIN = Platform("darwin", "arm64")
LINUX_FILE = "terraform-provider-widget_1.0.0_linux_amd64.zip"
DARWIN_FILE = "terraform-provider-widget_1.0.0_darwin_arm64.zip"
LINUX_ZH = Hash(f"zh:{'1' * 64}")
DARWIN_ZH = Hash(f"zh:{'2' * 64}")
OTHER_ZH = Hash(f"zh:{'f' * 64}")
LINUX_H1 = Hash("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
DARWIN_H1 = Hash("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=")
MAIN_KEY = "A" * 40
OTHER_KEY = "B" * 40
SUMS = f"{LINUX_ZH.value}  {LINUX_FILE}\n{DARWIN_ZH.value}  {DARWIN_FILE}\n"
SIGNED_AT = datetime(2026, 3, 1, tzinfo=UTC)


def key(fingerprint: str = MAIN_KEY) -> KeySeen:
    return KeySeen(
        fingerprint=fingerprint,
        key_id=fingerprint[-16:],
        user_ids=("Acme Releases",),
        algorithm="ed25519",
        created=None,
        expires=None,
        state=KeyState.VALID,
    )


def judgement(
    state: SignatureState = SignatureState.GOOD,
    *,
    fingerprint: str = MAIN_KEY,
    position: int = 0,
    valid_when_signed: bool = True,
    detail: str = "",
) -> KeyJudgement:
    """What a key says; states in which no issuer is found name none."""
    found = state not in {SignatureState.UNKNOWN_ISSUER, SignatureState.UNDECODABLE_KEY}
    return KeyJudgement(
        position=position,
        state=state,
        keys=() if state is SignatureState.UNDECODABLE_KEY else (key(fingerprint),),
        fingerprint=fingerprint if found else "",
        signing_fingerprint=fingerprint if found else "",
        signed_at=SIGNED_AT if found else None,
        valid_when_signed=found and valid_when_signed,
        detail=detail,
    )


def signed_sums(
    text: str | bytes = SUMS,
    *judgements: KeyJudgement,
    address: ProviderAddress = WIDGET,
    settings: ClientSettings | None = None,
    issuers: Sequence[str] = (MAIN_KEY,),
    digests: Sequence[str] = ("sha512",),
) -> SignedSums:
    """A list of checksums; signed by a good key unless judgements are given."""
    body = text.encode() if isinstance(text, str) else text
    digest = hashlib.sha256(body).hexdigest()
    return SignedSums(
        address=address,
        version=VERSION,
        document=Document(name="SHA256SUMS", url="https://example.test/SHA256SUMS", sha256=digest),
        sums=read_sums(body),
        report=SignatureReport(
            judgements=judgements or (judgement(),), issuers=tuple(issuers), digest_algorithms=tuple(digests)
        ),
        settings=settings or ClientSettings(),
    )


def unsigned_sums(
    text: str = SUMS, *, address: ProviderAddress = WIDGET_ON_DEFAULT, settings: ClientSettings | None = None
) -> SignedSums:
    """A list of checksums for which no key is offered."""
    listed = signed_sums(text, address=address, settings=settings)
    return SignedSums(
        address=address,
        version=VERSION,
        document=listed.document,
        sums=listed.sums,
        report=SignatureReport(judgements=(), issuers=(MAIN_KEY,), digest_algorithms=("sha512",)),
        settings=listed.settings,
    )


def answer(platform: Platform = LINUX, **changes: Any) -> PlatformAnswer:
    """A right answer about one platform's package, with some properties changed."""
    name = f"terraform-provider-widget_1.0.0_{platform}.zip"
    values: dict[str, Any] = {
        "protocols": ("5.0",),
        "os": platform.os,
        "arch": platform.arch,
        "filename": name,
        "download_url": f"https://example.test/{name}",
        "shasum": (LINUX_ZH if platform == LINUX else DARWIN_ZH).value,
        "shasums_url": "SHA256SUMS",
        "shasums_signature_url": "SHA256SUMS.sig",
        "keys": ("ARMOR",),
    }
    return PlatformAnswer(
        type_name="widget",
        version=VERSION,
        platform=platform,
        document=Document(name="package metadata", url=f"https://example.test/{platform}", sha256="0" * 64),
        url=f"https://example.test/{platform}",
        metadata=MetadataAnswer(**(values | changes)),
    )


def archive_facts(
    h1_archive: Hash | None = LINUX_H1, h1_directory: Hash | None = LINUX_H1, oddities: tuple[Oddity, ...] = ()
) -> ArchiveFacts:
    return ArchiveFacts(
        h1_archive=h1_archive,
        h1_directory=h1_directory,
        members=1,
        unpacked_size=1,
        oddities=oddities,
        executables=("terraform-provider-widget",),
    )
