"""What origin registries and network mirrors answer: JSON documents and lists of checksums."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

from fuzzing.oracle import promise
from lockwarden.core.sources.protocols.discovery import providers_service
from lockwarden.core.sources.protocols.mirror_documents import read_archives, read_mirror_index
from lockwarden.core.sources.protocols.registry_documents import read_package_metadata, read_services, read_versions
from lockwarden.core.sources.registry.package_names import label_of
from lockwarden.core.sources.registry.sums import SumsLine, read_sums
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.errors import SourceError
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

_GOOD_LINE = re.compile(rb"([0-9a-f]{64})  ([!-~]+)")
_HOST = Hostname.parse("registry.example.test")
_VERSION = Version.parse("1.2.3")


def sums(data: bytes) -> None:
    """Read a list of checksums: every line is a hash, a bad line or a blank one."""
    found = read_sums(data)
    written = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    written = written if written[-1] else written[:-1]
    numbers = [line.number for line in found.lines] + [line.number for line in found.bad_lines] + [*found.blank_lines]
    promise(sorted(numbers) == list(range(1, len(written) + 1)), "every line is accounted for")
    by_number: dict[int, SumsLine] = {line.number: line for line in found.lines}
    for number, text in enumerate(written, start=1):
        if match := _GOOD_LINE.fullmatch(text):
            line = by_number.get(number)
            promise(line is not None, "a plain line is read")
            if line is not None:
                promise(line.hash.text == f"zh:{match[1].decode()}", "the hash is what stands there")
                promise(line.written_name == match[2].decode(), "the name is what stands there")
    for line in found.lines:
        promise(line.hash.usable, "only hashes that can match come from a list")
        found.client_finds(line.file_name)
        label_of(line.file_name, type_name="widget", version=_VERSION)
    promise((found.crash_line or 1) >= 1, "what is derived fits what was read")


def registry_json(data: bytes) -> None:
    """Read a body as each of the documents of a registry."""
    with contextlib.suppress(BodyError, SourceError):
        providers_service(read_services(data), base="https://registry.example.test/", host=_HOST)
    try:
        versions = read_versions(data)
    except BodyError:
        pass
    else:
        promise(set(versions.platforms) <= set(versions.versions), "platforms belong to listed versions")
    try:
        metadata = read_package_metadata(data)
    except BodyError:
        return
    promise(len(metadata.keys) + metadata.surplus_keys >= len(metadata.keys), "no key goes uncounted")
    offered = _plain_packages(data)
    if offered is not None and not metadata.packages.flaw:
        claimed = {str(claim.platform): {found.text for found in claim.hashes} for claim in metadata.packages.claims}
        promise(claimed == offered, "every hash of “packages” is read or its flaw is named")


def _plain_packages(data: bytes) -> dict[str, set[str]] | None:
    """The hashes of `packages` as plain JSON has them; None where the body is in any way unusual."""
    document = _plain_json(data)
    packages = document.get("packages") if isinstance(document, dict) else None
    if not isinstance(packages, dict) or not isinstance(document, dict):
        return None
    if any(name != "packages" and name.casefold() == "packages" for name in document):
        return None
    found: dict[str, set[str]] = {}
    for platform, entry in packages.items():
        hashes = entry.get("hashes") if isinstance(entry, dict) and set(entry) == {"hashes"} else None
        if not isinstance(hashes, list) or not all(isinstance(each, str) for each in hashes):
            return None
        found[platform] = set(hashes)
    return found


def mirror_json(data: bytes) -> None:
    """Read a body as each of the two documents of a mirror."""
    try:
        index = read_mirror_index(data)
    except BodyError:
        pass
    else:
        promise(not {str(version) for version in index.versions} & set(index.skipped), "a key is a version or is not")
    try:
        archives = read_archives(data)
    except BodyError:
        return
    document = _plain_json(data)
    if not isinstance(document, dict) or set(document) != {"archives"} or not isinstance(document["archives"], dict):
        return
    plain = document["archives"]
    promise([archive.key for archive in archives] == list(plain), "every archive is kept")
    for archive in archives:
        entry = plain[archive.key]
        if isinstance(entry, dict) and set(entry) <= {"url", "hashes"} and isinstance(entry.get("hashes"), list):
            kept = {found.text for found in archive.hashes} | set(archive.malformed)
            promise(kept == {each or "" for each in entry["hashes"]}, "every listed text is kept as hash or malformed")
            promise(all(Hash.parse(found.text) == found for found in archive.hashes), "a hash has a scheme")


def _plain_json(data: bytes) -> Any:
    """The body as Python's own reader has it, or None where it is unusual: repeated names, odd text, trailing bytes."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if len({name.casefold() for name in names}) != len(names):
            raise ValueError("a name comes twice")
        return dict(pairs)

    if not data.isascii() or b"\\" in data:
        return None
    try:
        return json.loads(data, object_pairs_hook=once)
    except (ValueError, RecursionError):
        return None
