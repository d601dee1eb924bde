"""The source “direct” against real servers, and releases that a test makes and publishes itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from builders.registry_runs import Registry
from servers.authority import Authority
from servers.golden import GoldenWorld
from servers.https import HttpsServer, of_world
from servers.proxy import Proxy

from lockwarden.demo.keys import KeyMaker, SigningKey
from lockwarden.demo.packages import DemoPackage, archive_name, provider_package
from lockwarden.demo.releases import Release, registry_sites, sums_of
from lockwarden.demo.responses import Response
from lockwarden.demo.world import World

KEY_MADE = datetime(2025, 1, 1, tzinfo=UTC)
SIGNED = KEY_MADE + timedelta(days=60)
ADDRESS = "registry.example.test/acme/widget"
VERSION = "1.2.3"


@pytest.fixture
def registry(
    https_server: HttpsServer, proxy: Proxy, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> Registry:
    """The recorded world over HTTPS, asked through the proxy."""
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    https_server.serve(GoldenWorld().respond)
    return Registry(server=https_server, proxy=proxy, ca_file=str(authority.ca_file))


@pytest.fixture(scope="session")
def signing_key(key_maker: KeyMaker) -> SigningKey:
    """A key that is valid for ever."""
    return key_maker.make("Acme Releases <releases@acme.example>", created=KEY_MADE)


@pytest.fixture(scope="session")
def other_key(key_maker: KeyMaker) -> SigningKey:
    """Another one with the same user ID."""
    return key_maker.make("Acme Releases <releases@acme.example>", created=KEY_MADE)


@pytest.fixture(scope="session")
def packages() -> Mapping[str, DemoPackage]:
    """The packages of three platforms."""
    return {
        platform: provider_package("widget", VERSION, platform, size=3000, modified=SIGNED)
        for platform in ("linux_amd64", "darwin_arm64", "windows_amd64")
    }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Publisher:
    """Makes releases signed by a key and puts them on the server."""

    registry: Registry
    maker: KeyMaker
    key: SigningKey
    packages: Mapping[str, DemoPackage]
    signatures: dict[tuple[str, bytes], bytes]
    """What was signed already: key and document → signature. Most tests sign the same list."""

    def sign(self, document: bytes, key: SigningKey | None = None) -> bytes:
        """A detached signature."""
        signer = key or self.key
        question = (signer.signing_fingerprint, document)
        if question not in self.signatures:
            self.signatures[question] = self.maker.sign(signer, document, at=SIGNED)
        return self.signatures[question]

    def release(self, **changes: Any) -> Release:
        """A right release, with some fields changed; the signature is over what it then lists."""
        values: dict[str, Any] = {
            "address": ADDRESS,
            "version": VERSION,
            "packages": self.packages,
            "signature": b"",
            "offered": (self.key,),
        }
        unsigned = Release(**(values | changes))
        return unsigned if "signature" in changes else dataclasses.replace(unsigned, signature=self.sign(unsigned.sums))

    def world(self, *releases: Release, **answers: Response) -> World:
        """The world of these releases; keywords are not used."""
        return World.of(registry_sites(releases or (self.release(),)))

    def publish(self, *releases: Release, answers: Mapping[str, Response] | None = None, host: str = "") -> World:
        """Serve the releases, with other answers under some paths of a host; returns the world that is served."""
        world = self.world(*releases)
        if answers:
            world = world.with_answers(host or ADDRESS.split("/", maxsplit=1)[0], answers)
        self.registry.serve(of_world(world))
        return world

    def publish_sums(self, sums: bytes, *, signed: bytes | None = None, **changes: Any) -> Release:
        """Serve a release with this list of checksums, signed as it is unless another document was signed."""
        release = self.release(signature=self.sign(sums if signed is None else signed), **changes)
        self.publish(release, answers={release.sums_path: Response.of_bytes(sums)})
        return release

    def line(self, platform: str) -> bytes:
        """The line of a platform's package in a list of checksums."""
        return sums_of("widget", VERSION, {platform: self.packages[platform]}, {})

    def file_name(self, platform: str) -> str:
        """The name of a platform's package."""
        return archive_name("widget", VERSION, platform)


@pytest.fixture(scope="session")
def signatures() -> dict[tuple[str, bytes], bytes]:
    """What was signed already."""
    return {}


@pytest.fixture
def publisher(
    registry: Registry,
    key_maker: KeyMaker,
    signing_key: SigningKey,
    packages: Mapping[str, DemoPackage],
    signatures: dict[tuple[str, bytes], bytes],
) -> Publisher:
    """Publishes releases of `registry.example.test/acme/widget` 1.2.3 for three platforms."""
    return Publisher(registry=registry, maker=key_maker, key=signing_key, packages=packages, signatures=signatures)
