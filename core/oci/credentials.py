"""Credentials for OCI registries, as whoever reads configurations hands them to the protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class OciCredential:
    """A user name with a password, or an access token. Its representation holds no secret."""

    origin: str
    """Where it came from (a kind and a file), for people; never a secret."""
    username: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    access_token: str = field(default="", repr=False)
    """Sent as it is where a registry asks for a token; the user name and the password are then not used."""


class OciCredentialsLookup(Protocol):
    """Finds credentials for repositories."""

    def lookup(self, domain: str, repository: str) -> OciCredential | None:
        """The credentials for the repository at this path of the registry `domain` (with its port), or None.

        It may block; it is called in a thread, at most once a repository, and only once the registry asks. May raise a
        SourceError, which then ends what was asked.
        """
        ...


class NoCredentials:
    """Knows none."""

    def lookup(self, domain: str, repository: str) -> OciCredential | None:  # noqa: ARG002 - the protocol's
        """None, whatever is asked for."""
        return None
