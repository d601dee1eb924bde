"""A registry that lies, that was taken over, or whose documents were changed by somebody on the way."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, LINUX, PLATFORMS, Scene, days_ago, entry, packages, unsigned, with_documents
from builders.three_providers import MIRROR
from servers.https import Respond
from servers.no_connections import over_connections

from lockwarden.demo.mirrors import Mirrored, write_unpacked
from lockwarden.demo.packages import archive_name
from lockwarden.demo.releases import DISCOVERY, HashesShape
from lockwarden.demo.world import Response


def test_a_false_h1_of_another_platform_is_unchecked_and_a_contradiction_once_its_package_was_looked_at(
    scene: Scene, parties: Parties
) -> None:
    made = unsigned("compass")
    true, lie = made.packages["darwin_arm64"], packages("compass", build="never released")["darwin_arm64"].h1
    release = parties.sign(replace(made, extra_hashes=HashesShape.PACKAGES, reported={"darwin_arm64": (true.zh, lie)}))
    scene.serve(release)
    scene.lock(entry(release, *made.packages["linux_amd64"].hashes, true.zh, lie))
    before = scene.check(*LINUX, expected=3)
    assert before.verdicts("compass")[lie] == "unchecked"
    after = scene.check_to_its_end(*BOTH, expected=1)
    assert after.verdicts("compass")[lie] == "unexplained"
    assert after.confirmed("compass") == {*made.packages["linux_amd64"].hashes, true.zh}
    assert after.codes("compass") == {"registry-h1-differs"}


def test_hashes_of_an_older_version_that_the_registry_reports_are_contradicted(scene: Scene, parties: Parties) -> None:
    older = unsigned("gauge", version="0.9.0").packages["linux_amd64"]
    release = parties.sign(
        replace(unsigned("gauge"), extra_hashes=HashesShape.PACKAGES, reported={"linux_amd64": older.hashes})
    )
    scene.serve(release)
    scene.lock(entry(release, *older.hashes))
    done = scene.check(*BOTH, expected=1)
    assert {text: done.verdicts("gauge")[text] for text in older.hashes} == {
        older.zh: "disowned",
        older.h1: "unexplained",
    }
    assert done.codes("gauge") == {"registry-h1-differs", "reported-hashes-contradict-sums"}


def test_a_validly_signed_list_of_another_provider_vouches_for_nothing(scene: Scene, parties: Parties) -> None:
    other, release = parties.release("other"), parties.release("widget")
    scene.serve(release, answers=with_documents(release, other.sums, other.signature))
    scene.lock(entry(release))
    done = scene.check(*LINUX, expected=1)
    assert done.confirmed("widget") == set()
    assert "sums-of-another-release" in done.codes("widget")


def test_a_signature_over_another_document_is_bad_and_the_list_counts_for_nothing(
    scene: Scene, parties: Parties
) -> None:
    earlier, release = parties.release("widget", version="0.9.0"), parties.release("widget")
    scene.serve(release, answers=with_documents(release, release.sums, earlier.signature))
    scene.lock(entry(release))
    done = scene.check(*LINUX, expected=1)
    assert set(done.verdicts("widget").values()) == {"unchecked"}
    assert done.codes("widget") == {"signature-bad"}


def test_a_list_of_what_are_no_versions_is_not_called_an_empty_one(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    versions = Response.of_json({"versions": [{"version": "one"}, {"version": "v1.0.0"}]})
    scene.serve(release, answers=lambda world: world.with_answers(release.host, {release.versions_path: versions}))
    scene.lock(entry(release))
    done = scene.check(*LINUX, expected=3)
    assert done.codes("widget") == {"versions-invalid"}
    assert set(done.verdicts("widget").values()) == {"unchecked"}
    told = " ".join(problem["message"] for problem in done.provider("widget")["problems"])
    assert "“one”" in told


@pytest.mark.parametrize("what", ["one platform", "every platform", "provider", "services", "discovery", "versions"])
def test_what_a_registry_denies_makes_no_right_hash_a_strange_one(scene: Scene, parties: Parties, what: str) -> None:
    """Registries answer so to whoever may not see it; nothing was hashed that speaks against an `h1`.

    Nor does a mirror that holds the packages of one platform, as mirrors do.
    """
    release = parties.release("widget")
    gone, nothing = Response(status=404, body=b"{}"), Response.of_json({})
    linux, darwin = (release.metadata_path(platform) for platform in PLATFORMS)
    answers = {
        "one platform": {darwin: gone},
        "every platform": {linux: gone, darwin: gone},
        "provider": {release.versions_path: gone},
        "services": {DISCOVERY: nothing},
        "discovery": {DISCOVERY: gone},
        "versions": {release.versions_path: Response.of_json({"versions": [{"version": "one"}]})},
    }[what]
    own = release.packages["linux_amd64"]
    held = Mirrored(address=release.address, version=release.version, packages={"linux_amd64": own})
    scene.serve(release, at_mirror=[held], answers=lambda world: world.with_answers(release.host, answers))
    scene.lock(entry(release))
    write_unpacked(scene.folder / "held", [held])
    for mirror, known in ((MIRROR, own.hashes), (scene.folder / "held", (own.h1,))):
        done = scene.check(*BOTH, "--source", "direct", "--source", str(mirror), expected=3)
        assert set(done.verdicts("widget").values()) <= {"confirmed", "unchecked"}
        if what in {"provider", "discovery"}:
            assert done.confirmed("widget") == set(known)
    done = scene.check(*BOTH, expected=3)
    fetched = own.h1
    zhs = {package.zh for package in release.packages.values()}
    assert done.confirmed("widget") == ({fetched, *zhs} if what == "one platform" else set())
    assert set(done.verdicts("widget").values()) <= {"confirmed", "unchecked"}
    reasons = " ".join(text for row in done.provider("widget")["hashes"] for text in row["reasons"])
    assert "drop it" not in reasons
    assert ("credentials" in reasons) is (what != "versions")


def test_a_file_with_two_digests_in_a_signed_list_is_believed_neither_way(scene: Scene, parties: Parties) -> None:
    release, name = parties.release("widget"), archive_name("widget", "1.0.0", "linux_amd64")
    hostile = packages("widget", build="hostile")["linux_amd64"]
    sums = f"{hostile.digest}  {name}\n".encode() + release.sums
    signature = parties.maker.sign(parties.author, sums, at=days_ago(2))
    scene.serve(release, answers=with_documents(release, sums, signature))
    scene.lock(entry(release, *release.packages["linux_amd64"].hashes, *hostile.hashes))
    done = scene.check(*LINUX, expected=1)
    assert done.confirmed("widget") == set()
    assert done.codes("widget") == {"sums-conflict"}


def test_a_line_for_the_lists_own_signature_is_explained_and_still_fails(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    line = b"a" * 64 + b"  terraform-provider-widget_1.0.0_SHA256SUMS.sig\n"
    scene.serve(release, answers=with_documents(release, release.sums + line, release.signature))
    scene.lock(entry(release))
    done = scene.check(*LINUX, expected=1)
    assert done.confirmed("widget") == set()
    (problem,) = done.provider("widget")["problems"]
    assert problem["code"] == "signature-bad"
    assert "line 3 lists the signature itself" in problem["message"]


def test_a_key_with_the_authors_name_is_not_the_authors_key(scene: Scene, parties: Parties) -> None:
    assert parties.intruder.user_id == parties.author.user_id
    release = replace(parties.sign(unsigned("widget"), by=parties.intruder), offered=(parties.author,))
    scene.serve(release)
    scene.lock(entry(release))
    done = scene.check(*LINUX, expected=1)
    assert done.confirmed("widget") == set()
    (problem,) = done.provider("widget")["problems"]
    assert problem["code"] == "signature-unknown-issuer"
    assert parties.intruder.fingerprint in problem["message"]
    assert parties.author.fingerprint in problem["message"]


def test_a_registry_that_offers_no_key_any_more_is_never_called_signed(scene: Scene, parties: Parties) -> None:
    default = parties.sign(unsigned("widget", host="registry.opentofu.org"), offered=False)
    other = parties.sign(unsigned("gadget"), offered=False)
    scene.serve(default, other)
    scene.lock(entry(default), entry(other))
    done = scene.check(*BOTH, expected=1)
    assert done.provider("widget")["summary"] == "signing skipped"
    assert done.codes("widget") == {"signing-skipped"}
    assert done.codes("gadget") == {"signing-key-missing"}
    assert done.confirmed("gadget") == set()
    assert [row["signed_by_fingerprints"] for row in done.provider("widget")["hashes"]] == [[]] * 4


DEBUG = "terraform-provider-widget_1.0.0_debug.zip"


@pytest.mark.parametrize("instead", ["other platform", "other file"])
def test_another_file_of_the_signed_list_is_not_the_package_of_the_platform_that_was_asked_for(
    scene: Scene, parties: Parties, instead: str
) -> None:
    debug = packages("widget", build="debug")["linux_amd64"]
    release = parties.sign(replace(unsigned("widget"), other_files={DEBUG: debug.archive}))
    mine, other = release.packages["darwin_arm64"], release.packages["linux_amd64"]
    given, name, code = {
        "other platform": (other, archive_name("widget", "1.0.0", "linux_amd64"), "answer-for-other-platform"),
        "other file": (debug, DEBUG, "shasum-contradicts-sums"),
    }[instead]
    answer = release.metadata("darwin_arm64") | {
        "filename": name,
        "shasum": given.digest,
        "download_url": release.file_path(name),
    }
    answers = {release.metadata_path("darwin_arm64"): Response.of_json(answer)}
    scene.serve(release, answers=lambda world: world.with_answers(release.host, answers))
    scene.lock(entry(release, *entry(release).hashes, debug.h1))
    done = scene.check(*BOTH, expected=1)
    assert done.codes("widget") == {code}
    assert done.confirmed("widget") == {mine.zh, *other.hashes}
    assert done.verdicts("widget")[mine.h1] == "unchecked"
    assert done.verdicts("widget")[debug.h1] == "unchecked"
    of_other = next(row for row in done.provider("widget")["hashes"] if row["hash"] == other.h1)
    assert of_other["platforms"] == ["linux_amd64"]


@pytest.mark.parametrize("enforced", [False, True])
def test_where_signatures_are_enforced_a_registry_without_keys_vouches_for_nothing(
    scene: Scene, parties: Parties, enforced: bool
) -> None:
    release = parties.sign(unsigned("widget", host="registry.opentofu.org"), offered=False)
    scene.serve(release)
    scene.lock(entry(release))
    scene.environment |= {"OPENTOFU_ENFORCE_GPG_VALIDATION": "true"} if enforced else {}
    done = scene.check(*BOTH, expected=1 if enforced else 0)
    assert bool(done.confirmed("widget")) is not enforced


def test_one_package_for_two_platforms_is_one_hash_with_both(scene: Scene, parties: Parties) -> None:
    made = unsigned("widget")
    release = parties.sign(replace(made, packages=dict.fromkeys(made.packages, made.packages["linux_amd64"])))
    scene.serve(release)
    scene.lock(entry(release))
    done = scene.check(*BOTH, expected=0)
    assert [row["platforms"] for row in done.provider("widget")["hashes"]] == [["darwin_arm64", "linux_amd64"]] * 2
    assert len(done.confirmed("widget")) == 2


@pytest.mark.parametrize("first", [BOTH, LINUX], ids=["with both asked", "by an earlier run"])
def test_what_a_registry_gave_for_one_platform_does_not_stand_for_an_equal_package_that_cannot_be_had(
    scene: Scene, parties: Parties, first: tuple[str, ...]
) -> None:
    made = unsigned("widget")
    release = parties.sign(replace(made, packages=dict.fromkeys(made.packages, made.packages["linux_amd64"])))
    gone = {release.package_path("darwin_arm64"): Response.of_status(404, text="gone")}
    scene.serve(release, answers=lambda world: world.with_answers(release.files_host, gone))
    scene.lock(entry(release))
    scene.check_any(*first)
    done = scene.check("--platform", "darwin_arm64", expected=3)
    (cell,) = (each for each in done.provider("widget")["coverage"] if each["platform"] == "darwin_arm64")
    assert cell["outcome"] == "refused"
    assert "http-status" in done.codes("widget")


def test_the_same_audit_gives_the_same_bytes_whichever_answer_comes_first(scene: Scene, parties: Parties) -> None:
    """Each platform has a list of its own, and in turn the answers of one of them come late."""
    release, other = parties.release("widget"), parties.release("gauge")
    scene.lock(entry(release), entry(other))
    reports: dict[str, set[str]] = {form: set() for form in ("json", "text", "markdown", "sarif")}
    for late in PLATFORMS:

        def slow(respond: Respond, late: str = late) -> Respond:
            def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
                if path in (release.metadata_path(late), other.package_path(late)):
                    time.sleep(0.1)
                return respond(host, path, headers)

            return answer

        scene.serve(release, other, through=slow)
        with over_connections():
            for form, seen in reports.items():
                seen.add(scene.check(*BOTH, "--no-cache", expected=0, form=form).out)
    assert {form: len(seen) for form, seen in reports.items()} == dict.fromkeys(reports, 1)
