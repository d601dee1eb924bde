"""Signs the approvals of a repository as they stand: a higher serial number, and a detached signature beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.approvals.model import APPROVALS_FILE, MAX_BYTES, SIGNATURE_FILES, Approvals
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.approvals.serial import with_serial
from lockwarden.core.document_signatures.ssh_signature import NAMESPACE, SshSignature
from lockwarden.core.engine.approvals_files import (
    MAX_SIGNATURE,
    approvals_path,
    read_approvals_file,
    save_approvals,
    save_signature,
)
from lockwarden.core.git.identity import identity, ssh_signing_key
from lockwarden.core.git.repository import Repository, find_repository
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.signatures.ssh_signing import sign
from lockwarden.core.system.own_files import read_own_file
from lockwarden.core.values.errors import ApprovalsError, GitError, InputError, UnknownRevisionError

_MOST: Final = 1_000_000_000
"""Serial numbers that nobody gets to by signing; one may be named all the same."""


class ToSign(Struct, frozen=True, kw_only=True):
    """The approvals that a signature would be over, as they lie on disk, and what signing makes of them."""

    path: Path
    before: Approvals
    signature_before: bytes | None
    """The SSH signature that lies beside them; it will be replaced."""
    data: bytes
    """What is signed: the same records under a higher serial number."""
    serial: int
    signer: str
    """Who the document will say signs it; may be empty."""


class Signed(Struct, frozen=True, kw_only=True):
    """What was written."""

    approvals: Path
    signature: Path
    read: SshSignature


def approvals_to_sign(path: str, *, serial: int, signer: str, environ: Mapping[str, str]) -> ToSign:
    """The approvals that go with a lock file or a folder; their number becomes `serial` at least.

    An empty `signer` is filled in by the mail address of git's settings. Raises InputError where there are none or they
    cannot be read, GitError, ToolError, and OwnFileEditError where the number cannot be written into them.
    """
    named = Path(path)
    lock_file = named / LOCK_FILE_NAME if named.is_dir() else named
    repository = find_repository(lock_file, environ)
    root = None if repository is None else repository.root
    place = approvals_path(lock_file, root=root)
    before = read_approvals_file(lock_file, root=root)
    if not before.path:
        raise InputError(
            f"there is nothing to sign: {place} does not exist",
            hint="record an approval in the review first, with R or the key that your settings have for it",
        )
    higher = max(before.serial, _committed_serial(repository)) + 1
    number = max(higher, serial)
    if number > _MOST and serial < number:
        raise InputError(
            f"{place} or the last commit of it has the serial number {higher - 1}, and few higher ones would be left",
            hint="whoever wrote it may want that nothing can be signed any more: write the last number that was signed"
            f" there, or say --serial {number}",
        )
    name = signer or before.signer or _mail(identity(place.parent.parent, environ))
    signature = place.with_name(Path(SIGNATURE_FILES[0]).name)
    other = place.with_name(Path(SIGNATURE_FILES[1]).name)
    if other.exists():
        raise InputError(
            f"{other} is there, a signature in another form", hint="remove it, or sign with the tool that made it"
        )
    return ToSign(
        path=place,
        before=before,
        signature_before=read_own_file(signature, name=str(signature), limit=MAX_SIGNATURE, error=ApprovalsError),
        data=with_serial(before, number, name),
        serial=number,
        signer=name,
    )


def sign_approvals(to_sign: ToSign, *, key: str, environ: Mapping[str, str], on_terminal: bool) -> Signed:
    """Sign them, and write both files; an empty `key` stands for the one that git's settings name.

    Where anything goes wrong before the second file is written, no signature holds: what is there is not over what is
    there. Raises InputError, ToolError, FileChangedError and SaveError.
    """
    chosen = key or ssh_signing_key(to_sign.path.parent.parent, environ)
    text, read = sign(to_sign.data, key=chosen, namespace=NAMESPACE, environ=environ, on_terminal=on_terminal)
    save_approvals(to_sign.path, to_sign.data, before=to_sign.before)
    signature = save_signature(to_sign.path, text, before=to_sign.signature_before)
    return Signed(approvals=to_sign.path, signature=signature, read=read)


def _committed_serial(repository: Repository | None) -> int:
    """The number that the last commit has: a file that was put back must not get a number that was used already."""
    if repository is None:
        return 0
    try:
        data = repository.plain_file(repository.commit_at("HEAD"), APPROVALS_FILE)
        return 0 if data is None or len(data) > MAX_BYTES else read_approvals(data, path=APPROVALS_FILE).serial
    except (ApprovalsError, UnknownRevisionError, GitError):
        return 0


def _mail(who: str) -> str:
    return who.rpartition("<")[2].removesuffix(">")
