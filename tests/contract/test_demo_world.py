"""The demo world against the real tools: sha256sum, gpg and terraform find in it what it says of itself."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from builders.reading import parse
from builders.schema import undescribed
from servers.https import HttpsServer
from servers.terraform import Workspace, installation

from lockwarden.cli.audits import run_audits
from lockwarden.cli.demo import demo_runtime, options_for
from lockwarden.core.engine.lock_files import load
from lockwarden.core.engine.many_files import audits_of
from lockwarden.core.reports.explain import explain
from lockwarden.core.reports.json_explanation import json_explanation
from lockwarden.core.reports.json_keys import json_keys
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.review.key_use import key_uses, unknown_issuers
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import ToolError
from lockwarden.demo.building import RECORD, DemoWorld, build, world_of
from lockwarden.demo.keys import KeyMaker, SigningKey
from lockwarden.demo.packages import zipped
from lockwarden.demo.releases import HashesShape, Release, signed
from lockwarden.demo.story import Story
from lockwarden.demo.transport import WorldTransport

VERDICTS = {"confirmed", "disowned", "unexplained", "unchecked", "new", "offered"}
NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
MakeEnvironment = Callable[..., dict[str, str]]


def story(demo: DemoWorld, name: str) -> Story:
    return next(story for story in demo.stories if story.address.endswith(f"/{name}"))


def sha256sum(content: bytes) -> str:
    done = subprocess.run(["sha256sum", "-"], input=content, capture_output=True, check=True)
    return done.stdout.split()[0].decode()


def gpg_status(home: Path, armor: str, signature: bytes, document: bytes) -> str:
    home.mkdir(mode=0o700)
    (home / "document").write_bytes(document)
    (home / "signature").write_bytes(signature)
    gpg = ["gpg", "--homedir", str(home), "--batch", "--no-autostart", "--status-fd", "1"]
    subprocess.run([*gpg, "--import"], input=armor.encode(), capture_output=True, check=True)
    verify = [*gpg, "--verify", str(home / "signature"), str(home / "document")]
    return subprocess.run(verify, capture_output=True, text=True, check=False).stdout


def test_every_verdict_has_a_hash_in_the_stories(demo_world: DemoWorld) -> None:
    assert {verdict for story in demo_world.stories for verdict in story.verdicts.values()} == VERDICTS


def test_hashes_with_a_locked_verdict_are_those_of_the_lock_file(demo_world: DemoWorld) -> None:
    text = demo_world.lock_file.read_text(encoding="utf-8")
    for story in demo_world.stories:
        assert f'provider "{story.address}" {{' in text
        for hash_text, verdict in story.verdicts.items():
            assert (hash_text in story.lock.hashes) == (verdict not in {"new", "offered"})
            assert hash_text not in story.lock.hashes or f'"{hash_text}",' in text


def test_every_file_of_a_signed_list_has_the_digest_that_the_list_says(demo_world: DemoWorld) -> None:
    for story in demo_world.stories:
        release = story.release
        for line in release.sums.decode().splitlines():
            digest, name = line.split("  ")
            path = release.file_path(name)
            if path not in story.answers:
                assert sha256sum(demo_world.world.respond(release.host, path).body) == digest


@pytest.mark.parametrize(
    "name",
    [
        "relay",
        "beacon",
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ("widget", "compass", "anvil", "ledger")),
    ],
)
def test_gpg_finds_the_last_offered_key_behind_the_list(demo_world: DemoWorld, name: str, tmp_path: Path) -> None:
    release = story(demo_world, name).release
    key = release.offered[-1]
    served = demo_world.world.respond(release.host, release.signature_path).body
    status = gpg_status(tmp_path / "gpg", key.armor, served, release.sums)
    line = next(line for line in status.splitlines() if " VALIDSIG " in line)
    assert "GOODSIG" in status
    assert line.split()[2] == key.signing_fingerprint
    assert line.split()[-1] == key.fingerprint
    assert (key.signing_fingerprint != key.fingerprint) == (name == "beacon")


def test_the_first_key_of_the_relay_has_expired_and_did_not_sign(demo_world: DemoWorld, tmp_path: Path) -> None:
    release = story(demo_world, "relay").release
    retired = release.offered[0]
    status = gpg_status(tmp_path / "gpg", retired.armor, release.signature, release.sums)
    assert "NO_PUBKEY" in status
    listing = subprocess.run(
        ["gpg", "--homedir", str(tmp_path / "gpg"), "--with-colons", "--list-keys"], capture_output=True, text=True
    ).stdout
    assert next(line for line in listing.splitlines() if line.startswith("pub:")).split(":")[1] == "e"


def test_the_lantern_is_offered_without_keys(demo_world: DemoWorld) -> None:
    release = story(demo_world, "lantern").release
    document = json.loads(demo_world.world.respond(release.host, release.metadata_path("linux_amd64")).body)
    assert document["signing_keys"] == {"gpg_public_keys": []}


def locked(workspace: Workspace, address: str) -> tuple[str, ...]:
    """The hashes that terraform locked for a provider."""
    entry = parse(workspace.lock_file.read_bytes(), path="locked").provider(ProviderAddress.parse(address))
    assert entry is not None, address
    return tuple(each.hash.text for each in entry.hashes)


def test_terraform_locks_what_the_world_says(
    demo_world: DemoWorld, program_environment: MakeEnvironment, tmp_path: Path
) -> None:
    names = ("widget", "relay", "beacon", "compass", "ferry", "kiln", "anvil", "gauge", "ledger")
    releases = [story(demo_world, name).release for name in names]
    required = {release.address: release.version for release in releases}
    workspace = Workspace.make(tmp_path / "w", program_environment(), required)
    told = workspace.run("providers", "lock", "-platform=linux_amd64")
    for release in releases:
        listed = [f"zh:{line.split()[0]}" for line in release.sums.decode().splitlines()]
        assert locked(workspace, release.address) == tuple(sorted([*listed, release.packages["linux_amd64"].h1]))
        said = told.partition(f"{release.address} ")[2].partition("- Obtained")[0]
        assert release.offered[-1].key_id in said, told


def test_terraform_refuses_what_the_origin_does_not_give(
    demo_world: DemoWorld, program_environment: MakeEnvironment, tmp_path: Path
) -> None:
    def told_by(name: str) -> str:
        release = story(demo_world, name).release
        workspace = Workspace.make(tmp_path / name, environment, {release.address: release.version})
        return workspace.run("providers", "lock", "-platform=darwin_arm64", expected=1)

    environment = program_environment(TF_PROVIDER_DOWNLOAD_RETRY="1")
    assert "is not available for darwin_arm64" in told_by("anvil")
    assert "bad response code: 503" in told_by("signal")
    assert "unknown issuer" in told_by("lantern")


def test_terraform_reads_the_demo_s_lock_file_and_notices_two_of_its_stories(
    demo_world: DemoWorld, program_environment: MakeEnvironment, tmp_path: Path
) -> None:
    required = {story.address: story.release.version for story in demo_world.stories}
    workspace = Workspace.make(tmp_path / "w", program_environment(), required)
    workspace.lock_file.write_bytes(demo_world.lock_file.read_bytes())
    told = workspace.run("init", "-lockfile=readonly", expected=1)
    # Without keys terraform refuses, and the replaced release matches nothing that is locked; that is all.
    failed = re.findall(r"Error while installing (\S+)", told)
    assert sorted(failed) == ["registry.example.test/acme/ledger", "registry.opentofu.org/acme/lantern"]
    assert workspace.lock_file.read_bytes() == demo_world.lock_file.read_bytes()


def test_every_json_of_the_demo_is_what_its_published_schema_describes(demo_world: DemoWorld) -> None:
    runtime = demo_runtime(demo_world, latency=0.0)
    lock_file = load(str(demo_world.lock_file), runtime.second_reader)
    result = run_audits([lock_file], options_for(demo_world), runtime)
    (review,) = result.reviews
    audits = audits_of(review).values()
    told = {
        provider.address: {str(lock_file.path): tuple(explain(review, provider.address))}
        for provider in review.providers
    }
    assert undescribed(json_report(result, version="1")) == ()
    assert undescribed(json_keys(result, key_uses(audits), result.exit_code, unknown_issuers(audits))) == ()
    for address, lines in told.items():
        assert undescribed(json_explanation(lines, address, result.exit_code, version="1")) == ()


def test_terraform_installs_the_mirror_s_packages_from_the_network_mirror(
    demo_world: DemoWorld, program_environment: MakeEnvironment, tmp_path: Path, https_server: HttpsServer
) -> None:
    stories = [story(demo_world, name) for name in ("widget", "relay", "ferry", "kiln")]
    environment = program_environment()
    Path(environment["TF_CLI_CONFIG_FILE"]).write_text(installation("network_mirror", demo_world.mirror_url))
    workspace = Workspace.make(tmp_path / "w", environment, {each.address: each.release.version for each in stories})
    workspace.run("init")
    installed = terraform_platform(workspace)
    for each in stories:
        assert each.mirrored is not None
        assert locked(workspace, each.address) == (each.mirrored.packages[installed].h1,)
    assert {request.host for request in https_server.journal.requests} == {"mirror.example.test"}


@pytest.mark.parametrize("layout", ["packed", "unpacked"])
def test_terraform_installs_from_the_mirror_folders(
    demo_world: DemoWorld, layout: str, program_environment: MakeEnvironment, tmp_path: Path
) -> None:
    folder = demo_world.filesystem_mirror if layout == "packed" else demo_world.unpacked_mirror
    environment = program_environment()
    Path(environment["TF_CLI_CONFIG_FILE"]).write_text(installation("filesystem_mirror", str(folder)))
    release = story(demo_world, "widget").release
    workspace = Workspace.make(tmp_path / "w", environment, {release.address: release.version})
    workspace.run("init")
    assert workspace.locked_hashes == (release.packages[terraform_platform(workspace)].h1,)


def terraform_platform(workspace: Workspace) -> str:
    """The platform that this machine's terraform installs for."""
    version: dict[str, str] = json.loads(workspace.run("version", "-json"))
    return version["platform"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> DemoWorld:
    """A world that was built at a known time. Tests build upon copies of its folder."""
    return build(tmp_path_factory.mktemp("built"), now=NOW)


def test_the_same_folder_gives_the_same_world_again(built: DemoWorld, tmp_path: Path) -> None:
    again = build(Path(shutil.copytree(built.folder, tmp_path / "same")), now=NOW + timedelta(days=90))
    assert again.world == built.world
    assert again.stories == built.stories


def test_another_folder_gives_other_keys_for_the_same_packages(built: DemoWorld, tmp_path: Path) -> None:
    second = build(tmp_path / "b", now=NOW)
    assert built.lock_file.read_bytes() == second.lock_file.read_bytes()
    for one, other in zip(built.stories, second.stories, strict=True):
        assert one.release.packages == other.release.packages
        assert not {key.fingerprint for key in one.release.offered} & {key.fingerprint for key in other.release.offered}


@pytest.mark.parametrize(
    "damage",
    [
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ("", "{}")),
        '{"keys": {"releases": {}}, "signatures": {}}',
        "half",
    ],
)
def test_a_record_that_cannot_be_used_is_replaced(built: DemoWorld, tmp_path: Path, damage: str) -> None:
    folder = Path(shutil.copytree(built.folder, tmp_path / "damaged"))
    text = (folder / RECORD).read_text(encoding="utf-8")
    (folder / RECORD).write_text(text[: len(text) // 2] if damage == "half" else damage, encoding="utf-8")
    second = build(folder, now=NOW)
    assert second.world != built.world
    assert build(folder, now=NOW).world == second.world


def test_building_leaves_no_private_key_and_no_agent(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path_factory.mktemp("t")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    demo = build(tmp_path / "demo", now=NOW)
    assert list(temporary.iterdir()) == []
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _readable(path)]
    assert not [line for line in running if str(temporary).encode() in line]
    assert "PRIVATE KEY" not in "".join(path.read_text("latin-1") for path in demo.folder.rglob("*") if path.is_file())


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


def test_without_gpg_building_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match="gpg") as caught:
        build(tmp_path / "demo", now=NOW)
    assert "GnuPG" in caught.value.hint


def fetch(transport: WorldTransport, method: str, url: str) -> tuple[httpx.Response, list[int]]:
    async def run() -> tuple[httpx.Response, list[int]]:
        async with httpx.AsyncClient(transport=transport) as client, client.stream(method, url) as answer:
            return answer, [len(chunk) async for chunk in answer.aiter_raw()]

    return asyncio.run(run())


def test_the_transport_streams_a_package_in_pieces_with_its_length(demo_world: DemoWorld) -> None:
    release = story(demo_world, "widget").release
    path = release.package_path("linux_amd64")
    answer, pieces = fetch(WorldTransport(demo_world.world), "GET", f"https://{release.host}{path}")
    size = len(release.packages["linux_amd64"].archive)
    assert (answer.status_code, int(answer.headers["content-length"]), sum(pieces)) == (200, size, size)
    assert len(pieces) > 10


def test_the_transport_has_no_other_hosts_ports_or_schemes(demo_world: DemoWorld) -> None:
    transport = WorldTransport(demo_world.world)
    for url in ("https://example.com/", "http://registry.opentofu.org/", "https://registry.opentofu.org:8443/"):
        with pytest.raises(httpx.ConnectError):
            fetch(transport, "GET", url)


def test_the_transport_answers_as_the_world_does(demo_world: DemoWorld) -> None:
    transport = WorldTransport(demo_world.world, latency=0.001)
    release = story(demo_world, "signal").release
    assert (
        fetch(transport, "GET", f"https://{release.host}{release.package_path('darwin_arm64')}")[0].status_code == 503
    )
    assert fetch(transport, "GET", f"https://{release.host}/nothing?query=1")[0].status_code == 404
    assert fetch(transport, "POST", f"https://{release.host}/")[0].status_code == 405
    answer, pieces = fetch(transport, "HEAD", f"https://{release.host}{release.versions_path}?x=1")
    assert (answer.status_code, pieces, int(answer.headers["content-length"]) > 0) == (200, [], True)


def test_a_world_knows_its_hosts_and_answers_for_no_other(demo_world: DemoWorld) -> None:
    assert demo_world.world.hosts == ("mirror.example.test", "registry.example.test", "registry.opentofu.org")
    assert demo_world.world.respond("example.com", "/").status == 421


@pytest.fixture
def key(key_maker: KeyMaker) -> SigningKey:
    return key_maker.make("Somebody <somebody@example.test>", created=NOW - timedelta(days=10))


def own_release(maker: KeyMaker, key: SigningKey, shape: HashesShape) -> Release:
    packages = {
        platform: zipped({"LICENSE": b"x\n", "terraform-provider-thing_v1.0.0": platform.encode()}, modified=NOW)
        for platform in ("linux_amd64", "darwin_arm64")
    }
    release = Release(
        address="registry.example.test/acme/thing",
        version="1.0.0",
        packages=packages,
        offered=(key,),
        extra_hashes=shape,
        download_host="downloads.example.test",
    )
    return signed(release, maker=maker, key=key, at=NOW)


def test_a_registry_reports_its_extra_hashes_in_the_shape_that_is_asked_for(
    key_maker: KeyMaker, key: SigningKey
) -> None:
    def extra(shape: HashesShape) -> dict[str, object]:
        document = own_release(key_maker, key, shape).metadata("linux_amd64")
        return {name: value for name, value in document.items() if name in {"packages", "hashes"}}

    linux, darwin = own_release(key_maker, key, HashesShape.NONE).packages.values()
    assert extra(HashesShape.NONE) == {}
    assert extra(HashesShape.LIST) == {"hashes": [linux.zh, linux.h1, darwin.zh, darwin.h1]}
    assert extra(HashesShape.MAP) == {"hashes": {linux.zh: [linux.h1], darwin.zh: [darwin.h1]}}
    assert extra(HashesShape.PACKAGES) == {
        "packages": {
            "linux_amd64": {"hashes": [linux.zh, linux.h1], "package_size": len(linux.archive)},
            "darwin_arm64": {"hashes": [darwin.zh, darwin.h1], "package_size": len(darwin.archive)},
        }
    }


def test_terraform_takes_a_test_s_own_release_from_another_download_host(
    key_maker: KeyMaker,
    key: SigningKey,
    https_server: HttpsServer,
    program_environment: MakeEnvironment,
    demo_world: DemoWorld,
    tmp_path: Path,
) -> None:
    release = own_release(key_maker, key, HashesShape.NONE)
    world = world_of([replace(demo_world.stories[0], release=release, mirrored=None, answers={})])
    https_server.serve(lambda host, path, headers: world.respond(host, path))
    workspace = Workspace.make(tmp_path / "w", program_environment(), {release.address: "1.0.0"})
    workspace.run("providers", "lock", "-platform=darwin_arm64")
    zh = [package.zh for package in release.packages.values()]
    assert workspace.locked_hashes == tuple(sorted([*zh, release.packages["darwin_arm64"].h1]))
    assert {request.host for request in https_server.journal.requests} == {
        "registry.example.test",
        "downloads.example.test",
    }


def test_an_h1_of_a_package_is_the_one_that_was_worked_out_by_hand() -> None:
    package = zipped(
        {"LICENSE.txt": b"example licence\n", "terraform-provider-demo_v1.2.3": b"not a real binary\n"}, modified=NOW
    )
    assert package.h1 == "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE="
    assert package.zh == f"zh:{sha256sum(package.archive)}"
