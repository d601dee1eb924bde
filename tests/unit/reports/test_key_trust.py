"""Which rule trusts a key, where several policies count."""

from __future__ import annotations

import pytest
from builders.audits import ADDRESS, FINGERPRINT
from builders.policies import STRANGER, key, policy, requirement

from lockwarden.core.policy.model import Policy, together
from lockwarden.core.review.trusted_keys import Trust, key_trust

NAMES, OTHERS, SILENT = policy(key()), policy(key(STRANGER)), policy(requirement(signed=True))


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ([], None),
        ([SILENT], None),
        ([SILENT, NAMES], "policy.hcl line"),
        ([NAMES, OTHERS], False),
        ([OTHERS, NAMES], False),
        ([policy(key(), key(STRANGER, line=5)), NAMES], "policy.hcl line"),
    ],
)
def test_each_that_names_keys_for_the_provider_has_to_name_this_one(policies: list[Policy], expected: Trust) -> None:
    found = key_trust(together(policies), ADDRESS, FINGERPRINT)
    if isinstance(expected, str):
        assert isinstance(found, str)
    else:
        assert found is expected
