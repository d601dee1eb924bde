"""`lockwarden registry audit`: no network without a sample, every form of report, and a sample with its confidence."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from builders.registry_metadata import HOST, SAMPLE_H1, Registry, target
from end_to_end.registry_runs import RegistryRun
from servers.installed import Ended

from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.world import Response


def audit(run: RegistryRun, *arguments: str, expected: int) -> Ended:
    place = () if arguments and arguments[0].startswith("https") else (".",)
    return run.lockwarden.run("registry", "audit", *place, *arguments, folder=run.folder, expected=expected)


def filled(name: str, version: str = "1.0.0", **more: Any) -> Any:
    made = target(name, version)
    return target(name, version, **{"h1": made.right_h1, "size": len(made.body), **more})


def test_findings_come_in_every_form_and_nobody_is_asked(backfilled: RegistryRun, key_maker: KeyMaker) -> None:
    made = Registry([filled("good"), filled("good", "0.9.0"), filled("half", size=0), target("none")])
    backfilled.serve(made)
    keys = backfilled.folder / "keys" / "a"
    (keys / "acme" / "none").mkdir(parents=True)
    (keys / "acme" / "none" / "provider.asc").write_text("no key")
    (keys / "alone").mkdir()
    key = key_maker.make("Acme", created=datetime(2026, 1, 1, tzinfo=UTC), algorithm="rsa3072")
    (keys / "alone" / "provider.asc").write_text(key.armor)
    (backfilled.folder / "versions_blacklist.json").write_text(
        json.dumps({"providers": [{"namespace": "acme", "name": "good", "version": "0.9.0", "reason": "x"}]})
    )
    (backfilled.folder / "providers" / "a" / "acme" / "broken.json").write_text("{")
    assert "providers/a/acme/broken.json: Cannot be read: " in audit(backfilled, expected=2).out
    (backfilled.folder / "providers" / "a" / "acme" / "broken.json").unlink()

    forms = [f"--report={form}:{form}.out" for form in ("json", "markdown", "sarif", "junit")]
    said = audit(backfilled, *forms, expected=1)
    report = json.loads((backfilled.folder / "json.out").read_text())
    problems = {
        (each["path"], problem["code"]): problem["line"]
        for each in report["lock_files"]
        for problem in each["problems"]
    }
    assert {code for _, code in problems} == {
        "metadata-hash",
        "metadata-key",
        "metadata-listed",
        "metadata-unfilled",
    }
    half = (backfilled.folder / "providers/a/acme/half.json").read_text().split("\n")
    line = problems["providers/a/acme/half.json", "metadata-hash"]
    assert '"os": "linux"' in half[line]
    assert ("keys/a/alone/provider.asc", "metadata-key") in problems
    assert ".: Nothing to object to: 3 metadata files, 4 versions (2 filled, 1 partly), 4 targets" in said.out
    for form in ("markdown", "sarif", "junit"):
        text = (backfilled.folder / f"{form}.out").read_text()
        assert "and no size" in text
        assert "must not be added" in text
    results = json.loads((backfilled.folder / "sarif.out").read_text())["runs"][0]["results"]
    places = [each["locations"][0]["physicalLocation"] for each in results if each["ruleId"] == "metadata-hash"]
    assert [each["region"]["startLine"] for each in places] == [line]
    assert backfilled.asked == 0


def test_a_file_that_the_registrys_tools_read_in_another_way_is_an_error(backfilled: RegistryRun) -> None:
    """Go minds no case in names, and takes the last of several: what was checked is not what they read."""
    backfilled.serve(Registry([filled("good")]))
    path = backfilled.folder / "providers/a/acme/good.json"
    honest = path.read_text()
    for name, value in (("Shasum", '"ee"'), ("\u017fhasum", '"ee"'), ("H1", f'"{SAMPLE_H1}"')):
        path.write_text(honest.replace('"h1":', f'"{name}": {value},\n          "h1":'))
        told = audit(backfilled, expected=1).out
        assert re.search(f"“{name}” (stands twice|is “h1”) .*, so readers may differ in what it says", told)
    path.write_text(honest.replace('"h1":', '"H1":'))
    told = audit(backfilled, expected=1).out
    assert "“H1” is “h1” to the registry's tools, which mind no case, so readers may differ in what it says" in told
    assert "a target has a key “H1”, in another case than the registry's" in told
    before = path.read_bytes()
    assert "“H1” is “h1” to the registry's tools" in backfilled.backfill(expected=2).err
    assert path.read_bytes() == before


def test_what_a_link_or_a_folder_that_cannot_be_read_hides_is_told_and_never_passed_over(
    backfilled: RegistryRun,
) -> None:
    backfilled.serve(Registry([filled("good")]))
    assert "Nothing to object to" in audit(backfilled, expected=0).out
    top, elsewhere = backfilled.folder, backfilled.folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "evil.json").write_text('{"versions": []}')
    before = backfilled.files
    key, blacklist = top / "keys/a/acme", top / "versions_blacklist.json"
    key.mkdir(parents=True)
    places = {
        # What stands there, and what of it is told, also where the registry's tools would read what it leads to.
        top / "providers/a/acme/evil.json": "providers/a/acme/evil.json is a symbolic link, and was not followed",
        top / "providers/e": "providers/e is a symbolic link, and was not followed",
        key / "provider.asc": "it is a symbolic link, and was not followed: whether it has keys, and whose, is open",
        top / "keys/e": "it is a symbolic link, and was not followed: whether it has keys, and whose, is open",
        blacklist: "versions_blacklist.json is a symbolic link, and was not followed",
    }
    for place, told in places.items():
        place.symlink_to(elsewhere / "evil.json" if place.suffix else elsewhere)
        ended = audit(backfilled, expected=1 if "keys" in place.parts else 2)
        assert told in ended.out + ended.err
        if "providers" in place.parts:
            assert told in backfilled.backfill(expected=2).err
        place.unlink()
    _too_deep(top / "other")
    assert "cannot be read: File name too long" in audit(backfilled, expected=2).out
    assert backfilled.files == before
    assert backfilled.asked == 0


def _too_deep(folder: Path) -> None:
    """Folders with a path that no program can name as a whole, as a change can bring them."""
    folder.mkdir()
    at = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=at)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)


def test_a_sample_is_fetched_again_and_says_how_sure_it_makes(backfilled: RegistryRun) -> None:
    made = Registry([filled(f"p{place}") for place in range(8)])
    backfilled.serve(made)
    sampled = ("--sample", "5", "--seed", "7", "--host-starts", "1000")
    told = audit(backfilled, *sampled, expected=0)
    assert (
        "5 of 5 packages that were fetched again, of 8 that are filled, are as the metadata says (seed 7)" in told.out
    )
    assert "with 95% confidence at most 45.07% of all are wrong" in told.out
    first = sorted(each.path for each in backfilled.server.journal.requests)
    assert len(first) == 5
    audit(backfilled, *sampled, expected=0)
    assert sorted(each.path for each in backfilled.server.journal.requests[5:]) == first

    # A wrong value is an error, and what could not be had leaves the sample open.
    wrong = next(each for each in made.targets if each.path == first[0])
    wrong.h1 = SAMPLE_H1
    gone = first[1]
    made.write(backfilled.folder)
    backfilled.server.serve(
        lambda host, path, headers: Response(status=404) if path == gone else made.respond(host, path, headers)
    )
    told = audit(backfilled, *sampled, expected=1)
    assert f"it is conflict: the file has {SAMPLE_H1}, and it is {wrong.right_h1}" in told.out
    assert "1 package of the sample could not be checked" in told.out
    assert "3 of 4 packages that were fetched again" in told.out
    wrong.h1 = wrong.right_h1
    made.write(backfilled.folder)
    assert "metadata-sample-open" in audit(backfilled, *sampled, "--format", "json", expected=3).out

    # A sample of nothing is no sample.
    for each in made.targets:
        each.h1, each.size = "", 0
    made.write(backfilled.folder)
    assert "no package could be drawn" in audit(backfilled, *sampled, expected=3).out


def test_metadata_is_audited_at_a_url_as_one_file_or_as_an_archive(backfilled: RegistryRun) -> None:
    made = Registry([filled("good"), filled("half", size=0)])
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name in ("good", "half"):
            member = tarfile.TarInfo(f"registry-main/providers/a/acme/{name}.json")
            member.size = len(made.file("acme", name))
            archive.addfile(member, io.BytesIO(made.file("acme", name)))
    deep = io.BytesIO()
    with tarfile.open(fileobj=deep, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("d/" * 1500 + "f"))
    answers = {
        "/deep.tar.gz": deep.getvalue(),
        "/main/providers/a/acme/good.json": made.file("acme", "good"),
        "/main.tar.gz": data.getvalue(),
    }

    def respond(host: str, path: str, headers: object) -> Response:
        return Response(body=answers[path]) if path in answers else Response(status=404)

    backfilled.server.serve(respond)
    base = f"https://{HOST}"
    told = audit(backfilled, f"{base}/main/providers/a/acme/good.json", expected=0)
    assert "1 metadata file, 1 version (1 filled, 0 partly)" in told.out
    told = audit(backfilled, f"{base}/main.tar.gz", expected=1)
    assert f"{base}/main.tar.gz/registry-main/providers/a/acme/half.json" in told.out
    assert "it has an h1 and no size" in told.out
    assert "answered 404" in audit(backfilled, f"{base}/main/providers/a/acme/gone.json", expected=2).err
    assert "is not named like a metadata file" in audit(backfilled, f"{base}/x.json", expected=2).err
    assert "no metadata can be had" in audit(backfilled, f"{base}/gone.tar.gz", expected=2).err
    told = audit(backfilled, f"{base}/deep.tar.gz", expected=2)
    assert "it has more than 256 folders within each other, which is the limit" in told.err
    assert backfilled.lockwarden.leftovers() == []


def test_an_untouched_tree_is_what_an_audit_leaves(backfilled: RegistryRun) -> None:
    backfilled.serve(Registry([target("one")]))

    def digests() -> dict[Path, str]:
        found = (path for path in backfilled.folder.rglob("*") if path.is_file())
        return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in found}

    before = digests()
    audit(backfilled, expected=0)
    assert digests() == before
