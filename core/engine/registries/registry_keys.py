"""The key files of a registry: which cannot be used, which are past their end, which match no provider."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from lockwarden.core.registry_metadata.findings import MetadataFinding
from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.system.atomic_writing import reason_of
from lockwarden.core.system.walking import walked
from lockwarden.core.values.errors import NoAnswerError, ToolError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeyState

_LARGEST = 1024 * 1024
_LINK = "it is a symbolic link, and was not followed"


def key_findings(
    root: Path, providers: Collection[str], verifier: SignatureVerifier | None
) -> Iterator[tuple[Path | None, MetadataFinding]]:
    """What is odd about the keys below `keys/`, with the file that it is about, if it is one.

    `providers` are `namespace/name` in lower case; without a `verifier` no key is looked into.
    """
    folder = root / "keys"
    with_keys: set[str] = set()
    for path, refusal in _places(folder):
        parts = path.relative_to(folder).parts
        if refusal:
            yield path, _found(Severity.ERROR, f"{refusal}: whether it has keys, and whose, is open")
        if refusal or len(parts) not in {3, 4}:
            continue
        owner = "/".join(parts[1:-1]).lower()
        with_keys.add(owner)
        if not any(owner in {each, each.partition("/")[0]} for each in map(_owned, providers)):
            yield path, _found(Severity.WARNING, "its folder matches no provider, so it is never used")
        if verifier is not None:
            yield from ((path, each) for each in _of_file(path, verifier))
    lacking = [each for each in map(_owned, providers) if not {each, each.partition("/")[0]} & with_keys]
    if lacking:
        named = ", ".join(sorted(lacking)[:5])
        more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        yield (
            None,
            _found(
                Severity.NOTE, f"{len(lacking)} providers have no key, so nothing signed speaks of them: {named}{more}"
            ),
        )


def _places(folder: Path) -> Iterator[tuple[Path, str]]:
    """The files below `keys/` by their paths, and what could be one and is not looked at, with why."""
    found: list[tuple[Path, str]] = []

    def note(error: OSError) -> None:
        found.append((Path(os.fsdecode(error.filename)), f"it cannot be looked into, {reason_of(error)}"))

    if folder.is_symlink():
        found.append((folder, _LINK))
    for place, folders, names in walked(folder, unread=note) if not found and os.path.lexists(folder) else ():
        for name in (*folders, *names):
            path = Path(place, name)
            if os.path.islink(path):  # noqa: PTH114 - the method raises
                found.append((path, _LINK))
            elif os.path.isfile(path):  # noqa: PTH113
                found.append((path, ""))
    yield from sorted(found)


def _owned(provider: str) -> str:
    """Whose keys a provider has: those of `hashicorp` are the registry's own."""
    namespace, _, name = provider.partition("/")
    return f"{'opentofu' if namespace == 'hashicorp' else namespace}/{name}"


def _of_file(path: Path, verifier: SignatureVerifier) -> Iterator[MetadataFinding]:
    try:
        with path.open("rb") as file:
            armor = file.read(_LARGEST).decode("utf-8", "replace")
        defect, keys = verifier.keys_now(armor)
    except (OSError, ToolError, NoAnswerError) as error:
        yield _found(Severity.WARNING, f"it could not be looked into: {error}")
        return
    if defect:
        yield _found(Severity.ERROR, f"no client can use it: {defect}")
    for key in keys:
        if key.state is not KeyState.VALID:
            yield _found(Severity.WARNING, f"the key {key.fingerprint} is {key.state}")


def _found(severity: Severity, message: str) -> MetadataFinding:
    return MetadataFinding(code=ProblemCode.METADATA_KEY, severity=severity, message=message)
