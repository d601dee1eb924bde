"""URLs of mirrors in a policy that cannot be used; no message repeats them, since they may hold a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.core.values.errors import InputError
from lockwarden.core.values.mirror_locations import mirror_location


@pytest.mark.parametrize("url", ["https://[::1/", "https://a b.test/", "https:///providers/"])
def test_a_url_without_a_host_name_that_could_be_used_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no host name that could be used") as refused:
        mirror_location(url, directory=tmp_path)
    assert url not in str(refused.value)


@pytest.mark.parametrize("char", ["\x07", "\u202e"])
def test_a_url_with_a_character_that_nobody_sees_is_refused(char: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="control character"):
        mirror_location(f"https://mirror.test/{char}/", directory=tmp_path)
