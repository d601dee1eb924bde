"""The `h1` of zip archives. The expected values come from Go (x/mod dirhash, go-getter 1.8.6) over the same bytes."""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from pathlib import Path

import pytest
from builders.zips import BINARY, FOLDER, Entry, Zip, codes, inspect, plain

from lockwarden.core.archives.inspection import ArchiveFacts

EMPTY_H1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def h1s(facts: ArchiveFacts) -> tuple[str, str]:
    return str(facts.h1_archive), str(facts.h1_directory)


def dos(name: str, attributes: int, content: bytes = b"") -> Entry:
    return Entry(name=name, content=content, creator=0, attributes=attributes)


def with_descriptor(descriptor: bytes) -> Entry:
    content = b"streamed"
    return Entry(name="streamed.txt", content=content, flags=8, local_crc=0, local_size=0, descriptor=descriptor)


STREAMED_CRC = struct.pack("<I", zlib.crc32(b"streamed"))

ARCHIVES: dict[str, Zip] = {
    "plain": Zip(entries=plain()),
    "folder": Zip(entries=plain(Entry(name="docs/", mode=FOLDER))),
    "no members": Zip(entries=[]),
    "only folders": Zip(entries=[Entry(name="docs/", mode=FOLDER)]),
    "dotted names": Zip(entries=[Entry(name="./a.txt", content=b"a"), Entry(name="b/.//c", content=b"c")]),
    "absolute names": Zip(entries=[Entry(name="/etc/passwd", content=b"x"), Entry(name="//y", content=b"y")]),
    "duplicates": Zip(entries=[Entry(name="a", content=b"first"), Entry(name="a", content=b"last")]),
    "duplicates once cleaned": Zip(entries=[Entry(name="a", content=b"first"), Entry(name="./a", content=b"last")]),
    "latin-1 name": Zip(entries=[Entry(name=b"caf\xe9", content=b"x"), Entry(name="z", content=b"z")]),
    "utf-8 name without the flag": Zip(entries=[Entry(name="café/naïve.txt", content=b"x")]),
    "utf-8 name with the flag": Zip(entries=[Entry(name="café/naïve.txt", content=b"x", flags=0x800)]),
    "order of bytes": Zip(entries=[Entry(name=n, content=n.encode()) for n in ("b", "a/b", "a-b", "B", "é")]),
    "backslash": Zip(entries=[Entry(name="docs\\a.txt", content=b"x")]),
    "drive letter": Zip(entries=[Entry(name="C:\\a.txt", content=b"x")]),
    "trailing dot": Zip(entries=[Entry(name="a.", content=b"x"), Entry(name="a..b", content=b"y")]),
    "nul": Zip(entries=[Entry(name=b"a\0b", content=b"x")]),
    "climbing": Zip(entries=[Entry(name="../a", content=b"x")]),
    "climbing inside": Zip(entries=[Entry(name="a/../b", content=b"x")]),
    "climbing by backslash": Zip(entries=[Entry(name="a\\..\\b", content=b"x")]),
    "line feed": Zip(entries=[Entry(name="a\nb", content=b"x")]),
    "empty name": Zip(entries=[Entry(name="", content=b"x")]),
    "dot": Zip(entries=[Entry(name=".", content=b"x")]),
    "root folder": Zip(entries=[Entry(name="./", mode=FOLDER), Entry(name="a", content=b"x")]),
    "link": Zip(entries=[Entry(name="link", content=b"/etc/passwd", mode=0o120777)]),
    "device": Zip(entries=[Entry(name="dev", mode=0o060644)]),
    "setuid": Zip(entries=[Entry(name="a", content=b"x", mode=0o104755)]),
    "file in a file": Zip(entries=[Entry(name="a", content=b"x"), Entry(name="a/b", content=b"y")]),
    "file over a folder": Zip(entries=[Entry(name="a/b", content=b"x"), Entry(name="a", content=b"y")]),
    "folder over a file": Zip(entries=[Entry(name="a", content=b"x"), Entry(name="a/", mode=FOLDER)]),
    "neighbours that sort between": Zip(entries=[Entry(name=n, content=b"x") for n in ("a", "a-b", "a.b", "ab/c")]),
    "folder by mode": Zip(entries=[Entry(name="a", content=b"hidden", mode=FOLDER), Entry(name="b", content=b"x")]),
    "folder by dos attribute": Zip(entries=[dos("a", 0x10, b"hidden"), dos("b", 1, b"x")]),
    "folder with data but no size": Zip(entries=[Entry(name="a/", data=b"\3\0", method=8, mode=FOLDER)]),
    "folder of an unknown method": Zip(entries=[Entry(name="a/", method=99, mode=FOLDER), Entry(name="b")]),
    "long part": Zip(entries=[Entry(name="a" * 256, content=b"x")]),
    "longest part": Zip(entries=[Entry(name="a" * 255, content=b"x")]),
    "descriptor": Zip(entries=[with_descriptor(b"PK\7\x08" + STREAMED_CRC + struct.pack("<2I", 8, 8))]),
    "descriptor without signature": Zip(entries=[with_descriptor(STREAMED_CRC + struct.pack("<2I", 8, 8))]),
    "long descriptor": Zip(entries=[with_descriptor(b"PK\7\x08" + STREAMED_CRC + struct.pack("<2Q", 8, 8))]),
    "descriptor with wrong sizes": Zip(
        entries=[with_descriptor(b"PK\7\x08" + STREAMED_CRC + struct.pack("<2I", 1, 2))]
    ),
    "descriptor with a wrong checksum": Zip(entries=[with_descriptor(b"PK\7\x08abcd" + struct.pack("<2I", 8, 8))]),
    "wrong checksum": Zip(entries=[Entry(name="a", content=b"x", crc=1)]),
    "no checksum": Zip(entries=[Entry(name="a", content=b"x", crc=0)]),
    "size too small": Zip(entries=[Entry(name="a", content=b"xyz", size=2)]),
    "size too large": Zip(entries=[Entry(name="a", content=b"xyz", size=4)]),
    "size too small, deflated": Zip(entries=[Entry(name="a", content=b"xyz", size=2, deflate=True)]),
    "size too large, deflated": Zip(entries=[Entry(name="a", content=b"xyz", size=4, deflate=True)]),
    "bytes after deflated data": Zip(entries=[Entry(name="a", content=b"", data=b"\3\0junk", method=8)]),
    "cut deflated data": Zip(entries=[Entry(name="a", content=b"hello", data=b"\xcbH\xcd", method=8)]),
    "damaged deflated data": Zip(entries=[Entry(name="a", content=b"hello", data=b"\xff\xff\xff", method=8)]),
    "deflate64": Zip(entries=[Entry(name="a", content=b"x", method=9)]),
    "zip64": Zip(entries=plain(Entry(name="z", content=b"z", zip64=True)), zip64=True),
    "trailing bytes": Zip(entries=plain(), suffix=b"appended"),
    "comment": Zip(entries=plain(), comment=b"a comment"),
}
"""Archives that Go has an opinion about."""

GO: dict[str, tuple[str | None, str | None]] = {
    "plain": ("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=", "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE="),
    "folder": ("h1:O8d2ciR7AMTVRiBzDLdW0AwdgPbDtuXBL2sOg7HKqvQ=", "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE="),
    "no members": ("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", None),
    "only folders": (
        "h1:Xx/CV89QoAmC1qxvldd/u1QRY2uxo6Ymyzf9FefHCzU=",
        "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ),
    "dotted names": (
        "h1:eYl2nqKAiuNHcGKtJ2Rp1IDTgOq/f+asCuM30/IzyfE=",
        "h1:ChKsnzF/iwvq82tgSY9rXvB7KkBpj9L+0Az2kwZidsU=",
    ),
    "absolute names": (
        "h1:EdcNhjba62xrmsdHlV4Lmbl8xCcyEAS9B79k8UsEeLE=",
        "h1:sbghmNpJEa+AS0yVgwCjeCMOXSynVkE2xLq6EW2AnPc=",
    ),
    "duplicates": (
        "h1:drmp0f9lZ1ANSry6x3nXeDl1uO8DMuAcSGSmDKd1iOo=",
        "h1:00zYVnuq5goD3yfU3uXzZiI8kcXg8avaxtqbrtZO15U=",
    ),
    "duplicates once cleaned": (
        "h1:AsSoWaMvvDBLgIbU+UrFhhx/q/NqFawwvH40z79jUWY=",
        "h1:00zYVnuq5goD3yfU3uXzZiI8kcXg8avaxtqbrtZO15U=",
    ),
    "latin-1 name": (
        "h1:4nP8MZrPpv5ZAZvQ5gCbMoV29L/eXNfrm/UtXNuqrCI=",
        "h1:4nP8MZrPpv5ZAZvQ5gCbMoV29L/eXNfrm/UtXNuqrCI=",
    ),
    "utf-8 name without the flag": (
        "h1:ymk6omft81pifDze8v1v6gZ2Fet3R12g+rSo4HEp0J4=",
        "h1:ymk6omft81pifDze8v1v6gZ2Fet3R12g+rSo4HEp0J4=",
    ),
    "utf-8 name with the flag": (
        "h1:ymk6omft81pifDze8v1v6gZ2Fet3R12g+rSo4HEp0J4=",
        "h1:ymk6omft81pifDze8v1v6gZ2Fet3R12g+rSo4HEp0J4=",
    ),
    "order of bytes": (
        "h1:NFyrDw1lpUXeY6fbX1KjyIWZZjdjOS14+fCVABIAeZ4=",
        "h1:NFyrDw1lpUXeY6fbX1KjyIWZZjdjOS14+fCVABIAeZ4=",
    ),
    "backslash": ("h1:7iKSnjemMiNQtB2LY4Hk8HkTmRZfVqZkzAabqeF8Oxs=", "h1:7iKSnjemMiNQtB2LY4Hk8HkTmRZfVqZkzAabqeF8Oxs="),
    "drive letter": (
        "h1:U53ODic9dpQ9md3URwbuqnwEVWNamTjjoJi0S6gA2Is=",
        "h1:U53ODic9dpQ9md3URwbuqnwEVWNamTjjoJi0S6gA2Is=",
    ),
    "trailing dot": (
        "h1:ASsvM65N/WMZW5Ned0UmswhMF8TyamxmFoXKhsQJqbw=",
        "h1:ASsvM65N/WMZW5Ned0UmswhMF8TyamxmFoXKhsQJqbw=",
    ),
    "nul": ("h1:JdP7179N7qdR/OctMgmo6bLjHx9fKexgsslx1oENwbE=", None),
    "climbing": ("h1:sURUqASPNVMzUVCGJsyiL/Dg3ym+tmCQftradz1YONo=", None),
    "climbing inside": ("h1:A7vYVKd/VbHvyE7jgbW4mPdXd7JnIAsQuKIN7Lt0Ud8=", None),
    "climbing by backslash": ("h1:SbunmG9O3+n0ssrVdY94jLq+zoJrPY/OhtbJQmxk2cw=", None),
    "line feed": (None, None),
    "empty name": ("h1:H4hnYW5THHXLq2XVoyi2YZ+4OaRgVwBInO1x3Mhh8Sw=", None),
    "dot": ("h1:zmxCdntNr3OZVVPWX3NdRjZ2mNQexZCb9raicXMqWGs=", None),
    "root folder": (
        "h1:tAZtGL6978hoAWoRsxh3kE5YwWtb1cfhZagDxVLrPLw=",
        "h1:SkuHSh6XdqUuOP2CoFOCXzCfRhh6gDoPwMZnDGZw52g=",
    ),
    "link": ("h1:YsdanAIO8u6/oiYhQiPJvNSZCd/eVWuX+5oCuoebzds=", "h1:YsdanAIO8u6/oiYhQiPJvNSZCd/eVWuX+5oCuoebzds="),
    "device": ("h1:7Fh+kcMuhLGPcjHsix2uuXPPPs5vEzzKY7cuYiGZZkw=", "h1:7Fh+kcMuhLGPcjHsix2uuXPPPs5vEzzKY7cuYiGZZkw="),
    "setuid": ("h1:SkuHSh6XdqUuOP2CoFOCXzCfRhh6gDoPwMZnDGZw52g=", "h1:SkuHSh6XdqUuOP2CoFOCXzCfRhh6gDoPwMZnDGZw52g="),
    "file in a file": ("h1:QnB19EgHfZkUtvjQxsrFY+7MZ1cdgzmpW0LzZbuAWQc=", None),
    "file over a folder": ("h1:G81fUlutJX2YE9drb0X9DSnF2Umm7FZPXze25crADrA=", None),
    "folder over a file": ("h1:AUnPIjZTjjYQ3+V7TJDPmW7mj6dTgLGY303ne1KlpJo=", None),
    "neighbours that sort between": (
        "h1:hA6g3hGjGYgQHK0q9xKDQ8nES6ztj287/Y4gFcg7G50=",
        "h1:hA6g3hGjGYgQHK0q9xKDQ8nES6ztj287/Y4gFcg7G50=",
    ),
    "folder by mode": (
        "h1:BgA3k0ij1+2VVjLMWBzwrzC+raFEO04kcbLb3fpsdj4=",
        "h1:ALBO/OokMuRE4K5rbhjPHFh5XrB7TlGy9hCu1Yiirlc=",
    ),
    "folder by dos attribute": (
        "h1:BgA3k0ij1+2VVjLMWBzwrzC+raFEO04kcbLb3fpsdj4=",
        "h1:ALBO/OokMuRE4K5rbhjPHFh5XrB7TlGy9hCu1Yiirlc=",
    ),
    "folder with data but no size": (
        "h1:K7IMYa9wknnxQaZsHg8n6ei1eRXZM5r8wSjqxdyvUu4=",
        "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ),
    "folder of an unknown method": (
        "h1:uhNSoVQoVBt71ZVYWqBdVhaCZqte1+/XFdvzDX4qvzk=",
        "h1:yF8fofyUyOfbOYjXAkrTmgk5YBmhjT2/1vr3AH4faWs=",
    ),
    "long part": ("h1:DaLPgDZ/9R8vaf3k0Lriccxt2mgFfwlLjtJgWM8Ay1k=", None),
    "longest part": (
        "h1:Kj2+JHo3+bb+7KUhGFXqVSPZMKjqPX/dNaWHQnpc+6E=",
        "h1:Kj2+JHo3+bb+7KUhGFXqVSPZMKjqPX/dNaWHQnpc+6E=",
    ),
    "descriptor": (
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
    ),
    "descriptor without signature": (
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
    ),
    "long descriptor": (
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
    ),
    "descriptor with wrong sizes": (
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
        "h1:Ja3yY8W6hleDr+mm87Fze73Qdv3hifkcDFfV1OROlWo=",
    ),
    "descriptor with a wrong checksum": (None, None),
    "wrong checksum": (None, None),
    "no checksum": (
        "h1:SkuHSh6XdqUuOP2CoFOCXzCfRhh6gDoPwMZnDGZw52g=",
        "h1:SkuHSh6XdqUuOP2CoFOCXzCfRhh6gDoPwMZnDGZw52g=",
    ),
    "size too small": (None, None),
    "size too large": (None, None),
    "size too small, deflated": (None, None),
    "size too large, deflated": (None, None),
    "bytes after deflated data": (
        "h1:+6GTBXDPLTOioF/0Ok/qUyOCYR9Dh2mI/Jwx/ZzhAtE=",
        "h1:+6GTBXDPLTOioF/0Ok/qUyOCYR9Dh2mI/Jwx/ZzhAtE=",
    ),
    "cut deflated data": (None, None),
    "damaged deflated data": (None, None),
    "deflate64": (None, None),
    "zip64": ("h1:pvBIKdJFal62yugUA0cJEg1eC0CZKnr5TRONXEF1Ytg=", "h1:pvBIKdJFal62yugUA0cJEg1eC0CZKnr5TRONXEF1Ytg="),
    "trailing bytes": (
        "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=",
        "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=",
    ),
    "comment": ("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=", "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE="),
}
"""What Go makes of them: `h1` of the archive, `h1` of the folder it unpacks to; None where Go fails."""

ODD: dict[str, set[str]] = {
    "no members": {"empty-archive"},
    "absolute names": {"absolute-name"},
    "duplicates": {"duplicate-name"},
    "order of bytes": {"case-collision"},
    "backslash": {"backslash-name"},
    "drive letter": {"backslash-name", "absolute-name"},
    "nul": {"nul-in-name"},
    "climbing": {"climbing-name"},
    "climbing inside": {"climbing-name"},
    "climbing by backslash": {"climbing-name", "backslash-name"},
    "line feed": {"line-feed-in-name"},
    "empty name": {"unnamed-file"},
    "dot": {"unnamed-file"},
    "link": {"link"},
    "device": {"special-file"},
    "setuid": {"special-mode"},
    "file in a file": {"conflicting-names"},
    "file over a folder": {"conflicting-names"},
    "folder over a file": {"conflicting-names"},
    "folder by mode": {"folder-with-content"},
    "folder by dos attribute": {"folder-with-content"},
    "long part": {"too-long-name"},
    "descriptor with a wrong checksum": {"checksum"},
    "wrong checksum": {"checksum"},
    "no checksum": {"missing-checksum"},
    "size too small": {"wrong-size"},
    "size too large": {"wrong-size"},
    "size too small, deflated": {"wrong-size"},
    "size too large, deflated": {"wrong-size"},
    "bytes after deflated data": {"unused-data"},
    "cut deflated data": {"wrong-data"},
    "damaged deflated data": {"wrong-data"},
    "deflate64": {"unknown-method"},
    "trailing bytes": {"trailing-bytes"},
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_the_hashes_are_those_that_go_computes(name: str, tmp_path: Path) -> None:
    facts = inspect(tmp_path, ARCHIVES[name])
    archive, directory = GO[name]
    assert (facts.h1_archive and facts.h1_archive.text, facts.h1_directory and facts.h1_directory.text) == (
        archive,
        directory,
    )


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_without_a_hash_has_a_fatal_oddity_and_one_with_a_hash_has_none(name: str, tmp_path: Path) -> None:
    facts = inspect(tmp_path, ARCHIVES[name])
    assert (facts.h1_archive is None) == bool(codes(facts, fatal=True))
    assert codes(facts) - {"no-executable"} == ODD.get(name, set())


def test_the_hash_is_the_one_computed_by_hand(tmp_path: Path) -> None:
    lines = "".join(
        f"{hashlib.sha256(content).hexdigest()}  {name}\n"
        for name, content in (("LICENSE.txt", b"example licence\n"), (BINARY, b"not a real binary\n"))
    )
    assert lines.startswith(
        "261483414f7616ca07c1c809ca625abc486b5cd5d55726a0defbf6e1c853f3e8  LICENSE.txt\nb4259c3cb917"
    )
    facts = inspect(tmp_path, Zip(entries=plain()))
    assert h1s(facts) == ("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=",) * 2
    assert (facts.members, facts.unpacked_size, facts.oddities) == (2, 34, ())
    assert facts.executables == (BINARY,)


def test_a_folder_entry_changes_the_hash_of_the_archive_but_not_of_the_folder(tmp_path: Path) -> None:
    facts = inspect(tmp_path, Zip(entries=plain(Entry(name="docs/", mode=FOLDER))))
    assert h1s(facts) == (
        "h1:O8d2ciR7AMTVRiBzDLdW0AwdgPbDtuXBL2sOg7HKqvQ=",
        "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=",
    )


def test_an_empty_archive_has_the_hash_of_nothing_and_cannot_be_unpacked(tmp_path: Path) -> None:
    facts = inspect(tmp_path, Zip(entries=[]))
    assert h1s(facts) == (EMPTY_H1, "None")


def test_a_zip64_field_is_found_behind_other_fields(tmp_path: Path) -> None:
    entry = Entry(name="a", content=b"x", zip64=True, extra=struct.pack("<2H4s", 0x5455, 4, b"time"))
    assert (
        inspect(tmp_path, Zip(entries=[entry])).h1_archive
        == inspect(tmp_path, Zip(entries=[Entry(name="a", content=b"x")])).h1_archive
    )


def test_a_large_member_is_hashed_in_pieces(tmp_path: Path) -> None:
    noise = hashlib.shake_256(b"seed").digest(3 * 1024 * 1024)
    facts = inspect(
        tmp_path, Zip(entries=[Entry(name="a", content=noise), Entry(name="b", content=noise, deflate=True)])
    )
    line = hashlib.sha256(noise).hexdigest()
    listing = hashlib.sha256(f"{line}  a\n{line}  b\n".encode()).digest()
    assert facts.h1_archive is not None
    assert facts.h1_archive.value == base64.b64encode(listing).decode()
