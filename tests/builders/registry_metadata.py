"""Metadata files of a made-up registry, with the packages that they name, and where those are given out."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lockwarden.demo.world import Response

HOST = "dl.example.test"
SAMPLE_URL = f"https://{HOST}/acme/widget/v1.1.0/terraform-provider-widget_1.1.0_linux_amd64.zip"
SAMPLE_H1 = "h1:HaBIpUMv1UFcTHUZp+XTVUkpeqA/0fChE+F0OP01qkQ="
SAMPLE_SIZE = 295
SAMPLE_ZH = "2d5ca2df7d07dc3844331809dede4b9d17d1745ba301d9ea937e1397221fdf78"
SAMPLE = """{
  "versions": [
    {
      "version": "1.1.0",
      "protocols": [
        "5.0"
      ],
      "shasums_url": "https://dl.example.test/acme/widget/v1.1.0/terraform-provider-widget_1.1.0_SHA256SUMS",
      "shasums_signature_url": "https://dl.example.test/acme/widget/v1.1.0/terraform-provider-widget_1.1.0_SHA256SUMS.sig",
      "targets": [
        {
          "os": "darwin",
          "arch": "arm64",
          "filename": "terraform-provider-widget_1.1.0_darwin_arm64.zip",
          "download_url": "https://dl.example.test/acme/widget/v1.1.0/terraform-provider-widget_1.1.0_darwin_arm64.zip",
          "shasum": "90054e1ebe40f6031baad6922e0ac46995fc3ed82577844eb6051a95b2afb0ca",
          "h1": "h1:AvKi3v2bzP/EAVIqUjdefk7Xk7/ET/2OQ9Jvg+ZLs0Q=",
          "size": 296
        },
        {
          "os": "linux",
          "arch": "amd64",
          "filename": "terraform-provider-widget_1.1.0_linux_amd64.zip",
          "download_url": "https://dl.example.test/acme/widget/v1.1.0/terraform-provider-widget_1.1.0_linux_amd64.zip",
          "shasum": "2d5ca2df7d07dc3844331809dede4b9d17d1745ba301d9ea937e1397221fdf78",
          "h1": "",
          "size": 0
        }
      ],
      "discovered": "2026-09-10T16:32:44.07866Z"
    }
  ],
  "versions_errors": [
    {
      "version": "v1.2.0",
      "message": "checksums not found in release",
      "utc_time": "2026-09-12T08:15:03.5Z"
    }
  ],
  "warnings": [
    "acme/widget has moved to acme/gadget"
  ]
}"""
"""A complete, half filled file, as the registry's tools write it."""
SAMPLE_PATH = "providers/a/acme/widget.json"


def sample_package() -> bytes:
    """The package that the sample lacks the hash of: stored, with a fixed date."""
    return package(
        {"LICENSE": b"acme licence\n", "terraform-provider-widget_v1.1.0": b"acme widget 1.1.0 linux amd64\n"}
    )


def package(members: Mapping[str, bytes], *, folders: Iterable[str] = ()) -> bytes:
    """A stored zip archive with these members."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in folders:
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), b"")
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), content)
    return data.getvalue()


def h1_by_hand(members: Mapping[str, bytes]) -> str:
    """The h1 of members, computed as Go's dirhash does: its own few lines, so that it is no echo of the product."""
    lines = "".join(f"{hashlib.sha256(members[name]).hexdigest()}  {name}\n" for name in sorted(members))
    return "h1:" + base64.b64encode(hashlib.sha256(lines.encode()).digest()).decode()


@dataclass(kw_only=True)
class MadeTarget:
    """One target and its package."""

    namespace: str
    name: str
    version: str
    platform: str
    members: Mapping[str, bytes]
    folders: tuple[str, ...] = ()
    host: str = HOST
    h1: str | None = ""
    size: int | None = 0
    shasum: str | None = None
    url: str | None = None

    @property
    def body(self) -> bytes:
        return package(self.members, folders=self.folders)

    @property
    def filename(self) -> str:
        return f"terraform-provider-{self.name}_{self.version}_{self.platform}.zip"

    @property
    def path(self) -> str:
        return f"/{self.namespace}/{self.name}/v{self.version}/{self.filename}"

    @property
    def download_url(self) -> str:
        return self.url or f"https://{self.host}{self.path}"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest() if self.shasum is None else self.shasum

    @property
    def right_h1(self) -> str:
        return h1_by_hand({**dict(self.members), **dict.fromkeys(self.folders, b"")})

    def json(self) -> dict[str, Any]:
        os, arch = self.platform.split("_")
        found: dict[str, Any] = {
            "os": os,
            "arch": arch,
            "filename": self.filename,
            "download_url": self.download_url,
            "shasum": self.digest,
        }
        return found | ({} if self.h1 is None else {"h1": self.h1}) | ({} if self.size is None else {"size": self.size})


def target(name: str, version: str = "1.0.0", platform: str = "linux_amd64", **more: Any) -> MadeTarget:
    """A target of a provider of `acme` with two small files in its package."""
    content = f"acme {name} {version} {platform}\n".encode()
    members = {"LICENSE": b"acme licence\n", f"terraform-provider-{name}_v{version}": content}
    return MadeTarget(
        **{"namespace": "acme", "name": name, "version": version, "platform": platform, "members": members, **more}
    )


@dataclass
class Registry:
    """Metadata files in a folder, and what the hosts of its packages give out."""

    targets: list[MadeTarget] = field(default_factory=list)

    def write(self, folder: Path) -> Path:
        """Write the files in canonical form, without a line feed at their ends."""
        for namespace, name in dict.fromkeys((each.namespace, each.name) for each in self.targets):
            path = folder / "providers" / namespace[0] / namespace / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.file(namespace, name))
        return folder

    def file(self, namespace: str, name: str) -> bytes:
        own = [each for each in self.targets if (each.namespace, each.name) == (namespace, name)]
        versions = []
        for version in dict.fromkeys(each.version for each in own):
            base = f"https://{HOST}/{namespace}/{name}/v{version}/terraform-provider-{name}_{version}_SHA256SUMS"
            versions.append(
                {
                    "version": version,
                    "protocols": ["5.0"],
                    "shasums_url": base,
                    "shasums_signature_url": f"{base}.sig",
                    "targets": [each.json() for each in own if each.version == version],
                }
            )
        return json.dumps({"versions": versions}, indent=2, ensure_ascii=False).encode()

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        """The packages, by host and path."""
        for each in self.targets:
            if host == each.host and path.partition("?")[0] == each.path:
                return Response(headers=(("Content-Type", "application/zip"), ("ETag", '"1"')), body=each.body)
        return Response(status=404, body=b"not found")


def journal_of(path: Path) -> dict[str, dict[str, Any]]:
    """The last line for each URL."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {line["url"]: line for line in lines}


def without_times(path: Path) -> list[dict[str, Any]]:
    """A journal as it is whoever wrote it, when, and at which attempt."""
    left_out = ("started", "finished", "attempt", "run_id", "worker")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return sorted(
        ({k: v for k, v in line.items() if k not in left_out} for line in lines), key=lambda each: each["key"]
    )
