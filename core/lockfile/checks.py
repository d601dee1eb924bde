"""Judges what a lock file says by the clients' rules: what they refuse, in their words and with their lines."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from msgspec import Struct

from lockwarden.core.lockfile.entries import read_constraints, read_hashes, read_version
from lockwarden.core.lockfile.lock_file_diagnostics import LockFileDiagnostics, TooManyErrors
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.lockfile.syntax import AttributeNode, BlockNode, BodyNode
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import InvalidAddressError
from lockwarden.core.values.versions import Version

RESOLVE: Final = "“lockwarden resolve” shows what each side locks, and writes what is confirmed of it"
"""What helps with a file in which two sides stand."""
_PROVIDER_ARGUMENTS: Final = ("version", "constraints", "hashes")
_MISSING_LABELS: Final = {
    "provider": LockFileSummary.MISSING_SOURCE_ADDR_FOR_PROVIDER,
    "module": LockFileSummary.MISSING_PATH_FOR_MODULE,
}
_EXTRANEOUS_LABELS: Final = {
    "provider": LockFileSummary.EXTRANEOUS_LABEL_FOR_PROVIDER,
    "module": LockFileSummary.EXTRANEOUS_LABEL_FOR_MODULE,
}
_TWICE: Final = 2
_NAMED: Final = 8
"""Lines that are named of the blocks of one provider."""
_ADDRESS: Final = LockFileSummary.INVALID_PROVIDER_SOURCE_ADDRESS


class CheckedBlocks(Struct, frozen=True):
    """What the blocks of a file lock, in its order; incomplete when there are errors among the complaints."""

    first: tuple[LockedProvider, ...]
    """One of each provider."""
    repeated: tuple[LockedProvider, ...]
    """Those whose provider has a block before, which every client refuses."""


def checked_providers(body: BodyNode, diagnostics: LockFileDiagnostics, *, client: Client) -> CheckedBlocks:
    """The entries of a file by the rules of one client; what that refuses is among the complaints."""
    checker = _Checker(diagnostics, client)
    with suppress(TooManyErrors):
        checker.check(body)
    return CheckedBlocks(tuple(checker.providers), tuple(checker.repeated))


class _Checker:
    """Goes through the blocks of a file and remembers which providers it has seen where."""

    def __init__(self, diagnostics: LockFileDiagnostics, client: Client) -> None:
        self._diagnostics = diagnostics
        self._error = diagnostics.error
        self._client = client
        self._blocks: tuple[BlockNode, ...] = ()
        self._seen: dict[ProviderAddress, int] = {}
        """How many blocks each provider had so far."""
        self.providers: list[LockedProvider] = []
        self.repeated: list[LockedProvider] = []

    def check(self, body: BodyNode) -> None:
        modules_seen = False
        self._blocks = body.blocks
        for item in body.items:
            if isinstance(item, AttributeNode):
                self._unsupported_argument(item)
            elif self._is_well_formed(item):
                if item.type == "provider":
                    self._check_provider(item)
                elif not modules_seen:
                    modules_seen = True
                    self._warn_of_module(item)

    def _is_well_formed(self, block: BlockNode) -> bool:
        """Whether it is of a known type and has exactly one label."""
        if block.type not in _MISSING_LABELS:
            self._unsupported_block(block)
        elif not block.labels:
            self._error(
                block.open,
                _MISSING_LABELS[block.type],
                f"a {block.type} block needs a label",
                hint='write the address between quotes: provider "registry.opentofu.org/hashicorp/aws" {',
            )
        elif len(block.labels) > 1:
            self._error(
                block.labels[1].start,
                _EXTRANEOUS_LABELS[block.type],
                f"a {block.type} block has one label only",
                hint="remove the others",
            )
        else:
            return True
        return False

    def _warn_of_module(self, block: BlockNode) -> None:
        self._diagnostics.warning(
            block.start,
            LockFileSummary.DEPENDENCY_LOCKS_FOR_MODULES_ARE_NOT_YET_SUPPORTED,
            "no released client knows module blocks in a lock file; they are left as they are",
        )

    def _check_provider(self, block: BlockNode) -> None:
        address = self._address(block)
        if address is None:
            return
        line = self._diagnostics.lines.line_of(block.start)
        provider = self._entry(block, address, line)
        seen = self._seen[address] = self._seen.get(address, 0) + 1
        (self.providers if seen == 1 else self.repeated).append(provider)
        if seen == _TWICE:
            self._duplicate(address, block)

    def _duplicate(self, address: ProviderAddress, second: BlockNode) -> None:
        """One complaint of all blocks of a provider, at the second; clients complain of each but the first."""
        alike = (each for each in self._blocks if each.type == "provider")
        places = (each.start for each in alike if [label.value for label in each.labels] == [str(address)])
        lines = [str(self._diagnostics.lines.line_of(place)) for place in places]
        times = "twice" if len(lines) == _TWICE else f"{len(lines)} times"
        last = lines[-1] if len(lines) <= _NAMED else f"{len(lines) - _NAMED + 1} more"
        self._error(
            second.start,
            LockFileSummary.DUPLICATE_PROVIDER_LOCK,
            f"{address} is locked {times}, at lines {', '.join(lines[:-1][: _NAMED - 1])} and {last}",
            hint=RESOLVE,
        )

    def _address(self, block: BlockNode) -> ProviderAddress | None:
        label = block.labels[0]
        try:
            address = ProviderAddress.parse(label.value, default_registry=self._client.default_registry)
        except InvalidAddressError as error:
            self._error(label.start, _ADDRESS, error.message, hint=error.hint)
            return None
        if self._is_builtin(address):
            message = f"{address} is a part of the client itself, so no version of it can be locked"
            self._error(label.start, _ADDRESS, message, hint="remove the block")
        elif address.legacy:
            message = f"{address} is a legacy address, which cannot be locked"
            self._error(label.start, _ADDRESS, message, hint="remove the block")
        elif str(address) != label.value:
            message = f"“{label.value}” is not the full, normalised form of the address"
            self._error(
                label.start, LockFileSummary.NON_NORMALIZED_PROVIDER_SOURCE_ADDRESS, message, hint=f'write "{address}"'
            )
        else:
            return address
        return None

    def _is_builtin(self, address: ProviderAddress) -> bool:
        """Terraform knows only its own host for what is built in."""
        return address.builtin and (self._client is Client.OPENTOFU or address.hostname.ascii == "terraform.io")

    def _entry(self, block: BlockNode, address: ProviderAddress, line: int) -> LockedProvider:
        # Of an argument that is set twice, which is a mistake noted elsewhere, the first counts.
        values = {attribute.name: attribute.value for attribute in reversed(block.body.attributes)}
        for attribute in block.body.attributes:
            if attribute.name not in _PROVIDER_ARGUMENTS:
                self._unsupported_argument(attribute)
        for inner in block.body.blocks:
            self._unsupported_block(inner)
        if "version" not in values and block.complete:
            message = f"the entry for {address} has no version"
            self._error(block.open, LockFileSummary.MISSING_REQUIRED_ARGUMENT, message, hint='add version = "…"')
        version, constraints, hashes = (values.get(name) for name in _PROVIDER_ARGUMENTS)
        noted = self._diagnostics
        return LockedProvider(
            address=address,
            version=read_version(address, version, noted) if version else Version(0, 0, 0),
            constraints=read_constraints(address, constraints, noted) if constraints else "",
            hashes=read_hashes(hashes, noted) if hashes else (),
            line=line,
        )

    def _unsupported_argument(self, attribute: AttributeNode) -> None:
        message = f"an argument “{attribute.name}” is not expected here"
        self._error(attribute.start, LockFileSummary.UNSUPPORTED_ARGUMENT, message, hint="remove it")

    def _unsupported_block(self, block: BlockNode) -> None:
        message = f"a block of type “{block.type}” is not expected here"
        self._error(block.start, LockFileSummary.UNSUPPORTED_BLOCK_TYPE, message, hint="remove it")
