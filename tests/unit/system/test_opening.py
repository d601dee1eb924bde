"""The one hardened open: it reads, does not wait, follows no link unless told to, and no program inherits it."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lockwarden.core.system.opening import open_to_read


@contextmanager
def opened(path: Path, *, follow: bool) -> Iterator[int]:
    file = open_to_read(path, follow=follow)
    try:
        yield file
    finally:
        os.close(file)


@pytest.mark.parametrize("follow", [False, True])
def test_it_only_reads_never_waits_and_is_not_inherited(tmp_path: Path, follow: bool) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    with opened(path, follow=follow) as file:
        assert os.read(file, 100) == b"content"
        flags = fcntl.fcntl(file, fcntl.F_GETFL)
        assert flags & os.O_NONBLOCK, "a pipe would be waited for"
        assert flags & os.O_ACCMODE == os.O_RDONLY
        assert not os.get_inheritable(file)


def test_a_link_is_followed_only_where_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    with opened(tmp_path / "link", follow=True) as file:
        assert os.read(file, 100) == b"content"
    with pytest.raises(OSError, match="symbolic") as caught:
        open_to_read(tmp_path / "link", follow=False)
    assert caught.value.errno == errno.ELOOP
