"""Every kept input of the fuzzers, once through its reader."""

from __future__ import annotations

from builders.tables import table
from fuzzing.targets import CORPUS, TARGETS, kept_inputs

LARGEST = 4096


@table("target, name", lambda: [(target, name) for target, inputs in kept_inputs().items() for name in inputs])
def test_a_kept_input_is_read_whole_or_refused_with_an_error_of_ours(target: str, name: str) -> None:
    data = kept_inputs()[target][name]
    assert len(data) <= LARGEST
    TARGETS[target](data)


def test_every_folder_of_kept_inputs_has_a_reader_and_every_reader_has_some() -> None:
    assert set(kept_inputs()) == set(TARGETS)
    assert min(len(inputs) for inputs in kept_inputs().values()) >= 20


def test_no_kept_input_lies_outside_of_the_archive() -> None:
    assert list(CORPUS.parent.glob("corpus/**/*")) == []
