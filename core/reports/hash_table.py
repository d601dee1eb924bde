"""Every hash of a provider as a table of plain text, with the sources and keys that its audit saw above it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.evidence.dispositions import HashDisposition
from lockwarden.core.evidence.source_answers import SourceAnswer
from lockwarden.core.reports.key_lines import key_line, other_line
from lockwarden.core.review.chains import steps_of, token_words
from lockwarden.core.review.key_use import key_uses
from lockwarden.core.review.other_signings import signings_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.values.printable import reveal

_HEADINGS: Final = ("Verdict", "Platform", "Hash", "Signed by", "Reg", "Loc", "Decision", "Line")
_YES: Final = "yes"
_NO: Final = "-"


def provider_table(review: Review, provider: ProviderReview) -> Iterator[str]:
    """The lines about one provider, the table last."""
    constraints = f" ({provider.entry.constraints})" if provider.entry.constraints else ""
    audit = provider.audit
    summary = f", {audit.client_word}" if audit is not None and audit.client_word is not None else ""
    yield f"  {provider.address} {provider.entry.version}{constraints}{summary}"
    if audit is not None:
        yield from (f"    {line}" for answer in audit.source_answers for line in finding_lines(answer))
        yield from (f"    key {key_line(use.key)}" for use in key_uses([audit]))
        yield from (f"    signature: {other_line(each)}" for each in signings_of(review.standards, audit))
    yield from (
        f"    {line}" for line in _aligned([_HEADINGS, *(_cells(review, provider, row) for row in provider.rows)])
    )


def finding_lines(answer: SourceAnswer) -> Iterator[str]:
    """What a source answered, with the packages and the chains that led to them."""
    yield _source_line(answer)
    yield from (f"  {line}" for line in _chain_lines(answer))


def _source_line(answer: SourceAnswer) -> str:
    detail = f": {answer.detail}" if answer.detail else ""
    packages = ", ".join(f"{package.platform} {package.outcome}" for package in answer.packages)
    source = answer.source
    kind = "" if source.kind == source.id else f" ({source.kind})"
    return f"{source.id}{kind} {answer.outcome}{detail}{f'; {packages}' if packages else ''}"


def _chain_lines(answer: SourceAnswer) -> Iterator[str]:
    if answer.token_hosts:
        yield f"token sent to {token_words(answer)}"
    for chain in answer.chains:
        yield "chain" if chain.platform is None else f"chain to {chain.platform}"
        yield from (f"  {name} {value}" for name, value in steps_of(answer, chain))


def _cells(review: Review, provider: ProviderReview, row: HashRow) -> tuple[str, ...]:
    disposition = row.disposition
    return (
        row.verdict.value,
        row.label,
        row.hash.text,
        _signers(disposition) or _NO,
        _YES if disposition.reported_by_registry else _NO,
        _YES if disposition.verified_locally else _NO,
        review.decision(provider, row).value,
        _NO if row.line is None else str(row.line),
    )


def _signers(disposition: HashDisposition) -> str:
    others = (f"{each.scheme} {each.name}" for each in sorted(disposition.signed_otherwise_by))
    return ", ".join((*sorted(disposition.signed_by_gpg_key_ids), *others))


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    shown = [[reveal(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
