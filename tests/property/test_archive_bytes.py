"""Whatever the bytes, an archive is inspected or is a typed error; and a hash is only claimed for a sound archive."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.zips import FOLDER, Entry, Zip, inspect, plain
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lockwarden.core.values.errors import ArchiveError

BASES = (
    Zip(entries=plain()).bytes(),
    Zip(entries=plain(Entry(name="docs/", mode=FOLDER), Entry(name="z", content=b"z", zip64=True)), zip64=True).bytes(),
    Zip(entries=[Entry(name="a", content=b"first"), Entry(name="a", content=b"last")], comment=b"comment").bytes(),
)
edits = st.lists(st.tuples(st.integers(0, 600), st.integers(0, 8), st.binary(max_size=8)), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archives")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(base=st.sampled_from(BASES), changes=edits)
def test_a_damaged_archive_is_inspected_or_a_typed_error(
    folder: Path, base: bytes, changes: list[tuple[int, int, bytes]]
) -> None:
    data = bytearray(base)
    for at, length, new in changes:
        data[at : at + length] = new
    try:
        facts = inspect(folder, bytes(data))
    except ArchiveError as error:
        told = (error.code, error.message)
        assert all(told)
    else:
        assert (facts.h1_archive is None) == any(oddity.fatal for oddity in facts.oddities)
        assert facts.h1_directory is None or facts.h1_archive is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400))
def test_noise_is_a_typed_error(folder: Path, data: bytes) -> None:
    with pytest.raises(ArchiveError):
        inspect(folder, data)
