"""`lockwarden get` accepts, refuses and unpacks what a real OCI registry has as `tofu get` did in 34 recorded cases."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from contract.oci.kinds import CONFIG, OTHER, Shelf, image, index
from end_to_end.module_packages import RIGHT, ZIP, module, tree, zipped
from servers.installed import Lockwarden
from servers.oci_registry import (
    MODULE,
    OCI_INDEX,
    OCI_MANIFEST,
    TARGET,
    Registry,
    running_registry,
)

RECORDED = json.loads((Path(__file__).parents[1] / "conformance" / "recorded_modules.json").read_text(encoding="utf-8"))
CASES: Mapping[str, Mapping[str, Any]] = RECORDED["cases"]
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
OTHER_WORDS = {
    "tag and digest": "cannot set both",
    "bad digest": "invalid digest: ",
    "upper-case digest": "invalid digest: ",
    "not a zip": "decompressing package: ",
    "climbing name": "decompressing package: entry contains ",
    "archive argument": "the “archive” argument is not allowed for OCI sources",
    "repository ends in .zip": "the “archive” argument is not allowed for OCI sources",
}
"""Where ours begin like the client's, or go on otherwise."""
REPOSITORIES = (
    *("right", "only-tagged", "tar-only", "zip-and-foreign", "two-zips", "no-type", "other-type", "provider-type"),
    *("container", "no-layers", "index", "climbing", "link", "absolute", "empty-zip", "not-a-zip"),
)


def shelves() -> tuple[dict[str, Shelf], str]:
    """The repositories of the recorded cases, and the digest of the right package."""
    found = {name: Shelf() for name in REPOSITORIES}
    digest = module(found["right"], ZIP)
    module(found["right"], zipped({"main.tf": b"# other\n"}), tag="other")
    module(found["only-tagged"], ZIP, tag="1.0.0")
    tar = found["tar-only"]
    module(tar, layers=[tar.blob(b"tar", LAYER)])
    both = found["zip-and-foreign"]
    module(both, layers=[both.blob(b"tar", LAYER), both.blob(ZIP, "archive/zip")])
    module(found["two-zips"], ZIP, zipped({"a.tf": b""}))
    for name, type_ in (("no-type", ""), ("other-type", OTHER), ("provider-type", TARGET)):
        shelf = found[name]
        shelf.manifest(image(shelf.empty(), [shelf.blob(ZIP, "archive/zip")], type_), OCI_MANIFEST, "latest")
    box = found["container"]
    box.manifest(image(box.blob(b"{}", CONFIG), [box.blob(b"tar", LAYER)]), OCI_MANIFEST, "latest")
    module(found["no-layers"])
    indexed = found["index"]
    manifest = indexed.manifest(image(indexed.empty(), [indexed.blob(ZIP, "archive/zip")], MODULE), OCI_MANIFEST)
    indexed.manifest(index([manifest], MODULE), OCI_INDEX, "latest")
    module(found["climbing"], zipped({"main.tf": b"x", "../evil.tf": b"x"}))
    module(found["link"], zipped({"main.tf": b"x", "l": b"/etc/passwd"}, {"l": 0o120777}))
    module(found["absolute"], zipped({"main.tf": b"x", "/abs.tf": b"x"}))
    module(found["empty-zip"], zipped({}))
    module(found["not-a-zip"], b"no archive")
    return found, digest


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Registry, str]]:
    """A real registry with the repositories of the recorded cases, and the digest of the right package."""
    found, digest = shelves()
    with running_registry(tmp_path_factory.mktemp("modules"), host="127.0.0.1") as running:
        for name, shelf in found.items():
            shelf.push(running, f"mods/{name}")
        yield running, digest


def contents(name: str, source: str) -> bytes:
    known = {"abs.tf": b"x", "l": b"/etc/passwd"}
    if "tag=other" in source:
        return b"# other\n"
    return known.get(name) or (b"x" if source.startswith(("link", "absolute")) else RIGHT[name])


@pytest.mark.parametrize("case", CASES)
def test_it_accepts_refuses_and_unpacks_as_the_client_did(
    recorded: tuple[Registry, str], lockwarden: Lockwarden, tmp_path: Path, case: str
) -> None:
    registry, digest = recorded
    client = CASES[case]
    source = client["source"].replace(RECORDED["digest"], digest)
    source = source.replace(
        RECORDED["digest"].upper().replace("SHA256", "sha256"), digest.upper().replace("SHA256", "sha256")
    )
    address = f"oci://{registry.address}/mods/{source}"
    done = lockwarden.run("get", address, "m", "--insecure-http", registry.address, folder=tmp_path)
    if client["exit"] == 0:
        assert done.code == 0, done.err
        assert tree(tmp_path / "m") == {name: (mode, contents(name, source)) for name, mode in client["files"].items()}
        lies_in = f"  the module lies in m/{client['folder']}\n"
        assert (lies_in in done.out) is bool(client["folder"])
    else:
        assert done.code in {1, 2}
        assert done.out == ""
        words = OTHER_WORDS.get(case, client["error"].replace("localhost:PORT", registry.address))
        said = done.err.replace("“", '"').replace("”", '"')
        assert words.replace("“", '"').replace("”", '"') in said
        assert "internal error" not in done.err
        assert not (tmp_path / "m").exists()
    assert sorted(each.name for each in tmp_path.iterdir() if each.name.startswith(".lockwarden")) == []
    assert lockwarden.leftovers() == []
