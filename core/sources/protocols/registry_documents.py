"""The JSON answers of an origin registry as values: its services, a provider's versions, a package's metadata.

What no client could go on without is checked here and refused. Some parts a client merely ignores or stumbles over:
other versions, the `packages` object, the proposed `hashes`. Each is read on its own and kept with its flaw. So the
rest of the answer still says what it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from lockwarden.core.values.errors import InvalidHashError, InvalidPlatformError, InvalidVersionError
from lockwarden.core.values.go_json import BodyError, BodyLimitError, read_json
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

MAX_VERSIONS: Final = 50_000
"""Versions in a list. The providers with the most releases have several hundred."""
MAX_PLATFORMS: Final = 256
"""Platforms of one release. Go knows fewer than fifty."""
MAX_HASHES: Final = 10_000
"""Hashes in one answer beside the list of checksums. One of each scheme and platform is usual."""
MAX_KEYS: Final = 64
"""Signing keys that are looked at. One or two are usual."""
MAX_TEXT: Final = 8_192
"""Characters in a URL, a name, a hash or a warning."""


class VersionsAnswer(Struct, frozen=True, kw_only=True):
    """The releases of a provider that its registry lists."""

    versions: tuple[Version, ...]
    """Every version of the list, in its order."""
    platforms: Mapping[Version, frozenset[Platform]]
    """The platforms of each release for which the list says any; the clients ignore them."""
    invalid: tuple[str, ...]
    """Texts that are no version; the clients refuse the whole list for one of them."""
    warnings: tuple[str, ...]


class PackageClaim(Struct, frozen=True, kw_only=True):
    """What the `packages` object says of one platform."""

    platform: Platform
    hashes: tuple[Hash, ...]
    size: int
    """Bytes; 0 where the answer does not say."""


class UnsignedPackages(Struct, frozen=True, kw_only=True):
    """The `packages` object; empty where there is none."""

    claims: tuple[PackageClaim, ...] = ()
    flaw: str = ""
    """Why OpenTofu stumbles over it, as the end of a sentence; what can be read is in `claims`."""

    def claim(self, platform: Platform) -> PackageClaim | None:
        """What it says of one platform, or None."""
        return next((claim for claim in self.claims if claim.platform == platform), None)


class ExtraHashes(Struct, frozen=True, kw_only=True):
    """The `hashes` property in either of the shapes that were proposed for it; no client reads it yet."""

    by_zh: tuple[tuple[Hash, tuple[Hash, ...]], ...] = ()
    flat: tuple[Hash, ...] = ()
    flaw: str = ""
    """What of it cannot be read, as the end of a sentence."""


class MetadataAnswer(Struct, frozen=True, kw_only=True):
    """What a registry says of one platform's package."""

    protocols: tuple[str, ...]
    os: str
    arch: str
    filename: str
    download_url: str
    """As written: relative to the URL that the answer came from in the end. So are the other two."""
    shasum: str
    shasums_url: str
    shasums_signature_url: str
    keys: tuple[str, ...]
    """Armoured key blocks in the registry's order; an empty text where an entry has none."""
    surplus_keys: int = 0
    """How many keys were left out because there are more than MAX_KEYS."""
    packages: UnsignedPackages = UnsignedPackages()
    extra: ExtraHashes = ExtraHashes()

    @property
    def reported(self) -> tuple[Hash, ...]:
        """Every hash that it reports, each time."""
        claimed = (hash_ for claim in self.packages.claims for hash_ in claim.hashes)
        paired = (hash_ for zh, contents in self.extra.by_zh for hash_ in (zh, *contents))
        return (*claimed, *paired, *self.extra.flat)


class _VersionBody(msgspec.Struct):
    version: str = ""
    protocols: list[str] = []
    platforms: Any = None


class _VersionsBody(msgspec.Struct):
    versions: list[_VersionBody] = []
    warnings: list[str] = []


class _PlatformBody(msgspec.Struct):
    os: str = ""
    arch: str = ""


class _KeyBody(msgspec.Struct):
    ascii_armor: str = ""


class _KeysBody(msgspec.Struct):
    gpg_public_keys: list[_KeyBody | None] = []


class _MetadataBody(msgspec.Struct):
    protocols: list[str] = []
    os: str = ""
    arch: str = ""
    filename: str = ""
    download_url: str = ""
    shasum: str = ""
    shasums_url: str = ""
    shasums_signature_url: str = ""
    signing_keys: _KeysBody = msgspec.field(default_factory=_KeysBody)


class _PackageBody(msgspec.Struct):
    hashes: list[str] = []
    package_size: int = 0


class _PackagesBody(msgspec.Struct):
    packages: dict[str, _PackageBody] = {}


class _HashesBody(msgspec.Struct):
    hashes: Any = None


def read_services(body: bytes) -> Mapping[str, Any]:
    """Read a discovery document: service names, which are told apart by case, and their values. Raises BodyError."""
    return read_json(body, dict[str, Any], whole=True)


def read_versions(body: bytes) -> VersionsAnswer:
    """Read a list of versions. Raises BodyError; a text that is no version is kept in `invalid`."""
    answer = read_json(body, _VersionsBody)
    _limit(len(answer.versions), MAX_VERSIONS, "versions")
    versions: dict[Version, None] = {}
    platforms: dict[Version, frozenset[Platform]] = {}
    invalid: list[str] = []
    for entry in answer.versions:
        try:
            version = Version.parse(entry.version)
        except InvalidVersionError:
            invalid.append(entry.version)
            continue
        versions[version] = None
        if named := _platforms(entry.platforms):
            platforms[version] = platforms.get(version, frozenset()) | named
    return VersionsAnswer(
        versions=tuple(versions),
        platforms=platforms,
        invalid=tuple(invalid),
        warnings=tuple(warning for warning in answer.warnings if warning),
    )


def _platforms(value: Any) -> frozenset[Platform]:
    """The platforms of a release; none where the list says none, says it wrongly, or names more than MAX_PLATFORMS."""
    try:
        entries = msgspec.convert(value, list[_PlatformBody] | None)
    except msgspec.ValidationError:
        return frozenset()
    if entries is None or len(entries) > MAX_PLATFORMS:
        return frozenset()
    named = {Platform(entry.os, entry.arch) for entry in entries if _is_word(entry.os) and _is_word(entry.arch)}
    return frozenset(named)


def _is_word(text: str) -> bool:
    return text.isascii() and text.isalnum() and len(text) <= 64


def read_package_metadata(body: bytes) -> MetadataAnswer:
    """Read the metadata of one package. Raises BodyError when a client could not read it for any platform at all."""
    answer = read_json(body, _MetadataBody)
    keys = tuple(_armors(answer.signing_keys.gpg_public_keys))
    texts = (
        answer.os,
        answer.arch,
        answer.filename,
        answer.download_url,
        answer.shasum,
        answer.shasums_url,
        answer.shasums_signature_url,
        *answer.protocols,
    )
    _limit(max(map(len, texts)), MAX_TEXT, "characters in one text")
    return MetadataAnswer(
        protocols=tuple(answer.protocols),
        os=answer.os,
        arch=answer.arch,
        filename=answer.filename,
        download_url=answer.download_url,
        shasum=answer.shasum,
        shasums_url=answer.shasums_url,
        shasums_signature_url=answer.shasums_signature_url,
        keys=keys[:MAX_KEYS],
        surplus_keys=max(0, len(keys) - MAX_KEYS),
        packages=_read_packages(body),
        extra=_read_extra(body),
    )


def _armors(keys: Sequence[_KeyBody | None]) -> Iterator[str]:
    for key in keys:
        if key is None:
            raise BodyError("has null in place of a signing key, on which both clients crash")
        yield key.ascii_armor


def _read_packages(body: bytes) -> UnsignedPackages:
    try:
        entries = read_json(body, _PackagesBody).packages
        _limit(len(entries), MAX_PLATFORMS, "platforms in “packages”")
        _limit(sum(len(entry.hashes) for entry in entries.values()), MAX_HASHES, "hashes in “packages”")
    except BodyError as error:
        return UnsignedPackages(flaw=str(error))
    claims: list[PackageClaim] = []
    flaws: list[str] = []
    for key, entry in entries.items():
        hashes, malformed = _hashes(entry.hashes)
        flaws += [f"has a hash without a scheme in “packages”: “{_short(text)}”" for text in malformed]
        try:
            claims.append(PackageClaim(platform=Platform.parse(key), hashes=hashes, size=entry.package_size))
        except InvalidPlatformError:
            flaws.append(f"names a platform in “packages” that is none: “{_short(key)}”")
    return UnsignedPackages(claims=tuple(claims), flaw=flaws[0] if flaws else "")


def _read_extra(body: bytes) -> ExtraHashes:
    value = read_json(body, _HashesBody).hashes
    if value is None:
        return ExtraHashes()
    try:
        if isinstance(value, dict):
            return _by_zh(msgspec.convert(value, dict[str, list[str]]))
        flat, malformed = _hashes(msgspec.convert(value, list[str]))
        _limit(len(flat), MAX_HASHES, "hashes in “hashes”")
    except (msgspec.ValidationError, BodyError) as error:
        return ExtraHashes(flaw=f"has a property “hashes” that cannot be read: {error}")
    return ExtraHashes(flat=flat, flaw=_malformed(malformed))


def _by_zh(entries: Mapping[str, list[str]]) -> ExtraHashes:
    _limit(sum(len(texts) for texts in entries.values()) + len(entries), MAX_HASHES, "hashes in “hashes”")
    pairs: list[tuple[Hash, tuple[Hash, ...]]] = []
    malformed: list[str] = []
    for key, texts in entries.items():
        zh, bad_key = _hashes([key])
        contents, bad = _hashes(texts)
        malformed += [*bad_key, *bad]
        pairs += [(each, contents) for each in zh]
    return ExtraHashes(by_zh=tuple(pairs), flaw=_malformed(tuple(malformed)))


def _hashes(texts: list[str]) -> tuple[tuple[Hash, ...], tuple[str, ...]]:
    """The hashes, each once, and the texts that are none."""
    hashes: dict[Hash, None] = {}
    malformed: list[str] = []
    for text in texts:
        try:
            _limit(len(text), MAX_TEXT, "characters in one hash")
            hashes[Hash.parse(text)] = None
        except (InvalidHashError, BodyError):
            malformed.append(text)
    return tuple(hashes), tuple(malformed)


def _malformed(texts: tuple[str, ...]) -> str:
    return f"has a hash without a scheme in “hashes”: “{_short(texts[0])}”" if texts else ""


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"


def _limit(count: int, limit: int, what: str) -> None:
    if count > limit:
        raise BodyLimitError(f"has {count} {what}; the limit is {limit}")
