"""What the parts take of which every such program is made here: Python, httpx, python-gnupg, and nothing else.

`python -m benchmarks.bare_parts REGISTRY TYPE,… PLATFORM,…` asks for discovery, versions, metadata, checksums and
their signatures, in the order in which one leads to the next, and has gpg verify each list.
With the word `packages` behind it fetches the packages as well and hashes them and their contents.
It reads no lock file, checks nothing that the servers say, keeps nothing and prints nothing.
"""

from __future__ import annotations

import hashlib
import os
import ssl
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # its own command line, as in the product

import gnupg  # noqa: E402
import httpx  # noqa: E402

_AT_ONCE: Final = 6
_READ: Final = 256 * 1024


class Audit:
    """One run over providers that are of the same version and for the same platforms."""

    def __init__(self, host: str, home: str) -> None:
        """`home` is an empty folder for gpg."""
        context = ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])
        self._client = httpx.Client(verify=context, base_url=f"https://{host}", trust_env=False)
        self._gpg = gnupg.GPG(gnupghome=home)
        self._pool = ThreadPoolExecutor(_AT_ONCE)

    def run(self, types: Iterable[str], platforms: list[str], *, packages: bool) -> None:
        """Ask for everything, and verify every list of checksums once."""
        service = self._json("/.well-known/terraform.json")["providers.v1"]
        names = [f"{service}acme/{each}" for each in types]
        listed = self._all(self._json, (f"{name}/versions" for name in names))
        releases = [
            f"{name}/{versions['versions'][0]['version']}/download/{platform.replace('_', '/')}"
            for name, versions in zip(names, listed, strict=True)
            for platform in platforms
        ]
        metadata = self._all(self._json, releases)
        lists = {each["shasums_url"]: each for each in metadata}
        signed = self._all(self._bytes, (each["shasums_url"] for each in lists.values()))
        signatures = self._all(self._bytes, (each["shasums_signature_url"] for each in lists.values()))
        for armor in {each["signing_keys"]["gpg_public_keys"][0]["ascii_armor"] for each in metadata}:
            self._gpg.import_keys(armor)
        for sums, signature in zip(signed, signatures, strict=True):
            self._verify(sums, signature)
        if packages:
            self._all(self._hash, (each["download_url"] for each in metadata))

    def _all(self, ask: Callable[[str], Any], urls: Iterable[str]) -> list[Any]:
        return list(self._pool.map(ask, urls))

    def _bytes(self, url: str) -> bytes:
        return self._client.get(url).raise_for_status().content

    def _json(self, url: str) -> Any:
        return self._client.get(url).raise_for_status().json()

    def _verify(self, sums: bytes, signature: bytes) -> None:
        with tempfile.NamedTemporaryFile() as file:
            file.write(signature)
            file.flush()
            if not self._gpg.verify_data(file.name, sums):
                raise SystemExit("a list of checksums is not signed as it should be")

    def _hash(self, url: str) -> None:
        from benchmarks.bare import hash_contents  # packages only: it loads what inflates

        with self._client.stream("GET", url) as response:
            archive = bytearray(int(response.headers["content-length"]))
            digest, at = hashlib.sha256(), 0
            for piece in response.iter_raw(_READ):
                digest.update(piece)
                archive[at : at + len(piece)] = piece
                at += len(piece)
        digest.digest()
        hash_contents(memoryview(archive))


def main(host: str, types: str, platforms: str, *what: str) -> None:
    """Run once."""
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o700)
        Audit(host, home).run(types.split(","), platforms.split(","), packages="packages" in what)


if __name__ == "__main__":
    main(*sys.argv[1:])
