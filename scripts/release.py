"""Makes the files of a release from what git has of a commit: release.py FOLDER [COMMIT [HOME]]

They are the source archive, the wheel that is made from it, and SHA256SUMS with their digests and that of
build/sbom.json where it is. The same commit gives the same bytes on every machine: times are the commit's, owners are
nobody, and nothing that lies about in the working tree gets in.

HOME is the address of the repository, where the README that goes with the package leads to the files of the commit:
whoever reads it elsewhere has them not beside it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_UMASK: Final = 0o022


def main(folder: Path, commit: str = "HEAD", home: str = "") -> None:
    """Write the files into the folder, which is made anew."""
    os.umask(_UMASK)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    time = int(_git("show", "--no-patch", "--format=%ct", f"{commit}^{{commit}}").strip())
    with tempfile.TemporaryDirectory() as place_:
        place = Path(place_)
        tree = _unpacked(_git("archive", "--format=tar", f"{commit}^{{commit}}"), place / "tree")
        if home:
            name = _git("rev-parse", f"{commit}^{{commit}}").decode("ascii").strip()
            (tree / "README.md").write_text(led_home((tree / "README.md").read_text("utf-8"), home, name), "utf-8")
        (made,) = _build("--sdist", tree, place / "made", time)
        archive = packed_alike(made, folder / made.name, time)
        with tarfile.open(archive) as packed:
            packed.extractall(place / "sources", filter="data")
        (sources,) = (place / "sources").iterdir()
        (wheel,) = _build("--wheel", sources, place / "wheel", time)
        shutil.copyfile(wheel, folder / wheel.name)
    if (ROOT / "build" / "sbom.json").exists():
        shutil.copyfile(ROOT / "build" / "sbom.json", folder / "sbom.json")
    (folder / "SHA256SUMS").write_text(digests(folder), encoding="ascii")


def led_home(text: str, home: str, commit: str) -> str:
    """A page with every link to a file of the repository, and every picture, as the address of that file there."""
    base = home.rstrip("/")
    pictures = re.sub(r"(!\[[^\]]*\]\()(?![a-z]+:|#)([^)]*)\)", rf"\g<1>{base}/raw/{commit}/\g<2>)", text)
    return re.sub(r"(\]\()(?![a-z]+:|#)([^)]*)\)", rf"\g<1>{base}/blob/{commit}/\g<2>)", pictures)


def digests(folder: Path) -> str:
    """The digest and the name of each file of a folder, as sha256sum writes them."""
    files = sorted(path for path in folder.iterdir() if path.name not in {"SHA256SUMS", "SHA256SUMS.sig"})
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def _git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True).stdout  # noqa: S607


def _unpacked(archive: bytes, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")
    return folder


def _build(kind: str, sources: Path, folder: Path, time: int) -> list[Path]:
    words = (kind, "--no-isolation", "--skip-dependency-check", "--outdir", str(folder), str(sources))
    subprocess.run(
        [sys.executable, "-I", "-m", "build", *words],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder.parent,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(time)},
    )
    return list(folder.iterdir())


def packed_alike(archive: Path, target: Path, time: int) -> Path:
    """Pack an archive again with its files in order and nothing in it that differs from machine to machine."""
    # The order is another one, and each step back in what is compressed would begin again at its start.
    plain = io.BytesIO(gzip.decompress(archive.read_bytes()))
    with tarfile.open(fileobj=plain) as old, target.open("wb") as raw:
        members = sorted((each for each in old if each.isfile()), key=lambda each: each.name)
        with (
            gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=time) as compressed,
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as new,
        ):
            for each in members:
                member = tarfile.TarInfo(each.name)
                member.size, member.mtime = each.size, time
                member.mode = 0o755 if each.mode & 0o100 else 0o644
                new.addfile(member, old.extractfile(each))
    return target


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
