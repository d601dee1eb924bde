"""What a signed list of checksums is worth: for its own release alone, and whatever a registry claims beside it."""

from __future__ import annotations

from typing import Any, Final

from builders.registry_cases import (
    DARWIN,
    DARWIN_H1,
    DARWIN_ZH,
    LINUX,
    LINUX_H1,
    LINUX_ZH,
    OTHER_ZH,
    VERSION,
    WIDGET,
    WIDGET_ON_DEFAULT,
    answer,
    archive_facts,
    judgement,
    signed_sums,
    unsigned_sums,
)
from builders.thorough import with_fewer_examples
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, SourceKind, SourceRef
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.verdicts import Verdict, judge_locked, judge_unlocked
from lockwarden.core.sources.package_work import PackageEvidence
from lockwarden.core.sources.protocols.registry_documents import ExtraHashes, PackageClaim, UnsignedPackages
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.fetched_release import FetchedRelease
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import NoAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import SignatureState
from lockwarden.core.values.versions import Version

REF: Final = SourceRef(id="direct", kind=SourceKind.DIRECT, location="origin registries")
OTHER_H1: Final = Hash("h1:" + "A" * 43 + "=")
PLAN9, SOLARIS = Platform("plan9", "amd64"), Platform("solaris", "amd64")
MADE_UP: Final = (PLAN9, SOLARIS)
EVERY_HASH: Final = (LINUX_ZH, LINUX_H1, DARWIN_ZH, DARWIN_H1, OTHER_ZH, OTHER_H1)
DOWN: Final = NoAnswerError("503", stage=Stage.METADATA)
ABSENT: Final = NotThereError("404", stage=Stage.METADATA)

versions = st.builds(
    Version,
    *[st.sampled_from([0, 1, 2, 3, 30])] * 3,
    prerelease=st.sampled_from(["", "", "rc1", "rc.1"]),
    metadata=st.sampled_from(["", "", "5", "build.5"]),
)
types = st.sampled_from(["widget", "widgets", "widge", "widget-beta", "w", "other"])
neutral = st.sampled_from(["README.md", "LICENSE", "sbom.spdx.json", "plugin.zip", "terraform-provider-widget.zip"])


def known(address: ProviderAddress, version: Version = VERSION, **parts: object) -> FetchedRelease:
    values = {"ref": REF, "address": address, "version": version, "settings": ClientSettings()} | parts
    return FetchedRelease(**values)  # type: ignore[arg-type]


def downloaded(zh: Hash, h1: Hash) -> PackageEvidence:
    package = KnownPackage(zh=zh, size=7, facts=archive_facts(h1, h1), archive_error=None)
    return PackageEvidence(package=package, location="https://example.test/package.zip")


def said_of(release: FetchedRelease, *asked: Platform) -> Evidence:
    audit = Audit(address=release.address, version=release.version, source_answers=(release.source_answer(),))
    return Evidence(audit, frozenset(asked))


def forged(version: Version) -> str:
    """What a forge makes of a version, which may be another one's text."""
    return str(version).replace("+", ".")


@with_fewer_examples
@given(st.data(), types, versions, types, versions)
def test_a_signed_list_of_another_release_confirms_nothing_however_it_is_replayed(
    data: st.DataObject, type_name: str, version: Version, other_type: str, other: Version
) -> None:
    assume((type_name, version) != (other_type, other))
    assume(type_name != other_type or str(other) != forged(version))
    written = data.draw(st.sampled_from([f"{other_type}_{other}", f"{other_type}_v{other}"]))
    folder = data.draw(st.sampled_from(["", "./", "dist/"]))
    name = f"{folder}terraform-provider-{written}_linux_amd64.zip"
    beside = data.draw(st.lists(neutral, max_size=2))
    own = f"terraform-provider-{type_name}_{version}"
    if data.draw(st.booleans()):
        beside.append(f"{own}_manifest.json")
    lines = [f"{LINUX_ZH.value}  {name}", *(f"{OTHER_ZH.value}  {each}" for each in beside)]
    text = "".join(f"{line}\n" for line in data.draw(st.permutations(lines)))
    address = ProviderAddress.parse(f"example.test/acme/{type_name}")
    listed = replace(signed_sums(text), address=address, version=version)
    filename = data.draw(st.sampled_from([name, f"{own}_linux_amd64.zip", *beside]))
    asked = replace(answer(filename=filename), type_name=type_name, version=version)
    release = known(
        address,
        version,
        announced=frozenset({LINUX}),
        answers={LINUX: asked},
        lists={} if asked.astray else {LINUX: listed},
        downloads={} if asked.astray else {LINUX: downloaded(LINUX_ZH, LINUX_H1)},
        checked={LINUX: None},
    )
    judged = said_of(release, LINUX)
    for hash_ in EVERY_HASH:
        assert judge_locked(hash_, judged).verdict is not Verdict.CONFIRMED


def claims(platforms: st.SearchStrategy[Platform]) -> st.SearchStrategy[UnsignedPackages]:
    """Any unsigned `packages` for these platforms."""
    hashes = st.lists(st.sampled_from(EVERY_HASH), max_size=3, unique=True).map(tuple)
    return st.dictionaries(platforms, hashes, max_size=4).map(
        lambda found: UnsignedPackages(
            claims=tuple(PackageClaim(platform=platform, hashes=each, size=7) for platform, each in found.items())
        )
    )


extras = st.one_of(
    st.just(ExtraHashes()),
    st.lists(st.sampled_from(EVERY_HASH), max_size=3).map(lambda flat: ExtraHashes(flat=tuple(flat))),
    st.sampled_from(EVERY_HASH).map(lambda h1: ExtraHashes(by_zh=((OTHER_ZH, (h1,)), (LINUX_ZH, (h1,))))),
)
PLANTED_LINE: Final = f"{OTHER_ZH.value}  terraform-provider-widget_1.0.0_plan9_amd64.zip\n"
_LED_TO: Final[tuple[SignedSums | SourceError, ...]] = (
    signed_sums(),
    signed_sums(PLANTED_LINE, judgement(SignatureState.BAD)),
    signed_sums(PLANTED_LINE, judgement(SignatureState.UNKNOWN_ISSUER)),
    unsigned_sums(PLANTED_LINE),
    unsigned_sums(f"{OTHER_ZH.value}  plugin.zip\n"),
    DOWN,
)
led_to = st.sampled_from(_LED_TO)
ADDRESSES: Final = st.sampled_from([WIDGET, WIDGET_ON_DEFAULT])


def base(address: ProviderAddress, **asked: Any) -> FetchedRelease:
    """A release with a complete signed list; the package of linux was looked at."""
    return known(
        address,
        announced=frozenset({LINUX, DARWIN}),
        answers={LINUX: answer(**asked)},
        lists={LINUX: replace(signed_sums(), address=address)},
        downloads={LINUX: downloaded(LINUX_ZH, LINUX_H1)},
        checked={LINUX: None},
    )


@st.composite
def extended(draw: st.DrawFn, address: ProviderAddress) -> FetchedRelease:
    """The same with unsigned claims, made-up platforms, and whatever these answer."""
    release = base(address, packages=draw(claims(st.sampled_from((LINUX, DARWIN, *MADE_UP)))), extra=draw(extras))
    release.announced = draw(st.sampled_from([None, release.announced, frozenset({LINUX, DARWIN, PLAN9})]))
    for platform in draw(st.lists(st.sampled_from(MADE_UP), unique=True)):
        named = draw(st.sampled_from(["", "plugin.zip", "terraform-provider-widget_1.0.0_linux_amd64.zip"]))
        own = answer(platform, shasum=OTHER_ZH.value, packages=draw(claims(st.sampled_from(MADE_UP))))
        if named:
            own = replace(own, metadata=replace(own.metadata, filename=named))
        answers: tuple[PlatformAnswer | SourceError, ...] = (own, DOWN, ABSENT)
        answered = draw(st.sampled_from(answers))
        release.answers[platform] = answered
        if isinstance(answered, SourceError):
            continue
        listed: SignedSums | SourceError = draw(led_to)
        release.lists[platform] = replace(listed, address=address) if isinstance(listed, SignedSums) else listed
        if isinstance(listed, SignedSums):
            release.downloads[platform] = downloaded(OTHER_ZH, OTHER_H1)
            release.checked[platform] = None
    return release


@with_fewer_examples
@given(st.data(), ADDRESSES)
def test_unsigned_claims_make_no_verdict_better_beside_a_signed_list(
    data: st.DataObject, address: ProviderAddress
) -> None:
    before, release = said_of(base(address), LINUX), data.draw(extended(address))
    after = said_of(release, LINUX)
    rule = recorded(after.audit, settings=release.settings, platforms=frozenset({LINUX, *MADE_UP}))
    may_lead_elsewhere = bool(release.open) or any(each.unsigned for each in release.documents)
    for hash_ in EVERY_HASH:
        was, is_ = judge_locked(hash_, before).verdict, judge_locked(hash_, after).verdict
        if is_ is Verdict.CONFIRMED:
            assert was is Verdict.CONFIRMED
        if was is Verdict.DISOWNED:
            assert is_ is (Verdict.UNCHECKED if may_lead_elsewhere else Verdict.DISOWNED)
    assert judge_unlocked(OTHER_ZH, after, recorded=rule.get(OTHER_ZH, "")).verdict is Verdict.OFFERED
    claimed = {claim.platform for answer in release.good_answers for claim in answer.metadata.packages.claims}
    if claimed <= set(MADE_UP):
        assert judge_unlocked(OTHER_H1, after, recorded=rule.get(OTHER_H1, "")).verdict is Verdict.OFFERED


@with_fewer_examples
@given(st.data(), ADDRESSES, st.sampled_from(MADE_UP))
def test_a_made_up_platform_that_falls_silent_makes_nothing_confirmed_or_new(
    data: st.DataObject, address: ProviderAddress, platform: Platform
) -> None:
    release = data.draw(extended(address))
    before = said_of(release, LINUX)
    wanted = frozenset({LINUX, *MADE_UP})
    rule = recorded(before.audit, settings=release.settings, platforms=wanted)
    release.answers[platform] = DOWN
    for each in (release.lists, release.downloads, release.checked):
        each.pop(platform, None)
    after = said_of(release, LINUX)
    quieter = recorded(after.audit, settings=release.settings, platforms=wanted)
    for hash_ in EVERY_HASH:
        if judge_locked(hash_, after).verdict is Verdict.CONFIRMED:
            assert judge_locked(hash_, before).verdict is Verdict.CONFIRMED
        if judge_unlocked(hash_, after, recorded=quieter.get(hash_, "")).verdict is Verdict.NEW:
            assert judge_unlocked(hash_, before, recorded=rule.get(hash_, "")).verdict is Verdict.NEW
