"""The parties' keys: the author's, and those of everybody who would like to be taken for the author."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from adversarial.scene import days_ago, unsigned

from lockwarden.demo.keys import KeyMaker, SigningKey, SigningPart
from lockwarden.demo.releases import Release, signed

USER_ID = "Acme Releases <releases@acme.example>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """Who signs. All keys but the last two have the same user ID text."""

    maker: KeyMaker
    author: SigningKey
    """The provider's author."""
    intruder: SigningKey
    """Somebody who calls himself like the author."""
    expired: SigningKey
    """The author's former key."""
    subkey: SigningKey
    """A key that only certifies, with a subkey that signs."""

    def sign(self, release: Release, *, by: SigningKey | None = None, days: float = 2, offered: bool = True) -> Release:
        """A release with its signature, and with its signer's key offered by the registry."""
        key = by or self.author
        return signed(
            replace(release, offered=(key,) if offered else release.offered),
            maker=self.maker,
            key=key,
            at=days_ago(days),
        )

    def release(self, name: str, **said: str) -> Release:
        """An honest release, which is signed once a session."""
        return _signed(self, name, **said)

    @classmethod
    def make(cls, maker: KeyMaker) -> Parties:
        """Make the keys."""
        return cls(
            maker=maker,
            author=maker.make(USER_ID, created=days_ago(90)),
            intruder=maker.make(USER_ID, created=days_ago(80)),
            expired=maker.make(USER_ID, created=days_ago(900), expires=days_ago(60)),
            subkey=maker.make("Acme Offline <offline@acme.example>", created=days_ago(90), use=SigningPart.SUBKEY),
        )


@cache
def _signed(parties: Parties, name: str, **said: str) -> Release:
    return parties.sign(unsigned(name, **said))
