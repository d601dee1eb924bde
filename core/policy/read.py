"""Reads a policy file: from its bytes to rules, or to everything that is wrong with it.

The file decides what is trusted, so nothing in it is passed over. A misspelt setting is an error, and so are a key
that is named by its ID and a pattern that fits nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from lockwarden.core.hcl.blocks import BlockKind, BlockReader, PlacedText, read_blocks
from lockwarden.core.hcl.diagnostics import BlockDiagnostics, TooManyDiagnostics, shown_name
from lockwarden.core.policy.approval_rules import SETTINGS, ApprovalRules
from lockwarden.core.policy.model import (
    MAX_BYTES,
    OtherKey,
    Policy,
    PolicyRequirement,
    Rule,
    TrustedIdentity,
    TrustedKey,
    TrustedMirror,
)
from lockwarden.core.policy.other_signers import NamedFile, OtherSigners, owner_of, required_scheme
from lockwarden.core.policy.repetitions import complain_of_repetitions
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.domain_names import DomainNameError, normalised_name
from lockwarden.core.values.errors import InputError, PolicyError
from lockwarden.core.values.fingerprints import read_fingerprint
from lockwarden.core.values.hashes import PREFERRED_SCHEMES
from lockwarden.core.values.mirror_locations import FolderOf, folder_as_written, mirror_location
from lockwarden.core.values.platforms import read_platform
from lockwarden.core.values.provider_patterns import ProviderPattern

SIGNING_KEY: Final = "signing_key"
SIGNING_IDENTITY: Final = "signing_identity"
MIRROR: Final = "mirror"
REQUIRE: Final = "require"
APPROVALS: Final = "approvals"
_KINDS: Final[Mapping[str, BlockKind]] = {
    SIGNING_KEY: BlockKind(
        label="the full fingerprint of the key", settings=("scheme", "owner", "public_key", "providers", "not_after")
    ),
    SIGNING_IDENTITY: BlockKind(
        label="a name for people",
        settings=("issuer", "subject", "source_repository", "source_ref", "trusted_root", "providers"),
    ),
    MIRROR: BlockKind(label="where the mirror is", settings=("trusted", "providers")),
    REQUIRE: BlockKind(
        label="", settings=("providers", "signed", "signatures", "platforms", "schemes", "hosts", "namespaces")
    ),
    APPROVALS: BlockKind(label="", settings=SETTINGS),
}
_T = TypeVar("_T")


def read_policy(
    data: bytes,
    *,
    path: str,
    folder: Path,
    known: Iterable[str] = (),
    named_file: NamedFile | None = None,
    folder_of: FolderOf = folder_as_written,
) -> Policy:
    """Read a policy from its bytes; `path` names it in its rules and in messages.

    Relative folders of mirrors start at `folder`, the policy file's own; `folder_of` follows the links on their way, as
    for sources. `known` are fingerprints of keys that were seen; the hint for a key ID names the one to write.
    `named_file` gives the bytes of the files that rules name, from where the policy itself lies; without it they stay
    empty, and no signature is good by them. Raises PolicyError with all that is wrong. Success says nothing about the
    keys and mirrors: that they exist, or that anyone but the file's author trusts them.
    """
    diagnostics = BlockDiagnostics()
    reader = _Reader(
        path=path,
        mirror=partial(mirror_location, directory=folder, folder_of=folder_of),
        known=frozenset(known),
        files=named_file,
        diagnostics=diagnostics,
    )
    try:
        for block in read_blocks(data, _KINDS, diagnostics, limit=MAX_BYTES):
            reader.take(block)
        others: tuple[OtherKey | TrustedIdentity, ...] = (*reader.others.keys, *reader.others.identities)
        complain_of_repetitions(reader.keys, reader.mirrors, reader.requirements, others, diagnostics)
    except TooManyDiagnostics:
        pass
    if diagnostics.diagnostics:
        raise PolicyError(path=path, diagnostics=diagnostics.in_order)
    return Policy(
        path=path,
        data=data,
        keys=tuple(reader.keys),
        other_keys=tuple(reader.others.keys),
        identities=tuple(reader.others.identities),
        mirrors=tuple(reader.mirrors),
        requirements=tuple(reader.requirements),
        approvals_from_change=reader.approvals.from_change,
        approvals_signed=reader.approvals.signed,
        allowed_signers=reader.approvals.allowed_signers,
        revoked_signers=reader.approvals.revoked,
    )


class _Reader:
    """Collects the rules of one file."""

    def __init__(
        self,
        *,
        path: str,
        mirror: Callable[[str], str],
        known: frozenset[str],
        files: NamedFile | None,
        diagnostics: BlockDiagnostics,
    ) -> None:
        self._path = path
        self._mirror = mirror
        self._known = known
        self._diagnostics = diagnostics
        self.keys: list[TrustedKey] = []
        self.others = OtherSigners(path=path, files=files, diagnostics=diagnostics)
        self.mirrors: list[TrustedMirror] = []
        self.requirements: list[PolicyRequirement] = []
        self.approvals = ApprovalRules(files=files, diagnostics=diagnostics)

    def take(self, block: BlockReader) -> None:
        """Add the rule of a block, unless something is wrong with it."""
        before = len(self._diagnostics.diagnostics)
        if block.name == APPROVALS:
            self.approvals.take(block)
            return
        providers = self._each(block.texts("providers", required=True), ProviderPattern.parse)
        if block.name == SIGNING_IDENTITY:
            self.others.take_identity(block, providers, before)
        elif block.name == SIGNING_KEY and (scheme := block.text("scheme")) is not None and scheme.value != "gpg":
            self.others.take_key(block, scheme, providers, before)
        elif block.name == SIGNING_KEY:
            self._take_key(block, providers, before)
        elif block.name == MIRROR:
            self._take_mirror(block, providers, before)
        else:
            self._take_requirement(block, providers, before)

    def _take_key(self, block: BlockReader, providers: tuple[ProviderPattern, ...], before: int) -> None:
        label = PlacedText(block.label, block.line)
        fingerprints = self._each((label,), lambda text: read_fingerprint(text, known=self._known))
        owner = owner_of(block)
        for name in ("public_key", "not_after"):
            if block.text(name) is not None:
                self._diagnostics.add(
                    block.line_of(name),
                    f"a GPG key has no {name}: the registry gives out the key, which says itself how long it holds",
                    hint="remove the setting, or name the scheme of the key, such as scheme = “cosign-key”",
                )
        if self._clean(before):
            self.keys.append(
                TrustedKey(
                    rule=Rule(self._path, block.line),
                    fingerprint=fingerprints[0],
                    owner=owner,
                    providers=providers,
                )
            )

    def _take_mirror(self, block: BlockReader, providers: tuple[ProviderPattern, ...], before: int) -> None:
        label = PlacedText(block.label, block.line)
        locations = self._each((label,), self._mirror)
        trusted = block.truth("trusted", required=True)
        if self._clean(before):
            self.mirrors.append(
                TrustedMirror(
                    rule=Rule(self._path, block.line),
                    location=locations[0],
                    trusted=bool(trusted),
                    providers=providers,
                )
            )

    def _take_requirement(self, block: BlockReader, providers: tuple[ProviderPattern, ...], before: int) -> None:
        requirement = PolicyRequirement(
            rule=Rule(self._path, block.line),
            providers=providers,
            signed=block.truth("signed") or False,
            platforms=frozenset(self._each(block.texts("platforms"), read_platform)),
            schemes=frozenset(self._each(block.texts("schemes"), _scheme)),
            signatures=frozenset(self._each(block.texts("signatures"), required_scheme)),
            hosts=self._allowed(block.texts("hosts"), _host),
            namespaces=self._allowed(block.texts("namespaces"), _namespace),
        )
        asks = requirement.signed or requirement.platforms or requirement.schemes or requirement.signatures
        limits = requirement.hosts is not None or requirement.namespaces is not None
        if self._clean(before) and not (asks or limits):
            self._diagnostics.add(
                block.line,
                "this block requires nothing of its providers",
                hint="set signed = true, signatures, platforms, schemes, hosts or namespaces, or remove the block",
            )
        self.requirements.append(requirement)

    def _allowed(self, texts: tuple[PlacedText, ...] | None, read: Callable[[str], str]) -> frozenset[str] | None:
        return None if texts is None else frozenset(self._each(texts, read))

    def _each(self, texts: tuple[PlacedText, ...] | None, read: Callable[[str], _T]) -> tuple[_T, ...]:
        """What the texts stand for; those that stand for nothing are complained of."""
        values: list[_T] = []
        for text in texts or ():
            try:
                values.append(read(text.value))
            except InputError as error:
                self._diagnostics.add(text.line, error.message, hint=error.hint)
        return tuple(values)

    def _clean(self, before: int) -> bool:
        """Whether nothing was complained of since."""
        return len(self._diagnostics.diagnostics) == before


def _scheme(text: str) -> str:
    if text not in PREFERRED_SCHEMES:
        bare = text.rstrip(":").lower()
        hint = f"did you mean {bare}?" if bare in PREFERRED_SCHEMES else "the schemes are h1 and zh"
        raise InputError(f"no client can check a hash of the scheme {shown_name(text)}", hint=hint)
    return text


def _host(text: str) -> str:
    if text == "*":
        raise InputError("“*” is not a host", hint="every host is allowed when the setting is left out")
    return Hostname.parse(text).ascii


def _namespace(text: str) -> str:
    try:
        name = normalised_name(text)[1]
    except DomainNameError as error:
        raise InputError(f"{shown_name(text)} is not a namespace: {error}", hint=_NAMESPACES) from error
    if any(wrong in each for wrong in (".", "--") for each in (text, name)):
        raise InputError(
            f"{shown_name(text)} is not a namespace, which has neither dots nor double dashes", hint=_NAMESPACES
        )
    return name


_NAMESPACES: Final = "write names such as hashicorp, without a host and without an asterisk"
