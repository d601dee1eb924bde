"""What the installed command makes of URLs, names and documents that only Go's rules settle.

Expected: Go's `url.Parse` and `json.Unmarshal`, and what OpenTofu makes of them: a URL that cannot be read is no
mirror, of one whose host is none of a provider's address nothing is asked, and bytes behind a discovery document make
it useless.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from builders.three_providers import HOST, ThreeProviders
from end_to_end.configuring import run
from servers.https import HttpsServer
from servers.installed import Lockwarden

from lockwarden.demo.world import Response

ON_LINUX = ("--platform", "linux_amd64")
NEVER_ASKED = "the clients ask no network mirror at this host: "


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://mirror.example.test/%zz/", "a network mirror must be at an https:// URL with a host name"),
        ("https://mirror.example.test\\\\a/", "a network mirror must be at an https:// URL with a host name"),
        ("https://[fe80::1%eth0]/", "a network mirror must be at an https:// URL with a host name"),
        ("https://mirror.example.test/#%zz", "a network mirror must be at an https:// URL with a host name"),
        ("https://[fe80::1%25eth0]/", f"{NEVER_ASKED}[fe80::1%25eth0] is an IPv6 address"),
        ("https://[::1]/", f"{NEVER_ASKED}[::1] is an IPv6 address"),
        ("https://mirror_x.example.test/", f"{NEVER_ASKED}“mirror_x.example.test” is not a hostname"),
        ("https://ab--c.example.test/", f"{NEVER_ASKED}“ab--c.example.test” is not a hostname"),
        ("https://mirror.example.test:/", f"{NEVER_ASKED}“mirror.example.test:” is not a hostname"),
        ("https://mirror.example.test:99999/", f"{NEVER_ASKED}“mirror.example.test:99999” is not a hostname"),
    ],
)
def test_a_mirrors_url_is_read_as_go_reads_it(
    lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path, url: str, said: str
) -> None:
    (home / ".tofurc").write_text(f'provider_installation {{\n  network_mirror {{\n    url = "{url}"\n  }}\n}}\n')
    done = run(lockwarden, "check", *ON_LINUX, folder=folder)
    assert done.code == 3
    assert said in done.out + done.err
    assert everything.journal.requests == ()


def test_a_mirror_at_a_host_that_no_client_can_ask_ends_init(
    lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
) -> None:
    """Both clients look for the host's token before they ask, and stop where it is no host that could have one."""
    mirror = 'network_mirror {\n    url = "https://mirror.example.test:/p/"\n  }'
    (home / ".tofurc").write_text(f"provider_installation {{\n  direct {{}}\n  {mirror}\n}}\n")
    done = run(lockwarden, "check", *ON_LINUX, "--format", "json", folder=folder)
    (verdict,) = done.provider("one")["chain"]
    assert (verdict["standing"], verdict["source"]) == ("fails", "mirror.example.test")
    assert {each["code"] for each in done.provider("one")["problems"]} == {"mirror-host-unusable"}
    assert {request.host for request in everything.journal.requests} == {HOST}
    assert (
        "both clients end where they want something of this network mirror"
        in run(lockwarden, "config", folder=folder).out
    )


def test_bytes_behind_a_discovery_document_make_it_useless_as_for_the_clients(
    lockwarden: Lockwarden, https_server: HttpsServer, three_providers: ThreeProviders, folder: Path
) -> None:
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        response = world.respond(host, path)
        return replace(response, body=response.body + b"}") if path.startswith("/.well-known/") else response

    https_server.serve(respond)
    done = run(lockwarden, "check", "--format", "json", *ON_LINUX, folder=folder)
    assert done.code == 3
    assert set(done.verdicts("one").values()) == {"unchecked"}
    (problem, *_) = done.provider("one")["problems"]
    assert "has something behind the end of its JSON value" in problem["message"]


@pytest.mark.parametrize("document", ["/versions", "/download/linux/amd64"])
def test_what_only_this_reader_cannot_read_is_no_refusal_of_the_clients(
    lockwarden: Lockwarden, https_server: HttpsServer, three_providers: ThreeProviders, folder: Path, document: str
) -> None:
    """Go reads ten thousand arrays within each other; tofu 1.12.6 installs by such a document."""
    world = three_providers.world()
    deep = b',"x":' + b"[" * 9_000 + b"]" * 9_000 + b"}"

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        response = world.respond(host, path)
        return replace(response, body=response.body.rstrip()[:-1] + deep) if path.endswith(document) else response

    https_server.serve(respond)
    done = run(lockwarden, "check", "--format", "json", *ON_LINUX, folder=folder)
    cells = done.provider("one")["coverage"]
    assert {each["outcome"] for each in cells if each["platform"] == "linux_amd64"} == {"no answer"}
    assert any("nested too deep" in each["message"] for each in done.provider("one")["problems"])


def test_names_of_three_hundred_letters_are_asked_for_like_any_other(
    lockwarden: Lockwarden, everything: HttpsServer, tmp_path: Path
) -> None:
    name = "a" * 300
    hashes = f'  version = "1.0.0"\n  hashes = [\n    "zh:{"ab" * 32}",\n  ]\n'
    addresses = (f"{HOST}/{name}/{name}", f"{name}.example.test/acme/one")
    blocks = (f'provider "{address}" {{\n{hashes}}}\n' for address in addresses)
    (tmp_path / ".terraform.lock.hcl").write_text("\n".join(blocks))
    done = run(lockwarden, "check", *ON_LINUX, folder=tmp_path)
    assert done.code == 3
    assert "Traceback" not in done.err
    assert any(f"/{name}/{name}/versions" in request.path for request in everything.journal.requests)
