"""Layouts of mirror folders, shown to the real terraform and to this program: both see the same package, or none."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders.folders import LINUX, PLAIN, ask
from servers.golden import WORLD
from servers.terraform import Workspace

from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.versions import Version

UNPACKED = WORLD / "fs-unpacked/example.test/acme/plain/1.2.3"
PACKED = WORLD / "fs-packed/example.test/acme/plain"
FOLDER = "example.test/acme/plain"
NAME = "terraform-provider-plain_1.2.3"


def put(target: Path, platform: str = "linux_amd64") -> Path:
    """Copy a package of the recorded world: an archive for a name that ends like one, otherwise a folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.name.lower().endswith(".zip"):
        shutil.copy(PACKED / f"{NAME}_{platform}.zip", target)
    else:
        shutil.copytree(UNPACKED / platform, target)
    return target


def link(place: Path, target: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def copies(base: Path) -> None:
    put(base / FOLDER / f"{NAME}_linux_amd64.zip", "darwin_arm64")
    put(base / FOLDER / "1.2.3" / "linux_amd64")


def twins(base: Path) -> None:
    put(base / "example.test/ACME/plain" / f"{NAME}_linux_amd64.zip", "darwin_arm64")
    put(base / FOLDER / "1.2.3" / "linux_amd64")


def linked_platform(base: Path) -> None:
    link(base / FOLDER / "1.2.3" / "linux_amd64", put(base / "real"))


def linked_archive(base: Path) -> None:
    link(base / FOLDER / f"{NAME}_linux_amd64.zip", put(base / "real.zip"))


def linked_version(base: Path) -> None:
    link(base / FOLDER / "1.2.3", put(base / "real" / "linux_amd64").parent)


def linked_type(base: Path) -> None:
    link(base / FOLDER, put(base / "real" / "1.2.3" / "linux_amd64").parent.parent)


def no_program(base: Path) -> None:
    place = put(base / FOLDER / "1.2.3" / "linux_amd64")
    (place / "terraform-provider-plain_v1.2.3").rename(place / "terraform-provider-plainer")


def broken_link_inside(base: Path) -> None:
    (put(base / FOLDER / "1.2.3" / "linux_amd64") / "link").symlink_to("nowhere")


def hidden_file(base: Path) -> None:
    (put(base / FOLDER / "1.2.3" / "linux_amd64") / ".hidden").write_text("x")


def at(*names: str) -> Callable[[Path], None]:
    def make(base: Path) -> None:
        for name in names:
            put(base / name)

    return make


LAYOUTS: dict[str, tuple[Callable[[Path], None], str, bool]] = {
    "upper-case folders": (at("Example.Test/ACME/Plain/1.2.3/linux_amd64"), "1.2.3", True),
    "the usual port": (at("example.test:443/acme/plain/1.2.3/linux_amd64"), "1.2.3", True),
    "a short version": (at(f"{FOLDER}/1.2/linux_amd64"), "1.2.0", True),
    "a version with v": (at(f"{FOLDER}/v1.2.3/linux_amd64"), "1.2.3", False),
    "an upper-case archive": (at(f"{FOLDER}/Terraform-Provider-PLAIN_1.2.3_Linux_AMD64.ZIP"), "1.2.3", True),
    "RC1 asked for as RC1": (at(f"{FOLDER}/{NAME}-RC1_linux_amd64.zip"), "1.2.3-RC1", False),
    "RC1 asked for as rc1": (at(f"{FOLDER}/{NAME}-RC1_linux_amd64.zip"), "1.2.3-rc1", True),
    "further parts": (at(f"{FOLDER}/{NAME}_linux_amd64_signed_2.zip"), "1.2.3", True),
    "a missing part": (at(f"{FOLDER}/{NAME}_linux.zip"), "1.2.3", False),
    "unpacked beside packed": (copies, "1.2.3", True),
    "twin folders": (twins, "1.2.3", True),
    "a linked platform": (linked_platform, "1.2.3", True),
    "a linked archive": (linked_archive, "1.2.3", True),
    "a linked version": (linked_version, "1.2.3", False),
    "a linked type": (linked_type, "1.2.3", False),
    "no program": (no_program, "1.2.3", False),
    "a broken link inside": (broken_link_inside, "1.2.3", False),
    "a hidden file": (hidden_file, "1.2.3", True),
}
"""What lies in the folder, which version is asked for, and whether terraform locks it."""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_terraform_locks_what_is_seen_here(
    layout: str, tmp_path: Path, program_environment: Callable[..., dict[str, str]]
) -> None:
    make, version, locked = LAYOUTS[layout]
    base = tmp_path / "mirror"
    make(base)
    workspace = Workspace.make(tmp_path / "w", program_environment(), {str(PLAIN): version})
    arguments = ("providers", "lock", f"-fs-mirror={base}", "-platform=linux_amd64")
    workspace.run(*arguments, expected=0 if locked else 1)
    by_terraform = set(workspace.locked_hashes) if locked else set()

    answer = ask(base, PLAIN, version=Version.parse(version))
    audit = Audit(address=PLAIN, version=Version.parse(version), source_answers=(answer,))
    settings = ClientSettings(client=Client.TERRAFORM)
    assert {str(hash_) for hash_ in recorded(audit, settings=settings, platforms=frozenset({LINUX}))} == by_terraform
