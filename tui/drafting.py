"""What is to be written of a person's choice, and what to be warned of before: pure."""

from __future__ import annotations

from datetime import datetime

from lockwarden.core.approvals.model import Approval
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.key_use import KeyUse
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.trusted_keys import key_trust
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.tui.screens.approval import ApprovalDraft


def trust_warning(review: Review | None, use: KeyUse) -> str:
    """That the policy names another key for what this one signs: the alarm, which trusting it would silence."""
    if review is None:
        return ""
    policy = review.standards.policy
    alarming = [each.address for each in use.signings if each.made_here and not _is_trusted(policy, use, each.address)]
    rules = dict.fromkeys(str(key.rule) for address in alarming for key in policy.keys_for(address))
    if not rules:
        return ""
    return f"This is not the key that {', '.join(rules)} names. Ask the maintainers first, by another way."


def _is_trusted(policy: Policy, use: KeyUse, address: ProviderAddress) -> bool:
    return bool(key_trust(policy, address, use.key.fingerprint))


def approval_of(
    review: Review, provider: ProviderReview, rows: tuple[HashRow, ...], draft: ApprovalDraft, by: str, *, at: datetime
) -> Approval:
    """The record of what a person accepts, with the keys whose signature counts today. It proves nothing about `by`."""
    hashes: frozenset[Hash] = frozenset(row.hash for row in rows)
    dispositions = {} if provider.audit is None else review.standards.bearing(provider.audit).audit.dispositions
    signers = {each for known in dispositions.values() for each in known.signed_by_fingerprints}
    return Approval(
        path="",
        line=0,
        address=provider.address,
        version=provider.entry.version,
        hashes=hashes,
        verdict=", ".join(dict.fromkeys(str(row.verdict) for row in rows)),
        signers=tuple(sorted(signers)),
        by=by,
        at=at,
        reason=draft.reason,
        until=draft.until,
    )
