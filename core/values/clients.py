"""The two clients whose behaviour decides what a lock file records, and the settings that change it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

OPENTOFU_REGISTRY: Final = "registry.opentofu.org"
TERRAFORM_REGISTRY: Final = "registry.terraform.io"
DEFAULT_REGISTRIES: Final = frozenset({OPENTOFU_REGISTRY, TERRAFORM_REGISTRY})
_VALIDATION: Final = "OPENTOFU_ENFORCE_GPG_VALIDATION"
_EXPIRATION: Final = "OPENTOFU_ENFORCE_GPG_EXPIRATION"


class Client(StrEnum):
    """Who writes and reads the lock file."""

    OPENTOFU = "opentofu"
    TERRAFORM = "terraform"

    @property
    def default_registry(self) -> str:
        """The host that an address without one means to this client."""
        return OPENTOFU_REGISTRY if self is Client.OPENTOFU else TERRAFORM_REGISTRY

    @property
    def command(self) -> str:
        """The program's name, as the lock file's header comment has it."""
        return "tofu" if self is Client.OPENTOFU else "terraform"

    @property
    def other(self) -> Client:
        """The other client, which may well be the one in use."""
        return Client.TERRAFORM if self is Client.OPENTOFU else Client.OPENTOFU


CLIENT_NAMES: Final[Mapping[Client, str]] = {Client.OPENTOFU: "OpenTofu", Client.TERRAFORM: "Terraform"}
"""What people call them."""


class ClientSettings(Struct, frozen=True, kw_only=True):
    """What of the operator's environment changes a client's judgement of signatures."""

    client: Client = Client.OPENTOFU
    named: bool = False
    """Whether the lock file or the operator names the client. Else it is a guess, and addresses say more."""
    enforce_validation: bool = False
    """A release for which the default registry offers no key is refused."""
    enforce_expiration: bool = False
    """A signature by a key that has expired since is refused."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], *, client: Client, named: bool = False) -> ClientSettings:
        """Read OpenTofu's two variables, which count only when they are exactly `true`; Terraform knows neither."""
        if client is Client.TERRAFORM:
            return cls(client=client, named=named)
        return cls(
            client=client,
            named=named,
            enforce_validation=environ.get(_VALIDATION) == "true",
            enforce_expiration=environ.get(_EXPIRATION) == "true",
        )

    @property
    def reader(self) -> Client | None:
        """The client whose reading of a configuration counts; None where either's may."""
        return self.client if self.named else None

    def takes_unsigned(self, host: str) -> bool:
        """Whether the client takes a registry's word without a signature, as OpenTofu does at its own default registry.

        `host` is in comparison form. Then it skips a release without keys, and records every hash that is reported.
        """
        return self.client is Client.OPENTOFU and host == OPENTOFU_REGISTRY and not self.enforce_validation
