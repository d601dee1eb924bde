"""OpenSSH's list of allowed signers (ssh-keygen(1), ALLOWED SIGNERS): which keys may sign what, as whom, and when.

Read by our own rules where OpenSSH's are wider: a line without `namespaces` would let every signature of the key count,
also those over Git commits, so that it says nothing here; certificates are not verified, so that `cert-authority`
makes a line void, as any option does that is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Final

from msgspec import Struct

from lockwarden.core.document_signatures.faults import MalformedError
from lockwarden.core.document_signatures.ssh_keys import SshKey, read_key_words
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.late_patterns import LatePattern

MAX_BYTES: Final = 256 * 1024
"""Size of a list; a line has some hundred bytes."""
_LINE: Final = LatePattern(r'(?P<principals>"[^"]*"|[^\s"]\S*)[ \t]+(?P<rest>.*)')
_OPTION: Final = LatePattern(r'(?P<name>[A-Za-z-]+)(?:="(?P<value>(?:[^"\\]|\\.)*)")?(?P<after>,|[ \t]+|$)')
_KEY: Final = LatePattern(r"(?P<kind>[a-z][a-z0-9@.-]+)[ \t]+(?P<blob>[A-Za-z0-9+/=]+)(?:[ \t].*)?")
_TIME: Final = LatePattern(r"([0-9]{8})([0-9]{4})?([0-9]{2})?(Z?)")
_SHOWN: Final = 40
_WITH_VALUE: Final = frozenset({"namespaces", "valid-after", "valid-before"})


class AllowedSigner(Struct, frozen=True, kw_only=True):
    """One line: who may sign with a key."""

    line: int
    principals: tuple[str, ...]
    """Patterns with `*`, `?` and, in front, `!`."""
    key: SshKey
    namespaces: tuple[str, ...] = ()
    """Patterns; without any, the line says nothing here."""
    valid_after: datetime | None = None
    valid_before: datetime | None = None

    def names(self, principal: str) -> bool:
        """Whether the line is about a signer of this name."""
        return matches(principal, self.principals)

    def serves(self, namespace: str) -> bool:
        """Whether the line itself names what the signature is for."""
        return matches(namespace, self.namespaces)

    def begins_later(self, now: datetime) -> bool:
        """Whether it does not hold yet."""
        return self.valid_after is not None and now < self.valid_after

    def has_ended(self, now: datetime) -> bool:
        """Whether it does not hold any more."""
        return self.valid_before is not None and now > self.valid_before


class VoidLine(Struct, frozen=True):
    """A line that lets nothing count, and why."""

    line: int
    why: str


class AllowedSigners(Struct, frozen=True, kw_only=True):
    """A list of allowed signers."""

    path: str = ""
    """As people know the file."""
    signers: tuple[AllowedSigner, ...] = ()
    void: tuple[VoidLine, ...] = ()

    def of(self, key: SshKey) -> tuple[AllowedSigner, ...]:
        """The lines of a key, as whomever it signs."""
        return tuple(each for each in self.signers if each.key.blob == key.blob)


NO_SIGNERS: Final = AllowedSigners()


def read_allowed_signers(data: bytes, *, path: str, zone: tzinfo | None = None) -> AllowedSigners:
    """Read a list from its bytes. Times without a `Z` are of `zone`; None stands for this machine's.

    A line that is not understood is void and said to be. Raises MalformedError for what is no such list at all.
    """
    if len(data) > MAX_BYTES:
        raise MalformedError(f"{path} is larger than the limit of {MAX_BYTES} bytes")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise MalformedError(f"{path} is not text in UTF-8") from error
    signers: list[AllowedSigner] = []
    void: list[VoidLine] = []
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip(" \t\r")
        if not stripped or stripped.startswith("#"):
            continue
        try:
            signers.append(_signer(stripped, number, zone))
        except InputError as error:
            void.append(VoidLine(number, error.message))
    return AllowedSigners(path=path, signers=tuple(signers), void=tuple(void))


def matches(text: str, patterns: Iterable[str]) -> bool:
    """Whether patterns match a text: at least one does, and none that begins with `!`.

    `*` and `?` are the only wildcards, as in OpenSSH.
    """
    found = False
    for pattern in patterns:
        bare = pattern.removeprefix("!")
        if not _matches_one(text, bare):
            continue
        if bare != pattern:
            return False
        found = True
    return found


def _matches_one(text: str, pattern: str) -> bool:
    """The pieces between asterisks are found one after another, so that no pattern takes long."""
    first, *others = pattern.split("*")
    if not others:
        return len(text) == len(pattern) and _fits(text, 0, pattern)
    *middle, last = others
    if len(text) < len(first) + len(last) or not _fits(text, 0, first) or not _fits(text, len(text) - len(last), last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in middle:
        place = next((each for each in range(at, end - len(piece) + 1) if _fits(text, each, piece)), None)
        if place is None:
            return False
        at = place + len(piece)
    return True


def _fits(text: str, at: int, piece: str) -> bool:
    return all(wanted in ("?", found) for wanted, found in zip(piece, text[at : at + len(piece)], strict=True))


def _signer(line: str, number: int, zone: tzinfo | None) -> AllowedSigner:
    found = _LINE.fullmatch(line)
    if found is None:
        raise MalformedError("it has no key")
    principals = tuple(found["principals"].strip('"').split(","))
    rest = found["rest"]
    key = _KEY.fullmatch(rest)
    options: dict[str, str] = {}
    if key is None or not _is_key_type(key["kind"]):
        options, rest = _options(rest)
        key = _KEY.fullmatch(rest)
    if key is None:
        raise MalformedError("it has no key")
    after, before = (_time(options.get(name), zone) for name in ("valid-after", "valid-before"))
    if after is not None and before is not None and before <= after:
        raise MalformedError("it ends before it begins")
    return AllowedSigner(
        line=number,
        principals=principals,
        key=read_key_words(key["kind"], key["blob"]),
        namespaces=tuple(options["namespaces"].split(",")) if "namespaces" in options else (),
        valid_after=after,
        valid_before=before,
    )


def _is_key_type(word: str) -> bool:
    return word.startswith(("ssh-", "ecdsa-", "sk-", "rsa-", "webauthn-"))


def _options(text: str) -> tuple[dict[str, str], str]:
    """The options that a text begins with, and what follows them."""
    found: dict[str, str] = {}
    last = 0
    for each in _each_option(text):
        name, value = each["name"].lower(), each["value"]
        if name == "cert-authority":
            raise MalformedError("it names an authority for certificates, which are not verified")
        if name not in _WITH_VALUE or value is None:
            raise MalformedError(f"it has the option {name}, which is not known")
        if name in found:
            raise MalformedError(f"it has the option {name} twice")
        found[name] = re.sub(r"\\(.)", r"\1", value)
        last = each.end()
    return found, text[last:]


def _each_option(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while (found := _OPTION.match(text, at)) is not None:
        yield found
        at = found.end()
        if found["after"] != ",":
            return
    raise MalformedError("its options cannot be read")


def _time(text: str | None, zone: tzinfo | None) -> datetime | None:
    found = None if text is None else _TIME.fullmatch(text)
    if text is None:
        return None
    try:
        if found is not None:
            day, minute, second, utc = found.groups(default="")
            read = datetime.strptime(f"{day}{minute or '0000'}{second or '00'}", "%Y%m%d%H%M%S")  # noqa: DTZ007 - below
            return read.replace(tzinfo=UTC if utc else zone).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise MalformedError(f"“{text[:_SHOWN]}” is not a time, which is written YYYYMMDDHHMMSSZ")
