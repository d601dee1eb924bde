"""What `lockwarden check` says of a lock file of terraform's in which something was changed."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

import pytest
from builders.three_providers import MIRROR, PLATFORMS, ThreeProviders, another_package
from end_to_end.configuring import MakeLockFile
from servers.https import Breakage, Broken, HttpsServer, Respond, of_world
from servers.installed import HELD_AGAINST_NOTHING, Lockwarden
from servers.terraform import Workspace

from lockwarden.demo.world import Response, World

ASKED = tuple(word for platform in PLATFORMS for word in ("--platform", platform))
MADE_UP_ZH = "zh:" + hashlib.sha256(b"nobody").hexdigest()
MADE_UP_H1 = "h1:" + base64.b64encode(hashlib.sha256(b"nobody").digest()).decode()


@pytest.fixture
def complete(workspace: Workspace, lock_file_of: MakeLockFile) -> Workspace:
    """The same folder, locked by terraform for all three platforms."""

    def locked() -> bytes:
        workspace.run("providers", "lock", *(f"-platform={platform}" for platform in PLATFORMS))
        return workspace.lock_file.read_bytes()

    workspace.lock_file.write_bytes(lock_file_of("all", locked))
    return workspace


def swap(workspace: Workspace, old: str, new: str) -> None:
    text = workspace.lock_file.read_text()
    assert old in text
    workspace.lock_file.write_text(text.replace(old, new, 1))


def test_an_honest_file_is_confirmed_without_an_option_by_three_packages_a_provider(
    complete: Workspace, lockwarden: Lockwarden, served: HttpsServer
) -> None:
    served.journal.clear()
    done = lockwarden.run("check", "--format", "json", folder=complete.folder, expected=0)
    for name in ("one", "two", "three"):
        assert set(done.verdicts(name).values()) == {"confirmed"}
    fetched = [request.path for request in served.journal.requests if request.path.endswith(".zip")]
    assert len(fetched) == len(set(fetched)) == 9
    assert done.report["exit_code"] == 0
    done = lockwarden.run("check", folder=complete.folder, expected=0)
    answer, held, configuration = done.out.splitlines()
    assert answer == ".terraform.lock.hcl: Nothing to object to: 18 confirmed"
    assert held == HELD_AGAINST_NOTHING
    assert configuration.startswith("Configuration: ")
    assert done.err == ""


def test_a_swapped_zh_is_disowned(complete: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders) -> None:
    release = three_providers.releases[0]
    swap(complete, release.packages["darwin_arm64"].zh, MADE_UP_ZH)
    done = lockwarden.run("check", *ASKED, "--format", "json", folder=complete.folder, expected=1)
    verdicts = done.verdicts("one")
    assert verdicts[MADE_UP_ZH] == "disowned"
    assert verdicts[release.packages["darwin_arm64"].zh] == "new"
    assert set(done.verdicts("two").values()) == {"confirmed"}


def test_an_h1_of_a_platform_that_was_not_asked_for_is_unchecked_and_else_confirmed(
    complete: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders
) -> None:
    h1 = three_providers.releases[0].packages["windows_amd64"].h1
    some = ("--platform", "linux_amd64", "--platform", "darwin_arm64")
    done = lockwarden.run("check", *some, "--format", "json", folder=complete.folder, expected=3)
    assert done.verdicts("one")[h1] == "unchecked"
    done = lockwarden.run("check", *ASKED, "--format", "json", folder=complete.folder, expected=0)
    assert done.verdicts("one")[h1] == "confirmed"


def test_a_made_up_h1_is_unexplained_once_every_platform_was_looked_at(
    complete: Workspace, lockwarden: Lockwarden
) -> None:
    swap(complete, "  hashes = [\n", f'  hashes = [\n    "{MADE_UP_H1}",\n')
    for asked in (ASKED, ("--platform", "all"), ()):
        done = lockwarden.run("check", *asked, "--format", "json", folder=complete.folder, expected=1)
        assert done.verdicts("one" if MADE_UP_H1 in str(done.verdicts("one")) else "three")[MADE_UP_H1] == "unexplained"


def test_a_registry_that_is_down_confirms_nothing(
    complete: Workspace, lockwarden: Lockwarden, served: HttpsServer
) -> None:
    def down(host: str, path: str, headers: Mapping[str, str]) -> Response:
        raise Broken(Breakage.CLOSE)

    served.serve(down)
    done = lockwarden.run("check", "--format", "json", folder=complete.folder, expected=3)
    for name in ("one", "two", "three"):
        assert set(done.verdicts(name).values()) == {"unchecked"}
    text = lockwarden.run("check", folder=complete.folder, expected=3).out
    assert text.startswith(".terraform.lock.hcl: Not everything was checked: 18 unchecked")


def _from_the_mirror_alone(world: World, answer: Response) -> Respond:
    """The mirror's own answers, and this one of everybody else."""
    return lambda host, path, headers: world.respond(host, path) if host.startswith("mirror.") else answer


def test_a_registry_that_answers_with_something_else_is_a_problem_and_the_mirror_goes_on(
    complete: Workspace, lockwarden: Lockwarden, served: HttpsServer, three_providers: ThreeProviders
) -> None:
    world = three_providers.world()
    answers = {
        "500": Response.of_status(500, text="oops"),
        "html": Response(headers=(("Content-Type", "text/html"),), body=b"<html>log in</html>"),
        "truncated": Response(
            headers=(("Content-Type", "application/json"), ("Content-Length", "9000")), body=b'{"versions'
        ),
    }
    arguments = ("--source", "direct", "--source", MIRROR, *ASKED[:2], "--format", "json")
    for kind, answer in answers.items():
        served.serve(_from_the_mirror_alone(world, answer))
        done = lockwarden.run("check", *arguments, folder=complete.folder, expected=3)
        provider = done.provider("one")
        assert [problem["source"] for problem in provider["problems"]] == ["direct"], kind
        assert {finding["source"]: finding["outcome"] for finding in provider["findings"]} == {
            "direct": "no answer",
            "mirror.example.test": "answered",
        }, kind
        assert "confirmed" not in done.verdicts("one").values(), kind


def test_offline_nothing_is_asked_and_everything_is_unchecked(
    complete: Workspace, lockwarden: Lockwarden, served: HttpsServer
) -> None:
    served.journal.clear()
    done = lockwarden.run("check", "--offline", "--format", "json", folder=complete.folder, expected=3)
    assert served.journal.requests == ()
    assert set(done.verdicts("one").values()) == {"unchecked"}


def test_a_mirror_with_another_package_is_told_apart_from_the_origin(
    complete: Workspace, lockwarden: Lockwarden, served: HttpsServer, three_providers: ThreeProviders
) -> None:
    release = three_providers.releases[0]
    other = another_package(release, "linux_amd64")
    served.serve(of_world(three_providers.world(at_mirror={release.address: {"linux_amd64": other}})))
    arguments = ("--source", "direct", "--source", MIRROR, "--platform", "linux_amd64", "--format", "json")
    done = lockwarden.run("check", *arguments, folder=complete.folder, expected=1)
    verdicts = done.verdicts("one")
    own = release.packages["linux_amd64"]
    assert (verdicts[own.zh], verdicts[own.h1]) == ("confirmed", "confirmed")
    assert (verdicts[other.zh], verdicts[other.h1]) == ("offered", "offered")
    assert "other-bytes" in {problem["code"] for problem in done.provider("one")["problems"]}
    rows = {row["hash"]: row for row in done.provider("one")["hashes"]}
    for text in other.hashes:
        assert rows[text]["signed_by_fingerprints"] == []
        assert {seen["source"] for seen in rows[text]["observations"]} == {"mirror.example.test"}
    locked = complete.lock_file.read_bytes()
    lockwarden.run("lock", *arguments[:-2], folder=complete.folder, expected=1)
    assert complete.lock_file.read_bytes() == locked


def test_several_files_end_with_the_worst_and_share_what_was_asked(
    complete: Workspace, lockwarden: Lockwarden, served: HttpsServer
) -> None:
    other = complete.folder.parent / "second"
    other.mkdir()
    (other / ".terraform.lock.hcl").write_bytes(complete.lock_file.read_bytes())
    swap(complete, "zh:", MADE_UP_ZH + '",\n    "zh:')
    served.journal.clear()
    done = lockwarden.run("check", complete.folder, other, other / "none", folder=other, expected=2)
    assert [line.partition(": ")[2].split(":")[0] for line in done.out.splitlines()[:3]] == [
        "Cannot be read",
        "Do not commit yet",
        "Nothing to object to",
    ]
    paths = [request.path for request in served.journal.requests if request.path.endswith(".zip")]
    assert len(paths) == len(set(paths))
