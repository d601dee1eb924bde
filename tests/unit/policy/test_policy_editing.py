"""A rule that is added to a policy: the file gets one block, and keeps every byte that it had."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from builders.tables import table
from servers.terraform import terraform_or_skip

from lockwarden.core.policy.edit import with_mirror, with_signing_key
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.policy.read import read_policy
from lockwarden.core.values.errors import InputError, InvalidFingerprintError, OwnFileEditError
from lockwarden.core.values.provider_patterns import ProviderPattern

FINGERPRINT = "0123456789ABCDEF0123456789ABCDEF01234567"
OLD = b"""\
/* What we trust. */
require {
    signed=true # the indentation is ours
  providers = [ "*/*/*" ] }
"""
ACME = (ProviderPattern.parse("registry.example.test/acme/*"),)


def read(data: bytes) -> Policy:
    return read_policy(data, path=".lockwarden.hcl", folder=Path("/srv"))


def test_a_key_is_added_as_one_block_behind_a_blank_line() -> None:
    data = with_signing_key(read(OLD), FINGERPRINT, "Acme", ACME)
    assert data == OLD + (
        b"\n"
        b'signing_key "0123456789ABCDEF0123456789ABCDEF01234567" {\n'
        b'  owner     = "Acme"\n'
        b'  providers = ["registry.example.test/acme/*"]\n'
        b"}\n"
    )
    (key,) = read(data).keys
    assert (key.fingerprint, key.owner, key.providers, key.rule.line) == (FINGERPRINT, "Acme", ACME, 6)
    assert read(data).requirements == read(OLD).requirements


def test_a_mirror_is_added_as_one_block() -> None:
    data = with_mirror(read(OLD), "https://m.example.test/p/", True, ACME)
    assert data.removeprefix(OLD) == (
        b"\n"
        b'mirror "https://m.example.test/p/" {\n'
        b"  trusted   = true\n"
        b'  providers = ["registry.example.test/acme/*"]\n'
        b"}\n"
    )


def test_trust_can_be_taken_back_too() -> None:
    assert not read(with_mirror(NO_POLICY, "/srv/mirror", False, ACME)).mirrors[0].trusted


def test_a_new_file_tells_what_it_is_for() -> None:
    lines = with_signing_key(NO_POLICY, FINGERPRINT, "", ACME).decode().splitlines()
    assert lines[0].startswith("# ")
    assert lines[2:4] == ["", f'signing_key "{FINGERPRINT}" {{']


def test_a_key_of_nobody_known_has_no_owner() -> None:
    data = with_signing_key(NO_POLICY, FINGERPRINT, "", ACME)
    assert b"owner" not in data
    assert b"\n  providers = [" in data


def test_an_owner_who_tells_too_much_is_cut() -> None:
    assert read(with_signing_key(NO_POLICY, FINGERPRINT, "x" * 5000, ACME)).keys[0].owner == "x" * 256


def test_line_ends_of_windows_are_followed() -> None:
    old = OLD.replace(b"\n", b"\r\n")
    data = with_signing_key(read(old), FINGERPRINT, "", ACME)
    assert data.startswith(old + b"\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_file_without_a_line_end_at_its_end_gets_one_first() -> None:
    old = OLD + b"# the end"
    assert with_signing_key(read(old), FINGERPRINT, "", ACME).startswith(old + b"\n\nsigning_key ")


def test_no_second_blank_line_is_added() -> None:
    old = OLD + b"\n"
    assert with_signing_key(read(old), FINGERPRINT, "", ACME).startswith(old + b"signing_key ")


@table(
    "owner",
    [
        'A "B" \\ C',
        "${path}",
        "%{ if x }",
        "$${x}",
        "two\nlines\tand\rmore",
        "\x1b[31m",
        "Jos\u00e9 \U0001f600",
        "\u202e",
    ],
)
def test_a_name_with_the_language_s_own_signs_is_a_name_and_nothing_else(owner: str) -> None:
    data = with_signing_key(read(OLD), FINGERPRINT, owner, ACME)
    assert read(data).keys[0].owner == owner
    assert data.isascii() or owner.startswith("Jos")
    assert b"\x1b" not in data


def test_a_relative_folder_stays_relative() -> None:
    data = with_mirror(NO_POLICY, "./mirror", True, ACME)
    assert b'mirror "./mirror" {' in data
    assert read(data).mirrors[0].location == "/srv/mirror"


def test_a_template_of_the_cli_configuration_is_written_in_the_form_of_options() -> None:
    data = with_mirror(NO_POLICY, "oci://r.example.test/${namespace}/${type}", True, ACME)
    assert b'mirror "oci://r.example.test/{namespace}/{type}" {' in data


class TestRefusals:
    def test_a_rule_that_is_there_already_is_not_added_again(self) -> None:
        once = read(with_signing_key(NO_POLICY, FINGERPRINT, "Acme", ACME))
        with pytest.raises(OwnFileEditError, match=r"\.lockwarden\.hcl cannot get this rule: .* line 4") as caught:
            with_signing_key(once, FINGERPRINT, "", ACME)
        assert caught.value.hint

    def test_a_key_id_is_not_added(self) -> None:
        with pytest.raises(InvalidFingerprintError):
            with_signing_key(NO_POLICY, FINGERPRINT[-16:], "", ACME)

    def test_a_mirror_over_plain_http_is_not_added(self) -> None:
        with pytest.raises(InputError, match="plain HTTP"):
            with_mirror(NO_POLICY, "http://m.example.test/", True, ACME)

    def test_a_rule_for_no_provider_is_not_added(self) -> None:
        with pytest.raises(OwnFileEditError, match="empty"):
            with_signing_key(NO_POLICY, FINGERPRINT, "", ())

    def test_a_name_that_no_file_can_hold_is_not_changed_in_silence(self) -> None:
        with pytest.raises(OwnFileEditError, match="not say exactly"):
            with_signing_key(NO_POLICY, FINGERPRINT, "\ud800", ACME)

    def test_a_pattern_that_means_another_than_it_says_is_not_added(self) -> None:
        lie = ProviderPattern("registry.example.test", "acme", "*", "*/*/*")
        with pytest.raises(OwnFileEditError, match="not say exactly"):
            with_signing_key(NO_POLICY, FINGERPRINT, "", (lie,))


LONG = tuple(
    ProviderPattern.parse(f"registry.example.test/a-long-namespace/{name}") for name in ("one", "two", "three")
)


@pytest.mark.parametrize("patterns", [ACME, LONG], ids=["short", "long"])
@pytest.mark.parametrize("owner", ["", "Acme ${x} %{y}"])
def test_what_is_added_is_already_as_terraform_fmt_would_write_it(
    owner: str, patterns: tuple[ProviderPattern, ...]
) -> None:
    first = read(with_signing_key(NO_POLICY, FINGERPRINT, owner, patterns))
    data = with_mirror(first, "https://m.example.test/", True, patterns)
    done = subprocess.run([terraform_or_skip(), "fmt", "-"], input=data, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, data), done.stderr
