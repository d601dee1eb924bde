"""Signs through `ssh-keygen`, so that agents, passphrases and security keys work as they do for people's commits.

What is started is the first `ssh-keygen` on the absolute folders of the search path. It gets what of the environment
leads to the agent and to whoever asks for passphrases, and nothing else of it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.document_signatures.ssh_signature import BEGIN, SshSignature, read_ssh_signature
from lockwarden.core.document_signatures.verification import is_good_ssh
from lockwarden.core.system.programs import find_program, search_path, temporary_folder
from lockwarden.core.values.errors import InputError, ToolError
from lockwarden.core.values.printable import reveal

SSH_KEYGEN: Final = "ssh-keygen"
INSTALL_HINT: Final = "install OpenSSH 8.1 or newer, and see that `ssh-keygen` is on the PATH"
_SECONDS: Final = 300
"""As long as somebody may look for their security key."""
_KEPT: Final = (
    "HOME",
    "TERM",
    "SSH_AUTH_SOCK",
    "SSH_ASKPASS",
    "SSH_ASKPASS_REQUIRE",
    "SSH_SK_PROVIDER",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
)
_LITERAL: Final = ("ssh-", "ecdsa-", "sk-")
"""How a public key begins that is written out where a file could be named; the agent has its private half."""
_SHOWN: Final = 300


def sign(
    document: bytes, *, key: str, namespace: str, environ: Mapping[str, str], on_terminal: bool
) -> tuple[str, SshSignature]:
    """A detached signature over a document, as text and as it was read: it was verified, by our own rules, too.

    `key` is a file, private or public, or a public key written out. `on_terminal` lets ssh-keygen talk to the person
    in front of it. Raises ToolError without ssh-keygen, and InputError when the key does not sign.
    """
    program = find_program(SSH_KEYGEN, environ)
    if program is None:
        raise ToolError("ssh-keygen is not installed", hint=INSTALL_HINT)
    with contextlib.ExitStack() as stack:
        place = _key_file(key, stack)
        text = _run([str(program), "-Y", "sign", "-n", namespace, "-f", str(place)], document, environ, on_terminal)
    signature = read_ssh_signature(text)
    if signature.namespace != namespace or not is_good_ssh(signature, document):
        raise ToolError(f"what {program} made is no good signature over the document", hint=INSTALL_HINT)
    return text, signature


def _key_file(key: str, stack: contextlib.ExitStack) -> Path:
    """The file to name to ssh-keygen; a key that is written out is put into one for the while."""
    bare = key.removeprefix("key::")
    if bare != key or bare.startswith(_LITERAL):
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=temporary_folder())))
        place = folder / "key.pub"
        place.write_text(f"{bare}\n", encoding="utf-8")
        return place
    place = Path(os.path.abspath(key))  # noqa: PTH100 - links stay what they are
    if not key.strip() or "\0" in key or not place.is_file():
        raise InputError(
            f"there is no key {reveal(key)[:_SHOWN]} to sign with",
            hint="name the file of an SSH key with --key, or set git's user.signingkey with gpg.format = ssh",
        )
    return place


def _run(command: list[str], document: bytes, environ: Mapping[str, str], on_terminal: bool) -> str:
    kept = {name: environ[name] for name in _KEPT if name in environ}
    handed = {**kept, "LC_ALL": "C", "PATH": os.pathsep.join(search_path(environ))}
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if on_terminal else subprocess.PIPE,
            env=handed,
            cwd="/",
            start_new_session=not on_terminal,  # without one, a passphrase could be asked for where nobody looks
        )
    except OSError as error:
        raise ToolError(f"ssh-keygen cannot be started: {error.strerror or error}", hint=INSTALL_HINT) from error
    with process:
        try:
            printed, complaint = process.communicate(document, timeout=_SECONDS)
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise ToolError(f"ssh-keygen needed more than {_SECONDS} seconds", hint="try it again") from error
        except BaseException:  # an interruption too: the program must not outlive us
            process.kill()
            raise
    text = printed.decode("ascii", "replace")
    if process.returncode != 0 or not text.startswith(BEGIN):
        raise InputError(
            f"ssh-keygen did not sign{_words(complaint)}",
            hint="see that the key's private half is there or in the agent (ssh-add -l), and that its passphrase can"
            " be asked for",
        )
    return text


def _words(complaint: bytes | None) -> str:
    """The last thing that ssh-keygen said, where it was not said on the terminal."""
    lines = [line for line in (complaint or b"").decode("utf-8", "replace").splitlines() if line.strip()]
    return f": {reveal(lines[-1].strip())[:_SHOWN]}" if lines else ""
