"""Puts tokens and OCI credentials together with the real helper programs of a machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lockwarden.core.cli_config.files import ON_DISK, ConfigFiles
from lockwarden.core.cli_config.locations import Surroundings, container_auth_files, helper_folders
from lockwarden.core.cli_config.settings import BasicCredential, CliConfig
from lockwarden.core.cli_config.tokens import TokenStore
from lockwarden.core.values.secret import Secret

if TYPE_CHECKING:
    from lockwarden.core.cli_config.helper_programs import HelperLimits
    from lockwarden.core.cli_config.oci_credentials import OciCredentialStore
    from lockwarden.core.cli_config.service_helpers import HelperProgram


def token_store(config: CliConfig, surroundings: Surroundings, *, limits: HelperLimits | None = None) -> TokenStore:
    """The tokens for hosts. It looks for the helper's program, which is run when a host needs it."""
    program = find_helper(config, surroundings)
    if program is None:
        return TokenStore(config, surroundings.environ)

    def ask(host: str) -> Secret | None:
        from lockwarden.core.cli_config.service_helpers import ask_service_helper

        folder = _home(surroundings)
        return ask_service_helper(program, host, environ=surroundings.environ, folder=folder, limits=limits)

    return TokenStore(config, surroundings.environ, ask_helper=ask)


def find_helper(config: CliConfig, surroundings: Surroundings) -> HelperProgram | None:
    """The program of the configured credentials helper; None when there is none, which the clients pass over."""
    helper = config.credentials_helper
    if helper is None:
        return None
    from lockwarden.core.cli_config.service_helpers import find_service_helper

    return find_service_helper(helper, helper_folders(surroundings))


def oci_credential_store(
    config: CliConfig,
    surroundings: Surroundings,
    *,
    limits: HelperLimits | None = None,
    files: ConfigFiles = ON_DISK,
) -> OciCredentialStore:
    """The credentials for OCI registries. Files are read, and helpers run, when the first repository needs them."""

    def ask(name: str, domain: str) -> BasicCredential | None:
        from lockwarden.core.cli_config.docker_helpers import ask_docker_helper

        return ask_docker_helper(
            name,
            domain,
            environ=surroundings.environ,
            folder=_home(surroundings),
            windows=surroundings.windows,
            limits=limits,
        )

    from lockwarden.core.cli_config.oci_credentials import OciCredentialStore

    return OciCredentialStore(config, container_auth_files(surroundings), ask, where=files)


def _home(surroundings: Surroundings) -> Path:
    """Where helpers work: never in the folder that is audited."""
    return Path(surroundings.home or surroundings.directory)
