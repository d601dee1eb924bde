"""What the first of several methods gives is what a client would record; all else that is added is told."""

from __future__ import annotations

import pytest
from builders.audits import DARWIN, LINUX, MIRROR, ORIGIN, answer, audit, computed, h1, origin_with, package, zh
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.review.recorded_sources import BeyondFirst, beyond_first
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash

ZH, H1 = zh("linux_amd64"), h1("linux_amd64")
FIRST = answer(
    MIRROR,
    (ZH, computed(LINUX, source=MIRROR, package_zh=ZH)),
    (H1, computed(LINUX, source=MIRROR, package_zh=ZH)),
    platforms=[LINUX],
    packages=[package(LINUX, zh=ZH, h1=H1)],
)
BEHIND = origin_with(LINUX)


def chain(*answers: SourceAnswer) -> Audit:
    return replace(audit(*answers), chain=tuple(each.source.id for each in answers))


def beyond(known: Audit, *added: Hash) -> BeyondFirst | None:
    settings = ClientSettings(client=Client.TERRAFORM)
    return beyond_first(known, added, settings=settings, platforms=frozenset({LINUX}))


def test_a_mirror_in_front_is_recorded_by_its_h1_and_the_signed_list_behind_it_is_not() -> None:
    assert beyond(chain(FIRST, BEHIND), ZH, H1) == BeyondFirst(method=MIRROR.id, hashes=(ZH,))


def test_the_order_of_the_methods_decides() -> None:
    assert beyond(chain(BEHIND, FIRST), ZH, H1) is None


@pytest.mark.parametrize("outcome", [Outcome.NO_ANSWER, Outcome.NOT_THERE])
def test_where_the_first_method_does_not_serve_nothing_is_said_of_what_init_does(outcome: Outcome) -> None:
    silent = answer(ORIGIN, outcome=outcome, detail="as it is", platforms=None)
    assert beyond(chain(silent, FIRST), ZH, H1) is None
    assert beyond(chain(silent), H1) is None


def test_where_the_first_method_lacks_the_platform_init_takes_another_and_nothing_is_said() -> None:
    seen = FIRST.observations
    assert beyond(chain(answer(MIRROR, *seen, platforms=[DARWIN]), BEHIND), ZH, H1) is None
    gone = package(LINUX, outcome=Outcome.NOT_THERE)
    assert beyond(chain(answer(MIRROR, *seen, platforms=[LINUX], packages=[gone]), BEHIND), ZH, H1) is None
    assert beyond(chain(answer(MIRROR, *seen, platforms=None), BEHIND), ZH, H1) is not None


def test_sources_that_were_named_one_by_one_are_no_chain() -> None:
    assert beyond(audit(FIRST, BEHIND), ZH, H1) is None
