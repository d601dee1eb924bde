"""`lockwarden bundle` and `check --evidence`: what leaves the machine, who vouches for it, and what is refused."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from builders.document_signing import ed25519
from builders.evidence import ageless
from builders.three_providers import HOST, MIRROR, ThreeProviders
from end_to_end.configuring import OCI_HOST
from end_to_end.oci_mirrors import configured
from servers.https import HttpsServer
from servers.installed import Ended, Lockwarden
from servers.oci_registry import PASSWORD, USER, basic

from lockwarden.demo.world import Response

TOKEN = "token-that-nobody-may-see"
SOURCES = ("--source", "direct", "--source", MIRROR, "--source", f"oci://{OCI_HOST}/providers/{{namespace}}/{{type}}")
PLATFORMS = ("--platform", "linux_amd64", "--platform", "darwin_arm64")


@dataclass(frozen=True, kw_only=True)
class Desk:
    """A repository with a lock file, a key to sign evidence with, and a list that names it."""

    lockwarden: Lockwarden
    server: HttpsServer
    folder: Path
    outside: Path

    @property
    def bundle(self) -> Path:
        return self.outside / "evidence.tar"

    @property
    def signers(self) -> Path:
        return self.outside / "signers"

    def run(self, *words: str | Path, expected: int | None = None, **environ: str) -> Ended:
        return self.lockwarden.run(*words, folder=self.folder, expected=expected, **environ)

    def make(self, *words: str | Path, key: bool = True) -> Ended:
        sign = ("--sign-key", self.outside / "id") if key else ()
        return self.run(
            "bundle", ".", "-o", self.bundle, *sign, *words, expected=0, TF_TOKEN_registry_example_test=TOKEN
        )

    def check(self, *words: str | Path, expected: int, form: str = "json") -> Ended:
        """From the bundle, while nobody can be asked; nobody is."""
        self.server.journal.clear()
        done = self.run("check", "--evidence", self.bundle, *words, "--format", form, expected=expected)
        assert self.server.journal.requests == ()
        return done

    def vouched(self, *words: str | Path, expected: int, form: str = "json") -> Ended:
        return self.check("--evidence-signers", self.signers, *words, expected=expected, form=form)


@pytest.fixture
def desk(lockwarden: Lockwarden, everything: HttpsServer, folder: Path, tmp_path: Path) -> Desk:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "id").write_bytes(ed25519().private)
    (outside / "id").chmod(0o600)
    (outside / "id.pub").write_text(ed25519().public + "\n")
    made = Desk(lockwarden=lockwarden, server=everything, folder=folder, outside=outside)
    made.signers.write_text(f'alice@example.test namespaces="evidence@lockwarden" {ed25519().public}\n')
    return made


def test_an_audit_with_credentials_and_one_from_its_bundle_are_equal_and_no_secret_leaves(
    desk: Desk, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    file = configured(lockwarden, OCI_HOST, PASSWORD)
    words = (*SOURCES, *PLATFORMS, "--no-cache")
    told = desk.make(*words).out
    assert "evidence of 3 releases for 1 lock file, sha256 " in told
    assert f"signed by {ed25519().fingerprint}" in told
    assert "the audit itself: exit code 0, " in told
    live = desk.run("check", *words, "--format", "json", TF_TOKEN_registry_example_test=TOKEN)
    file.write_text("")
    again = desk.vouched(expected=live.code)
    assert ageless(json.loads(again.out)) == ageless(json.loads(live.out))
    assert {"confirmed"} == locked(again, "one")
    evidence = again.report["evidence"]
    assert (evidence["vouched"], evidence["signer"]) == (True, "alice@example.test")
    data = desk.bundle.read_bytes()
    secrets = (TOKEN, PASSWORD, basic(), basic().split()[1], USER, "Bearer", str(tmp_path), str(Path.home()))
    assert [each for each in secrets if each.encode() in data] == []
    verify = ("ssh-keygen", "-Y", "verify", "-f", desk.signers, "-I", "alice@example.test", "-n", "evidence@lockwarden")
    signature = Path(f"{desk.bundle}.sig")
    subprocess.run([*verify, "-s", signature], input=data, check=True, capture_output=True)
    # The same again gives the same file, but for the time that it states.
    before = json.loads(member(data))
    configured(lockwarden, OCI_HOST, PASSWORD)
    desk.make(*words)
    after = json.loads(member(desk.bundle.read_bytes()))
    assert timeless(after) == timeless(before)
    explained = desk.run(
        "check", "--evidence", desk.bundle, "--evidence-signers", desk.signers, "--explain", "acme/one"
    ).out
    assert "less than an hour ago, by alice@example.test; its signature was verified again here" in explained
    assert "by whoever made the evidence, and not here" in explained


@pytest.mark.parametrize(("client", "code"), [("opentofu", 0), ("terraform", 3)])
def test_host_blocks_count_from_a_bundle_as_the_client_read_them(
    desk: Desk, lockwarden: Lockwarden, client: str, code: int
) -> None:
    """Of two in a file OpenTofu reads both, and Terraform the last."""
    file = Path(lockwarden.environment["TF_CLI_CONFIG_FILE"])
    here = f"https://{HOST}/v1/providers/"
    for name in ("providers.v1", "modules.v1"):
        file.write_text(file.read_text() + f'host "{HOST}" {{\n  services = {{ "{name}" = "{here}" }}\n}}\n')
    desk.make("--source", "direct", *PLATFORMS, "--client", client)
    file.write_text("")
    assert ("no URL for providers.v1" in desk.vouched("--client", client, expected=code).out) == bool(code)


def locked(done: Ended, name: str) -> set[str]:
    """The verdicts on what is locked of a provider."""
    return {each["verdict"] for each in done.provider(name)["hashes"] if each["locked"]}


def member(data: bytes) -> bytes:
    size = int(data[124:135], 8)
    return data[512 : 512 + size]


def timeless(record: object) -> object:
    match record:
        case dict():
            return {name: timeless(each) for name, each in record.items() if name not in {"made", "computed_on"}}
        case list():
            return [timeless(each) for each in record]
        case _:
            return record


def test_who_vouches_decides_what_counts_and_changed_evidence_is_refused(desk: Desk) -> None:
    unsigned = ("bundle", ".", "-o", desk.bundle, "--source", "direct", *PLATFORMS)
    assert f"ssh-keygen -Y sign -n evidence@lockwarden -f KEY {desk.bundle}" in desk.run(*unsigned, expected=0).out
    alone = desk.check(expected=3)
    assert locked(alone, "one") == {"unchecked"}
    assert "nobody has signed it" in desk.check(expected=3, form="text").out
    # A key of the policy for the releases counts of its own; the h1 of a package stays somebody's word.
    (key,) = {key["fingerprint"] for key in alone.provider("one")["keys"]}
    policy = desk.outside / "policy.hcl"
    policy.write_text(f'signing_key "{key}" {{\n  providers = ["*/*/*"]\n}}\n')
    pinned = desk.check("--policy", policy, expected=3)
    hashes = pinned.provider("one")["hashes"]
    assert {(each["hash"][:2], each["verdict"]) for each in hashes if each["locked"]} == {
        ("h1", "unchecked"),
        ("zh", "confirmed"),
    }
    # Signed, as somebody who is not named; as somebody who is; by a key that the policy names.
    data = desk.bundle.read_bytes()
    sign = ("ssh-keygen", "-q", "-Y", "sign", "-n", "evidence@lockwarden", "-f", desk.outside / "id")
    subprocess.run([*sign, desk.bundle], check=True, capture_output=True)
    assert "you named nobody who may vouch" in desk.check(expected=3, form="text").out
    assert locked(desk.vouched(expected=0), "one") == {"confirmed"}
    policy.write_text(
        f'signing_key "{ed25519().fingerprint}" {{\n  scheme    = "sshsig"\n  owner     = "Build team"\n'
        '  providers = ["registry.example.test/acme/one"]\n}\n'
    )
    by_policy = desk.check("--policy", policy, expected=3)
    assert locked(by_policy, "one") == {"confirmed"}
    assert locked(by_policy, "two") == {"unchecked"}
    for line in ("", 'bob@example.test namespaces="approved-hashes@lockwarden" ', "bob@example.test "):
        desk.signers.write_text(f"{line}{ed25519().public}\n" if line else "")
        assert locked(desk.vouched(expected=3), "one") == {"unchecked"}
    # One byte, and it is not what was signed; cut, or with something behind it, it is no evidence at all.
    desk.bundle.write_bytes(data.replace(b"registry.example.test", b"registry.examp1e.test", 1))
    assert "is not over" in desk.vouched(expected=2).err
    Path(f"{desk.bundle}.sig").unlink()
    for broken in (data[:-512], data + bytes(512), b"", data[:700], b"x" * 2000):
        desk.bundle.write_bytes(broken)
        assert f"the evidence in {desk.bundle} cannot be used" in desk.check(expected=2).err
    desk.bundle.write_bytes(data)
    lock_file = desk.folder / ".terraform.lock.hcl"
    lock_file.write_text(lock_file.read_text() + "\n")
    assert "was made for another lock file than" in desk.check(expected=2).err


def test_what_cannot_be_with_evidence_is_told(desk: Desk) -> None:
    desk.make("--source", "direct", "--platform", "linux_amd64")
    for words in (("--source", "direct"), ("--fresh",), ("--modules",)):
        assert f"{words[0]} and --evidence exclude each other" in desk.check(*words, expected=2).err
    assert "is not a number of days" in desk.check("--evidence-max-age", "0", expected=2).err
    absent = desk.outside / "absent"
    assert "is not there" in desk.run("check", "--evidence", absent, expected=2).err
    assert "Is a directory" in desk.run("check", "--evidence", desk.outside, expected=2).err
    assert "it is no file" in desk.run("check", "--evidence", "/dev/null", expected=2).err
    assert "there is no file" in desk.check("--evidence-signers", absent, expected=2).err
    signature = Path(f"{desk.bundle}.sig")
    again = desk.run("bundle", ".", "-o", desk.bundle, "--source", "direct", expected=2).err
    assert f"{signature} is there" in again
    whole = signature.read_text()
    signature.write_text("no signature\n")
    assert "has no whole armor" in desk.check(expected=2).err
    signature.write_text(whole)
    sign = ("ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", desk.outside / "id")
    signature.unlink()
    subprocess.run([*sign, desk.bundle], check=True, capture_output=True)
    assert "is for “file”, and not for evidence" in desk.vouched(expected=2).err
    signature.unlink()
    assert (
        "there is no lock file that can be read"
        in desk.run("bundle", desk.outside, "-o", desk.outside / "none.tar", expected=2).err
    )
    assert not (desk.outside / "none.tar").exists()


def test_with_a_base_the_change_cannot_name_who_vouches(desk: Desk) -> None:
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@example.test")
    lock_file = desk.folder / ".terraform.lock.hcl"
    now = lock_file.read_text()
    lock_file.write_text(now.replace("1.4.0", "1.3.0", 1))
    for command in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-qm", "lock")):
        subprocess.run([*git, *command], cwd=desk.folder, check=True, capture_output=True)
    lock_file.write_text(now)
    words = ("--source", "direct", *PLATFORMS, "--base", "HEAD", "--no-cache")
    desk.make(*words)
    live = desk.run("check", *words, "--format", "json")
    again = desk.vouched("--base", "HEAD", expected=live.code)
    assert again.report["lock_files"][0]["base"]
    assert ageless(json.loads(again.out)) == ageless(json.loads(live.out))
    inside = desk.folder / "signers"
    inside.write_bytes(desk.signers.read_bytes())
    refused = desk.check("--base", "HEAD", "--evidence-signers", "signers", expected=2)
    assert "which the change under review can write" in refused.err


def test_queries_stay_at_home_and_tell_apart_what_they_lead_to(
    desk: Desk, everything: HttpsServer, three_providers: ThreeProviders
) -> None:
    """Where every URL is signed for one request, and one path serves all packages by its query."""
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        place, _, query = path.partition("?")
        if place == "/releases/get":
            return world.respond(host, query.split("=", 1)[1].partition("&")[0])
        response = world.respond(host, place)
        if "/download/" not in place:
            return response
        told = json.loads(response.body)
        for name in ("download_url", "shasums_url", "shasums_signature_url"):
            where = told[name].removeprefix(f"https://{host}")
            told[name] = f"https://{host}/releases/get?path={where}&sig={TOKEN}{place[-5:]}"
        return Response(headers=response.headers, body=json.dumps(told).encode())

    everything.serve(respond)
    words = ("--source", "direct", *PLATFORMS, "--no-cache")
    live = desk.run("check", *words, "--format", "json", expected=0)
    desk.make(*words)
    data = desk.bundle.read_bytes()
    assert TOKEN.encode() not in data
    assert b"path=" not in data
    assert ageless(json.loads(desk.vouched(expected=0).out)) == ageless(json.loads(live.out))
