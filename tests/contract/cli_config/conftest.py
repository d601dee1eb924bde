"""A home folder with real helper programs in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.values.platforms import Platform


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Where programs are made and run."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def plugins(self) -> Path:
        return self.home / ".terraform.d" / "plugins"

    @property
    def programs(self) -> Path:
        return self.folder / "bin"

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": f"{self.programs}:/usr/bin:/bin", "NOTES": str(self.folder)}

    def surroundings(self, **environ: str) -> Surroundings:
        return Surroundings(
            environ=self.environ | environ,
            account_home="",
            platform=Platform("linux", "amd64"),
            directory=str(self.folder),
        )

    def program(self, path: Path, *lines: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
        path.chmod(0o755)
        return path

    def service_helper(self, *lines: str, name: str = "terraform-credentials-h") -> Path:
        return self.program(self.plugins / name, *lines)

    def docker_helper(self, *lines: str, name: str = "one") -> Path:
        return self.program(self.programs / f"docker-credential-{name}", *lines)

    def note(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "home").mkdir()
    return Bench(folder=tmp_path)
