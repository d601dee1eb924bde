"""What a CLI configuration says, as frozen values; every one knows the file and line that it is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Generic, Self, TypeAlias, TypeVar

from lockwarden.core.addresses import Hostname, ProviderAddress
from lockwarden.core.cli_config.diagnostics import Diagnostic, IgnoredSetting
from lockwarden.core.cli_config.origins import Origin
from lockwarden.core.cli_config.patterns import ProviderPattern, selects
from lockwarden.core.cli_config.repositories import RepositoryPrefix
from lockwarden.core.cli_config.secret import Secret
from lockwarden.core.cli_config.templates import RepositoryTemplate
from lockwarden.core.errors import CliConfigError

T = TypeVar("T")
_NO_OVERRIDES: Final[Mapping[ProviderAddress, Setting[str]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """A value and where it is set."""

    value: T
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationMethod:
    """One way to get providers, and which of them."""

    origin: Origin
    include: tuple[ProviderPattern, ...] = ()
    """Empty for all."""
    exclude: tuple[ProviderPattern, ...] = ()

    def selects(self, address: ProviderAddress) -> bool:
        """Whether the patterns let a provider be got this way. That it can be found there is another matter."""
        return selects(address, include=self.include, exclude=self.exclude)


@dataclass(frozen=True, slots=True, kw_only=True)
class Direct(InstallationMethod):
    """Each provider's own origin registry."""

    download_retry_count: int | None = None
    unless_in: tuple[str, ...] = ()
    """Folders that come before it: a provider of which any package is in one of them is not asked for here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesystemMirror(InstallationMethod):
    """A folder on this machine."""

    path: str
    """As it is written; relative to the folder that a command works in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkMirror(InstallationMethod):
    """A server that speaks the provider mirror protocol."""

    url: str = field(repr=False)
    """As it is written; it may hold a user name and a password."""
    shown: str
    """The URL without user name, password, query and fragment."""
    download_retry_count: int | None = None
    trust_all_hashes: bool = False

    @property
    def base_url(self) -> str:
        """Where the client really looks: behind the last slash of the path it drops everything."""
        url = self.url.partition("#")[0].partition("?")[0]
        head, slash, _ = url.rpartition("/")
        return f"{url}/" if head.endswith(":/") else head + slash


@dataclass(frozen=True, slots=True, kw_only=True)
class OciMirror(InstallationMethod):
    """Repositories in OCI registries."""

    template: RepositoryTemplate


Method: TypeAlias = Direct | FilesystemMirror | NetworkMirror | OciMirror


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderInstallation:
    """The ways to get providers, the first one first."""

    methods: tuple[Method, ...]
    origin: Origin
    implied: bool = False
    """Whether no block says so and these are the clients' defaults."""
    dev_overrides: Mapping[ProviderAddress, Setting[str]] = field(default_factory=lambda: _NO_OVERRIDES)
    """Folders with unreleased builds; their providers are exempt from the lock file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostServices:
    """What is used instead of service discovery for one host."""

    label: str
    hostname: Hostname | None
    """None when the label is no hostname; then the block has no effect."""
    services: Mapping[str, str | None] = field(repr=False)
    """Service id to URL, which may hold a secret; None where a value is no text, so that there is no such service."""
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceCredentials:
    """A `credentials` block."""

    label: str
    hostname: Hostname | None
    token: Secret | None
    """None when the block has no token that could be used; it still ends the search for one."""
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialsHelper:
    """A program that knows tokens."""

    name: str
    arguments: tuple[Secret, ...]
    """They may hold secrets."""
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryProtocols:
    """How registries are asked. None is for what is not set."""

    retry_count: Setting[int] | None = None
    request_timeout_seconds: Setting[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicCredential:
    """A user name and a password."""

    username: str
    password: Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCredential:
    """An access token, sent as it is; the refresh token is never used."""

    access_token: Secret
    refresh_token: Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class HelperCredential:
    """A Docker credential helper that has to be asked."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UselessCredential:
    """An entry that matches and holds nothing that could be used."""

    message: str


UsableCredential: TypeAlias = BasicCredential | TokenCredential | HelperCredential
OciCredential: TypeAlias = UsableCredential | UselessCredential


@dataclass(frozen=True, slots=True, kw_only=True)
class OciCredentials:
    """An `oci_credentials` block."""

    label: str
    prefix: RepositoryPrefix
    credential: OciCredential
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class OciDefaults:
    """The `oci_default_credentials` block."""

    origin: Origin
    discover_ambient_credentials: bool = True
    docker_style_config_files: tuple[str, ...] | None = None
    """Absolute paths; None for the standard places."""
    docker_credentials_helper: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSettings:
    """What one file says."""

    path: str
    plugin_cache_dir: Setting[str] | None = None
    plugin_cache_may_break_dependency_lock_file: Setting[bool] | None = None
    hosts: tuple[HostServices, ...] = ()
    credentials: tuple[ServiceCredentials, ...] = ()
    credentials_helpers: tuple[CredentialsHelper, ...] = ()
    registry_protocols: RegistryProtocols | None = None
    provider_installations: tuple[ProviderInstallation, ...] = ()
    oci_defaults: tuple[OciDefaults, ...] = ()
    oci_credentials: tuple[OciCredentials, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CliConfig:
    """What all files and the environment say together."""

    files: tuple[str, ...]
    """The files that were read, in the order in which they count."""
    plugin_cache_dir: Setting[str] | None
    plugin_cache_may_break_dependency_lock_file: Setting[bool] | None
    hosts: tuple[HostServices, ...]
    """One for each label."""
    credentials: tuple[ServiceCredentials, ...]
    """One for each label."""
    credentials_helper: CredentialsHelper | None
    registry_protocols: RegistryProtocols
    """What differs from the defaults."""
    provider_installation: ProviderInstallation | None
    """None when no block says anything, so that the clients' defaults hold."""
    oci_defaults: OciDefaults | None
    oci_credentials: tuple[OciCredentials, ...]
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[IgnoredSetting, ...]

    def services_of(self, host: Hostname) -> HostServices | None:
        """What is used instead of service discovery for a host, or None. Of two spellings, the last one counts."""
        return next((block for block in reversed(self.hosts) if block.hostname == host), None)

    def with_diagnostics(self, more: Iterable[Diagnostic]) -> Self:
        """The same with further diagnostics."""
        return replace(self, diagnostics=(*self.diagnostics, *more))

    def checked(self) -> Self:
        """The configuration itself. Raises CliConfigError when a file of it could not be read."""
        unreadable = tuple(each for each in self.diagnostics if each.unreadable)
        if unreadable:
            raise CliConfigError(diagnostics=unreadable)
        return self
