"""Reads the rules about signers of other schemes than GPG: keys that the operator brings, and identities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from lockwarden.core.document_signatures.minisign import read_minisign_key
from lockwarden.core.hcl.blocks import BlockReader, PlacedText
from lockwarden.core.hcl.diagnostics import BlockDiagnostics, shown_name
from lockwarden.core.oci_signatures.keys import load_key
from lockwarden.core.policy.model import OtherKey, Rule, TrustedIdentity
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.public_keys import fingerprint_of, read_key_name, read_time, spki_of
from lockwarden.core.values.signature_schemes import (
    DOCUMENT_SCHEMES,
    KEY_SCHEMES,
    MINISIGN_SCHEMES,
    SUPPORTED_SCHEMES,
    SignatureScheme,
)

NamedFile = Callable[[str], bytes]
"""The bytes of a file that a rule names; raises InputError when there is none or it cannot be read."""
LONGEST_OWNER: Final = 256
"""Characters in the name of a key's owner."""
_LONGEST_IDENTITY: Final = 2_048
"""Characters."""
_T = TypeVar("_T")


class OtherSigners:
    """Collects the rules about other signers of one file."""

    def __init__(self, *, path: str, files: NamedFile | None, diagnostics: BlockDiagnostics) -> None:
        self._path = path
        self._files = files
        self._diagnostics = diagnostics
        self.keys: list[OtherKey] = []
        self.identities: list[TrustedIdentity] = []

    def take_key(
        self, block: BlockReader, scheme: PlacedText, providers: tuple[ProviderPattern, ...], before: int
    ) -> None:
        """Add the rule of a `signing_key` block whose scheme is not GPG's, unless something is wrong with it."""
        known = self._read(scheme, _key_scheme)
        owner = owner_of(block)
        until = block.text("not_after")
        not_after = None if until is None else self._read(until, read_time)
        if known is None:
            return
        fingerprint = self._read(PlacedText(block.label, block.line), lambda text: _key_name(text, known))
        public_key = self._public_key(block, known, fingerprint)
        if fingerprint is not None and len(self._diagnostics.diagnostics) == before:
            self.keys.append(
                OtherKey(
                    rule=Rule(self._path, block.line),
                    scheme=known,
                    fingerprint=fingerprint,
                    owner=owner,
                    providers=providers,
                    public_key=public_key,
                    not_after=not_after,
                )
            )

    def _public_key(self, block: BlockReader, scheme: SignatureScheme, fingerprint: str | None) -> bytes:
        """The key's file, which has to be the key that the block names. An SSH signature brings the key itself."""
        named = block.text("public_key", required=scheme is SignatureScheme.COSIGN_KEY)
        if named is not None and scheme in DOCUMENT_SCHEMES:
            holds = "the signature holds the key" if scheme is SignatureScheme.SSHSIG else "the block names it whole"
            self._diagnostics.add(
                named.line, f"a key of {scheme} needs no public_key: {holds}", hint="remove the setting"
            )
            return b""
        data = None if named is None else self._named_file(named)
        if named is None or not data:
            return b""
        held = self._read(PlacedText(named.value, named.line), lambda name: _fingerprint_in(name, data))
        if held is not None and fingerprint is not None and held != fingerprint:
            self._diagnostics.add(
                named.line,
                f"the key in {shown_name(named.value)} is {held}, and the block is of another",
                hint="name the key that is meant; nobody else's may slip in by its file",
            )
        return data

    def take_identity(self, block: BlockReader, providers: tuple[ProviderPattern, ...], before: int) -> None:
        """Add the rule of a `signing_identity` block, unless something is wrong with it."""
        issuer = self._exact(block, "issuer", required=True)
        subject = self._exact(block, "subject", required=True)
        repository = self._exact(block, "source_repository")
        ref = self._exact(block, "source_ref")
        root = block.text("trusted_root", required=True)
        data = None if root is None else self._named_file(root)
        if len(self._diagnostics.diagnostics) == before:
            self.identities.append(
                TrustedIdentity(
                    rule=Rule(self._path, block.line),
                    name=block.label,
                    issuer=issuer,
                    subject=subject,
                    source_repository=repository,
                    source_ref=ref,
                    providers=providers,
                    trusted_root=data or b"",
                )
            )

    def _exact(self, block: BlockReader, name: str, *, required: bool = False) -> str:
        text = block.text(name, required=required)
        return "" if text is None else self._read(text, lambda value: _exact(name, value)) or ""

    def _named_file(self, named: PlacedText) -> bytes | None:
        files = self._files
        return b"" if files is None else self._read(named, files)

    def _read(self, text: PlacedText, read: Callable[[str], _T]) -> _T | None:
        """What the text stands for; None, and a complaint, when it stands for nothing."""
        try:
            return read(text.value)
        except InputError as error:
            self._diagnostics.add(text.line, error.message, hint=error.hint)
            return None


def owner_of(block: BlockReader) -> str:
    """The name of a key's owner, for people."""
    owner = block.text("owner")
    if owner is not None and len(owner.value) > LONGEST_OWNER:
        block.diagnostics.add(owner.line, f"the owner's name has more than {LONGEST_OWNER} characters")
    return "" if owner is None else owner.value


def required_scheme(text: str) -> SignatureScheme:
    """A scheme whose signatures can be required. Raises InputError."""
    return _scheme(text, SUPPORTED_SCHEMES, "no signature of the scheme {} can be checked here")


def _key_name(text: str, scheme: SignatureScheme) -> str:
    """How a key of the scheme is named: by its fingerprint; whole, where anyone can make another key of its ID."""
    if scheme not in MINISIGN_SCHEMES:
        return read_key_name(text, scheme)
    try:
        read_minisign_key(text)
    except InputError as error:
        raise InputError(
            f"{shown_name(text)} is not a key of {scheme}: {error.message}", hint="write the second line of its file"
        ) from error
    return text


def _key_scheme(text: str) -> SignatureScheme:
    if text == SignatureScheme.SIGSTORE:
        raise InputError("sigstore has no keys that last", hint="name who may sign in a signing_identity block")
    return _scheme(text, KEY_SCHEMES | {SignatureScheme.GPG}, "no key of the scheme {} can be named here")


def _scheme(text: str, known: frozenset[SignatureScheme], refusal: str) -> SignatureScheme:
    if text in known:
        return SignatureScheme(text)
    why = ", which is not supported yet" if text in set(SignatureScheme) else ""
    raise InputError(refusal.format(shown_name(text)) + why, hint=f"the schemes are {', '.join(sorted(known))}")


def _fingerprint_in(name: str, data: bytes) -> str:
    try:
        spki = spki_of(data)
        load_key(spki)
    except InputError as error:
        raise InputError(f"{shown_name(name)} cannot be used: {error.message}", hint=error.hint) from error
    return fingerprint_of(spki)


def _exact(name: str, text: str) -> str:
    if len(text) > _LONGEST_IDENTITY:
        raise InputError(f"the {name} has more than {_LONGEST_IDENTITY} characters")
    if "*" in text or text.startswith("^") or text.endswith("$"):
        raise InputError(
            f"the {name} {shown_name(text)} looks like a pattern, and whole texts are compared",
            hint="write it as it stands in the certificate; {version} alone stands for something else",
        )
    return text
