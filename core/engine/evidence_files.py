"""Opens an evidence bundle, so that an audit is answered from it and nobody is asked."""

from __future__ import annotations

import os
import stat
from datetime import timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.bundles.archive import MAX_SIZE, read_bundle
from lockwarden.core.bundles.replaying import Replayer
from lockwarden.core.bundles.vouching import SUFFIX, in_time, vouching_for
from lockwarden.core.document_signatures.allowed_signers import MAX_BYTES, AllowedSigners, read_allowed_signers
from lockwarden.core.engine.opened_evidence import OpenedEvidence
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.errors import InputError

SIGNERS_OPTION: Final = "--evidence-signers"
SIGNERS_VARIABLE: Final = "LOCKWARDEN_EVIDENCE_SIGNERS"
_MAX_SIGNATURE: Final = 64 * 1024
_MOST_DAYS: Final = 36_500
"""A hundred years: more would be no limit, and overflow a date."""


class EvidenceTrust(Struct, frozen=True, kw_only=True):
    """Whose evidence the operator takes."""

    signers: str | None = None
    """A file that names who may vouch; None for what the environment says."""
    max_age: timedelta | None = None
    """Nobody vouches for what is older; None for any age."""


def read_age(days: int | None) -> timedelta | None:
    """How old evidence may be. Raises InputError."""
    if days is None:
        return None
    if not 1 <= days <= _MOST_DAYS:
        raise InputError(
            f"--evidence-max-age: {days} is not a number of days from 1 to {_MOST_DAYS}",
            hint="leave it out for any age",
        )
    return timedelta(days=days)


def open_evidence(path: str, runtime: Runtime, trust: EvidenceTrust, *, directory: Path) -> OpenedEvidence:
    """Read a bundle, and see who vouches for it.

    Raises InputError for what is no bundle, for a signature that is not over it, and for a list that cannot be used.
    Success does not say that anybody vouches: that stands in `recorded`.
    """
    data = _content(path, MAX_SIZE)
    if data is None:
        raise InputError(f"the evidence {path} is not there", hint="check its name")
    signature, now = _content(f"{path}{SUFFIX}", _MAX_SIGNATURE), runtime.now()
    vouched = vouching_for(data, signature, _signers(trust.signers, runtime, directory), name=path, now=now)
    replayer = Replayer(read_bundle(data, path), path)
    vouched = in_time(vouched, replayer.made, now, max_age=trust.max_age)
    recorded = RecordedEvidence(
        digest=replayer.digest,
        made=replayer.made,
        age=now - replayer.made,
        tool=replayer.tool,
        signer=vouched.signer,
        fingerprint=vouched.fingerprint,
        doubt=vouched.doubt,
    )
    return OpenedEvidence(name=path, replayer=replayer, recorded=recorded)


def _signers(option: str | None, runtime: Runtime, directory: Path) -> AllowedSigners | None:
    """The list that the operator names; None where they name none."""
    for path, chosen_by in ((option, SIGNERS_OPTION), (runtime.environ.get(SIGNERS_VARIABLE), SIGNERS_VARIABLE)):
        if path is None:
            continue
        if path and runtime.reach.entered(path, directory) is not None:
            raise InputError(
                f"{chosen_by} names {path}, which the change under review can write, so it could vouch for itself",
                hint="name a file outside of the working tree; without a base it may lie anywhere",
            )
        data = _content(path, MAX_BYTES)
        if data is None:
            raise InputError(f"there is no file “{path}”, and {chosen_by} names it", hint="check its name")
        return read_allowed_signers(data, path=path)
    return None


def _content(path: str, limit: int) -> bytes | None:
    """The bytes of a file, one more than the limit at most; None where there is none. Raises InputError."""
    try:
        with os.fdopen(open_to_read(Path(path), follow=True), "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise InputError(f"{path} cannot be read: it is no file", hint="name a file")
            return opened.read(limit + 1)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no path"
        raise InputError(f"{path} cannot be read: {why}", hint="check its name") from error
