"""Adds one rule to a policy file; everything else in it stays as it is, byte for byte.

What comes out is read again and must say what the file said before, and the new rule at its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from lockwarden.core.hcl.writing import NamedValue, appended, block_text
from lockwarden.core.policy.model import POLICY_FILE_NAME, Policy, Rule, TrustedKey, TrustedMirror
from lockwarden.core.policy.other_signers import LONGEST_OWNER
from lockwarden.core.policy.read import MIRROR, SIGNING_KEY, read_policy
from lockwarden.core.values.errors import OwnFileEditError, PolicyError
from lockwarden.core.values.fingerprints import read_fingerprint
from lockwarden.core.values.mirror_locations import mirror_location
from lockwarden.core.values.provider_patterns import ProviderPattern

HEADER: Final = """\
# What the providers of this repository must be signed with, and which mirrors are trusted.
# Lockwarden holds every lock file of the repository against it.
"""
_ANYWHERE: Final = Path("/")
"""Where relative folders start while two readings of one file are compared; it is the same for both."""
_NO_RULE: Final = Rule("", 0)


def with_signing_key(policy: Policy, fingerprint: str, owner: str, patterns: Iterable[ProviderPattern]) -> bytes:
    """The bytes of the policy with one more key that counts for some providers; an empty `owner` is left out.

    An owner's name that is too long is cut, since it decides nothing. Raises InputError when the fingerprint is none,
    OwnFileEditError when the file would not say exactly what it should, such as when it says it already.
    """
    key = TrustedKey(
        rule=_NO_RULE,
        fingerprint=read_fingerprint(fingerprint),
        owner=owner[:LONGEST_OWNER],
        providers=tuple(patterns),
    )
    settings: list[NamedValue] = [("owner", key.owner)] if key.owner else []
    settings.append(("providers", tuple(each.text for each in key.providers)))
    return _added(policy, block_text(SIGNING_KEY, key.fingerprint, settings), key)


def with_mirror(policy: Policy, location: str, trusted: bool, patterns: Iterable[ProviderPattern]) -> bytes:
    """The bytes of the policy with one more rule about a mirror.

    `location` may be a source's, or as a policy has it: a relative folder starts at the policy's own. Raises InputError
    when it is none, OwnFileEditError when the file would not say exactly what it should.
    """
    normal = mirror_location(location, directory=_ANYWHERE)
    written = normal if "://" in location else location
    mirror = TrustedMirror(rule=_NO_RULE, location=normal, trusted=trusted, providers=tuple(patterns))
    settings: list[NamedValue] = [("trusted", trusted), ("providers", tuple(each.text for each in mirror.providers))]
    return _added(policy, block_text(MIRROR, written, settings), mirror)


def _added(policy: Policy, block: str, rule: TrustedKey | TrustedMirror) -> bytes:
    path = policy.path or POLICY_FILE_NAME
    data = appended(policy.data, block if policy.data else f"{HEADER}\n{block}")
    try:
        before = read_policy(policy.data, path=path, folder=_ANYWHERE)
        after = read_policy(data, path=path, folder=_ANYWHERE)
    except PolicyError as error:
        raise OwnFileEditError(
            f"{path} cannot get this rule: {error.diagnostics[0].message}",
            hint=error.hint or "look at what the file says already",
        ) from error
    keys, mirrors = len(before.keys), len(before.mirrors)
    kept = replace(after, data=before.data, keys=after.keys[:keys], mirrors=after.mirrors[:mirrors])
    new: tuple[TrustedKey | TrustedMirror, ...] = (*after.keys[keys:], *after.mirrors[mirrors:])
    added = [replace(each, rule=_NO_RULE) for each in new]
    if kept != before or added != [rule] or not data.startswith(policy.data):
        raise OwnFileEditError(f"{path} would not say exactly this rule and what it said before")
    return data
