"""The unit of work: one package, from where it is given out and what its bytes should be to what they are.

Small arguments in, small facts out: the audit of a lock file does it for one package after the other, a backfill of a
whole registry for thousands, here or on other machines. There is no other place where a package is fetched and hashed
for what a registry or a mirror says of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from lockwarden.core.http.client import HttpClient
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.urls import redacted

if TYPE_CHECKING:
    from lockwarden.core.http.elsewhere import AskedPackage, PackagesElsewhere
    from lockwarden.core.http.package_streams import AnswerHead


class PackageWork(Struct, frozen=True, kw_only=True):
    """What there is to do for one package."""

    url: str
    zh: Hash | None = None
    """What its bytes should hash to; None where nobody says so."""
    promised: frozenset[Hash] = frozenset()
    """With these hashes, too, it is the package that some document promised, and is kept for later."""
    size: int | None = None
    """Bytes of the archive as somebody else than its server says."""


class PackageEvidence(Struct, frozen=True, kw_only=True):
    """What the bytes of a package are, and where they came from. It says nothing about who made them."""

    package: KnownPackage
    location: str
    """Where it is given out, without query and user information."""


async def package_evidence(
    http: HttpClient,
    store: PackageStore,
    work: PackageWork,
    *,
    known: bool = False,
    keep: bool = True,
    on_bytes: Callable[[int], None] = lambda _: None,
    on_answer: Callable[[AnswerHead], None] = lambda _: None,
) -> PackageEvidence:
    """Fetch the package and hash it; where it is `known`, what the store knows of bytes with its `zh` will do.

    What was promised is kept for later unless `keep` says otherwise. `on_bytes` gets the number of bytes so far,
    `on_answer` the head of every final answer. Where the client has workers elsewhere, they do the same; then
    `on_bytes` hears of the whole package alone, and `on_answer` of nothing. Raises NoAnswerError and BadAnswerError as
    `download` does. Bytes with another `zh` are no error: to tell what that means is the caller's business.
    """
    wanted = work.promised if work.zh is None else work.promised | {work.zh}

    async def fetch() -> KnownPackage:
        if known and work.zh is not None and (found := await store.find(work.zh)) is not None:
            return found
        if http.elsewhere is not None:
            from lockwarden.core.http.elsewhere import AskedPackage

            asked = AskedPackage(url=work.url, zh=work.zh, size=work.size, retries=http.settings.package_retries)
            return await _done_elsewhere(http.elsewhere, asked, store, wanted, on_bytes)
        from lockwarden.core.http.downloads import download  # where all is known, nothing is fetched

        return await download(
            http,
            work.url,
            store,
            on_bytes=on_bytes,
            on_answer=on_answer,
            expected=work.zh,
            promised=wanted.__contains__ if keep else _nothing,
            promised_size=work.size,
        )

    package = await http.tape.package(work.url, Stage.PACKAGE, fetch)
    return PackageEvidence(package=package, location=redacted(work.url))


async def _done_elsewhere(
    elsewhere: PackagesElsewhere,
    asked: AskedPackage,
    store: PackageStore,
    wanted: frozenset[Hash],
    on_bytes: Callable[[int], None],
) -> KnownPackage:
    """The same by others: the bytes stay there, and the store knows what they are as if it had them."""
    package = await elsewhere.package(asked)
    on_bytes(package.size)
    await store.learn(package, promised=package.zh in wanted, lasting=elsewhere.lasting)
    return package


def _nothing(_: Hash) -> bool:
    return False
