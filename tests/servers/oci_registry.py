"""A real OCI registry on the loopback interface (Debian's docker-registry), and what is pushed to it over HTTP.

Things are laid out as `oras` and `docker` lay them out. In front of it there can be a gate that asks for tokens, as
public registries do.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lockwarden.demo.world import JSON_TYPE, Response
from servers.https import Respond

USER, PASSWORD = "auditor", "s3cret-p"
_HTPASSWD = "auditor:$2y$04$2sprnDoBLvrcfvkb6KCv2efQkCcS0XMTYpd8MXQRK8yktJLOJckWK\n"
"""The password above, by bcrypt with little work."""
_MEMORY = Path("/dev/shm")
"""It waits for the disk after every part of every blob, which is a third of what it costs."""
_SCRIPT = Path(__file__).parents[2] / "scripts" / "need.sh"
_LISTENING = re.compile(r"listening on (?P<address>(?:127\.0\.0\.1|\[::1\]):[0-9]+)")
_PASSED_ON = frozenset({"content-type", "docker-content-digest", "link", "www-authenticate", "location"})

OCI_INDEX = "application/vnd.oci.image.index.v1+json"
OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
PROVIDER = "application/vnd.opentofu.provider"
TARGET = "application/vnd.opentofu.provider-target"
MODULE = "application/vnd.opentofu.modulepkg"
EMPTY = {"mediaType": "application/vnd.oci.empty.v1+json", "size": 2}

Json = dict[str, Any]


def docker_registry() -> str:
    """The program's path; installs it where that may be done, else skips the test and says so."""
    if shutil.which("docker-registry") is None:
        subprocess.run(["sh", str(_SCRIPT), "docker-registry=docker-registry"], capture_output=True)
    program = shutil.which("docker-registry")
    if program is None:
        pytest.skip("docker-registry is not installed, so OCI mirrors were NOT tested against a real registry")
    return program


def basic(user: str = USER, password: str = PASSWORD) -> str:
    """The value of an Authorization header."""
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"


def digest_of(content: bytes, algorithm: str = "sha256") -> str:
    """The name of some bytes in a registry."""
    return f"{algorithm}:{hashlib.new(algorithm, content).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """A running registry without TLS."""

    address: str
    """`127.0.0.1:PORT`, or whatever host it was told to listen at."""
    authorization: str = ""

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Ask it as its owner; every status is a value."""
        owner = {"Authorization": self.authorization} if self.authorization else {}
        return self._send(method, path, body, {**owner, **(headers or {})})

    def _send(self, method: str, path: str, body: bytes | None, given: Mapping[str, str]) -> Response:
        url = path if path.startswith("http") else f"http://{self.address}{path}"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(url, data=body, headers=dict(given), method=method)
        try:
            with opener.open(request, timeout=300) as reply:
                return Response(status=reply.status, headers=tuple(reply.headers.items()), body=reply.read())
        except urllib.error.HTTPError as error:
            with error:
                return Response(status=error.code, headers=tuple(error.headers.items()), body=error.read())

    def push_blob(self, repository: str, content: bytes) -> str:
        """Store a blob; its digest."""
        begun = self.request("POST", f"/v2/{repository}/blobs/uploads/", b"")
        assert begun.status == 202, begun
        location = next(value for name, value in begun.headers if name.lower() == "location")
        digest = digest_of(content)
        separator = "&" if "?" in location else "?"
        done = self.request(
            "PUT",
            f"{location}{separator}digest={urllib.parse.quote(digest)}",
            content,
            {"Content-Type": "application/octet-stream"},
        )
        assert done.status == 201, done
        return digest

    def push_manifest(self, repository: str, document: Json | bytes, media_type: str, tag: str = "") -> Json:
        """Store a manifest under its digest or a tag; a descriptor of it."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        digest = digest_of(body)
        done = self.request("PUT", f"/v2/{repository}/manifests/{tag or digest}", body, {"Content-Type": media_type})
        assert done.status == 201, done
        return {"mediaType": media_type, "digest": digest, "size": len(body)}

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        """Pass a request on to it, for a server in front of it."""
        given = {name: value for name, value in headers.items() if name in {"accept", "authorization"}}
        reply = self._send("GET", path, None, given)
        kept = tuple((name, value) for name, value in reply.headers if name.lower() in _PASSED_ON)
        return Response(status=reply.status, headers=kept, body=reply.body)


@contextlib.contextmanager
def running_registry(folder: Path, *, password: bool = False, host: str = "127.0.0.1") -> Iterator[Registry]:
    """Run a registry that keeps its things in memory where it can, else in `folder`.

    With `password` it asks for one by Basic. `host` is a loopback address, that of IPv6 in square brackets.
    """
    (folder / "htpasswd").write_text(_HTPASSWD)
    data = tempfile.mkdtemp(prefix="lw-registry-", dir=_MEMORY if _MEMORY.is_dir() else folder)
    settings = {
        "version": "0.1",
        "log": {"level": "info", "accesslog": {"disabled": True}},
        "storage": {"filesystem": {"rootdirectory": data}, "delete": {"enabled": True}},
        "http": {"addr": f"{host}:0"},
    }
    if password:
        settings["auth"] = {"htpasswd": {"realm": "tests", "path": str(folder / "htpasswd")}}
    (folder / "config.yml").write_text(json.dumps(settings))  # JSON is YAML
    process = subprocess.Popen(
        [docker_registry(), "serve", str(folder / "config.yml")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"GOGC": "off", "GOMEMLIMIT": "256MiB"},
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        address = ""
        for line in process.stdout:
            said.append(line)
            if match := _LISTENING.search(line):
                address = match["address"]
                break
        assert address, "".join(said)
        reader = threading.Thread(target=process.stdout.read, daemon=True)  # so that it never waits for us
        reader.start()
        yield Registry(address=address, authorization=basic() if password else "")
    finally:
        process.terminate()
        process.wait(timeout=300)
        process.stdout.close()
        shutil.rmtree(data, ignore_errors=True)


@dataclass(slots=True, kw_only=True)
class TokenGate:
    """Asks for a token before it passes a request on; a token is good for one repository."""

    behind: Respond
    realm: str
    """URL of its token server, which this answers under `/token` of every host."""
    service: str = "tests"
    anonymous: bool = False
    """Whether a token is given without credentials."""
    names: tuple[str, ...] = ("token",)
    """Members of the reply that hold the token."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further members of the reply."""
    scheme: str = 'Bearer realm="{realm}",service="{service}",scope="{scope}"'
    given: list[tuple[str, str]] = field(default_factory=list)
    """Token → scope, in order."""

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        """Answer as a registry behind a token server does."""
        bare, _, query = path.partition("?")
        if bare == "/token":
            return self._token(urllib.parse.parse_qs(query), headers)
        scope = scope_of(bare)
        sent = headers.get("authorization", "")
        if not any(sent == f"Bearer {token}" and good_for == scope for token, good_for in self.given):
            challenge = self.scheme.format(realm=self.realm, service=self.service, scope=scope)
            body = {"errors": [{"code": "UNAUTHORIZED", "message": "authentication required"}]}
            return Response(
                status=401,
                headers=(("WWW-Authenticate", challenge), ("Content-Type", JSON_TYPE)),
                body=json.dumps(body).encode(),
            )
        passed_on = {name: value for name, value in headers.items() if name != "authorization"}
        return self.behind(host, path, passed_on)

    def _token(self, query: Mapping[str, Sequence[str]], headers: Mapping[str, str]) -> Response:
        sent = headers.get("authorization")
        if sent != basic() and not (self.anonymous and sent is None):
            return Response.of_json({"details": "incorrect username or password"}, status=401)
        scope = query.get("scope", [""])[0]
        token = f"token-{len(self.given)}"
        self.given.append((token, scope))
        return Response.of_json({**dict.fromkeys(self.names, token), **self.more})


def scope_of(path: str) -> str:
    """The scope that a path of a registry needs."""
    match = re.fullmatch(r"/v2/(?P<name>.+)/(?:tags|manifests|blobs|referrers)/.*", path)
    return f"repository:{match['name']}:pull" if match else "registry:catalog:*"
