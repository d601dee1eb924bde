"""Hypothesis strategies for policies, and for audits in which keys and trusted mirrors make a difference.

The origin's packages here are those that its lists name, as the real source has it: it refuses the others itself.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from msgspec.structs import replace

from builders.audits import (
    ADDRESS,
    DEFAULT_HOST_ADDRESS,
    FINGERPRINT,
    FOLDER,
    MIRROR,
    ORIGIN,
    SUMS,
    answer,
    audit,
    computed,
    h1,
    listed,
    package,
    reported,
    signed,
    trusted,
    zh,
    zh_list,
)
from builders.policies import DARWIN_SUMS, STRANGER, key, mirror, policy
from builders.strategies import SEEDS, platforms
from lockwarden.core.evidence.observations import ListShape, Observation, SignedBy
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer, SourceRef
from lockwarden.core.policy.model import Policy, TrustedKey, TrustedMirror
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import SignatureState

ABSENT: Final = "https://absent.example.test/"
"""Location of a mirror that is never among the sources."""
_SIGNERS: Final = (FINGERPRINT, STRANGER)
_PATTERNS: Final = ("*/*/*", "registry.example.test/acme/*", "registry.example.test/other/*")
_PLACES: Final = (MIRROR.location, FOLDER.location, ABSENT)
_SEEDS: Final = st.sampled_from(SEEDS)

# Made once: patterns are read by the real reader, which takes its time.
keys: st.SearchStrategy[TrustedKey] = st.sampled_from(
    [key(each, providers=pattern, line=line) for line in (1, 9) for pattern in _PATTERNS for each in _SIGNERS]
)
mirrors: st.SearchStrategy[TrustedMirror] = st.sampled_from(
    [
        mirror(place, trusted=trusted_, providers=pattern, line=line)
        for line, trusted_ in ((20, True), (30, True), (40, False))
        for pattern in _PATTERNS
        for place in _PLACES
    ]
)
mirror_policies: st.SearchStrategy[Policy] = st.lists(mirrors, max_size=3).map(lambda rules: policy(*rules))
policies: st.SearchStrategy[Policy] = st.builds(
    lambda pinned, trusting: policy(*pinned, *trusting), st.lists(keys, max_size=2), st.lists(mirrors, max_size=2)
)


@st.composite
def signed_worlds(draw: st.DrawFn) -> Audit:
    """An audit as real sources make it, with one or two documents that either, both or none of two keys signed."""
    sources = draw(st.sampled_from([(ORIGIN,), (ORIGIN, MIRROR), (ORIGIN, MIRROR, FOLDER), (MIRROR, FOLDER)]))
    address = draw(st.sampled_from([ADDRESS, DEFAULT_HOST_ADDRESS]))
    return audit(*(draw(_origins() if source is ORIGIN else _mirrors(source)) for source in sources), address=address)


@st.composite
def _origins(draw: st.DrawFn) -> SourceAnswer:
    if draw(st.integers(0, 5)) == 0:
        outcome = draw(st.sampled_from([Outcome.NO_ANSWER, Outcome.NOT_THERE]))
        return answer(ORIGIN, outcome=outcome, detail="as drawn", platforms=None)
    release = draw(st.dictionaries(platforms, _SEEDS, min_size=1))
    documents = {each: draw(st.sampled_from([SUMS, DARWIN_SUMS])) for each in release}
    signers = {
        each: draw(st.lists(st.sampled_from(_SIGNERS), unique=True)) for each in dict.fromkeys(documents.values())
    }
    state = draw(st.sampled_from([SignatureState.GOOD] * 3 + [SignatureState.EXPIRED_KEY, SignatureState.REVOKED]))
    seen: list[tuple[Hash, Observation]] = []
    packages = []
    for platform, seed in release.items():
        document = documents[platform]
        seen += [
            (zh(seed), signed(platform, fingerprint=signer, document=document, state=state))
            for signer in signers[document]
        ]
        seen.append((zh(seed), reported(platform, document=document)))
        if draw(st.booleans()):
            seen.append((h1(draw(_SEEDS)), reported(platform, shape=ListShape.PACKAGES)))
        if draw(st.booleans()):
            seen += _given_out(ORIGIN, platform, seed)
            packages.append(package(platform, zh=zh(seed), h1=h1(seed), promised=[zh(seed)]))
    counts = all(signers.values()) and state is not SignatureState.REVOKED
    listing = zh_list(
        *map(zh, release.values()),
        complete=draw(st.booleans()),
        authenticated=counts,
        documents=tuple(signers),
        signers=[each for named in signers.values() for each in named],
    )
    return answer(ORIGIN, *seen, packages=packages, platforms=release, lists=[listing])


@st.composite
def _mirrors(draw: st.DrawFn, source: SourceRef) -> SourceAnswer:
    if draw(st.integers(0, 5)) == 0:
        outcome = draw(st.sampled_from([Outcome.NO_ANSWER, Outcome.NOT_THERE]))
        return answer(source, outcome=outcome, detail="as drawn", platforms=None)
    release = draw(st.dictionaries(platforms, _SEEDS, min_size=1))
    seen: list[tuple[Hash, Observation]] = []
    packages = []
    for platform, seed in release.items():
        if source is MIRROR and draw(st.booleans()):
            claim: Observation = draw(st.one_of(st.just(listed(platform)), st.just(trusted(platform))))
            seen.append((draw(st.sampled_from([zh(seed), h1(seed), zh("two")])), claim))
        if draw(st.booleans()):
            kept = [zh(seed)] if draw(st.booleans()) else []
            seen += _given_out(source, platform, seed)
            packages.append(package(platform, zh=zh(seed), h1=h1(seed), promised=kept))
    return answer(source, *seen, packages=packages, platforms=release)


def _given_out(source: SourceRef, platform: Platform, seed: str) -> list[tuple[Hash, Observation]]:
    seen = computed(platform, source=source, package_zh=zh(seed))
    return [(zh(seed), seen), (h1(seed), seen)]


@st.composite
def one_more(draw: st.DrawFn, known: SourceAnswer) -> SourceAnswer:
    """A finding in which one hash was seen once more, as its source could see it."""
    hash_ = draw(st.sampled_from([make(seed) for make in (zh, h1) for seed in (*SEEDS, "three")]))
    platform = draw(platforms)
    if not known.source.is_origin:
        archive = draw(st.one_of(st.none(), _SEEDS.map(zh)))
        claims: list[Observation] = [listed(platform), trusted(platform)] if known.source is MIRROR else []
        own: list[Observation] = [computed(platform, source=known.source, package_zh=archive)]
        more = draw(st.sampled_from([*own, *claims]))
        return replace(known, observations=(*known.observations, (hash_, more)))
    named = [(zh_, seen) for zh_, seen in known.observations if isinstance(seen, SignedBy) and seen.platform]
    choices: list[Observation] = [
        reported(platform, shape=ListShape.PACKAGES),
        signed(platform, fingerprint=draw(st.sampled_from(_SIGNERS))),
        *(computed(seen.platform, package_zh=zh_) for zh_, seen in named if seen.platform is not None),
    ]
    return replace(known, observations=(*known.observations, (hash_, draw(st.sampled_from(choices)))))
