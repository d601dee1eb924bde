"""Answers of registries that would lead astray or break a reader: addresses, pages, nonsense."""

from __future__ import annotations

import pytest
from builders.registry_runs import Registry
from contract.sources.registry.conftest import ADDRESS, Publisher
from servers.golden import GoldenWorld
from servers.played import Played

from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.demo.world import Response


def codes(source_answer: SourceAnswer) -> set[str]:
    return {problem.code for problem in source_answer.problems}


@pytest.fixture
def registry() -> Registry:
    """Without a connection: what the answers would lead to is tested here."""
    return Registry(server=Played(GoldenWorld().respond))


class TestHostileAnswers:
    @pytest.mark.parametrize("name", ["download_url", "shasums_url", "shasums_signature_url"])
    @pytest.mark.parametrize(
        "url",
        [
            "",
            "file:///etc/hostname",
            "https://user:secret@registry.example.test/x",
            "http://registry.example.test/x",
            "ftp://registry.example.test/x",
            "../" * 100_000,
            "https://[::1",
        ],
        ids=["none", "file", "user", "plain http", "ftp", "long", "broken"],
    )
    def test_a_url_that_nobody_should_follow_is_not_followed(
        self, registry: Registry, publisher: Publisher, name: str, url: str
    ) -> None:
        release = publisher.release()
        answers = {}
        for platform in release.packages:
            document = release.metadata(platform)
            document[name] = url
            answers[release.metadata_path(platform)] = Response.of_json(document)
        publisher.publish(release, answers=answers)
        source_answer = registry.ask(ADDRESS)
        if name == "download_url" and len(url) < 1000:
            assert source_answer.outcome is Outcome.ANSWERED
            assert source_answer.packages[0].outcome is Outcome.NO_ANSWER
            assert source_answer.packages[0].detail
        else:
            assert source_answer.outcome is Outcome.NO_ANSWER
        assert codes(source_answer)
        assert "secret" not in repr(source_answer)

    def test_a_web_page_instead_of_a_package_is_called_that(self, registry: Registry, publisher: Publisher) -> None:
        release = publisher.release()
        page = Response(headers=(("Content-Type", "text/html"),), body=b"<!DOCTYPE html><html>Sign in</html>")
        publisher.publish(release, answers={release.package_path("linux_amd64"): page})
        source_answer = registry.ask(ADDRESS)
        (package,) = source_answer.packages
        assert package.outcome is Outcome.ANSWERED
        assert package.client_refusal.startswith("the archive has the wrong checksum")
        assert {"package-contradicts-shasum", "package-not-an-archive"} <= codes(source_answer)
        assert package.h1s == frozenset()

    def test_a_package_that_is_missing_is_no_answer(self, registry: Registry, publisher: Publisher) -> None:
        release = publisher.release()
        publisher.publish(release, answers={release.package_path("linux_amd64"): Response.of_status(404)})
        source_answer = registry.ask(ADDRESS)
        assert source_answer.packages[0].outcome is Outcome.NO_ANSWER
        assert "404" in source_answer.packages[0].detail
        assert source_answer.packages[0].client_refusal
        assert "http-status" in codes(source_answer)

    @pytest.mark.parametrize(
        "body", [b"[" * 100_000, b'{"versions": [{"version": ' + b"9" * 10_000 + b"}]}", b"\xff\xfe", b"NaN"]
    )
    def test_json_that_would_break_a_parser_is_no_answer(
        self, registry: Registry, publisher: Publisher, body: bytes
    ) -> None:
        answer = Response(headers=(("Content-Type", "application/json"),), body=body)
        release = publisher.release()
        publisher.publish(release, answers={release.versions_path: answer})
        assert registry.ask(ADDRESS).outcome is Outcome.NO_ANSWER
        publisher.publish(release, answers={release.metadata_path(platform): answer for platform in release.packages})
        source_answer = registry.ask(ADDRESS)
        assert source_answer.outcome is Outcome.NO_ANSWER
        assert codes(source_answer) == {"too-large" if body.startswith(b"[") else "answer-malformed"}
