"""The user's settings: a TOML file of their own, from its bytes to values, or to everything that is wrong with it.

They say how things look, and where audits ask by default. They are never read from the repository under review
(`cli/own_settings.py`), and reports name them where they decided whom an audit asks.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.options import platform_choice
from lockwarden.core.engine.source_spelling import SourceSpec, parse_source_spec
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import InputError, SettingsError
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.printable import reveal
from lockwarden.core.values.terminals import Signs, When

MAX_BYTES: Final = 64 * 1024
"""Size of the file."""
NAMES: Final = ("theme", "signs", "color", "editor", "sources", "platforms", "columns", "keys")
AUTO: Final = "auto"
COLUMNS: Final = ("platform", "signed-by", "registry", "local")
"""Those of the table of hashes that can be left out; the others are what a decision is made by."""
_AT_LINE: Final = LatePattern(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_KEY: Final = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_ENTRY: Final = LatePattern(rf"^\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_TABLE: Final = LatePattern(rf"^\s*\[\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_T = TypeVar("_T", bound=StrEnum)


class UserSettings(Struct, frozen=True, kw_only=True):
    """What the user has set; what they have not is left to whoever asks."""

    path: str = ""
    """Of the file; empty without one."""
    digest: str = ""
    """`sha256:` and the digits, of the whole file."""
    theme: str = ""
    """Empty for what fits the terminal."""
    signs: Signs | None = None
    color: When | None = None
    editor: str = ""
    sources: tuple[SourceSpec, ...] = ()
    """Empty for what the CLI configuration says."""
    platforms: PlatformChoice | None = None
    columns: tuple[str, ...] = COLUMNS
    keys: Mapping[str, str] = msgspec.field(default_factory=lambda: MappingProxyType({}))
    """By the name of what they do, the keys that do it."""
    lines: Mapping[str, int] = msgspec.field(default_factory=lambda: MappingProxyType({}))
    """By the name of an entry, such as `theme` or `keys.review.decide`, where it stands."""

    def fault(self, entry: str, message: str, *, hint: str = "") -> SettingsError:
        """The error for an entry that only who uses it can find fault with."""
        return SettingsError(path=self.path, diagnostics=(_diagnostic(self.lines, entry, message, hint),))


def read_user_settings(
    data: bytes, *, path: Path, current: Platform, insecure_hosts: frozenset[str] = frozenset()
) -> UserSettings:
    """Read settings. Relative folders in them are relative to the file's own. Raises SettingsError with all faults."""
    reader = _Reader(data, path, current, insecure_hosts)
    settings = reader.settings()
    if reader.faults:
        raise SettingsError(path=str(path), diagnostics=tuple(sorted(reader.faults, key=lambda each: each.line)))
    return settings


def nearest(word: str, known: Collection[str]) -> str:
    """A hint that names what may have been meant, and else what there is."""
    from difflib import get_close_matches

    found = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"did you mean {found[0]}?" if found else f"there are {', '.join(known)}"


def _diagnostic(lines: Mapping[str, int], entry: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(line=lines.get(entry, 0), message=f"{reveal(entry)}: {message}", hint=hint)


class _Reader:
    """The values of one file, and what is wrong with it."""

    def __init__(self, data: bytes, path: Path, current: Platform, insecure_hosts: frozenset[str]) -> None:
        self._path, self._current, self._insecure_hosts = path, current, insecure_hosts
        self._data = data
        self._lines: Mapping[str, int] = {}
        self.faults: list[Diagnostic] = []

    def settings(self) -> UserSettings:
        """The settings, as far as they can be read."""
        document = self._document()
        for name in document.keys() - set(NAMES):
            self._object(name, "there is no such setting", nearest(name, NAMES))
        keys = self._table(document, "keys")
        return UserSettings(
            path=str(self._path),
            digest=f"sha256:{hashlib.sha256(self._data).hexdigest()}",
            theme=theme if (theme := self._text(document, "theme")) != AUTO else "",
            signs=self._word(document, "signs", Signs),
            color=self._word(document, "color", When),
            editor=self._text(document, "editor"),
            sources=tuple(dict.fromkeys(self._sources(self._texts(document, "sources")))),
            platforms=self._platforms(self._texts(document, "platforms")),
            columns=self._columns(document),
            keys=MappingProxyType(keys),
            lines=MappingProxyType(dict(self._lines)),
        )

    def _document(self) -> dict[str, Any]:
        if len(self._data) > MAX_BYTES:
            self.faults.append(Diagnostic(message=f"it has more than {MAX_BYTES} bytes", hint="it needs a few hundred"))
            return {}
        import tomllib

        try:
            text = self._data.decode("utf-8")
            document = tomllib.loads(text)
        except UnicodeDecodeError as error:
            line = self._data.count(b"\n", 0, error.start) + 1
            self.faults.append(Diagnostic(line=line, message="it is not UTF-8", hint="save it as UTF-8"))
            return {}
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            found = _AT_LINE.search(str(error))
            line = 0 if found is None else int(found[1] or self._data.rstrip().count(b"\n") + 1)
            why = reveal(_AT_LINE.sub("", str(error)))
            hint = "“lockwarden settings” prints what it may look like"
            self.faults.append(Diagnostic(line=line, message=f"it is not TOML: {why}", hint=hint))
            return {}
        self._lines = entry_lines(text)
        return document

    def _object(self, entry: str, message: str, hint: str) -> None:
        self.faults.append(_diagnostic(self._lines, entry, message, hint))

    def _text(self, document: Mapping[str, Any], name: str) -> str:
        value = document.get(name, "")
        if isinstance(value, str):
            return value.strip()
        self._object(name, f"it is {_kind(value)} and has to be a text", f'write {name} = "…"')
        return ""

    def _texts(self, document: Mapping[str, Any], name: str) -> tuple[str, ...]:
        value = document.get(name, [])
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        self._object(name, f"it is {_kind(value)} and has to be a list of texts", f'write {name} = ["…"]')
        return ()

    def _table(self, document: Mapping[str, Any], name: str) -> dict[str, str]:
        """A table with the names of those in it put together, so that `review.decide` may be written with quotation
        marks or without."""
        value = document.get(name, {})
        if not isinstance(value, dict):
            self._object(name, f"it is {_kind(value)} and has to be a table", f"write [{name}] on a line of its own")
            return {}
        entries = _flat(value)
        for entry, text in entries.items():
            if not isinstance(text, str):
                self._object(f"{name}.{entry}", f"it is {_kind(text)} and has to be a text", 'write the key: "ctrl+d"')
        return {entry: text for entry, text in entries.items() if isinstance(text, str)}

    def _word(self, document: Mapping[str, Any], name: str, kind: type[_T]) -> _T | None:
        word = self._text(document, name)
        if word in {"", AUTO}:
            return None
        known = (AUTO, *(each.value for each in kind if each.value != AUTO))
        if word not in known:
            self._object(name, f"there is no “{reveal(word)}”", nearest(word, known))
            return None
        return kind(word)

    def _sources(self, texts: Sequence[str]) -> Sequence[SourceSpec]:
        def spec(text: str) -> SourceSpec:
            return parse_source_spec(text, directory=self._path.parent, insecure_hosts=self._insecure_hosts)

        return self._each("sources", texts, spec)

    def _platforms(self, texts: Sequence[str]) -> PlatformChoice | None:
        def choice(text: str) -> PlatformChoice:
            return platform_choice((text,), current=self._current)

        good = len(self._each("platforms", texts, choice)) == len(texts)
        return platform_choice(tuple(texts), current=self._current) if texts and good else None

    def _each(self, name: str, texts: Sequence[str], read: Callable[[str], Any]) -> list[Any]:
        values = []
        for text in texts:
            try:
                values.append(read(text))
            except InputError as error:
                self._object(name, error.message.removeprefix("--platform: "), error.hint)
        return values

    def _columns(self, document: Mapping[str, Any]) -> tuple[str, ...]:
        if "columns" not in document:
            return COLUMNS
        texts = self._texts(document, "columns")
        for text in texts:
            if text not in COLUMNS:
                self._object("columns", f"there is no column “{reveal(text)}”", nearest(text, COLUMNS))
        return tuple(each for each in COLUMNS if each in texts)


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        flat |= _flat(value, f"{before}{name}.") if isinstance(value, dict) else {f"{before}{name}": value}
    return flat


def _kind(value: object) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a table"}
    return kinds.get(type(value), "a time")


def entry_lines(text: str) -> dict[str, int]:
    """Where each entry of a TOML document that can be read begins, counted from 1; tables and lists of one are not."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := _TABLE.match(line):
            table = f"{_joined(found[1])}."
            lines.setdefault(table[:-1], number)
        elif found := _ENTRY.match(line):
            name = f"{table}{_joined(found[1])}"
            lines.setdefault(name, number)
            lines.setdefault(name.partition(".")[0], number)
    return lines


def _joined(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in re.findall(_KEY, key))
