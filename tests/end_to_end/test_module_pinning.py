"""`lockwarden modules --pin`: the exact difference first, then the right line of the right file and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from contract.oci.kinds import Shelf
from end_to_end.module_packages import HOST, ZIP, Bare, call, module, serve
from msgspec.structs import replace
from servers.https import HttpsServer
from servers.installed import Lockwarden

from lockwarden.core.engine.module_listing import list_modules
from lockwarden.core.engine.module_pinning import pin_calls, save_pins
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.values.errors import FileChangedError
from lockwarden.demo.world import Response

OCI = f"oci://{HOST}/mods/vpc"
GIT = f"git::https://{HOST}/vpc.git"
NATIVE = f'''# module "x" {{ source = "{GIT}?ref=v1.0.0" }}
locals {{
  text = <<-EOT
    source = "{GIT}?ref=v1.0.0"
  EOT
}}
module "a" {{
  source   =   "{GIT}//child?ref=v1.0.0&depth=1"    # the tag
}}
module "b" {{
  source = "{OCI}"
}}
module "c" {{
  source = "{OCI}"
}}
module "local" {{
  source = "./local"
}}
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "local").mkdir(parents=True)
    (folder / ".git").mkdir()
    return folder


@pytest.fixture
def served(https_server: HttpsServer, tmp_path: Path) -> tuple[str, str]:
    """A module in a registry and one in git; the digest and the commit that they are."""
    shelf, bare = Shelf(), Bare(tmp_path / "vpc.git")
    digest = module(shelf, ZIP)
    registry = serve(https_server, shelf)

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return registry(host, path, headers) if path.startswith("/v2/") else bare.respond(path)

    https_server.serve(respond)
    return digest, bare.first


def test_the_difference_comes_first_and_the_right_lines_are_written(
    lockwarden: Lockwarden, root: Path, served: tuple[str, str]
) -> None:
    digest, commit = served
    native = NATIVE.replace("\n", "\r\n").encode()
    (root / "main.tf").write_bytes(native)
    (root / "main.tf").chmod(0o640)
    in_json = f'{{"module": {{"d": {{"source": "{GIT}"}}, "e": {{"source": "{GIT}#x"}}}}}}'
    (root / "local" / "d.tf.json").write_text(in_json)
    (root / "b_override.tf").write_text(f'module "b" {{\n  source = "{OCI}?tag=latest"\n}}\n')

    shown = in_json.replace("#x", "#…")  # whatever stands behind it may be a secret
    done = lockwarden.run("modules", "--pin", folder=root, expected=3)
    assert done.out.splitlines() == [
        "main.tf: 2 sources to pin",
        "  @@ -8 +8 @@",
        f'  -  source   =   "{GIT}//child?ref=v1.0.0&depth=1"    # the tag␍␊',
        f'  +  source   =   "{GIT}//child?ref={commit}"    # the tag␍␊',
        "  @@ -14 +14 @@",
        f'  -  source = "{OCI}"␍␊',
        f'  +  source = "{OCI}?digest={digest}"␍␊',
        "b_override.tf: 1 source to pin",
        "  @@ -2 +2 @@",
        f'  -  source = "{OCI}?tag=latest"',
        f'  +  source = "{OCI}?digest={digest}"',
        "local/d.tf.json: 1 source to pin",
        "  @@ -1 +1 @@",
        f"  -{shown} (no line end)",
        f"  +{shown.replace(f'{GIT}', f'{GIT}?ref={commit}', 1)} (no line end)",
    ]
    assert "local/d.tf.json:1: warning: it is not pinned: its source cannot be written so" in done.err
    assert (root / "main.tf").read_bytes() == native

    done = lockwarden.run("modules", "--pin", "--write", "module.a", "module.local.module.d", folder=root, expected=0)
    assert "main.tf: written, 1 source pinned" in done.out
    pinned = native.replace(b"//child?ref=v1.0.0&depth=1", f"//child?ref={commit}".encode())
    assert (root / "main.tf").read_bytes() == pinned
    assert (root / "main.tf").stat().st_mode & 0o777 == 0o640
    assert (root / "local" / "d.tf.json").read_text() == in_json.replace(f"{GIT}", f"{GIT}?ref={commit}", 1)
    lockwarden.run("modules", "--pin", "--write", "module.b", "module.c", folder=root, expected=0)
    assert (root / "main.tf").read_bytes() == pinned[::-1].replace(
        f'"{OCI}"'.encode()[::-1], f'"{OCI}?digest={digest}"'.encode()[::-1], 1
    )[::-1]
    assert (root / "b_override.tf").read_text() == f'module "b" {{\n  source = "{OCI}?digest={digest}"\n}}\n'
    assert "Nothing to pin" in lockwarden.run("modules", "--pin", "module.a", folder=root, expected=3).out


def test_nothing_is_written_through_a_link_nor_into_what_is_installed_nor_shown_of_a_secret(
    lockwarden: Lockwarden, root: Path, served: tuple[str, str]
) -> None:
    _, commit = served
    shared = root / "shared.txt"
    shared.write_text(call("linked", GIT))
    (root / "main.tf").symlink_to("shared.txt")
    installed = root / ".terraform" / "modules" / "m"
    installed.mkdir(parents=True)
    (installed / "main.tf").write_text(call("inner", GIT))
    (root / ".terraform" / "modules" / "modules.json").write_text(
        f'{{"Modules": [{{"Key": "m", "Source": "{GIT}", "Dir": ".terraform/modules/m"}}]}}'
    )
    (root / "m.tf.json").write_text(
        f'{{"module": {{"m": {{"source": "{GIT}"}}, "s": {{"source": "https://ada:s3cret@{HOST}/v.zip"}}}}}}'
    )
    done = lockwarden.run("modules", "--pin", "--write", folder=root, expected=1)
    assert "main.tf:2: warning: it is not pinned: main.tf: it is a symbolic link" in done.err
    assert shared.read_text() == call("linked", GIT)
    assert (installed / "main.tf").read_text() == call("inner", GIT)
    assert f"{GIT}?ref={commit}" in (root / "m.tf.json").read_text()
    (root / "m.tf.json").write_text((root / "m.tf.json").read_text().replace(f"?ref={commit}", ""))
    done = lockwarden.run("modules", "--pin", "module.m", "module.m.module.inner", folder=root, expected=1)
    assert "stands in an installed module" in done.err
    assert "(secret)@" in done.out
    assert "s3cret" not in done.out + done.err


def test_what_means_something_else_than_what_was_accepted_is_not_pinned(
    lockwarden: Lockwarden, root: Path, served: tuple[str, str]
) -> None:
    (root / "main.tf").write_text(text := call("a", GIT))
    (root / ".lockwarden").mkdir()
    (root / ".lockwarden" / "modules.hcl").write_text(
        f'module "{GIT}" {{\n  revision = "{"a" * 40}"\n  by = "x"\n  at = "2026-11-28T05:00:00Z"\n}}\n'
    )
    done = lockwarden.run("modules", "--pin", "--write", folder=root, expected=1)
    assert "main.tf:2: warning: it is not pinned: its source means something else than what was accepted" in done.err
    assert (root / "main.tf").read_text() == text


def test_a_wrong_use_asks_nobody(lockwarden: Lockwarden, root: Path, https_server: HttpsServer) -> None:
    https_server.journal.clear()
    (root / "main.tf").write_text(call("a", GIT))
    for arguments in (["--write"], ["--pin", "--lock"], ["--pin", "--format", "json"], ["--pin", "module.b"]):
        assert lockwarden.run("modules", *arguments, folder=root, expected=2).out == ""
    assert https_server.journal.requests == ()


def test_a_file_that_changed_since_it_was_looked_at_is_left_alone(root: Path) -> None:
    (root / "main.tf").write_text(call("a", f"{GIT}?ref=v1"))
    (listing,) = list_modules([str(root)], {})
    known = replace(listing.calls[0], resolution=Resolved(revision="b" * 40, how="x", pinned=f"{GIT}?ref={'b' * 40}"))
    (looked_at,) = pin_calls([known]).files
    (root / "main.tf").write_text(changed := call("a", f"{GIT}?ref=v1") + "# more\n")
    with pytest.raises(FileChangedError, match="was changed since it was read"):
        save_pins(looked_at)
    assert (root / "main.tf").read_text() == changed
    (root / "main.tf").unlink()
    ((_, why),) = pin_calls([known]).left_out
    assert "is gone" in why
    (root / "main.tf").write_text(call("b", "x"))
    ((_, why),) = pin_calls([known]).left_out
    assert "was changed since it was read" in why
