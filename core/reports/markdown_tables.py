"""The table of providers in the Markdown report: what changed, who signed it, and how its hashes stand."""

from __future__ import annotations

from typing import Final

from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.policy.pins import signers_by_document
from lockwarden.core.reports.findings import provider_findings
from lockwarden.core.reports.headline import verdict_counts
from lockwarden.core.reports.markdown_text import code, prose, table_row
from lockwarden.core.review.across_repositories import Signing, signing_of
from lockwarden.core.review.other_signings import signings_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.trusted_keys import key_trust, trust_in_words
from lockwarden.core.values.severity import Severity

_COLUMNS: Final = ("", "Provider", "Version", "Change", "Signed by", "Hashes")
_NOTHING: Final = "-"


def table_head() -> tuple[str, str]:
    """The first two lines."""
    return table_row(_COLUMNS), table_row("---" for _ in _COLUMNS)


def provider_row(review: Review, provider: ProviderReview) -> str:
    """One provider."""
    changes = dict.fromkeys(each.kind.value for each in provider.changes)
    return table_row(
        (
            _mark(provider),
            code(str(provider.address)),
            _version(review, provider),
            ", ".join(changes) or _NOTHING,
            _signers(review, provider),
            _hashes(provider),
        )
    )


def removed_row(entry: LockedProvider) -> str:
    """A provider that is not locked any more."""
    return table_row(("·", code(str(entry.address)), f"was {code(str(entry.version))}", "removed", _NOTHING, _NOTHING))


def _mark(provider: ProviderReview) -> str:
    if provider.objected:
        return "✗"
    told = provider_findings(provider)
    if any(each.severity is Severity.WARNING and not each.is_open for each in told):
        return "▲"
    return "?" if provider.incomplete else "✓"


def _version(review: Review, provider: ProviderReview) -> str:
    now = code(str(provider.entry.version))
    sides = review.standards.sides
    if not sides or not provider.changes:
        return now
    before = sides[0].before(provider.address)
    if before is None:
        return f"new: {now}"
    return now if before.version == provider.entry.version else f"{code(str(before.version))} → {now}"


def _signers(review: Review, provider: ProviderReview) -> str:
    if provider.audit is None:
        return "not known"
    origin = provider.audit.origin
    documents = {} if origin is None else signers_by_document(origin)
    signers = sorted(frozenset[str]().union(*documents.values()))
    told = [_signer(review, provider, each) for each in signers]
    told += [
        f"{code(each.signature.signer.name)} ({each.signature.scheme}), trusted by {prose(each.signature.rule)}"
        for each in signings_of(review.standards, provider.audit)
        if each.signature.counts
    ]
    if told:
        return "; ".join(told)
    nobody = "not known" if signing_of(provider.audit) is Signing.UNKNOWN else "nobody"
    word = provider.audit.client_word
    return nobody if word is None else f"{nobody} ({word})"


def _signer(review: Review, provider: ProviderReview, fingerprint: str) -> str:
    trust = trust_in_words(key_trust(review.standards.policy, provider.address, fingerprint))
    return f"{code(fingerprint[-16:])}{f', {prose(trust)}' if trust else ''}"


def _hashes(provider: ProviderReview) -> str:
    return ", ".join(verdict_counts(provider.counts, provider.approved)) or "none"
