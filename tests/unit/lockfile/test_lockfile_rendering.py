"""Writing lock files the way the clients do. The expected bytes are written out, or stand in the recorded runs."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.lockfile.literals import quoted
from lockwarden.core.lockfile.migration import moved_entries
from lockwarden.core.lockfile.model import LockedHash, LockedProvider
from lockwarden.core.lockfile.render import canonical
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version


def entry(address: str, version: str = "1.0.0", constraints: str = "", hashes: tuple[str, ...] = ()) -> LockedProvider:
    return LockedProvider(
        address=ProviderAddress.parse(address),
        version=Version.parse(version),
        constraints=constraints,
        hashes=tuple(LockedHash(hash=Hash(text), line=1) for text in hashes),
        line=1,
    )


def test_the_reference_example_is_rendered_to_the_byte() -> None:
    providers = [
        entry("hashicorp/null", "3.2.4"),
        entry(
            "registry.example.net/acme/demo",
            "1.2.3",
            "~> 1.2",
            (
                "zh:6e42b235a426c6ab149ad1b1f5ae3c0894409575c45d47698630034658cf0963",
                "zh:05b3abf2579a5eb66403cd78be557fd860633a1fe2103c7642030defe32c657f",
                "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=",
                "zh:05b3abf2579a5eb66403cd78be557fd860633a1fe2103c7642030defe32c657f",
            ),
        ),
    ]
    assert canonical(providers, client=Client.OPENTOFU).decode() == (
        '# This file is maintained automatically by "tofu init".\n'
        "# Manual edits may be lost in future updates.\n"
        "\n"
        'provider "registry.example.net/acme/demo" {\n'
        '  version     = "1.2.3"\n'
        '  constraints = "~> 1.2"\n'
        "  hashes = [\n"
        '    "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=",\n'
        '    "zh:05b3abf2579a5eb66403cd78be557fd860633a1fe2103c7642030defe32c657f",\n'
        '    "zh:6e42b235a426c6ab149ad1b1f5ae3c0894409575c45d47698630034658cf0963",\n'
        "  ]\n"
        "}\n"
        "\n"
        'provider "registry.opentofu.org/hashicorp/null" {\n'
        '  version = "3.2.4"\n'
        "}\n"
    )


def test_an_empty_lock_file_is_its_header() -> None:
    assert canonical([], client=Client.TERRAFORM).decode() == (
        '# This file is maintained automatically by "terraform init".\n# Manual edits may be lost in future updates.\n'
    )


@table(
    ("value", "expected"),
    [
        ("", '""'),
        ("h1:+/=", '"h1:+/="'),
        ('a"b\\c', r'"a\"b\\c"'),
        ("a\nb\rc\td", r'"a\nb\rc\td"'),
        ("\x00\x07\x7f", r'"\u0000\u0007\u007f"'),
        ("\u200b\u00a0\ue000", r'"\u200b\u00a0\ue000"'),
        ("\U000e0001", r'"\U000e0001"'),
        ("é☃\U0001f600", '"é☃\U0001f600"'),
        ("${x} %{y}", '"$${x} %%{y}"'),
        ("$${x} $x {$}", '"$$${x} $x {$}"'),
        ("$%{x}", '"$%%{x}"'),
    ],
)
def test_a_value_is_quoted_as_the_clients_do(value: str, expected: str) -> None:
    assert quoted(value) == expected


def test_entries_of_hashicorp_get_a_twin_without_hashes_at_the_registry_of_opentofu() -> None:
    given = [
        entry("registry.terraform.io/hashicorp/null", "2.0.0", "~> 2.0", ("h1:x",)),
        entry("registry.terraform.io/hashicorp/aws"),
        entry("registry.opentofu.org/hashicorp/aws", "3.0.0"),
        entry("registry.terraform.io/acme/widget"),
        entry("example.test/hashicorp/tls"),
    ]
    (added,) = moved_entries(given)
    assert str(added.address) == "registry.opentofu.org/hashicorp/null"
    assert (str(added.version), added.constraints, added.hashes) == ("2.0.0", "~> 2.0", ())
