"""From a lock file of terraform's to the one that terraform itself would write, and back into terraform."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.three_providers import HOST, MIRROR, PLATFORMS, ThreeProviders
from end_to_end.configuring import MakeLockFile
from servers.https import HttpsServer
from servers.installed import Lockwarden
from servers.terraform import Workspace, installation

from lockwarden.demo.world import Response

ASKED = tuple(word for platform in PLATFORMS for word in ("--platform", platform))


@pytest.fixture
def expected(
    workspace: Workspace, three_providers: ThreeProviders, tmp_path: Path, lock_file_of: MakeLockFile
) -> bytes:
    """What terraform writes for the three platforms, starting from the same file."""

    def locked() -> bytes:
        other = Workspace.make(tmp_path / "other", workspace.environment, three_providers.required)
        other.lock_file.write_bytes(workspace.lock_file.read_bytes())
        other.run("providers", "lock", *(f"-platform={platform}" for platform in PLATFORMS))
        return other.lock_file.read_bytes()

    return lock_file_of("all", locked)


def test_lock_writes_to_the_byte_what_terraform_writes(
    workspace: Workspace, lockwarden: Lockwarden, expected: bytes
) -> None:
    assert workspace.lock_file.read_bytes() != expected
    done = lockwarden.run("lock", *ASKED, folder=workspace.folder, expected=0)
    assert workspace.lock_file.read_bytes() == expected
    assert "registry.example.test/acme/one 1.4.0" in done.out
    assert "darwin_arm64" in done.out
    assert done.err == ""


@pytest.mark.parametrize("source", ["registry", "network mirror", "filesystem mirror"])
def test_terraform_accepts_the_file_unchanged_from_every_source(
    workspace: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders, source: str, tmp_path: Path
) -> None:
    lockwarden.run("lock", *ASKED, folder=workspace.folder, expected=0)
    written = workspace.lock_file.read_bytes()
    configuration = Path(workspace.environment["TF_CLI_CONFIG_FILE"])
    if source == "network mirror":
        configuration.write_text(installation("network_mirror", MIRROR))
    if source == "filesystem mirror":
        three_providers.write_folder(tmp_path / "mirror")
        configuration.write_text(installation("filesystem_mirror", str(tmp_path / "mirror")))
    workspace.run("init", "-lockfile=readonly")
    assert workspace.lock_file.read_bytes() == written


def test_lock_says_what_it_records_beyond_the_method_that_terraform_takes(
    workspace: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    text = f'provider_installation {{\n  network_mirror {{\n    url = "{MIRROR}"\n  }}\n  direct {{}}\n}}\n'
    Path(workspace.environment["TF_CLI_CONFIG_FILE"]).write_text(text)
    other = Workspace.make(tmp_path / "other", workspace.environment, three_providers.required)
    other.run("init")
    lines = workspace.lock_file.read_text().splitlines(keepends=True)
    workspace.lock_file.write_text("".join(line for line in lines if '"zh:' not in line))
    done = lockwarden.run("lock", *ASKED, folder=workspace.folder, expected=0)
    taken, ours = other.lock_file.read_text(), workspace.lock_file.read_text()
    assert '"zh:' not in taken, "terraform takes the mirror, which has no signed list"
    assert '"zh:' in ours
    assert "come from other methods; init takes mirror.example.test and records its alone" in done.out


def test_lock_leaves_a_file_alone_that_lacks_nothing(
    workspace: Workspace, lockwarden: Lockwarden, served: HttpsServer
) -> None:
    lockwarden.run("lock", *ASKED, folder=workspace.folder, expected=0)
    before = workspace.lock_file.stat()
    done = lockwarden.run("lock", *ASKED, folder=workspace.folder, expected=0)
    assert "nothing to add" in done.out
    assert workspace.lock_file.stat().st_mtime_ns == before.st_mtime_ns
    assert workspace.lock_file.stat().st_ino == before.st_ino


def test_lock_keeps_a_planted_hash_and_ends_with_the_finding(workspace: Workspace, lockwarden: Lockwarden) -> None:
    planted = "zh:" + "ab" * 32
    text = workspace.lock_file.read_text()
    workspace.lock_file.write_text(text.replace('    "zh:', f'    "{planted}",\n    "zh:', 1))
    done = lockwarden.run("lock", *ASKED, folder=workspace.folder, expected=1)
    assert planted in workspace.lock_file.read_text()
    assert f"disowned {planted}" in done.out


def test_lock_writes_every_file_that_can_be_read(
    workspace: Workspace, lockwarden: Lockwarden, expected: bytes, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.hcl"
    broken.write_text('provider "x" {')
    done = lockwarden.run("lock", *ASKED, broken, workspace.folder, folder=tmp_path, expected=2)
    assert workspace.lock_file.read_bytes() == expected
    assert f"{broken}:" in done.err
    assert broken.read_text() == 'provider "x" {'


def test_a_lock_file_behind_two_links_is_written_once_and_stays_a_link(
    workspace: Workspace, lockwarden: Lockwarden, expected: bytes, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".terraform.lock.hcl").symlink_to(workspace.lock_file)
    lockwarden.run("lock", *ASKED, tmp_path / "a", tmp_path / "b", folder=tmp_path, expected=0)
    assert workspace.lock_file.read_bytes() == expected
    assert (tmp_path / "a" / ".terraform.lock.hcl").is_symlink()


def test_a_file_that_cannot_be_written_is_one_sentence_and_stays(
    workspace: Workspace, lockwarden: Lockwarden, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # A folder in which no new file can be made, also not by root: the temporary file's name would be too long.
    deep = tmp_path / "x"
    deep.mkdir()
    named = deep / ("n" * 250 + ".hcl")
    named.write_bytes(workspace.lock_file.read_bytes())
    done = lockwarden.run("lock", *ASKED, named, folder=tmp_path)
    if done.code == 2:
        assert "error:" in done.err
        assert named.read_bytes() == workspace.lock_file.read_bytes()
    assert [path.name for path in deep.iterdir()] == [named.name]


@pytest.mark.parametrize(
    ("platforms", "missing", "hint", "code"),
    [
        (["linux_amd46"], "linux_amd46", "did you mean linux_amd64?", 3),
        (["LINUX_amd64"], "LINUX_amd64", "did you mean linux_amd64?", 3),
        (["linux_amd64", "plan9_mips"], "plan9_mips", "leave out the platform", 1),
    ],
)
def test_a_platform_that_could_not_be_locked_is_told_and_never_ends_well(
    workspace: Workspace, lockwarden: Lockwarden, platforms: list[str], missing: str, hint: str, code: int
) -> None:
    options = [word for each in platforms for word in ("--platform", each)]
    done = lockwarden.run("lock", *options, "--source", "direct", folder=workspace.folder)
    assert done.code == code
    told = [line for line in done.err.splitlines() if "is not locked for" in line]
    assert len(told) == 3
    assert all(f"is not locked for {missing}" in line for line in told)
    assert done.err.count(hint) == 3


@pytest.mark.parametrize(
    ("options", "path", "status", "told"),
    [
        (("--offline",), "", 0, "with --offline, nobody is asked over the network\n  hint: leave --offline out"),
        ((), "/versions", 403, "requires authentication credentials (403 Forbidden)\n  hint: add a credentials block"),
        ((), "/terraform.json", 404, "does not offer a provider registry\n  hint: check the host in the provider's"),
    ],
)
def test_what_nobody_could_say_of_a_platform_is_told_once_with_what_helps(
    workspace: Workspace,
    lockwarden: Lockwarden,
    https_server: HttpsServer,
    three_providers: ThreeProviders,
    options: tuple[str, ...],
    path: str,
    status: int,
    told: str,
) -> None:
    world = three_providers.world()
    https_server.serve(
        lambda host, asked, headers: Response(status=status) if asked.endswith(path) else world.respond(host, asked)
    )
    done = lockwarden.run("lock", "--platform", "linux_amd64", *options, folder=workspace.folder, expected=3)
    three = ", ".join(f"{HOST}/acme/{name}" for name in ("one", "three", "two"))
    assert f"{three} could not be locked for linux_amd64: " in done.err
    assert told in done.err
    assert "is not locked" not in done.err
    assert "leave out the platform" not in done.err


def test_a_platform_that_nobody_answered_for_is_no_platform_to_leave_out(
    workspace: Workspace, lockwarden: Lockwarden, served: HttpsServer, three_providers: ThreeProviders
) -> None:
    world = three_providers.world()
    served.serve(
        lambda host, path, headers: (
            Response.of_status(403) if path.endswith("SHA256SUMS.sig") else world.respond(host, path)
        )
    )
    asked = ("--platform", "darwin_arm64", "--source", "direct")
    done = lockwarden.run("lock", *asked, folder=workspace.folder, expected=3)
    assert "locked for darwin_arm64: " in done.err
    assert "SHA256SUMS.sig answered 403" in done.err
    assert "leave out the platform" not in done.err


@pytest.mark.parametrize("source", ["direct", MIRROR])
def test_check_also_asks_whether_another_platform_was_meant(
    workspace: Workspace, lockwarden: Lockwarden, source: str
) -> None:
    asked = ("--platform", "linux_amd46", "--platform", "plan9_mips", "--platform", "linux_386")
    done = lockwarden.run("check", *asked, "--source", source, folder=workspace.folder)
    lines = done.out.splitlines()
    told = {name: "\n".join(lines[at + 1] for at, line in enumerate(lines) if name in line) for name in asked[1::2]}
    assert "did you mean linux_amd64? If not, " in told["linux_amd46"]
    assert "→" in told["plan9_mips"]
    assert "→" in told["linux_386"]
    assert "did you mean" not in told["plan9_mips"] + told["linux_386"]
