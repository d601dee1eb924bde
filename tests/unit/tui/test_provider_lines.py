"""What the list says of a provider when the lock file is compared: the loudest first, and no word cut."""

from __future__ import annotations

import pytest
from fakes.lock_files import MADE_UP
from fakes.pull_request import ANVIL, GAUGE, KILN, LENS, NULL, SIGNAL, held, keeper, record

from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.tui.render.provider_lines import describe_findings, of_provider
from lockwarden.tui.state.review_state import ReviewState, arranged

REVIEW = held()


def provider(address: ProviderAddress, review: Review = REVIEW) -> ProviderReview:
    return review.provider(address)


@pytest.mark.parametrize(
    ("address", "glyph", "told"),
    [
        (KILN.address, "✗", "signing key changed, 7 unexplained, was 2.2.0, new signer"),
        (GAUGE.address, "✗", "hashes swapped, 1 unexplained, protection removed, 1 new"),
        (ANVIL.address, "✗", "1 unexplained"),
        (SIGNAL.address, "▲", "was 1.3.2, new signer, 7 confirmed"),
        (LENS.address, "▲", "look-alike name, new provider, 7 confirmed"),
        (NULL.address, "✓", "7 confirmed"),
    ],
)
def test_a_provider_tells_its_change_the_loudest_first(address: ProviderAddress, glyph: str, told: str) -> None:
    assert of_provider(provider(address)).glyph == glyph
    assert describe_findings(provider(address), REVIEW.standards.sides) == told


def test_the_alarm_stands_on_top_then_the_swap_then_findings_then_changes_that_warn() -> None:
    order = arranged(ReviewState(), REVIEW).order

    assert order[:3] == (KILN.address, GAUGE.address, ANVIL.address)
    assert set(order[3:5]) == {SIGNAL.address, LENS.address}
    assert order[5] == NULL.address


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (60, "signing key changed, 7 unexplained, was 2.2.0, new signer"),
        (50, "signing key changed, 7 unexplained, was 2.2.0, …"),
        (34, "signing key changed, …"),
        (20, "signing key changed"),
    ],
)
def test_what_does_not_fit_is_left_out_whole(width: int, told: str) -> None:
    assert describe_findings(provider(KILN.address), REVIEW.standards.sides, width=width) == told


def test_a_finding_that_a_record_accepts_is_told_as_approved() -> None:
    accepted = held(keeper(approvals=record(ANVIL, MADE_UP)), against="")

    assert describe_findings(accepted.provider(ANVIL.address)) == "1 approved"
    assert of_provider(accepted.provider(ANVIL.address)).glyph == "✓"


def test_a_record_that_has_expired_accepts_nothing() -> None:
    expired = held(keeper(approvals=record(ANVIL, MADE_UP, until="2026-05-31")))

    assert describe_findings(expired.provider(ANVIL.address)) == "1 unexplained"
    assert of_provider(expired.provider(ANVIL.address)).glyph == "✗"


def test_without_a_base_nothing_has_changed() -> None:
    alone = held(against="")

    assert describe_findings(alone.provider(SIGNAL.address)) == "7 confirmed"
    assert describe_findings(alone.provider(KILN.address)) == "signing key changed, 7 unexplained"
