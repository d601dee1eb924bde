"""Proposes a policy from what the audit of the present lock files saw, for a person to read and correct.

It names the keys that sign today. Whether they are the right ones, no audit can know: it is trust on first sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Final

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.hcl.writing import NamedValue, block_text
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.other_signers import LONGEST_OWNER
from lockwarden.core.policy.read import REQUIRE, SIGNING_KEY
from lockwarden.core.review.policy_evidence import SeenEntry, seen_entry
from lockwarden.core.review.signers_proposal import proposed_signers
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import H1, ZH
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.printable import reveal
from lockwarden.core.values.signing_keys import KeySeen

_EVERY: Final = "*/*/*"
_HEADER: Final = """\
# What the providers locked here must have; Lockwarden holds every lock file below this folder against it.
#
# Proposed on {day} from what the sources said on that day. Hold the fingerprints against what the makers of the
# providers publish elsewhere, before you rely on it: whoever could change a registry could change its keys, too.
"""
_MOST_CLAIMS: Final = 3
"""User IDs of a key that a proposal repeats."""


def proposal(audits: Iterable[Audit], lock_files: Iterable[LockFile], *, seen: date) -> bytes:
    """The bytes of a policy that the lock files satisfy, as far as the audits could confirm them; `seen` is their day.

    A key is named only where its signature counts over what is locked and nothing locked contradicts it. Providers
    without such a key stand in a comment, with the reason.
    """
    known = {(audit.address, audit.version): audit for audit in audits}
    entries = [
        seen_entry(entry, known.get((entry.address, entry.version)))
        for lock_file in lock_files
        for entry in lock_file.providers
    ]
    keys = {key.fingerprint: key for audit in known.values() for answer in audit.source_answers for key in answer.keys}
    parts = [_HEADER.format(day=seen.isoformat())]
    parts += [block for _, block in sorted(_key_blocks(entries, keys, seen))]
    parts += [_comment(lines) for lines in proposed_signers(known.values())]
    parts += _requirements(entries)
    parts += _doubts(entries)
    return "\n".join(parts).encode("utf-8", "replace")


def _key_blocks(
    entries: Sequence[SeenEntry], keys: Mapping[str, KeySeen], day: date
) -> Iterator[tuple[tuple[str, ...], str]]:
    """A block for each key, with the patterns of its providers, by which people will look for it."""
    for fingerprint in {signer for each in entries for signer in each.signers}:
        signed = [each for each in entries if fingerprint in each.signers]
        releases = len({(each.entry.address, each.entry.version) for each in signed})
        comments = [f"First seen on {day}, when it signed {releases} of the locked releases."]
        settings: list[NamedValue] = []
        key = keys.get(fingerprint)
        if key is not None:
            comments += [f"Claims to be {name}" for name in key.user_ids[:_MOST_CLAIMS]]
            comments.append(f"{key.algorithm}, {key.state} on that day")
            owner = next((name.strip() for name in key.user_ids if name.strip()), "")
            settings += [("owner", reveal(owner)[:LONGEST_OWNER])] if owner else []
        mixed = {_namespace(each.entry.address) for each in entries if fingerprint not in each.signers}
        patterns = _patterns((each.entry.address for each in signed), mixed)
        settings.append(("providers", patterns))
        yield patterns, _comment(comments) + block_text(SIGNING_KEY, fingerprint, settings)


def _patterns(addresses: Iterable[ProviderAddress], mixed: set[tuple[str, str]]) -> tuple[str, ...]:
    """Patterns for the addresses: for their whole namespaces, but for those that are `mixed` with other providers."""
    texts: dict[tuple[str, str, str], str] = {}
    for address in addresses:
        host, namespace, name = address.sort_key
        if (host, namespace) in mixed:
            texts[host, namespace, name] = str(address)
        else:
            texts[host, namespace, ""] = f"{address.hostname}/{address.namespace}/*"
    return tuple(texts[key] for key in sorted(texts))


def _namespace(address: ProviderAddress) -> tuple[str, str]:
    return address.sort_key[:2]


def _requirements(entries: Sequence[SeenEntry]) -> Iterator[str]:
    """What every entry has already; what only some have is required of those alone."""
    if not entries:
        return
    settings: list[NamedValue] = [("providers", (_EVERY,))]
    signed = [each.entry.address for each in entries if each.covered]
    if len(signed) == len(entries):
        settings.append(("signed", True))
    schemes, platforms = _common(entries)
    settings += [("platforms", platforms)] if platforms else []
    settings += [("schemes", schemes)] if schemes else []
    hosts = {each.entry.address.hostname.ascii: each.entry.address.hostname.display for each in entries}
    settings.append(("hosts", tuple(hosts[key] for key in sorted(hosts))))
    yield block_text(REQUIRE, "", settings)
    if signed and len(signed) < len(entries):
        others = {_namespace(each.entry.address) for each in entries if not each.covered}
        bare = {each.entry.address for each in entries if not each.covered}
        patterns = _patterns((address for address in signed if address not in bare), others)
        if patterns:
            yield block_text(REQUIRE, "", [("providers", patterns), ("signed", True)])


def _common(entries: Sequence[SeenEntry]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The schemes that every entry has a hash of, and the platforms that all have them for, where that is known."""
    usable = [{hash_.scheme for hash_ in each.entry.hash_set if hash_.usable} for each in entries]
    schemes = tuple(scheme for scheme in (H1, ZH) if all(scheme in each for each in usable))
    known = [_platforms(each, schemes) for each in entries if any(each.platforms.values())]
    platforms = frozenset.intersection(*known) if known else frozenset()
    return schemes, tuple(map(str, sorted(platforms, key=by_popularity)))


def _platforms(entry: SeenEntry, schemes: Iterable[str]) -> frozenset[Platform]:
    """The platforms that the entry has hashes of all these schemes for; of any scheme, when there are none."""
    by_scheme = [entry.platforms.get(scheme, frozenset()) for scheme in schemes]
    if by_scheme:
        return frozenset.intersection(*by_scheme)
    return frozenset(chain.from_iterable(entry.platforms.values()))


def _doubts(entries: Iterable[SeenEntry]) -> Iterator[str]:
    """Comments about what is not required, so that it does not go unnoticed."""
    unnamed = dict.fromkeys(
        f"No key is named for {each.entry.address} {each.entry.version}: {each.doubt}" for each in entries if each.doubt
    )
    partly = dict.fromkeys(
        f"Not all that is locked for {each.entry.address} {each.entry.version} is covered by its signature"
        for each in entries
        if not each.doubt and not each.covered
    )
    if unnamed or partly:
        yield _comment(chain(unnamed, partly))


def _comment(lines: Iterable[str]) -> str:
    # A line end in a text from outside would end the comment, and what follows would be read as a rule.
    return "".join(f"# {reveal(line)}\n" for line in lines)
