"""What sources of modules mean today: asks whoever has them, and follows where registries and servers lead on."""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.http.busy_servers import phrase
from lockwarden.core.http.client import HttpClient
from lockwarden.core.module_packages.archives import digest_of_archive
from lockwarden.core.module_packages.git_remotes import GitRemotes
from lockwarden.core.module_packages.module_registries import ModuleRegistries
from lockwarden.core.module_packages.oci_packages import OciPackages
from lockwarden.core.modules.indirection import HEADER, MAX_HOPS, address_in_page, led_to
from lockwarden.core.modules.oci_sources import OciModuleSource
from lockwarden.core.modules.resolution import (
    ArchiveUrl,
    GitRepository,
    ModuleQuestion,
    PackageLocation,
    PageUrl,
    RegistryModule,
    Unresolved,
    question_of,
)
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.errors import ModuleSourceError, NotThereError, SourceError, Stage
from lockwarden.core.values.source_redaction import redacted_source
from lockwarden.core.values.urls import redacted

_PAGE_LIMIT: Final = 1024 * 1024
"""Bytes of a page that may say where a package is."""
_SUCCESS: Final = range(200, 300)
_GONE: Final = frozenset({404, 410})
_ASK: Final = "ask who runs the server; the package can be pinned where it really lies"


class SourceMeaning(Struct, frozen=True, kw_only=True):
    """What a source led to."""

    revision: str
    package: str = ""
    how: str
    location: PackageLocation
    """Where its package lies in the end. It may hold secrets."""


Meant: TypeAlias = SourceMeaning | Unresolved


class ModuleMeanings:
    """Asks OCI registries, repositories, module registries and servers. A failure is a value in the answer."""

    def __init__(
        self,
        http: HttpClient,
        store: PackageStore,
        packages: OciPackages,
        registries: ModuleRegistries,
        remotes: GitRemotes | None,
    ) -> None:
        """Without `remotes`, no repository is asked."""
        self._http, self._store = http, store
        self._packages, self._registries, self._remotes = packages, registries, remotes

    async def answer(self, question: ModuleQuestion) -> Meant:
        """What a source means today, or why that is not known."""
        return await self._answer(question, MAX_HOPS)

    async def _answer(self, question: ModuleQuestion, hops: int) -> Meant:
        try:
            match question:
                case OciModuleSource():
                    return await self._oci(question)
                case ArchiveUrl():
                    digest = await digest_of_archive(self._http, self._store, question)
                    return SourceMeaning(
                        revision=digest, how="the archive that lies there", location=PackageLocation(source=question)
                    )
                case GitRepository():
                    return await self._git(question)
                case PageUrl():
                    return await self._page(question, hops)
                case RegistryModule():
                    return await self._registry(question, hops)
                case _:
                    assert_never(question)
        except SourceError as error:
            return Unresolved(reason=error.message, hint=error.hint, absent=isinstance(error, NotThereError))

    async def _git(self, repository: GitRepository) -> Meant:
        if self._remotes is None:
            return Unresolved(reason="nobody was asked, because of --offline", hint="leave --offline out")
        found = await self._remotes.commit_of(repository)
        if isinstance(found, Unresolved):
            return found
        return SourceMeaning(revision=found[0], how=found[1], location=PackageLocation(source=repository))

    async def _oci(self, source: OciModuleSource) -> Meant:
        found = await self._packages.resolve(source)
        how = f"its tag {source.tag}" if source.digest is None else "the manifest that it names"
        return SourceMeaning(
            revision=str(found.manifest),
            package=str(found.digest),
            how=how,
            location=PackageLocation(source=source.whole),
        )

    async def _registry(self, module: RegistryModule, hops: int) -> Meant:
        version, location = await self._registries.location(module)
        if location.with_credentials:
            return Unresolved(
                reason=f"the archive of version {version} is given out with the registry's credentials only",
                hint="they are sent for its answers, and never for packages",
            )
        if location.direct:
            return _led(await self._answer(ArchiveUrl(location.address), hops), f"version {version}", location.address)
        return (await self._onward(location.address, f"version {version}", hops))[0]

    async def _page(self, page: PageUrl, hops: int) -> Meant:
        document = await self._http.get_document(page.url, stage=Stage.METADATA, limit=_PAGE_LIMIT)
        where = redacted(page.url)
        if document.status not in _SUCCESS:
            said = f"{where} answered {document.status} {phrase(document.status)}".rstrip()
            return Unresolved(reason=said, hint=_ASK, absent=document.status in _GONE)
        address = document.headers.get(HEADER, "") or address_in_page(document.body)
        if not address:
            return Unresolved(reason=f"{where} does not say where the package is", hint=_ASK)
        answer, subdirectory = await self._onward(address, "the server", hops)
        if isinstance(answer, Unresolved) or not subdirectory:
            return answer
        # Of what a page leads to, the client copies the sub-directory alone; a registry leads to the whole package.
        location = answer.location
        return replace(answer, location=replace(location, within=(*location.within, subdirectory)))

    async def _onward(self, address: str, who: str, hops: int) -> tuple[Meant, str]:
        """What an address means that a registry or a server has led to, together with its sub-directory."""
        if hops < 1:
            return Unresolved(reason=f"servers led on more than {MAX_HOPS} times", hint=_ASK), ""
        try:
            source = led_to(address, "")
            question = question_of(source, address)
        except ModuleSourceError as error:
            return Unresolved(reason=f"{who} leads to what no client installs: {error.message}", hint=_ASK), ""
        answer = question if isinstance(question, Unresolved) else await self._answer(question, hops - 1)
        return _led(answer, who, address), source.subdirectory


def _led(answer: Meant, who: str, address: str) -> Meant:
    """The answer, with `who` led to it before its own words."""
    shown = redacted_source(address)
    if isinstance(answer, Unresolved):
        return replace(answer, reason=f"{who} leads to {shown}: {answer.reason}")
    return replace(answer, how=f"{who}, which leads to {shown}: {answer.how}")
