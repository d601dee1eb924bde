"""`lockwarden registry backfill` against a misbehaving HTTPS server: every trouble ends in its own state."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders.registry_metadata import (
    HOST,
    SAMPLE,
    SAMPLE_H1,
    SAMPLE_PATH,
    SAMPLE_SIZE,
    SAMPLE_URL,
    SAMPLE_ZH,
    Registry,
    journal_of,
    package,
    sample_package,
    target,
    without_times,
)
from end_to_end.registry_runs import JOURNAL, RegistryRun
from servers.https import Breakage, Broken

from lockwarden.core.engine.registries.journals import OpenJournal
from lockwarden.demo.world import Response

OTHER = "storage.example.test"


def test_the_sample_is_filled_to_the_right_hash_and_size_and_nothing_else_changes(
    backfilled: RegistryRun,
) -> None:
    assert hashlib.sha256(sample_package()).hexdigest() == SAMPLE_ZH
    assert len(sample_package()) == SAMPLE_SIZE
    path = backfilled.folder / SAMPLE_PATH
    path.parent.mkdir(parents=True)
    path.write_bytes(SAMPLE.encode())
    backfilled.server.serve(lambda host, path, headers: Response(body=sample_package()))

    planned = backfilled.backfill("--step", "plan", expected=0)
    dry = backfilled.backfill("--dry-run", expected=0)
    assert backfilled.asked == 0
    assert planned.out in dry.out
    assert "2 targets: 1 filled, 0 half filled, 1 not filled" in planned.out
    assert f"from {HOST}: 1 package" in planned.out
    assert not (backfilled.journal).exists()

    backfilled.backfill("--step", "run", expected=0)
    assert path.read_bytes() == SAMPLE.encode()
    line = journal_of(backfilled.journal)[SAMPLE_URL]
    assert (line["state"], line["h1_archive"], line["h1_dir"]) == ("done", SAMPLE_H1, SAMPLE_H1)
    assert (line["zh"], line["size"], line["entries"], line["status"]) == (SAMPLE_ZH, SAMPLE_SIZE, 2, 200)
    assert line["subjects"] == [["acme/widget", "1.1.0", "linux_amd64"]] or line["subjects"] == [
        {"provider": "acme/widget", "version": "1.1.0", "platform": "linux_amd64"}
    ]
    (asked,) = backfilled.server.journal.requests
    assert asked.authorization is None
    assert asked.user_agent.startswith("lockwarden/")

    applied = backfilled.backfill("--step", "apply", expected=0)
    assert "1 target filled in 1 file" in applied.out
    right = SAMPLE.replace('"h1": ""', f'"h1": "{SAMPLE_H1}"').replace('"size": 0', f'"size": {SAMPLE_SIZE}')
    assert path.read_text() == right
    again = backfilled.backfill(expected=0)
    assert path.read_text() == right
    assert backfilled.asked == 1
    assert "0 targets filled in 0 files" in again.out


class Troubles:
    """Many packages, each with the trouble that it is named by, and a server that makes it."""

    def __init__(self) -> None:
        empty = package({})
        encrypted = bytearray(target("encrypted").body)
        encrypted[6] |= 1
        encrypted[encrypted.index(b"PK\1\2") + 8] |= 1
        line_feed = package({"a\nb": b"x", "terraform-provider-linefeed_v1.0.0": b"x"})
        self.bodies = {
            "empty": empty,
            "encrypted": bytes(encrypted),
            "linefeed": line_feed,
            "nozip": b"no archive at all",
        }
        sha = {name: hashlib.sha256(body).hexdigest() for name, body in self.bodies.items()}
        names = ["good", "gone404", "gone410", "remade", "html", "cut", "private401", "private403", "limited429"]
        names += ["limited403", "faulty500", "once503", "reset", "redirected", "plainredirect", "toolarge", "folders"]
        made = [target(name) for name in names] + [target(name, shasum=sha[name]) for name in self.bodies]
        made += [
            target("gone404", "0.9.0"),
            target("absent", h1=None, size=None),
            target("halfsize", size=len(target("halfsize").body)),
            target("halfh1", h1=target("halfh1").right_h1),
            target("wrongsize", size=7),
            target("wrongh1", h1=SAMPLE_H1),
            target("twin", namespace="hashicorp", url="https://twin.example.test" + target("twin").path),
            target("twin"),
            target("filled", h1=target("filled").right_h1, size=len(target("filled").body)),
            target("odd", shasum="no digest"),
            target("nothing", shasum=hashlib.sha256(b"").hexdigest()),
            target("plainhttp", url="http://dl.example.test/plain.zip"),
        ]
        for each in made:
            # Each has a host of its own, so that what one does holds up no other.
            each.host = f"{each.name}.example.test"
            if each.name == "folders":
                each.folders = ("docs/",)
            if each.name == "toolarge":
                each.members = {"terraform-provider-toolarge_v1.0.0": b"x" * 3000}
        self.registry = Registry(made)
        self.counts: dict[str, itertools.count[int]] = {}

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        name = path.split("/")[2]
        asked = next(self.counts.setdefault(name, itertools.count()))
        bare = path.partition("?")[0]
        right = self.registry.respond(f"{name}.example.test", bare, headers)
        if host == OTHER:
            # A pre-signed address that expires after its first use.
            return Response(status=403) if asked == 1 and "token=1" in path else right
        match name:
            case "gone404" if "v1.0.0" in path:
                return Response(status=404)
            case "gone410":
                return Response(status=410)
            case "remade":
                return Response(headers=right.headers, body=right.body + b"\n")
            case "html":
                return Response(headers=(("Content-Type", "text/html"),), body=b"<html>Sign in</html>")
            case "cut":
                raise Broken(Breakage.CLOSE, response=Response(body=right.body), after=len(right.body) // 2)
            case "private401":
                return Response(status=401)
            case "private403":
                return Response(status=403)
            case "limited429":
                return Response(status=429, headers=(("Retry-After", "0"),))
            case "limited403":
                return Response(status=403, headers=(("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1")))
            case "faulty500":
                return Response(status=500)
            case "once503" if not asked:
                return Response(status=503, headers=(("Retry-After", "0"),))
            case "reset":
                raise Broken(Breakage.RESET)
            case "redirected":
                return Response(status=302, headers=(("Location", f"https://{OTHER}{bare}?token={asked + 1}"),))
            case "plainredirect":
                return Response(status=302, headers=(("Location", f"http://{host}{bare}"),))
        return Response(headers=right.headers, body=self.bodies[name]) if name in self.bodies else right


STATES = {
    "good": "done",
    "gone404": "missing",
    "gone410": "missing",
    "remade": "changed",
    "html": "changed",
    "cut": "changed",
    "private401": "forbidden",
    "private403": "forbidden",
    "limited429": "throttled",
    "limited403": "throttled",
    "faulty500": "failed",
    "once503": "done",
    "reset": "failed",
    "redirected": "done",
    "plainredirect": "failed",
    "toolarge": "too-large",
    "folders": "done",
    "empty": "corrupt",
    "encrypted": "corrupt",
    "linefeed": "corrupt",
    "nozip": "corrupt",
    "absent": "done",
    "halfsize": "done",
    "halfh1": "done",
    "wrongsize": "conflict",
    "wrongh1": "conflict",
    "twin": "done",
}


@pytest.fixture
def troubles(backfilled: RegistryRun) -> Troubles:
    made = Troubles()
    backfilled.serve(made.registry, made.respond)
    return made


def test_each_trouble_ends_in_its_state_and_only_what_is_verified_is_written(
    backfilled: RegistryRun, troubles: Troubles
) -> None:
    before = backfilled.files
    limits = ("--max-package-size", "2500", "--host-requests", "30")
    ended = backfilled.backfill(*limits, expected=1)
    lines = journal_of(backfilled.journal)
    by_name = {line["url"].split("/")[4]: line for url, line in lines.items() if "v0.9.0" not in url}
    assert {name: line["state"] for name, line in by_name.items()} == STATES
    (older,) = (line for url, line in lines.items() if "v0.9.0" in url)
    assert older["state"] == "done"  # a missing release ends nothing

    # Evidence of what was seen, and no query of a signed address anywhere.
    assert by_name["remade"]["zh"] == hashlib.sha256(target("remade").body + b"\n").hexdigest()
    assert "text/html" in by_name["html"]["reason"]
    assert "token=" not in (backfilled.journal).read_text()
    assert (by_name["redirected"]["final_host"], len(by_name["redirected"]["redirects"])) == (OTHER, 1)
    assert by_name["folders"]["dir_entries"] == 1
    assert by_name["folders"]["h1_archive"] != by_name["folders"]["h1_dir"]
    assert len(by_name["twin"]["subjects"]) == 2
    assert sum("/twin/" in each.path for each in backfilled.server.journal.requests) == 1
    assert all(each.scheme == "https" for each in backfilled.server.journal.requests)
    asked = {each.path.split("/")[2] for each in backfilled.server.journal.requests}
    assert asked.isdisjoint({"filled", "odd", "nothing"})
    assert "plain.zip" not in str(backfilled.server.journal.requests)

    # In the files only hashes and sizes changed, of just these.
    done = {name for name, state in STATES.items() if state == "done"}
    for path, data in backfilled.files.items():
        name = Path(path).stem
        old, new = json.loads(before[path]), json.loads(data)
        assert (data != before[path]) is (name in done | {"gone404"}), name
        for version, other in zip(new["versions"], old["versions"], strict=True):
            for made, was in zip(version.pop("targets"), other.pop("targets"), strict=True):
                right = next(
                    each
                    for each in troubles.registry.targets
                    if each.filename == made["filename"] and f"/{each.namespace}/" in f"/{path}"
                )
                h1, size = made.pop("h1", ""), made.pop("size", 0)
                expected = (right.h1 or "", right.size or 0)
                if name in done or right.version == "0.9.0":
                    expected = (right.right_h1, len(right.body))
                assert (h1, size) == expected, name
                assert made == {key: was[key] for key in was if key not in {"h1", "size"}}
        assert new == old
    assert "conflict: providers/a/acme/wrongsize.json: 1.0.0 linux_amd64 has 7 bytes already" in ended.out

    # What may pass is asked again by the next run; nothing else is, and what was done stays.
    after = backfilled.files
    count = backfilled.asked
    again = backfilled.backfill(*limits, expected=1)
    later = {each.path.split("/")[2] for each in backfilled.server.journal.requests[count:]}
    assert later == {name for name, state in STATES.items() if state in {"failed", "throttled"}} - {"plainredirect"} | {
        "plainredirect"
    }
    assert backfilled.files == after
    assert "settled before as missing: 2 packages" in again.out
    assert backfilled.lockwarden.leftovers() == []


def test_budgets_shards_and_hosts_bound_a_run_and_several_journals_are_applied_together(
    backfilled: RegistryRun,
) -> None:
    made = Registry([target(f"p{number}") for number in range(6)])
    backfilled.serve(made)
    limited = backfilled.backfill("--step", "run", "--max-packages", "2", expected=3)
    assert "the budget of packages is spent" in limited.out
    assert backfilled.asked == 2
    refused = backfilled.backfill("--step", "run", "--host", "elsewhere.example.test", expected=0)
    assert "not asked for, because its host is not among those that may be asked: 4 targets" in refused.out
    for number in (1, 2):
        journals = ("--journal", f"{number}.jsonl", "--journal", JOURNAL)
        backfilled.backfill("--step", "run", "--shard", f"{number}/2", *journals, expected=0)
    assert backfilled.asked == 6
    together = ("--journal", "1.jsonl", "--journal", "2.jsonl", "--journal", JOURNAL)
    applied = backfilled.backfill("--step", "apply", *together, expected=0)
    assert "6 targets filled in 6 files" in applied.out
    assert len(without_times(backfilled.journal)) == 2

    # Journals that contradict each other, and damaged ones, stop everything before a byte is written.
    line: dict[str, Any] = json.loads((backfilled.journal).read_text().splitlines()[0])
    (backfilled.folder / "3.jsonl").write_text(json.dumps(line | {"h1_archive": SAMPLE_H1, "worker": "odd"}) + "\n")
    told = backfilled.backfill(*together, "--journal", "3.jsonl", expected=2)
    assert "contradict each other" in told.err
    assert SAMPLE_H1 in told.err
    (backfilled.folder / "4.jsonl").write_text("{\n" + json.dumps(line) + "\n")
    told = backfilled.backfill("--journal", "4.jsonl", expected=2)
    assert "4.jsonl:1: the journal is damaged here" in told.err
    assert backfilled.asked == 6


def test_words_that_cannot_be_used_are_told_in_a_sentence(backfilled: RegistryRun) -> None:
    backfilled.serve(Registry([target("one")]))
    for arguments, words in {
        ("--shard", "3/2"): "“3/2” is not NUMBER/OF",
        ("--max-bytes", "lots"): "“lots” is not a size",
        ("--host-requests", "99"): "--host-requests takes 1 to 30",
        ("--jobs", "0"): "--jobs: 0 is not a number",
        ("--workers", "1", "--scheduler", "tcp://127.0.0.1:1"): "exclude each other",
    }.items():
        told = backfilled.backfill(*arguments, expected=2)
        assert words in told.err
        assert "hint:" in told.err
    other = backfilled.folder.parent / "home"
    told = backfilled.lockwarden.run("registry", "backfill", ".", folder=other, expected=2)
    assert "is no folder with the metadata of a registry" in told.err
    with OpenJournal(backfilled.journal):
        assert "another run writes to the journal" in backfilled.backfill(expected=2).err
    assert backfilled.asked == 0


def test_no_package_is_put_where_a_link_in_the_place_of_the_scratch_folder_leads(backfilled: RegistryRun) -> None:
    backfilled.serve(Registry([target("one")]))
    mine, link = backfilled.folder.parent / "home", backfilled.folder / f"{JOURNAL}.scratch"
    before = sorted(mine.rglob("*"))
    link.symlink_to(mine)
    told = backfilled.backfill(expected=2)
    assert f"{JOURNAL}.scratch cannot be made, where packages lie until they are hashed" in told.err
    assert sorted(mine.rglob("*")) == before
    assert backfilled.asked == 0
    link.unlink()
    backfilled.backfill(expected=0)
