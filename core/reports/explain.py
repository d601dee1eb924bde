"""Everything that is known of one provider of a lock file, and how it led to the answer, as lines of plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lockwarden.core.policy.model import PolicyRequirement
from lockwarden.core.reports.change_lines import base_name, lines_of_changes, unreadable_line
from lockwarden.core.reports.coverage_lines import coverage_lines
from lockwarden.core.reports.findings import finding_message, provider_findings
from lockwarden.core.reports.hash_table import finding_lines
from lockwarden.core.reports.key_lines import key_line
from lockwarden.core.reports.reason_lines import reason_lines, row_line
from lockwarden.core.review.exit_codes import ExitCode, in_words
from lockwarden.core.review.key_use import key_uses, unknown_issuers
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.trusted_keys import key_trust, trust_in_words
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.severity import Severity


def explain(review: Review, address: ProviderAddress) -> Iterator[str]:
    """The whole reasoning for one provider; whoever shows the lines reveals them.

    Raises KeyError when the lock file does not have the provider, also where the base has it.
    """
    provider = review.provider(address)
    yield f"{provider.address} {provider.entry.version}: {in_words(provider.exit_code)}"
    parts = {
        "Entry": _entry(provider),
        f"Change against {base_name(review.standards.sides)}": _changes(review, provider),
        "Policy": _policy(review, provider),
        "Sources": _sources(provider),
        "Keys": _keys(review, provider),
        "Hashes": _hashes(review, provider),
        "Problems": _problems(provider),
        "Would a client install it": coverage_lines(review, provider),
        "Exit code": _why(review, provider),
    }
    for title, lines in parts.items():
        told = list(lines)
        if told:
            yield from ("", title, *(f"  {line}" for line in told))


def _entry(provider: ProviderReview) -> Iterator[str]:
    entry = provider.entry
    yield f"line {entry.line}, version {entry.version}, constraints {entry.constraints or 'none'}"
    schemes = Counter(each.scheme for each in entry.hash_set)
    counts = ", ".join(f"{number} {scheme}" for scheme, number in sorted(schemes.items()))
    yield f"{len(entry.hash_set)} hashes{f': {counts}' if counts else ''}"
    if not entry.protects:
        yield "none of them is of a scheme that the clients know, so every client accepts any package"


def _changes(review: Review, provider: ProviderReview) -> Iterator[str]:
    sides = review.standards.sides
    if not sides:
        return
    for side in sides:
        if side.unreadable:
            yield unreadable_line(side)
            continue
        before = side.before(provider.address)
        was = "not locked" if before is None else f"version {before.version}, {len(before.hash_set)} hashes"
        yield f"{was} at {side.name}"
    if review.standards.compares:
        yield from lines_of_changes(provider.changes) if provider.changes else ("nothing changed",)


def _policy(review: Review, provider: ProviderReview) -> Iterator[str]:
    """The rules that speak of the provider."""
    policy = review.standards.policy
    for key in policy.keys_for(provider.address):
        yield f"{key.rule}: signed by {key.fingerprint}{f' ({key.owner})' if key.owner else ''}"
    for mirror in policy.mirrors_for(provider.address):
        yield f"{mirror.rule}: {mirror.location} is {'trusted' if mirror.trusted else 'not trusted'}"
    for required in policy.requirements_for(provider.address):
        yield f"{required.rule}: requires {'; '.join(_required(required)) or 'nothing'}"


def _required(requirement: PolicyRequirement) -> Iterator[str]:
    if requirement.signed:
        yield "signatures"
    for what, names in (
        ("platforms", (str(each) for each in requirement.platforms)),
        ("schemes", requirement.schemes),
        ("a host among", requirement.hosts or ()),
        ("a namespace among", requirement.namespaces or ()),
    ):
        if listed := ", ".join(sorted(names)):
            yield f"{what} {listed}"


def _sources(provider: ProviderReview) -> Iterator[str]:
    if provider.audit is None:
        yield "the audit has not ended"
        return
    for answer in provider.audit.source_answers:
        yield from finding_lines(answer)
        for each in answer.lists:
            complete = "complete" if each.complete else "not complete"
            signers = ", ".join(sorted(signer[-16:] for signer in each.signers))
            stands = f"signed by {signers}" if each.authenticated else "not authenticated"
            yield f"  list of {len(each.hashes)} {each.scheme} hashes, {complete}, {stands}"
    if provider.audit.summary is not None:
        yield f"together: {provider.audit.summary}"


def _keys(review: Review, provider: ProviderReview) -> Iterator[str]:
    """Every key that was offered, what it signed, and who trusts it; then signatures of keys that nobody offered."""
    audits = [] if provider.audit is None else [provider.audit]
    for use in key_uses(audits):
        yield key_line(use.key)
        trust = key_trust(review.standards.policy, provider.address, use.key.fingerprint)
        yield f"  {trust_in_words(trust) or 'no policy names keys for this provider'}"
        for signing in use.signings:
            made = f"covers {len(signing.hashes)} hashes" if signing.made_here else "did not sign it"
            why = f" ({signing.detail})" if signing.detail else ""
            yield f"  {signing.document} of {signing.source}: {signing.state}{why}, {made}"
    for each in unknown_issuers(audits):
        yield f"{each.document} of {each.source} names {', '.join(each.issuers)} as its signer, which nobody offers"


def _hashes(review: Review, provider: ProviderReview) -> Iterator[str]:
    for row in provider.rows:
        yield f"{row_line(row)}, {review.decision(provider, row)}"
        yield from (f"  {line}" for line in reason_lines(row.reasons))


def _problems(provider: ProviderReview) -> Iterator[str]:
    changes = {each.problem for each in provider.changes}
    for problem in provider.problems:
        if problem in changes:
            continue
        yield f"{problem.severity}: {finding_message(problem)}"
        if problem.hint:
            yield f"  → {problem.hint}"


def _why(review: Review, provider: ProviderReview) -> Iterator[str]:
    """The exit code of this provider alone with what leads to it, and that of the lock file."""
    code = provider.exit_code
    yield f"of this provider alone {int(code)}: {in_words(code)}"
    for finding in provider_findings(provider):
        if finding.severity is Severity.ERROR:
            yield f"  ✗ {finding.name}: {finding.message}"
        elif finding.is_open and code is ExitCode.INCOMPLETE:
            yield f"  ? {finding.name}: {finding.message}"
    if provider.approved:
        count = provider.approved
        yield f"  ✓ {count} unexplained {'hashes are' if count > 1 else 'hash is'} approved on record"
    yield f"of the whole lock file {int(review.exit_code)}: {in_words(review.exit_code)}"
