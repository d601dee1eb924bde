"""Packages that are not what they seem: bombs, archives that programs read differently, names that climb, no archives.

One release has a package of each kind, each for a platform of its own; every one of them is rightly signed, so that the
archive reader alone stands between it and a client.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import pytest
from adversarial.parties import Parties
from adversarial.scene import MIB, Answered, Scene, entry, unsigned
from builders.zips import PROGRAM, Entry, Zip
from servers.https import Breakage, Broken, Respond

from lockwarden.demo.packages import DemoPackage
from lockwarden.demo.releases import Release
from lockwarden.demo.responses import Response

BINARY = "terraform-provider-widget_v1.0.0"


def members(*more: Entry) -> list[Entry]:
    return [Entry(name=BINARY, content=b"program", mode=PROGRAM), *more]


@cache
def bomb(size: int) -> Entry:
    """A member that inflates to `size` zeros, in pieces of which each stands for itself."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = bytes(MIB)
    data = (squeeze.compress(piece) + squeeze.flush(zlib.Z_FULL_FLUSH)) * (size // MIB) + squeeze.flush()
    crc = 0
    for _ in range(size // MIB):
        crc = zlib.crc32(piece, crc)
    return Entry(name="bomb", method=8, data=data, size=size, crc=crc)


HONEST = Zip(entries=members(Entry(name="LICENSE", content=b"text"))).bytes()
ODD: Mapping[str, bytes] = {
    "duplicate": Zip(entries=members(Entry(name=BINARY, content=b"other", mode=PROGRAM))).bytes(),
    "link": Zip(entries=members(Entry(name="link", content=b"/etc/passwd", mode=0o120777))).bytes(),
    "climbs": Zip(entries=members(Entry(name="../../evil", content=b"x"))).bytes(),
    "absolute": Zip(entries=members(Entry(name="/etc/evil", content=b"x"))).bytes(),
    "device": Zip(entries=members(Entry(name="device", mode=0o020666))).bytes(),
    "setuid": Zip(entries=members(Entry(name="setuid", content=b"x", mode=0o104755))).bytes(),
    "backslash": Zip(entries=members(Entry(name="..\\evil", content=b"x"))).bytes(),
}
"""What can be hashed but hardly unpacked."""


@cache
def unclaimed() -> Mapping[str, bytes]:
    """What no `h1` may be claimed of: programs could read it differently, or reading it would not end well."""
    return {
        "bomb": Zip(entries=members(bomb(200 * MIB))).bytes(),
        "liar": Zip(entries=members(replace(bomb(200 * MIB), size=10))).bytes(),
        "crowd": Zip(entries=[Entry(name=f"{number}") for number in range(50_001)]).bytes(),
        "overlap": Zip(entries=members(Entry(name="a", content=b"x"), Entry(name="b", content=b"x", offset=0))).bytes(),
        "twice": Zip(entries=members(Entry(name=BINARY, content=b"program", mode=PROGRAM, offset=0))).bytes(),
        "localname": Zip(entries=members(Entry(name="a", local_name=b"b", content=b"x"))).bytes(),
        "prefix": Zip(entries=members(), prefix=b"#!/bin/sh\n").bytes(),
        "twoends": Zip(entries=members(), comment=HONEST[-22:] + b"x").bytes() + HONEST[-22:],
        "encrypted": Zip(entries=members(Entry(name="a", content=b"x" * 20, flags=1))).bytes(),
        "newline": Zip(entries=members(Entry(name="a\nb", content=b"x"))).bytes(),
        "damaged": Zip(entries=members(Entry(name="a", content=b"x", crc=1))).bytes(),
        "nozip": b"<!doctype html><title>Log in</title>",
    }


def platform_of(kind: str) -> str:
    return f"{kind}_amd64"


def release_of(parties: Parties, archives: Mapping[str, bytes]) -> Release:
    made = {platform_of(kind): DemoPackage(files={}, archive=archive) for kind, archive in archives.items()}
    return parties.sign(replace(unsigned("widget"), packages=made))


def looked_at(scene: Scene, release: Release, check: Callable[..., Answered], *, expected: int) -> Answered:
    scene.serve(release)
    scene.lock(entry(release, *(package.zh for package in release.packages.values())))
    before = sorted(path for path in scene.folder.parent.rglob("*") if "home" not in path.parts)
    asked = [word for platform in release.packages for word in ("--platform", platform)]
    done = check(*asked, expected=expected)
    assert sorted(path for path in scene.folder.parent.rglob("*") if "home" not in path.parts) == before
    return done


def test_no_h1_is_claimed_of_an_archive_that_cannot_be_trusted_and_its_zh_still_counts(
    scene: Scene, parties: Parties
) -> None:
    release = release_of(parties, unclaimed())
    done = looked_at(scene, release, scene.check_measured, expected=1)
    assert done.confirmed("widget") == {package.zh for package in release.packages.values()}
    assert not [text for text in done.verdicts("widget") if text.startswith("h1:")]
    named = " ".join(problem["message"] for problem in done.provider("widget")["problems"])
    assert [kind for kind in unclaimed() if platform_of(kind) not in named] == []


def test_what_would_be_dangerous_to_unpack_is_told_and_nothing_is_unpacked(scene: Scene, parties: Parties) -> None:
    done = looked_at(scene, release_of(parties, ODD), scene.check_to_its_end, expected=0)
    named = " ".join(problem["message"] for problem in done.provider("widget")["problems"])
    assert [kind for kind in ODD if platform_of(kind) not in named] == []


def test_names_are_hashed_as_the_bytes_that_they_are(scene: Scene, parties: Parties) -> None:
    names = [BINARY.encode(), "caf\u00e9".encode(), b"caf\xe9", b"NAME", b"name "]
    entries = [Entry(name=name, content=name, mode=PROGRAM) for name in names]
    lines = b"".join(hashlib.sha256(name).hexdigest().encode() + b"  " + name + b"\n" for name in sorted(names))
    h1 = f"h1:{base64.b64encode(hashlib.sha256(lines).digest()).decode()}"
    release = release_of(parties, {"linux": Zip(entries=entries).bytes()})
    scene.serve(release)
    scene.lock(entry(release, release.packages["linux_amd64"].zh, h1))
    done = scene.check("--platform", "linux_amd64", expected=0)
    assert done.verdicts("widget")[h1] == "confirmed"


SYMPTOMS = {
    "gzip": "the file is gzip data, not a zip archive",
    "html": "the file is an HTML page, not a zip archive",
    "truncated": "ended before its announced end",
    "longer": "10 bytes follow the end of the archive",
    "empty": "the file is empty",
    "no content": "answered 204",
}


@pytest.mark.parametrize("fault", list(SYMPTOMS))
def test_a_package_that_comes_in_another_form_than_announced_confirms_nothing_and_the_symptom_is_named(
    scene: Scene, parties: Parties, fault: str
) -> None:
    release = parties.release("widget")

    def faulty(respond: Respond) -> Respond:
        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            right = respond(host, path, headers)
            if not path.endswith(".zip"):
                return right
            match fault:
                case "gzip":
                    return Response.of_bytes(gzip.compress(right.body))
                case "html":
                    return Response(headers=(("Content-Type", "text/html"),), body=b"<html>Log in</html>")
                case "truncated":
                    raise Broken(Breakage.CLOSE, response=right, after=len(right.body) // 2)
                case "longer":
                    return Response.of_bytes(right.body + bytes(10))
                case "empty":
                    return Response.of_bytes(b"")
                case _:
                    return Response(status=204)

        return answer

    scene.serve(release, through=faulty)
    h1 = release.packages["linux_amd64"].h1
    scene.lock(entry(release, *release.packages["linux_amd64"].hashes))
    scene.environment["TF_PROVIDER_DOWNLOAD_RETRY"] = "1"
    expected = 3 if fault in ("truncated", "no content") else 1
    done = scene.check("--platform", "linux_amd64", expected=expected)
    assert done.verdicts("widget")[h1] == "unchecked"
    assert done.verdicts("widget")[release.packages["linux_amd64"].zh] == "confirmed"
    messages = " ".join(problem["message"] for problem in done.provider("widget")["problems"])
    assert SYMPTOMS[fault] in messages
