"""What a client would conclude about a package of an origin registry, check by check in the client's own order.

The first check that fails ends it. They come in this order: the answer itself, the `packages` object (OpenTofu only),
the line for the package in SHA256SUMS, the archive's bytes, the signature. At last the list is read, which a bad line
can crash.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.sources.protocols.registry_documents import PackageClaim
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums import BadLine
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.signing_keys import ConclusionKind


def client_refusal(answer: PlatformAnswer, listed: SignedSums, settings: ClientSettings, *, zh: Hash, size: int) -> str:
    """Why the client of `settings` would refuse the package with these bytes, or the empty string.

    An empty answer says nothing about the package's content, and nothing about what a lock file may object to.
    """
    return next(_refusals(answer, listed, settings, zh, size), "")


def answer_refusal(answer: PlatformAnswer, settings: ClientSettings) -> str:
    """Why the client would not go on to the package after reading the answer, or the empty string."""
    return next(_of_answer(answer, settings), "")


def _refusals(
    answer: PlatformAnswer, listed: SignedSums, settings: ClientSettings, zh: Hash, size: int
) -> Iterator[str]:
    yield from _of_answer(answer, settings)
    if settings.client is Client.OPENTOFU:
        yield from _of_packages(answer, size)
    yield from _of_line(answer, listed)
    if zh.value != answer.digest:
        yield f"the archive has the wrong checksum: sha256 {zh.value} instead of {answer.digest}"
    if listed.conclusion.kind is ConclusionKind.REFUSED:
        yield f"it is not signed with a valid signing key: {listed.conclusion.reason}"
    if listed.sums.crash_line is not None:
        yield f"the client crashes on the empty line {listed.sums.crash_line} of {listed.document.name}"


def _of_answer(answer: PlatformAnswer, settings: ClientSettings) -> Iterator[str]:
    metadata = answer.metadata
    if refusal := answer.protocol_refusal:
        yield refusal
    if answer.other_target:
        yield f"the registry answers with a package for {answer.other_target} instead of {answer.platform}"
    if not answer.digest:
        yield f"the registry's answer has an invalid SHA-256 digest “{metadata.shasum[:80]}”"
    if settings.client is Client.OPENTOFU and metadata.packages.flaw:
        yield f"the registry's answer {metadata.packages.flaw}"


def _of_packages(answer: PlatformAnswer, size: int) -> Iterator[str]:
    packages = answer.metadata.packages
    if not packages.claims:
        return
    claim = packages.claim(answer.platform)
    if claim is None:
        yield f"the registry's “packages” lack the platform {answer.platform}"
    else:
        yield from _of_claim(claim, answer.metadata.shasum, size)


def _of_claim(claim: PackageClaim, shasum: str, size: int) -> Iterator[str]:
    if claim.size <= 0:
        yield f"the registry's “packages” give an invalid package size {claim.size}"
    elif claim.size != size:
        yield f"the registry's “packages” promise {claim.size} bytes, and {size} came"
    values = [hash_.value for hash_ in claim.hashes if hash_.scheme == ZH]
    for value in values:
        if value != shasum:
            yield f"the registry's “packages” list zh:{value} where its answer promises sha256 {shasum}"
    if not values:
        yield f"the registry's “packages” list no zh hash for {claim.platform}"


def _of_line(answer: PlatformAnswer, listed: SignedSums) -> Iterator[str]:
    name = answer.metadata.filename
    line = listed.sums.client_finds(name)
    if line is None:
        yield f"{listed.document.name} has no hash for “{name}”"
    elif isinstance(line, BadLine):
        yield f"{listed.document.name} has no valid hash for “{name}”: line {line.number} {line.reason}"
    elif line.hash.value != answer.digest:
        yield (
            f"{listed.document.name} line {line.number} has sha256 {line.hash.value} for “{name}”, "
            f"the registry's answer {answer.digest}"
        )
