"""Lock files in every shape, held against what the real clients did with them.

`lockfiles.json` holds 156 inputs and, for each client, the exit code, the diagnostics and the whole file that the
client wrote with `providers lock -platform=linux_amd64`, in which only the entry for `example.test/acme/plain` gained
hashes. Before the run that entry was added to the input, unless the input is one of `not_appended_to`.
"""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any

from builders.reading import edited, parse
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.lockfile.edit import HashChange
from lockwarden.core.lockfile.migration import moved_entries
from lockwarden.core.lockfile.model import LockedHash, LockedProvider, LockFile
from lockwarden.core.lockfile.render import canonical
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import LockFileInvalidError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("lockfiles.json").read_text(encoding="utf-8"))
PLAIN = ProviderAddress.parse("example.test/acme/plain")

OTHER_LINES = {
    "UTF-16": "one error for the whole file says more than one for each of its bytes",
    "unclosed block": "the blocks behind it are read as what they were meant to be, not as its content",
}
"""Files of which Lockwarden reports fewer lines than the clients; the first one is the same."""

OTHER_WORDS = {
    "unclosed comment": "the clients do not say that a comment is the cause",
    "conflict markers in hashes": "the clients do not say that a merge conflict is the cause",
    "conflict markers around blocks": "the clients do not say that a merge conflict is the cause",
    "version: heredoc": "Lockwarden reads no here-documents, and none could be a version",
}
"""Files whose first error Lockwarden words in its own way."""

ALL = [(name, client) for name in RECORDED["files"] for client in Client]
ACCEPTED = [(name, client) for name, client in ALL if RECORDED["files"][name][client.value]["exit"] == 0]
REFUSED = [case for case in ALL if case not in ACCEPTED]


def given(name: str) -> bytes:
    data: bytes = base64.b64decode(RECORDED["files"][name]["input"])
    if name in RECORDED["not_appended_to"]:
        return data
    line_end = b"" if not data or data.endswith(b"\n") else b"\n"
    return data + line_end + str(RECORDED["appended"]).encode()


def diagnostics(name: str, client: Client, severity: Severity) -> list[tuple[str, int | None]]:
    listed = RECORDED["files"][name][client.value]["diagnostics"]
    return [(summary, line) for kind, summary, line in listed if kind == severity.value]


@cache
def read(name: str, client: Client) -> LockFile | LockFileInvalidError:
    """What becomes of an input, read once for all that is said of it."""
    try:
        return parse(given(name), path="f", client=client)
    except LockFileInvalidError as error:
        return error


def accepted(name: str, client: Client) -> LockFile:
    found = read(name, client)
    assert isinstance(found, LockFile), found
    return found


def refused(name: str, client: Client) -> LockFileInvalidError:
    found = read(name, client)
    assert isinstance(found, LockFileInvalidError)
    return found


@cache
def read_back(name: str, client: Client) -> LockFile:
    """The file that the client wrote."""
    return parse(written(name, client), path="f")


def written(name: str, client: Client) -> bytes:
    return str(RECORDED["files"][name][client.value]["written"]).encode()


def hashes_written_for_plain(name: str, client: Client) -> frozenset[Hash]:
    """What stands between the brackets of the entry for the plain provider, read without our own reader."""
    block = written(name, client).decode().split(f'provider "{PLAIN}" {{\n')[1].split("\n}\n")[0]
    lines = block.split("  hashes = [\n")[1].splitlines()
    return frozenset(Hash(line.strip().removeprefix('"').removesuffix('",')) for line in lines[:-1])


def with_plain_hashes(providers: tuple[LockedProvider, ...], hashes: frozenset[Hash]) -> list[LockedProvider]:
    locked = tuple(LockedHash(hash=found, line=1) for found in hashes)
    return [replace(entry, hashes=locked) if entry.address == PLAIN else entry for entry in providers]


def test_the_recording_is_whole() -> None:
    assert len(RECORDED["files"]) == 156
    assert len(ACCEPTED) + len(REFUSED) == 312
    assert len(ACCEPTED) == 133


@table(("name", "client"), ACCEPTED)
def test_a_file_that_the_client_accepts_is_accepted(name: str, client: Client) -> None:
    lock_file = accepted(name, client)
    assert lock_file.client is client
    warned = [(warning.summary, warning.line) for warning in lock_file.warnings if warning.severity is Severity.WARNING]
    assert warned == [entry for entry in diagnostics(name, client, Severity.WARNING) if entry[1] is not None]


@table(("name", "client"), REFUSED)
def test_a_file_that_the_client_refuses_is_refused_at_the_same_lines(name: str, client: Client) -> None:
    ours = sorted({found.line for found in refused(name, client).diagnostics})
    theirs = sorted({line for _, line in diagnostics(name, client, Severity.ERROR) if line is not None})
    assert ours[0] == theirs[0]
    if name in OTHER_LINES:
        assert ours != theirs, "the difference is gone: take it out of the table"
    else:
        assert ours == theirs


@table(("name", "client"), REFUSED)
def test_an_error_has_the_clients_words(name: str, client: Client) -> None:
    ours = {(found.summary, found.line) for found in refused(name, client).diagnostics}
    theirs = set(diagnostics(name, client, Severity.ERROR))
    if name in OTHER_WORDS:
        assert not ours <= theirs, "the difference is gone: take it out of the table"
    else:
        assert ours <= theirs


@table(("name", "client"), ACCEPTED)
def test_what_was_read_renders_as_the_client_wrote_it(name: str, client: Client) -> None:
    entries = with_plain_hashes(accepted(name, client).providers, hashes_written_for_plain(name, client))
    if client is Client.OPENTOFU:
        entries += moved_entries(entries)
    assert canonical(entries, client=client) == written(name, client)


@table(("name", "client"), ACCEPTED)
def test_editing_nothing_changes_no_byte(name: str, client: Client) -> None:
    lock_file = accepted(name, client)
    nothing = {entry.address: HashChange(drop=frozenset({Hash("h1:not there")})) for entry in lock_file.providers}
    assert edited(lock_file, nothing) == lock_file.data


@table(("name", "client"), ACCEPTED)
def test_a_canonical_file_stays_as_the_client_would_write_it_when_hashes_come_and_go(name: str, client: Client) -> None:
    whole = read_back(name, client)
    assert whole.client is client
    hashes = hashes_written_for_plain(name, client)
    bare = parse(edited(whole, {PLAIN: HashChange(drop=hashes)}), path="f")
    assert bare.data == canonical(with_plain_hashes(whole.providers, frozenset()), client=client)
    assert edited(bare, {PLAIN: HashChange(add=hashes)}) == written(name, client)


@table(("name", "client"), ACCEPTED)
def test_the_lines_of_a_canonical_file_are_those_of_its_text(name: str, client: Client) -> None:
    lines = written(name, client).decode().split("\n")
    for entry in read_back(name, client).providers:
        assert lines[entry.line - 1] == f'provider "{entry.address}" {{'
        listed = lines[entry.line :][: lines[entry.line :].index("}")]
        start = listed.index("  hashes = [") if entry.hashes else len(listed)
        assert [locked.line for locked in entry.hashes] == [
            entry.line + start + 2 + index for index in range(len(listed[start + 1 :][:-1]))
        ]
