"""What is asked of a network mirror, with which credentials, and what a misbehaving one ends in."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from typing import Any
from urllib.request import getproxies

import pytest
from builders.mirrors import (
    DARWIN,
    FACTS,
    FOLDER,
    HOST,
    LINUX,
    PLAIN,
    VERSION,
    WINDOWS,
    Mirrors,
    archives,
    codes,
    entry,
    h1,
    installable,
    package_of,
    zh,
)
from servers.authority import Authority
from servers.faults import STAGES, with_fault
from servers.golden import RECORDINGS, GoldenWorld
from servers.https import HttpsServer, serving
from servers.proxy import Proxy

from lockwarden.core.evidence.events import AuditEvent, LookupStarted, PackageChecked, PackageProgress
from lockwarden.core.evidence.observations import (
    ComputedLocally,
)
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer, Unlisted
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.sources.network_mirror import documents
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version
from lockwarden.demo.responses import Response

FAULTS: dict[str, dict[str, Any]] = json.loads((RECORDINGS / "recorded_faults.json").read_bytes())["faults"]


def test_two_documents_and_the_package_are_asked_for_once(mirrors: Mirrors) -> None:
    events: list[AuditEvent] = []

    async def run() -> SourceAnswer:
        settings = HttpSettings(proxies=getproxies(), ca_file=mirrors.ca_file)
        async with HttpClient(settings, now=time.time) as client, PackageStore(None, now=time.time) as store:
            source = NetworkMirrorSource(client, store, f"https://{HOST}/mirror/both/", ClientSettings(), id="m")
            first, _ = await asyncio.gather(
                *(
                    source.open(PLAIN, version, platforms=(), report=events.append)
                    for version in (VERSION, Version(9, 9, 9))
                )
            )
            await asyncio.gather(*(first.check(LINUX) for _ in range(5)))
            await first.check(LINUX)
            assert {platform: set(hashes) for platform, hashes in first.claimed.items()} == {
                platform: {h1(platform), zh(platform)} for platform in (LINUX, DARWIN, WINDOWS)
            }
            assert first.platforms == frozenset(first.claimed)
            return first.source_answer()

    answer = asyncio.run(run())
    assert len(answer.packages) == 1
    assert mirrors.asked() == [
        f"{FOLDER}/index.json",
        f"{FOLDER}/1.2.3.json",
        f"{FOLDER}/9.9.9.json",
        "/releases/plain/terraform-provider-plain_1.2.3_linux_amd64.zip",
    ]
    assert LookupStarted(address=PLAIN, version=VERSION, source="m") in events
    progress = [event for event in events if isinstance(event, PackageProgress)]
    assert progress[-1].received == FACTS[str(LINUX)]["size"]
    assert [event for event in events if isinstance(event, PackageChecked)] == [
        PackageChecked(address=PLAIN, version=VERSION, source="m", platform=LINUX, outcome="hashed")
    ]


def test_a_host_is_asked_for_in_punycode(mirrors: Mirrors) -> None:
    answer = mirrors.ask(address=ProviderAddress.parse("bücher.example/acme/plain"))
    assert answer.outcome is Outcome.NOT_THERE
    assert mirrors.asked("/mirror/") == ["/mirror/both/xn--bcher-kva.example/acme/plain/index.json"]


def test_a_provider_of_a_host_with_a_port_cannot_be_served_and_is_not_asked_for(mirrors: Mirrors) -> None:
    answer = mirrors.ask(address=ProviderAddress.parse("example.test:8443/acme/plain"))
    assert answer.outcome is Outcome.NOT_THERE
    assert "with a port" in answer.detail
    assert mirrors.asked() == []


def test_the_token_of_the_mirrors_host_goes_with_both_documents_and_not_with_the_package(mirrors: Mirrors) -> None:
    hosts: list[str] = []

    def credentials(host: str) -> str:
        hosts.append(host)
        return "secret"

    answer = mirrors.ask(credentials=credentials)
    assert installable(answer)
    sent = {request.path.rpartition("/")[2]: request.authorization for request in mirrors.server.journal.requests}
    assert sent == {
        "index.json": "Bearer secret",
        "1.2.3.json": "Bearer secret",
        "terraform-provider-plain_1.2.3_linux_amd64.zip": None,
    }
    assert set(hosts) == {HOST}


def test_a_port_is_part_of_the_name_that_a_token_is_looked_up_by(mirrors: Mirrors, https_server: HttpsServer) -> None:
    hosts: list[str] = []

    def credentials(host: str) -> None:
        hosts.append(host)

    mirrors.ask(f"{https_server.url}mirror/both/", credentials=credentials)
    assert set(hosts) == {f"localhost:{https_server.port}"}


def test_an_archive_on_another_host_is_fetched_without_a_token(mirrors: Mirrors) -> None:
    url = (
        "https://elsewhere.example.test/releases/plain/terraform-provider-plain_1.2.3_linux_amd64.zip?signature=geheim"
    )
    mirrors.serve({f"{FOLDER}/1.2.3.json": archives({str(LINUX): entry(LINUX, str(zh(LINUX)), url=url)})})
    answer = mirrors.ask(credentials=lambda host: "secret")
    assert installable(answer)
    (request,) = mirrors.server.journal.to("elsewhere.example.test")
    assert request.authorization is None
    assert "signature=geheim" in request.path
    assert "geheim" not in repr(answer)


def test_urls_are_relative_to_where_the_document_came_from_in_the_end(mirrors: Mirrors) -> None:
    listed = archives({str(LINUX): {"url": "plain.zip", "hashes": [str(zh(LINUX))]}})
    package = GoldenWorld().respond(HOST, "/releases/plain/terraform-provider-plain_1.2.3_linux_amd64.zip", {})
    mirrors.serve(
        {
            f"{FOLDER}/1.2.3.json": Response(
                status=302, headers=(("Location", "https://elsewhere.example.test/a/b/list.json"),)
            ),
            "/a/b/list.json": listed,
            "/a/b/plain.zip": package,
        }
    )
    answer = mirrors.ask()
    assert installable(answer)
    assert package_of(answer).location == "https://elsewhere.example.test/a/b/plain.zip"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://mirror.example.test/a.zip", "url-refused"),
        ("https://me:geheim@mirror.example.test/a.zip", "url-refused"),
        ("file:///etc/hostname", "url-refused"),
        ("", "url-missing"),
        ("../" * 2000 + "x", "http-status"),
    ],
)
def test_an_archive_that_must_not_or_cannot_be_fetched_is_told(
    mirrors: Mirrors, proxy: Proxy, url: str, code: str
) -> None:
    mirrors.serve({f"{FOLDER}/1.2.3.json": archives({str(LINUX): entry(LINUX, str(zh(LINUX)), url=url)})})
    answer = mirrors.ask()
    assert answer.outcome is Outcome.ANSWERED
    assert package_of(answer).outcome is Outcome.NO_ANSWER
    assert package_of(answer).detail
    assert codes(answer) == [code]
    assert "geheim" not in repr(answer)
    assert proxy.refused.requests == ()


def test_a_version_that_the_index_does_not_name_is_not_there(mirrors: Mirrors) -> None:
    answer = mirrors.ask(version=Version(9, 9, 9))
    assert answer.outcome is Outcome.NOT_THERE
    assert "9.9.9" in answer.detail
    assert answer.problems == ()
    # A client that finds the version by another method asks for its archives here all the same.
    assert mirrors.asked() == [f"{FOLDER}/index.json", f"{FOLDER}/9.9.9.json"]
    assert answer.unlisted is not None
    assert answer.unlisted.failure == "it has no list of archives for 9.9.9"
    mirrors.serve({f"{FOLDER}/9.9.9.json": archives({str(LINUX): entry(LINUX, str(zh(LINUX)))})})
    again = mirrors.ask(version=Version(9, 9, 9))
    assert (again.outcome, again.unlisted) == (Outcome.NOT_THERE, Unlisted(platforms=frozenset({LINUX})))


def test_a_version_that_is_listed_without_its_archives_is_a_contradiction(mirrors: Mirrors) -> None:
    mirrors.serve({f"{FOLDER}/1.2.3.json": Response.of_status(404)})
    answer = mirrors.ask()
    assert answer.outcome is Outcome.NO_ANSWER
    assert codes(answer) == ["mirror-contradicts-itself"]
    assert "does not have its list of archives" in answer.detail


def test_versions_that_are_none_are_told_and_passed_over(mirrors: Mirrors) -> None:
    versions: dict[str, Any] = {"1.2.3": {}, "latest": {}} | {f"v{number}": {} for number in range(6)}
    mirrors.serve({f"{FOLDER}/index.json": Response.of_json({"versions": versions})})
    answer = mirrors.ask()
    assert installable(answer)
    (problem,) = answer.problems
    assert (problem.code, problem.severity) == ("mirror-version-malformed", Severity.NOTE)
    assert "“latest”" in problem.message
    assert "and 2 more" in problem.message


@pytest.mark.parametrize("place", ["index.json", "1.2.3.json"])
@pytest.mark.parametrize("media_type", ["text/html; charset=utf-8", "text/plain", "application/json"])
def test_a_web_page_is_named_as_one_whatever_it_calls_itself(mirrors: Mirrors, place: str, media_type: str) -> None:
    page = b"<!DOCTYPE html><html><body>Sign in</body></html>"
    mirrors.serve({f"{FOLDER}/{place}": Response(headers=(("Content-Type", media_type),), body=page)})
    answer = mirrors.ask()
    assert answer.outcome is Outcome.NO_ANSWER
    assert codes(answer) == ["html"]
    assert "HTML" in answer.problems[0].message
    assert answer.problems[0].hint


def test_a_missing_provider_that_is_told_by_a_web_page_is_named_so(mirrors: Mirrors) -> None:
    mirrors.serve({f"{FOLDER}/index.json": Response(status=404, body=b"<html>no such page</html>")})
    answer = mirrors.ask()
    assert answer.outcome is Outcome.NOT_THERE
    assert "HTML" in answer.detail


@pytest.mark.parametrize("status", [401, 403])
def test_a_mirror_that_wants_a_token_differs_from_one_that_rejects_it(mirrors: Mirrors, status: int) -> None:
    mirrors.serve({f"{FOLDER}/index.json": Response.of_status(status)})
    without = mirrors.ask()
    assert (without.outcome, codes(without)) == (Outcome.NO_ANSWER, ["credentials-required"])
    rejected = mirrors.ask(credentials=lambda host: "secret")
    assert (rejected.outcome, codes(rejected)) == (Outcome.NO_ANSWER, ["credentials-rejected"])
    assert "secret" not in repr(rejected)


def test_a_document_over_the_limit_is_refused(mirrors: Mirrors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_DOCUMENT", 20)
    answer = mirrors.ask()
    assert (answer.outcome, codes(answer)) == (Outcome.NO_ANSWER, ["too-large"])


def test_a_server_that_cannot_be_reached_gives_no_answer(authority: Authority, mirrors: Mirrors) -> None:
    with serving(GoldenWorld().respond, context=authority.server_context) as gone:
        url = f"{gone.url}mirror/both/"
    answer = mirrors.ask(url)
    assert answer.outcome is Outcome.NO_ANSWER
    assert answer.platforms is None
    assert len(answer.problems) == 1


def test_nothing_is_asked_offline(mirrors: Mirrors) -> None:
    answer = mirrors.ask(http=HttpSettings(proxies=getproxies(), ca_file=mirrors.ca_file, offline=True))
    assert answer.outcome is Outcome.NO_ANSWER
    assert mirrors.asked() == []


@pytest.mark.parametrize("content", [b"<html>Sign in</html>", b"not a zip"])
@pytest.mark.parametrize(("scheme", "refused"), [("zh", False), ("h1", True)])
def test_bytes_that_are_no_package_are_hashed_and_refused(
    mirrors: Mirrors, content: bytes, scheme: str, refused: bool
) -> None:
    right = f"zh:{hashlib.sha256(content).hexdigest()}"
    listed = right if scheme == "zh" else str(h1(LINUX))
    mirrors.serve(
        {
            f"{FOLDER}/1.2.3.json": archives({str(LINUX): {"url": "x.zip", "hashes": [listed]}}),
            f"{FOLDER}/x.zip": Response.of_bytes(content),
        }
    )
    answer = mirrors.ask()
    package = package_of(answer)
    assert (package.zh, package.h1s) == (Hash(right), frozenset())
    assert package.client_refusal
    assert "package-not-an-archive" in codes(answer)
    assert ("HTML" in package.client_refusal) is content.startswith(b"<html")
    (computed,) = [seen for _, seen in answer.observations if isinstance(seen, ComputedLocally)]
    assert bool(computed.refused) is refused


STRICTER = {
    "redirecthttp": "a redirect from https to http is followed by the clients, with the token, and refused here",
}
"""Faults that a client gets over and this program does not, and why."""


HERE_AS_WELL = {"truncated", "reset", "redirecthttp", "redirectother", "s404", "s401"}
"""Faults that the common run tries here too; `conformance/test_faults.py` has the same of all."""


@pytest.mark.parametrize(
    ("stage", "fault"),
    [
        pytest.param(stage, fault, marks=() if fault in HERE_AS_WELL else pytest.mark.thorough)
        for stage in ("index", "archives", "mirrorpackage")
        for fault in FAULTS[stage]
    ],
)
def test_faults_end_as_they_end_for_opentofu(mirrors: Mirrors, stage: str, fault: str) -> None:
    expected = FAULTS[stage][fault]
    mirrors.server.serve(with_fault(GoldenWorld().respond, stage=stage, fault=fault))
    answer = mirrors.ask(credentials=lambda host: "secret")
    assert installable(answer) is (expected["exit"] == 0 and fault not in STRICTER)
    if stage == "mirrorpackage":
        assert answer.outcome is Outcome.ANSWERED
    else:
        gone = fault == "s404" and stage == "index"
        wanted = Outcome.NOT_THERE if gone else Outcome.ANSWERED if installable(answer) else Outcome.NO_ANSWER
        assert answer.outcome is wanted
    if not installable(answer) and answer.outcome is not Outcome.NOT_THERE:
        assert answer.problems
    if fault != "redirecthttp":
        bare = [request for request in mirrors.server.journal.requests if STAGES[stage].search(request.path)]
        assert len(bare) == _requests(stage, fault, expected["requests"])
    schemes = {request.scheme for request in mirrors.server.journal.requests if request.authorization}
    assert schemes <= {"https"}
    elsewhere = mirrors.server.journal.to("elsewhere.example.test")
    assert all(request.authorization is None for request in elsewhere)


def _requests(stage: str, fault: str, by_opentofu: int) -> int:
    """How often the stage is asked for: as OpenTofu does it, but for what its transport does by itself."""
    if (stage, fault) == ("archives", "reset"):
        return 1  # Go asks again when a connection that was used before breaks
    if (stage, fault) == ("mirrorpackage", "truncated"):
        return 3  # a broken transfer is begun anew here
    return by_opentofu
