"""Signing keys made on the spot by the real gpg, in a home of their own that is removed afterwards."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from lockwarden.core.values.errors import ToolError

_TIMEOUT: Final = 60.0
_NEVER: Final = "never"
_LONGEST_FOLDER: Final = 60
"""Characters. A socket's whole path may have about 100, of which the home's name and the socket's take 40."""


class SigningPart(StrEnum):
    """Which key of a pair of primary key and subkeys makes the signatures."""

    PRIMARY = "the primary key signs"
    SUBKEY = "the primary key only certifies, a subkey signs"


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """The public side of a key that a KeyMaker holds."""

    fingerprint: str
    """The primary key's fingerprint, upper case."""
    signing_fingerprint: str
    """The fingerprint of the key that makes the signatures: the primary key's own, or the subkey's."""
    user_id: str
    armor: str
    """The public key block as a registry offers it."""

    @property
    def key_id(self) -> str:
        """The primary key's 16-digit ID, as the clients print it."""
        return self.fingerprint[-16:]


class KeyMaker:
    """Makes keys and signs with them, until it is closed; then agent and private keys are gone.

    The home lies in the folder for temporary files, because the path of an agent's socket has to be short.
    """

    def __init__(self) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="lw-keys-", dir=_short_folder()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def make(
        self,
        user_id: str,
        *,
        created: datetime,
        algorithm: str = "ed25519",
        expires: datetime | None = None,
        use: SigningPart = SigningPart.PRIMARY,
        subkey_algorithm: str = "ed25519",
    ) -> SigningKey:
        """Make a key, created and expiring at the given times; algorithms by gpg's names (`ed25519`, `rsa3072`).

        Raises ToolError when gpg is missing or fails.
        """
        until = _NEVER if expires is None else f"seconds={int((expires - created).total_seconds())}"
        usage = "cert" if use is SigningPart.SUBKEY else "cert,sign"
        status = self._gpg(["--quick-generate-key", user_id, algorithm, usage, until], at=created, frozen=True)
        fingerprint = _created_fingerprint(status)
        signing = fingerprint
        if use is SigningPart.SUBKEY:
            self._gpg(["--quick-add-key", fingerprint, subkey_algorithm, "sign", until], at=created, frozen=True)
            signing = self._fingerprints(fingerprint)[-1]
        return SigningKey(
            fingerprint=fingerprint,
            signing_fingerprint=signing,
            user_id=user_id,
            armor=self._gpg(["--armor", "--export", fingerprint]).decode("ascii"),
        )

    def sign(self, key: SigningKey, document: bytes, *, at: datetime, options: Sequence[str] = ()) -> bytes:
        """A detached binary signature over `document` that claims to be made at `at`."""
        signer = ["--local-user", f"{key.signing_fingerprint}!"]
        return self._gpg([*options, *signer, "--detach-sign", "--output", "-"], at=at, given=document)

    def run(self, arguments: Sequence[str], *, at: datetime | None = None, given: bytes = b"") -> bytes:
        """Any other gpg command over the same keys, for cases that only tests need; returns its output."""
        return self._gpg(arguments, at=at, given=given)

    def close(self) -> None:
        """Stop the agent and delete the home with all private keys."""
        for order in (["--kill", "all"], ["--remove-socketdir"]):
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):  # without its home an agent ends by itself
                command = ["gpgconf", "--homedir", str(self._home), *order]
                subprocess.run(command, check=False, capture_output=True, timeout=_TIMEOUT)
        shutil.rmtree(self._home, ignore_errors=True)

    def _fingerprints(self, fingerprint: str) -> list[str]:
        listing = self._gpg(["--with-colons", "--list-keys", fingerprint]).decode("utf-8", "replace")
        return [line.split(":")[9] for line in listing.splitlines() if line.startswith("fpr:")]

    def _gpg(
        self, arguments: Sequence[str], *, at: datetime | None = None, frozen: bool = False, given: bytes = b""
    ) -> bytes:
        command = ["gpg", "--homedir", str(self._home), "--no-options", "--batch", "--yes", "--no-tty", "--quiet"]
        command += ["--status-fd", "1"] if "--quick-generate-key" in arguments else []
        command += ["--passphrase", "", "--pinentry-mode", "loopback", "--no-auto-check-trustdb"]
        command += ["--trust-model", "always", "--no-permission-warning"]
        if at is not None:
            # The faked clock runs on, which gpg needs to order signatures of one key. With a final "!" it stands still:
            # a key is as old as it is said to be, and not from the future for the next command, on a slow machine too.
            command += ["--faked-system-time", f"{int(at.timestamp())}{'!' if frozen else ''}"]
        try:
            done = subprocess.run(
                [*command, *arguments], input=given, capture_output=True, timeout=_TIMEOUT, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ToolError(
                "gpg, which makes the demo's signing keys, cannot be run",
                hint="install GnuPG 2.2 or newer (package gnupg) and see that gpg is on PATH",
            ) from error
        if done.returncode != 0:
            told = done.stderr.decode("utf-8", "replace").strip()
            raise ToolError(f"gpg failed while it made the demo's keys: {told}", hint="run gpg --version by hand")
        return done.stdout


def _short_folder() -> str:
    """Where the home goes: the folder for temporary files, unless its name leaves no room for a socket's path."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= _LONGEST_FOLDER else "/tmp"  # noqa: S108 - mkdtemp makes a private folder in it


def _created_fingerprint(status: bytes) -> str:
    for line in status.decode("ascii", "replace").splitlines():
        words = line.split()
        if words[:2] == ["[GNUPG:]", "KEY_CREATED"]:
            return words[3]
    raise ToolError("gpg made a key but did not say which", hint="run gpg --version by hand")
