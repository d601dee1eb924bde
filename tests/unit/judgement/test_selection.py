"""What each client would record, case by case as the clients were seen to do it."""

from __future__ import annotations

from builders.audits import (
    ADDRESS,
    DARWIN,
    DEFAULT_HOST_ADDRESS,
    FOLDER,
    LINUX,
    MIRROR,
    ORIGIN,
    answer,
    audit,
    h1,
    listed,
    package,
    reported,
    signed,
    trusted,
    zh,
)

from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash

TOFU = ClientSettings()
ENFORCED = ClientSettings(enforce_validation=True)
TERRAFORM = ClientSettings(client=Client.TERRAFORM)
OWN = package(LINUX, zh=zh("l"), h1=h1("l"), promised=[zh("l")])


def taken(
    *source_answers: SourceAnswer, settings: ClientSettings = TOFU, address: ProviderAddress = DEFAULT_HOST_ADDRESS
) -> set[Hash]:
    return set(recorded(audit(*source_answers, address=address), settings=settings, platforms=frozenset({LINUX})))


def signed_release() -> SourceAnswer:
    return answer(
        ORIGIN,
        (zh("l"), signed(LINUX)),
        (zh("l"), reported(LINUX)),
        (zh("d"), signed(DARWIN)),
        (zh("d"), reported(DARWIN)),
        (h1("d"), reported(DARWIN, shape=ListShape.PACKAGES)),
        packages=[OWN],
    )


def test_the_default_registry_is_trusted_for_all_that_it_reports() -> None:
    assert taken(signed_release()) == {h1("l"), zh("l"), zh("d"), h1("d")}


def test_on_another_host_only_signed_hashes_are_trusted() -> None:
    assert taken(signed_release(), address=ADDRESS) == {h1("l"), zh("l"), zh("d")}


def test_enforced_validation_trusts_only_signed_hashes_everywhere() -> None:
    assert taken(signed_release(), settings=ENFORCED) == {h1("l"), zh("l"), zh("d")}


def test_terraform_ignores_what_the_registry_reports_unsigned() -> None:
    assert taken(signed_release(), settings=TERRAFORM) == {h1("l"), zh("l"), zh("d")}


def test_a_release_without_keys_is_recorded_on_the_default_host_alone() -> None:
    unsigned = answer(ORIGIN, (zh("l"), reported(LINUX)), (zh("d"), reported(DARWIN)), packages=[OWN])
    assert taken(unsigned) == {h1("l"), zh("l"), zh("d")}
    assert taken(unsigned, address=ADDRESS) == {h1("l"), zh("l")}


def test_the_proposed_shapes_of_registry_hashes_are_not_recorded() -> None:
    proposed = answer(
        ORIGIN,
        (h1("d"), reported(DARWIN, shape=ListShape.HASHES)),
        (h1("w"), reported(shape=ListShape.HASHES_BY_ZH)),
        packages=[OWN],
    )
    assert taken(proposed) == {h1("l"), zh("l")}


def test_nothing_is_recorded_from_a_source_whose_package_the_client_refuses() -> None:
    refused = package(LINUX, zh=zh("l"), h1=h1("l"), client_refusal="archive has incorrect checksum")
    assert taken(answer(ORIGIN, (zh("d"), signed(DARWIN)), packages=[refused])) == set()


def test_nothing_is_recorded_for_a_package_that_was_looked_at_only_to_explain() -> None:
    assert taken(answer(ORIGIN, (zh("d"), signed(DARWIN)), packages=[package(DARWIN, zh=zh("d"), h1=h1("d"))])) == set()


def test_nothing_is_recorded_for_a_package_that_is_not_there() -> None:
    assert (
        taken(answer(ORIGIN, (zh("d"), signed(DARWIN)), packages=[package(LINUX, outcome=Outcome.NOT_THERE)])) == set()
    )


def test_a_mirrors_kept_promises_are_recorded_by_opentofu_and_only_the_h1_by_terraform() -> None:
    mirror = answer(MIRROR, (zh("l"), listed(LINUX)), (zh("bad"), listed(LINUX)), packages=[OWN])
    assert taken(mirror) == {h1("l"), zh("l")}
    assert taken(mirror, settings=TERRAFORM) == {h1("l")}


def test_a_mirror_that_promises_nothing_yields_the_h1_alone() -> None:
    assert taken(answer(MIRROR, packages=[package(LINUX, zh=zh("l"), h1=h1("l"))])) == {h1("l")}


def test_a_packed_filesystem_mirror_yields_its_zh_too_for_opentofu() -> None:
    folder = answer(FOLDER, packages=[package(LINUX, zh=zh("l"), h1=h1("l"))])
    assert taken(folder) == {h1("l"), zh("l")}
    assert taken(folder, settings=TERRAFORM) == {h1("l")}


def test_an_unpacked_filesystem_mirror_has_no_zh_to_yield() -> None:
    assert taken(answer(FOLDER, packages=[package(LINUX, h1=h1("l"))])) == {h1("l")}


def test_the_directory_h1_is_recorded_where_it_differs_from_the_archives() -> None:
    folders = package(LINUX, zh=zh("l"), h1=h1("directory"), h1_archive=h1("archive"), promised=[zh("l")])
    assert taken(answer(ORIGIN, packages=[folders])) == {h1("directory"), zh("l")}


def test_an_archive_that_cannot_be_extracted_yields_no_h1() -> None:
    assert taken(answer(ORIGIN, packages=[package(LINUX, zh=zh("l"), promised=[zh("l")])])) == {zh("l")}


def test_a_trusted_mirrors_list_is_recorded_for_the_default_host_alone() -> None:
    mirror = answer(MIRROR, (zh("d"), trusted(DARWIN)), packages=[OWN])
    assert taken(mirror) == {h1("l"), zh("l"), zh("d")}
    assert taken(mirror, address=ADDRESS) == {h1("l"), zh("l")}
    assert taken(mirror, settings=ENFORCED) == {h1("l"), zh("l")}


def test_refused_observations_and_unusable_hashes_are_not_recorded() -> None:
    origin = answer(
        ORIGIN,
        (zh("d"), reported(DARWIN, refused="the list has two hashes for one file")),
        (zh("w"), signed(refused="expired keys are refused")),
        (Hash("h9:odd"), reported(shape=ListShape.PACKAGES)),
        packages=[OWN],
    )
    assert taken(origin) == {h1("l"), zh("l")}


def test_every_recorded_hash_has_a_reason() -> None:
    reasons = recorded(
        audit(signed_release(), address=DEFAULT_HOST_ADDRESS), settings=TOFU, platforms=frozenset({LINUX})
    )
    assert reasons[h1("l")] == "computed from the linux_amd64 package"
    assert all(reasons.values())


def test_the_environment_counts_only_when_it_says_true_and_only_for_opentofu() -> None:
    both = {"OPENTOFU_ENFORCE_GPG_VALIDATION": "true", "OPENTOFU_ENFORCE_GPG_EXPIRATION": "true"}
    assert ClientSettings.from_environment(both, client=Client.OPENTOFU) == ClientSettings(
        enforce_validation=True, enforce_expiration=True
    )
    assert ClientSettings.from_environment(both, client=Client.TERRAFORM) == TERRAFORM
    odd = {"OPENTOFU_ENFORCE_GPG_VALIDATION": "1", "OPENTOFU_ENFORCE_GPG_EXPIRATION": "TRUE"}
    assert ClientSettings.from_environment(odd, client=Client.OPENTOFU) == TOFU


def test_each_client_has_its_own_default_registry_and_command() -> None:
    assert (Client.OPENTOFU.default_registry, Client.OPENTOFU.command) == ("registry.opentofu.org", "tofu")
    assert (Client.TERRAFORM.default_registry, Client.TERRAFORM.command) == ("registry.terraform.io", "terraform")


def test_a_client_that_nobody_names_reads_no_configuration_alone() -> None:
    for client in Client:
        for named in (True, False):
            settings = ClientSettings.from_environment({}, client=client, named=named)
            assert settings.reader is (client if named else None)
