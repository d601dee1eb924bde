"""Addresses of repositories in OCI registries, whole or as the prefix that credentials are for."""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.errors import InputError
from lockwarden.core.values.late_patterns import LatePattern

MAX_LENGTH: Final = 1024
"""Characters in an address."""

_DOMAIN: Final = LatePattern(r"(?:[A-Za-z0-9._~-]|[^\x00-\x7f])+(?::[0-9]*)?|\[[0-9A-Fa-f:.]+\](?::[0-9]*)?")
_SEGMENT: Final = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_PATH: Final = LatePattern(rf"{_SEGMENT}(?:/{_SEGMENT})*")
_FORM: Final = "an address looks like registry.example.com/team/name: a host with an optional port, then lower case"


def without_user(text: str) -> str:
    """A text for people, without the user name and password that an address may begin with."""
    return text.rpartition("@")[2]


class RepositoryAddressError(InputError):
    """The text is no address of a repository, and no prefix of one."""


class RepositoryPrefix(Struct, frozen=True):
    """A registry's domain with an optional port, and the first segments of a repository's path, or the whole of it."""

    domain: str
    """Compared as it is written, with case and port."""
    path: str
    """Empty for every repository of the registry."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `DOMAIN[:PORT][/PATH]`. Raises RepositoryAddressError, also for a tag or a digest."""
        if len(text) > MAX_LENGTH:
            raise RepositoryAddressError(f"an address of {len(text)} characters is too long; the limit is {MAX_LENGTH}")
        domain, slash, path = text.partition("/")
        if not _DOMAIN.fullmatch(domain):
            raise RepositoryAddressError(f"“{without_user(domain)}” is not the domain of a registry", hint=_FORM)
        if not slash:
            return cls(domain, "")
        path, mark, reference = path.partition("@" if "@" in path else ":")
        path, *tag = path.split(":", 1)
        if not _PATH.fullmatch(path):
            raise RepositoryAddressError(f"“{path}” is not the path of a repository", hint=_FORM)
        if reference or tag or mark == "@":
            raise RepositoryAddressError("a tag or a digest cannot stand in it", hint=_FORM)
        return cls(domain, path)

    def matched_segments(self, domain: str, repository: str) -> int | None:
        """How many segments of the path the prefix shares with a repository: 0 for the domain alone, None for none.

        Whole segments only: `team/x` is no prefix of `team/xyz`.
        """
        if domain != self.domain:
            return None
        mine = self.path.split("/") if self.path else []
        return len(mine) if repository.split("/")[: len(mine)] == mine else None
