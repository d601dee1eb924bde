"""A home folder in which a case of the recorded CLI configurations is set up."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.settings import CliConfig
from lockwarden.core.values.platforms import Platform

RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "cli_config.json").read_text(encoding="utf-8"))
"""What the client did, see the tests."""


@dataclass(kw_only=True)
class Home:
    """A home folder in which a case is set up."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str, *, program: bool = False) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if program else 0o644)
        return path

    @property
    def surroundings(self) -> Surroundings:
        path = {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin"}
        return Surroundings(
            environ={"HOME": str(self.folder), **path, **self.variables},
            account_home="",
            platform=Platform("linux", "amd64"),
            directory=str(self.folder),
        )

    def load(self) -> CliConfig:
        return load_cli_config(self.surroundings)
