"""A registry where a mirror should be, and the reverse, are told; with one request a host, and never with a token."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import pytest
from servers.https import Breakage, Broken
from servers.played import Played

from lockwarden.core.evidence.events import AuditEvent
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.protocols.probing import Probes
from lockwarden.core.sources.registry.client import RegistryClient
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import NotThereError
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version
from lockwarden.demo.world import Response

HOST = "place.example.test"
ORIGIN = "example.test"
WELL_KNOWN = "/.well-known/terraform.json"
DISCOVERY = {WELL_KNOWN: Response.of_json({"providers.v1": "/v1/providers/"})}
VERSIONS = Response.of_json({"versions": [{"version": "1.0.0"}]})
INDEX = Response.of_json({"versions": {"1.0.0": {}}})
PAGE = Response(headers=(("Content-Type", "text/html"),), body=b"<!doctype html><title>Sign in</title>")
ONE = ProviderAddress.parse(f"{ORIGIN}/acme/one")
TWO = ProviderAddress.parse(f"{ORIGIN}/acme/two")


class Place:
    """Hosts that answer what they are told, and sources that share their probes."""

    def __init__(self) -> None:
        self.server = Played(lambda host, path, headers: Response.of_status(404))
        self.events: list[AuditEvent] = []

    def serve(self, answers: Mapping[str, Response | Broken], *, otherwise: Response | None = None) -> None:
        def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
            answer = answers.get(path, otherwise or Response.of_status(404))
            if isinstance(answer, Broken):
                raise answer
            return answer

        self.server.serve(respond)

    def paths(self) -> list[str]:
        return [request.path for request in self.server.journal.requests]

    def probes(self) -> list[str]:
        """The requests that are not for the documents of a mirror."""
        return [path for path in self.paths() if not path.endswith(("/index.json", "/1.0.0.json"))]

    def mirrors(self, *bases: str, addresses: tuple[ProviderAddress, ...] = (ONE,)) -> list[SourceAnswer]:
        """What mirrors say of the providers, one after the other, all with a token for every host."""

        async def main() -> list[SourceAnswer]:
            source_answers = []
            async with self._client() as http, PackageStore(None, now=time.time) as store:
                probes = Probes(http)
                for base in bases:
                    source = NetworkMirrorSource(http, store, base, ClientSettings(), probes=probes)
                    for address in addresses:
                        release = await source.open(address, Version(1, 0, 0), platforms=(), report=self.events.append)
                        source_answers.append(release.source_answer())
            return source_answers

        return asyncio.run(main())

    def registry(self, *addresses: ProviderAddress) -> list[NotThereError]:
        """How asking the origin registries for the providers' versions ends, one after the other."""

        async def main() -> list[NotThereError]:
            errors = []
            async with self._client() as http, PackageStore(None, now=time.time) as store:
                client = RegistryClient(http, store, client=Client.OPENTOFU, services={}, probes=Probes(http))
                for address in addresses:
                    with pytest.raises(NotThereError) as caught:
                        await client.versions(address)
                    errors.append(caught.value)
            return errors

        return asyncio.run(main())

    def _client(self) -> HttpClient:
        return self.client(credentials=lambda host: "secret", report=self.events.append)

    def client(self, **options: Any) -> HttpClient:
        return HttpClient(HttpSettings(), now=time.time, transport=self.server, **options)


@pytest.fixture
def place() -> Place:
    return Place()


def test_the_root_of_a_registry_is_told_with_what_to_use_instead(place: Place) -> None:
    place.serve(DISCOVERY)
    (source_answer,) = place.mirrors(f"https://{HOST}/")
    assert source_answer.outcome is Outcome.NOT_THERE
    assert "this URL speaks the registry protocol" in source_answer.detail
    (problem,) = source_answer.problems
    assert (problem.code, problem.severity) == ("registry-instead-of-mirror", Severity.WARNING)
    assert "this URL speaks the registry protocol: it is an origin registry, or a pull-through" in problem.message
    assert "direct" in problem.hint
    assert f"https://{HOST}/v1/providers/" in problem.hint
    assert place.probes() == [WELL_KNOWN]


def test_a_registrys_own_url_is_asked_for_versions(place: Place) -> None:
    place.serve({"/api/v1/providers/acme/one/versions": VERSIONS})
    (source_answer,) = place.mirrors(f"https://{HOST}/api/v1/providers/")
    assert [problem.code for problem in source_answer.problems] == ["registry-instead-of-mirror"]
    assert "this URL speaks the registry protocol" in source_answer.problems[0].message
    assert place.probes() == ["/api/v1/providers/acme/one/versions"]


def test_a_host_with_a_registry_elsewhere_makes_it_only_likely(place: Place) -> None:
    place.serve(DISCOVERY)
    (source_answer,) = place.mirrors(f"https://{HOST}/repository/terraform/")
    (problem,) = source_answer.problems
    assert f"the host offers a provider registry at https://{HOST}/v1/providers/" in problem.message
    assert "this URL speaks" not in problem.message


def test_a_registry_that_answers_with_its_web_page_is_told_in_the_same_problem(place: Place) -> None:
    place.serve(DISCOVERY, otherwise=PAGE)
    (source_answer,) = place.mirrors(f"https://{HOST}/")
    assert source_answer.outcome is Outcome.NO_ANSWER
    (problem,) = source_answer.problems
    assert problem.code == "html"
    assert "HTML" in problem.message
    assert "this URL speaks the registry protocol" in problem.message
    assert "direct" in problem.hint


def test_one_request_is_enough_for_a_host_however_many_mirrors_and_providers_it_lacks(place: Place) -> None:
    place.serve(DISCOVERY)
    source_answers = place.mirrors(f"https://{HOST}/", f"https://{HOST}/other/", addresses=(ONE, TWO, ONE))
    assert len(source_answers) == 6
    assert all(len(source_answer.problems) == 1 for source_answer in source_answers)
    assert place.probes() == [WELL_KNOWN]


def test_two_hosts_are_asked_once_each(place: Place) -> None:
    place.serve({})
    source_answers = place.mirrors(f"https://{HOST}/", "https://other.example.test/", addresses=(ONE, TWO))
    assert [request.host for request in place.server.journal.requests if request.path == WELL_KNOWN] == [
        HOST,
        "other.example.test",
    ]
    assert [source_answer.problems for source_answer in source_answers] == [(), (), (), ()]


def test_what_one_url_answers_is_not_said_of_another_of_the_host(place: Place) -> None:
    place.serve({"/v1/providers/acme/one/versions": VERSIONS})
    told, silent = place.mirrors(f"https://{HOST}/v1/providers/", f"https://{HOST}/mirror/")
    assert told.problems
    assert silent.problems == ()
    assert len(place.probes()) == 1


def test_a_mirror_that_has_shown_itself_as_one_is_not_probed(place: Place) -> None:
    place.serve(DISCOVERY | {f"/{ORIGIN}/acme/one/index.json": INDEX})
    _, missing = place.mirrors(f"https://{HOST}/", addresses=(ONE, TWO))
    assert missing.outcome is Outcome.NOT_THERE
    assert missing.problems == ()
    assert WELL_KNOWN not in place.paths()


def test_no_probe_carries_a_token(place: Place) -> None:
    place.serve({}, otherwise=Response.of_status(404))
    place.mirrors(f"https://{HOST}/", "https://other.example.test/v1/providers/")
    place_requests = place.server.journal.requests
    for request in place_requests:
        assert (request.authorization is None) is not request.path.endswith(("/index.json", "/1.0.0.json"))
    assert len(place_requests) == 6


@pytest.mark.parametrize(
    "answer",
    [
        Response.of_status(404),
        Response.of_status(401),
        Response.of_status(503),
        PAGE,
        Response.of_json({"modules.v1": "/m/"}),
        Response.of_json({"providers.v1": 7}),
        Response.of_json({"providers.v1": "https://[::1"}),
        Response.of_json(["providers.v1"]),
        Response(headers=(("Content-Type", "application/json"),), body=b"{"),
        Response(headers=(("Content-Type", "application/json"),), body=b""),
        Response(headers=(("Content-Type", "application/json"),), body=bytes(1024 * 1024 + 1)),
        Response(headers=(("Content-Type", "text/plain"),), body=b'{"providers.v1": "/"}'),
        Response(status=302, headers=(("Location", "/elsewhere"),)),
        Broken(Breakage.CLOSE),
        Broken(Breakage.RESET),
    ],
)
@pytest.mark.parametrize("page", [False, True], ids=["404", "web page"])
def test_a_probe_that_fails_says_nothing_and_is_not_repeated(
    place: Place, answer: Response | Broken, page: bool
) -> None:
    place.serve({WELL_KNOWN: answer}, otherwise=PAGE if page else None)
    for source_answer in place.mirrors(f"https://{HOST}/", addresses=(ONE, TWO)):
        assert [problem.code for problem in source_answer.problems] == (["html"] if page else [])
        assert "registry" not in source_answer.detail
    assert place.probes() == [WELL_KNOWN]
    assert not [event for event in place.events if type(event).__name__ == "RetryScheduled"]


@pytest.mark.parametrize("status", [401, 403, 500])
def test_other_failures_of_a_mirror_are_not_probed(place: Place, status: int) -> None:
    place.serve(DISCOVERY, otherwise=Response.of_status(status))
    place.mirrors(f"https://{HOST}/")
    assert place.probes() == []


def test_a_mirror_where_an_origin_registry_should_be_is_told(place: Place) -> None:
    index = f"/{ORIGIN}/acme/one/index.json"
    place.serve({index: INDEX})
    (error,) = place.registry(ONE)
    assert error.message == (
        f"{ORIGIN} does not offer a provider registry, but answers as a network mirror does; give https://{ORIGIN}/ as "
        "a source of its own"
    )
    assert error.code == "no-provider-registry"
    assert "origin registry" in error.hint
    assert place.paths() == [WELL_KNOWN, index]
    assert [request.authorization for request in place.server.journal.requests] == ["Bearer secret", None]


@pytest.mark.parametrize(
    "answer",
    [
        Response.of_status(404),
        PAGE,
        Response.of_json({"versions": {}}),
        Response.of_json({}),
        Response.of_json({"versions": [{"version": "1.0.0"}]}),
        Broken(Breakage.RESET),
    ],
)
def test_a_host_that_is_neither_is_asked_once_more_and_no_more_is_said(place: Place, answer: Response | Broken) -> None:
    place.serve({f"/{ORIGIN}/acme/one/index.json": answer})
    for error in place.registry(ONE, TWO, ONE):
        assert error.message == f"{ORIGIN} does not offer a provider registry"
    assert len(place.paths()) == 2


def test_a_host_with_a_port_is_not_taken_for_a_mirror(place: Place) -> None:
    address = ProviderAddress.parse("localhost:8443/acme/one")
    place.serve({"/localhost:8443/acme/one/index.json": INDEX})
    (error,) = place.registry(address)
    assert "mirror does" not in error.message
    assert place.paths() == [WELL_KNOWN]


def test_a_registry_that_is_found_is_not_probed(place: Place) -> None:
    place.serve(DISCOVERY)
    (error,) = place.registry(ONE)
    assert error.code == "provider-unknown"
    assert place.paths() == [WELL_KNOWN, "/v1/providers/acme/one/versions"]


def test_one_host_is_not_probed_for_both_protocols(place: Place) -> None:
    async def main() -> tuple[object, str]:
        async with place.client() as http:
            probes = Probes(http)
            trace = await probes.registry_at(f"https://{ORIGIN}/", ONE)
            return trace, await probes.mirror_at(ONE.hostname, ONE)

    place.serve({f"/{ORIGIN}/acme/one/index.json": INDEX})
    assert asyncio.run(main()) == (None, "")
    assert place.paths() == [WELL_KNOWN]


def test_a_base_that_is_no_url_is_not_probed(place: Place) -> None:
    async def main() -> object:
        async with place.client() as http:
            return await Probes(http).registry_at("https://[::1/", ONE)

    assert asyncio.run(main()) is None
