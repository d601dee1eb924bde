"""Cells of coverage for tests: an entry against what one source said, with the rest filled in."""

from __future__ import annotations

from msgspec.structs import replace

from builders.audits import LINUX, audit, h1, package, zh
from builders.run_results import locked
from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome
from lockwarden.core.evidence.observations import Basis
from lockwarden.core.evidence.source_answers import PackageFacts, SourceAnswer, SourceKind, SourceRef
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

OCI = SourceRef(id="oci", kind=SourceKind.OCI_MIRROR, location="oci://registry.example.test/{namespace}/{type}")
CACHE = SourceRef(id="cache", kind=SourceKind.PLUGIN_CACHE, location="/home/somebody/cache")
INSTALLED = SourceRef(id="installed", kind=SourceKind.INSTALLED, location=".terraform/providers")
UNKNOWN_SCHEME = Hash("h9:abc")
MALFORMED_ZH = Hash("zh:ABC")
MALFORMED_H1 = Hash("h1:abc")
ACCEPTED, REFUSED, ANYTHING = CoverageOutcome.ACCEPTED, CoverageOutcome.REFUSED, CoverageOutcome.ACCEPTS_ANYTHING


def cell(
    said: SourceAnswer, *hashes: Hash, beside: tuple[SourceAnswer, ...] = (), client: Client = Client.OPENTOFU
) -> Coverage:
    """The cell of an entry with these hashes at the source of `said`; `beside` is what other sources said."""
    settings = ClientSettings(client=client)
    return coverage_of(locked(*hashes), audit(said, *beside), settings=settings, platforms=[LINUX])[0]


def archive(seed: str = "linux", platform: Platform = LINUX, *, client_refusal: str = "") -> PackageFacts:
    """A package that was hashed as an archive: `zh(seed)` and `h1(seed)`."""
    return package(platform, zh=zh(seed), h1=h1(seed), client_refusal=client_refusal)


def nested(seed: str = "linux") -> PackageFacts:
    """An archive with entries for folders: `h1("SEED archive")` as it is and `h1(seed)` once unpacked."""
    return package(LINUX, zh=zh(seed), h1=h1(seed), h1_archive=h1(f"{seed} archive"))


def folder(seed: str = "linux", *, client_refusal: str = "") -> PackageFacts:
    """A package that lies unpacked."""
    facts = package(LINUX, h1=h1(seed), client_refusal=client_refusal)
    return replace(facts, h1_archive=None, basis=Basis.DIRECTORY)


def unhashed(*, zh: Hash | None = None, basis: Basis = Basis.ARCHIVE, detail: str = "it is too large") -> PackageFacts:
    """A package that was had, and of whose content nothing is known."""
    return replace(package(LINUX, zh=zh, detail=detail), basis=basis)
