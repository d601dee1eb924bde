"""What an operator can say about an audit; the same words for every command, read into values once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, convert

from lockwarden.core.engine.audit import DEFAULT_JOBS, PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec, parse_source_spec
from lockwarden.core.reports.result import UsedSettings
from lockwarden.core.system.allowance import AuditLimits
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import InputError, InvalidAddressError, InvalidPlatformError
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.urls import host_from

if TYPE_CHECKING:
    from lockwarden.core.oci_signatures.given import GivenBundle

AUTO: Final = "auto"
EVERY: Final = "all"
MOST_JOBS: Final = 64
"""Packages at the same time; more would only ask more of the servers."""
DEFAULT_TIMEOUT: Final = AuditLimits().seconds
MOST_SECONDS: Final = 24 * 3600
"""The longest time limit that an option takes: a day."""


class AuditOptions(Struct, frozen=True, kw_only=True):
    """How an audit is to be done."""

    sources: tuple[SourceSpec, ...]
    """In the order in which they were given, each once; empty for what the CLI configuration says."""
    platforms: PlatformChoice
    offline: bool = False
    """Nothing is asked over the network."""
    keep_cache: bool = True
    """Packages and facts about them are taken from the user's cache and kept there."""
    fresh: bool = False
    """What the cache knows already is fetched and computed anew."""
    jobs: int = DEFAULT_JOBS
    timeout: float = DEFAULT_TIMEOUT
    """Seconds for each release; what was not asked by then stays unchecked."""
    insecure_hosts: frozenset[str] = frozenset()
    """Hosts that may be spoken to over plain HTTP."""
    token_hosts: frozenset[str] = frozenset()
    """Token servers that may see the credentials of OCI registries on other hosts."""
    attestations: tuple[GivenBundle, ...] = ()
    """Signatures that were given as files."""
    policy: str | None = None
    """The policy file that was named; None to look for one."""
    base: str = ""
    """The revision to compare lock files with; none when it is empty."""
    client: Client | None = None
    """By whose rules lock files are read and judged; None for whoever each names."""
    settings: UsedSettings | None = None
    """The user's settings, where sources or platforms are theirs."""


class GivenOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of the command line as they were written; what was left out has its default."""

    source: tuple[str, ...] = ()
    platform: tuple[str, ...] = ()
    offline: bool = False
    no_cache: bool = False
    fresh: bool = False
    jobs: int | None = None
    timeout: int | None = None
    insecure_http: tuple[str, ...] = ()
    token_host: tuple[str, ...] = ()
    attestations: tuple[str, ...] = ()
    policy: str | None = None
    base: str | None = None
    client: Client | None = None
    evidence: str | None = None
    evidence_signers: str | None = None
    evidence_max_age: int | None = None


def given_options(words: Mapping[str, object]) -> GivenOptions:
    """The options by the names that the command line has for them. Raises msgspec.ValidationError for another name."""
    return convert(words, GivenOptions)


def read_options(given: GivenOptions, *, directory: Path, current: Platform) -> AuditOptions:
    """The options as values; `directory` is where relative folders start, `current` this machine's platform.

    Raises InputError, with a hint, for the first that cannot be used.
    """
    hosts = insecure_hosts(given.insecure_http)
    specs = (parse_source_spec(text, directory=directory, insecure_hosts=hosts) for text in given.source)
    return AuditOptions(
        sources=tuple(dict.fromkeys(specs)),
        platforms=platform_choice(given.platform or (AUTO,), current=current),
        offline=given.offline,
        keep_cache=not given.no_cache,
        fresh=given.fresh,
        jobs=_jobs(given.jobs),
        timeout=_timeout(given.timeout),
        insecure_hosts=hosts,
        token_hosts=token_hosts(given.token_host),
        attestations=_attestations(given.attestations, directory),
        policy=given.policy,
        base=_base(given.base),
        client=given.client,
    )


def _attestations(names: tuple[str, ...], directory: Path) -> tuple[GivenBundle, ...]:
    if not names:
        return ()
    from lockwarden.core.engine.given_attestations import read_attestations

    return read_attestations(names, directory=directory)


def insecure_hosts(named: tuple[str, ...]) -> frozenset[str]:
    """The hosts that may be spoken to over plain HTTP, in comparison form. Raises InputError."""
    return frozenset(_host("--insecure-http", text, example="mirror.example.test") for text in named)


def token_hosts(named: tuple[str, ...]) -> frozenset[str]:
    """The token servers that may see credentials, in comparison form. Raises InputError."""
    return frozenset(_host("--token-host", text, example="auth.example.test") for text in named)


def platform_choice(words: tuple[str, ...], *, current: Platform) -> PlatformChoice:
    """Which platforms are looked at.

    `auto` is this machine's and as many more as it takes to explain what is locked. `all` is every platform of the
    release. Platforms that are named alone are exactly those. Raises InvalidPlatformError.
    """
    named = frozenset(_platform(word) for word in words if word not in {AUTO, EVERY})
    automatic = {current} if AUTO in words or not named else set()
    return PlatformChoice(wanted=named | automatic, explain=AUTO in words, every=EVERY in words)


def _platform(word: str) -> Platform:
    try:
        return Platform.parse(word)
    except InvalidPlatformError as error:
        raise InvalidPlatformError(
            f"--platform: {error.message}", hint=f"{error.hint}; “{EVERY}” is every platform, “{AUTO}” the default"
        ) from error


def _host(option: str, text: str, *, example: str) -> str:
    try:
        return host_from(text)
    except InvalidAddressError as error:
        raise InputError(
            f"{option}: {error.message}",
            hint=f"write a host name, such as {example}, {example}:8443 or [::1]:8443",
        ) from error


def _base(base: str | None) -> str:
    if base is not None and not base.strip():
        raise InputError("--base: a revision is needed", hint="such as --base origin/main, or leave it out")
    return base or ""


def _jobs(jobs: int | None) -> int:
    if jobs is None:
        return DEFAULT_JOBS
    if not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"--jobs: {jobs} is not a number from 1 to {MOST_JOBS}", hint=f"the default is {DEFAULT_JOBS}")
    return jobs


def _timeout(seconds: int | None) -> float:
    if seconds is None:
        return DEFAULT_TIMEOUT
    if not 1 <= seconds <= MOST_SECONDS:
        raise InputError(
            f"--timeout: {seconds} is not a number of seconds from 1 to {MOST_SECONDS}",
            hint=f"the default is {DEFAULT_TIMEOUT:g}",
        )
    return float(seconds)
