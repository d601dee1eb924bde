"""The operator's CLI configuration, made ready for an audit: its sources, its credentials, its settings for HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Final, Self, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.cli_config.files import ON_DISK, ConfigFiles
from lockwarden.core.cli_config.guarding import out_of_reach, refuse_helper
from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.serving import effective_installation
from lockwarden.core.cli_config.settings import BasicCredential, CliConfig, ProviderInstallation, TokenCredential
from lockwarden.core.cli_config.stores import find_helper, oci_credential_store, token_store
from lockwarden.core.cli_config.tokens import TokenStore
from lockwarden.core.engine.configured_sources import configured_sources
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.git.reach import NO_REACH, Reach
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.reports.result import UsedConfiguration
from lockwarden.core.values.clients import Client

if TYPE_CHECKING:
    from lockwarden.core.cli_config.oci_credentials import OciCredentialStore
    from lockwarden.core.oci.credentials import OciCredential

_MOST_RETRIES: Final = 100
_LONGEST_TIMEOUT: Final = 86_400
"""Seconds; whoever writes more means “wait”."""


class Configured(Struct, frozen=True, kw_only=True, dict=True):
    """What the operator has set up, and where from."""

    surroundings: Surroundings
    config: CliConfig
    installation: ProviderInstallation
    """Also what the clients do by themselves where no file says anything."""
    tokens: TokenStore
    files: ConfigFiles = ON_DISK
    """Where it was read, and is read on."""
    passed_over: tuple[str, ...] = ()
    """Mirrors that are not asked, because the change under review can write them."""
    _once: Lock = msgspec.field(default_factory=Lock)

    @classmethod
    def of(cls, surroundings: Surroundings, reach: Reach = NO_REACH, files: ConfigFiles = ON_DISK) -> Self:
        """Read it; no helper is asked. It blocks. `config.checked` tells whether some file could not be read.

        What is in `reach` serves as far as `files` has it from elsewhere: mirrors there are passed over, and a helper
        there is an error. Raises InputError.
        """
        config = load_cli_config(surroundings, files)
        installation, passed_over = out_of_reach(effective_installation(config, surroundings), surroundings, reach)
        refuse_helper(find_helper(config, surroundings), surroundings, reach)
        return cls(
            surroundings=surroundings,
            config=config,
            installation=installation,
            tokens=token_store(config, surroundings),
            files=files,
            passed_over=passed_over,
        )

    @property
    def oci_credentials(self) -> OciCredentialStore:
        """The credentials for OCI registries, for whoever asks one: one store, whichever threads ask first.

        Two would read the files at two moments, and ask a helper twice.
        """
        with self._once:  # from Python 3.12 on, a cached property may be computed by several threads at a time
            return self._oci_credentials

    @cached_property
    def _oci_credentials(self) -> OciCredentialStore:
        return oci_credential_store(self.config, self.surroundings, files=self.files)

    @property
    def sources(self) -> tuple[SourceSpec, ...]:
        """What is asked when nobody names a source, in the order of the clients."""
        return configured_sources(self.installation, self.surroundings)

    @property
    def used(self) -> UsedConfiguration:
        """What a report says of it."""
        return UsedConfiguration(files=self.config.used, replaced_hosts=tuple(sorted(self.services(Client.OPENTOFU))))

    def services(self, client: Client) -> Mapping[str, Mapping[str, str | None]]:
        """What hosts offer according to `host` blocks, as a client reads them.

        Of two spellings of a host, the last one counts.
        """
        blocks = (block for block in self.config.hosts if block.hostname is not None)
        return {block.hostname.ascii: block.services_to(client) for block in blocks if block.hostname is not None}

    def http(self, settings: HttpSettings) -> HttpSettings:
        """The settings of the environment with those of the files, which already know whose word counts."""
        protocols = self.config.registry_protocols
        retries, seconds = protocols.retry_count, protocols.request_timeout_seconds
        if retries is not None:
            settings = replace(settings, metadata_retries=within(retries.value))
        if seconds is not None and seconds.value > 0:
            settings = replace(settings, metadata_timeout=float(min(seconds.value, _LONGEST_TIMEOUT)))
        return settings


def within(retries: int) -> int:
    """A number of retries that was written by hand, as one that can be done."""
    return max(0, min(retries, _MOST_RETRIES))


class ConfiguredOciCredentials(Struct, frozen=True):
    """Hands the configuration's credentials to the protocol of OCI registries."""

    configured: Configured

    def lookup(self, domain: str, repository: str) -> OciCredential | None:
        """The credentials for a repository, or None to ask anonymously. Raises NoAnswerError. It may block."""
        from lockwarden.core.oci.credentials import OciCredential

        answer = self.configured.oci_credentials.find(domain, repository)
        match answer.credential:
            case None:
                return None
            case BasicCredential(username=username, password=password):
                return OciCredential(origin=answer.shown, username=username, password=password.expose())
            case TokenCredential(access_token=token):
                return OciCredential(origin=answer.shown, access_token=token.expose())
            case _:
                assert_never(answer.credential)
