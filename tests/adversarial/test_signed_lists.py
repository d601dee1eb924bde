"""A registry without the signing key: genuine signed lists where they do not belong, and claims that nobody signed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, LINUX, Scene, days_ago, entry, packages, unsigned
from adversarial.test_changes import pin
from adversarial.test_mirrors import FROM_BOTH, mirrored
from builders.three_providers import MIRROR

from lockwarden.demo.packages import archive_name
from lockwarden.demo.releases import Release
from lockwarden.demo.world import Response, World

OPENTOFU = "registry.opentofu.org"
README = f"{hashlib.sha256(b'read me').hexdigest()}  README.md\n".encode()
HONEST = "widget_1.0.1"
PLANTED = packages("widget", build="hostile")["linux_amd64"]


def replay(scene: Scene, parties: Parties, written: str, beside: bytes = b"", form: str = "") -> Release:
    """Serve 1.0.1 with a list that names its files as those of `written`, signed by the author, and pin the author.

    `form` is what the registry's answers call the files, `{}` for the platform; else what the list calls them.
    """
    release = replace(unsigned("widget", version="1.0.1"), offered=(parties.author,))
    sums = release.sums.replace(HONEST.encode(), written.encode()) + beside
    answers = {
        release.sums_path: Response.of_bytes(sums),
        release.signature_path: Response.of_bytes(parties.maker.sign(parties.author, sums, at=days_ago(2))),
    }
    for platform in release.packages:
        usual = archive_name("widget", "1.0.1", platform).replace(HONEST, written)
        named = release.metadata(platform) | {"filename": form.format(platform) if form else usual}
        answers[release.metadata_path(platform)] = Response.of_json(named)
    scene.serve(release, answers=lambda world: world.with_answers(release.host, answers))
    scene.lock(entry(release))
    pin(scene, parties.author.fingerprint)
    return release


@pytest.mark.parametrize(
    ("written", "beside", "form"),
    [
        ("widget_1.0.0", b"", ""),
        ("widget_1.0.0", README, ""),
        ("widget_1.0.0", README.replace(b"README.md", HONEST.encode() + b"_sbom.json"), ""),
        ("widget_1.0.10", README, ""),
        ("widget_v1.0.10", README, ""),
        ("widget_v1.0.10", README, "terraform-provider-widget_1.0.1_{}.zip"),
        ("other_1.0.1", README, ""),
        ("other_1.0.1", README, "plugin-{}.zip"),
        ("widget-x_1.0.1", README, "README.md"),
    ],
)
def test_a_signed_list_of_another_release_vouches_for_nothing_whatever_stands_beside(
    scene: Scene, parties: Parties, written: str, beside: bytes, form: str
) -> None:
    replay(scene, parties, written, beside, form)
    done = scene.check(*BOTH, expected=1)
    assert done.confirmed("widget") == set()
    assert {"sums-of-another-release", "answer-for-other-release"} & done.codes("widget")
    told = " ".join(problem["message"] for problem in done.provider("widget")["problems"])
    assert written.replace("_v", "_").replace("_", " ") in told


def test_an_answer_that_names_a_file_of_another_release_counts_no_more_than_its_list(
    scene: Scene, parties: Parties
) -> None:
    replay(scene, parties, HONEST, form="terraform-provider-widget_1.0.2_{}.zip")
    done = scene.check_to_its_end(*BOTH, expected=1)
    assert done.confirmed("widget") == set()
    assert "answer-for-other-release" in done.codes("widget")


@pytest.mark.parametrize(
    ("written", "code"),
    [("Widget_1.0.1", "sums-release-spelled-otherwise"), ("widget_v1.0.1", None), (HONEST, None)],
)
def test_an_honest_list_passes_in_each_way_of_writing_its_release(
    scene: Scene, parties: Parties, written: str, code: str | None
) -> None:
    replay(scene, parties, written, README)
    done = scene.check(*BOTH, expected=0)
    assert len(done.confirmed("widget")) == 4
    assert done.codes("widget") == ({code} if code else set())


def test_a_list_that_says_no_release_passes_with_a_warning(scene: Scene, parties: Parties) -> None:
    release = replay(scene, parties, HONEST)
    sums = release.sums.replace(b"terraform-provider-widget_1.0.1_", b"plugin-")
    answers = {
        release.sums_path: Response.of_bytes(sums),
        release.signature_path: Response.of_bytes(parties.maker.sign(parties.author, sums, at=days_ago(2))),
    }
    for platform in release.packages:
        named = release.metadata(platform) | {"filename": f"plugin-{platform}.zip"}
        answers[release.metadata_path(platform)] = Response.of_json(named)
    scene.serve(release, answers=lambda world: world.with_answers(release.host, answers))
    done = scene.check(*BOTH, expected=0)
    assert len(done.confirmed("widget")) == 4
    assert done.codes("widget") == {"sums-of-no-release"}


Answers = Callable[[Release, Parties], dict[str, Response]]


def does_not_answer(release: Release, parties: Parties) -> dict[str, Response]:
    return {release.metadata_path("plan9_amd64"): Response.of_status(503)}


def has_none(release: Release, parties: Parties) -> dict[str, Response]:
    return {release.metadata_path("plan9_amd64"): Response.of_status(404)}


def names_a_file_that_no_list_has(release: Release, parties: Parties) -> dict[str, Response]:
    made_up = replace(release, packages={**release.packages, "plan9_amd64": PLANTED})
    return {
        release.metadata_path("plan9_amd64"): Response.of_json(made_up.metadata("plan9_amd64")),
        release.package_path("plan9_amd64"): Response.of_bytes(PLANTED.archive),
    }


def has_a_list_of_its_own_without_a_key(release: Release, parties: Parties) -> dict[str, Response]:
    made_up = replace(release, packages={"plan9_amd64": PLANTED}, offered=())
    own = {"shasums_url": "/own/SHA256SUMS", "shasums_signature_url": "/own/SHA256SUMS.sig"}
    return {
        **names_a_file_that_no_list_has(release, parties),
        release.metadata_path("plan9_amd64"): Response.of_json(made_up.metadata("plan9_amd64") | own),
        "/own/SHA256SUMS": Response.of_bytes(made_up.sums),
        "/own/SHA256SUMS.sig": Response.of_bytes(release.signature),
    }


@pytest.mark.parametrize("host", ["", OPENTOFU])
@pytest.mark.parametrize(
    ("answers", "verdicts", "code"),
    [
        (does_not_answer, {"unchecked"}, 3),
        (has_none, {"disowned"}, 1),
        (names_a_file_that_no_list_has, {"disowned"}, 1),
        (has_a_list_of_its_own_without_a_key, {"disowned", "unchecked"}, 1),
    ],
)
def test_unsigned_claims_never_extend_a_signed_list_whatever_their_platform_answers(
    scene: Scene, parties: Parties, host: str, answers: Answers, verdicts: set[str], code: int
) -> None:
    made = unsigned("widget", host=host) if host else unsigned("widget")
    release = parties.sign(made)
    claimed = {p: {"hashes": list(each.hashes), "package_size": len(each.archive)} for p, each in made.packages.items()}
    claimed["plan9_amd64"] = {"hashes": list(PLANTED.hashes), "package_size": len(PLANTED.archive)}
    changed = {
        release.metadata_path(platform): Response.of_json(release.metadata(platform) | {"packages": claimed})
        for platform in release.packages
    } | answers(release, parties)
    scene.serve(release, answers=lambda world: world.with_answers(release.host, changed))
    own = [text for package in release.packages.values() for text in package.hashes]
    scene.lock(entry(release, *own, PLANTED.zh))
    done = scene.check(*BOTH, expected=code)
    assert done.verdicts("widget")[PLANTED.zh] in verdicts
    assert done.confirmed("widget") == set(own)
    before = scene.lock(entry(release, *own))
    scene.run("lock", *BOTH)
    assert scene.lock_file.read_bytes() == before


def test_where_the_versions_name_no_platforms_the_signed_list_says_which_packages_there_are(
    scene: Scene, parties: Parties
) -> None:
    release = parties.release("widget")
    bare = Response.of_json({"versions": [{"version": "1.0.0"}]})

    def answers(world: World) -> World:
        return world.with_answers(release.host, {release.versions_path: bare})

    scene.serve(release, answers=answers)
    own = [text for package in release.packages.values() for text in package.hashes]
    scene.lock(entry(release, *own, PLANTED.zh, PLANTED.h1))
    done = scene.check(expected=1)
    assert done.verdicts("widget")[PLANTED.zh] == "disowned"
    assert done.verdicts("widget")[PLANTED.h1] == "unexplained"
    assert done.confirmed("widget") == set(own)


def test_what_a_trusted_mirror_lists_for_a_platform_that_was_not_looked_at_is_told_where_the_origin_lacks_it(
    scene: Scene, parties: Parties
) -> None:
    release = parties.release("widget")
    darwin = release.packages["darwin_arm64"]
    scene.serve(release, at_mirror=[mirrored(release, darwin_arm64=(darwin.h1, darwin.zh, PLANTED.zh))])
    own = [text for package in release.packages.values() for text in package.hashes]
    scene.lock(entry(release, *own, PLANTED.zh))
    (scene.folder / ".lockwarden.hcl").write_text(
        f'mirror "{MIRROR}" {{\n  trusted   = true\n  providers = ["*/*/*"]\n}}\n'
    )
    done = scene.check(*FROM_BOTH, *LINUX, expected=0)
    (problem,) = done.provider("widget")["problems"]
    assert (problem["code"], problem["severity"]) == ("mirror-lists-other", "warning")
    assert PLANTED.zh in problem["message"]
    looked = scene.check(*FROM_BOTH, *BOTH, expected=1)
    assert looked.verdicts("widget")[PLANTED.zh] in {"disowned", "unexplained"}
    assert json.loads(looked.out)["exit_code"] == 1
