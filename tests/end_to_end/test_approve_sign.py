"""`lockwarden approve-sign`: what it shows, writes and refuses, with the real ssh-keygen, agent and git."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders.document_signing import ed25519
from servers.in_process import in_process
from servers.installed import PATIENCE
from servers.terminal import in_terminal

from lockwarden.cli.main import main
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.document_signatures.ssh_signature import read_ssh_signature
from lockwarden.core.document_signatures.verification import is_good_ssh

RECORD = """\
approval "registry.example.test/acme/widget" {
  version  = "1.2.3"
  hashes   = ["h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
  verdict  = "unexplained"
  by       = "Ada <ada@example.test>"
  at       = "2026-01-28T05:00:00Z"
  reason   = "we built it"
  until    = "2099-12-31"
  platform = "linux_amd64"
}
"""
NAME = ".lockwarden/approvals.hcl"


class Desk:
    """A repository with recorded approvals, and whoever signs them."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        home.mkdir()
        (folder / ".lockwarden").mkdir(parents=True)
        self.approvals, self.signature = folder / NAME, folder / f"{NAME}.sig"
        self.approvals.write_text(RECORD)
        self.key = home / "id"
        self.key.write_bytes(ed25519().private)
        self.key.chmod(0o600)
        (home / "id.pub").write_text(ed25519().public + "\n")
        self.environ = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}
        self.configure("[user]\n\tname = Ada\n\temail = ada@example.test\n")
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True, env=self.environ)

    def configure(self, text: str) -> None:
        (self.home / ".gitconfig").write_text(text)

    def sign(self, *words: str, yes: bool = True, **environ: str) -> tuple[int, str, str]:
        command = ["approve-sign", *(["--yes"] if yes else []), *words]
        return in_process(lambda: main(command), folder=self.folder, environment=self.environ | environ)

    def is_signed(self) -> bool:
        read = read_ssh_signature(self.signature.read_text())
        return read.key.fingerprint == ed25519().fingerprint and is_good_ssh(read, self.approvals.read_bytes())


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home", tmp_path / "repository")


def test_it_shows_every_record_signs_the_file_under_a_higher_number_and_says_how_to_trust_the_key(desk: Desk) -> None:
    code, out, err = desk.sign("--key", str(desk.key))
    assert code == 0, err
    for told in ("serial number 1", "acme/widget 1.2.3 for linux_amd64", "h1:47DEQpj8HBSa", "until 2099-12-31"):
        assert told in out
    assert f'signing_key "{ed25519().fingerprint}"' in out
    assert desk.is_signed()
    read = read_approvals(desk.approvals.read_bytes(), path=NAME)
    assert (read.serial, read.signer, len(read.records)) == (1, "ada@example.test", 1)
    assert desk.sign("--key", str(desk.key), "--signer", "ops@example.test")[0] == 0
    read = read_approvals(desk.approvals.read_bytes(), path=NAME)
    assert (read.serial, read.signer) == (2, "ops@example.test")
    assert desk.is_signed()
    verify = ("ssh-keygen", "-Y", "check-novalidate", "-n", "approved-hashes@lockwarden", "-s", str(desk.signature))
    assert subprocess.run(verify, input=desk.approvals.read_bytes(), capture_output=True).returncode == 0


def test_whoever_signs_is_told_of_letters_that_look_like_others(desk: Desk) -> None:
    host, namespace = RECORD.replace("registry.", "r\u0435gistry."), RECORD.replace("acme", "\u0430cme")
    hostile = RECORD.replace("we built it", r"we built it\n  registry.example.test/acme/other 1.0.0\u202e")
    desk.approvals.write_text(host + namespace + hostile)
    code, out, err = desk.sign("--key", str(desk.key))
    assert code == 0, err
    told = "    read it letter by letter: "
    # Python's own codec says what the host is called in the DNS.
    in_ascii = b"xn--" + "r\u0435gistry".encode("punycode")
    assert f"{told}the host is {in_ascii.decode()}.example.test; \u0435 is CYRILLIC SMALL LETTER IE" in out
    assert f"{told}\u0430 is CYRILLIC SMALL LETTER A\n" in out
    assert out.count(told) == 2, "the honest one needs no such look"
    assert "\n  registry.example.test/acme/other" not in out, "no reason looks like a record"


def test_the_number_is_higher_than_that_of_the_last_commit_and_as_high_as_is_asked(desk: Desk) -> None:
    desk.approvals.write_text("document {\n  serial = 40\n}\n" + RECORD)
    subprocess.run(["git", "add", "-A"], cwd=desk.folder, check=True, env=desk.environ)
    subprocess.run(["git", "commit", "-qm", "a"], cwd=desk.folder, check=True, env=desk.environ)
    desk.approvals.write_text("document {\n  serial = 3\n}\n" + RECORD)
    assert "serial number 41" in desk.sign("--key", str(desk.key))[1]
    assert "serial number 50" in desk.sign("--key", str(desk.key), "--serial", "50")[1]


def test_nothing_is_signed_where_nobody_looks_at_it(desk: Desk) -> None:
    code, out, err = desk.sign("--key", str(desk.key), yes=False)
    assert (code, desk.signature.exists()) == (2, False)
    assert "h1:47DEQpj8HBSa" in out
    assert "nobody is here" in err
    assert desk.approvals.read_text() == RECORD


def test_gits_settings_name_the_key(desk: Desk) -> None:
    code, _, err = desk.sign()
    assert (code, desk.signature.exists()) == (2, False)
    assert "neither --key nor git's user.signingkey" in err
    desk.configure("[user]\n\tsigningkey = 0123456789ABCDEF\n")
    assert "is no SSH key" in desk.sign()[2]
    desk.configure("[user]\n\tsigningkey = ~/id\n[gpg]\n\tformat = ssh\n")
    code, _, err = desk.sign()
    assert code == 0, err
    assert desk.is_signed()
    assert read_approvals(desk.approvals.read_bytes(), path=NAME).signer == "", "git does not know who it is"


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[str]:
    socket = tmp_path / "agent"
    with subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield str(socket)
        process.terminate()


def test_an_agent_signs_by_a_key_whose_public_half_is_named(desk: Desk, agent: str) -> None:
    added = subprocess.run(["ssh-add", "-q", str(desk.key)], env=desk.environ | {"SSH_AUTH_SOCK": agent})
    assert added.returncode == 0
    desk.key.unlink()
    for key in (str(desk.home / "id.pub"), ed25519().public, f"key::{ed25519().public}"):
        desk.signature.unlink(missing_ok=True)
        code, _, err = desk.sign("--key", key, SSH_AUTH_SOCK=agent)
        assert code == 0, err
        assert desk.is_signed()
    code, _, err = desk.sign("--key", ed25519().public)
    assert code == 2
    assert "ssh-keygen did not sign" in err


def test_what_is_missing_is_named(desk: Desk) -> None:
    assert "there is no key" in desk.sign("--key", "nowhere")[2]
    code, _, err = desk.sign("--key", str(desk.key), PATH=".:tools:/nonexistent")
    assert code == 2
    assert "not installed" in err
    desk.key.write_text("no key at all\n")
    assert "ssh-keygen did not sign" in desk.sign("--key", str(desk.key))[2]
    assert not desk.signature.exists()
    assert desk.approvals.read_text() == RECORD
    desk.approvals.with_name("approvals.hcl.minisig").write_text("untrusted comment: \n")
    assert "a signature in another form" in desk.sign("--key", str(desk.key))[2]
    desk.approvals.unlink()
    assert "there is nothing to sign" in desk.sign("--key", str(desk.key))[2]


def test_nothing_is_written_through_a_link(desk: Desk, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("mine\n")
    desk.signature.symlink_to(target)
    code, _, err = desk.sign("--key", str(desk.key))
    assert code == 2
    assert "symbolic link" in err
    assert target.read_text() == "mine\n"


def test_a_program_of_that_name_in_the_repository_is_never_run(desk: Desk) -> None:
    planted = desk.folder / "ssh-keygen"
    planted.write_text("#!/bin/sh\ntouch ran\n")
    planted.chmod(0o755)
    code, _, err = desk.sign("--key", str(desk.key), PATH=f".::{desk.environ['PATH']}")
    assert code == 0, err
    assert not (desk.folder / "ran").exists()


@pytest.mark.parametrize(("answer", "code"), [(b"y\r", 0), (b"\r", 1)])
def test_on_a_terminal_it_asks_and_nothing_is_signed_unless_the_answer_is_yes(
    desk: Desk, answer: bytes, code: int
) -> None:
    words = ("approve-sign", "--key", desk.key)
    with in_terminal(words, folder=desk.folder, environment=desk.environ, forked=True) as terminal:
        terminal.wait_for(b"Sign all of this?", seconds=PATIENCE)
        assert b"h1:47DEQpj8HBSa" in terminal.shown
        terminal.press(answer)
        assert terminal.process.wait(timeout=PATIENCE) == code
    assert desk.signature.exists() is (code == 0)
