"""Every kept input of the fuzzers, once through its reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzzing.targets import CORPUS, TARGETS, kept_inputs

LARGEST = 4096


@pytest.mark.parametrize(
    ("name", "path"),
    [pytest.param(name, path, id=f"{name}-{path.name}") for name in TARGETS for path in kept_inputs(name)],
)
def test_a_kept_input_is_read_whole_or_refused_with_an_error_of_ours(name: str, path: Path) -> None:
    data = path.read_bytes()
    assert len(data) <= LARGEST
    TARGETS[name](data)


def test_every_folder_of_kept_inputs_has_a_reader_and_every_reader_has_some() -> None:
    folders = {path.name for path in CORPUS.iterdir() if path.is_dir()}
    assert folders == set(TARGETS)
    assert min(len(kept_inputs(name)) for name in TARGETS) >= 20
