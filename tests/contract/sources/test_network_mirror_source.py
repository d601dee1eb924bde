"""What a network mirror's lists and packages are worth: as the recorded clients take them, and each hash alone."""

from __future__ import annotations

import hashlib
import json

import pytest
from builders.mirrors import (
    DARWIN,
    FACTS,
    FOLDER,
    HOST,
    LINUX,
    VERSION,
    WINDOWS,
    Mirrors,
    archives,
    codes,
    entry,
    h1,
    installable,
    package_of,
    zh,
)
from builders.zips import Entry, Zip, plain
from servers.golden import RECORDINGS, WORLD, GoldenWorld
from servers.played import Played

from lockwarden.core.evidence.observations import (
    Basis,
    ComputedLocally,
    ListedByMirror,
    ObservationKind,
    ReportedByTrustedMirror,
)
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, PackageFacts, SourceKind
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity
from lockwarden.demo.world import Response

RECORDED = {
    Client.OPENTOFU: json.loads((RECORDINGS / "recorded_opentofu.json").read_bytes())["network_mirror"],
    Client.TERRAFORM: json.loads((RECORDINGS / "recorded_terraform.json").read_bytes())["network_mirror"],
}
LISTS = sorted(RECORDED[Client.OPENTOFU])
WINDOWS_HASHES = frozenset({zh(WINDOWS), h1(WINDOWS)})
"""Listed for linux_amd64 and for nothing else in the list *swapped*."""


@pytest.fixture
def mirrors() -> Mirrors:
    """The recorded world without a connection: what its answers are worth is tested here."""
    return Mirrors(server=Played(GoldenWorld().respond))


@pytest.mark.parametrize("host", ["example.test", "registry.opentofu.org"])
@pytest.mark.parametrize("client", list(Client))
@pytest.mark.parametrize("listed", LISTS)
def test_what_is_recorded_from_a_list_is_what_the_clients_record(
    mirrors: Mirrors, listed: str, client: Client, host: str
) -> None:
    expected = RECORDED[client][listed][f"{host} lock"]
    address = ProviderAddress.parse(f"{host}/acme/plain")
    settings = ClientSettings(client=client)
    answer = mirrors.ask(f"https://{HOST}/mirror/{listed}/", address=address, settings=settings)
    assert installable(answer) is (expected["exit"] == 0)
    audit = Audit(address=address, version=VERSION, source_answers=(answer,))
    hashes = recorded(audit, settings=settings, platforms=frozenset({LINUX}))
    assert set(hashes) == {Hash(text) for text in expected["hashes"] or ()}
    if expected["exit"] == 0 and client is Client.OPENTOFU:
        assert audit.summary == expected["summary"]


@pytest.mark.parametrize("host", ["example.test", "registry.opentofu.org"])
@pytest.mark.parametrize("client", list(Client))
@pytest.mark.parametrize("listed", LISTS)
def test_at_a_trusted_mirror_a_match_with_any_platform_is_enough_for_opentofu(
    mirrors: Mirrors, listed: str, client: Client, host: str
) -> None:
    expected = RECORDED[client][listed][f"{host} init trust_all_hashes"]
    address = ProviderAddress.parse(f"{host}/acme/plain")
    settings = ClientSettings(client=client)
    answer = mirrors.ask(f"https://{HOST}/mirror/{listed}/", address=address, settings=settings, trusted=True)
    assert installable(answer) is (expected["exit"] == 0)
    audit = Audit(address=address, version=VERSION, source_answers=(answer,))
    hashes = recorded(audit, settings=settings, platforms=frozenset({LINUX}))
    # OpenTofu records the rest of the list on the mirror's word, also what the downloaded package refutes. Here that
    # word counts only for hashes that are listed for some platform whose package was not looked at, or has them.
    by_client = {Hash(text) for text in expected["hashes"] or ()}
    refuted = by_client & WINDOWS_HASHES if listed == "swapped" else frozenset()
    assert set(hashes) == by_client - refuted


def _refused(observation: object) -> str:
    return str(getattr(observation, "refused", ""))


def test_every_listed_hash_of_every_platform_is_a_claim_with_its_document(mirrors: Mirrors) -> None:
    answer = mirrors.ask(platforms=[])
    claims = [(hash_, seen) for hash_, seen in answer.observations if isinstance(seen, ListedByMirror)]
    expected = [(hash_, each) for each in (LINUX, DARWIN, WINDOWS) for hash_ in (h1(each), zh(each))]
    assert [(hash_, seen.platform) for hash_, seen in claims] == expected
    document = claims[0][1].document
    assert document.name == "1.2.3.json"
    assert document.url == f"https://{HOST}{FOLDER}/1.2.3.json"
    body = (WORLD / "mirror/both/example.test/acme/plain/1.2.3.json").read_bytes()
    assert document.sha256 == hashlib.sha256(body).hexdigest()
    assert not any(seen.vouches for _, seen in claims)
    assert answer.platforms == frozenset({LINUX, DARWIN, WINDOWS})
    assert answer.packages == ()
    assert mirrors.asked(".zip") == []


def test_a_downloaded_package_is_hashed_and_its_promises_are_kept(mirrors: Mirrors) -> None:
    answer = mirrors.ask(platforms=[LINUX, WINDOWS])
    for platform in (LINUX, WINDOWS):
        location = f"https://{HOST}/releases/plain/terraform-provider-plain_1.2.3_{platform}.zip"
        assert package_of(answer, platform) == PackageFacts(
            platform=platform,
            outcome=Outcome.ANSWERED,
            location=location,
            size=FACTS[str(platform)]["size"],
            zh=zh(platform),
            h1_archive=h1(platform),
            h1_directory=h1(platform),
            promised=frozenset({zh(platform), h1(platform)}),
        )
        seen = ComputedLocally(
            source=HOST, platform=platform, basis=Basis.ARCHIVE, location=location, package_zh=zh(platform)
        )
        assert (zh(platform), seen) in answer.observations
        assert (h1(platform), seen) in answer.observations
    assert answer.problems == ()
    assert answer.source.kind is SourceKind.NETWORK_MIRROR
    assert answer.source.location == f"https://{HOST}/mirror/both/"


def test_a_platform_that_is_not_listed_has_no_package(mirrors: Mirrors) -> None:
    answer = mirrors.ask(platforms=[Platform("plan9", "arm")])
    package = package_of(answer, Platform("plan9", "arm"))
    assert package.outcome is Outcome.NOT_THERE
    assert "plan9_arm" in package.detail


def test_a_wrong_hash_is_a_problem_though_a_right_one_makes_the_clients_accept(mirrors: Mirrors) -> None:
    answer = mirrors.ask(f"https://{HOST}/mirror/good-zh-bad-h1/")
    wrong = Hash("h1:" + "A" * 43 + "=")
    assert package_of(answer).promised == {zh(LINUX)}
    assert package_of(answer).client_refusal == ""
    (problem,) = answer.problems
    assert (problem.code, problem.severity) == ("mirror-hash-mismatch", Severity.ERROR)
    assert str(wrong) in problem.message
    assert "linux_amd64" in problem.message
    claims = {seen.platform: _refused(seen) for hash_, seen in answer.observations if hash_ == wrong}
    assert "another one" in claims[LINUX]
    # The other platforms were not downloaded, so nothing is known against them.
    assert claims[DARWIN] == claims[WINDOWS] == ""


def test_what_was_computed_from_a_package_that_matches_nothing_does_not_count(mirrors: Mirrors) -> None:
    answer = mirrors.ask(f"https://{HOST}/mirror/all-wrong/")
    computed = [seen for _, seen in answer.observations if isinstance(seen, ComputedLocally)]
    assert len(computed) == 2
    assert all("matches none" in seen.refused for seen in computed)
    assert "matches none" in package_of(answer).client_refusal
    assert package_of(answer).promised == frozenset()
    assert codes(answer) == ["mirror-hash-mismatch"] * 2


@pytest.mark.parametrize("listed", ["none", "empty"])
def test_a_list_without_hashes_is_told_and_its_package_counts(mirrors: Mirrors, listed: str) -> None:
    answer = mirrors.ask(f"https://{HOST}/mirror/{listed}/")
    assert codes(answer) == ["mirror-offers-no-hash"]
    assert all(problem.severity is Severity.WARNING for problem in answer.problems)
    assert all(seen.vouches for _, seen in answer.observations)
    assert package_of(answer).promised == frozenset()


def test_a_hash_without_a_scheme_makes_its_platform_unusable_and_no_other(mirrors: Mirrors) -> None:
    entries = {
        str(LINUX): entry(LINUX, str(zh(LINUX)), "abc"),
        str(DARWIN): entry(DARWIN, str(zh(DARWIN))),
    }
    mirrors.serve({f"{FOLDER}/1.2.3.json": archives(entries)})
    answer = mirrors.ask(platforms=[LINUX, DARWIN])
    assert "“abc”, which is not a hash" in package_of(answer).client_refusal
    assert package_of(answer, DARWIN).client_refusal == ""
    assert "mirror-hash-malformed" in codes(answer)
    refused = {
        seen.platform: bool(seen.refused) for _, seen in answer.observations if isinstance(seen, ComputedLocally)
    }
    assert refused == {LINUX: True, DARWIN: False}
    trusted = mirrors.ask(platforms=[DARWIN], trusted=True)
    assert "“abc”" in package_of(trusted, DARWIN).client_refusal


def test_a_platform_that_is_none_keeps_its_hashes_as_claims(mirrors: Mirrors) -> None:
    mirrors.serve({f"{FOLDER}/1.2.3.json": archives({"weird": entry(LINUX, str(zh(LINUX)))})})
    answer = mirrors.ask()
    assert answer.platforms == frozenset()
    assert package_of(answer).outcome is Outcome.NOT_THERE
    assert [(hash_, seen.platform) for hash_, seen in answer.observations] == [(zh(LINUX), None)]
    assert codes(answer) == ["mirror-platform-malformed"]


def test_an_archive_with_entries_for_folders_matches_by_the_archives_h1_and_records_the_folders(
    mirrors: Mirrors,
) -> None:
    archive = Zip(entries=[*plain(), Entry(name="docs/", mode=0o040755)]).bytes()
    of_archive = Hash("h1:O8d2ciR7AMTVRiBzDLdW0AwdgPbDtuXBL2sOg7HKqvQ=")
    of_folder = Hash("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=")
    demo = ProviderAddress.parse("example.test/acme/demo")
    folder = "/mirror/x/example.test/acme/demo"
    for listed, refusal in ((of_archive, False), (of_folder, True)):
        mirrors.serve(
            {
                f"{folder}/index.json": Response.of_json({"versions": {"1.2.3": {}}}),
                f"{folder}/1.2.3.json": archives({str(LINUX): {"url": "demo.zip", "hashes": [str(listed)]}}),
                f"{folder}/demo.zip": Response.of_bytes(archive),
            }
        )
        answer = mirrors.ask(f"https://{HOST}/mirror/x/", address=demo)
        package = package_of(answer)
        assert (package.h1_archive, package.h1_directory) == (of_archive, of_folder)
        assert bool(package.client_refusal) is refusal
        assert ("mirror-hash-of-folder" in codes(answer)) is refusal
        bases = {hash_: seen.basis for hash_, seen in answer.observations if isinstance(seen, ComputedLocally)}
        assert bases[of_folder] is Basis.DIRECTORY


def test_trust_is_earned_by_a_match_and_believes_no_hash_that_is_known_to_be_wrong(mirrors: Mirrors) -> None:
    base = f"https://{HOST}/mirror/bad-zh-good-h1/"
    nothing_checked = mirrors.ask(base, platforms=[], trusted=True)
    assert {seen.kind for _, seen in nothing_checked.observations} == {ObservationKind.LISTED_BY_MIRROR}
    answer = mirrors.ask(base, trusted=True)
    reported = [(hash_, seen) for hash_, seen in answer.observations if isinstance(seen, ReportedByTrustedMirror)]
    wrong = Hash("zh:" + "ab" * 32)
    assert {(hash_, seen.platform): seen.vouches for hash_, seen in reported} == {
        (wrong, LINUX): False,
        (h1(LINUX), LINUX): True,
        (wrong, DARWIN): True,
        (h1(DARWIN), DARWIN): True,
        (wrong, WINDOWS): True,
        (h1(WINDOWS), WINDOWS): True,
    }
    terraform = mirrors.ask(base, trusted=True, settings=ClientSettings(client=Client.TERRAFORM))
    assert not any(isinstance(seen, ReportedByTrustedMirror) for _, seen in terraform.observations)


def test_a_trusted_mirrors_unknown_schemes_stay_claims(mirrors: Mirrors) -> None:
    mirrors.serve({f"{FOLDER}/1.2.3.json": archives({str(LINUX): entry(LINUX, str(zh(LINUX)), "h9:x")})})
    answer = mirrors.ask(trusted=True)
    kinds = {hash_: seen.kind for hash_, seen in answer.observations if not isinstance(seen, ComputedLocally)}
    assert kinds == {
        zh(LINUX): ObservationKind.REPORTED_BY_TRUSTED_MIRROR,
        Hash("h9:x"): ObservationKind.LISTED_BY_MIRROR,
    }
