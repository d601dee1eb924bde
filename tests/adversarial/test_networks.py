"""Answers that lead elsewhere, that never come, or that would like to see a credential."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, LINUX, MIB, Scene, entry, unsigned
from builders.three_providers import HOST
from servers.https import Breakage, Broken, Respond
from servers.proxy import Proxy

from lockwarden.demo.releases import Release
from lockwarden.demo.world import Response, World

ELSEWHERE = "files.example.test"
TOKEN = "t0k3n-of-the-registry"
JSON = (("Content-Type", "application/json"),)
SIGNED_QUERY = "X-Signature=s1gn4ture"


class Change:
    """Replaces properties of the registry's answer for every platform of a release."""

    def __init__(self, release: Release, properties: Mapping[str, str]) -> None:
        self._release, self._properties = release, properties

    def __call__(self, world: World) -> World:
        answers = {
            self._release.metadata_path(platform): Response.of_json(
                {**self._release.metadata(platform), **self._properties}
            )
            for platform in self._release.packages
        }
        return world.with_answers(self._release.host, answers)


class Redirect:
    """Answers for the packages of some releases with redirects."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self._targets = targets

    def __call__(self, respond: Respond) -> Respond:
        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            if not path.endswith(".zip"):
                return respond(host, path, headers)
            (target,) = (each for name, each in self._targets.items() if f"/terraform-provider-{name}_" in path)
            return Response(status=302, headers=(("Location", target.replace("SAME", path)),))

        return answer


DANGEROUS = {
    "plain http": f"http://{HOST}/releases/x.zip",
    "file": "file:///etc/hostname",
    "link-local": "https://169.254.169.254/latest/meta-data",
    "this machine": "https://127.0.0.1:1/x.zip",
    "this machine in octal": "https://0177.0.0.1/x.zip",
    "this machine as IPv6": "https://[::ffff:127.0.0.1]/x.zip",
    "circle": "SAME",
    "broken punycode": "https://xn--a/x.zip",
    "very long": f"https://{HOST}/{'../' * 20_000}x.zip",
    "user": f"https://user:s3cr3t@{ELSEWHERE}/x.zip",
    "script": "javascript:alert(1)",
}


@pytest.mark.parametrize("said_by", ["redirect", "metadata"])
def test_a_package_somewhere_dangerous_is_not_fetched_and_nothing_else_is_asked(
    scene: Scene, parties: Parties, proxy: Proxy, said_by: str
) -> None:
    ways = {way.replace(" ", "-").lower(): target for way, target in DANGEROUS.items()}
    releases = {name: parties.release(name) for name in ways if said_by == "redirect" or name != "circle"}
    if said_by == "redirect":
        scene.serve(*releases.values(), through=Redirect(ways))
    else:

        def changed(world: World) -> World:
            for name, release in releases.items():
                world = Change(release, {"download_url": ways[name]})(world)
            return world

        scene.serve(*releases.values(), answers=changed)
    scene.lock(*(entry(release, *release.packages["linux_amd64"].hashes) for release in releases.values()))
    done = scene.check(*LINUX, expected=3)
    for name, release in releases.items():
        assert done.verdicts(name)[release.packages["linux_amd64"].h1] == "unchecked", name
        refused = {"redirect-refused", "url-refused", "too-many-redirects", "answer-malformed", "too-large"}
        assert done.codes(name), name
        assert done.codes(name) <= refused, name
    assert proxy.refused.requests == ()
    assert {request.host for request in scene.server.journal.requests} == {HOST}
    assert "s3cr3t" not in done.out + done.err


def test_the_token_of_a_registry_is_seen_by_nobody_else(scene: Scene, parties: Parties) -> None:
    release = replace(parties.release("widget"), download_host=ELSEWHERE)
    release = parties.sign(replace(unsigned("widget"), download_host=ELSEWHERE))
    scene.serve(release)
    scene.lock(entry(release))
    configuration = scene.folder.parent / "token.tfrc"
    configuration.write_text(f'credentials "{HOST}" {{\n  token = "{TOKEN}"\n}}\n')
    scene.environment["TF_CLI_CONFIG_FILE"] = str(configuration)
    done = scene.check_to_its_end(*BOTH, expected=0)
    by_host: dict[str, set[str | None]] = {}
    for request in scene.server.journal.requests:
        by_host.setdefault(request.host, set()).add(request.authorization)
    assert by_host == {HOST: {f"Bearer {TOKEN}"}, ELSEWHERE: {None}}
    assert TOKEN not in done.out + done.err


@pytest.mark.parametrize("form", ["text", "json"])
def test_neither_a_signed_query_nor_a_token_is_in_any_report(scene: Scene, parties: Parties, form: str) -> None:
    release = parties.release("widget")
    path = release.package_path("linux_amd64")
    forbidden = {path: Response.of_status(403, text=f"no: {TOKEN}")}
    scene.serve(
        release,
        answers=lambda world: Change(
            release,
            {
                "download_url": f"{path}?{SIGNED_QUERY}#part",
                "shasums_url": f"{release.sums_path}?{SIGNED_QUERY}",
            },
        )(world).with_answers(HOST, forbidden),
    )
    scene.lock(entry(release))
    done = scene.check("-v", *BOTH, expected=3, form=form)
    assert [request for request in scene.server.journal.requests if SIGNED_QUERY in request.path]
    assert SIGNED_QUERY.partition("=")[2] not in done.out + done.err
    assert TOKEN not in done.out + done.err


def test_a_server_that_hangs_leaves_an_honest_gap(scene: Scene, parties: Parties) -> None:
    early, late, other = (parties.release(name) for name in ("early", "late", "other"))

    def stalling(respond: Respond) -> Respond:
        def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
            if path in (early.versions_path, late.sums_path):
                raise Broken(Breakage.STALL, response=respond(host, path, headers), after=10)
            return respond(host, path, headers)

        return answer

    scene.serve(early, late, other, through=stalling)
    scene.lock(entry(early), entry(late), entry(other))
    scene.environment |= {"TF_REGISTRY_CLIENT_TIMEOUT": "3"}
    done = scene.check_to_its_end(*BOTH, expected=3)
    for name in ("early", "late"):
        assert "confirmed" not in done.verdicts(name).values()
        assert "timeout" in done.codes(name)
    assert set(done.verdicts("other").values()) == {"confirmed"}


def test_an_answer_without_end_is_cut_at_its_limit(scene: Scene, parties: Parties) -> None:
    names = ("versions", "sums", "unannounced")
    versions, sums, unannounced = (parties.release(name) for name in names)
    chunked = ("Transfer-Encoding", "chunked")
    answers = {
        versions.versions_path: Response(headers=JSON, body=b'{"versions":[' + b" " * (12 * MIB)),
        sums.sums_path: Response.of_bytes(b"\n" * (17 * MIB)),
        unannounced.versions_path: Response(headers=(*JSON, chunked), body=b'{"versions":[' + b" " * (12 * MIB)),
    }
    scene.serve(versions, sums, unannounced, answers=lambda world: world.with_answers(HOST, answers))
    scene.lock(entry(versions), entry(sums), entry(unannounced))
    done = scene.check_to_its_end(*BOTH, expected=3)
    for name in names:
        assert done.codes(name) == {"too-large"}
        assert done.confirmed(name) == set()


def test_json_that_would_break_a_parser_is_no_answer(scene: Scene, parties: Parties) -> None:
    bodies = {
        "deep": b"[" * 100_000,
        "huge": b'{"versions":[{"version":' + b"9" * 100_000 + b"}]}",
        "half": b'{"versions":[{"version":"1.0.0"',
        "other": b"<html>",
    }
    releases = {name: parties.release(name) for name in bodies}
    answers = {releases[name].versions_path: Response(headers=JSON, body=body) for name, body in bodies.items()}
    scene.serve(*releases.values(), answers=lambda world: world.with_answers(HOST, answers))
    scene.lock(*map(entry, releases.values()))
    done = scene.check(*BOTH, expected=3)
    for name in bodies:
        assert set(done.verdicts(name).values()) == {"unchecked"}
        assert done.codes(name) == {"too-large" if name == "deep" else "answer-malformed"}
