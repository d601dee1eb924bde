"""Source addresses for people and reports, without what may be a secret.

It works on any text, also on one that is no address: the most is hidden where the least is understood.
"""

from __future__ import annotations

import re
from typing import Final

from lockwarden.core.values.go_addresses import forced_getter, percent_decoded
from lockwarden.core.values.secret import SHOWN

LONGEST_SHOWN: Final = 500
"""Characters of a source."""
_LEFT_OUT: Final = "…"
_HARMLESS: Final = frozenset({"ref", "rev", "tag", "digest", "depth", "archive", "checksum", "filename"})
"""Names in a query whose values say what is wanted; any other value may be a secret."""
_SECRET_NAME: Final = re.compile(
    r"secret|passw|token|credential|signature|\bsig\b|\bkey\b|api_?key|access_?key|sshkey|auth(?!or)", re.IGNORECASE
)
_PLAIN_HOST: Final = re.compile(r"(?:[\w-]+(?:\.[\w-]+)+|localhost|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)


def redacted_source(text: str) -> str:
    """The address without user information, without the values of arguments that may be secrets, and not too long."""
    rest, hash_, _ = text.partition("#")
    address, mark, query = rest.partition("?")
    if "@" in query and not _plain_authority(address):
        address, mark, query = rest, "", ""  # a password may hold the question mark
    if hash_ and "@" in text[len(rest) :] and not _plain_authority(address):
        address, hash_ = text, ""
    shown = _without_user(address)
    if mark:
        shown += f"?{'&'.join(map(_argument, query.split('&')))}"
    if hash_:
        shown += f"#{_LEFT_OUT}"
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}… ({len(text)} characters)"


def has_secret_name(name: str) -> bool:
    """Whether an argument of this name holds a secret."""
    return _SECRET_NAME.search(name) is not None


def _argument(pair: str) -> str:
    name, equals, value = pair.partition("=")
    if not value:
        return f"{name}{equals}" if equals or not name else _LEFT_OUT
    if percent_decoded(name) not in _HARMLESS:
        return f"{name}={SHOWN if has_secret_name(percent_decoded(name)) else _LEFT_OUT}"
    if value.startswith("file:"):
        return f"{name}=file:{redacted_source(percent_decoded(value[5:]))}"
    plain = "://" not in percent_decoded(value) and "@" not in percent_decoded(value)
    return f"{name}={value if plain else _LEFT_OUT}"


def _plain_authority(address: str) -> bool:
    """Whether what stands between `://` and the next slash is a host, maybe behind a user, so that it surely ends."""
    _, separator, rest = address.partition("://")
    return (
        bool(separator) and "/" in rest and _PLAIN_HOST.fullmatch(rest.partition("/")[0].rpartition("@")[2]) is not None
    )


def _without_user(address: str) -> str:
    begin, separator, rest = address.partition("://")
    if not separator:
        return _without_user_of_path(address)
    if "@" not in rest:
        return address
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    if not _PLAIN_HOST.fullmatch(host):
        return f"{begin}://{SHOWN}@{rest.rpartition('@')[2]}"  # a password may hold the slash
    if not at:
        return address
    named = begin.rpartition("::")[2].lower().endswith("ssh") and ":" not in user
    return f"{begin}://{user if named else SHOWN}@{host}{slash}{path}"


def _without_user_of_path(address: str) -> str:
    """The same for what has no scheme: `git@host:path`, a path, or no address at all."""
    getter, bare = forced_getter(address)
    before, at, after = bare.rpartition("@")
    if not at or before == "git" or bare.startswith((".", "/")) or ("/" in before and ":" not in before):
        return address
    return f"{getter}::{SHOWN}@{after}" if getter else f"{SHOWN}@{after}"
