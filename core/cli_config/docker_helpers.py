"""Docker credential helpers: programs `docker-credential-NAME` that know user names and passwords for registries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.cli_config.helper_programs import HelperLimits, failure, run_helper
from lockwarden.core.cli_config.oci_blocks import valid_helper_name
from lockwarden.core.cli_config.service_helpers import json_object
from lockwarden.core.cli_config.settings import BasicCredential
from lockwarden.core.system.programs import find_program
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.secret import Secret

_PREFIX: Final = "docker-credential-"
_NOTHING_KNOWN: Final = b"credentials not found in native keychain"
_TOKEN_USER: Final = "<token>"  # noqa: S105 - what a helper says when it hands out a token of another kind
_WINDOWS_ENDINGS: Final = ".COM;.EXE;.BAT;.CMD"


def find_docker_helper(name: str, environ: Mapping[str, str], *, windows: bool = False) -> Path | None:
    """The first program of the helper's name in the absolute folders of the PATH, or None.

    Relative folders, the current one among them, are passed over: what lies in a checked-out repository is never run
    because a PATH says `.`.
    """
    endings = environ.get("PATHEXT", _WINDOWS_ENDINGS).split(";") if windows else [""]
    return find_program(_PREFIX + name, environ, separator=";" if windows else ":", endings=endings)


def ask_docker_helper(
    name: str,
    domain: str,
    *,
    environ: Mapping[str, str],
    folder: Path,
    windows: bool = False,
    limits: HelperLimits | None = None,
) -> BasicCredential | None:
    """The helper's credential for a registry; None when it answered that it has none. It blocks.

    Raises NoAnswerError when there is no such program, when it could not be asked, and when its answer is unusable.
    """
    if not valid_helper_name(name):
        raise failure(
            f"“{name}”", "has a name that no program can have", code=ProblemCode.HELPER_NAME, hint=_CORRECT_NAME
        )
    program = find_docker_helper(name, environ, windows=windows)
    if program is None:
        missing = "is not in any folder of the PATH"
        raise failure(
            _PREFIX + name, missing, code=ProblemCode.HELPER_MISSING, hint="install it, or remove its configuration"
        )
    given = f"https://{domain}".encode()
    output = run_helper(program, ("get",), environ=environ, folder=folder, given=given, limits=limits)
    if output.exit_code:
        if output.printed.strip() == _NOTHING_KNOWN:
            return None
        raise failure(program, f"failed with exit code {output.exit_code} for {domain}", code=ProblemCode.HELPER_FAILED)
    return _credential(program, output.printed)


_CORRECT_NAME: Final = "NAME in credsStore or credHelpers stands for the program docker-credential-NAME"


def _credential(program: Path, printed: bytes) -> BasicCredential | None:
    answer = json_object(printed)
    if answer is None:
        raise failure(program, "answered something that is no JSON object", code=ProblemCode.HELPER_GARBAGE)
    members = {key.lower(): value for key, value in answer.items()}
    username, secret = members.get("username") or "", members.get("secret") or ""
    if not (isinstance(username, str) and isinstance(secret, str)):
        raise failure(program, "answered a user name or a secret that is no text", code=ProblemCode.HELPER_GARBAGE)
    if username == _TOKEN_USER:
        raise failure(
            program,
            "answered with a token, but only a user name and a password can be used",
            code=ProblemCode.HELPER_TOKEN,
            hint="log in with a user name and a password, or use an oci_credentials block",
        )
    return BasicCredential(username=username, password=Secret(secret)) if username or secret else None
