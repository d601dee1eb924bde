"""What is fetched once is not fetched again, and `lockwarden cache` shows and clears what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from builders.three_providers import ThreeProviders
from servers.https import HttpsServer, of_world
from servers.installed import Ended, Lockwarden
from servers.terraform import Workspace

from lockwarden.demo.world import Response

PLATFORMS = ("--platform", "linux_amd64", "--platform", "darwin_arm64")


def check(lockwarden: Lockwarden, workspace: Workspace, *more: str) -> Ended:
    return lockwarden.run("check", "--format", "json", *PLATFORMS, *more, ".", folder=workspace.folder)


def asked(served: HttpsServer) -> Counter[str]:
    counted = Counter(request.url for request in served.journal.requests)
    served.journal.clear()
    return counted


def packages(counted: Mapping[str, int]) -> list[str]:
    return [url for url in counted if url.endswith(".zip")]


def folder(lockwarden: Lockwarden) -> Path:
    return Path(lockwarden.environment["XDG_CACHE_HOME"]) / "lockwarden"


def evict(lockwarden: Lockwarden) -> None:
    for path in (folder(lockwarden) / "packages").iterdir():
        path.unlink()


def verdicts(ended: Ended) -> dict[str, str]:
    return {
        row["hash"]: row["verdict"]
        for lock_file in ended.report["lock_files"]
        for provider in lock_file["providers"]
        for row in provider["hashes"]
    }


def computed(ended: Ended) -> list[dict[str, Any]]:
    return [
        observation
        for lock_file in ended.report["lock_files"]
        for provider in lock_file["providers"]
        for row in provider["hashes"]
        for observation in row["observations"]
        if observation["kind"] == "computed locally"
    ]


def test_every_package_and_every_document_is_asked_for_once_a_run(
    lockwarden: Lockwarden, workspace: Workspace, served: HttpsServer, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / ".terraform.lock.hcl").write_bytes(workspace.lock_file.read_bytes())
    check(lockwarden, workspace, str(copy))
    counted = asked(served)
    assert len(packages(counted)) == 6
    assert set(counted.values()) == {1}


def test_a_warm_run_asks_for_no_package_and_judges_the_same(
    lockwarden: Lockwarden, workspace: Workspace, served: HttpsServer
) -> None:
    cold = check(lockwarden, workspace)
    first = asked(served)
    warm = check(lockwarden, workspace)
    second = asked(served)
    assert packages(first)
    assert packages(second) == []
    assert set(second) == set(first) - set(packages(first)), "what a source says is asked every time"
    assert (warm.code, verdicts(warm)) == (cold.code, verdicts(cold))
    # It is told that the bytes did not come from the source this time.
    assert {each["computed_on"] for each in computed(cold)} == {None}
    assert all(each["computed_on"].endswith("Z") for each in computed(warm))
    assert any(
        "which were not fetched again" in reason
        for lock_file in warm.report["lock_files"]
        for provider in lock_file["providers"]
        for row in provider["hashes"]
        for reason in row["reasons"]
    )
    # With the packages evicted, facts are enough.
    evict(lockwarden)
    without = check(lockwarden, workspace)
    assert packages(asked(served)) == []
    assert verdicts(without) == verdicts(cold)


def test_facts_that_are_not_ones_own_are_not_used(
    lockwarden: Lockwarden, workspace: Workspace, served: HttpsServer
) -> None:
    cold = check(lockwarden, workspace)
    key = Path(lockwarden.environment["XDG_STATE_HOME"]) / "lockwarden" / "cache.key"
    assert folder(lockwarden) not in key.parents
    for damage in ("forged facts", "another user's key", "no key"):
        evict(lockwarden)
        match damage:
            case "forged facts":
                for path in (folder(lockwarden) / "facts").iterdir():
                    path.write_bytes(path.read_bytes().replace(b"h1_archive", b"h1_ARCHIVE"))
            case "another user's key":
                key.write_bytes(bytes(32))
            case _:
                key.unlink()
        served.journal.clear()
        again = check(lockwarden, workspace)
        assert len(packages(asked(served))) == 6, damage
        assert verdicts(again) == verdicts(cold), damage


def test_fresh_and_no_cache_fetch_everything_anew(
    lockwarden: Lockwarden, workspace: Workspace, served: HttpsServer
) -> None:
    check(lockwarden, workspace)
    for option in ("--fresh", "--no-cache"):
        served.journal.clear()
        again = check(lockwarden, workspace, option)
        assert len(packages(asked(served))) == 6, option
        assert {each["computed_on"] for each in computed(again)} == {None}, option


def test_a_digest_that_nothing_signed_promises_is_never_answered_from_the_cache(
    lockwarden: Lockwarden, workspace: Workspace, served: HttpsServer, three_providers: ThreeProviders
) -> None:
    check(lockwarden, workspace)
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if path.endswith(".sig"):
            return Response.of_bytes(b"no signature")
        return world.respond(host, path)

    served.serve(respond)
    check(lockwarden, workspace)
    assert len(packages(asked(served))) == 6
    served.serve(of_world(world))


class TestCommand:
    def test_it_shows_the_place_and_what_is_kept_and_clears_packages_or_everything(
        self, lockwarden: Lockwarden, workspace: Workspace, served: HttpsServer
    ) -> None:
        empty = lockwarden.run("cache", folder=workspace.folder, expected=0)
        assert empty.out.splitlines()[:3] == [str(folder(lockwarden)), "  packages  none", "  facts     none"]
        check(lockwarden, workspace)
        lines = lockwarden.run("cache", folder=workspace.folder, expected=0).out.splitlines()
        assert lines[1].startswith("  packages  6 (")
        assert lines[2].startswith("  facts     6 (")
        assert lines[3].startswith("  releases  3 (")
        assert "cache.key" in lines[4]

        lines = lockwarden.run("cache", "--clear-packages", folder=workspace.folder, expected=0).out.splitlines()
        assert lines[1] == "  packages  none"
        assert lines[2].startswith("  facts     6 (")
        served.journal.clear()
        check(lockwarden, workspace)
        assert packages(asked(served)) == []

        (folder(lockwarden) / "packages" / "mine.txt").write_text("not the store's")
        lines = lockwarden.run("cache", "--clear", folder=workspace.folder, expected=0).out.splitlines()
        assert lines[1:3] == ["  packages  none", "  facts     none"]
        assert [path.name for path in folder(lockwarden).rglob("*") if path.is_file()] == ["mine.txt"]

    def test_what_cannot_be_removed_is_said(self, lockwarden: Lockwarden, workspace: Workspace) -> None:
        stuck = folder(lockwarden) / "facts" / ("0" * 64)
        (stuck / "inside").mkdir(parents=True)
        done = lockwarden.run("cache", "--clear", folder=workspace.folder, expected=2)
        assert "1 file could not be removed" in done.err
