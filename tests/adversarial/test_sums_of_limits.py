"""Many things of which each is within its limit, things that come slowly, and files that change in between."""

from __future__ import annotations

import gc
import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from adversarial.checkout import Checkout, locked
from adversarial.parties import Parties
from adversarial.scene import LINUX, MIB, Scene, days_ago, entry, packages, with_documents
from builders.reading import SECOND_READER
from builders.three_providers import HOST
from servers.https import Breakage, Broken, Respond
from servers.journal import Request

from lockwarden.core.archives.inspection import ArchiveFacts, inspect_open_archive
from lockwarden.core.engine import lock_files
from lockwarden.core.lockfile.tokens import LockScanner
from lockwarden.core.store import packages_on_disk
from lockwarden.core.values.errors import InputError
from lockwarden.demo.packages import archive_name
from lockwarden.demo.world import Response

PLANTED = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


def message(problems: list[dict[str, str]], code: str) -> str:
    (found,) = [problem["message"] for problem in problems if problem["code"] == code]
    return found


def test_lock_files_of_too_many_hashes_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_files, "MAX_HASHES", 4)
    same = {f"{name}/.terraform.lock.hcl": locked("one", "two", "three") for name in "abc"}
    checkout = Checkout.of(tmp_path / "checkout", same)
    assert checkout.check("--recursive").code == 3, "what many lock files have is there once"
    checkout.write({"d/.terraform.lock.hcl": locked("four")})
    assert checkout.check("--recursive").code == 3
    checkout.write({"d/.terraform.lock.hcl": locked("four", "five")})
    with pytest.raises(InputError, match="more than 4 different hashes") as caught:
        checkout.check("--recursive")
    assert "d/.terraform.lock.hcl" in caught.value.hint


def test_a_lock_file_that_is_refused_leaves_nothing_in_memory(tmp_path: Path) -> None:
    path = tmp_path / ".terraform.lock.hcl"
    path.write_text('provider "registry.example.test/acme/one" {\n  hashes = ["zh:0", }\n')
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            assert lock_files.load(str(path), SECOND_READER).lock_file is None
        assert not [each for each in gc.get_objects() if isinstance(each, LockScanner)], "it holds all that was read"
    finally:
        gc.enable()


def test_what_was_not_asked_when_the_time_is_up_is_unchecked_and_said(scene: Scene, parties: Parties) -> None:
    slow, other = parties.release("slow"), parties.release("other")

    def stalling(respond: Respond) -> Respond:
        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            if path.startswith(slow.package_path("linux_amd64")):
                raise Broken(Breakage.STALL, response=respond(host, path, headers), after=10)
            return respond(host, path, headers)

        return answer

    scene.serve(slow, other, through=stalling)
    scene.lock(entry(slow, *slow.packages["linux_amd64"].hashes), entry(other))
    done = scene.check_to_its_end(*LINUX, "--timeout", "3", expected=3)
    assert done.verdicts("slow")[slow.packages["linux_amd64"].h1] == "unchecked"
    assert done.provider("slow")["findings"][0]["packages"][0]["outcome"] == "not asked"
    assert "was ended after 3 seconds" in message(done.provider("slow")["problems"], "audit-out-of-time")
    assert "audit-out-of-time" not in done.codes("other")


def test_a_signed_list_of_too_many_lines_is_no_answer(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    made_up = "".join(f"{number:064x}  {archive_name('widget', '1.0.0', f'os{number}_a')}\n" for number in range(3_000))
    sums = release.sums + made_up.encode()
    signature = parties.maker.sign(parties.author, sums, at=days_ago(2))
    scene.serve(release, answers=with_documents(release, sums, signature))
    scene.lock(entry(release))
    done = scene.check(*LINUX, expected=3)
    assert set(done.verdicts("widget").values()) == {"unchecked"}
    assert "more than 2000 lines" in message(done.provider("widget")["problems"], "sums-too-large")


def test_too_many_reported_hashes_are_no_answer(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    reported = [f"h1:{number}" for number in range(5_001)]
    answers = {
        release.metadata_path("linux_amd64"): Response.of_json(
            {**release.metadata("linux_amd64"), "hashes": reported},
        )
    }
    scene.serve(release, answers=lambda world: world.with_answers(HOST, answers))
    scene.lock(entry(release))
    done = scene.check(*LINUX, expected=3)
    assert done.verdicts("widget")[release.packages["linux_amd64"].h1] == "unchecked"
    assert "more than 5000 in all, which is the limit" in message(
        done.provider("widget")["problems"], "too-many-hashes"
    )


def test_documents_that_are_too_large_together_are_no_answer(scene: Scene, parties: Parties) -> None:
    """Every answer is within its own limit; each of 40 platforms adds one of a MiB."""
    release = parties.release("widget")
    named = [{"os": f"os{number}", "arch": "a"} for number in range(40)]
    versions = {"versions": [{"version": "1.0.0", "protocols": ["5.0"], "platforms": named}]}
    padding = " " * MIB
    answers = {release.versions_path: Response.of_json(versions)}
    for each in named:
        path = release.metadata_path(f"{each['os']}_{each['arch']}")
        body = json.dumps({**release.metadata("linux_amd64"), **each}) + padding
        answers[path] = Response(headers=(("Content-Type", "application/json"),), body=body.encode())
    scene.serve(release, answers=lambda world: world.with_answers(HOST, answers))
    scene.lock(entry(release))
    done = scene.check("--platform", "os0_a", expected=3)
    assert "unchecked" in done.verdicts("widget").values()
    told = message(done.provider("widget")["problems"], "documents-too-large")
    assert "33554432 bytes together, which is the limit" in told


def test_a_package_that_comes_compressed_is_cut_and_stays_nowhere(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    bomb = Response(
        headers=(("Content-Type", "application/zip"), ("Content-Encoding", "gzip")),
        body=gzip.compress(bytes(32 * MIB), 1),
    )
    scene.serve(
        release,
        answers=lambda world: world.with_answers(release.files_host, {release.package_path("linux_amd64"): bomb}),
    )
    scene.lock(entry(release))
    done = scene.check_to_its_end(*LINUX, expected=3)
    assert "more than 20 times its size" in message(done.provider("widget")["problems"], "content-encoding")
    cache = Path(scene.environment["XDG_CACHE_HOME"])
    assert [path for path in cache.rglob("*") if path.is_file() and path.stat().st_size > MIB] == []
    assert all(request.headers["accept-encoding"] == "identity" for request in package_requests(scene))


def package_requests(scene: Scene) -> list[Request]:
    return [request for request in scene.server.journal.requests if request.path.endswith(".zip")]


def swapped_in_between(patch: pytest.MonkeyPatch, path: Path, content: bytes) -> None:
    """Others write to the file at the one moment that matters: it was hashed, and is about to be looked into."""

    def swapping(file: int, **given: Any) -> ArchiveFacts:
        before = path.stat()
        with path.open("r+b") as other:
            other.write(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        return inspect_open_archive(file, **given)

    patch.setattr(packages_on_disk, "inspect_open_archive", swapping)


def test_bytes_that_a_mirror_swaps_between_hashing_and_looking_are_seen_by_neither(
    scene: Scene, parties: Parties, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    release = parties.release("widget")
    right, hostile = release.packages["linux_amd64"], packages("widget", build="hostile")["linux_amd64"]
    mirror = tmp_path / "mirror"
    path = mirror / HOST / "acme" / "widget" / archive_name("widget", "1.0.0", "linux_amd64")
    path.parent.mkdir(parents=True)
    path.write_bytes(right.archive)
    scene.serve(release)
    scene.lock(entry(release, *right.hashes, hostile.h1))
    swapped_in_between(monkeypatch, path, hostile.archive)
    done = scene.check("--source", mirror, *LINUX, expected=3)
    assert path.read_bytes()[: len(hostile.archive)] == hostile.archive
    assert hostile.h1 not in done.confirmed("widget")
    assert right.h1 in done.confirmed("widget")


def test_a_cached_package_that_others_may_write_to_is_fetched_anew(scene: Scene, parties: Parties) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    scene.check(*LINUX, expected=3)
    cache = Path(scene.environment["XDG_CACHE_HOME"]) / "lockwarden"
    for fact in (cache / "facts").iterdir():
        fact.unlink()
    (package,) = (cache / "packages").iterdir()
    package.chmod(0o606)
    scene.server.journal.clear()
    scene.check(*LINUX, expected=3)
    assert len(package_requests(scene)) == 1
    assert package.stat().st_mode & 0o777 == 0o600
