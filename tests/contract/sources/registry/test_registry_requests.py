"""How registries are found and asked: discovery, credentials, failures at every stage, hostile answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from builders.registry_runs import LINUX, Registry
from contract.sources.registry.conftest import ADDRESS, VERSION, Publisher
from servers.https import Breakage, Broken, HttpsServer, of_world

from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import ToolError
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import SignatureReport
from lockwarden.core.values.versions import Version
from lockwarden.demo.releases import DISCOVERY
from lockwarden.demo.world import Response

HOST = ADDRESS.split("/")[0]


def codes(source_answer: SourceAnswer) -> set[str]:
    return {problem.code for problem in source_answer.problems}


def hints(source_answer: SourceAnswer) -> list[str]:
    return [problem.hint for problem in source_answer.problems]


class TestDiscovery:
    def test_a_host_is_asked_once_however_many_providers_it_has(self, registry: Registry) -> None:
        source_answers = registry.ask_all(
            [f"example.test/acme/{case}" for case in ("plain", "ed", "packages", "subkey")]
        )
        assert [source_answer.outcome for source_answer in source_answers] == [Outcome.ANSWERED] * 4
        assert len(registry.server.journal.to("example.test", DISCOVERY)) == 1

    def test_those_who_wait_for_a_host_that_fails_share_its_failure_and_later_ones_ask_anew(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish(answers={DISCOVERY: Response.of_status(503)})
        broken = registry.ask_all([ADDRESS, f"{HOST}/acme/other", f"{HOST}/acme/third"])
        assert [source_answer.outcome for source_answer in broken] == [Outcome.NO_ANSWER] * 3
        assert len(registry.server.journal.to(HOST, DISCOVERY)) == 2  # asked again once, as other documents are

        async def twice() -> list[Outcome]:
            async with registry.opened() as source:
                outcomes = []
                for _ in range(2):
                    release = await source.open(
                        ProviderAddress.parse(ADDRESS), Version(1, 2, 3), platforms=(LINUX,), report=ignore
                    )
                    outcomes.append(release.source_answer().outcome)
                    publisher.publish()
                return outcomes

        assert asyncio.run(twice()) == [Outcome.NO_ANSWER, Outcome.ANSWERED]

    @pytest.mark.parametrize(("status", "asked"), [(500, 2), (429, 2), (501, 1), (403, 1)])
    def test_a_discovery_document_is_asked_for_again_as_other_documents_are(
        self, registry: Registry, publisher: Publisher, status: int, asked: int
    ) -> None:
        publisher.publish(answers={DISCOVERY: Response.of_status(status)})
        assert registry.ask(ADDRESS).outcome is Outcome.NO_ANSWER
        assert len(registry.server.journal.requests) == asked

    @pytest.mark.parametrize(
        ("answer", "outcome", "told"),
        [
            (Response.of_status(404), Outcome.NOT_THERE, "does not offer a provider registry"),
            (
                Response(status=404, body=b'{"errors": ["log in first"]}'),
                Outcome.NOT_THERE,
                "a provider registry; the server says “log in first”",
            ),
            (Response.of_json({"modules.v1": "/m/"}), Outcome.NOT_THERE, "does not offer a provider registry"),
            (Response.of_json({"providers.v2": "/v2/"}), Outcome.NO_ANSWER, "only as providers.v2"),
            (Response.of_status(410), Outcome.NO_ANSWER, "410 Gone"),
            (Response.of_json([]), Outcome.NO_ANSWER, "is not the JSON that was expected"),
            (Response(body=b"{}"), Outcome.NO_ANSWER, "without a content type"),
            (Response(headers=(("Content-Type", "text/html"),), body=b"<html>"), Outcome.NO_ANSWER, "text/html"),
            (
                Response(headers=(("Content-Type", "application/json"),), body=b" " * (1024 * 1024 + 1)),
                Outcome.NO_ANSWER,
                "1048576 bytes, which is the limit",
            ),
            (Response.of_json({"providers.v1": "http://registry.example.test/v1/"}), Outcome.NO_ANSWER, "plain http"),
            (Response.of_json({"providers.v1": "file:///etc/"}), Outcome.NO_ANSWER, "not https"),
            (Response.of_json({"providers.v1": "https://me:secret@example.test/"}), Outcome.NO_ANSWER, "user name"),
        ],
    )
    def test_an_odd_discovery_document_is_told(
        self, registry: Registry, publisher: Publisher, answer: Response, outcome: Outcome, told: str
    ) -> None:
        publisher.publish(answers={DISCOVERY: answer})
        source_answer = registry.ask(ADDRESS)
        assert source_answer.outcome is outcome
        assert told in source_answer.detail
        assert "secret" not in repr(source_answer)
        assert all(problem.severity is Severity.WARNING for problem in source_answer.problems)

    def test_a_type_with_parameters_and_a_service_on_another_host_are_followed(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        services = json.dumps({"providers.v1": "https://api.example.test/v1/providers/"}).encode()
        document = Response(headers=(("Content-Type", "application/json; charset=utf-8"),), body=services)
        world = publisher.world().with_answers(HOST, {DISCOVERY: document})
        registry.serve(lambda host, path, headers: world.respond(HOST if host == "api.example.test" else host, path))
        registry.tokens = {HOST: "token-of-the-host"}
        assert registry.ask(ADDRESS).outcome is Outcome.ANSWERED
        assert registry.server.journal.to("api.example.test", "/v1/providers/")
        assert all(
            request.authorization == "Bearer token-of-the-host"
            for request in registry.server.journal.to("api.example.test", "/v1/providers/")
        )

    def test_a_base_without_a_slash_loses_its_last_part_as_with_the_clients(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish(answers={DISCOVERY: Response.of_json({"providers.v1": "/v1/providers/lost"})})
        assert registry.ask(ADDRESS).outcome is Outcome.ANSWERED

    def test_services_that_the_operator_gives_replace_discovery(self, registry: Registry, publisher: Publisher) -> None:
        publisher.publish()
        registry.services = {"corp.example.test": {"providers.v1": f"https://{HOST}/v1/providers/"}}
        assert registry.ask("corp.example.test/acme/widget").outcome is Outcome.ANSWERED
        assert not registry.server.journal.to("corp.example.test")

    def test_a_host_that_cannot_be_reached_is_no_answer(self, registry: Registry) -> None:
        source_answer = registry.ask("nowhere.invalid/acme/widget")
        assert source_answer.outcome is Outcome.NO_ANSWER
        assert source_answer.detail
        assert any(hints(source_answer))


class TestVersions:
    def test_a_version_that_is_not_listed_is_withdrawn_and_the_newest_are_named(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish()
        source_answer = registry.ask(ADDRESS, version="1.2.4")
        assert source_answer.outcome is Outcome.NOT_THERE
        (problem,) = source_answer.problems
        assert (problem.code, problem.severity) == ("version-withdrawn", Severity.ERROR)
        assert "the newest that it lists are 1.2.3" in problem.message
        empty = Response.of_json({"versions": []})
        publisher.publish(answers={publisher.release().versions_path: empty})
        nothing = registry.ask(ADDRESS)
        assert "it lists no version at all" in nothing.detail
        assert "choose a listed version" in problem.hint
        assert "choose" not in nothing.hint

    def test_a_provider_that_the_registry_does_not_know_is_not_there(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish()
        source_answer = registry.ask(f"{HOST}/acme/unknown")
        assert source_answer.outcome is Outcome.NOT_THERE
        assert source_answer.detail == f"{HOST} does not have a provider named {HOST}/acme/unknown"
        assert source_answer.problems == ()

    def test_a_version_that_is_none_makes_the_client_refuse_and_nothing_else(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        release = publisher.release()
        odd = {"versions": [{"version": "v1.0.0"}, release.version_entry()], "warnings": ["moved to another name"]}
        publisher.publish(release, answers={release.versions_path: Response.of_json(odd)})
        source_answer = registry.ask(ADDRESS)
        assert source_answer.lists[0].complete
        assert "invalid version “v1.0.0”" in source_answer.packages[0].client_refusal
        assert codes(source_answer) == {"versions-invalid", "registry-warning"}


class TestCredentials:
    def test_the_token_goes_with_discovery_versions_and_metadata_only(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish(publisher.release(download_host="dl.example.test"))
        registry.tokens = {HOST: "secret", "dl.example.test": "other-secret"}
        assert registry.ask(ADDRESS).outcome is Outcome.ANSWERED
        sent = {request.path: request.authorization for request in registry.server.journal.requests}
        with_token = {path for path, header in sent.items() if header is not None}
        assert with_token == {path for path in sent if path == DISCOVERY or path.startswith("/v1/providers/")}
        assert {sent[path] for path in with_token} == {"Bearer secret"}

    def test_the_version_of_the_client_goes_with_versions_and_metadata(
        self, registry: Registry, publisher: Publisher
    ) -> None:
        publisher.publish()
        for client, version in ((Client.OPENTOFU, "1.12.6"), (Client.TERRAFORM, "1.11.4")):
            registry.ask(ADDRESS, settings=ClientSettings(client=client))
            sent = {
                request.path: request.headers.get("x-terraform-version") for request in registry.server.journal.requests
            }
            assert {path for path, header in sent.items() if header} == {
                path for path in sent if path.startswith("/v1/providers/")
            }
            assert {header for header in sent.values() if header} == {version}
            registry.server.journal.clear()

    @pytest.mark.parametrize("status", [401, 403])
    @pytest.mark.parametrize("path", ["discovery", "versions", "metadata"])
    def test_a_refusal_says_whether_a_token_was_sent(
        self, registry: Registry, publisher: Publisher, status: int, path: str
    ) -> None:
        release = publisher.release()
        where = {
            "discovery": (DISCOVERY,),
            "versions": (release.versions_path,),
            "metadata": tuple(release.metadata_path(platform) for platform in release.packages),
        }[path]
        publisher.publish(release, answers=dict.fromkeys(where, Response.of_status(status)))
        without = registry.ask(ADDRESS)
        assert without.outcome is Outcome.NO_ANSWER
        assert f"{HOST} requires authentication credentials" in without.detail
        registry.tokens = {HOST: "secret"}
        rejected = registry.ask(ADDRESS)
        assert f"{HOST} rejected the given credentials" in rejected.detail
        assert "secret" not in repr(rejected)
        assert any(HOST in hint for hint in hints(rejected))

    def test_queries_of_urls_are_never_shown(self, registry: Registry, publisher: Publisher) -> None:
        release = publisher.release()
        document = release.metadata("linux_amd64")
        for name in ("download_url", "shasums_url", "shasums_signature_url"):
            document[name] += "?signature=hidden"
        publisher.publish(release, answers={release.metadata_path("linux_amd64"): Response.of_json(document)})
        source_answer = registry.ask(ADDRESS)
        assert source_answer.packages[0].outcome is Outcome.ANSWERED
        assert "hidden" not in repr(source_answer)
        assert any("hidden" in request.path for request in registry.server.journal.requests)


class _BrokenVerifier:
    async def prepare(self, *, offered: Sequence[str]) -> None: ...

    async def verify(self, *, document: bytes, signature: bytes, offered: Sequence[str]) -> SignatureReport:
        raise ToolError("gpg is not installed", hint="install GnuPG")


def test_without_gpg_nothing_is_known_and_the_hint_says_what_to_do(registry: Registry, publisher: Publisher) -> None:
    publisher.publish()
    registry.verifier = _BrokenVerifier()
    source_answer = registry.ask(ADDRESS)
    assert source_answer.outcome is Outcome.NO_ANSWER
    assert "gpg is not installed" in source_answer.detail
    assert hints(source_answer) == ["install GnuPG"]


def test_a_check_that_is_cancelled_leaves_the_release_usable(registry: Registry, publisher: Publisher) -> None:
    release = publisher.release()
    world = publisher.world(release)
    stalled = asyncio.Event()
    state = {"stall": True}

    async def scenario() -> tuple[int, SourceAnswer]:
        loop = asyncio.get_running_loop()

        def respond(host: str, path: str, headers: Any) -> Response:
            right = world.respond(host, path)
            if path == release.package_path("linux_amd64") and state["stall"]:
                loop.call_soon_threadsafe(stalled.set)
                raise Broken(Breakage.STALL, response=right, after=100)
            return right

        registry.serve(respond)
        async with registry.opened() as source:
            opened = await source.open(
                ProviderAddress.parse(ADDRESS), Version.parse(VERSION), platforms=(LINUX,), report=ignore
            )
            check = asyncio.ensure_future(opened.check(LINUX))
            await stalled.wait()
            check.cancel()
            await asyncio.wait([check])
            assert check.cancelled()
            before = len(opened.source_answer().packages)
            state["stall"] = False
            await opened.check(LINUX)
            return before, opened.source_answer()

    before, source_answer = asyncio.run(scenario())
    assert before == 0
    assert source_answer.packages[0].promised


def test_a_port_in_the_address_is_part_of_the_host(
    registry: Registry, publisher: Publisher, https_server: HttpsServer
) -> None:
    registry.serve(of_world(publisher.world()))
    source_answer = registry.ask(f"localhost:{https_server.port}/acme/widget")
    assert source_answer.outcome is Outcome.NO_ANSWER
    assert registry.server.journal.to("localhost", DISCOVERY)
