"""`hash`, `keys`, `demo`, the review without a terminal, the version and the help of the installed command."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from servers.https import HttpsServer
from servers.installed import PATIENCE, Lockwarden
from servers.terminal import in_terminal
from servers.terraform import Workspace

from lockwarden.demo.building import DemoWorld
from lockwarden.demo.mirrors import Mirrored, write_unpacked

VERDICTS = ("confirmed", "disowned", "unexplained", "unchecked", "new", "offered")


class TestHash:
    def test_a_package_has_its_zh_and_h1(
        self, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
    ) -> None:
        package = three_providers.releases[0].packages["linux_amd64"]
        (tmp_path / "package.zip").write_bytes(package.archive)
        done = lockwarden.run("hash", "package.zip", folder=tmp_path, expected=0)
        assert done.out.splitlines() == ["package.zip", f"  {package.zh}", f"  {package.h1}"]
        assert done.err == ""

    def test_a_folder_has_the_h1_of_the_package_that_it_was(
        self, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
    ) -> None:
        release = three_providers.releases[0]
        write_unpacked(
            tmp_path, [Mirrored(address=release.address, version=release.version, packages=release.packages)]
        )
        folder = f"{release.address}/{release.version}/darwin_arm64"
        done = lockwarden.run("hash", folder, folder=tmp_path, expected=0)
        assert done.out.splitlines() == [folder, f"  {release.packages['darwin_arm64'].h1}"]

    def test_an_archive_that_unpacks_to_something_else_has_both(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
            archive.mkdir("folder")
            archive.writestr("folder/terraform-provider-x_v1", b"x")
        done = lockwarden.run("hash", "odd.zip", folder=tmp_path, expected=0)
        lines = done.out.splitlines()
        assert len(lines) == 4
        assert lines[2].endswith("of the directory, which the clients record")
        assert lines[3].endswith("of the archive's entries")
        assert "odd.zip: warning: " in done.err

    def test_what_is_no_package_stops_no_other(
        self, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
    ) -> None:
        (tmp_path / "text.zip").write_text("no archive")
        (tmp_path / "good.zip").write_bytes(three_providers.releases[0].packages["linux_amd64"].archive)
        done = lockwarden.run("hash", "text.zip", "none.zip", "/dev/null", "good.zip", folder=tmp_path, expected=2)
        assert "good.zip\n  zh:" in done.out
        assert {line.split()[2].rstrip(":") for line in done.err.splitlines() if "error:" in line} == {
            "text.zip",
            "none.zip",
            "/dev/null",
        }

    def test_without_a_package_the_usage_is_told(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        done = lockwarden.run("hash", folder=tmp_path, expected=2)
        assert "Missing argument" in done.err


class TestKeys:
    def test_the_key_and_what_it_covers_are_told_without_a_package(
        self, workspace: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders, served: HttpsServer
    ) -> None:
        done = lockwarden.run("keys", folder=workspace.folder, expected=0)
        fingerprint = three_providers.key.fingerprint
        groups = " ".join(fingerprint[start : start + 4] for start in range(0, 40, 4))
        assert f"Key {groups}\n" in done.out
        assert "claims to be Three Providers <three@example.test>" in done.out
        for name in ("one", "two", "three"):
            assert f"signed registry.example.test/acme/{name} 1.4.0" in done.out
        assert not [request for request in served.journal.requests if request.path.endswith(".zip")]

    def test_in_json_it_has_whole_values(
        self, workspace: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders
    ) -> None:
        done = lockwarden.run("keys", "--format", "json", folder=workspace.folder, expected=0)
        (key,) = done.report["keys"]
        assert key["fingerprint"] == three_providers.key.fingerprint
        assert len(key["signings"]) == 3
        assert set(key["signed_hashes"]) == {
            package.zh for release in three_providers.releases for package in release.packages.values()
        }

    def test_a_keys_armour_is_written_alone_and_gpg_reads_it(
        self, workspace: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
    ) -> None:
        fingerprint = three_providers.key.fingerprint
        done = lockwarden.run("keys", "--armor", fingerprint, folder=workspace.folder, expected=0)
        home = tmp_path / "gpg"
        home.mkdir(mode=0o700)
        shown = subprocess.run(
            ["gpg", "--homedir", home, "--batch", "--with-colons", "--show-keys"],
            input=done.out,
            capture_output=True,
            text=True,
            check=True,
        )
        assert f":{fingerprint}:" in shown.stdout

    def test_the_armour_of_a_key_that_nobody_offers_is_none(self, workspace: Workspace, lockwarden: Lockwarden) -> None:
        done = lockwarden.run("keys", "--armor", "AB" * 20, folder=workspace.folder, expected=2)
        assert "ABAB" in done.err

    def test_a_mirror_has_no_keys_and_it_says_so(
        self, workspace: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
    ) -> None:
        three_providers.write_folder(tmp_path / "mirror")
        done = lockwarden.run("keys", "--source", tmp_path / "mirror", folder=workspace.folder, expected=0)
        assert done.out.startswith("No key was seen")

    def test_a_registry_that_is_down_is_incomplete(self, workspace: Workspace, lockwarden: Lockwarden) -> None:
        done = lockwarden.run("keys", "--offline", folder=workspace.folder, expected=3)
        three = ", ".join(f"registry.example.test/acme/{name} 1.4.0" for name in ("one", "three", "two"))
        assert f"No key known for {three}: not asked, with --offline" in done.out
        assert done.out.count("leave --offline out") == 1
        assert "No key for" not in done.out


class TestDemo:
    def test_without_a_terminal_it_prints_the_verdicts_that_its_stories_tell_and_explains_its_exit_code(
        self, lockwarden: Lockwarden, demo_world: DemoWorld, tmp_path: Path
    ) -> None:
        done = lockwarden.run("demo", folder=tmp_path, expected=1, HTTPS_PROXY="http://127.0.0.1:9")
        for verdict in VERDICTS:
            assert verdict in done.out
        assert done.out.splitlines()[-1].startswith("Exit code 1: findings")
        assert list(lockwarden.temporary.iterdir()) == []
        assert not Path(lockwarden.environment["XDG_CACHE_HOME"]).exists()
        table = done.out[done.out.index("Every hash") : done.out.index("What each provider shows")]
        told: dict[tuple[str, str], str] = {}
        address = ""
        for words in map(str.split, table.splitlines()):
            if words and "/" in words[0]:
                address = words[0]
            for hash_text in (word for word in words[1:] if word.startswith(("h1:", "zh:"))):
                told[address, hash_text] = words[0]
        expected = {
            (story.address, hash_text): verdict
            for story in demo_world.stories
            for hash_text, verdict in story.verdicts.items()
        }
        assert {each: told.get(each) for each in expected} == expected

    def test_without_gpg_it_says_what_to_install(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        done = lockwarden.run("demo", folder=tmp_path, expected=2, PATH=str(tmp_path))
        assert "gpg" in done.err.splitlines()[0]
        assert "hint: " in done.err
        assert list(lockwarden.temporary.iterdir()) == []


class TestReview:
    def test_without_a_terminal_it_prints_the_report_and_a_hint(
        self, workspace: Workspace, lockwarden: Lockwarden
    ) -> None:
        for arguments in ([], ["."], [".terraform.lock.hcl"], ["--platform", "linux_amd64", "."]):
            done = lockwarden.run(*arguments, folder=workspace.folder, expected=0)
            assert ".terraform.lock.hcl: Nothing to object to" in done.out
            assert "terminal" in done.err

    def test_a_folder_may_be_called_like_a_command(self, workspace: Workspace, lockwarden: Lockwarden) -> None:
        folder = workspace.folder / "check"
        folder.mkdir()
        (folder / ".terraform.lock.hcl").write_bytes(workspace.lock_file.read_bytes())
        done = lockwarden.run("./check", folder=workspace.folder, expected=0)
        assert done.out.startswith("check/.terraform.lock.hcl: Nothing to object to")


class TestUsage:
    @pytest.mark.parametrize("command", [[], ["check"], ["lock"], ["keys"], ["init"], ["hash"], ["demo"]])
    def test_every_command_has_help(self, lockwarden: Lockwarden, tmp_path: Path, command: list[str]) -> None:
        done = lockwarden.run(*command, "--help", folder=tmp_path, expected=0)
        assert done.out.startswith(" ".join(["Usage: lockwarden", *command]))

    def test_a_mistyped_command_is_not_taken_for_a_path(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        done = lockwarden.run("chekc", folder=tmp_path, expected=2)
        assert "did you mean check?" in done.err
        done = lockwarden.run("--offline", "check", folder=tmp_path, expected=2)
        assert "options stand after the command: lockwarden check --offline" in done.err

    def test_the_shell_completes_commands_and_files(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        done = lockwarden.run(
            folder=tmp_path,
            expected=0,
            _LOCKWARDEN_COMPLETE="bash_complete",
            COMP_WORDS="lockwarden ch",
            COMP_CWORD="1",
        )
        assert done.out.splitlines() == ["file,ch", "plain,check"]

    def test_the_help_of_the_program_has_the_reviews_options_and_examples(
        self, lockwarden: Lockwarden, tmp_path: Path
    ) -> None:
        told = lockwarden.run("--help", folder=tmp_path, expected=0).out
        for option in (
            "-r, --recursive",
            "--base REV",
            "--policy FILE",
            "--source SOURCE",
            "--offline",
            "-V, --version",
        ):
            assert option in told
        assert "lockwarden --base origin/main" in told
        assert told.count("Options of the review") == 1
        assert "Exit codes: 0" in " ".join(told.split())
        assert lockwarden.run("help", folder=tmp_path, expected=0).out == told

    def test_the_version_has_a_short_option_and_help_a_command(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        long, short = (lockwarden.run(each, folder=tmp_path, expected=0).out for each in ("--version", "-V"))
        assert short == long
        assert long.startswith("lockwarden, version ")
        asked = lockwarden.run("help", "lock", folder=tmp_path, expected=0).out
        assert asked == lockwarden.run("lock", "--help", folder=tmp_path, expected=0).out
        assert "--dry-run" in asked
        done = lockwarden.run("help", "chekc", folder=tmp_path, expected=2)
        assert "did you mean check?" in done.err

    def test_python_runs_the_package_as_the_command(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "lockwarden", "-V"], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.stdout == lockwarden.run("-V", folder=tmp_path, expected=0).out

    @pytest.mark.parametrize(("shell", "asks"), [("bash", "complete "), ("zsh", "#compdef"), ("fish", "complete ")])
    def test_what_makes_a_shell_complete_is_printed(
        self, lockwarden: Lockwarden, tmp_path: Path, shell: str, asks: str
    ) -> None:
        # No shell may be run for it, whatever lies first in PATH.
        (tmp_path / "bash").write_text("#!/bin/sh\nexit 9\n")
        (tmp_path / "bash").chmod(0o755)
        done = lockwarden.run("completion", shell, folder=tmp_path, expected=0, PATH=str(tmp_path))
        assert asks in done.out
        assert f"_LOCKWARDEN_COMPLETE={shell}_complete" in done.out
        if shell == "bash":
            assert subprocess.run(["bash", "-n"], input=done.out, text=True).returncode == 0
        if shell == "zsh":  # where -U would put an answer in the place of the option before it
            assert ("compset -P '--*='" in done.out, " -U" in done.out) == (True, False)

    def test_bash_offers_commands_and_options_and_where_none_fits_paths(
        self, lockwarden: Lockwarden, tmp_path: Path
    ) -> None:
        asking = """
            compopt() { paths=$2; }  # which only a completion may call
            eval "$(lockwarden completion bash)"
            for typed in "$@"; do
                read -ra COMP_WORDS <<<"$typed"
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=() paths=
                _lockwarden_completion lockwarden
                echo "${COMPREPLY[*]}${paths:+ $paths}"
            done
        """
        typed = {
            "lockwarden che": "check default",
            "lockwarden check --bas": "--base",
            "lockwarden check --color = al": "always",
            "lockwarden nosuch": " default",
            "lockwarden check --platform linux_a": "linux_amd64 linux_arm64 linux_arm",
            "lockwarden check --source plug": "plugin-cache: nospace",
            "lockwarden check --source mirr": " dirnames",
        }
        done = subprocess.run(
            ["bash", "-c", asking, "bash", *typed],
            cwd=tmp_path,
            env=dict(lockwarden.environment),
            capture_output=True,
            text=True,
        )
        assert (dict(zip(typed, done.stdout.splitlines(), strict=True)), done.stderr) == (typed, "")

    @pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish here to ask for completions")
    def test_fish_offers_values_behind_an_option_in_the_same_word_and_whole_descriptions(
        self, lockwarden: Lockwarden, tmp_path: Path
    ) -> None:
        (tmp_path / "policy.hcl").touch()
        asking = """
            lockwarden completion fish | source
            complete -C"lockwarden package-d"
            complete -C"lockwarden check --color=al"
            complete -C"lockwarden check --platform windows_am"
            complete -C"lockwarden check --source oc"
            complete -C"lockwarden check --policy=pol"
            complete -C"lockwarden pol"
        """
        home = {"HOME": str(tmp_path / "home")}
        done = subprocess.run(
            ["fish", "--no-config", "-c", asking],
            cwd=tmp_path,
            env={**lockwarden.environment, **home},
            capture_output=True,
            text=True,
        )
        assert done.stdout.splitlines() == [
            "package-diff\tCompare two packages, file by file.",
            "--color=always",
            "windows_amd64",
            "oci://",
            "--policy=policy.hcl",
            "policy.hcl",
        ]

    @pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh here to ask for completions")
    def test_zsh_completes_values_behind_an_option_in_the_same_word(
        self, lockwarden: Lockwarden, tmp_path: Path
    ) -> None:
        (tmp_path / "policy.hcl").touch()
        beginning = """
            autoload -Uz compinit && compinit -u -D
            eval "$(lockwarden completion zsh)"
            shown() { print -r -- "<$BUFFER>" }
            zle -N shown && bindkey "^X" shown && print "RE""ADY"
        """
        (tmp_path / "beginning").write_text(beginning)
        typed = (
            "package-d",
            "check --color=al",
            "check --platform linux_am",
            "check --source di",
            "check --source oc",
            "check --policy=pol",
            "pol",
        )
        with in_terminal(
            ["zsh", "-f", "-i"], folder=tmp_path, environment={**lockwarden.environment, "TERM": "dumb"}
        ) as zsh:
            zsh.press(b"source beginning\r")
            zsh.wait_for(b"READY", seconds=PATIENCE)
            for number, each in enumerate(typed, 1):
                zsh.press(f"\x15lockwarden {each}\t\x18".encode())
                zsh.wait_until(_has_shown(number), seconds=PATIENCE)
            lines = re.findall(r"<(lockwarden [^>]*)>", zsh.shown.decode())
        assert lines == [
            "lockwarden package-diff ",
            "lockwarden check --color=always ",
            "lockwarden check --platform linux_amd64 ",
            "lockwarden check --source direct ",
            "lockwarden check --source oci://",  # with no blank, as it goes on
            "lockwarden check --policy=policy.hcl ",
            "lockwarden policy.hcl ",
        ]

    def test_lock_files_below_are_named_where_there_is_none_here(self, lockwarden: Lockwarden, tmp_path: Path) -> None:
        for folder in (".terraform/modules/x", "infra/prod"):
            (tmp_path / folder).mkdir(parents=True)
            (tmp_path / folder / ".terraform.lock.hcl").write_text("")
        done = lockwarden.run("check", folder=tmp_path, expected=2)
        assert "there is one below, infra/prod/.terraform.lock.hcl: take all below with --recursive (-r)" in done.err


class TestLockWithoutWriting:
    def test_what_would_be_written_is_what_is_written(
        self, workspace: Workspace, lockwarden: Lockwarden, tmp_path: Path
    ) -> None:
        before = workspace.lock_file.read_bytes()
        asked = ("lock", "--platform", "linux_amd64", "--platform", "darwin_arm64")
        tried = lockwarden.run(*asked, "--dry-run", "--diff", folder=workspace.folder, expected=0)
        assert workspace.lock_file.read_bytes() == before
        assert ".terraform.lock.hcl: would be written" in tried.out
        shown = tried.out[tried.out.index("  @@ ") : tried.out.rindex(".terraform.lock.hcl: Nothing")]
        (tmp_path / "patch").write_text("".join(f"{line[2:]}\n" for line in shown.splitlines()))
        done = lockwarden.run(*asked, folder=workspace.folder, expected=0)
        assert done.out.splitlines()[0] == ".terraform.lock.hcl: written"
        after = workspace.lock_file.read_bytes()
        assert after != before
        (tmp_path / ".terraform.lock.hcl").write_bytes(before)
        subprocess.run(["patch", "-s", ".terraform.lock.hcl", "patch"], cwd=tmp_path, check=True)
        assert (tmp_path / ".terraform.lock.hcl").read_bytes() == after
        again = lockwarden.run(*asked, "--diff", folder=workspace.folder, expected=0)
        assert again.out.splitlines()[0] == ".terraform.lock.hcl: nothing to add"


def _has_shown(lines: int) -> Callable[[bytearray], bool]:
    return lambda shown: shown.count(b">\r") == lines
