"""OpenTofu's reading of entries that Terraform wrote for HashiCorp's providers.

Rules: OpenTofu, `internal/depsfile/locks.go` and `internal/command/meta_dependencies.go`, since release 1.10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.values.addresses import DEFAULT_NAMESPACE, Hostname, ProviderAddress
from lockwarden.core.values.clients import OPENTOFU_REGISTRY, TERRAFORM_REGISTRY


def moved_entries(providers: Iterable[LockedProvider]) -> tuple[LockedProvider, ...]:
    """The entries that `tofu init`, `tofu providers lock` and `tofu providers mirror` add to those of a file.

    For every provider of `registry.terraform.io/hashicorp` whose type has no entry under `registry.opentofu.org`, one
    is added with the same version and constraints and without hashes: trust begins anew. The old entry stays. Other
    namespaces are not touched, and neither Terraform nor OpenTofu's run-time commands do this.
    """
    return tuple(
        replace(provider, address=moved, hashes=(), moved_from=provider.address)
        for provider, moved in _moved(tuple(providers))
    )


def as_opentofu_reads(
    lock_file: LockFile,
    *,
    needed: Callable[[ProviderAddress], bool],
    both: Callable[[ProviderAddress, ProviderAddress], bool],
) -> LockFile:
    """A lock file with the entries that OpenTofu adds to it, but for those that the configuration is known not to need.

    `needed` says of an address whether something requires it, or may, and `both` whether two are certainly required.
    What nothing requires is never installed; it changes the set of providers all the same, as the entry that it is made
    of tells by `read_as`. Where both are required the set is as it should be.
    """
    read_as = {provider.address: moved for provider, moved in _moved(lock_file.providers)}
    if not read_as:
        return lock_file
    beside = {old for old, moved in read_as.items() if both(old, moved)}
    return replace(
        lock_file,
        providers=tuple(
            replace(each, read_as=None if each.address in beside else read_as.get(each.address))
            for each in lock_file.providers
        ),
        moved=tuple(
            replace(each, beside_old=each.moved_from in beside)
            for each in moved_entries(lock_file.providers)
            if needed(each.address)
        ),
    )


def as_it_stands(lock_file: LockFile) -> LockFile:
    """A lock file without what OpenTofu takes its entries for besides."""
    return replace(lock_file, providers=tuple(replace(each, read_as=None) for each in lock_file.providers), moved=())


def _moved(providers: tuple[LockedProvider, ...]) -> Iterator[tuple[LockedProvider, ProviderAddress]]:
    present = {provider.address for provider in providers}
    host = Hostname.parse(OPENTOFU_REGISTRY)
    for provider in providers:
        address = provider.address
        if address.hostname.ascii == TERRAFORM_REGISTRY and address.namespace == DEFAULT_NAMESPACE:
            moved = ProviderAddress(host, address.namespace, address.type)
            if moved not in present:
                yield provider, moved
