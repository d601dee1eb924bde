"""`lockwarden compare-registries` over two registries of which one has other builds, other platforms or no answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.merges import AMD, ARM, HEADER, LOCK, WINDOWS, block, world_of
from servers.https import HttpsServer, of_world
from servers.installed import Lockwarden

from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.packages import provider_package
from lockwarden.demo.releases import Release, signed

OTHER = "modules.example.test"


@pytest.fixture
def other(three_providers: ThreeProviders, key_maker: KeyMaker) -> tuple[Release, ...]:
    """The same at another host: one as it is, another with a build of its own and without a platform."""
    one, two, _ = three_providers.releases
    at, built = datetime.now(UTC), datetime(2026, 7, 1, tzinfo=UTC)
    rebuilt = {each: provider_package(two.name, two.version, each, size=30_000, modified=built) for each in (AMD, ARM)}
    releases = (replace(one, address=f"{OTHER}/acme/one"), replace(two, address=f"{OTHER}/acme/two", packages=rebuilt))
    return tuple(signed(each, maker=key_maker, key=three_providers.key, at=at) for each in releases)


def test_what_is_the_same_at_both_and_what_is_not(
    three_providers: ThreeProviders,
    other: tuple[Release, ...],
    https_server: HttpsServer,
    lockwarden: Lockwarden,
    tmp_path: Path,
) -> None:
    one, two, three = three_providers.releases
    https_server.serve(of_world(world_of((*three_providers.releases, *other))))
    ask = ("compare-registries", "--host", OTHER, "--platform", AMD)

    (tmp_path / LOCK).write_text(HEADER + block(one, AMD))
    told = lockwarden.run(*ask, folder=tmp_path, expected=0)
    assert told.out.splitlines() == [
        f"{LOCK}: the same at both",
        f"  registry.example.test/acme/one 1.4.0: registry.example.test and {OTHER}",
        "    ✓ the same 3 platforms",
        f"    ✓ the same signers: {three_providers.key.fingerprint}",
        "    ✓ 3 packages, same bytes",
        "    ✓ 4 locked hashes, the same bytes at both",
    ]

    (tmp_path / LOCK).write_text(HEADER + block(one, AMD) + block(three, AMD) + block(two, AMD))
    report = lockwarden.run(*ask, "--format", "json", folder=tmp_path, expected=1).report
    (file,) = report["lock_files"]
    same, missing, rebuilt = file["comparisons"]
    assert (same["exit_code"], missing["there"], missing["second"]["outcome"]) == (0, "other", "not there")
    assert (rebuilt["platforms"], rebuilt["signers"]) == ("other", "same")
    assert {each["platform"]: each["standing"] for each in rebuilt["packages"]} == {
        AMD: "same content in another archive",
        ARM: "another archive, whose content was not compared",
        WINDOWS: "only at the first",
    }
    standings = {each["hash"]: each["standing"] for each in rebuilt["hashes"]}
    assert standings[two.packages[AMD].h1] == "same"
    assert standings[two.packages[AMD].zh] == "other"

    page = lockwarden.run(*ask, "--format", "markdown", folder=tmp_path, expected=1).out
    assert "| `registry.example.test/acme/two` | `1.4.0` | ✗ other | ✓ same | 0 of 3 the same bytes |" in page
    lockwarden.run("compare-registries", folder=tmp_path, expected=3)
    lockwarden.run(*ask, "--offline", folder=tmp_path, expected=3)
    wrong = lockwarden.run("compare-registries", "--host", OTHER, "--host", OTHER, folder=tmp_path, expected=2)
    assert "is always the same as itself" in wrong.err
