"""What was computed earlier from bytes with the same digest counts as before, and says so."""

from __future__ import annotations

from datetime import UTC, datetime

from builders.audits import LINUX, ORIGIN, computed, h1, zh
from msgspec.structs import replace

from lockwarden.core.reports.json_observations import ComputedLocallyJson
from lockwarden.core.review.sentences import describe

TODAY = computed(LINUX, package_zh=zh("a"))
EARLIER = replace(TODAY, computed_on=datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC))


def test_the_sentence_tells_when_and_that_the_bytes_were_not_fetched_again() -> None:
    reason = describe(h1("a"), EARLIER, counts=True, contradiction="")
    assert reason.text == (
        f"computed here on 2026-03-04 from bytes with the digest of the {LINUX} package of {ORIGIN.id},"
        " which were not fetched again"
    )
    assert reason.evidence[-1] == f"archive {zh('a')}"
    assert "2026" not in describe(h1("a"), TODAY, counts=True, contradiction="").text


def test_the_json_tells_when() -> None:
    assert ComputedLocallyJson.of(EARLIER).computed_on == "2026-03-04T05:06:07Z"
    assert ComputedLocallyJson.of(TODAY).computed_on is None


def test_it_vouches_as_much() -> None:
    assert EARLIER.vouches
    assert not replace(EARLIER, refused="why").vouches
