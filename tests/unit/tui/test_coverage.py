"""Where a client would install, told for any width: the sentence, the table, the reasons together."""

from __future__ import annotations

import pytest
from fakes.lock_files import every_verdict
from fakes.releases import DIRECT, MIRROR
from fakes.sessions import audited, begun, review_of
from textual.content import Content

from lockwarden.core.coverage.outcomes import Installability
from lockwarden.core.review.write_warnings import matrix_of
from lockwarden.tui.render.coverage import STANDINGS, overview, render_matrix
from lockwarden.tui.render.text import lines

REVIEW = review_of(audited())


def text_of(name: str, width: int = 100) -> str:
    provider = next(each for each in REVIEW.providers if each.address.type == name)
    matrix = matrix_of(REVIEW, provider, provider.entry)
    assert matrix is not None
    return lines(*render_matrix(matrix, width)).plain


def test_every_standing_has_a_glyph_of_its_own() -> None:
    assert set(STANDINGS) == set(Installability)
    assert len({look.glyph for look in STANDINGS.values()}) == len(Installability)


def test_sources_stand_beside_each_other_with_a_line_for_each_platform() -> None:
    text = text_of("edge")

    assert f"                {DIRECT.id}" in text
    assert MIRROR.id in text
    (row,) = [line for line in text.split("\n") if line.startswith("linux_amd64 ")]
    assert "✓ accepted" in row
    assert row.index("✓ accepted") == 16


def test_where_there_is_no_room_for_columns_each_cell_has_a_line() -> None:
    text = text_of("edge", 40)

    assert f"✓ linux_amd64 from {DIRECT.id}: accepted" in text


def test_cells_with_one_reason_are_told_together_with_one_remedy() -> None:
    text = " ".join(text_of("time").split())

    assert f"✗ darwin_arm64, windows_amd64, linux_arm64, darwin_amd64 from {MIRROR.id}: the source has" in text
    assert text.count("but not for this platform") == 1
    assert "s looks at darwin_arm64, too; likewise for the other platforms" in text


def test_the_overview_counts_providers_by_their_worst() -> None:
    matrices = [matrix_of(REVIEW, each, each.entry) for each in REVIEW.providers]
    waiting = [matrix_of(review_of(begun()), each, each.entry) for each in review_of(begun()).providers]

    assert lines(*overview(matrices, 200)).plain.startswith("6 providers: ✗ ")
    assert lines(*overview(waiting, 200)).plain == "6 providers: … 6 not audited yet"


@pytest.mark.parametrize("width", [16, 34, 60, 80, 140])
def test_no_line_is_longer_than_the_width_it_is_told_for(width: int) -> None:
    for each in REVIEW.providers:
        matrix = matrix_of(REVIEW, each, each.entry)
        assert matrix is not None
        content: list[Content] = [*render_matrix(matrix, width), *overview([matrix, None], width)]
        assert max(line.cell_length for line in content) <= width
    assert every_verdict().audits
