"""`lockwarden modules --compare` and `--diff`: installed copies beside packages, and accepted ones beside today's."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from builders.schema import violations
from end_to_end.checked_modules import GIT, LOCK, OCI, Repository, Sources, checked, codes, installed, tree_on
from end_to_end.module_packages import HOST, call, zipped
from end_to_end.pull_requests import PullRequest
from servers.https import HttpsServer
from servers.installed import Lockwarden
from unit.oci.tars import file, tar

from lockwarden.demo.world import Response

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "modules.schema.json").read_text(encoding="utf-8"))
ONE = {"main.tf": "# one\n", ".hidden": "hidden\n"}
SOURCES = {"oci": f"{OCI}?tag=1.0.0", "git": f"{GIT}?ref=v1.0.0", "zip": f"https://{HOST}/vpc.zip"}


@pytest.fixture
def sources(https_server: HttpsServer, tmp_path: Path) -> Sources:
    found = Sources(server=https_server, git=Repository(tmp_path / "vpc.git"))
    found.push({name: text.encode() for name, text in ONE.items()})
    found.git.commit_files(ONE)
    archive = zipped({name: text.encode() for name, text in ONE.items()})
    https_server.serve(
        lambda host, path, headers: (
            Response(status=200, body=archive) if path == "/vpc.zip" else found.respond(host, path, headers)
        )
    )
    return found


@pytest.fixture
def tree(sources: Sources, lockwarden: Lockwarden, tmp_path: Path) -> PullRequest:
    """Three calls, whose modules are installed: one of them as a second copy."""
    made = tree_on(tmp_path / "tree", lockwarden, {"main.tf": "".join(call(*each) for each in SOURCES.items())})
    installed(made.folder, SOURCES, {"oci": ONE, "git": ONE, "zip": {"main.tf": "# one\n"}})
    return made


def run(tree: PullRequest, *words: str, expected: int) -> dict[str, Any]:
    done = tree.lockwarden.run("modules", *words, "--format=json", folder=tree.folder, expected=expected)
    assert list(violations(done.report, SCHEMA)) == []
    assert tree.lockwarden.leftovers() == []
    report: dict[str, Any] = done.report
    return report


def states(report: dict[str, Any]) -> dict[str, str]:
    return {each["key"]: each["comparison"]["state"] for each in report["configurations"][0]["calls"]}


def head(tree: PullRequest, text: str) -> None:
    """What the `.git` of the installed repository says."""
    folder = tree.folder / ".terraform" / "modules" / "git" / ".git"
    folder.mkdir(exist_ok=True)
    (folder / "HEAD").write_text(text)


def test_installed_copies_are_held_against_the_packages_of_their_sources(sources: Sources, tree: PullRequest) -> None:
    text = tree.lockwarden.run("modules", "--compare", folder=tree.folder, expected=0).out
    assert text.count("what is installed is its package, file by file: h1:") == 3

    modules = tree.folder / ".terraform" / "modules"
    for key in SOURCES:
        (modules / key / "main.tf").write_text("# One\n")
    first = sources.git._git("rev-parse", "main")
    head(tree, f"{first}\n")
    done = tree.lockwarden.run("modules", "--compare", "--format=json", folder=tree.folder, expected=1)
    assert states(done.report) == {"oci": "different", "git": "locally changed", "zip": "different"}
    assert done.out.count("main.tf is changed") == 6
    moved = sources.git.commit_files({"main.tf": "# two\n"})
    report = run(tree, "--compare", expected=1)
    assert states(report)["git"] == "other revision"
    assert report["configurations"][0]["calls"][1]["comparison"]["reason"] == (
        f"{first} is installed, and {moved} is meant today"
    )
    (modules / "git" / "main.tf").write_text("# two\n")
    (modules / "git" / ".hidden").unlink()
    assert states(run(tree, "--compare", expected=1))["git"] == "equal"
    sources.down = True
    assert states(run(tree, "--compare", expected=1)) == {"oci": "unknown", "git": "unknown", "zip": "different"}


VPC = f"{HOST}/acme/vpc/aws"
TREE = {"main.tf": "# main\n", "child/main.tf": "# child\n", "child/.hidden": "hidden\n"}
TARS: dict[str, Callable[[bytes], bytes]] = {
    "/files/vpc.tar.gz": gzip.compress,
    "/files/vpc.tar.bz2": bz2.compress,
    "/files/vpc.txz": lzma.compress,
    "/direct": gzip.compress,
}


@pytest.fixture
def led_to(https_server: HttpsServer, sources: Sources) -> Sources:
    """A registry whose versions lie in archives, in git and in OCI, servers that lead on, and archives."""
    data = {name: text.encode() for name, text in TREE.items()}
    packed = tar([file(name, content) for name, content in data.items()])
    sources.push(data)
    sources.git.commit_files(TREE)
    archives = {path: compress(packed) for path, compress in TARS.items()}
    locations = {
        "1.0.0": {"location": f"{GIT}//child?ref=v1.0.0"},
        "1.1.0": {"location": f"{OCI}//child?tag=1.0.0"},
        "1.2.0": {"location": "/files/vpc.txz//child"},
        "1.3.0": {"location": f"https://{HOST}/direct", "use_registry_credentials": False},
    }

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        path = path.removesuffix("?terraform-get=1")
        if path == "/.well-known/terraform.json":
            return Response(status=200, body=b'{"modules.v1": "/modules"}')
        if path == "/modules/acme/vpc/aws/versions":
            listed = {"modules": [{"versions": [{"version": each} for each in locations]}]}
            return Response(status=200, body=json.dumps(listed).encode())
        if path.startswith("/modules/acme/vpc/aws/"):
            return Response(status=200, body=json.dumps(locations[path.split("/")[5]]).encode())
        if path in archives:
            return Response(status=200, body=archives[path])
        match path:
            case "/pages/git":
                return Response(status=204, headers=(("X-Terraform-Get", f"{GIT}//child?ref=v1.0.0"),))
            case "/pages/link":
                return Response(status=204, headers=(("X-Terraform-Get", f"{GIT}//out.link?ref=v1.0.0"),))
            case "/pages/archive":
                page = f'<meta name="terraform-get" content="https://{HOST}/files/vpc.tar.bz2">'
                return Response(status=200, headers=(("Content-Type", "text/html"),), body=page.encode())
        return sources.respond(host, path, headers)

    https_server.serve(respond)
    return sources


LED = {
    "git": (VPC, "1.0.0", "child"),
    "oci": (VPC, "1.1.0", "child"),
    "relative": (VPC, "1.2.0", "child"),
    "direct": (VPC, "1.3.0", ""),
    "targz": (f"https://{HOST}/files/vpc.tar.gz", "", ""),
    "page": (f"https://{HOST}/pages/archive//child", "", "child"),
    "below": (f"https://{HOST}/pages/git", "", ""),
}
"""Source, version, and where in its package the module lies, by the calls' names."""


def test_modules_of_registries_and_behind_pages_are_held_against_what_they_lead_to(
    led_to: Sources, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    main, entries = "", []
    for key, (source, version, below) in LED.items():
        extra = f'\n  version = "{version}"\n}}' if version else "\n}"
        main += call(key, source).replace("\n}", extra)
        folder = f".terraform/modules/{key}"
        entries.append({"Key": key, "Source": source, "Version": version, "Dir": f"{folder}/{below}".rstrip("/")})
    tree = tree_on(tmp_path / "tree", lockwarden, {"main.tf": main})
    modules = tree.folder / ".terraform" / "modules"
    for key in LED:
        for name, text in ({"main.tf": "# child\n", ".hidden": "hidden\n"} if key == "below" else TREE).items():
            place = modules / key / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    (modules / "modules.json").write_text(json.dumps({"Modules": entries}))

    assert states(run(tree, "--compare", expected=0)) == dict.fromkeys(LED, "equal")
    for key, (_, _, below) in LED.items():
        (modules / key / below / "main.tf").write_text("# Child\n")
    found = run(tree, "--compare", expected=1)["configurations"][0]["calls"]
    for each in found:
        named = "child/main.tf" if LED[each["key"]][2] else "main.tf"
        assert each["comparison"]["state"] == "different", each["key"]
        assert each["comparison"]["differences"] == [f"{named} is changed"]

    # What a change writes into the module lock is held against the packages, whatever is installed.
    tree.lockwarden.run("modules", "--lock", folder=tree.folder, expected=0)
    told = checked(tree, "--base=main", expected=1)
    assert codes(told) == {key: ["module-lock-false"] for key in LED}
    for key, (_, _, below) in LED.items():
        text = "# child\n" if below or key == "below" else "# main\n"
        (modules / key / below / "main.tf").write_text(text)
    (tree.folder / LOCK).unlink()
    tree.lockwarden.run("modules", "--lock", folder=tree.folder, expected=0)
    told = checked(tree, "--base=main", expected=0)
    assert codes(told) == {key: ["module-lock-added"] for key in LED}


def test_a_sub_directory_that_is_a_link_out_of_the_package_is_not_read(
    led_to: Sources, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    led_to.git.commit_files({"main.tf": "# main\n", "out.link": "/etc"})
    source = f"https://{HOST}/pages/link"
    tree = tree_on(tmp_path / "tree", lockwarden, {"main.tf": call("link", source)})
    installed(tree.folder, {"link": source}, {"link": {"main.tf": "# main\n"}})
    (found,) = run(tree, "--compare", expected=3)["configurations"][0]["calls"]
    assert found["comparison"]["reason"] == "a link in it leads out of it"


def test_what_is_new_in_a_package_is_shown_file_by_file(sources: Sources, tree: PullRequest) -> None:
    said = tree.lockwarden.run("modules", "--lock", "--diff", folder=tree.folder, expected=0).out
    assert said.endswith("No source that is known to mean something else than what was locked\n")

    before = sources.shelf.tags["1.0.0"]
    after = sources.push({"main.tf": b"# one\n# \x1b[2Jtwo\n", "new.bin": b"\0\1", ".hidden": b"hidden\n"})
    first = sources.git._git("rev-parse", "main")
    second = sources.git.commit_files({"main.tf": "# one\n", "new.tf": "# new\n"})
    oci, git = run(tree, "--diff", expected=1)["diffs"]
    assert (oci["before"], oci["after"], oci["alike"]) == (before, after, 1)
    assert [(each["path"], each["change"], each["lines"], each["not_shown"]) for each in oci["files"]] == [
        ("main.tf", "changed", ["@@ -1 +1,2 @@", " # one", "+# \x1b[2Jtwo"], None),
        ("new.bin", "added", [], "it is no text"),
    ]
    assert (git["before"], git["after"]) == (first, second)
    assert {each["path"]: each["change"] for each in git["files"]} == {".hidden": "removed", "new.tf": "added"}
    said = tree.lockwarden.run("modules", "--diff", folder=tree.folder, expected=1).out
    assert f"  - {before}\n  + {after}\n  2 files differ, 1 alike\n  changed: main.tf, 6 → 16 bytes\n" in said
    assert "    +# <U+001B>[2Jtwo\n" in said

    # Nobody gives out the accepted package any more: the installed copy stands for it, and then the digests alone.
    (tree.folder / "main.tf").write_text(call("oci", SOURCES["oci"]))
    del sources.shelf.manifests[before]
    (oci,) = run(tree, "--diff", expected=1)["diffs"]
    assert oci["before"] == f"{before}, as installed"
    assert oci["files"][0]["lines"]
    (tree.folder / ".terraform" / "modules" / "oci" / "main.tf").write_text("# changed\n")
    (oci,) = run(tree, "--diff", expected=1)["diffs"]
    assert oci["before"] == f"{before}, by its digests"
    assert oci["files"][0]["not_shown"] == "its text is not known any more"


def test_what_git_fetches_runs_nothing_and_leads_nowhere(sources: Sources, tree: PullRequest) -> None:
    (tree.folder / "main.tf").write_text(call("git", SOURCES["git"]))
    home = Path(tree.lockwarden.environment["HOME"])
    (home / ".gitconfig").write_text('[filter "run"]\n\tsmudge = touch ran\n\trequired = true\n')
    evil = {"main.tf": "# one\n", ".gitattributes": "*.tf filter=run\n"}
    sources.git.commit_files(evil)
    installed(tree.folder, {"git": SOURCES["git"]}, {"git": evil})
    assert states(run(tree, "--compare", expected=1)) == {"git": "different"}  # .hidden is left from before
    (tree.folder / ".terraform" / "modules" / "git" / ".hidden").unlink()
    assert states(run(tree, "--compare", expected=0)) == {"git": "equal"}
    for files, why in (
        ({"out.link": "/etc/passwd"}, "a link in it leads out of it"),
        ({"big.bin": "version https://git-lfs.github.com/spec/v1\noid x\n"}, "git LFS"),
    ):
        sources.git.commit_files({**evil, **files})
        (found,) = run(tree, "--compare", expected=3)["configurations"][0]["calls"]
        assert found["comparison"]["state"] == "unknown"
        assert why in found["comparison"]["reason"]
    assert not list(tree.folder.glob("**/ran"))
    assert not (home / "ran").exists()


def test_a_revision_that_no_source_can_have_is_not_asked_for(sources: Sources, tree: PullRequest) -> None:
    run(tree, "--lock", expected=0)
    lock = tree.folder / ".lockwarden" / "modules.hcl"
    digest, commit = sources.shelf.tags["1.0.0"], sources.git._git("rev-parse", "v1.0.0^{commit}")
    lock.write_text(lock.read_text().replace(digest, "a" * 40).replace(commit, f"sha256:{'a' * 64}"))
    found = run(tree, "--diff", expected=1)["diffs"]
    assert [each["before"].partition(",")[2] for each in found] == [" as installed"] * 2
