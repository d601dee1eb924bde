"""An audit and one that its bundle answers say the same, but for age; who changes the bundle confirms nothing."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders.evidence import (
    MADE,
    Case,
    but_for_age,
    confirmed,
    loaded_of,
    opened,
    resealed,
    verdicts,
)
from builders.policies import key as pinned
from builders.policies import mirror as trusted_mirror
from builders.policies import requirement
from builders.reading import SECOND_READER
from builders.thorough import THOROUGH
from builders.three_providers import HOST, MIRROR, ThreeProviders
from conformance.recordings import CASES
from msgspec.structs import replace
from servers.golden import GoldenWorld

from lockwarden.cli.demo import demo_runtime, options_for
from lockwarden.core.bundles.archive import read_bundle
from lockwarden.core.engine.lock_files import load
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import DIRECT, SourceKind
from lockwarden.core.policy.model import OtherKey, Policy, Rule
from lockwarden.core.reports.markdown import markdown_report
from lockwarden.core.reports.text_report import text_report
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.standards import Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signature_schemes import SignatureScheme
from lockwarden.demo.building import DemoWorld
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.lockfile import LockEntry, lock_text
from lockwarden.demo.releases import registry_sites
from lockwarden.demo.responses import Response
from lockwarden.demo.transport import WorldTransport
from lockwarden.demo.world import World

ORIGIN = SourceSpec(kind=SourceKind.DIRECT, location=DIRECT)
AT_MIRROR = SourceSpec(kind=SourceKind.NETWORK_MIRROR, location=MIRROR)
PLANTED_ZH = f"zh:{'deadbeef' * 8}"
PLANTED_H1 = f"h1:{'A' * 43}="
SIGNER = "alice@example.test"
MUTATIONS = 200 if THOROUGH else 40


@pytest.fixture(scope="module")
def three(key_maker: KeyMaker) -> ThreeProviders:
    return ThreeProviders.make(key_maker, platforms=("linux_amd64", "darwin_arm64"))


def lock_file_of(three: ThreeProviders, *planted: str, names: tuple[str, ...] = ("one", "two", "three")) -> str:
    entries = [
        LockEntry(
            address=each.address,
            version=each.version,
            hashes=(each.packages["linux_amd64"].h1, *(p.zh for p in each.packages.values()), *planted),
        )
        for each in three.releases
        if each.name in names
    ]
    return lock_text(entries)


def policy_of(three: ThreeProviders, **more: Any) -> Standards:
    return Standards(policy=Policy(path=".lockwarden.hcl", keys=(pinned(three.key.fingerprint),), **more))


class GoldenTransport(httpx.AsyncBaseTransport):
    """The recorded world, the same for every host."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = GoldenWorld().respond(request.url.host, request.url.raw_path.decode(), {})
        return httpx.Response(answer.status, headers=list(answer.headers_with_length), content=answer.body)


def demo(demo_world: DemoWorld, three: ThreeProviders, folder: Path) -> Case:
    options, place = options_for(demo_world), demo_runtime(demo_world, latency=0.0)
    folders = (
        SourceSpec(kind=SourceKind.FILESYSTEM_MIRROR, location=str(demo_world.filesystem_mirror)),
        SourceSpec(kind=SourceKind.PLUGIN_CACHE, location=str(demo_world.unpacked_mirror)),
        SourceSpec(kind=SourceKind.INSTALLED, location=str(folder / "absent")),
    )
    return Case(
        loaded=(load(str(demo_world.lock_file), SECOND_READER),),
        options=replace(options, sources=(*options.sources, *folders)),
        place=place,
    )


def pinned_key(demo_world: DemoWorld, three: ThreeProviders, folder: Path) -> Case:
    standards = policy_of(three, requirements=(requirement(signed=True),))
    text = lock_file_of(three, PLANTED_ZH, PLANTED_H1)
    return Case.of([loaded_of(text, standards)], WorldTransport(three.world()), ORIGIN, AT_MIRROR)


def mirror_in_its_place(demo_world: DemoWorld, three: ThreeProviders, folder: Path) -> Case:
    standards = Standards(policy=Policy(path=".lockwarden.hcl", mirrors=(trusted_mirror(MIRROR),)))
    text = lock_file_of(three, PLANTED_H1)
    return Case.of([loaded_of(text, standards)], WorldTransport(three.world()), AT_MIRROR)


def two_lock_files(demo_world: DemoWorld, three: ThreeProviders, folder: Path) -> Case:
    lock_files = [
        loaded_of(lock_file_of(three, names=("one",)), path="a/.terraform.lock.hcl"),
        loaded_of(lock_file_of(three, PLANTED_ZH), path="b/.terraform.lock.hcl"),
    ]
    return Case.of(lock_files, WorldTransport(three.world()), ORIGIN)


def recorded_world(demo_world: DemoWorld, three: ThreeProviders, folder: Path) -> Case:
    entries = []
    for name in sorted(CASES["registry"])[:: 5 if THOROUGH else 9]:
        facts = CASES["registry"][name]["facts"]
        hashes = [facts["linux_amd64"]["h1_directory"], facts["linux_amd64"]["zh"]] if "linux_amd64" in facts else []
        entries.append(LockEntry(address=f"example.test/acme/{name}", version="1.2.3", hashes=(*hashes, PLANTED_ZH)))
    return Case.of([loaded_of(lock_text(entries))], GoldenTransport(), ORIGIN)


SCENES: dict[str, Callable[[DemoWorld, ThreeProviders, Path], Case]] = {
    "demo": demo,
    "pinned key": pinned_key,
    "trusted mirror": mirror_in_its_place,
    "two lock files": two_lock_files,
    "recorded world": recorded_world,
}


@pytest.mark.parametrize("name", SCENES)
def test_an_audit_and_one_from_its_bundle_are_equal_but_for_age(
    name: str, demo_world: DemoWorld, three: ThreeProviders, tmp_path: Path
) -> None:
    case = SCENES[name](demo_world, three, tmp_path)
    live, data = case.recorded()
    again = case.answered(data, signer=SIGNER)
    assert but_for_age(again) == but_for_age(live)
    assert again.exit_code is live.exit_code
    assert verdicts(again) == verdicts(live)
    for report in (text_report(again), markdown_report(again)):
        assert "3 days ago" in report
    # Of this machine it holds nothing.
    assert not any(str(each).encode() in data for each in (Path.home(), Path.cwd(), tmp_path, demo_world.folder))
    # Nobody vouches for it: nothing is confirmed that a key of the policy has not signed, and nothing is objected to.
    alone = case.answered(data)
    assert confirmed(alone) <= confirmed(live)
    assert all(each.startswith("zh:") for each in (key.split()[1] for key in confirmed(alone)))
    assert bool(confirmed(alone)) is (name == "pinned key")
    assert alone.exit_code in {ExitCode.FINDINGS, ExitCode.INCOMPLETE}


def test_equal_evidence_is_an_equal_file(three: ThreeProviders) -> None:
    loaded = [loaded_of(lock_file_of(three, PLANTED_H1))]
    made = [
        Case.of(loaded, WorldTransport(three.world()), ORIGIN, AT_MIRROR, now=lambda: MADE).recorded()[1]
        for _ in range(2)
    ]
    assert made[0] == made[1]


def test_of_evidence_that_nobody_vouches_for_only_what_a_pinned_key_signed_counts(three: ThreeProviders) -> None:
    text = lock_file_of(three, PLANTED_ZH, names=("one",))
    case = Case.of([loaded_of(text, policy_of(three))], WorldTransport(three.world()), ORIGIN)
    live, data = case.recorded()
    alone = case.answered(data)
    (release,) = (each for each in three.releases if each.name == "one")
    told = {name.split()[1]: verdict for name, verdict in verdicts(alone).items()}
    packages = release.packages
    assert {told[each.zh] for each in packages.values()} == {Verdict.CONFIRMED}
    assert told[packages["linux_amd64"].h1] is Verdict.UNCHECKED
    assert told[PLANTED_ZH] is Verdict.DISOWNED  # the list is complete and signed by the key
    assert live.exit_code is ExitCode.FINDINGS


def test_evidence_of_another_lock_file_proves_nothing(three: ThreeProviders) -> None:
    case = Case.of([loaded_of(lock_file_of(three))], WorldTransport(three.world()), ORIGIN)
    _, data = case.recorded()
    other = loaded_of(lock_file_of(three, PLANTED_H1)).lock_file
    assert other is not None
    with pytest.raises(InputError, match="was made for another lock file than infra/"):
        opened(data).hold([other])


def _changed(raw: Any, chance: random.Random) -> None:
    """Change one text or number somewhere in the document, or take a member out of a list."""
    places: list[tuple[Any, Any]] = []
    waiting = [raw]
    while waiting:
        value = waiting.pop()
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, each in list(items):
            if isinstance(each, dict | list):
                waiting.append(each)
            if name != "schema":
                places.append((value, name))
    value, name = chance.choice(places)
    match value[name]:
        case str() as text:
            others = [place[other] for place, other in places if isinstance(place[other], str)]
            value[name] = chance.choice([PLANTED_ZH[3:], PLANTED_H1[3:], text[1:], *chance.sample(others, 3)])
        case int() as number:
            value[name] = number + chance.choice([-1, 1, 10**6])
        case list() | dict() if isinstance(value, list):
            value.pop(name)
        case _:
            pass


def test_random_changes_confirm_nothing_that_the_original_does_not(three: ThreeProviders) -> None:
    text = lock_file_of(three, PLANTED_ZH, PLANTED_H1, names=("one",))
    case = Case.of([loaded_of(text, policy_of(three))], WorldTransport(three.world()), ORIGIN)
    live, data = case.recorded()
    honest, chance = confirmed(live), random.Random(16)
    bundle = read_bundle(data, "evidence.tar")
    sums = next(body for body in bundle.documents.values() if b"terraform-provider-one" in body and body[:1] != b"{")
    refused = used = 0
    for number in range(MUTATIONS):
        if number % 4:  # bytes of the file, which no longer is what is written for it
            at, changed = chance.randrange(len(data)), bytearray(data)
            changed[at] ^= 1 << chance.randrange(8)
            mutant = bytes(changed) if number % 2 else data[:at]
        elif number % 8:
            mutant = resealed(bundle, lambda raw: None, (sums.split()[0], PLANTED_ZH[3:].encode()))
        else:
            mutant = _resealed(bundle, chance)
        try:
            result = case.answered(mutant)
        except InputError:
            refused += 1
            continue
        used += 1
        assert confirmed(result) <= honest
    assert refused > MUTATIONS // 2
    assert used > MUTATIONS // 10


def _resealed(bundle: Any, chance: random.Random) -> bytes:
    """A change of the document as a value, tried until it is one that a file can hold."""
    while True:
        try:
            return resealed(bundle, lambda raw: _changed(raw, chance))
        except (ValueError, KeyError):  # msgspec's among them: nothing that anybody could write
            continue


def test_a_forged_registry_and_forged_facts_confirm_nothing(three: ThreeProviders, key_maker: KeyMaker) -> None:
    """Whoever writes the file can sign a planted hash with a key of his own, and say of a package what he likes."""
    text = lock_file_of(three, PLANTED_ZH, PLANTED_H1, names=("one",))
    (release,) = (each for each in three.releases if each.name == "one")
    other = key_maker.make("Three Providers <three@example.test>", created=MADE - timedelta(days=30))
    sums = release.sums + f"{PLANTED_ZH[3:]}  terraform-provider-one_{release.version}_freebsd_amd64.zip\n".encode()
    signature = key_maker.sign(other, sums, at=MADE)
    documents = {release.sums_path: Response.of_bytes(sums), release.signature_path: Response.of_bytes(signature)}
    forged = World.of([*registry_sites((dataclasses.replace(release, offered=(other,)),))])
    lying = Case.of([loaded_of(text)], WorldTransport(forged.with_answers(release.files_host, documents)), ORIGIN)
    live, data = lying.recorded()
    assert f"{release.address} {PLANTED_ZH}" in confirmed(live)  # so it would be, from a registry that lies

    def facts(raw: Any) -> None:
        for package in raw["packages"]:
            package["package"]["facts"]["h1_directory"] = PLANTED_H1[3:]
            package["package"]["facts"]["h1_archive"] = PLANTED_H1[3:]

    with_facts = resealed(read_bundle(data, "evidence.tar"), facts)
    for standards in (policy_of(three), Standards()):
        assert confirmed(lying.held_against(standards).answered(with_facts)) == set()
    honest = Case.of([loaded_of(text, policy_of(three))], WorldTransport(three.world()), ORIGIN)
    _, data = honest.recorded()
    told = confirmed(honest.answered(resealed(read_bundle(data, "evidence.tar"), facts)))
    assert {each.split()[1] for each in told} == {each.zh for each in release.packages.values()}


def test_a_key_of_the_policy_vouches_for_its_providers_alone(three: ThreeProviders) -> None:
    fingerprint = "SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg"
    case = Case.of([loaded_of(lock_file_of(three))], WorldTransport(three.world()), ORIGIN)
    live, data = case.recorded()
    everybody = {"one", "two", "three"}
    for providers, whose in ((f"{HOST}/*/*", everybody), (f"{HOST}/acme/two", {"two"}), ("x/y", set[str]())):
        key = OtherKey(
            rule=Rule(".lockwarden.hcl", 3),
            scheme=SignatureScheme.SSHSIG,
            fingerprint=fingerprint,
            owner="Build team",
            providers=(ProviderPattern.parse(providers),),
        )
        held = case.held_against(Standards(policy=Policy(path=".lockwarden.hcl", other_keys=(key,))))
        told = confirmed(held.answered(data, fingerprint=fingerprint))
        assert told == {each for each in confirmed(live) if each.split()[0].rsplit("/")[-1] in whose}
        assert confirmed(held.answered(data, fingerprint="SHA256:another")) == set()
        assert confirmed(held.answered(data)) == set()
