"""What a source means today: the commit or digest that it leads to, or why that is not known."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from lockwarden.core.modules.sources import RemoteSource
from lockwarden.core.values.go_addresses import decoded, forced_getter, split_subdirectory

GIT_ARGUMENTS: Final = frozenset({"ref", "depth", "sshkey"})
"""The arguments of a source that are no part of the repository's address."""
_EXPRESSION: Final = re.compile(r"[~^:@{}*?\[\\\s]")
_WHOLE_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BEGINNING: Final = re.compile(r"[0-9A-Fa-f]{7,39}")


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


class Unresolved(Struct, frozen=True, kw_only=True):
    """Why it is not known what a source means today."""

    reason: str
    """A clause."""
    hint: str
    absent: bool = False
    """Whether the answer was that there is no such thing; otherwise nobody answered, or nobody was asked."""


class GitRepository(Struct, frozen=True):
    """Where a repository is, and what is wanted of it; without secrets."""

    url: str
    ref: str


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


def revision_in(listing: bytes, ref: str) -> tuple[str, str] | Unresolved:
    """The commit that a name stands for in what `git ls-remote` lists, and a clause that says by which reference."""
    refs: dict[str, str] = {}
    for line in listing.decode("utf-8", "replace").splitlines():
        commit, _, name = line.partition("\t")
        if _WHOLE_ID.fullmatch(commit):
            refs[name] = commit
    wanted = wanted_references(ref)
    there = [(name, what) for name, what in wanted if name in refs]
    if there:
        name, what = there[0]
        also = f", and not {there[1][1]}" if len(there) > 1 else ""
        return refs.get(f"{name}^{{}}", refs[name]), f"{what}{also}"
    if not wanted or _BEGINNING.fullmatch(ref):
        what = "the beginning of a commit's ID" if wanted else "a name that only a clone can tell"
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


class ArchiveUrl(Struct, frozen=True):
    """Where an archive is. It may hold secrets, which go to the server and nowhere else."""

    url: str


def archive_url(source: RemoteSource, text: str) -> ArchiveUrl | Unresolved:
    """Where the archive of a source is, by its text; or why nobody asks."""
    if source.url.scheme != "https":
        return Unresolved(reason=f"nobody is asked by {source.url.scheme}", hint="fetch it by https")
    if not source.url.host:
        return Unresolved(reason="its address names no host", hint="correct the address")
    if source.url.user is not None:
        return Unresolved(reason="its address holds a secret", hint="take the secret out of the address")
    return ArchiveUrl(
        _without(forced_getter(split_subdirectory(text.partition("#")[0])[0])[1], {"archive", "checksum"})
    )


def pinned_archive(source: str, digest: str) -> str:
    """The source with the archive's SHA-256 for its checksum, all else as it is; empty where it has a fragment."""
    if "#" in source:
        return ""
    kept = _without(source, {"checksum"})
    return f"{kept}{'&' if '?' in kept else '?'}checksum={digest}"


def _without(text: str, names: set[str]) -> str:
    """The text without the arguments of these names."""
    address, _, query = text.partition("?")
    pairs = [pair for pair in query.split("&") if pair and decoded(pair.partition("=")[0]) not in names]
    return f"{address}?{'&'.join(pairs)}" if pairs else address


def _encoded(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/:@!$&'()*+,;=~-._")
