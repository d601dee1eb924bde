"""Rules of one file that say the same twice, or a thing and its opposite. Hardly anybody means that."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain

from lockwarden.core.hcl.diagnostics import BlockDiagnostics
from lockwarden.core.policy.model import OtherKey, PolicyRequirement, TrustedIdentity, TrustedKey, TrustedMirror
from lockwarden.core.values.provider_patterns import ProviderPattern


def complain_of_repetitions(
    keys: Iterable[TrustedKey],
    mirrors: Iterable[TrustedMirror],
    requirements: Iterable[PolicyRequirement],
    others: Iterable[OtherKey | TrustedIdentity],
    diagnostics: BlockDiagnostics,
) -> None:
    """Complain of blocks that repeat another one, and of mirrors that are trusted and not, for the same pattern.

    Two blocks may name the same key or mirror, as long as they speak of different providers.
    """
    mirrors = tuple(mirrors)
    seen: dict[Hashable, int] = {}
    for identity, line in chain(
        _of_keys(keys), _of_others(others), _of_mirrors(mirrors), _of_requirements(requirements)
    ):
        if identity in seen:
            diagnostics.add(line, f"this block says the same as the one on line {seen[identity]}", hint="remove one")
        seen.setdefault(identity, line)
    _complain_of_contradictions(mirrors, diagnostics)


def _of_keys(keys: Iterable[TrustedKey]) -> Iterator[tuple[Hashable, int]]:
    for each in keys:
        yield ("key", each.fingerprint, frozenset(each.providers)), each.rule.line


def _of_others(others: Iterable[OtherKey | TrustedIdentity]) -> Iterator[tuple[Hashable, int]]:
    for each in others:
        if isinstance(each, OtherKey):
            yield ("key", each.scheme, each.fingerprint, frozenset(each.providers)), each.rule.line
        else:
            bound = (each.issuer, each.subject, each.source_repository, each.source_ref)
            yield ("identity", *bound, frozenset(each.providers)), each.rule.line


def _of_mirrors(mirrors: Iterable[TrustedMirror]) -> Iterator[tuple[Hashable, int]]:
    for each in mirrors:
        yield ("mirror", each.location, each.trusted, frozenset(each.providers)), each.rule.line


def _of_requirements(requirements: Iterable[PolicyRequirement]) -> Iterator[tuple[Hashable, int]]:
    for each in requirements:
        asked = (each.signed, each.platforms, each.schemes, each.signatures, each.hosts, each.namespaces)
        yield ("require", frozenset(each.providers), *asked), each.rule.line


def _complain_of_contradictions(mirrors: Iterable[TrustedMirror], diagnostics: BlockDiagnostics) -> None:
    said: dict[tuple[str, ProviderPattern], TrustedMirror] = {}
    for each in mirrors:
        for pattern in each.providers:
            first = said.setdefault((each.location, pattern), each)
            if first.trusted is not each.trusted:
                diagnostics.add(
                    each.rule.line,
                    f"whether this mirror is trusted for {pattern} is said on line {first.rule.line} already,"
                    " and otherwise",
                    hint="keep one of the two",
                )
