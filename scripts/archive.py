"""Packs, lists and checks the archives of recorded files, tests/conformance/world.tar.xz and fuzz/corpus.tar.xz.

archive.py list ARCHIVE              each file with its size
archive.py folders ARCHIVE           the folders at the top
archive.py check ARCHIVE             whether it is as `pack` writes one
archive.py unpack ARCHIVE FOLDER     to look at the files, or to change them
archive.py pack ARCHIVE FOLDER       from such a folder
archive.py add ARCHIVE NAME FILE...  more files below the folder NAME in it, such as what a fuzzer has found
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from servers.packed import contents, flaws, pack, packable, unpack


def main(command: str, archive: Path, *more: str) -> int:
    """Do what a command says; the exit code is 1 where a check finds something."""
    match command, more:
        case "list", ():
            _say(f"{len(content):>8}  {name}" for name, content in contents(archive).items())
        case "folders", ():
            _say(sorted({name.partition("/")[0] for name in contents(archive)}))
        case "check", ():
            found = flaws(archive)
            _say(found)
            return 1 if found else 0
        case "unpack", (folder,):
            Path(folder).mkdir(parents=True, exist_ok=True)
            unpack(archive, Path(folder))
        case "pack", (folder,):
            top = Path(folder)
            pack(archive, {path.relative_to(top).as_posix(): _file(path) for path in top.rglob("*") if path.is_file()})
        case "add", (name, *files):
            pack(archive, packable(archive) | {f"{name}/{Path(file).name}": _file(Path(file)) for file in files})
        case _:
            sys.exit(__doc__)
    return 0


def _file(path: Path) -> tuple[int, bytes]:
    return path.stat().st_mode, path.read_bytes()


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:]))
