"""Which documents are fetched, how often, and what follows when they are odd."""

from __future__ import annotations

import asyncio

import pytest
from builders.registry_runs import DARWIN, LINUX, Registry
from contract.sources.registry.conftest import ADDRESS, VERSION, Publisher
from contract.sources.registry.told import EVERY, PLANTED, paths, problems, verdict, zh_of
from servers.golden import GoldenWorld
from servers.https import of_world
from servers.played import Played

from lockwarden.core.evidence.events import LookupStarted, PackageChecked, PackageProgress, ignore
from lockwarden.core.evidence.observations import SignedBy
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version
from lockwarden.demo.releases import HashesShape
from lockwarden.demo.responses import Response


@pytest.fixture
def registry() -> Registry:
    """Without a connection: what the documents mean is tested here."""
    return Registry(server=Played(GoldenWorld().respond))


class TestHowOftenThingsAreAsked:
    def test_everything_is_asked_once_however_many_platforms_are_checked_at_once(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish()
        answer = registry.ask(ADDRESS, platforms=EVERY)
        assert [package.outcome for package in answer.packages] == [Outcome.ANSWERED] * 3
        assert paths(registry) == sorted(
            [
                "terraform.json",
                "versions",
                *("amd64", "arm64", "amd64"),
                "SHA256SUMS",
                "SHA256SUMS.sig",
                *(publisher.file_name(str(platform)) for platform in EVERY),
            ]
        )
        assert registry.verifications == 1

    def test_opening_a_release_downloads_no_package(self, registry: Registry, publisher: Publisher) -> None:
        publisher.publish()
        answer = registry.ask(ADDRESS, check=False)
        assert paths(registry) == ["SHA256SUMS", "SHA256SUMS.sig", "amd64", "terraform.json", "versions"]
        assert answer.packages == ()
        assert answer.platforms == frozenset(EVERY)
        assert len(answer.lists[0].hashes) == 3
        assert answer.lists[0].complete
        assert answer.lists[0].authenticated

    def test_a_release_is_opened_without_a_platform_too(self, registry: Registry, publisher: Publisher) -> None:
        publisher.publish()
        answer = registry.ask(ADDRESS, platforms=())
        assert answer.lists[0].complete
        assert paths(registry) == ["SHA256SUMS", "SHA256SUMS.sig", "amd64", "terraform.json", "versions"]

    def test_urls_that_are_signed_for_one_request_lead_to_one_judgement(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        release = publisher.release()
        answers = {}
        for number, platform in enumerate(release.packages):
            document = release.metadata(platform)
            document["shasums_url"] += f"?token=secret{number}"
            answers[release.metadata_path(platform)] = Response.of_json(document)
        publisher.publish(release, answers=answers)
        answer = registry.ask(ADDRESS, platforms=EVERY)
        assert registry.verifications == 1
        assert len(answer.signatures) == 1
        assert len(answer.lists[0].documents) == 1
        assert "secret" not in repr(answer)
        assert len([each for each in answer.observations if isinstance(each[1], SignedBy)]) == 3

    def test_a_package_is_had_once_from_each_registry_that_gives_it(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        mirrored = "mirrored.example.test/acme/widget"
        registry.serve(of_world(publisher.world(publisher.release(), publisher.release(address=mirrored))))

        async def scenario() -> list[SourceAnswer]:
            source_answers = []
            async with registry.opened() as source:
                for address in (ADDRESS, ADDRESS, mirrored):
                    release = await source.open(
                        ProviderAddress.parse(address), Version.parse(VERSION), platforms=(LINUX,), report=ignore
                    )
                    await release.check(LINUX)
                    source_answers.append(release.source_answer())
                    assert release.platforms == frozenset(EVERY)
                    assert release.claimed[LINUX] == {zh_of(publisher.packages["linux_amd64"])}
            return source_answers

        first, again, second = asyncio.run(scenario())
        assert first.packages[0].hashes == again.packages[0].hashes == second.packages[0].hashes
        assert second.packages[0].location.startswith("https://mirrored.example.test/")
        assert len([path for path in paths(registry) if path.endswith(".zip")]) == 2

    def test_what_happens_is_reported(self, registry: Registry, publisher: Publisher) -> None:
        publisher.publish()
        registry.ask(ADDRESS, platforms=(LINUX, DARWIN))
        kinds = [type(event) for event in registry.events]
        assert kinds[0] is LookupStarted
        checked = [event for event in registry.events if isinstance(event, PackageChecked)]
        assert {event.platform for event in checked} == {LINUX, DARWIN}
        assert {event.outcome for event in checked} == {"hashed"}
        progress = [event for event in registry.events if isinstance(event, PackageProgress)]
        assert max(event.received for event in progress) == len(publisher.packages["linux_amd64"].archive)


class TestOneListForEachPlatform:
    def publish(self, publisher: Publisher, *, bad: str = "") -> None:
        release = publisher.release()
        answers = {}
        for platform in release.packages:
            document = release.metadata(platform)
            document["shasums_url"] = release.file_path(f"{platform}_SHA256SUMS")
            document["shasums_signature_url"] = release.file_path(f"{platform}_SHA256SUMS.sig")
            sums = publisher.line(platform)
            signature = publisher.sign(b"another document" if platform == bad else sums)
            answers[release.metadata_path(platform)] = Response.of_json(document)
            answers[document["shasums_url"]] = Response.of_bytes(sums)
            answers[document["shasums_signature_url"]] = Response.of_bytes(signature)
        publisher.publish(release, answers=answers)

    def test_all_lists_are_read_without_the_packages_so_that_together_they_are_complete(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        self.publish(publisher)
        answer = registry.ask(ADDRESS)
        (known,) = answer.lists
        assert known.complete
        assert known.authenticated
        assert len(known.documents) == 3
        assert known.hashes == {zh_of(package) for package in publisher.packages.values()}
        assert [package.platform for package in answer.packages] == [LINUX]
        assert len([path for path in paths(registry) if path.endswith(".zip")]) == 1
        assert len([path for path in paths(registry) if path.endswith("SHA256SUMS")]) == 3
        assert registry.verifications == 3
        assert verdict(registry, PLANTED) is Verdict.DISOWNED
        assert verdict(registry, zh_of(publisher.packages["windows_amd64"])) is Verdict.CONFIRMED

    def test_one_bad_list_among_them_leaves_the_others_and_nothing_complete(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        self.publish(publisher, bad="darwin_arm64")
        answer = registry.ask(ADDRESS, platforms=EVERY)
        (known,) = answer.lists
        assert not known.complete
        assert known.authenticated
        assert len(known.documents) == 2
        assert problems(answer)["signature-bad"].severity is Severity.ERROR
        assert verdict(registry, PLANTED) is Verdict.UNCHECKED
        assert verdict(registry, zh_of(publisher.packages["darwin_arm64"])) is Verdict.UNCHECKED
        refused = {str(p.platform) for p in answer.packages if p.client_refusal}
        assert refused == {"darwin_arm64"}


class TestPlatforms:
    def test_a_platform_that_is_announced_in_vain_is_known_to_be_absent(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish(publisher.release(also_announced=("plan9_amd64",)))
        plan9 = Platform("plan9", "amd64")
        answer = registry.ask(ADDRESS, platforms=(LINUX, plan9))
        package = answer.package(plan9)
        assert package is not None
        assert package.outcome is Outcome.NOT_THERE
        assert problems(answer)["platform-missing"].severity is Severity.WARNING
        assert answer.lists[0].complete
        assert plan9 in (answer.platforms or ())

    def test_a_platform_that_nobody_announced_is_absent_without_a_problem(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish()
        plan9 = Platform("plan9", "amd64")
        answer = registry.ask(ADDRESS, platforms=(plan9,))
        assert [package.outcome for package in answer.packages] == [Outcome.NOT_THERE]
        assert not answer.problems
        assert answer.lists[0].complete
        assert answer.outcome is Outcome.ANSWERED

    @pytest.mark.parametrize("asked", [(LINUX,), ()])
    def test_where_the_versions_name_no_platforms_the_signed_list_says_which_packages_there_are(
        self, registry: Registry, publisher: Publisher, asked: tuple[Platform, ...]
    ) -> None:
        release = publisher.release()
        bare = Response.of_json({"versions": [{"version": VERSION}]})
        publisher.publish(release, answers={release.versions_path: bare})
        answer = registry.ask(ADDRESS, platforms=asked)
        assert answer.platforms == frozenset(EVERY)
        assert answer.lists[0].complete
        assert verdict(registry, PLANTED) is Verdict.DISOWNED

    def test_a_list_that_names_one_platform_says_nothing_of_others_where_the_versions_name_none(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        release = publisher.release()
        bare = Response.of_json({"versions": [{"version": VERSION}]})
        sums = publisher.line("linux_amd64")
        documents = {
            release.versions_path: bare,
            release.sums_path: Response.of_bytes(sums),
            release.signature_path: Response.of_bytes(publisher.sign(sums)),
        }
        publisher.publish(release, answers=documents)
        assert registry.ask(ADDRESS).platforms is None
        assert verdict(registry, PLANTED) is Verdict.UNCHECKED

    def test_the_packages_object_names_the_platforms_when_the_versions_do_not(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        release = publisher.release(extra_hashes=HashesShape.PACKAGES)
        bare = Response.of_json({"versions": [{"version": VERSION}]})
        publisher.publish(release, answers={release.versions_path: bare})
        answer = registry.ask(ADDRESS)
        assert answer.platforms == frozenset(EVERY)
        assert answer.lists[0].complete

    def test_the_answer_for_one_platform_may_fail_while_the_others_go_on(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        release = publisher.release()
        publisher.publish(release, answers={release.metadata_path("linux_amd64"): Response.of_status(500)})
        answer = registry.ask(ADDRESS, platforms=(LINUX, DARWIN))
        assert answer.outcome is Outcome.ANSWERED
        assert [package.outcome for package in answer.packages] == [Outcome.NO_ANSWER, Outcome.ANSWERED]
        assert problems(answer)["http-status"].severity is Severity.WARNING
        assert answer.lists[0].complete

    def test_the_documents_come_from_another_platform_when_the_asked_one_fails(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        release = publisher.release()
        publisher.publish(release, answers={release.metadata_path("linux_amd64"): Response.of_status(500)})
        answer = registry.ask(ADDRESS)
        assert answer.outcome is Outcome.ANSWERED
        assert [package.outcome for package in answer.packages] == [Outcome.NO_ANSWER]
        assert answer.lists[0].complete
