"""OpenTofu's reading of entries that Terraform wrote for HashiCorp's providers."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.addresses import (
    DEFAULT_NAMESPACE,
    OPENTOFU_REGISTRY,
    TERRAFORM_REGISTRY,
    Hostname,
    ProviderAddress,
)


def with_opentofu_entries(providers: Iterable[LockedProvider]) -> tuple[LockedProvider, ...]:
    """The entries as `tofu init`, `tofu providers lock` and `tofu providers mirror` see them, since release 1.10.

    For every provider of `registry.terraform.io/hashicorp` whose type has no entry under `registry.opentofu.org`, one
    is added with the same version and constraints and without hashes: trust begins anew. The old entry stays. Other
    namespaces are not touched, and neither Terraform nor OpenTofu's run-time commands do this.
    """
    given = tuple(providers)
    present = {provider.address for provider in given}
    host = Hostname.parse(OPENTOFU_REGISTRY)
    added = []
    for provider in given:
        address = provider.address
        if address.hostname.ascii != TERRAFORM_REGISTRY or address.namespace != DEFAULT_NAMESPACE:
            continue
        moved = ProviderAddress(host, address.namespace, address.type)
        if moved not in present:
            added.append(replace(provider, address=moved, hashes=()))
    return (*given, *added)
