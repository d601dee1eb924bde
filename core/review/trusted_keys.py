"""Which rule of the policy trusts a signing key for a provider, and what trusting another one would silence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from lockwarden.core.policy.model import Policy
from lockwarden.core.review.key_use import KeyUse
from lockwarden.core.review.review import Review
from lockwarden.core.values.addresses import ProviderAddress

Trust = str | Literal[False] | None
"""The rule that names the key for the provider; False when the policy names others for it; None when it names none."""


def key_trust(policy: Policy, address: ProviderAddress, fingerprint: str) -> Trust:
    """What the policy says of a key, by the primary key's full fingerprint. It proves nothing about who holds it.

    Of several that count, each that names keys for the provider has to name this one.
    """
    said = [each for each in (_trust(alone, address, fingerprint) for alone in policy.each) if each is not None]
    return None if not said else all(said) and said[0]


def _trust(policy: Policy, address: ProviderAddress, fingerprint: str) -> Trust:
    named = policy.keys_for(address)
    if not named:
        return None
    return next((str(each.rule) for each in named if each.fingerprint == fingerprint), False)


def trust_in_run(reviews: Iterable[Review], use: KeyUse) -> Trust:
    """The same for a key of a whole run: the first rule that names it for a provider that it was offered for."""
    addresses = dict.fromkeys(signing.address for signing in use.signings)
    said = [
        key_trust(review.standards.policy, address, use.key.fingerprint) for review in reviews for address in addresses
    ]
    return next((each for each in said if each), False if False in said else None)


def is_distrusted(policy: Policy, use: KeyUse) -> bool:
    """Whether the key signs for a provider for which the policy names others. Being offered for it is not enough."""
    return any(key_trust(policy, each, use.key.fingerprint) is False for each in _signed_for(use))


def is_trusted(policy: Policy, use: KeyUse) -> bool:
    """Whether some rule names the key for a provider that it was offered for."""
    return any(key_trust(policy, each.address, use.key.fingerprint) for each in use.signings)


def trust_in_words(trust: Trust) -> str:
    """The same for people; empty where no policy speaks of keys."""
    if trust is None:
        return ""
    return f"trusted by {trust}" if trust else "not a key that the policy names for this provider"


def trust_warning(policy: Policy, use: KeyUse) -> str:
    """That the policy names another key for what this one signs: the alarm, which trusting it would silence."""
    alarming = [each for each in _signed_for(use) if key_trust(policy, each, use.key.fingerprint) is False]
    rules = dict.fromkeys(str(key.rule) for address in alarming for key in policy.keys_for(address))
    if not rules:
        return ""
    return f"This is not the key that {', '.join(rules)} names. Ask the maintainers first, by another way."


def _signed_for(use: KeyUse) -> tuple[ProviderAddress, ...]:
    return tuple(each.address for each in use.signings if each.made_here)
