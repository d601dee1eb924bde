"""Which key the policy trusts, and what trusting another one would silence."""

from __future__ import annotations

from fakes.pull_request import GAUGE, KILN, held, keeper
from msgspec.structs import replace

from lockwarden.core.policy.model import NO_POLICY
from lockwarden.core.review.key_use import KeyUse, key_uses
from lockwarden.core.review.review import Review
from lockwarden.core.review.trusted_keys import is_distrusted, is_trusted, key_trust, trust_warning


def signer_of(review: Review, address: object) -> KeyUse:
    """The key that signs what is locked of a provider."""
    audits = [each.audit for each in review.providers if each.audit is not None]
    return next(
        use for use in key_uses(audits) if any(each.made_here and each.address == address for each in use.signings)
    )


def test_whoever_would_trust_another_key_than_the_one_that_is_named_is_warned() -> None:
    review = held()
    use, policy = signer_of(review, KILN.address), review.standards.policy

    assert review.provider(KILN.address).alarmed
    assert key_trust(policy, KILN.address, use.key.fingerprint) is False
    assert trust_warning(policy, use).startswith("This is not the key that ")
    assert is_distrusted(policy, use)
    assert not is_trusted(policy, use)


def test_where_no_key_is_named_or_this_one_is_nothing_is_silenced() -> None:
    review, free = held(), held(keeper(policy=b""))
    named = signer_of(review, GAUGE.address)

    assert key_trust(review.standards.policy, GAUGE.address, named.key.fingerprint)
    assert trust_warning(review.standards.policy, named) == ""
    assert is_trusted(review.standards.policy, named)
    assert not is_distrusted(review.standards.policy, named)
    assert not is_distrusted(free.standards.policy, named)
    assert trust_warning(free.standards.policy, signer_of(free, KILN.address)) == ""


def test_of_several_policies_each_that_names_keys_for_the_provider_has_to_name_this_one() -> None:
    review = held()
    named, other = signer_of(review, GAUGE.address), signer_of(review, KILN.address)
    policy = review.standards.policy
    swapped = replace(policy, keys=tuple(replace(each, fingerprint=other.key.fingerprint) for each in policy.keys))
    fingerprint = named.key.fingerprint

    assert key_trust(replace(policy, also=(NO_POLICY,)), GAUGE.address, fingerprint)
    assert key_trust(replace(policy, also=(swapped,)), GAUGE.address, fingerprint) is False
    assert key_trust(replace(swapped, also=(policy,)), GAUGE.address, fingerprint) is False
    assert key_trust(NO_POLICY, GAUGE.address, fingerprint) is None
