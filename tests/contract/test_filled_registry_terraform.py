"""The real clients lock against a registry whose documents are made of metadata that a backfill filled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders.registry_metadata import Registry, journal_of, target
from end_to_end.registry_runs import registry_run
from servers.authority import Authority
from servers.terraform import Workspace, terraform_or_skip

from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.world import Response

REGISTRY = "registry.example.test"
PLATFORMS = ("darwin_arm64", "linux_amd64")


class Generated:
    """The documents of the registry's protocol, as its generator makes them of a metadata file."""

    def __init__(self, registry: Registry, maker: KeyMaker) -> None:
        self.registry = registry
        self.key = maker.make("Acme Releases", created=datetime(2026, 1, 1, tzinfo=UTC), algorithm="rsa3072")
        lines = "".join(f"{each.digest}  {each.filename}\n" for each in registry.targets)
        self.sums = lines.encode()
        self.signature = maker.sign(self.key, self.sums, at=datetime(2026, 1, 2, tzinfo=UTC))
        self.versions: list[dict[str, Any]] = []

    def read(self, path: Path) -> None:
        self.versions = json.loads(path.read_bytes())["versions"]

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host != REGISTRY:
            if path.endswith("SHA256SUMS"):
                return Response(body=self.sums)
            return (
                Response(body=self.signature) if path.endswith(".sig") else self.registry.respond(host, path, headers)
            )
        if path == "/.well-known/terraform.json":
            return Response.of_json({"providers.v1": "/v1/providers/"})
        (version,) = self.versions
        targets = version["targets"]
        if path.endswith("/versions"):
            platforms = [{"os": each["os"], "arch": each["arch"]} for each in targets]
            listed = {"version": version["version"], "protocols": version["protocols"], "platforms": platforms}
            return Response.of_json({"versions": [listed]})
        os, arch = path.split("/")[-2:]
        (wanted,) = (each for each in targets if (each["os"], each["arch"]) == (os, arch))
        document = {name: version[name] for name in ("protocols", "shasums_url", "shasums_signature_url")}
        document |= {name: wanted[name] for name in ("os", "arch", "filename", "download_url", "shasum")}
        document["signing_keys"] = {"gpg_public_keys": [{"ascii_armor": self.key.armor, "key_id": self.key.key_id}]}
        document["packages"] = {
            f"{each['os']}_{each['arch']}": {
                "hashes": [f"zh:{each['shasum']}", each["h1"]],
                "package_size": each["size"],
            }
            for each in targets
        }
        return Response.of_json(document)


@pytest.mark.parametrize("client", ["terraform", "tofu"])
def test_a_client_locks_what_was_filled_in(
    authority: Authority, tmp_path: Path, key_maker: KeyMaker, client: str
) -> None:
    terraform_or_skip(client)
    plain = target("widget", "1.0.0", "darwin_arm64")
    folders = target("widget", "1.0.0", "linux_amd64", folders=("docs/",))
    made = Generated(Registry([plain, folders]), key_maker)
    with registry_run(tmp_path, authority) as run:
        run.serve(made.registry, made.respond)
        run.backfill(expected=0)
        made.read(run.folder / "providers/a/acme/widget.json")
        environment = run.lockwarden.environment
        required = {f"{REGISTRY}/acme/widget": "1.0.0"}
        workspace = Workspace.make(tmp_path / "work", environment, required, client=client)
        workspace.run("providers", "lock", *(f"-platform={each}" for each in PLATFORMS))
        locked = set(workspace.locked_hashes)
        lines = journal_of(run.journal)
        of_folders = lines[folders.download_url]
        # A client records the h1 of the unpacked package; the two differ only where an archive has folders. Beside it
        # OpenTofu may record what the registry reports, which is that of the archive.
        unpacked = {f"zh:{plain.digest}", f"zh:{folders.digest}", plain.right_h1, of_folders["h1_dir"]}
        assert unpacked <= locked <= unpacked | ({folders.right_h1} if client == "tofu" else set())
        assert of_folders["h1_archive"] == folders.right_h1 != of_folders["h1_dir"]
        (version,) = made.versions
        assert [each["h1"] for each in version["targets"]] == [plain.right_h1, folders.right_h1]
