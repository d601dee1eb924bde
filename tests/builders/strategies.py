"""Hypothesis strategies for audits: any mixture of true, false, refused and missing answers of several sources."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from builders.audits import (
    ADDRESS,
    DARWIN,
    DEFAULT_HOST_ADDRESS,
    FOLDER,
    LINUX,
    MIRROR,
    ORIGIN,
    WINDOWS,
    answer,
    audit,
    computed,
    h1,
    listed,
    package,
    reported,
    seen_signature,
    signed,
    signed_otherwise,
    trusted,
    zh,
    zh_list,
)
from lockwarden.core.evidence.dispositions import HashDisposition
from lockwarden.core.evidence.observations import ListShape, Observation
from lockwarden.core.evidence.source_answers import Audit, Outcome, PackageFacts, SourceAnswer, SourceRef
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme, Signer
from lockwarden.core.values.signing_keys import SignatureState

PLATFORMS: Final = (LINUX, DARWIN, WINDOWS)
SEEDS: Final = ("one", "two")
platforms = st.sampled_from(PLATFORMS)
hashes = st.sampled_from([make(seed) for make in (zh, h1) for seed in SEEDS] + [Hash("h9:odd")])
refusals = st.sampled_from(["", "", "", "refused"])

dispositions = st.builds(
    HashDisposition,
    signed_by_gpg_key_ids=st.frozensets(st.sampled_from(["A" * 16, "B" * 16])),
    signed_by_fingerprints=st.frozensets(st.sampled_from(["A" * 40, "B" * 40])),
    reported_by_registry=st.booleans(),
    reported_by_trusted_mirror=st.booleans(),
    verified_locally=st.booleans(),
    platforms=st.frozensets(platforms),
    signed_otherwise_by=st.frozensets(
        st.sampled_from([Signer(scheme=SignatureScheme.COSIGN_KEY, fingerprint=f"sha256:{x}") for x in "ab"])
    ),
)


def observations_by(source: SourceRef) -> st.SearchStrategy[Observation]:
    """Anything that this source could be seen to say about a hash."""
    archive = st.one_of(st.none(), st.sampled_from([zh(seed) for seed in SEEDS]))
    own = st.builds(lambda p, a, r: computed(p, source=source, package_zh=a, refused=r), platforms, archive, refusals)
    if source is ORIGIN:
        signatures = st.builds(
            lambda p, state, valid, r: signed(p, state=state, valid_when_signed=valid, refused=r),
            st.one_of(st.none(), platforms),
            st.sampled_from(SignatureState),
            st.booleans(),
            refusals,
        )
        reports = st.builds(
            lambda p, shape, r: reported(p, shape=shape, refused=r),
            st.one_of(st.none(), platforms),
            st.sampled_from(ListShape),
            refusals,
        )
        return st.one_of(own, signatures, reports)
    claims = st.builds(listed, st.one_of(st.none(), platforms))
    if source is MIRROR:
        others = st.builds(
            lambda p, state, rule, r: signed_otherwise(p, refused=r, signature=seen_signature(state=state, rule=rule)),
            platforms,
            st.sampled_from([EvidenceState.GOOD, EvidenceState.GOOD, EvidenceState.BAD]),
            st.sampled_from(["", "the policy"]),
            refusals,
        )
        return st.one_of(own, claims, others, st.builds(lambda p, r: trusted(p, refused=r), platforms, refusals))
    return own


def packages_of(platform: Platform) -> st.SearchStrategy[PackageFacts]:
    """A package that was hashed, refused, absent or could not be had."""
    one_zh, one_h1 = (st.sampled_from([make(seed) for seed in SEEDS]) for make in (zh, h1))
    there = st.builds(
        lambda z, h, kept, refusal: package(platform, zh=z, h1=h, promised=[z] if kept else [], client_refusal=refusal),
        one_zh,
        one_h1,
        st.booleans(),
        refusals,
    )
    return st.one_of(
        there, st.sampled_from([package(platform, outcome=each) for each in Outcome if each != "answered"])
    )


@st.composite
def findings_of(draw: st.DrawFn, source: SourceRef) -> SourceAnswer:
    """One source's finding, true or not; a source that did not answer has nothing else to say."""
    outcome = draw(st.sampled_from([Outcome.ANSWERED] * 4 + [Outcome.NOT_THERE, Outcome.NO_ANSWER]))
    if outcome is not Outcome.ANSWERED:
        return answer(source, outcome=outcome, detail="as drawn", platforms=None)
    seen = draw(st.lists(st.tuples(hashes, observations_by(source)), max_size=6))
    lists = []
    if source is ORIGIN and draw(st.booleans()):
        named = draw(st.frozensets(st.sampled_from([zh(seed) for seed in SEEDS])))
        lists = [zh_list(*named, complete=draw(st.booleans()), authenticated=draw(st.booleans()))]
    packages = [draw(packages_of(each)) for each in draw(st.lists(platforms, unique=True))]
    known = draw(st.one_of(st.none(), st.frozensets(platforms)))
    return answer(source, *seen, packages=packages, platforms=known, lists=lists)


@st.composite
def audits(draw: st.DrawFn) -> Audit:
    """An audit against one to three sources, with or without the origin among them."""
    sources = draw(st.lists(st.sampled_from([ORIGIN, MIRROR, FOLDER]), unique=True, min_size=1))
    address = draw(st.sampled_from([ADDRESS, DEFAULT_HOST_ADDRESS]))
    return audit(*(draw(findings_of(source)) for source in sources), address=address)


@st.composite
def worlds(draw: st.DrawFn) -> Audit:
    """An audit as real sources make it: an origin with packages, a list and reports; mirrors that agree or do not."""
    sources = draw(st.sampled_from([(ORIGIN, MIRROR), (ORIGIN, MIRROR, FOLDER), (ORIGIN,), (MIRROR,)]))
    address = draw(st.sampled_from([ADDRESS, DEFAULT_HOST_ADDRESS]))
    return audit(*(draw(_origins() if source is ORIGIN else _mirrors(source)) for source in sources), address=address)


def _given_out(source: SourceRef, platform: Platform, seed: str) -> list[tuple[Hash, Observation]]:
    seen = computed(platform, source=source, package_zh=zh(seed))
    return [(zh(seed), seen), (h1(seed), seen)]


@st.composite
def _origins(draw: st.DrawFn) -> SourceAnswer:
    seeds = draw(st.dictionaries(platforms, st.sampled_from(SEEDS), min_size=1))
    authenticated = draw(st.booleans())
    seen: list[tuple[Hash, Observation]] = []
    packages = []
    for platform, seed in seeds.items():
        seen.append((zh(seed), signed(platform) if authenticated else reported(platform)))
        if draw(st.booleans()):
            claim = draw(st.sampled_from(SEEDS))
            seen.append((h1(claim), reported(platform, shape=ListShape.PACKAGES)))
        if draw(st.booleans()):
            seen.extend(_given_out(ORIGIN, platform, seed))
            packages.append(package(platform, zh=zh(seed), h1=h1(seed), promised=[zh(seed)]))
    listing = zh_list(*map(zh, seeds.values()), complete=draw(st.booleans()), authenticated=authenticated)
    return answer(ORIGIN, *seen, packages=packages, platforms=seeds, lists=[listing])


@st.composite
def _mirrors(draw: st.DrawFn, source: SourceRef) -> SourceAnswer:
    seeds = draw(st.dictionaries(platforms, st.sampled_from(SEEDS), min_size=1))
    seen: list[tuple[Hash, Observation]] = [
        each for platform, seed in seeds.items() for each in _given_out(source, platform, seed)
    ]
    if draw(st.booleans()):
        signature = seen_signature(rule=draw(st.sampled_from(["", "the policy"])))
        leads_to = draw(st.lists(st.tuples(platforms, st.sampled_from(SEEDS)), max_size=3))
        seen += [(zh(seed), signed_otherwise(each, source=source, signature=signature)) for each, seed in leads_to]
    packages = [package(platform, zh=zh(seed), h1=h1(seed)) for platform, seed in seeds.items()]
    return answer(source, *seen, packages=packages, platforms=seeds)
