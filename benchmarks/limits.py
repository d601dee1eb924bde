"""What hostile servers and files cost at most: `python -m benchmarks.limits [SCENARIO…]` prints the table.

Each scenario is one command against real servers on this machine, real gpg, files of the sizes that are the limits.
Peak memory is that of the command or of one program that it started.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.hostile_server import HostileRegistry, a_byte_every, hostile_registry
from benchmarks.processes import RunError, Usage, run
from benchmarks.programs import LOCK_FILE, LOCKWARDEN
from benchmarks.slow_keys import slow_block
from lockwarden.demo.keys import KeyMaker

MIB: Final = 1024 * 1024
_SIGNED: Final = datetime(2026, 1, 2, tzinfo=UTC)
_FORMS: Final = ("json", "sarif", "junit", "markdown", "text")
_ENDS: Final = frozenset({0, 1, 2, 3})


@dataclass(kw_only=True)
class Hostile:
    """Where one scenario is set up."""

    folder: Path
    registry: HostileRegistry
    maker: KeyMaker

    def lock(self, *names: str, hashes: Sequence[str] = (f"zh:{'0' * 64}",)) -> None:
        """Write a lock file that holds these providers."""
        listed = "".join(f'    "{each}",\n' for each in hashes)
        entries = (
            f'provider "{self.registry.host}/acme/{name}" {{\n  version = "1.0.0"\n  hashes = [\n{listed}  ]\n}}\n'
            for name in names
        )
        (self.folder / LOCK_FILE).write_text("\n".join(entries), encoding="ascii")

    def signed_list(self, name: str, sums: bytes) -> None:
        """A release of one platform with a list of checksums that a real key signed."""
        key = self.maker.make(f"Key of {name}", created=datetime(2026, 1, 1, tzinfo=UTC), algorithm="rsa3072")
        document = {
            "shasums_url": self.registry.on(f"/{name}/SHA256SUMS", sums),
            "shasums_signature_url": self.registry.on(f"/{name}/sig", self.maker.sign(key, sums, at=_SIGNED)),
            "download_url": f"/{name}/nothing.zip",
            "signing_keys": {"gpg_public_keys": [{"ascii_armor": key.armor}]},
        }
        self.registry.release(name, "1.0.0", 1, lambda _: document)


Scenario = Callable[[Hostile], tuple[str, ...]]
"""Sets up a scenario; the arguments of `lockwarden check` beside those for the reports."""


def _lines(name: str, count: int) -> bytes:
    package = f"terraform-provider-{name}_1.0.0"
    return "".join(f"{number:064x}  {package}_os{number}_arch.zip\n" for number in range(count)).encode("ascii")


def _one_long_list(hostile: Hostile) -> tuple[str, ...]:
    hostile.signed_list("one", _lines("one", 14 * MIB // 110))
    hostile.lock("one")
    return ()


def _four_long_lists(hostile: Hostile) -> tuple[str, ...]:
    names = ("one", "two", "three", "four")
    for name in names:
        hostile.signed_list(name, _lines(name, 14 * MIB // 110))
    hostile.lock(*names)
    return ()


def _lists_at_the_limit(hostile: Hostile) -> tuple[str, ...]:
    names = tuple(f"p{number}" for number in range(30))
    for name in names:
        hostile.signed_list(name, _lines(name, 2_000))
    hostile.lock(*names)
    return ()


def _many_lists_of_one_release(hostile: Hostile) -> tuple[str, ...]:
    """Each platform of the release has a list of its own, and reports ten thousand hashes beside it."""
    hostile.lock("many")

    def metadata(number: int) -> dict[str, object]:
        sums = _lines(f"many{number}", 2_000)
        flat = [f"h1:{number}x{count}" for count in range(10_000)]
        return {
            "shasums_url": hostile.registry.on(f"/sums{number}", sums),
            "shasums_signature_url": hostile.registry.on("/sig", b"\x88"),
            "signing_keys": {"gpg_public_keys": []},
            "hashes": flat,
        }

    hostile.registry.release("many", "1.0.0", 200, metadata)
    return ("--platform", "all")


def _slow_keys(hostile: Hostile) -> tuple[str, ...]:
    """64 blocks in each of 65 documents, no two alike, each of which takes gpg some seconds."""
    hostile.lock("slow")

    def metadata(number: int) -> dict[str, object]:
        blocks = [slow_block(number * 64 + count, user_ids=4) for count in range(64)]
        return {
            "shasums_url": hostile.registry.on(f"/sums{number}", _lines(f"slow{number}", 1)),
            "shasums_signature_url": hostile.registry.on("/sig", b"\x88"),
            "signing_keys": {"gpg_public_keys": [{"ascii_armor": block} for block in blocks]},
        }

    hostile.registry.release("slow", "1.0.0", 65, metadata)
    return ("--platform", "all")


def _dripping_package(hostile: Hostile) -> tuple[str, ...]:
    _package(hostile, a_byte_every(5.0, 10_000_000), digest="0" * 64, length="10000000")
    return ()


def _bomb(hostile: Hostile) -> tuple[str, ...]:
    raw = io.BytesIO()
    with gzip.GzipFile(fileobj=raw, mode="wb") as packed:
        for _ in range(1024):
            packed.write(bytes(MIB))
    _package(hostile, raw.getvalue(), digest="0" * 64, encoding="gzip")
    return ()


def _zip_bomb(hostile: Hostile) -> tuple[str, ...]:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("bomb", "w", force_zip64=True) as file:
        for _ in range(1024):
            file.write(bytes(MIB))
    body = raw.getvalue()
    _package(hostile, body, digest=hashlib.sha256(body).hexdigest())  # so that it is looked into
    return ()


def _package(hostile: Hostile, body: object, *, digest: str, length: str = "", encoding: str = "") -> None:
    headers = {"Content-Encoding": encoding} if encoding else {"Content-Length": length} if length else {}
    url = hostile.registry.on("/package.zip", body, **headers)
    hostile.lock("one", hashes=(f"zh:{digest}", f"h1:{'A' * 43}="))
    sums = f"{digest}  terraform-provider-one_1.0.0_os0_arch.zip\n".encode("ascii")
    hostile.signed_list("one", sums)
    path = "/v1/providers/acme/one/1.0.0/download/os0/arch"
    answer = hostile.registry.answers[path][1]
    if not isinstance(answer, bytes):
        raise RunError("the registry's answer is no document")
    known = {"download_url": url, "shasum": digest, "filename": "terraform-provider-one_1.0.0_os0_arch.zip"}
    hostile.registry.on(path, json.loads(answer) | known)


def _many_approvals(hostile: Hostile) -> tuple[str, ...]:
    hashes = tuple(f"zh:{number:064x}" for number in range(10_000))
    hostile.signed_list("one", _lines("one", 1))
    hostile.lock("one", hashes=hashes)
    folder = hostile.folder / ".lockwarden"
    folder.mkdir()
    record = (
        'approval "{host}/acme/one" {{\n  version = "1.0.0"\n  hashes = ["zh:{number:064x}"]\n'
        '  verdict = "disowned"\n  by = "Ada <ada@example.test>"\n'
        '  at = "2026-01-02T03:04:05Z"\n  reason = "mine"\n}}\n'
    )
    written = "\n".join(record.format(host=hostile.registry.host, number=number) for number in range(6_000))
    (folder / "approvals.hcl").write_text(written, encoding="ascii")
    return ()


def _json_of_many_values(hostile: Hostile) -> tuple[str, ...]:
    hostile.registry.on("/v1/providers/acme/one/versions", b'{"versions":[' + b"{}," * (8 * MIB // 3 - 20) + b"{}]}")
    hostile.lock("one")
    return ()


def _large_lock_file(hostile: Hostile) -> tuple[str, ...]:
    """Some hundred thousand hashes in a file as large as one may be."""
    hostile.lock("one", hashes=tuple(f"zh:{number:064x}" for number in range(32 * MIB // 80)))
    return ("--offline",)


def _as_many_hashes_as_may_be(hostile: Hostile) -> tuple[str, ...]:
    hostile.lock("one", hashes=tuple(f"zh:{number:064x}" for number in range(40_000)))
    return ("--offline",)


def _lock_file_of_many_providers(hostile: Hostile) -> tuple[str, ...]:
    hostile.lock(*(f"p{number}" for number in range(20_000)))
    return ("--offline",)


def _large_policy(hostile: Hostile) -> tuple[str, ...]:
    rule = 'signing_key "{number:040X}" {{\n  owner = "x"\n  providers = ["*/*/*"]\n}}\n'
    rules = "".join(rule.format(number=number) for number in range(MIB // 105))
    (hostile.folder / ".lockwarden.hcl").write_text(rules, encoding="ascii")
    hostile.lock("one", hashes=tuple(f"zh:{number:064x}" for number in range(1_000)))
    return ("--offline",)


SCENARIOS: Final[dict[str, tuple[str, Scenario]]] = {
    "long-list": ("a SHA256SUMS of 14 MiB", _one_long_list),
    "four-long-lists": ("four of them", _four_long_lists),
    "lists-at-the-limit": ("thirty releases with 2,000 signed lines each", _lists_at_the_limit),
    "many-lists": ("a list for each of 200 platforms, 10,000 hashes beside each", _many_lists_of_one_release),
    "slow-keys": ("64 key blocks that take gpg seconds, in 65 documents", _slow_keys),
    "dripping-package": ("a package at a byte in five seconds", _dripping_package),
    "gzip-bomb": ("a package of 1 MiB of gzip, 1 GiB unpacked", _bomb),
    "zip-bomb": ("a package of 1 MiB with a member of 1 GiB", _zip_bomb),
    "many-approvals": ("10,000 hashes and 6,000 approvals", _many_approvals),
    "many-values": ("a list of versions of 8 MiB of empty objects", _json_of_many_values),
    "large-lock-file": ("a lock file of 32 MiB, one provider, which is refused", _large_lock_file),
    "many-hashes": ("lock files of 40,000 hashes together", _as_many_hashes_as_may_be),
    "many-providers": ("a lock file of 20,000 providers", _lock_file_of_many_providers),
    "large-policy": ("a policy of 1 MiB", _large_policy),
}


def measure(name: str) -> tuple[Usage, int, int]:
    """One scenario: what it took, the bytes of the largest report, the bytes that stay in the cache."""
    _, scenario = SCENARIOS[name]
    with tempfile.TemporaryDirectory(prefix="lockwarden-limits-") as name_of_folder, KeyMaker() as maker:
        root = Path(name_of_folder)
        folder = root / "work"
        folder.mkdir()
        with hostile_registry(root) as registry:
            arguments = scenario(Hostile(folder=folder, registry=registry, maker=maker))
            home = root / "home"
            home.mkdir()
            (home / "empty.tfrc").touch()
            environ = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
            environ |= {
                "PATH": "/usr/local/bin:/usr/bin:/bin",
                "HOME": str(home),
                "LANG": "C.UTF-8",
                "SSL_CERT_FILE": str(registry.ca_file),
                "TF_CLI_CONFIG_FILE": str(home / "empty.tfrc"),
            }
            reports = [word for form in _FORMS for word in ("--report", f"{form}:{root / form}")]
            command = [str(LOCKWARDEN), "check", "--verbose", *arguments, *reports, "."]
            usage = run(command, folder=folder, environ=environ, expected=_ENDS)
        sizes = [path.stat().st_size for form in _FORMS if (path := root / form).exists()]
        kept = sum(path.stat().st_size for path in (home / "cache").rglob("*") if path.is_file())
        return usage, max(sizes, default=0), kept


def main(names: Sequence[str]) -> int:
    """Measure the scenarios and print a table; 1 when one failed or took too much."""
    if unknown := set(names) - set(SCENARIOS):
        sys.stderr.write(f"there is no scenario {min(unknown)}; there are {', '.join(SCENARIOS)}\n")
        return 2
    worst = 0
    sys.stdout.write(
        "| scenario | seconds | CPU s | peak MB | report MB | kept MB |\n| --- | --- | --- | --- | --- | --- |\n"
    )
    for name in names or SCENARIOS:
        try:
            usage, report, kept = measure(name)
        except RunError as error:
            sys.stderr.write(f"{name}: {error}\n")
            worst = 1
            continue
        peak = usage.peak_bytes / 1e6
        worst = max(worst, int(usage.seconds > 120 or peak > 400 or report > 50e6))
        figures = (f"{usage.seconds:.0f}", f"{usage.cpu_seconds:.0f}", f"{peak:.0f}", f"{report / 1e6:.1f}")
        _row(SCENARIOS[name][0], *figures, f"{kept / 1e6:.1f}")
    return worst


def _row(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
