"""Tags that move, vanish or lead elsewhere while they are audited."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from builders.mirrors import DARWIN, LINUX, PLAIN, VERSION, WINDOWS, zh
from contract.oci.asking import HOST, Asking, Scripted, manifest_response, redirect, refused, without_connection
from contract.oci.kinds import LINUX_ZIP, ZIPS, Shelf
from contract.oci.providers import NAME, TAG, codes, hashed, provider_shelf, served

from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.observations import ComputedLocally
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.oci.registry import Registries
from lockwarden.core.sources.oci_mirror.source import OciMirrorSource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.oci_templates import UriTemplate
from lockwarden.core.values.severity import Severity
from lockwarden.demo.responses import Response


@pytest.fixture
def asking() -> Asking:
    return without_connection()


def moving(asking: Asking, second: Callable[[], Response]) -> SourceAnswer:
    """The tag is answered in another way from the second time on."""
    scripted = Scripted({NAME: provider_shelf()})
    scripted.special[TAG] = lambda headers: scripted.plain(TAG) if len(asking.asked(TAG)) == 1 else second()
    return served(asking, scripted.respond)


def test_a_tag_that_moved_between_two_reads_is_a_problem(asking: Asking) -> None:
    other = Shelf()
    moved_to = other.provider(zips={"linux_amd64": ZIPS["darwin_arm64"]})["digest"]
    answer = moving(asking, lambda: manifest_response(*other.manifests[moved_to]))
    (problem,) = answer.problems
    assert (problem.code, problem.severity) == ("oci-tag-moved", Severity.ERROR)
    assert provider_shelf().tags["1.2.3"] in problem.message
    assert moved_to in problem.message
    assert hashed(answer)  # what was audited was audited by its digest
    assert {chain.index_digest for chain in answer.chains} == {provider_shelf().tags["1.2.3"]}


def test_a_move_that_was_seen_stays_seen_and_is_told_once(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()})
    other = Shelf()
    moved_to = manifest_response(*other.manifests[other.provider(zips={"linux_amd64": LINUX_ZIP})["digest"]])
    scripted.special[TAG] = lambda headers: moved_to if len(asking.asked(TAG)) == 2 else scripted.plain(TAG)

    async def work(registries: Registries) -> SourceAnswer:
        async with PackageStore(None, now=time.time) as store:
            source = OciMirrorSource(registries, store, UriTemplate.parse(f"{HOST}/{NAME}"), ClientSettings())
            release = await source.open(PLAIN, VERSION, platforms=(LINUX,), report=ignore)
            assert release.claimed == {platform: frozenset({zh(platform)}) for platform in (LINUX, DARWIN, WINDOWS)}
            for platform in (LINUX, DARWIN, LINUX):
                await release.check(platform)
            return release.source_answer()

    asking.server.serve(scripted.respond)
    assert codes(asking.run(work)) == ["oci-tag-moved"]
    assert len(asking.asked(TAG)) == 2


def test_a_tag_that_was_taken_away_is_a_problem(asking: Asking) -> None:
    answer = moving(asking, lambda: refused(404, "MANIFEST_UNKNOWN"))
    assert [(problem.code, problem.severity) for problem in answer.problems] == [("oci-tag-gone", Severity.ERROR)]


def test_a_tag_that_could_not_be_asked_for_again_is_told(asking: Asking) -> None:
    answer = moving(asking, lambda: refused(403, "DENIED"))
    assert [(each.code, each.severity) for each in answer.problems] == [("oci-tag-unread", Severity.WARNING)]
    assert any(isinstance(seen, ComputedLocally) and seen.vouches for _, seen in answer.observations)


def test_a_tag_that_is_listed_and_not_there_is_a_contradiction(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()}, {TAG: refused(404, "MANIFEST_UNKNOWN")})
    answer = served(asking, scripted.respond)
    assert (answer.outcome, codes(answer)) == (Outcome.NO_ANSWER, ["oci-tag-missing"])


def test_a_tag_may_lead_elsewhere_by_a_redirect(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()})
    scripted.special[TAG] = redirect(f"https://{HOST}/cached{TAG}", 302)
    scripted.special[f"/cached{TAG}"] = lambda headers: scripted.plain(TAG)
    assert hashed(served(asking, scripted.respond))
    assert asking.asked("/cached") == [f"HEAD /cached{TAG}"] * 2
