"""What a client would record in the lock file after `providers lock`, by its own rule.

OpenTofu's rule (its installer, since 1.10): the `h1` of each installed package, what was verified against a promise of
the source, and of the rest what it trusts. It trusts all that the registry reports for providers of its own default
registry while signature validation is not enforced, and elsewhere only hashes that a signature covers. Terraform
records the signed hashes and, from mirrors, the `h1` alone. Hashes already locked stay; they are not this module's
business.

One extension, which the design of per-hash dispositions asks for: the `zh` of a filesystem mirror's packed archive
counts as verified locally for OpenTofu.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lockwarden.core.evidence.observations import ListShape, ReportedByRegistry, ReportedByTrustedMirror, SignedBy
from lockwarden.core.evidence.source_answers import Audit, Outcome, PackageFacts, SourceAnswer, SourceKind
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

_READ_BY_CLIENTS: Final = frozenset({ListShape.SUMS, ListShape.PACKAGES})


def recorded(audit: Audit, *, settings: ClientSettings, platforms: frozenset[Platform]) -> dict[Hash, str]:
    """Hashes that the client would record for these platforms from these sources, each with the reason.

    Nothing is recorded from a source whose packages the client would refuse. That a hash is recorded says what a client
    does, not that the hash is right.
    """
    found: dict[Hash, str] = {}
    for answer in audit.source_answers:
        for hash_, reason in _of_answer(answer, audit.address.hostname.ascii, settings, platforms):
            if hash_.usable:
                found.setdefault(hash_, reason)
    return found


def _of_answer(
    answer: SourceAnswer, host: str, settings: ClientSettings, platforms: frozenset[Platform]
) -> Iterator[tuple[Hash, str]]:
    installed = [
        package
        for package in answer.packages
        if package.outcome is Outcome.ANSWERED and not package.client_refusal and package.platform in platforms
    ]
    for package in installed:
        yield from _of_package(package, answer.source.kind, settings)
    if installed:
        yield from _trusted(answer, host, settings)


def _of_package(package: PackageFacts, kind: SourceKind, settings: ClientSettings) -> Iterator[tuple[Hash, str]]:
    if package.h1_directory is not None:
        yield package.h1_directory, f"computed from the {package.platform} package"
    if kind is SourceKind.DIRECT or settings.client is Client.OPENTOFU:
        for promise in sorted(package.promised):
            yield promise, f"the {package.platform} package matches what its source promised"
    if kind is SourceKind.FILESYSTEM_MIRROR and settings.client is Client.OPENTOFU and package.zh is not None:
        yield package.zh, f"computed from the {package.platform} archive in the filesystem mirror"


def _trusted(answer: SourceAnswer, host: str, settings: ClientSettings) -> Iterator[tuple[Hash, str]]:
    by_report = settings.takes_unsigned(host)
    for hash_, observation in answer.observations:
        match observation:
            case SignedBy() if observation.vouches:
                yield hash_, f"signed by {observation.key_id}"
            case ReportedByRegistry() if by_report and observation.vouches and observation.shape in _READ_BY_CLIENTS:
                yield hash_, "reported by the default registry"
            case ReportedByTrustedMirror() if by_report and observation.vouches:
                yield hash_, "reported by a trusted mirror"
            case _:
                pass
