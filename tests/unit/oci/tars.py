"""Makes tar layers, and says by hand what the h1 of a package is."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from lockwarden.core.archives.inspection import ArchiveLimits
from lockwarden.core.oci.layers import Layer, inspect_layers
from lockwarden.core.oci.trees import TreeFacts
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.oci_references import Digest

BINARY = "terraform-provider-plain_v1.2.3"


def h1(files: Mapping[str, bytes]) -> str:
    lines = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return f"h1:{base64.b64encode(hashlib.sha256(lines.encode()).digest()).decode()}"


def file(name: str, content: bytes = b"x") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    return info, content


def special(name: str, kind: bytes, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def folder(name: str) -> tuple[tarfile.TarInfo, bytes]:
    return special(name, tarfile.DIRTYPE)


def link(name: str, target: str) -> tuple[tarfile.TarInfo, bytes]:
    return special(name, tarfile.SYMTYPE, target)


def hard(name: str, target: str) -> tuple[tarfile.TarInfo, bytes]:
    return special(name, tarfile.LNKTYPE, target)


def tar(entries: Iterable[tuple[tarfile.TarInfo, bytes]], form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for info, content in entries:
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def inspect(tmp_path: Path, *layers: bytes, compress: bool = False, limits: ArchiveLimits | None = None) -> TreeFacts:
    made = []
    for number, content in enumerate(layers):
        stored = gzip.compress(content) if compress else content
        path = tmp_path / f"layer-{number}"
        path.write_bytes(stored)
        made.append(Layer(path=path, digest=Digest.of(stored), compressed=compress, diff_id=Digest.of(content)))
    return inspect_layers(made, limits=limits)


def refusal(tmp_path: Path, *layers: bytes, limits: ArchiveLimits | None = None) -> ArchiveError:
    with pytest.raises(ArchiveError) as caught:
        inspect(tmp_path, *layers, limits=limits)
    return caught.value


def layer_file(tmp_path: Path, stored: bytes, *, compressed: bool, diff_id: Digest | None = None) -> Layer:
    path = tmp_path / "layer"
    path.write_bytes(stored)
    return Layer(path=path, digest=Digest.of(stored), compressed=compressed, diff_id=diff_id)


PLAIN = tar([file("a", b"content")], tarfile.USTAR_FORMAT)
