"""The source “direct” over the recorded world says what the real clients did there, and where it means to differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from builders.registry_runs import DARWIN, LINUX, WINDOWS, Registry
from conformance.site import site
from servers.authority import Authority
from servers.golden import RECORDINGS, WORLD

from lockwarden.core.evidence.dispositions import Summary
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

CASES: dict[str, Any] = json.loads((WORLD / "cases.json").read_bytes())["registry"]
RESULTS: dict[Client, dict[str, Any]] = {
    client: json.loads((RECORDINGS / f"recorded_{client}.json").read_bytes())["registry"] for client in Client
}
UNREADABLE_LISTS = frozenset({"sums-comment", "sums-long-hash"})
"""The clients drop the whole list for one line that they cannot read; here its other lines still count."""
CONTRADICTING_LISTS = frozenset({"sums-twice-right-first"})
"""The clients record both hashes of a file that is listed twice; here neither counts."""
LINES_OF_ANOTHER_RELEASE = frozenset({"sums-other-provider"})
"""The clients record the hash of another provider's package that the list names, too; here it does not count."""


Asked = Callable[[str, str, ClientSettings], Audit]
"""Case, host and settings → what the source found. All cases of a host are asked for side by side, once."""


@pytest.fixture(scope="module")
def registry_of_all(authority: Authority) -> Iterator[Registry]:
    """The recorded world over HTTPS for all tests of this file."""
    with site(authority) as world:
        yield Registry(server=world.server, proxy=world.proxy, authority=authority)


@pytest.fixture(scope="module")
def asked(registry_of_all: Registry) -> Asked:
    @cache
    def found(host: str, settings: ClientSettings) -> Mapping[str, SourceAnswer]:
        return source_answers(registry_of_all, host, settings=settings)

    def audit(case: str, host: str, settings: ClientSettings) -> Audit:
        address = ProviderAddress.parse(f"{host}/acme/{case}")
        return Audit(address=address, version=Version(1, 2, 3), source_answers=(found(host, settings)[case],))

    return audit


@pytest.fixture(scope="module")
def all_platforms(registry_of_all: Registry) -> Mapping[str, SourceAnswer]:
    """Case → what is found of all its platforms."""
    return source_answers(registry_of_all, "example.test", more=(DARWIN, WINDOWS))


def source_answers(registry: Registry, host: str, **options: Any) -> Mapping[str, SourceAnswer]:
    found = registry.ask_all([f"{host}/acme/{case}" for case in CASES], **options)
    return dict(zip(CASES, found, strict=True))


def runs(client: Client, case: str) -> list[tuple[str, ClientSettings, dict[str, Any]]]:
    """What was run: host, settings, result; `init` records the same as `providers lock`."""
    found = []
    for run, result in RESULTS[client].get(case, {}).items():
        host, *rest = run.split()
        if rest != ["init"]:
            environ = dict(text.split("=") for text in rest)
            found.append((host, ClientSettings.from_environment(environ, client=client), result))
    return found


@pytest.mark.parametrize("client", Client)
@pytest.mark.parametrize("case", CASES)
def test_the_source_refuses_and_records_what_the_client_did(asked: Asked, client: Client, case: str) -> None:
    assert runs(client, case)
    for host, settings, result in runs(client, case):
        audit = asked(case, host, settings)
        (package,) = audit.source_answers[0].packages
        assert bool(package.client_refusal) == (result["exit"] != 0), (host, package.client_refusal)
        hashes = recorded(audit, settings=settings, platforms=frozenset({LINUX}))
        expected = {Hash(text) for text in result["hashes"] or ()}
        if case in UNREADABLE_LISTS:
            assert expected < set(hashes)
            assert package.h1_directory in expected
        elif case in CONTRADICTING_LISTS:
            assert expected - set(hashes) == {Hash(f"zh:{'ab' * 32}")}
        elif case in LINES_OF_ANOTHER_RELEASE:
            assert expected - set(hashes) == {Hash(f"zh:{'cd' * 32}")}
        else:
            assert set(hashes) == expected, host
        if result["exit"] == 0 and case not in UNREADABLE_LISTS:
            assert audit.summary is _summary(result["summary"]), host


def _summary(words: str) -> Summary:
    """The same word for both clients: Terraform says who signed where OpenTofu says that somebody did."""
    return Summary("signed" if words == "self-signed" else words)


@pytest.mark.parametrize("case", CASES)
def test_packages_have_the_hashes_they_were_made_with_and_all_offered_keys_are_seen(
    all_platforms: Mapping[str, SourceAnswer], case: str
) -> None:
    answer = all_platforms[case]
    offered = set(CASES[case]["offered"]) - {"(not a key)"}
    facts = CASES[case]["facts"]
    if case == "wrong-os":  # every answer is for another platform, so nothing in it is used
        assert [package.outcome for package in answer.packages] == [Outcome.NO_ANSWER] * 3
        assert answer.keys == ()
        return
    assert offered <= {key.fingerprint for key in answer.keys}
    assert {str(package.platform) for package in answer.packages} == set(facts)
    for package in answer.packages:
        true = facts[str(package.platform)]
        assert package.outcome is Outcome.ANSWERED
        if case == "bytes-differ" and package.platform == LINUX:
            assert str(package.zh) != true["zh"]
            assert not package.promised
        elif case != "bytes-differ":
            assert str(package.zh) == true["zh"]
            assert str(package.h1_archive) == true["h1_archive"]
            assert str(package.h1_directory) == true["h1_directory"]
            assert package.size == true["size"]
