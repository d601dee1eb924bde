"""Addresses of the web that stand behind what is selected, and text that a terminal makes a link of. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.style import Style

from lockwarden.core.evidence.observations import ComputedLocally, OtherSignature
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.web_links import web_link
from lockwarden.tui.render.text import plain


def linked(value: str) -> Content:
    """The value as text; a link to itself where it is an address that may be followed just as it is written."""
    told = plain(value)
    return told.stylize(Style(link=value)) if web_link(value) and told.plain == value else told


def links_of(provider: ProviderReview, row: HashRow | None) -> tuple[tuple[str, str], ...]:
    """What can be opened of a hash, or of a provider as a whole: each address once, with what it is."""
    found: dict[str, str] = {}
    for what, address in _all(provider, row):
        if web_link(address):
            found.setdefault(address, what)
    return tuple((what, address) for address, what in found.items())


def _all(provider: ProviderReview, row: HashRow | None) -> Iterator[tuple[str, str]]:
    for observation in () if row is None else row.observations:
        if isinstance(observation, ComputedLocally):
            yield "package", observation.location
        elif isinstance(observation, OtherSignature):
            yield "signature", observation.signature.found_at
        else:
            yield observation.document.name, observation.document.url
    for answer in () if provider.audit is None else provider.audit.source_answers:
        if row is not None and row.verdict is Verdict.DISOWNED:  # by the lists that it is not in
            yield from ((each.name, each.url) for listed in answer.lists for each in listed.documents)
        if row is None:
            yield from ((each.document.name, each.document.url) for each in answer.signatures)
        for facts in answer.packages:
            if row is not None and (facts.platform in row.platforms or row.hash in facts.hashes):
                yield f"package for {facts.platform}", facts.location
        if answer.source.kind is SourceKind.NETWORK_MIRROR:
            yield str(answer.source.kind), answer.source.location
