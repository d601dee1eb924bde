"""Packages that were looked at: what `init` does with the entry, and what a run does after it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders.audits import (
    DARWIN,
    FOLDER,
    LINUX,
    MIRROR,
    ORIGIN,
    WINDOWS,
    answer,
    computed,
    h1,
    listed,
    package,
    reported,
    zh,
)
from builders.coverage import (
    ACCEPTED,
    ANYTHING,
    MALFORMED_H1,
    MALFORMED_ZH,
    OCI,
    REFUSED,
    UNKNOWN_SCHEME,
    archive,
    cell,
    folder,
    nested,
)
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.coverage.outcomes import CoverageOutcome, Installability
from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer, SourceRef
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

ZIP_SOURCES = [ORIGIN, MIRROR, FOLDER]
THIS, OTHER = archive("linux"), archive("darwin", DARWIN)


def both(source: SourceRef = ORIGIN) -> SourceAnswer:
    """A source that gave out the packages of two platforms."""
    return answer(source, packages=[THIS, OTHER], platforms=[LINUX, DARWIN])


def unpacked(seed: str = "linux") -> SourceAnswer:
    return answer(FOLDER, packages=[folder(seed)], platforms=[LINUX])


@pytest.mark.parametrize("source", ZIP_SOURCES, ids=lambda source: source.kind)
def test_an_archive_passes_by_either_hash_and_runs_by_its_h1(source: SourceRef) -> None:
    for hashes in ((h1("linux"),), (zh("linux"), h1("linux")), (zh("darwin"), h1("linux"))):
        said = cell(both(source), *hashes)
        assert (said.outcome, said.runtime, said.completing_h1) == (ACCEPTED, ACCEPTED, None)
        assert (said.standing, said.word, said.remedy) == (Installability.WORKS, "accepted", "")


@pytest.mark.parametrize("source", ZIP_SOURCES, ids=lambda source: source.kind)
def test_with_only_a_zh_an_archive_installs_and_runs_once_init_has_added_its_h1(source: SourceRef) -> None:
    said = cell(both(source), zh("linux"), h1("darwin"))
    assert (said.outcome, said.runtime, said.completing_h1) == (ACCEPTED, REFUSED, h1("linux"))
    assert (said.standing, said.word) == (Installability.NEEDS_WRITING, "accepted at install only")
    assert said.reason.startswith("the locked zh matches; a run compares the unpacked folder's h1, which is not locked")
    assert "-lockfile=readonly every run fails" in said.reason
    assert "add its h1 with “lockwarden lock --platform linux_amd64”" in said.remedy


def test_the_sentence_names_the_schemes_that_match() -> None:
    assert cell(both(), zh("linux"), h1("linux")).reason == "the locked h1 and zh match"
    assert cell(both(), h1("linux")).reason == "the locked h1 matches"
    assert cell(unpacked(), zh("linux"), h1("linux")).reason == "the locked h1 matches"


def test_a_package_that_was_not_fetched_again_is_told_as_such() -> None:
    seen = replace(computed(LINUX, package_zh=zh("linux")), computed_on=datetime(2026, 5, 1, 23, 0, tzinfo=UTC))
    said = cell(answer(ORIGIN, (h1("linux"), seen), packages=[THIS, OTHER]), h1("linux"))
    assert said.outcome is ACCEPTED
    assert said.reason == (
        "the locked h1 matches bytes of 2026-05-01 with the digest that the source promises, which were not fetched"
        " again"
    )


def test_the_archives_h1_alone_installs_and_does_not_run() -> None:
    said = cell(answer(ORIGIN, packages=[nested()]), h1("linux archive"))
    assert (said.outcome, said.runtime, said.completing_h1) == (ACCEPTED, REFUSED, h1("linux"))


def test_the_folders_h1_alone_does_not_install_the_archive() -> None:
    said = cell(answer(ORIGIN, packages=[nested()]), h1("linux"))
    assert (said.outcome, said.runtime, said.completing_h1) == (REFUSED, None, None)
    assert said.reason == "the locked h1 is that of the unpacked folder, and the archive has another one"
    assert "add its zh" in said.remedy


def test_the_archives_h1_alone_does_not_install_the_folder() -> None:
    said = cell(unpacked(), h1("linux archive"), beside=(answer(ORIGIN, packages=[nested()]),))
    assert said.outcome is REFUSED
    assert said.reason == "the locked h1 is that of the archive, and the unpacked folder has another one"
    assert "add its h1" in said.remedy


def test_an_unpacked_package_with_only_zh_locked_is_taken_whatever_it_is() -> None:
    for hashes in ((zh("linux"),), (zh("something else"),), (MALFORMED_ZH,)):
        said = cell(unpacked("anything"), *hashes)
        assert (said.outcome, said.runtime, said.completing_h1) == (ANYTHING, REFUSED, h1("anything"))
        assert said.standing is Installability.ANYTHING
        assert "any package passes" in said.reason
        assert "-lockfile=readonly every run fails" in said.reason
        assert "add its h1" in said.remedy


@table(
    ("hashes", "why"),
    [((), "the entry has no hashes"), ((UNKNOWN_SCHEME,), "the entry has only hashes that no client knows")],
)
@table("said", [both(), both(MIRROR), unpacked()], ids=["registry", "mirror", "unpacked"])
def test_an_entry_without_a_usable_scheme_takes_and_runs_anything(
    said: SourceAnswer, hashes: tuple[Hash, ...], why: str
) -> None:
    found = cell(said, *hashes)
    assert (found.outcome, found.runtime, found.completing_h1) == (ANYTHING, ANYTHING, h1("linux"))
    assert found.word == "accepts anything"
    assert found.reason.startswith(f"{why}: any package passes, and every run takes it")
    assert "add its hashes" in found.remedy


@pytest.mark.parametrize("said", [both(), both(MIRROR), both(FOLDER)], ids=["registry", "mirror", "packed"])
def test_hashes_of_other_platforms_alone_are_refused_and_named(said: SourceAnswer) -> None:
    found = cell(said, zh("darwin"), h1("darwin"))
    assert (found.outcome, found.standing) == (REFUSED, Installability.FAILS)
    assert found.reason == "only hashes of other platforms are locked: darwin_arm64"
    assert found.remedy == "review the package and add its hashes with “lockwarden lock --platform linux_amd64”"


def test_many_other_platforms_are_named_in_part() -> None:
    names = [Platform("os", str(number)) for number in range(7)]
    packages = [THIS, *(archive(str(each), each) for each in names)]
    said = cell(answer(ORIGIN, packages=packages), *(zh(str(each)) for each in names))
    assert said.reason.endswith("locked: os_0, os_1, os_2, os_3, os_4 and 2 more")


def test_a_zh_that_the_registry_lists_for_another_platform_is_known_to_be_its() -> None:
    said = answer(ORIGIN, (zh("w"), reported(WINDOWS)), packages=[THIS])
    assert cell(said, zh("w")).reason == "only hashes of other platforms are locked: windows_amd64"


@table(
    "claim",
    [
        (zh("w"), reported(WINDOWS, refused="its list is not used")),
        (h1("w"), reported(WINDOWS, shape=ListShape.PACKAGES)),
        (zh("w"), reported(None)),
        (zh("w"), listed(WINDOWS)),
        (zh("w"), computed(WINDOWS)),
    ],
    ids=["refused", "an unsigned h1", "no platform", "a mirror's list", "an observation without its package"],
)
def test_a_claim_does_not_tell_which_platform_a_locked_hash_is_of(claim: tuple[Hash, object]) -> None:
    said = answer(ORIGIN, claim, packages=[THIS])  # type: ignore[arg-type]
    assert cell(said, claim[0]).reason == "the one locked hash that could match is not the package's"


def test_a_package_that_its_source_cannot_vouch_for_tells_nothing_of_a_locked_hash() -> None:
    stranger = answer(MIRROR, packages=[archive("x", DARWIN, client_refusal="no")])
    said = cell(both(), zh("x"), beside=(stranger,))
    assert said.reason == "the one locked hash that could match is not the package's"


def test_strange_hashes_are_to_be_found_out_about_and_not_locked_anew() -> None:
    said = cell(both(), zh("x"), h1("y"), UNKNOWN_SCHEME)
    assert said.reason == "none of the 2 locked hashes that could match is one of the package's"
    assert "find out first" in said.remedy
    assert "lockwarden lock" not in said.remedy


def test_other_bytes_for_the_same_platform_are_not_to_be_locked() -> None:
    mirror = answer(MIRROR, packages=[archive("other bytes")])
    said = cell(mirror, zh("linux"), h1("linux"), beside=(both(),))
    assert said.reason == "its archive is another than the one that is locked for this platform"
    assert said.remedy.startswith("do not lock it before you know why")
    assert said.remedy.endswith("ask who runs mirror")
    at_origin = cell(both(), zh("other bytes"), beside=(mirror,))
    assert at_origin.reason == said.reason
    assert "ask the author whether the release was made anew" in at_origin.remedy


def test_other_content_in_a_folder_is_not_to_be_locked() -> None:
    said = cell(unpacked("changed"), h1("linux"), beside=(both(),))
    assert said.reason == "its content is another than the one that is locked for this platform"


def test_a_folder_whose_platform_has_only_its_zh_locked_wants_its_h1() -> None:
    said = cell(unpacked(), zh("linux"), h1("darwin"), beside=(both(),))
    assert said.outcome is REFUSED
    assert said.reason == "of this platform only a zh is locked, and an unpacked package is compared by its h1"
    assert "add its h1" in said.remedy


def test_a_folder_with_only_other_platforms_h1_locked_says_so() -> None:
    said = cell(unpacked(), zh("unknown"), h1("darwin"), beside=(both(),))
    assert said.reason == "only hashes of other platforms are locked: darwin_arm64"


@pytest.mark.parametrize(("said", "hash_"), [(both(), MALFORMED_ZH), (unpacked(), MALFORMED_H1)])
def test_an_entry_whose_hashes_can_never_match_is_refused(said: SourceAnswer, hash_: Hash) -> None:
    found = cell(said, hash_)
    assert found.outcome is REFUSED
    assert "of the entry can match any package" in found.reason


def test_an_oci_mirror_wants_the_zh() -> None:
    oci = answer(OCI, packages=[THIS])
    assert cell(oci, zh("linux"), h1("linux")).outcome is ACCEPTED
    assert cell(oci, zh("linux"), h1("linux")).reason == "the locked zh matches"
    assert cell(oci, zh("linux")).runtime is REFUSED
    refused = cell(oci, h1("linux"))
    assert refused.outcome is REFUSED
    assert refused.reason == "a package of an OCI mirror is compared by its zh alone, and the entry has none"
    assert "add its zh" in refused.remedy
    assert cell(oci).outcome is ANYTHING


@pytest.mark.parametrize("hashes", [(), (zh("linux"), h1("linux"))])
def test_terraform_installs_nothing_from_an_oci_mirror(hashes: tuple[Hash, ...]) -> None:
    said = cell(answer(OCI, packages=[THIS]), *hashes, client=Client.TERRAFORM)
    assert said.outcome is REFUSED
    assert said.reason == "terraform knows no OCI mirrors, so that it cannot install from there"
    assert said.remedy


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.NO_ANSWER])
def test_what_the_client_refuses_by_itself_no_hash_can_help(outcome: Outcome) -> None:
    facts = package(LINUX, outcome=outcome, zh=zh("linux"), h1=h1("linux"), client_refusal="it is not signed")
    said = cell(answer(ORIGIN, packages=[facts]), zh("linux"), h1("linux"))
    assert (said.outcome, said.runtime) == (REFUSED, None)
    assert said.reason == "tofu refuses the package whatever is locked: it is not signed"
    assert said.remedy.endswith("ask who runs the registry")
    assert cell(answer(MIRROR, packages=[facts])).remedy.endswith("ask who runs mirror")


@pytest.mark.parametrize("ended", [Stage.DISCOVERY, Stage.VERSIONS])
def test_no_version_is_to_be_chosen_where_the_registry_does_not_know_the_provider(ended: Stage) -> None:
    unknown = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="no such provider", platforms=None, hint="check it")
    found = cell(replace(unknown, ended_at=ended), zh("linux"))
    assert (found.outcome, found.remedy) == (CoverageOutcome.NOT_THERE, "install from another source; check it")
    assert "choose a version that it has" in cell(unknown, zh("linux")).remedy


def test_a_version_or_platform_that_is_not_there_fails() -> None:
    gone = cell(answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="withdrawn", platforms=None), zh("linux"))
    assert (gone.outcome, gone.reason, gone.standing) == (CoverageOutcome.NOT_THERE, "withdrawn", Installability.FAILS)
    assert gone.remedy
    silent = cell(answer(ORIGIN, outcome=Outcome.NOT_THERE, platforms=None), zh("linux"))
    assert silent.reason == "the source does not have this version"
    missing = package(LINUX, outcome=Outcome.NOT_THERE, detail="not for linux")
    assert cell(answer(ORIGIN, packages=[missing])).reason == "not for linux"
    unnamed = cell(answer(MIRROR, platforms=[DARWIN]), zh("linux"))
    assert unnamed.outcome is CoverageOutcome.NOT_THERE
    assert unnamed.reason == "the source has this version, but not for this platform"
