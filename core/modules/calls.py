"""The module calls that the files of one folder make together, with the places where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from msgspec import Struct
from msgspec.structs import replace as replace_struct

from lockwarden.core.configuration.syntax import Block, Body, Reference, Span, Text, Value
from lockwarden.core.modules.pinning import Classified, Pinning, classify, refused, unknown
from lockwarden.core.modules.sources import ModuleSource, parse_module_source
from lockwarden.core.values.errors import ModuleSourceError

_SHOWN: Final = 100


class CallsFile(Struct, frozen=True, kw_only=True):
    """One file of a module, as it was read."""

    path: str
    """As people know it."""
    file: str = ""
    """Where it lies, absolute."""
    body: Body
    override: bool = False
    test: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleCall:
    """One `module` block, with what overrides say of it."""

    name: str
    path: str
    """The file that says the source, or that has the block where nothing says it."""
    line: int
    file: str = ""
    """Where that file lies, absolute."""
    span: Span | None = None
    """Where in it the source stands; None where that is no constant."""
    source: str = field(default="", repr=False)
    """As written; it may hold secrets. Empty where it is no constant."""
    version: str = ""
    """The constraint on the versions of a registry; empty where there is none, and where it is no constant."""
    versioned: bool = False
    source_unknown: str = ""
    """Why the source cannot be known; a clause, empty where it is."""
    version_unknown: str = ""
    refused: str = ""
    """Why the client refuses the call, whatever its source is; a clause."""
    test: bool = False
    """Whether only the run of a test makes it."""

    def parsed(self, default_registry: str) -> ModuleSource:
        """The source. Raises ModuleSourceError."""
        return parse_module_source(self.source, versioned=self.versioned, default_registry=default_registry)

    def classified(self, default_registry: str) -> Classified:
        """How far the source pins what is installed."""
        if self.refused:
            return Classified(kind="", pinning=Pinning.REFUSED, reason=self.refused)
        if self.source_unknown:
            return unknown(self.source_unknown)
        try:
            found = classify(self.parsed(default_registry), self.version)
        except ModuleSourceError as error:
            return refused(error)
        if self.version_unknown and found.pinning is not Pinning.REFUSED:
            return replace_struct(found, pinning=Pinning.UNKNOWN, reason=self.version_unknown)
        return found


def calls_of(files: Iterable[CallsFile]) -> tuple[ModuleCall, ...]:
    """The calls of a folder, in the order of its files; one that comes twice is there twice, and no client takes it."""
    everything = tuple(files)
    calls = [call for file in everything if not file.override or file.test for call in _written(file)]
    for file in everything:
        if file.override and not file.test:
            for change in _blocks(file):
                _override(calls, file, *change)
    return tuple(calls)


def _written(file: CallsFile) -> Iterator[ModuleCall]:
    for name, block in _blocks(file):
        empty = ModuleCall(
            name=name,
            path=file.path,
            line=block.line,
            file=file.file,
            test=file.test,
            refused="the call says no source",
        )
        yield _with(empty, file, block)


def _blocks(file: CallsFile) -> Iterator[tuple[str, Block]]:
    if not file.test:
        yield from ((block.labels[0] if block.labels else "", block) for block in file.body.of_type("module"))
        return
    for run in file.body.of_type("run"):
        name = run.labels[0] if run.labels else ""
        yield from ((name, block) for block in run.body.of_type("module"))


def _override(calls: list[ModuleCall], file: CallsFile, name: str, block: Block) -> None:
    found = [place for place, call in enumerate(calls) if call.name == name and not call.test]
    for place in found:
        calls[place] = _with(calls[place], file, block)
    if not found:
        why = "it overrides a call that no file has"
        calls.append(ModuleCall(name=name, path=file.path, line=block.line, file=file.file, refused=why))


def _with(call: ModuleCall, file: CallsFile, block: Block) -> ModuleCall:
    """The call with what a block says; what it does not say stays."""
    for attribute in block.body.attributes:
        text = attribute.value.value if isinstance(attribute.value, Text) else ""
        why = _why(attribute.name, attribute.value)
        if attribute.name == "source":
            call = replace(
                call,
                path=file.path,
                line=attribute.line,
                file=file.file,
                span=attribute.span,
                source=text,
                source_unknown=why,
                refused="" if text or why else "its source is empty",
            )
        elif attribute.name == "version":
            call = replace(call, version=text, versioned=True, version_unknown=why)
    return call


def _why(name: str, value: Value) -> str:
    """Why the value cannot be known; empty for a text."""
    if isinstance(value, Text):
        return ""
    if isinstance(value, Reference):
        return f"its {name} goes by {'.'.join(value.names)[:_SHOWN]}, whose value only a run knows"
    return f"its {name} is an expression, whose value only a run knows"
