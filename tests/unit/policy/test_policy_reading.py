"""Policies that say something: every setting means what the design says it means."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.core.engine.policy_files import policy_of
from lockwarden.core.policy.model import NO_POLICY, Policy, Rule, together
from lockwarden.core.policy.read import read_policy
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.provider_patterns import ProviderPattern

FINGERPRINT = "0123456789ABCDEF0123456789ABCDEF01234567"
EXAMPLE = f"""\
# The team's rules.
signing_key "{FINGERPRINT}" {{
  owner     = "Example Releases"
  providers = ["registry.opentofu.org/example/*"]
}}

mirror "https://mirror.example.test/providers/" {{
  trusted   = true
  providers = ["*/*/*"]
}}

require {{
  providers = ["*/*/*"]
  signed    = true
  platforms = ["linux_amd64", "darwin_arm64"]
  schemes   = ["h1", "zh"]
}}
"""


def read(text: str, folder: str = "/srv/repository") -> Policy:
    return read_policy(text.encode(), path=".lockwarden.hcl", folder=Path(folder))


def address(text: str) -> ProviderAddress:
    return ProviderAddress.parse(text)


def test_the_example_of_the_documentation_says_what_it_says() -> None:
    policy = read(EXAMPLE)
    (key,), (mirror,), (requirement,) = policy.keys, policy.mirrors, policy.requirements
    assert (key.fingerprint, key.owner) == (FINGERPRINT, "Example Releases")
    assert key.providers == (ProviderPattern.parse("registry.opentofu.org/example/*"),)
    assert (mirror.location, mirror.trusted) == ("https://mirror.example.test/providers/", True)
    assert requirement.signed
    assert requirement.platforms == {Platform("linux", "amd64"), Platform("darwin", "arm64")}
    assert requirement.schemes == {"h1", "zh"}
    assert (requirement.hosts, requirement.namespaces) == (None, None)
    assert policy.data == EXAMPLE.encode()


def test_rules_are_named_by_the_line_on_which_they_begin() -> None:
    policy = read(EXAMPLE)
    rules = [
        *(each.rule for each in policy.keys),
        *(each.rule for each in policy.mirrors),
        *(each.rule for each in policy.requirements),
    ]
    assert [str(rule) for rule in rules] == [
        ".lockwarden.hcl line 2",
        ".lockwarden.hcl line 7",
        ".lockwarden.hcl line 12",
    ]


def test_the_line_ends_of_windows_do_not_move_the_lines() -> None:
    policy = read(EXAMPLE.replace("\n", "\r\n"))
    assert policy.requirements[0].rule == Rule(".lockwarden.hcl", 12)


def test_rules_speak_of_the_providers_of_their_patterns_alone() -> None:
    policy = read(EXAMPLE)
    assert policy.keys_for(address("registry.opentofu.org/example/widget")) == policy.keys
    assert policy.keys_for(address("registry.opentofu.org/other/widget")) == ()
    assert policy.mirrors_for(address("elsewhere.example.test/other/widget")) == policy.mirrors
    assert policy.requirements_for(address("elsewhere.example.test/other/widget")) == policy.requirements
    assert policy.platforms == {Platform("linux", "amd64"), Platform("darwin", "arm64")}


@table("text", ["", "\n\n", "# nothing yet\n", "/* nothing */"])
def test_a_file_without_blocks_asks_for_nothing(text: str) -> None:
    policy = read(text)
    assert (policy.keys, policy.mirrors, policy.requirements) == ((), (), ())
    assert policy.path == ".lockwarden.hcl"


def test_no_policy_is_the_empty_one_without_a_path() -> None:
    assert NO_POLICY.path == ""
    assert NO_POLICY.platforms == frozenset()


@table(
    "written",
    [
        FINGERPRINT.lower(),
        "0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567",
        "0123 4567 89AB CDEF 0123  4567 89AB CDEF 0123 4567",
        f"0x{FINGERPRINT}",
    ],
    ids=["small letters", "groups as our screens print them", "groups as GnuPG prints them", "with 0x"],
)
def test_a_fingerprint_may_be_written_as_programs_print_it(written: str) -> None:
    policy = read(f'signing_key "{written}" {{\n  providers = ["acme/*"]\n}}\n')
    assert policy.keys[0].fingerprint == FINGERPRINT
    assert policy.keys[0].owner == ""


def test_the_fingerprints_of_later_versions_have_64_digits() -> None:
    digits = "0123456789ABCDEF" * 4
    assert read(f'signing_key "{digits}" {{ providers = ["acme/*"] }}').keys[0].fingerprint == digits


def test_two_blocks_may_name_one_key_for_different_providers() -> None:
    blocks = "".join(f'signing_key "{FINGERPRINT}" {{\n  providers = ["{each}/*"]\n}}\n' for each in ("acme", "corp"))
    assert [key.fingerprint for key in read(blocks).keys] == [FINGERPRINT, FINGERPRINT]


def test_two_keys_may_be_trusted_for_one_provider_while_one_takes_over() -> None:
    other = FINGERPRINT.replace("0123", "4567")
    blocks = "".join(f'signing_key "{each}" {{\n  providers = ["acme/*"]\n}}\n' for each in (FINGERPRINT, other))
    policy = read(blocks)
    assert [key.fingerprint for key in policy.keys_for(address("acme/widget"))] == [FINGERPRINT, other]


@table(
    ("written", "location"),
    [
        ("https://Mirror.Example.test:443/p/", "https://mirror.example.test/p/"),
        ("https://mirror.example.test", "https://mirror.example.test/"),
        ("http://localhost:8080/p/", "http://localhost:8080/p/"),
        (
            "oci://registry.example.test/mirror/{namespace}/{type}",
            "oci://registry.example.test/mirror/{namespace}/{type}",
        ),
        (
            "oci://registry.example.test/mirror/${namespace}/${type}",
            "oci://registry.example.test/mirror/{namespace}/{type}",
        ),
        ("/srv/mirror/", "/srv/mirror"),
        ("./mirror", "/srv/repository/mirror"),
        ("mirror/all", "/srv/repository/mirror/all"),
        ("../mirror", "/srv/mirror"),
    ],
)
def test_a_mirror_is_named_as_its_source_is(written: str, location: str) -> None:
    policy = read(f'mirror "{written}" {{\n  trusted = false\n  providers = ["*/*/*"]\n}}\n')
    assert policy.mirrors[0].location == location
    assert not policy.mirrors[0].trusted


@pytest.mark.parametrize(
    ("folder", "found"), [("../x/circle", "x/circle"), ("../x/circle/../y", "x/y"), ("../link/../y", "far/y")]
)
def test_a_folder_need_not_be_there_and_may_lead_in_a_circle(tmp_path: Path, folder: str, found: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "circle").symlink_to("circle")
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "link").symlink_to("far/away")
    data = f'mirror "{folder}" {{\n  trusted = true\n  providers = ["*/*/*"]\n}}\n'.encode()
    policy = policy_of(data, path="p", folder=tmp_path / "x", files=lambda _: b"")
    assert policy.mirrors[0].location == str(tmp_path / found)


def test_one_mirror_may_be_trusted_for_some_and_not_for_others() -> None:
    block = 'mirror "https://m.example.test/" {{\n  trusted = {}\n  providers = ["{}"]\n}}\n'
    policy = read(block.format("false", "corp.example.test/*/*") + block.format("true", "*/*/*"))
    assert [each.trusted for each in policy.mirrors_for(address("corp.example.test/a/b"))] == [False, True]


def test_hosts_and_namespaces_are_compared_in_their_normal_forms() -> None:
    policy = read(
        'require {\n  providers = ["*/*/*"]\n'
        '  hosts = ["Registry.OpenTofu.org", "bücher.example.test:8443"]\n  namespaces = ["Acme"]\n}\n'
    )
    assert policy.requirements[0].hosts == {"registry.opentofu.org", "xn--bcher-kva.example.test:8443"}
    assert policy.requirements[0].namespaces == {"acme"}
    assert not policy.requirements[0].signed


def test_a_pattern_of_two_parts_is_on_the_registry_of_opentofu() -> None:
    policy = read(f'signing_key "{FINGERPRINT}" {{ providers = ["acme/*"] }}')
    assert policy.keys_for(address("registry.opentofu.org/acme/widget"))
    assert not policy.keys_for(address("registry.terraform.io/acme/widget"))


def test_whether_approvals_of_a_change_count_is_said_in_so_many_words() -> None:
    assert not read(EXAMPLE).approvals_from_change
    assert not read("approvals {\n  from_change = false\n}\n").approvals_from_change
    assert read("approvals {\n  from_change = true\n}\n").approvals_from_change


class TestTogether:
    """Several policies that all count."""

    def test_those_that_ask_for_the_same_count_once_wherever_it_stands(self) -> None:
        one, moved = read(EXAMPLE), read(f"# one line more\n{EXAMPLE}")
        assert together([one, moved]) == one
        assert together([one]).each == (one,)
        assert together([]) == NO_POLICY

    def test_what_any_of_them_says_is_told_and_each_is_there_alone(self) -> None:
        one, other = read(EXAMPLE), read(EXAMPLE.replace(FINGERPRINT, "AB" * 20).replace("linux_amd64", "linux_arm64"))
        both = together([one, other, one])
        assert both.each == (one, other)
        somebody = address("registry.opentofu.org/example/widget")
        assert [each.fingerprint for each in both.keys_for(somebody)] == [FINGERPRINT, "AB" * 20]
        assert len(both.mirrors_for(somebody)) == len(both.requirements_for(somebody)) == 2
        assert both.platforms == one.platforms | other.platforms

    def test_what_approvals_of_a_change_do_makes_another_policy(self) -> None:
        assert len(together([NO_POLICY, read("approvals {\n  from_change = true\n}\n")]).each) == 2
