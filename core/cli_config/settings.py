"""What a CLI configuration says, as frozen values; every one knows the file and line that it is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import CliConfigError
from lockwarden.core.values.origins import Origin, UsedFile
from lockwarden.core.values.secret import Secret

if TYPE_CHECKING:
    from lockwarden.core.cli_config.ignored_settings import IgnoredSetting
    from lockwarden.core.cli_config.repositories import RepositoryPrefix
    from lockwarden.core.cli_config.templates import RepositoryTemplate
    from lockwarden.core.values.provider_patterns import ProviderPattern

T = TypeVar("T")
_NO_OVERRIDES: Final[Mapping[ProviderAddress, Setting[str]]] = MappingProxyType({})


class Setting(Struct, Generic[T], frozen=True):
    """A value and where it is set."""

    value: T
    origin: Origin


def asked_below(url: str) -> str:
    """Where the clients ask that are given a URL: behind the last slash of its path they drop everything."""
    url = url.partition("#")[0].partition("?")[0]
    head, slash, _ = url.rpartition("/")
    return f"{url}/" if head.endswith(":/") else head + slash


class InstallationMethod(Struct, frozen=True, kw_only=True):
    """One way to get providers, and which of them."""

    origin: Origin
    include: tuple[ProviderPattern, ...] = ()
    """Empty for all."""
    exclude: tuple[ProviderPattern, ...] = ()

    def selects(self, address: ProviderAddress, reader: Client | None = None) -> bool:
        """Whether the patterns let a provider be got this way, as the client reads them, or either one where none is
        given. That it can be found there is another matter.
        """
        from lockwarden.core.values.provider_patterns import as_read_by, selects

        include, exclude = (as_read_by(each, reader) for each in (self.include, self.exclude))
        return selects(address, include=include, exclude=exclude)


class Direct(InstallationMethod, frozen=True, kw_only=True):
    """Each provider's own origin registry."""

    download_retry_count: int | None = None
    unless_in: tuple[str, ...] = ()
    """Folders that come before it: a provider of which any package is in one of them is not asked for here."""


class FilesystemMirror(InstallationMethod, frozen=True, kw_only=True):
    """A folder on this machine."""

    path: str
    """As it is written; relative to the folder that a command works in."""


class NetworkMirror(InstallationMethod, frozen=True, kw_only=True):
    """A server that speaks the provider mirror protocol."""

    url: str
    """As it is written; it may hold a user name and a password."""
    shown: str
    """The URL without user name, password, query and fragment."""
    download_retry_count: int | None = None
    trust_all_hashes: bool = False

    def __repr__(self) -> str:
        """Without the URL, whose secrets would end up in whatever prints this."""
        return f"NetworkMirror(shown={self.shown!r}, origin={self.origin!r})"

    @property
    def base_url(self) -> str:
        """Where the client really looks."""
        return asked_below(self.url)


class OciMirror(InstallationMethod, frozen=True, kw_only=True):
    """Repositories in OCI registries."""

    template: RepositoryTemplate


Method: TypeAlias = Direct | FilesystemMirror | NetworkMirror | OciMirror


class ProviderInstallation(Struct, frozen=True, kw_only=True):
    """The ways to get providers, the first one first."""

    methods: tuple[Method, ...]
    origin: Origin
    implied: bool = False
    """Whether no block says so and these are the clients' defaults."""
    dev_overrides: Mapping[ProviderAddress, Setting[str]] = msgspec.field(default_factory=lambda: _NO_OVERRIDES)
    """Folders with unreleased builds; their providers are exempt from the lock file."""


class HostServices(Struct, frozen=True, kw_only=True):
    """What is used instead of service discovery for one host."""

    label: str
    hostname: Hostname | None
    """None when the label is no hostname; then the block has no effect."""
    services: Mapping[str, str | None]
    """Service id to URL, which may hold a secret; None where a value is no text, so that there is no such service."""
    to_terraform: Mapping[str, str | None]
    """The same as Terraform reads them, which takes the last of several blocks for one host in a file."""
    origin: Origin

    def services_to(self, client: Client) -> Mapping[str, str | None]:
        """The services as a client reads them."""
        return self.to_terraform if client is Client.TERRAFORM else self.services

    def __repr__(self) -> str:
        return f"HostServices(label={self.label!r}, origin={self.origin!r})"


class ServiceCredentials(Struct, frozen=True, kw_only=True):
    """A `credentials` block."""

    label: str
    hostname: Hostname | None
    token: Secret | None
    """None when the block has no token that could be used; it still ends the search for one."""
    origin: Origin


class CredentialsHelper(Struct, frozen=True, kw_only=True):
    """A program that knows tokens."""

    name: str
    arguments: tuple[Secret, ...]
    """They may hold secrets."""
    origin: Origin


class RegistryProtocols(Struct, frozen=True, kw_only=True):
    """How registries are asked. None is for what is not set."""

    retry_count: Setting[int] | None = None
    request_timeout_seconds: Setting[int] | None = None


class BasicCredential(Struct, frozen=True, kw_only=True):
    """A user name and a password."""

    username: str
    password: Secret


class TokenCredential(Struct, frozen=True, kw_only=True):
    """An access token, sent as it is; the refresh token is never used."""

    access_token: Secret
    refresh_token: Secret


class HelperCredential(Struct, frozen=True, kw_only=True):
    """A Docker credential helper that has to be asked."""

    name: str


class UselessCredential(Struct, frozen=True, kw_only=True):
    """An entry that matches and holds nothing that could be used."""

    message: str


UsableCredential: TypeAlias = BasicCredential | TokenCredential | HelperCredential
ConfiguredCredential: TypeAlias = UsableCredential | UselessCredential


class OciCredentials(Struct, frozen=True, kw_only=True):
    """An `oci_credentials` block."""

    label: str
    prefix: RepositoryPrefix
    credential: ConfiguredCredential
    origin: Origin


class OciDefaults(Struct, frozen=True, kw_only=True):
    """The `oci_default_credentials` block."""

    origin: Origin
    discover_ambient_credentials: bool = True
    docker_style_config_files: tuple[str, ...] | None = None
    """Absolute paths; None for the standard places."""
    docker_credentials_helper: str = ""


class FileSettings(Struct, frozen=True, kw_only=True):
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


class CliConfig(Struct, frozen=True, kw_only=True):
    """What all files and the environment say together."""

    files: tuple[str, ...]
    """The files that were read, in the order in which they count."""
    used: tuple[UsedFile, ...] = ()
    """The same with their digests."""
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

    def with_diagnostics(self, more: Iterable[Diagnostic]) -> Self:
        """The same with further diagnostics."""
        return replace(self, diagnostics=(*self.diagnostics, *more))

    def checked(self) -> Self:
        """The configuration itself. Raises CliConfigError when a file of it could not be read."""
        unreadable = tuple(each for each in self.diagnostics if each.unreadable)
        if unreadable:
            raise CliConfigError(diagnostics=unreadable)
        return self
