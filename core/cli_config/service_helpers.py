"""Credentials helpers of the clients: programs `terraform-credentials-NAME` that know tokens for hosts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final, NoReturn

from msgspec import Struct

from lockwarden.core.cli_config.helper_programs import HelperLimits, failure, run_helper
from lockwarden.core.cli_config.settings import CredentialsHelper
from lockwarden.core.values.errors import InvalidVersionError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.secret import Secret
from lockwarden.core.values.versions import Version

_PREFIX: Final = "terraform-credentials-"
_UNVERSIONED: Final = "0.0.0"


class HelperProgram(Struct, frozen=True, kw_only=True):
    """Where the program of a helper is, and what it has to be told before the question itself."""

    path: Path
    arguments: tuple[Secret, ...]


def find_service_helper(helper: CredentialsHelper, folders: Sequence[PurePath]) -> HelperProgram | None:
    """The newest program of the helper's name, of the first folder where versions are equal; None when there is none.

    The clients go on without credentials then. Whether it can be run is not looked at.
    """
    found: list[tuple[Version, int, Path]] = []
    for order, path in enumerate(_candidates(folders)):
        version = _version_for(path.name.lower(), helper.name)
        if version is not None:
            found.append((version, -order, path))
    if not found:
        return None
    newest = max(found, key=lambda each: (each[0].order_key, each[1]))
    return HelperProgram(path=newest[2], arguments=helper.arguments)


def ask_service_helper(
    program: HelperProgram,
    host: str,
    *,
    environ: Mapping[str, str],
    folder: Path,
    limits: HelperLimits | None = None,
) -> Secret | None:
    """The program's token for a host in comparison form; None when it answered that it has none. It blocks.

    Raises NoAnswerError when it could not be asked or did not answer in the form that the clients understand.
    """
    arguments = (*(each.expose() for each in program.arguments), "get", host)
    output = run_helper(program.path, arguments, environ=environ, folder=folder, limits=limits)
    if output.exit_code:
        said = "and said why" if output.complained else "and said nothing"
        raise failure(program.path, f"failed with exit code {output.exit_code} {said}", code=ProblemCode.HELPER_FAILED)
    answer = json_object(output.printed)
    if answer is None:
        raise failure(program.path, "answered something that is no JSON object", code=ProblemCode.HELPER_GARBAGE)
    token = answer.get("token")
    return Secret(token) if isinstance(token, str) else None


def json_object(printed: bytes) -> dict[str, object] | None:
    """The object that a program printed, or None when that is no JSON object; `null` is an empty one."""
    try:
        value = json.loads(printed, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    if value is None:
        return {}
    return value if isinstance(value, dict) else None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _candidates(folders: Iterable[PurePath]) -> Iterator[Path]:
    """The files whose name may be that of a helper, folder by folder."""
    for folder in folders:
        for name in _names(Path(folder)):
            path = Path(folder, name)
            if name.startswith(_PREFIX) and not path.is_dir() and path.exists():
                yield path.absolute()


def _names(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir())
    except (OSError, ValueError):
        return []


def _version_for(name: str, wanted: str) -> Version | None:
    """The version in a file's name, in lower case, when the file is the program of a helper."""
    found, _, version = name.removeprefix(_PREFIX).removesuffix(".exe").partition("_v")
    if found != wanted:
        return None
    try:
        return Version.parse(version.partition("_x")[0] or _UNVERSIONED)
    except InvalidVersionError:
        return None
