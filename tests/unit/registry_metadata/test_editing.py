"""Metadata files are filled as text: the rest stays byte for byte, and nothing is ever written over."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from builders.registry_metadata import SAMPLE, SAMPLE_H1, SAMPLE_SIZE
from builders.tables import table

from lockwarden.core.registry_metadata.canonical import is_canonical, odd_keys
from lockwarden.core.registry_metadata.editing import Fill, filled
from lockwarden.core.registry_metadata.model import (
    EMPTY_H1,
    MAX_SIZE,
    MetadataVersion,
    ProviderMetadata,
    Target,
    provider_of,
    read_metadata,
)
from lockwarden.core.registry_metadata.spans import spans_of
from lockwarden.core.values.errors import MetadataEditError, MetadataError

DATA = SAMPLE.encode()
FIELDS = re.compile(r',\s*"(h1|size)"\s*:\s*("[^"]*"|\d+|null)')
FILL = Fill(version=0, target=1, h1=SAMPLE_H1, size=SAMPLE_SIZE)


def fill(data: bytes, *fills: Fill, every_target: bool = False) -> bytes:
    return filled(data, fills, path="widget.json", every_target=every_target)


def test_just_the_two_lines_of_a_target_change() -> None:
    new = fill(DATA, FILL).decode().split("\n")
    changed = [(old, now) for old, now in zip(SAMPLE.split("\n"), new, strict=True) if old != now]
    assert changed == [
        ('          "h1": "",', f'          "h1": "{SAMPLE_H1}",'),
        ('          "size": 0', f'          "size": {SAMPLE_SIZE}'),
    ]
    assert fill(fill(DATA, FILL), FILL) == fill(DATA, FILL)
    assert fill(DATA) == DATA


def without_keys(text: str) -> str:
    return text.replace(',\n          "h1": "",\n          "size": 0', "")


def test_keys_that_are_absent_come_right_behind_the_shasum() -> None:
    old = without_keys(SAMPLE)
    assert is_canonical(old.encode())
    assert fill(old.encode(), FILL) == fill(DATA, FILL)
    assert fill(old.encode(), every_target=True) == DATA
    half = SAMPLE.replace(',\n          "size": 0', "")
    assert fill(half.encode(), FILL) == fill(DATA, FILL)
    other_half = SAMPLE.replace('          "h1": "",\n', "")
    assert fill(other_half.encode(), FILL) == fill(DATA, FILL)


@table(
    "old",
    [
        json.dumps(json.loads(SAMPLE), separators=(",", ":")),
        json.dumps(json.loads(without_keys(SAMPLE)), separators=(",", ":")),
        json.dumps(json.loads(without_keys(SAMPLE)), indent="\t"),
        SAMPLE + "\n",
        SAMPLE.replace('"h1": ""', '"h1": null').replace('"size": 0', '"size" :\tnull'),
        SAMPLE.replace('"os": "linux"', '"x": [{"y": "}]\\""}, 1.50], "os": "linux"'),
        SAMPLE.replace('"warnings"', '"other": null, "warnings"').replace("acme/gadget", "acme/gädget & co"),
    ],
    ids=["compact", "compact without keys", "tabs", "line feed at the end", "null", "unknown key", "raw letters"],
)
def test_a_file_in_another_form_keeps_every_other_byte(old: str) -> None:
    new = fill(old.encode(), FILL)
    assert not is_canonical(old.encode())
    document: Any = json.loads(new)
    right = json.loads(old)
    right["versions"][0]["targets"][1] |= {"h1": SAMPLE_H1, "size": SAMPLE_SIZE}
    assert document == right
    assert FIELDS.sub("", new.decode()) == FIELDS.sub("", old)
    with pytest.raises(MetadataEditError, match="not in the form"):
        fill(old.encode(), FILL, every_target=True)


@table(
    ("old", "made", "words"),
    [
        (SAMPLE, Fill(version=0, target=0, h1=SAMPLE_H1, size=296), "its h1 is filled already"),
        (SAMPLE.replace('"size": 0', '"size": 7'), FILL, "its size is filled already"),
        (SAMPLE, Fill(version=0, target=1, h1=EMPTY_H1, size=22), "no value of a package"),
        (SAMPLE, Fill(version=0, target=1, h1="h1:short", size=22), "no value of a package"),
        (SAMPLE, Fill(version=0, target=1, h1=SAMPLE_H1, size=0), "no value of a package"),
        (SAMPLE, Fill(version=0, target=2, h1=SAMPLE_H1, size=1), "has no target for 1"),
        (SAMPLE.replace('"shasum": "2d', '"sha": "2d'), FILL, "has no shasum"),
    ],
)
def test_what_must_not_be_written_is_refused(old: str, made: Fill, words: str) -> None:
    with pytest.raises(MetadataEditError, match=words):
        fill(old.encode(), made)


@pytest.mark.parametrize(
    "old",
    [
        SAMPLE.replace('"h1": ""', '"h1": "", "H1": ""'),
        SAMPLE.replace('"size": 0', '"size": 0, "size": 0'),
        SAMPLE.replace('"versions":', '"versions": [], "versions":'),
        SAMPLE.replace('"h1": ""', '"\\u017fhasum": "x", "h1": ""'),
    ],
)
def test_a_file_that_readers_may_understand_differently_is_refused_with_its_line(old: str) -> None:
    with pytest.raises(MetadataError, match=r"widget.json:\d+: .* stands twice in one object"):
        fill(old.encode(), FILL)


# What Go's encoding/json made of each: the value of the name in small letters.
@pytest.mark.parametrize("name", ["H1", "\u017fize", "Versions", "TARGETS"])
def test_a_name_that_only_the_registrys_tools_take_for_theirs_is_refused(name: str) -> None:
    known = name.casefold()
    old = SAMPLE.replace(f'"{known}":', f'"{name}":')
    assert old != SAMPLE
    with pytest.raises(MetadataError, match=f"“{name}” is “{known}” to the registry's tools, which mind no case"):
        fill(old.encode(), FILL)


def test_an_edit_that_would_say_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "lockwarden.core.registry_metadata.editing"
    monkeypatch.setattr(f"{module}._applied", lambda data, edits: data)
    with pytest.raises(MetadataEditError, match="would not say"):
        fill(DATA, FILL)
    right = SAMPLE.replace('"h1": ""', f'"h1": "{SAMPLE_H1}"').replace('"size": 0', f'"size": {SAMPLE_SIZE}')
    for more in (right.replace("acme/gadget", "acme/other"), right + "\n"):
        monkeypatch.setattr(f"{module}._applied", lambda data, edits, more=more: more.encode())
        with pytest.raises(MetadataEditError, match="would say more"):
            fill(DATA, FILL)


def test_spans_of_files_without_versions_or_targets_are_empty() -> None:
    assert spans_of(b'{"versions": null, "x": {}}', "x") == ()
    assert spans_of(b"{}", "x") == ()
    (version,) = spans_of(b'{"versions":\n [\n{"targets": null}]}', "x")
    assert (version.line, version.targets) == (3, ())
    with pytest.raises(MetadataError, match="ends within"):
        spans_of(b'{"versions": [', "x")
    assert [(each.line, [target.line for target in each.targets]) for each in spans_of(DATA, "x")] == [(3, [11, 20])]


def test_canonical_is_what_the_registrys_tools_write() -> None:
    assert is_canonical(DATA)
    escaped = SAMPLE.replace("acme/gadget", "a\\u003cb\\u003e\\u0026 \\u2028ä")
    assert is_canonical(escaped.encode())
    assert not is_canonical(escaped.replace("\\u003c", "<").encode())
    assert is_canonical(b'{\n  "versions": null\n}')
    assert is_canonical(b'{\n  "versions": []\n}')
    for broken in (b"{", b"\xff", b'{"size": 123456789012345678901234567890}', b"[" * 100_000):
        assert not is_canonical(broken)


def test_odd_keys_are_told_once_each() -> None:
    assert odd_keys(DATA) == ()
    assert odd_keys(b'{"versions": null, "versions_errors": 1}') == ()
    document = json.loads(SAMPLE)
    target = document["versions"][0]["targets"][1]
    document["versions"][0]["targets"][1] = {"arch": target.pop("arch"), **target, "sha1": ""}
    document["versions_errors"][0]["why"] = "x"
    assert odd_keys(json.dumps(document).encode()) == (
        "a target has a key “sha1”, which the registry does not know",
        "a target has its keys in another order than the registry writes",
        "an error of a version has a key “why”, which the registry does not know",
    )


def test_what_is_no_metadata_file_is_told() -> None:
    for data in (b"[]", b'{"versions": [{"version": 1}]}', b"\xff", b'{"versions": [{"targets": [{"size": "1"}]}]}'):
        with pytest.raises(MetadataError, match="is not a metadata file"):
            read_metadata(data, "widget.json")
    with pytest.raises(MetadataError, match="the limit is"):
        read_metadata(bytes(MAX_SIZE + 1), "widget.json")


def test_the_model_tells_filled_half_filled_and_unfilled() -> None:
    metadata = read_metadata(DATA, "widget.json")
    (version,) = metadata.listed
    full, empty = version.packages
    assert (full.filled, full.half_filled, empty.filled, empty.half_filled) == (True, False, False, False)
    assert Target(h1="h1:x").half_filled
    assert Target(size=1).half_filled
    assert empty.zh is not None
    assert Target(shasum="x").zh is None
    assert str(version.parsed) == "1.1.0"
    assert MetadataVersion(version="one").parsed is None
    assert (ProviderMetadata().listed, MetadataVersion().packages) == ((), ())
    assert provider_of("/x/Providers/A/Acme/Widget.JSON") == ("Acme", "Widget")
    assert provider_of("modules/a/acme/widget.json") is None
