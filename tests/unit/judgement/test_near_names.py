"""Hosts and namespaces that look like known ones: told for look-alikes, silent for names that are merely alike."""

from __future__ import annotations

from builders.policies import base
from builders.reviews import entry, entry_text, lock_file
from builders.tables import table

from lockwarden.core.review.change_kinds import Change, ChangeContext, ChangeKind
from lockwarden.core.review.change_rules import kinds_of
from lockwarden.core.review.changes import EntryChange
from lockwarden.core.review.near_names import NearName, foreign_letters, looks_like, near_names
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.severity import Severity


def near(address: str, *known: str) -> tuple[NearName, ...]:
    return near_names(ProviderAddress.parse(address), [ProviderAddress.parse(each) for each in known])


class TestLookAlikes:
    @table(
        ("name", "other"),
        [
            ("hashic0rp", "hashicorp"),
            ("hashlcorp", "hashicorp"),
            ("hash1c0rp", "hashicorp"),
            ("hash-i-corp", "hashicorp"),
            ("hasһicorp", "hashicorp"),
            ("hаshісоrр", "hashicorp"),
            ("hashıcorp", "hashicorp"),
            ("hàshicörp", "hashicorp"),
            ("modem", "modern"),
            ("vvidget", "widget"),
            ("c1oudf1are", "cloudflare"),
            ("doudflare", "cloudflare"),
            ("0kta", "okta"),
            ("registry-opentofu.org", "registry.opentofu.org"),
            ("registry.opentofu.org:8443", "registry.opentofu.org"),
        ],
    )
    def test_letters_that_look_alike(self, name: str, other: str) -> None:
        assert looks_like(name, other)
        assert looks_like(other, name)

    @table(
        ("name", "other"),
        [
            ("hashicorpp", "hashicorp"),
            ("hashicrop", "hashicorp"),
            ("hashicort", "hashicorp"),
            ("ashicorp", "hashicorp"),
            ("grafanna", "grafana"),
            ("registry.opentofu.com", "registry.opentofu.co"),
            ("acme-releses", "acme-releases"),
        ],
    )
    def test_one_slip_of_the_fingers(self, name: str, other: str) -> None:
        assert looks_like(name, other)
        assert looks_like(other, name)

    @table(
        ("name", "other"),
        [
            ("hashicorp", "hashicorp"),
            ("aws", "awscc"),
            ("aws", "gws"),
            ("acme", "acne"),
            ("okta", "okto"),
            ("kong", "king"),
            ("team-a", "team-b"),
            ("acme-dev", "acme-prd"),
            ("team1", "team2"),
            ("region-1", "region-2"),
            ("hashicorp", "hashicorp-demo"),
            ("grafana", "granite"),
            ("hashicorp", "haxxicorp"),
            ("registry1.example.test", "registry2.example.test"),
            ("eu.registry.example.test", "us.registry.example.test"),
            ("registry.opentofu.org", "registry.terraform.io"),
            ("abcdefg", "abdcegf"),
        ],
    )
    def test_other_names_are_no_wolves(self, name: str, other: str) -> None:
        assert not looks_like(name, other)
        assert not looks_like(other, name)

    def test_letters_that_are_foreign_are_named(self) -> None:
        assert foreign_letters("hаshicоrpа") == (
            "а is CYRILLIC SMALL LETTER A",
            "о is CYRILLIC SMALL LETTER O",
        )
        assert foreign_letters("hashicorp") == ()
        assert foreign_letters("\ue000") == ("\ue000 is U+E000",)


class TestAddresses:
    def test_a_namespace_near_one_that_the_lock_file_has(self) -> None:
        assert near("acme-releses/widget", "acme-releases/widget") == (
            NearName("namespace", "acme-releses", "acme-releases"),
        )

    def test_a_namespace_near_one_that_everyone_knows(self) -> None:
        assert near("hashic0rp/aws") == (NearName("namespace", "hashic0rp", "hashicorp"),)
        assert near("opent0fu/aws") == (NearName("namespace", "opent0fu", "opentofu"),)

    @table(
        "host",
        [
            "registry-opentofu.org",
            "registry.opentоfu.org",
            "registry.0pentofu.org",
            "registry.opentofu.org:8443",
            "registry.opentofu.org.",
            "regisrty.opentofu.org",
        ],
    )
    def test_a_host_near_a_default_registry(self, host: str) -> None:
        (found,) = near(f"{host}/acme/widget", "acme/other")
        assert (found.part, found.known) == ("host", "registry.opentofu.org")

    def test_a_host_near_an_international_one_that_the_lock_file_has(self) -> None:
        (found,) = near("bücherei.example.test/acme/x", "bucherei.example.test/acme/y")
        assert found == NearName("host", "bücherei.example.test", "bucherei.example.test")
        (back,) = near("bucherei.example.test/acme/x", "bücherei.example.test/acme/y")
        assert back == NearName("host", "bucherei.example.test", "bücherei.example.test")

    def test_both_parts_can_be_near(self) -> None:
        assert [each.part for each in near("registry-opentofu.org/hashic0rp/aws")] == ["host", "namespace"]

    def test_names_that_were_there_before_are_not_near_whatever_they_look_like(self) -> None:
        assert near("hashic0rp/aws", "hashic0rp/other") == ()
        assert near("registry-opentofu.org/acme/x", "registry-opentofu.org/acme/y") == ()

    def test_a_new_type_of_a_known_namespace_is_not_near(self) -> None:
        assert near("hashicorp/awscc", "hashicorp/aws") == ()

    def test_both_default_registries_are_known(self) -> None:
        assert near("registry.terraform.io/hashicorp/aws", "hashicorp/aws") == ()


class TestChange:
    KNOWN = lock_file(entry_text(address="registry.opentofu.org/hashicorp/aws"))

    def changes(self, address: str) -> list[Change]:
        change = EntryChange.between(None, entry(address=address))
        assert change is not None
        return list(kinds_of(change, ChangeContext(side=base(self.KNOWN), evidence=None)))

    def test_a_new_provider_with_a_near_name_is_a_warning_after_the_note_that_it_is_new(self) -> None:
        new, alike = self.changes("registry.opentofu.org/hashic0rp/aws")
        assert (new.kind, new.severity) == (ChangeKind.NEW_PROVIDER, Severity.NOTE)
        assert (alike.kind, alike.severity) == (ChangeKind.NEAR_NAME, Severity.WARNING)
        assert "the namespace hashic0rp of the new provider" in alike.message
        assert alike.message.endswith("looks like hashicorp")
        assert alike.problem.code == "change-near-name"

    def test_a_look_alike_host_is_told_with_its_ascii_form_and_its_foreign_letter(self) -> None:
        alike = self.changes("registry.opentоfu.org/hashicorp/aws")[1]
        assert "(registry.xn--opentfu-" in alike.message
        assert "о is CYRILLIC SMALL LETTER O)" in alike.message

    def test_a_look_alike_namespace_is_told_with_its_foreign_letter(self) -> None:
        alike = self.changes("registry.opentofu.org/hаshicorp/aws")[1]
        assert "(а is CYRILLIC SMALL LETTER A)" in alike.message

    def test_a_new_provider_whose_name_is_far_from_all_is_only_new(self) -> None:
        assert [each.kind for each in self.changes("registry.opentofu.org/grafana/grafana")] == [
            ChangeKind.NEW_PROVIDER
        ]
