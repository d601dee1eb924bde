"""What a source means today: the commit or digest that it leads to, or why that is not known."""

from __future__ import annotations

import re
from typing import Final, TypeAlias, assert_never
from urllib.parse import quote

from msgspec import Struct

from lockwarden.core.modules.oci_sources import OciModuleSource, oci_source
from lockwarden.core.modules.sources import Getter, RegistryModuleSource, RemoteSource
from lockwarden.core.values.go_addresses import forced_getter, percent_decoded, split_subdirectory

GIT_ARGUMENTS: Final = frozenset({"ref", "depth", "sshkey"})
"""The arguments of a source that are no part of the repository's address."""
_EXPRESSION: Final = re.compile(r"[~^:@{}*?\[\\\s]")
_WHOLE_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BEGINNING: Final = re.compile(r"[0-9A-Fa-f]{7,39}")


class GitRepository(Struct, frozen=True):
    """Where a repository is, and what is wanted of it; without secrets."""

    url: str
    ref: str


class ArchiveUrl(Struct, frozen=True):
    """Where an archive is. It may hold secrets, which go to the server and nowhere else."""

    url: str
    kind: str = ""
    """What the client takes it for; empty where its bytes tell."""


PackageSource: TypeAlias = OciModuleSource | GitRepository | ArchiveUrl


class PackageLocation(Struct, frozen=True, kw_only=True):
    """Where the package of a source lies, once registries and pages led on. It may hold secrets."""

    source: PackageSource
    within: tuple[str, ...] = ()
    """Folders, each within the one before, of which the last alone is the package: pages lead to such."""


class Resolved(Struct, frozen=True, kw_only=True):
    """What a source led to when it was asked, or what it names by itself."""

    revision: str
    """The commit's ID, or the digest of the manifest."""
    package: str = ""
    """The digest of the package, where there is one beside."""
    how: str
    """A clause."""
    pinned: str = ""
    """The same source so that it cannot mean anything else; empty where it is so already, or cannot be written. It may
    hold secrets."""
    location: PackageLocation | None = None
    """Where its package lies in the end; None where nobody was asked. It may hold secrets."""


class Unresolved(Struct, frozen=True, kw_only=True):
    """Why it is not known what a source means today."""

    reason: str
    """A clause."""
    hint: str
    absent: bool = False
    """Whether the answer was that there is no such thing; otherwise nobody answered, or nobody was asked."""


def git_repository(source: RemoteSource) -> GitRepository | Unresolved:
    """What a source of git asks for, or why nobody asks: a secret would show in the list of processes."""
    url = source.url
    if url.scheme not in {"https", "ssh"}:
        return Unresolved(reason=f"nobody is asked by {url.scheme or 'no scheme'}", hint="fetch it by https or ssh")
    if not url.host:
        return Unresolved(reason="its address names no host", hint="correct the address")
    if url.user is not None and (url.scheme != "ssh" or ":" in url.user):
        return Unresolved(reason="its address holds a secret", hint="take the secret out of the address")
    others = {name for name, _ in url.query} - GIT_ARGUMENTS - {"archive"}
    if others or url.first("sshkey"):
        return Unresolved(
            reason="its address has arguments beside “ref” and “depth”", hint="they may be secrets; take them out"
        )
    user = f"{url.user}@" if url.user else ""
    return GitRepository(f"{url.scheme}://{user}{url.host}{_encoded(url.path)}", url.first("ref"))


def wanted_references(ref: str) -> tuple[tuple[str, str], ...]:
    """The references that a name can stand for in a fresh clone, the first one that is there first, each in words.

    A tag comes before a branch of its name. Nothing for what is no plain name, such as `v1~2`.
    """
    if ref in {"", "HEAD"}:
        return (("HEAD", "its default branch"),)
    if _EXPRESSION.search(ref) or ref.startswith(("refs/heads/", "refs/remotes/", "heads/", "remotes/")):
        return ()
    if ref.startswith("refs/"):
        return ((ref, f"its reference {ref}"),) if ref.startswith("refs/tags/") else ()
    found = [(f"refs/tags/{ref}", f"its tag {ref}"), (f"refs/heads/{ref}", f"its branch {ref}")]
    if ref.startswith("tags/"):
        found.insert(0, (f"refs/{ref}", f"its tag {ref.removeprefix('tags/')}"))
    if ref.startswith("origin/"):
        branch = ref.removeprefix("origin/")
        found.insert(1, (f"refs/heads/{branch}", f"its branch {branch}"))
    return tuple(found)


def is_beginning(ref: str) -> bool:
    """Whether a name may be the beginning of a commit's ID."""
    return _BEGINNING.fullmatch(ref) is not None


def revision_in(listing: bytes, ref: str) -> tuple[str, str] | Unresolved:
    """The commit that a name stands for in what `git ls-remote` lists, and a clause that says by which reference."""
    refs: dict[str, str] = {}
    for line in listing.decode("utf-8", "replace").splitlines():
        commit, _, name = line.partition("\t")
        if _WHOLE_ID.fullmatch(commit):
            refs[name] = commit
    wanted = wanted_references(ref)
    there = [(name, what) for name, what in wanted if name in refs]
    beginning = is_beginning(ref)
    if beginning and not any(name.startswith("refs/tags/") for name, _ in there):
        tips = {refs.get(f"{name}^{{}}", commit) for name, commit in refs.items() if not name.endswith("^{}")}
        begun = sorted(each for each in tips if each.startswith(ref.lower()))
        if len(begun) == 1:
            return begun[0], f"the commit that begins with {ref}, which is the end of a branch or has a tag"
        if begun:
            return Unresolved(reason=f"{len(begun)} commits begin with “{ref}”", hint="write the whole ID")
    if there:
        name, what = there[0]
        also = f", and not {there[1][1]}" if len(there) > 1 else ""
        return refs.get(f"{name}^{{}}", refs[name]), f"{what}{also}"
    if not wanted or beginning:
        what = (
            "the beginning of the ID of no commit at the end of a branch or with a tag"
            if wanted
            else "a name that only a clone can tell"
        )
        return Unresolved(reason=f"“{ref[:100]}” is {what}", hint="write the whole ID of the commit, or a tag")
    what = f"neither a tag nor a branch “{ref[:100]}”" if ref else "no default branch"
    return Unresolved(reason=f"the repository has {what}", hint="look at the tags that it has", absent=True)


def pinned_git(source: str, commit: str) -> str:
    """The source with the commit for its `ref`, all else as it is; `depth` goes, which forbids commits.

    Empty where the source has a fragment, behind which nothing counts.
    """
    if "#" in source:
        return ""
    kept = _without(source, {"ref", "depth"})
    return f"{kept}{'&' if '?' in kept else '?'}ref={commit}"


def archive_url(source: RemoteSource, text: str) -> ArchiveUrl | Unresolved:
    """Where the archive of a source is, by its text; or why nobody asks."""
    if source.url.scheme != "https":
        return Unresolved(reason=f"nobody is asked by {source.url.scheme}", hint="fetch it by https")
    if not source.url.host:
        return Unresolved(reason="its address names no host", hint="correct the address")
    if source.url.user is not None:
        return Unresolved(reason="its address holds a secret", hint="take the secret out of the address")
    return ArchiveUrl(
        _without(forced_getter(split_subdirectory(text.partition("#")[0])[0])[1], {"archive", "checksum"}),
        source.archive,
    )


class PageUrl(Struct, frozen=True):
    """Where a server says where the package is. It may hold secrets, which go to the server and nowhere else."""

    url: str


def page_url(source: RemoteSource, text: str) -> PageUrl | Unresolved:
    """Where a source that is no archive is asked for, by its text; or why nobody asks."""
    found = archive_url(source, text)
    if isinstance(found, Unresolved):
        return found
    return PageUrl(f"{found.url}{'&' if '?' in found.url else '?'}terraform-get=1")


class RegistryModule(Struct, frozen=True):
    """A module of a registry, and which versions of it are wanted."""

    source: RegistryModuleSource
    constraint: str


ModuleQuestion: TypeAlias = OciModuleSource | GitRepository | ArchiveUrl | PageUrl | RegistryModule
"""What is asked about a source. Its class says who is asked."""


def question_of(source: RemoteSource, text: str) -> ModuleQuestion | Unresolved:
    """What is asked about a source that was written as `text`, or why nobody is. Raises ModuleSourceError."""
    match source.getter:
        case Getter.OCI:
            return oci_source(source)
        case Getter.GIT if source.asks_bitbucket:
            return _not_here("Bitbucket says what kind of repository it is", "write git::https://bitbucket.org/…")
        case Getter.GIT:
            return git_repository(source)
        case Getter.HTTP | Getter.HTTPS:
            return archive_url(source, text) if source.archive else page_url(source, text)
        case Getter.S3 | Getter.GCS:
            return _not_here("buckets are asked with the credentials of a cloud", "pin it by “checksum”, or move it")
        case Getter.HG:
            return _not_here("Mercurial is not asked", "write the whole ID of the changeset as “rev”")
        case Getter.FILE:
            return _not_here("it is whatever lies in a folder of the machine", "call it as a local module")
        case _:
            assert_never(source.getter)


def _not_here(why: str, hint: str) -> Unresolved:
    return Unresolved(reason=f"it cannot be resolved here: {why}", hint=hint)


def pinned_archive(source: str, digest: str) -> str:
    """The source with the archive's SHA-256 for its checksum, all else as it is; empty where it has a fragment."""
    if "#" in source:
        return ""
    kept = _without(source, {"checksum"})
    return f"{kept}{'&' if '?' in kept else '?'}checksum={digest}"


def _without(text: str, names: set[str]) -> str:
    """The text without the arguments of these names."""
    address, _, query = text.partition("?")
    pairs = [pair for pair in query.split("&") if pair and percent_decoded(pair.partition("=")[0]) not in names]
    return f"{address}?{'&'.join(pairs)}" if pairs else address


def _encoded(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/:@!$&'()*+,;=~-._")
