"""What the origin's lists of checksums, its keys and the hashes that it reports come to."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping

import pytest
from builders.registry_runs import LINUX, Registry
from contract.sources.registry.conftest import ADDRESS, SIGNED, Publisher
from contract.sources.registry.told import HOST, PLANTED, paths, problems, verdict, zh_of
from servers.golden import GoldenWorld
from servers.https import of_world
from servers.played import Played

from lockwarden.core.evidence.observations import ComputedLocally, ListShape, ReportedByRegistry
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity
from lockwarden.demo.keys import SigningKey
from lockwarden.demo.packages import DemoPackage, provider_package
from lockwarden.demo.releases import HashesShape
from lockwarden.demo.responses import Response


@pytest.fixture
def registry() -> Registry:
    """Without a connection: what the documents mean is tested here."""
    return Registry(server=Played(GoldenWorld().respond))


class TestListsOfChecksums:
    @pytest.mark.parametrize("wrong_first", [True, False])
    def test_a_file_that_is_listed_twice_is_believed_neither_way(
        self, registry: Registry, publisher: Publisher, wrong_first: bool
    ) -> None:
        wrong = f"{PLANTED.value}  {publisher.file_name('linux_amd64')}\n".encode()
        lines = [wrong, publisher.line("linux_amd64")] if wrong_first else [publisher.line("linux_amd64"), wrong]
        publisher.publish_sums(b"".join((*lines, publisher.line("darwin_arm64"), publisher.line("windows_amd64"))))
        answer = registry.ask(ADDRESS)
        assert problems(answer)["sums-conflict"].severity is Severity.ERROR
        assert bool(answer.packages[0].client_refusal) == wrong_first
        for hash_ in (PLANTED, zh_of(publisher.packages["linux_amd64"]), Hash(publisher.packages["linux_amd64"].h1)):
            assert verdict(registry, hash_) in {Verdict.UNEXPLAINED, Verdict.UNCHECKED}
        assert verdict(registry, zh_of(publisher.packages["darwin_arm64"])) is Verdict.CONFIRMED

    def test_a_signed_list_of_another_provider_vouches_for_nothing(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        foreign = publisher.release().sums.replace(b"provider-widget", b"provider-other")
        publisher.publish_sums(foreign)
        answer = registry.ask(ADDRESS)
        assert answer.lists == ()
        assert problems(answer)["sums-of-another-release"].severity is Severity.ERROR
        assert not any(observation.vouches for _, observation in answer.observations)
        assert verdict(registry, zh_of(publisher.packages["linux_amd64"])) is Verdict.UNCHECKED

    def test_a_list_signed_for_another_version_is_not_used(self, registry: Registry, publisher: Publisher) -> None:
        sums = publisher.release().sums
        publisher.publish_sums(sums, signed=sums.replace(b"1.2.3", b"1.2.2"))
        answer = registry.ask(ADDRESS)
        assert problems(answer)["signature-bad"].severity is Severity.ERROR
        assert answer.lists == ()
        assert answer.signatures[0].conclusion.kind == "refused"
        assert not any(observation.vouches for _, observation in answer.observations)
        computed = [each for _, each in answer.observations if isinstance(each, ComputedLocally)]
        assert len(computed) == 2
        assert all("its signature is bad" in each.refused for each in computed)

    def test_a_list_that_names_its_own_signature_is_explained(self, registry: Registry, publisher: Publisher) -> None:
        sums = publisher.release().sums
        own = f"{'0' * 64}  terraform-provider-widget_1.2.3_SHA256SUMS.sig\n".encode()
        publisher.publish_sums(sums + own, signed=sums)
        assert "line 4 lists the signature itself" in problems(registry.ask(ADDRESS))["signature-bad"].message

    def test_a_list_of_almost_two_thousand_lines_is_read(self, registry: Registry, publisher: Publisher) -> None:
        filler = b"".join(b"%064x  file%d\n" % (number, number) for number in range(1_900))
        publisher.publish_sums(publisher.release().sums + filler)
        answer = registry.ask(ADDRESS)
        assert len(answer.lists[0].hashes) == 1_903
        assert not answer.packages[0].client_refusal

    @pytest.mark.parametrize("size", [17 * 1024 * 1024, 50 * 1024 * 1024])
    def test_a_list_over_the_limit_is_not_read_to_its_end(
        self, registry: Registry, publisher: Publisher, size: int
    ) -> None:
        publisher.publish_sums(b"x" * size)
        answer = registry.ask(ADDRESS)
        assert answer.outcome is Outcome.NO_ANSWER
        assert "bytes, which is the limit" in answer.detail

    def test_too_many_lines_are_no_answer(self, registry: Registry, publisher: Publisher) -> None:
        publisher.publish_sums(b"x\n" * 200_001)
        answer = registry.ask(ADDRESS)
        assert answer.outcome is Outcome.NO_ANSWER
        assert problems(answer)["sums-too-large"].severity is Severity.WARNING

    @pytest.mark.parametrize("document", ["sums_path", "signature_path"])
    def test_without_a_document_there_is_no_answer_and_no_download(
        self, registry: Registry, publisher: Publisher, document: str
    ) -> None:
        release = publisher.release()
        publisher.publish(release, answers={getattr(release, document): Response.of_status(404)})
        answer = registry.ask(ADDRESS)
        assert answer.outcome is Outcome.NO_ANSWER
        assert "404" in answer.detail
        assert not [path for path in paths(registry) if path.endswith(".zip")]


class TestKeys:
    def test_an_unknown_issuer_is_named_beside_the_offered_key(
        self, registry: Registry, publisher: Publisher, other_key: SigningKey
    ) -> None:
        publisher.publish(publisher.release(signature=publisher.sign(publisher.release().sums, other_key)))
        told = problems(registry.ask(ADDRESS))["signature-unknown-issuer"]
        assert other_key.fingerprint in told.message
        assert publisher.key.fingerprint in told.message

    def test_without_a_key_the_list_counts_only_where_the_client_skips_the_check(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        default = "registry.opentofu.org/acme/widget"
        publisher.registry.serve(
            of_world(publisher.world(publisher.release(address=default, offered=()), publisher.release(offered=())))
        )
        skipped = registry.ask(default)
        assert problems(skipped)["signing-skipped"].severity is Severity.WARNING
        assert not skipped.lists[0].authenticated
        assert not skipped.packages[0].client_refusal
        enforced = registry.ask(default, settings=ClientSettings(enforce_validation=True))
        elsewhere = registry.ask(ADDRESS)
        for answer in (enforced, elsewhere):
            assert problems(answer)["signing-key-missing"].severity is Severity.ERROR
            assert answer.lists == ()
            assert answer.packages[0].client_refusal

    def test_an_expired_key_that_signed_in_time_counts_unless_that_is_enforced(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        key = publisher.maker.make("Old <old@acme.example>", created=SIGNED, expires=SIGNED.replace(year=2026))
        release = publisher.release(offered=(key,))
        signature = publisher.maker.sign(key, release.sums, at=SIGNED.replace(day=20))
        publisher.publish(dataclasses.replace(release, signature=signature))
        counted = registry.ask(ADDRESS)
        assert counted.lists[0].authenticated
        assert counted.lists[0].signers == {key.fingerprint}
        assert problems(counted)["signing-key-expired"].severity is Severity.WARNING
        enforced = registry.ask(ADDRESS, settings=ClientSettings(enforce_expiration=True))
        assert enforced.lists == ()
        assert problems(enforced)["signing-key-expired"].severity is Severity.ERROR

    def test_a_key_that_cannot_be_read_does_not_hide_the_one_behind_it(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        garbage = dataclasses.replace(publisher.key, armor="garbage")
        publisher.publish(publisher.release(offered=(garbage, publisher.key)))
        answer = registry.ask(ADDRESS)
        assert answer.lists[0].authenticated
        assert answer.packages[0].client_refusal
        assert problems(answer)["client-refuses-signature"].message.startswith("OpenTofu refuses this release")
        assert verdict(registry, zh_of(publisher.packages["linux_amd64"])) is Verdict.CONFIRMED


class TestReportedHashes:
    @pytest.mark.parametrize(
        ("shape", "seen"),
        [
            (HashesShape.PACKAGES, ListShape.PACKAGES),
            (HashesShape.MAP, ListShape.HASHES_BY_ZH),
            (HashesShape.LIST, ListShape.HASHES),
        ],
    )
    def test_every_shape_is_read(
        self, registry: Registry, publisher: Publisher, shape: HashesShape, seen: ListShape
    ) -> None:
        publisher.publish(publisher.release(extra_hashes=shape))
        audit = registry.audit(ADDRESS)
        for platform, package in publisher.packages.items():
            reports = [
                each
                for each in audit.observations[Hash(package.h1)]
                if isinstance(each, ReportedByRegistry) and each.shape is seen
            ]
            assert [each.vouches for each in reports] == [True]
            expected = None if seen is ListShape.HASHES else Platform.parse(platform)
            assert reports[0].platform == expected

    def test_a_false_h1_for_a_downloaded_package_is_contradicted_by_the_package(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        linux = publisher.packages["linux_amd64"]
        lie = publisher.packages["darwin_arm64"].h1
        publisher.publish(
            publisher.release(extra_hashes=HashesShape.PACKAGES, reported={"linux_amd64": (linux.zh, lie)})
        )
        audit = registry.audit(ADDRESS)
        evidence = Evidence(audit, frozenset({LINUX}))
        report = next(
            each
            for each in audit.observations[Hash(lie)]
            if isinstance(each, ReportedByRegistry) and each.platform == LINUX
        )
        assert evidence.contradiction(Hash(lie), report)

    def test_an_archive_of_another_version_in_packages_is_a_contradiction(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        old = provider_package("widget", "1.2.2", "darwin_arm64", size=2000, modified=SIGNED)
        publisher.publish(publisher.release(extra_hashes=HashesShape.PACKAGES, reported={"darwin_arm64": old.hashes}))
        answer = registry.ask(ADDRESS)
        told = problems(answer)["reported-hashes-contradict-sums"]
        assert told.severity is Severity.ERROR
        assert old.zh in told.message
        assert verdict(registry, Hash(old.zh)) is Verdict.DISOWNED
        assert verdict(registry, Hash(old.h1)) is not Verdict.CONFIRMED

    def test_two_platforms_may_share_one_archive(self, registry: Registry, publisher: Publisher) -> None:
        universal = publisher.packages["linux_amd64"]
        packages: Mapping[str, DemoPackage] = {"linux_amd64": universal, "linux_arm64": universal}
        publisher.publish(publisher.release(packages=packages, extra_hashes=HashesShape.PACKAGES))
        audit: Audit = registry.audit(ADDRESS)
        platforms = audit.dispositions[zh_of(universal)].platforms
        assert platforms == {LINUX, Platform("linux", "arm64")}
        assert not audit.source_answers[0].problems


def test_a_sums_document_is_evidence_with_its_digest(registry: Registry, publisher: Publisher) -> None:
    publisher.publish()
    answer = registry.ask(ADDRESS)
    document = answer.signatures[0].document
    assert document.sha256 == hashlib.sha256(publisher.release().sums).hexdigest()
    assert document.url == f"https://{HOST}{publisher.release().sums_path}"
    assert answer.signatures[0].conclusion.key_id == publisher.key.key_id
