"""Reads what a policy says of approvals: from where they may come, and who may sign them."""

from __future__ import annotations

import posixpath
from typing import Final

from lockwarden.core.document_signatures.allowed_signers import NO_SIGNERS, AllowedSigners, read_allowed_signers
from lockwarden.core.document_signatures.minisign import read_minisign_key
from lockwarden.core.hcl.blocks import BlockReader, PlacedText
from lockwarden.core.hcl.diagnostics import BlockDiagnostics, shown_name
from lockwarden.core.policy.other_signers import NamedFile
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.public_keys import read_key_name
from lockwarden.core.values.signature_schemes import SignatureScheme

SETTINGS: Final = ("from_change", "signed", "allowed_signers", "revoked")


class ApprovalRules:
    """The one block of a policy that speaks of approvals."""

    def __init__(self, *, files: NamedFile | None, diagnostics: BlockDiagnostics) -> None:
        self._files = files
        self._diagnostics = diagnostics
        self._line = 0
        self.from_change = False
        self.signed = False
        self.allowed_signers: AllowedSigners = NO_SIGNERS
        self.revoked: frozenset[str] = frozenset()

    def take(self, block: BlockReader) -> None:
        """Read the block, unless there was one before."""
        if self._line:
            self._diagnostics.add(
                block.line, f"approvals are spoken of on line {self._line} already", hint="keep one of the two"
            )
        self._line = block.line
        before = len(self._diagnostics.diagnostics)
        from_change, signed = block.truth("from_change"), block.truth("signed")
        named, revoked = block.text("allowed_signers"), block.texts("revoked")
        if (from_change, signed, named, revoked) == (None, None, None, None):
            if len(self._diagnostics.diagnostics) == before:
                self._diagnostics.add(
                    block.line, "this block says nothing of approvals", hint=f"set {', '.join(SETTINGS)}, or remove it"
                )
            return
        self.from_change, self.signed = bool(from_change), bool(signed)
        self.revoked = frozenset(key for each in revoked or () if (key := self._key(each)) is not None)
        if named is not None:
            self._read_list(named)

    def _read_list(self, named: PlacedText) -> None:
        """Read the list, which has to lie beside the policy: then only who may change the policy may change it."""
        place = posixpath.normpath(named.value)
        if place.startswith(("/", "..")) or "\\" in place:
            self._diagnostics.add(
                named.line,
                f"{shown_name(named.value)} does not lie in the policy's folder, nor below it",
                hint="write where the list of allowed signers lies from there, such as keys/allowed_signers",
            )
            return
        if self._files is None:
            return
        try:
            self.allowed_signers = read_allowed_signers(self._files(named.value), path=named.value)
        except InputError as error:
            self._diagnostics.add(named.line, error.message, hint=error.hint)

    def _key(self, text: PlacedText) -> str | None:
        """A key as a signature shows it: the fingerprint of SSH's, the whole one of minisign's and signify's."""
        try:
            if text.value.startswith("SHA256:"):
                return read_key_name(text.value, SignatureScheme.SSHSIG)
            read_minisign_key(text.value)
        except InputError as error:
            self._diagnostics.add(text.line, f"{shown_name(text.value)} is no key: {error.message}", hint=error.hint)
            return None
        return text.value
