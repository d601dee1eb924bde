"""Provider packages: real zip archives whose bytes depend on nothing but what is asked for.

Their hashes are computed here from the files that went in, not by the code that the demo shows at work.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

_EXECUTABLE: Final = 0o100755
_PLAIN: Final = 0o100644
_UNIX: Final = 3
_LICENSE: Final = b"This package is part of a demonstration. It holds no program.\n"


@dataclass(frozen=True, kw_only=True)
class DemoPackage:
    """One package: the files in it and the archive that holds them."""

    files: Mapping[str, bytes]
    """Name → content, in the order of the archive."""
    archive: bytes

    @cached_property
    def zh(self) -> str:
        """The `zh` hash: over the archive's bytes."""
        return f"zh:{hashlib.sha256(self.archive).hexdigest()}"

    @cached_property
    def h1(self) -> str:
        """The `h1` hash: over the sorted list of the files' SHA-256 digests and names."""
        lines = (f"{hashlib.sha256(self.files[name]).hexdigest()}  {name}\n" for name in sorted(self.files))
        return f"h1:{base64.b64encode(hashlib.sha256(''.join(lines).encode()).digest()).decode()}"

    @property
    def hashes(self) -> tuple[str, str]:
        """`zh` and `h1`, in this order."""
        return (self.zh, self.h1)

    @property
    def digest(self) -> str:
        """The archive's SHA-256 in hexadecimal, as a list of checksums has it."""
        return self.zh.removeprefix("zh:")


def zipped(files: Mapping[str, bytes], *, modified: datetime, compressed: bool = False) -> DemoPackage:
    """Put `files` into an archive; the time of modification is the only thing in it that is not a name or content.

    Files are stored as they are unless `compressed`, so that the bytes are the same with every version of zlib.
    """
    stamp = (max(modified.year, 1980), modified.month, modified.day, modified.hour, modified.minute, modified.second)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date_time=stamp)
            entry.create_system = _UNIX
            entry.external_attr = (_EXECUTABLE if name.startswith("terraform-provider-") else _PLAIN) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
            archive.writestr(entry, content)
    return DemoPackage(files=dict(files), archive=buffer.getvalue())


def provider_package(
    name: str, version: str, platform: str, *, size: int, modified: datetime, build: str = "", compressed: bool = False
) -> DemoPackage:
    """The package of provider type `name` for `platform`, with an executable of `size` bytes.

    The executable's bytes follow from the arguments; another `build` is another executable of the same release.
    """
    suffix = ".exe" if platform.startswith("windows_") else ""
    seed = f"{name} {version} {platform} {build}".encode()
    files = {
        "CHANGELOG.md": f"# {name} {version}\n".encode(),
        "LICENSE": _LICENSE,
        f"terraform-provider-{name}_v{version}{suffix}": hashlib.shake_256(seed).digest(size),
    }
    return zipped(files, modified=modified, compressed=compressed)


def archive_name(name: str, version: str, platform: str) -> str:
    """The file name of a package, as releases and packed mirror folders have it."""
    return f"terraform-provider-{name}_{version}_{platform}.zip"
