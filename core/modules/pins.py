"""Writes into calls what their sources mean today: the same sources, so that they cannot mean anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from lockwarden.core.configuration.editing import read_body, spliced, with_texts
from lockwarden.core.configuration.names import is_json
from lockwarden.core.configuration.syntax import Body, Span, Text, UnreadableProblem
from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.values.errors import FileChangedError
from lockwarden.core.values.source_redaction import redacted_source


class PinnedFile(Struct, frozen=True, kw_only=True):
    """A file of a configuration with other sources in it."""

    path: str
    """As people know it."""
    file: str
    """Where it lies, absolute."""
    calls: tuple[str, ...]
    """The keys of the calls whose sources are others, or rather the first key of each place."""
    before: bytes
    after: bytes
    shown_before: bytes
    """The same without what may be a secret in a source, for people."""
    shown_after: bytes


def pinned_file(data: bytes, calls: Iterable[tuple[ListedCall, str]]) -> PinnedFile:
    """The file, of which `data` was read, with other sources for some of its calls.

    Raises FileChangedError when it is not the file that the calls were read from, OwnFileEditError when it would not
    say exactly what it should.
    """
    wanted: dict[Span, tuple[ListedCall, str]] = {}
    for listed, pinned in calls:
        wanted.setdefault(listed.call.span or (0, 0), (listed, pinned))
    first = next(iter(wanted.values()))[0].call
    in_json = is_json(first.file)
    try:
        text = data.decode()
        sources = _sources(read_body(text, in_json=in_json))
    except (UnicodeDecodeError, UnreadableProblem) as error:
        raise _changed(first.path) from error
    if any(sources.get(span) != listed.call.source for span, (listed, _) in wanted.items()):
        raise _changed(first.path)
    pins = {span: pinned for span, (_, pinned) in wanted.items()}
    after = with_texts(text, pins, in_json=in_json)
    data_after = after.encode()
    return PinnedFile(
        path=first.path,
        file=first.file,
        calls=tuple(listed.key for listed, _ in wanted.values()),
        before=data,
        after=data_after,
        shown_before=_shown(text, in_json=in_json),
        shown_after=_shown(after, in_json=in_json),
    )


def _changed(path: str) -> FileChangedError:
    return FileChangedError(f"{path} was changed since it was read, so nothing was written", hint="read it again")


def _sources(body: Body) -> Mapping[Span, str]:
    """The sources of all calls that are constant texts, by their places."""
    found: dict[Span, str] = {}
    waiting = [body]
    while waiting:
        inner = waiting.pop()
        for block in inner.of_type("module"):
            for each in block.body.attributes:
                if each.name == "source" and each.span is not None and isinstance(each.value, Text):
                    found[each.span] = each.value.value
        waiting += [block.body for block in inner.of_type("run")]
    return found


def _shown(text: str, *, in_json: bool) -> bytes:
    """The text without what may be a secret in any source; where nothing is to be hidden, every byte as it is."""
    hidden = {
        span: f'"{shown}"'
        for span, source in _sources(read_body(text, in_json=in_json)).items()
        if (shown := redacted_source(source)) != source
    }
    return spliced(text, hidden).encode()
