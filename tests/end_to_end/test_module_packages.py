"""`lockwarden get` from an OCI registry over HTTPS: whatever goes wrong leaves nothing behind."""

from __future__ import annotations

import io
import os
import stat
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from contract.oci.kinds import Shelf, image
from end_to_end.module_packages import HOST, ZIP, Change, module, serve, tree, zipped
from end_to_end.oci_mirrors import assert_no_secret, configured
from servers.https import Breakage, Broken, HttpsServer
from servers.installed import Ended, Lockwarden
from servers.oci_registry import (
    DOCKER_MANIFEST,
    MODULE,
    OCI_MANIFEST,
    PASSWORD,
    TokenGate,
    digest_of,
)

from lockwarden.demo.responses import Response


def got(lockwarden: Lockwarden, folder: Path, source: str = f"oci://{HOST}/mods/vpc", **more: Any) -> Ended:
    return lockwarden.run("get", source, "m", folder=folder, **more)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder that packages are put in; nothing else lies there."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


def test_over_https_it_tells_what_it_got_and_how_to_pin_it(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path
) -> None:
    shelf = Shelf()
    digest = module(shelf, ZIP)
    serve(https_server, shelf)
    (place / "m").mkdir()
    done = got(lockwarden, place, f"oci://{HOST}/mods/vpc//child", expected=0)
    assert f"  manifest {digest}\n" in done.out
    assert f"  package  {digest_of(ZIP)}, {len(ZIP)} bytes, 4 files\n" in done.out
    assert "  the module lies in m/child\n" in done.out
    assert f"  the same for ever: oci://{HOST}/mods/vpc//child?digest={digest}\n" in done.out
    assert lockwarden.run("hash", "m", folder=place).out.split()[1] in done.out
    again = got(lockwarden, place, f"oci://{HOST}/mods/vpc?digest={digest}", expected=2)
    assert "m is there already" in again.err


def test_the_credentials_of_the_configuration_open_the_registry_and_show_nowhere(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path
) -> None:
    shelf = Shelf()
    module(shelf, ZIP)
    gate = TokenGate(behind=serve(https_server, shelf), realm=f"https://{HOST}/token")
    https_server.serve(gate.respond)
    assert "gives no token" in got(lockwarden, place, expected=3).err
    file = configured(lockwarden, HOST, PASSWORD)
    done = got(lockwarden, place, expected=0)
    assert str(file) in done.out
    assert_no_secret(done, *(token for token, _ in gate.given))


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (lambda path, it: Response(status=200, body=it.body[:-1]) if "/blobs/" in path else it, 1, "bytes arrived"),
        (
            lambda path, it: Response(status=200, body=it.body[:-1] + b"!") if "/blobs/" in path else it,
            1,
            "invalid blob returned from registry",
        ),
        (lambda path, it: Response(status=200, body=it.body + b"!") if "/blobs/" in path else it, 1, ""),
        (lambda path, it: Response(status=503), 3, "503"),
        (lambda path, it: Response(status=401), 3, "401"),
        (
            lambda path, it: Response(
                status=200, headers=(("Content-Type", "text/html"),), body=b"<html>log in</html>"
            ),
            1,
            "",
        ),
        (
            lambda path, it: it if "/blobs/" in path else Response(status=200, headers=it.headers[:1], body=it.body),
            1,
            "resolving tag: the client cannot resolve the tag latest",
        ),
    ],
    ids=["cut", "changed", "longer", "down", "refused", "a web page", "no digest"],
)
def test_whatever_the_registry_does_wrong_nothing_is_left_behind(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path, change: Change, code: int, says: str
) -> None:
    shelf = Shelf()
    module(shelf, ZIP)
    serve(https_server, shelf, change)
    done = got(lockwarden, place, expected=code)
    assert says in done.err
    assert list(place.iterdir()) == []
    assert lockwarden.leftovers() == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (zipped({"a": b"x", "a/b": b"x"}), "it cannot be unpacked: a name is a file and a folder"),
        (zipped({"a/b": b"x", "a": b"x"}), "it cannot be unpacked: Is a directory"),
        (zipped({"main.tf": b"x", "a/../../../evil.tf": b"x"}), "entry contains"),
        (zipped({"main.tf": b"x", "..\\evil.tf": b"x"}), "entry contains"),
        (lambda: zipped({"main.tf": b"x", "zeros": bytes(70 * 1024 * 1024)}), "as only a zip bomb does"),
        (b"junk" + ZIP, "bytes lie before the archive begins"),
        (zipped({"/": b""}) + b"", ""),
    ],
    ids=["file then folder", "folder then file", "climbing inside", "backslash", "bomb", "prefix", "root"],
)
def test_an_archive_that_cannot_be_unpacked_safely_leaves_nothing_behind(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path, content: bytes | Callable[[], bytes], says: str
) -> None:
    shelf = Shelf()
    module(shelf, content() if callable(content) else content)
    serve(https_server, shelf)
    done = got(lockwarden, place)
    if not says:
        assert (done.code, tree(place / "m")) == (0, {})
        return
    assert (done.code, says in done.err) == (1, True), done.err
    assert list(place.iterdir()) == []
    assert not any(path.name == "evil.tf" for path in place.parent.rglob("*"))
    assert lockwarden.leftovers() == []


def test_links_duplicates_and_special_bits_become_plain_files(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the name that comes twice
        for name, content, mode in (
            ("dir", b"/etc", 0o120777),
            ("twice", b"first", 0o100400),
            ("twice", b"last", 0o100640),
            ("root", b"x", 0o104755),
            ("folder/", b"", 0o040700),
            ("pipe", b"", 0o010644),
        ):
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            archive.writestr(member, content)
    shelf = Shelf()
    module(shelf, packed.getvalue())
    serve(https_server, shelf)
    got(lockwarden, place, expected=0)
    assert tree(place / "m") == {
        "dir": ("0o777", b"/etc"),
        "twice": ("0o640", b"last"),
        "root": ("0o755", b"x"),
        "pipe": ("0o644", b""),
    }
    mask = os.umask(0)
    os.umask(mask)
    for folder in (place / "m", place / "m" / "folder"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o755 & ~mask


@pytest.mark.parametrize(
    ("below", "code", "says"),
    [
        ("child", 0, "the module lies in m/child"),
        ("ch*d", 0, "the module lies in m/child"),
        ("c*ld/deep", 0, "the module lies in m/child/deep"),
        ("c*", 1, "matches multiple paths"),
        ("*.tf", 1, "is no folder"),
        ("c[h]ild", 1, "is a pattern that is not read here"),
        ("main.tf/x", 1, "not found"),
    ],
)
def test_the_sub_directory_is_one_folder_of_the_package(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path, below: str, code: int, says: str
) -> None:
    shelf = Shelf()
    module(shelf, zipped({"main.tf": b"", "child/deep/x.tf": b"", "cousin/x.tf": b""}))
    serve(https_server, shelf)
    done = got(lockwarden, place, f"oci://{HOST}/mods/vpc//{below}?tag=latest", expected=code)
    assert says in done.out + done.err
    assert (place / "m").exists() is (code == 0)


def test_a_place_that_is_taken_or_cannot_be_had_is_told_before_anything_is_asked(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path
) -> None:
    shelf = Shelf()
    module(shelf, ZIP)
    serve(https_server, shelf)
    https_server.journal.clear()
    (place / "full").mkdir()
    (place / "full" / "x").touch()
    (place / "file").touch()
    (place / "link").symlink_to("nowhere")
    source = f"oci://{HOST}/mods/vpc"
    for target, why in (
        ("full", "full is there already"),
        ("file", "file is there already"),
        ("link", "link is there already"),
        (".", "is there already"),
        ("gone/m", "nothing can be written to"),
        ("file/m", "nothing can be written to"),
        ("", "a folder is needed"),
    ):
        done = lockwarden.run("get", source, target, folder=place, expected=2)
        assert why in done.err
    (place / ".git").mkdir()
    (place / "inside").mkdir()
    (place / "modules").symlink_to("inside")
    done = lockwarden.run("get", source, "modules/vpc", folder=place, expected=2)
    assert "is a symbolic link in the working tree" in done.err
    assert list((place / "inside").iterdir()) == []
    assert https_server.journal.requests == ()


@pytest.mark.parametrize(
    "source", ["./vpc", "acme/vpc/aws", "git::https://ada:s3cret@example.test/vpc", f"oci://ada:s3cret@{HOST}/vpc", "x"]
)
def test_what_is_no_source_in_an_oci_registry_is_refused_without_its_secrets(
    lockwarden: Lockwarden, place: Path, source: str
) -> None:
    done = got(lockwarden, place, source, expected=2)
    assert done.err.startswith("lockwarden: error: ")
    assert "hint: " in done.err
    assert "s3cret" not in done.err


def test_a_package_named_by_another_algorithm_is_checked_by_it(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path
) -> None:
    for content, code in ((ZIP, 0), (ZIP[:-1] + b"!", 1)):
        shelf = Shelf()
        named = digest_of(ZIP, "sha512")
        shelf.blobs[named] = content
        layer = {"mediaType": "archive/zip", "digest": named, "size": len(ZIP)}
        shelf.manifest(image(shelf.empty(), [layer], MODULE), OCI_MANIFEST, "latest")
        serve(https_server, shelf)
        done = got(lockwarden, place)
        assert done.code == code, done.err
        if code:
            assert list(place.iterdir()) == []
        else:
            (place / "m").rename(place.parent / "first")


def test_a_digest_whose_manifest_is_another_is_refused(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path
) -> None:
    shelf = Shelf()
    digest = module(shelf, ZIP)
    other = module(shelf, zipped({"main.tf": b"evil"}), tag="other")
    shelf.manifests[digest] = shelf.manifests[other]
    serve(https_server, shelf)
    done = got(lockwarden, place, f"oci://{HOST}/mods/vpc?digest={digest}", expected=1)
    assert "does not match digest" in done.err
    assert list(place.iterdir()) == []


def test_a_docker_manifest_is_no_module(https_server: HttpsServer, lockwarden: Lockwarden, place: Path) -> None:
    shelf = Shelf()
    document = image(shelf.empty(), [shelf.blob(ZIP, "archive/zip")], MODULE) | {"mediaType": DOCKER_MANIFEST}
    shelf.manifest(document, DOCKER_MANIFEST, "latest")
    serve(https_server, shelf)
    assert "selected object is not an OCI image manifest" in got(lockwarden, place, expected=1).err
    shelf.manifest(document, OCI_MANIFEST, "latest")
    assert f"unexpected manifest media type “{DOCKER_MANIFEST}”" in got(lockwarden, place, expected=1).err


def test_a_registry_that_closes_the_connection_is_no_answer(
    https_server: HttpsServer, lockwarden: Lockwarden, place: Path
) -> None:
    def down(host: str, path: str, headers: Mapping[str, str]) -> Response:
        raise Broken(Breakage.CLOSE)

    https_server.serve(down)
    got(lockwarden, place, expected=3)
    assert list(place.iterdir()) == []
