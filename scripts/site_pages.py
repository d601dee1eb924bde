"""Lays out the pages of the documentation for the site: python scripts/site_pages.py build/site-pages

The texts lie where a reader of the repository looks for them, in its root and in docs/, and lead to each other there.
On the site all are in one folder, and what is no page of it is text.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
AT_THE_ROOT: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages that lie beside docs/, by what they are called on the site."""
_COPIED: Final = frozenset({".md", ".json", ".svg", ".png", ".html"})
_LINK: Final = re.compile(r"(?P<begin>\]\()(?P<to>[^)#\s]*)(?P<rest>#[^)]*)?\)")


def lay_out(folder: Path) -> None:
    """Make the folder anew with every page, picture and schema."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "screenshots", folder / "screenshots")
    for name, called in AT_THE_ROOT.items():
        _write(folder / called, (ROOT / name).read_text(encoding="utf-8"), at_root=True)
    for path in sorted((ROOT / "docs").iterdir()):
        if path.suffix == ".md":
            _write(folder / path.name, path.read_text(encoding="utf-8"), at_root=False)
        elif path.suffix in _COPIED:
            shutil.copyfile(path, folder / path.name)


def on_the_site(text: str, *, at_root: bool) -> str:
    """A page with its links as they have to be on the site; those that lead to the sources are words."""

    def led(link: re.Match[str]) -> str:
        return f"{link['begin']}{_target(link['to'], at_root=at_root)}{link['rest'] or ''})"

    return _without_sources(_LINK.sub(led, text))


def _target(to: str, *, at_root: bool) -> str:
    if not to or "://" in to:
        return to
    path = to if at_root else to.removeprefix("../") if to.startswith("../") else f"docs/{to}"
    return AT_THE_ROOT.get(path, path.removeprefix("docs/"))


def _without_sources(text: str) -> str:
    """A link to what is neither a page nor a picture, such as a folder of the sources, is its text alone."""
    return re.sub(r"\[([^\]]*)\]\((?!#|[a-z]+://)(?:fuzz|tests|benchmarks|scripts|core|tui|cli)/[^)]*\)", r"\1", text)


def _write(path: Path, text: str, *, at_root: bool) -> None:
    path.write_text(on_the_site(text, at_root=at_root), encoding="utf-8")


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
