"""What the real clients did over the recorded world, as values; `README.md` says what was run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from servers.golden import WORLD

from lockwarden.core.values.clients import Client, ClientSettings

FOLDER: Final = Path(__file__).parent
CASES: Final[Mapping[str, Any]] = json.loads((WORLD / "cases.json").read_bytes())
"""What each case of the world is: the true hashes of its packages, the keys that are offered, the mirrors' lists."""
OPENTOFU_REGISTRY: Final = "registry.opentofu.org"
"""The default registry of OpenTofu, whose reports it trusts."""
_RECORDED: Final[Mapping[Client, Mapping[str, Any]]] = {
    client: json.loads((FOLDER / f"recorded_{client}.json").read_bytes()) for client in Client
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How one run of a client ended."""

    succeeded: bool
    hashes: tuple[str, ...]
    """What the lock file held afterwards, in its order."""
    summary: str
    """The word for the provider, the same for both clients; empty where the client printed none."""
    key_id: str
    crashed: bool
    changed: bool
    """Whether the lock file was written; only known where there was one before."""
    ran: bool | None = None
    """Whether the installed provider was accepted when it was to be started; None where that was not tried."""

    @classmethod
    def of(cls, recorded: Mapping[str, Any]) -> Result:
        """Read one result. Terraform says who signed (“self-signed”) where OpenTofu says that somebody did."""
        word = recorded.get("summary") or ""
        return cls(
            succeeded=recorded["exit"] == 0,
            hashes=tuple(recorded.get("hashes") or ()),
            summary="signed" if word == "self-signed" else word,
            key_id=recorded.get("key_id", ""),
            crashed=bool(recorded.get("crash")),
            changed=bool(recorded.get("lock_changed")),
            ran=recorded["runtime"] == "accepted" if "runtime" in recorded else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a client: which case, under which name it was recorded, how it ended."""

    client: Client
    case: str
    name: str
    """Host and, where there was one, the variable or the command; or provider and command."""
    result: Result

    def __str__(self) -> str:
        return f"{self.client}, {self.case}, {self.name}"

    @property
    def place(self) -> str:
        """The first word of the name: the host or the provider."""
        return self.name.split()[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """What it is one combination of: client, case, host and variable."""
        host, _, variable = self.name.partition(" ")
        return (self.client, self.case, host, variable)

    @property
    def settings(self) -> ClientSettings:
        """By whose rules it ran: the client's, with the variables that its name gives."""
        words = (word.partition("=") for word in self.name.split()[1:] if "=" in word)
        environ = {variable: value for variable, _, value in words}
        return ClientSettings.from_environment(environ, client=self.client)


@cache
def runs(area: str) -> tuple[Run, ...]:
    """Every run of an area whose results stand two levels down: case, then name; of the grid lock file, then source."""
    return tuple(
        Run(client=client, case=case, name=name, result=Result.of(result))
        for client, recorded in _RECORDED.items()
        for case, results in recorded[area].items()
        for name, result in results.items()
    )


def single_runs(area: str) -> tuple[Run, ...]:
    """Every run of an area whose results stand directly below it."""
    return tuple(
        Run(client=client, case=case, name="", result=Result.of(result))
        for client, recorded in _RECORDED.items()
        for case, result in recorded[area].items()
    )


def relock_runs() -> tuple[Run, ...]:
    """Every run on an existing lock file; the case is the lock file, the name the provider and the command."""
    return tuple(
        Run(client=client, case=case, name=f"{provider} {command}", result=Result.of(result))
        for client, recorded in _RECORDED.items()
        for case, providers in recorded["relock"].items()
        for provider, commands in providers.items()
        for command, result in commands.items()
    )


def true_hashes(case: str) -> Mapping[str, str]:
    """The true hashes of a case's packages and what each is: `linux_amd64 zh`, `linux_amd64 h1`, …

    The `h1` is that of the unpacked folder; where the archive's is another, it is called `linux_amd64 archive h1`.
    """
    names: dict[str, str] = {}
    for platform, facts in CASES["registry"][case]["facts"].items():
        names[facts["h1_archive"]] = f"{platform} archive h1"
        names[facts["h1_directory"]] = f"{platform} h1"
        names[facts["zh"]] = f"{platform} zh"
    return MappingProxyType(names)
