"""What is released comes from one commit alone, is the same wherever it is made, and has one version."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Final

import pytest
import release
import sbom
import site_pages

from lockwarden.core import __version__

ROOT: Final = Path(__file__).parents[2]
MADE_BY_THE_BUILD: Final = re.compile(r"PKG-INFO|setup\.cfg|lockwarden\.egg-info/.*")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / ".git").exists():
        pytest.skip("a release is made from a repository, and this is none")
    folder = tmp_path_factory.mktemp("release") / "made"
    release.main(folder)
    return folder


def test_the_source_archive_has_every_file_of_the_commit_at_its_time_and_nothing_else(released: Path) -> None:
    (archive,) = released.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        members = packed.getmembers()
    names = [each.name.partition("/")[2] for each in members]
    tracked = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert sorted(each for each in names if not MADE_BY_THE_BUILD.fullmatch(each)) == sorted(tracked)
    assert len({each.mtime for each in members}) == 1
    assert {(each.uid, each.gid, each.uname, each.gname) for each in members} == {(0, 0, "", "")}


def test_the_wheel_has_the_command_the_man_page_and_one_time(released: Path) -> None:
    (wheel,) = released.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        assert len({each.date_time for each in packed.infolist()}) == 1
    assert "lockwarden/cli/start.py" in names
    assert any(name.endswith("share/man/man1/lockwarden.1") for name in names)
    assert not any(name.startswith("tests/") for name in names)


def test_the_digests_are_those_of_the_files(released: Path) -> None:
    lines = (released / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    told = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert told == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in released.iterdir()
        if path.name != "SHA256SUMS"
    }


def test_the_same_files_are_packed_to_the_same_bytes_whenever_and_by_whomever(tmp_path: Path) -> None:
    packed = []
    for time, owner in ((1, "ann"), (2_000_000_000, "ben")):
        archive = tmp_path / f"{owner}.tar.gz"
        with tarfile.open(archive, "w:gz") as made:
            for name in ("a/two", "a/one") if owner == "ann" else ("a/one", "a/two"):
                (tmp_path / "file").write_text(name)
                member = made.gettarinfo(str(tmp_path / "file"), name)
                member.mtime, member.uname, member.uid = time, owner, time % 1000
                with (tmp_path / "file").open("rb") as content:
                    made.addfile(member, content)
        packed.append(release.packed_alike(archive, tmp_path / "again", 1_700_000_000).read_bytes())
    assert packed[0] == packed[1]


def test_a_version_is_one_of_the_changelog_or_of_what_comes_next() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (\S+)", changelog, re.MULTILINE)
    if __version__.endswith(".dev0"):
        assert sections[0] == "Unreleased"
        assert __version__.removesuffix(".dev0") not in sections
    else:
        assert next(each for each in sections if each != "Unreleased") == __version__


def test_the_readme_of_a_package_leads_home() -> None:
    text = "![A](screenshots/a.svg) [b](docs/b.md#c) [d](#keys) [e](https://example.test/) [f](LICENSE)"
    assert release.led_home(text, "https://example.test/lockwarden/", "0f") == (
        "![A](https://example.test/lockwarden/raw/0f/screenshots/a.svg) "
        "[b](https://example.test/lockwarden/blob/0f/docs/b.md#c) [d](#keys) [e](https://example.test/) "
        "[f](https://example.test/lockwarden/blob/0f/LICENSE)"
    )


def test_pages_lead_to_each_other_on_the_site_as_they_do_in_the_repository() -> None:
    at_root = (
        "[a](docs/ci.md#modules) [b](CONTRIBUTING.md) ![c](screenshots/c.svg) [d](https://example.test/x.md) [e](#f)"
    )
    below = (
        "[a](ci.md) [b](../README.md#keys) ![c](../screenshots/c.svg) [d](../fuzz/README.md) [e](report.schema.json)"
    )
    assert site_pages.on_the_site(at_root, at_root=True) == (
        "[a](ci.md#modules) [b](contributing.md) ![c](screenshots/c.svg) [d](https://example.test/x.md) [e](#f)"
    )
    assert site_pages.on_the_site(below, at_root=False) == (
        "[a](ci.md) [b](index.md#keys) ![c](screenshots/c.svg) d [e](report.schema.json)"
    )


def test_lists_of_different_packages_are_not_joined() -> None:
    one = {"components": [{"name": "A_b", "version": "1", "externalReferences": ["digest"]}]}
    assert sbom.joined(one, {"components": [{"name": "a-b", "version": "1"}]})["components"] == [
        {"name": "a-b", "version": "1", "externalReferences": ["digest"]}
    ]
    with pytest.raises(ValueError, match="a-b==2"):
        sbom.joined(one, {"components": [{"name": "a-b", "version": "2"}]})
