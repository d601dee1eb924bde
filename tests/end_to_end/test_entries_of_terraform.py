"""A lock file of Terraform's where OpenTofu installs by it: what OpenTofu makes of it, and what `lock` adds.

Expected: OpenTofu since 1.10 takes `registry.terraform.io/hashicorp/X` for `registry.opentofu.org/hashicorp/X` as well,
with the version and without hashes, and `tofu providers lock` writes that entry beside the old one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from builders.three_providers import HOST, ThreeProviders
from end_to_end.configuring import run
from servers.https import HttpsServer
from servers.installed import Lockwarden

from lockwarden.demo.world import Response

OLD, NEW = "registry.terraform.io/hashicorp/one", "registry.opentofu.org/hashicorp/one"
ON_LINUX = ("--platform", "linux_amd64")


@pytest.fixture
def workspace(https_server: HttpsServer, three_providers: ThreeProviders, tmp_path: Path) -> Path:
    """Both default registries have hashicorp/one; the lock file has Terraform's."""
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return world.respond(HOST, path.replace("/hashicorp/", "/acme/"))

    https_server.serve(respond)
    (release, *_) = three_providers.releases
    rows = "".join(f'    "{each}",\n' for each in sorted(package.zh for package in release.packages.values()))
    folder = tmp_path / "configuration"
    folder.mkdir()
    (folder / "main.tf").write_text(
        'terraform {\n  required_providers {\n    one = { source = "hashicorp/one" }\n  }\n}\n'
    )
    (folder / ".terraform.lock.hcl").write_text(
        '# This file is maintained automatically by "terraform init".\n# Manual edits may be lost in future updates.\n'
        f'\nprovider "{OLD}" {{\n  version = "1.4.0"\n  hashes = [\n{rows}  ]\n}}\n'
    )
    return folder


def test_a_lock_file_of_terraforms_is_judged_as_opentofu_reads_it_where_that_is_the_client(
    lockwarden: Lockwarden, workspace: Path
) -> None:
    lock_file = workspace / ".terraform.lock.hcl"
    before = lock_file.read_text()
    own = run(lockwarden, "check", *ON_LINUX, "--format", "json", folder=workspace)
    (only,) = own.report["lock_files"][0]["providers"]
    assert (own.code, only["address"], only["problems"]) == (0, OLD, [])

    told = run(lockwarden, "check", "--client", "opentofu", *ON_LINUX, "--format", "json", folder=workspace)
    old, new = told.report["lock_files"][0]["providers"]
    assert (told.code, old["address"], new["address"], new["moved_from"]) == (1, OLD, NEW, OLD)
    assert [(each["code"], each["severity"]) for each in (*old["problems"], *new["problems"])] == [
        ("entry-read-as-opentofus", "warning"),
        ("entry-read-as-opentofus", "error"),
    ]
    readonly = "with -lockfile=readonly init fails"
    assert [each["outcome"] for each in new["coverage"] if each["platform"] == "linux_amd64"] == ["accepts anything"]
    assert all(readonly in each["reason"] for each in (*old["coverage"], *new["coverage"]))

    done = run(lockwarden, "lock", "--client", "opentofu", *ON_LINUX, folder=workspace)
    assert done.code == 0
    assert f"{NEW} 1.4.0, as OpenTofu takes the entry for {OLD}; init -lockfile=readonly fails until" in done.out
    after = lock_file.read_text()
    head, blocks = before.split("\n\n", 1)
    new_block, old_block = after.removeprefix(head + "\n\n").split("\n\n", 1)
    assert old_block.startswith(blocks.removesuffix("  ]\n}\n").split("  hashes")[0])
    assert new_block.startswith(f'provider "{NEW}" {{\n  version = "1.4.0"\n  hashes = [\n')
    assert '"h1:' in new_block
    again = run(lockwarden, "check", "--client", "opentofu", *ON_LINUX, folder=workspace)
    assert (again.code, "-lockfile=readonly" in again.out) == (0, False)
