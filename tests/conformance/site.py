"""The recorded world and the whole way of an audit over it: sources, review, decisions, lock file.

Over real HTTPS (`site`), or without any connection (`played`) where only what the answers mean is tested.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.request import getproxies

import pytest
from builders.reading import SECOND_READER, parse
from builders.remembering import RememberingVerifier
from servers.authority import NAMES, Authority
from servers.golden import GoldenWorld
from servers.https import HttpsServer, Respond, serving
from servers.journal import Journal
from servers.played import Played
from servers.proxy import Proxy, proxying

from lockwarden.core.engine.audit import AuditPlan, PlatformChoice, ReleasePlan, run_audit
from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.http.client import CredentialsLookup, HttpClient, no_credentials
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.sources.port import SignatureVerifierPort, Source
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

RECORDED_AT: Final = datetime(2026, 11, 27, 23, 59, tzinfo=UTC)
"""The day on which the clients ran over the world."""
LINUX: Final = Platform("linux", "amd64")
"""The platform that the clients ran on and for."""
WINDOWS: Final = Platform("windows", "amd64")
VERSION: Final = Version(1, 2, 3)
"""The version of every provider of the world."""
ONLY_LINUX: Final = PlatformChoice(wanted=frozenset({LINUX}))
TWO_PLATFORMS: Final = PlatformChoice(wanted=frozenset({LINUX, WINDOWS}))
AUTO: Final = PlatformChoice(wanted=frozenset({LINUX}), explain=True)
EVERY: Final = PlatformChoice(wanted=frozenset({LINUX}), every=True)
_PATH: Final = "infra/.terraform.lock.hcl"


async def _no_wait(seconds: float) -> None:
    await asyncio.sleep(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a source is made of."""

    http: HttpClient
    store: PackageStore
    verifier: SignatureVerifierPort
    settings: ClientSettings


SourceMaker = Callable[[Tools], Source]


@dataclass(slots=True, kw_only=True)
class Auditing:
    """Audits over some world."""

    client: Callable[[CredentialsLookup], HttpClient]
    """A client that reaches the world and does not wait before it asks again."""
    verifier: SignatureVerifierPort

    def audit(
        self,
        lock_file: LockFile,
        *sources: SourceMaker,
        settings: ClientSettings,
        platforms: PlatformChoice = ONLY_LINUX,
    ) -> Review:
        """Audit every provider of a lock file against the sources, and judge it."""
        audits = asyncio.run(self.audits(lock_file, *sources, settings=settings, platforms=platforms))
        return reviewed(lock_file, audits, settings=settings, platforms=platforms.wanted)

    async def audits(
        self,
        lock_file: LockFile,
        *sources: SourceMaker,
        settings: ClientSettings,
        platforms: PlatformChoice = ONLY_LINUX,
        credentials: CredentialsLookup = no_credentials,
    ) -> tuple[Audit, ...]:
        """Audit every provider of a lock file against the sources, with a client and a package store of their own."""
        releases = tuple(
            ReleasePlan(address=entry.address, version=entry.version, locked=entry.hash_set)
            for entry in lock_file.providers
        )
        async with self.client(credentials) as http, PackageStore(None, now=time.time) as store:
            tools = Tools(http=http, store=store, verifier=self.verifier, settings=settings)
            made = tuple(make(tools) for make in sources)
            return await run_audit(AuditPlan(releases=releases, sources=made, platforms=platforms), ignore)


@dataclass(slots=True, kw_only=True)
class Site(Auditing):
    """A server, a proxy that leads every host name of the tests to it, and audits over both."""

    server: HttpsServer
    proxy: Proxy
    authority: Authority


@dataclass(slots=True, kw_only=True)
class PlayedSite(Auditing):
    """Answers without a connection, what was asked for, and audits over it."""

    journal: Journal


@contextlib.contextmanager
def site(
    authority: Authority, respond: Respond | None = None, verifier: SignatureVerifierPort | None = None
) -> Iterator[Site]:
    """The world, or what `respond` makes of it, until the block ends; meanwhile the proxy variables lead there."""
    with (
        serving(respond or GoldenWorld().respond, context=authority.server_context) as server,
        proxying(server.address, hosts=NAMES) as proxy,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("HTTPS_PROXY", proxy.url)
        patch.setenv("HTTP_PROXY", proxy.url)
        settings = HttpSettings(
            proxies=getproxies(), ca_file=str(authority.ca_file), metadata_timeout=60.0, package_stall=60.0
        )

        def client(credentials: CredentialsLookup) -> HttpClient:
            return HttpClient(settings, credentials=credentials, sleep=_no_wait, now=time.time)

        yield Site(client=client, verifier=verifier or _as_recorded(), server=server, proxy=proxy, authority=authority)


def played(respond: Respond | None = None, verifier: SignatureVerifierPort | None = None) -> PlayedSite:
    """The same world for audits, in which no connection is made."""
    transport = Played(respond or GoldenWorld().respond)

    def client(credentials: CredentialsLookup) -> HttpClient:
        return HttpClient(HttpSettings(), credentials=credentials, sleep=_no_wait, now=time.time, transport=transport)

    return PlayedSite(client=client, verifier=verifier or _as_recorded(), journal=transport.journal)


def _as_recorded() -> SignatureVerifierPort:
    return RememberingVerifier(SignatureVerifier(find_gpg(os.environ), clock=lambda: RECORDED_AT))


def lock_file(locked: Mapping[str, Iterable[str]], *, client: Client) -> LockFile:
    """A lock file of a client that locks these hashes for these provider addresses; none at all for an empty list."""
    lines = [f'# This file is maintained automatically by "{client.command} init".', *_EDIT_NOTE]
    for address, hashes in locked.items():
        lines += ["", f'provider "{address}" {{', f'  version = "{VERSION}"']
        listed = [f'    "{each}",' for each in hashes]
        lines += ["  hashes = [", *listed, "  ]", "}"] if listed else ["}"]
    return parse("\n".join([*lines, ""]).encode(), path=_PATH)


_EDIT_NOTE: Final = ("# Manual edits may be lost in future updates.",)


def reviewed(
    lock_file: LockFile, audits: Iterable[Audit], *, settings: ClientSettings, platforms: Iterable[Platform]
) -> Review:
    """The review of a lock file after these audits."""
    review = Review.start(lock_file, settings=settings, platforms=platforms)
    for audit in audits:
        review = review.with_audit(audit)
    return review


def rejudged(review: Review, locked: Mapping[str, Iterable[str]]) -> Review:
    """The same audits on a lock file that holds other hashes."""
    other = lock_file(locked, client=review.settings.client)
    wanted = {entry.address for entry in other.providers}
    audits = [each.audit for each in review.providers if each.audit is not None and each.address in wanted]
    return reviewed(other, audits, settings=review.settings, platforms=review.platforms)


def accepted(review: Review) -> LockFile:
    """The lock file after everything that is suggested was accepted, which is what `lockwarden lock` writes."""
    decided = review.with_decisions(Decisions().decide(review.suggested(review.providers)))
    return parse(decided.next_lock_file(SECOND_READER), path=_PATH)


def provider(review: Review, address: str) -> ProviderReview:
    """One provider of a review."""
    return review.provider(ProviderAddress.parse(address))


def hashes(lock_file: LockFile, address: str) -> tuple[str, ...]:
    """The hashes that a lock file holds for a provider, in its order."""
    entry = lock_file.provider(ProviderAddress.parse(address))
    assert entry is not None
    return tuple(each.hash.text for each in entry.hashes)


def hash_set(texts: Iterable[str]) -> frozenset[Hash]:
    """Hashes by their texts."""
    return frozenset(Hash(text) for text in texts)
