"""Real keys and signatures, made by the real gpg in a home of its own, and what tests do to their packets."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import KeyJudgement

DOCUMENT: Final = b"0" * 64 + b"  terraform-provider-widget_1.0.0_linux_amd64.zip\n"
NOW: Final = datetime(2026, 6, 1, 12, 0, 0, tzinfo=UTC)
MADE: Final = "20250101T000000"
"""When the keys are made, unless a test says otherwise; `SIGNED` is when they sign."""
SIGNED: Final = "20250301T000000"

MakeGpg = Callable[[str], Path]
VerifierAt = Callable[[datetime], SignatureVerifier]


class Judge(Protocol):
    """Judges one signature by one block."""

    def __call__(self, signature: bytes, armor: str, document: bytes = DOCUMENT) -> KeyJudgement: ...


@dataclass(frozen=True)
class Key:
    """A key in the workshop, by its fingerprint."""

    fingerprint: str
    subkeys: tuple[str, ...] = ()

    @property
    def key_id(self) -> str:
        return self.fingerprint[-16:]


class Workshop:
    """A private gpg home with secret keys; `when` is the time that gpg is made to believe in."""

    def __init__(self, gpg: str, home: Path) -> None:
        self.gpg = gpg
        self.home = home

    def run(self, *arguments: str, when: str = MADE, data: bytes = b"", batch: bool = True) -> bytes:
        command = [self.gpg, "--homedir", str(self.home), "--no-tty", "--yes", "--quiet", "--no-options"]
        command += ["--pinentry-mode", "loopback", "--passphrase", "", "--faked-system-time", f"{when}!"]
        command += ["--no-auto-check-trustdb", "--trust-model", "always"]
        command += ["--batch"] if batch else ["--command-fd", "0"]
        done = subprocess.run(
            [*command, *arguments],
            input=data,
            capture_output=True,
            timeout=60,
            env={"HOME": str(self.home), "LC_ALL": "C", "PATH": os.environ["PATH"]},
        )
        assert done.returncode == 0, (arguments, done.stderr.decode(errors="replace"))
        return done.stdout

    def make(
        self,
        user_id: str = "Widget Releases <releases@widget.example>",
        *,
        algorithm: str = "ed25519",
        usage: str = "sign,cert",
        expires: str = "never",
        when: str = MADE,
    ) -> Key:
        before = set(self._fingerprints())
        self.run("--quick-generate-key", user_id, algorithm, usage, expires, when=when)
        (made,) = set(self._fingerprints()) - before
        return Key(made)

    def add_subkey(
        self, key: Key, *, algorithm: str = "ed25519", usage: str = "sign", expires: str = "never", when: str = MADE
    ) -> Key:
        before = set(self._fingerprints())
        self.run("--quick-add-key", key.fingerprint, algorithm, usage, expires, when=when)
        (made,) = set(self._fingerprints()) - before
        return Key(key.fingerprint, (*key.subkeys, made))

    def edit(self, key: Key, *commands: str, when: str = SIGNED) -> None:
        """Drive gpg's key editor: one answer a line."""
        answers = "".join(f"{line}\n" for line in commands).encode()
        self.run("--edit-key", key.fingerprint, when=when, data=answers, batch=False)

    def revoke(self, key: Key, *, reason: int, when: str = SIGNED) -> None:
        """Revoke the primary key: 1 compromised, 2 superseded, 3 no longer used (as gpg's menu has them)."""
        answers = f"y\n{reason}\n\ny\n".encode()
        certificate = self.run("--gen-revoke", key.fingerprint, when=when, data=answers, batch=False)
        self.run("--import", data=certificate, when=when)

    def sign(
        self, by: str | Key, document: bytes = DOCUMENT, *options: str, when: str = SIGNED, armor: bool = False
    ) -> bytes:
        """A detached signature; a string names the exact key or subkey that has to make it."""
        name = by.fingerprint if isinstance(by, Key) else f"{by}!"
        form = ("--armor",) if armor else ()
        return self.run(
            "--local-user", name, "--digest-algo", "SHA512", *form, *options, "--detach-sign", data=document, when=when
        )

    def armor(self, *keys: Key) -> str:
        names = [key.fingerprint for key in keys]
        return self.run("--armor", "--export", *names, when="20300101T000000").decode()

    def export(self, key: Key) -> bytes:
        return self.run("--export", key.fingerprint)

    def wrap(self, data: bytes) -> str:
        """Armour around any packets, as a public key block."""
        text = self.run("--enarmor", data=data).decode()
        return re.sub(r"\nComment: [^\n]*", "", text.replace("PGP ARMORED FILE", "PGP PUBLIC KEY BLOCK"))

    def _fingerprints(self) -> list[str]:
        listing = self.run("--with-colons", "--list-keys", "--with-subkey-fingerprint").decode(errors="replace")
        return [line.split(":")[9] for line in listing.splitlines() if line.startswith("fpr:")]

    def packets(self, data: bytes) -> list[tuple[int, bytes]]:
        """Tag and bytes of each packet, by the offsets that gpg itself prints."""
        listing = self.run("--list-packets", data=data).decode(errors="replace")
        marks = [
            (int(at), int(tag)) for at, tag in re.findall(r"^# off=(\d+) ctb=\w+ tag=(\d+)", listing, re.MULTILINE)
        ]
        ends = [at for at, _ in marks[1:]] + [len(data)]
        return [(tag, data[at:end]) for (at, tag), end in zip(marks, ends, strict=True)]

    def without_cross_certification(self, data: bytes) -> bytes:
        """Keys whose subkeys' own signatures are taken out of the bindings; no other signature covers those."""
        return b"".join(_strip_embedded(raw) if tag == 2 else raw for tag, raw in self.packets(data))


def _strip_embedded(raw: bytes) -> bytes:
    """A signature packet without embedded signatures in its uncovered part (RFC 4880, section 5.2.3.26)."""
    body = raw[2:] if raw[0] == 0x88 else raw[3:]
    if body[1] != 0x18:
        return raw
    covered = 6 + int.from_bytes(body[4:6], "big")
    end = covered + 2 + int.from_bytes(body[covered : covered + 2], "big")
    area, kept = body[covered + 2 : end], b""
    while area:
        size = 1 + area[0] if area[0] < 192 else 2 + ((area[0] - 192) << 8) + area[1] + 192
        kind = area[1] if area[0] < 192 else area[2]
        kept += b"" if kind & 0x7F == 32 else area[:size]
        area = area[size:]
    stripped = body[:covered] + len(kept).to_bytes(2, "big") + kept + body[end:]
    return b"\xc2\xff" + len(stripped).to_bytes(4, "big") + stripped


def commands_with(word: str) -> list[str]:
    """The command lines of running processes that hold a word."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in command:
            found.append(command)
    return found


def left_of(word: str) -> list[str]:
    """The command lines that hold a word and do not go away; what was killed may take a moment."""
    for _ in range(100):
        if not commands_with(word):
            return []
        time.sleep(0.05)
    return commands_with(word)


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*"))
