"""`lockwarden resolve` on what the real git leaves of a merge, against a registry on the loopback interface."""

from __future__ import annotations

import base64
import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.merges import AMD, ARM, HEADER, LOCK, WINDOWS, Merge, block, next_release, world_of
from fakes.driving import Driver, drive
from servers.https import HttpsServer, of_world
from servers.installed import PATIENCE, Lockwarden

from lockwarden.cli import review as review_command
from lockwarden.cli.on_screen import ReviewOnScreen, app_for
from lockwarden.core.engine.options import GivenOptions, read_options
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.values.platforms import Platform
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.releases import Release
from lockwarden.tui.screens.resolving import ResolvingScreen
from lockwarden.tui.screens.review import ReviewScreen

PLANTED = "h1:" + base64.b64encode(hashlib.sha256(b"planted").digest()).decode()
POLICY, CONFIGURATION = ".lockwarden.hcl", "cli.tfrc"
ASKED = ("--platform", AMD, "--platform", ARM, "--platform", "auto", "--source", "direct")


@pytest.fixture(scope="session")
def later(three_providers: ThreeProviders, key_maker: KeyMaker) -> Release:
    return next_release(three_providers.releases[0], three_providers, key_maker)


@pytest.fixture
def registry_of_both(three_providers: ThreeProviders, later: Release, https_server: HttpsServer) -> HttpsServer:
    https_server.serve(of_world(world_of((*three_providers.releases, later))))
    return https_server


def text_of(*blocks: str) -> str:
    return HEADER + "".join(blocks)


def test_a_real_merge_is_resolved_to_what_a_fresh_lock_gives(
    three_providers: ThreeProviders,
    later: Release,
    registry_of_both: HttpsServer,
    lockwarden: Lockwarden,
    tmp_path: Path,
) -> None:
    one, two, three = three_providers.releases
    base = text_of(block(one, AMD), block(three, AMD), block(two, WINDOWS))
    ours = text_of(block(one, AMD, ARM, planted=(PLANTED,)), block(three, AMD), block(two, AMD))
    theirs = text_of(block(later, AMD, ARM, constraints="~> 1.5"), block(three, AMD), block(two, ARM))
    merge = Merge.of(tmp_path / "repository", lockwarden, base, ours, theirs, style="zdiff3")
    folder = merge.repository.folder
    before = merge.lock_file.read_bytes()
    assert "|||||||" in before.decode()

    told = lockwarden.run("check", *ASKED, folder=folder, expected=2).err
    assert "“lockwarden resolve” shows what each side locks" in told

    shown = lockwarden.run("resolve", *ASKED, folder=folder, expected=0)
    assert "ours 1.4.0, line" in shown.out
    assert "✗ 1 unexplained" in shown.out
    assert "→ 1.5.0, the higher version: 5 confirmed hashes" in shown.out
    assert "Nothing was written; --write does that" in shown.out
    assert merge.lock_file.read_bytes() == before

    done = lockwarden.run("resolve", *ASKED, "--write", "--format", "json", folder=folder, expected=0).report
    (file,) = done["lock_files"]
    assert (file["conflict"], file["written"], file["exit_code"]) == ("conflict markers", True, 0)
    by_address = {each["address"].rpartition("/")[2]: each for each in file["providers"]}
    assert PLANTED not in by_address["one"]["hashes"]
    assert "<<<<<<<" not in merge.lock_file.read_text()

    # A fresh lock of the same versions: entries without any hash, filled by the same command's rule.
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    bare = text_of(block(later, constraints="~> 1.5"), block(three, AMD), block(two))
    (fresh / LOCK).write_text(bare)
    asked = ("--platform", AMD, "--platform", ARM, "--source", "direct")
    lockwarden.run("lock", *asked, folder=fresh)
    made = merge.lock_file.read_text()
    for release in (later, two):
        assert block(release, AMD, ARM, constraints="~> 1.5" if release is later else "") in made
    assert (fresh / LOCK).read_text().replace(block(three, AMD, ARM), block(three, AMD)) == made

    again = lockwarden.run("resolve", *ASKED, folder=folder, expected=0)
    assert again.out == f"{LOCK}: nothing to resolve in it\n"


def test_broken_markers_are_passed_over_for_what_the_index_has(
    three_providers: ThreeProviders, registry_of_both: HttpsServer, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    one, two, _ = three_providers.releases
    merge = Merge.of(
        tmp_path / "repository",
        lockwarden,
        text_of(block(one, AMD), block(two, AMD)),
        text_of(block(one, ARM), block(two, AMD)),
        text_of(block(one, WINDOWS), block(two, AMD)),
    )
    folder = merge.repository.folder
    torn = merge.lock_file.read_text().replace("=======\n", "")
    merge.lock_file.write_text(torn)
    shown = lockwarden.run("resolve", *ASKED, "--write", folder=folder, expected=0)
    assert "unmerged in git's index" in shown.out
    assert merge.lock_file.read_text() == text_of(block(one, ARM, WINDOWS), block(two, AMD))

    merge.repository.git("add", LOCK)
    merge.lock_file.write_text(torn)
    done = lockwarden.run("resolve", *ASKED, folder=folder, expected=2)
    assert (
        "the markers of its merge conflict do not fit together: a conflict ends here without a second side" in done.err
    )
    assert done.out == f"{LOCK}: it cannot be resolved\n"


@pytest.fixture
def taking_the_pin_away(three_providers: ThreeProviders, lockwarden: Lockwarden, tmp_path: Path) -> Merge:
    """Ours pins another key than the registry's; theirs takes the pin away, and git merges that without a word."""
    one, two, _ = three_providers.releases
    pinned = f'signing_key "{"A1" * 20}" {{\n  providers = ["registry.example.test/acme/*"]\n}}\n'
    merge = Merge.of(
        tmp_path / "repository",
        lockwarden,
        text_of(block(one, AMD), block(two, AMD)),
        text_of(block(one, ARM), block(two, AMD)),
        text_of(block(one, WINDOWS), block(two, AMD)),
        beside=(
            {POLICY: pinned, CONFIGURATION: "provider_installation {\n  direct {}\n}\n"},
            {
                POLICY: "# nothing is asked for\n",
                CONFIGURATION: 'provider_installation {\n  network_mirror { url = "https://theirs.test/" }\n}\n',
            },
        ),
    )
    assert "signing_key" not in (merge.repository.folder / POLICY).read_text()
    return merge


def test_a_branch_that_is_merged_brings_no_policy_by_which_its_own_side_is_judged(
    registry_of_both: HttpsServer, taking_the_pin_away: Merge, lockwarden: Lockwarden
) -> None:
    merge = taking_the_pin_away
    folder, before = merge.repository.folder, merge.lock_file.read_bytes()
    asked = ("--platform", AMD, "--platform", ARM)
    done = lockwarden.run("resolve", *asked, "--write", folder=folder, expected=1, TF_CLI_CONFIG_FILE=CONFIGURATION)
    assert f"{CONFIGURATION} counts as it is at HEAD, not as it is in the working tree" in done.err
    assert "nothing is confirmed of registry.example.test/acme/one" in done.out
    assert "this change changes the policy .lockwarden.hcl; what counts here is what HEAD has" in done.err
    assert merge.lock_file.read_bytes() == before


def test_a_branch_that_is_merged_configures_no_source_that_the_screen_asks_of_its_own_side(
    registry_of_both: HttpsServer, taking_the_pin_away: Merge, lockwarden: Lockwarden
) -> None:
    merge = taking_the_pin_away
    folder, before = merge.repository.folder, merge.lock_file.read_bytes()
    with lockwarden.in_terminal(folder=folder, TF_CLI_CONFIG_FILE=CONFIGURATION) as terminal:
        terminal.wait_for(b"counts as it is at HEAD", seconds=PATIENCE)
        terminal.wait_for(b"nothing is confirmed", seconds=PATIENCE)
        terminal.press(b"qq")
        terminal.process.wait(timeout=PATIENCE)
    assert "/v1/providers/acme/one/versions" in {each.path for each in registry_of_both.journal.requests}
    assert merge.lock_file.read_bytes() == before


def test_nothing_is_written_of_which_nothing_is_confirmed(
    three_providers: ThreeProviders, registry_of_both: HttpsServer, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    """A version that nobody released is the higher one; and offline nobody knows of anything."""
    one, two, _ = three_providers.releases
    invented = block(one, AMD).replace("1.4.0", "99.0.0")
    (tmp_path / LOCK).write_text(text_of(block(one, AMD), invented, block(two, AMD)))
    before = (tmp_path / LOCK).read_bytes()
    shown = lockwarden.run("resolve", "--source", "direct", "--write", folder=tmp_path)
    assert shown.code in {1, 3}
    assert "Nothing can be written: nothing is confirmed of registry.example.test/acme/one" in shown.out
    assert (tmp_path / LOCK).read_bytes() == before
    lockwarden.run("resolve", "--source", "direct", "--offline", "--write", folder=tmp_path, expected=3)
    assert (tmp_path / LOCK).read_bytes() == before
    needed = f'one = {{ source = "{one.address}", version = "~> 1.4" }}'
    (tmp_path / "main.tf").write_text(f"terraform {{\n  required_providers {{\n    {needed}\n  }}\n}}\n")
    lockwarden.run("resolve", *ASKED, "--take", "acme/one=1.4.0", "--write", folder=tmp_path, expected=0)
    assert (tmp_path / LOCK).read_text() == text_of(block(one, AMD, constraints="~> 1.4"), block(two, AMD))


def test_the_review_opens_with_both_sides_of_a_file_on_disk(
    three_providers: ThreeProviders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, _ = three_providers.releases
    mirror = tmp_path / "mirror"
    three_providers.write_folder(mirror)
    file = tmp_path / LOCK
    file.write_text(text_of(block(one, AMD), block(one, ARM), block(two, AMD)))
    options = read_options(
        GivenOptions(source=(str(mirror),), platform=("all",)), directory=tmp_path, current=Platform("linux", "amd64")
    )
    runtime = Runtime(environ={"PATH": os.environ["PATH"]}, now=lambda: datetime.now(UTC), cache_folder=None)

    async def scenario(d: Driver) -> None:
        await d.settle()
        assert d.shows(ResolvingScreen)
        await d.press("w")
        await d.settle()  # the difference is worked out aside
        await d.press("right", "enter")
        await d.settle()
        assert d.shows(ReviewScreen)

    app = app_for(ReviewOnScreen(paths=(file,), options=options, runtime=runtime))
    drive(app, scenario, size=(120, 40))
    assert file.read_text() == text_of(block(one, AMD, ARM), block(two, AMD))

    file.write_text(text_of(block(one, AMD), block(one, ARM)))
    opened: list[object] = []
    monkeypatch.setattr(review_command, "on_terminal", lambda: True)

    def run_app(shown: ReviewOnScreen) -> int:
        opened.append(shown.known)
        return 0

    monkeypatch.setattr(review_command, "run_app", run_app)
    monkeypatch.chdir(tmp_path)
    assert review_command.review([str(file)], GivenOptions(source=(str(mirror),))) == 0
    file.write_text("no lock file at all")
    assert review_command.review([str(file)], GivenOptions(source=(str(mirror),))) == 2
    assert opened == [None]
