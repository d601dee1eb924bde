"""What the installed command makes of URLs, names and documents that only Go's rules settle.

Expected: Go's `url.Parse` and `json.Unmarshal`, and what OpenTofu makes of them: a URL that cannot be read is no
mirror, a port that no host has is told when it is asked, and bytes behind a discovery document make it useless.
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


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://mirror.example.test/%zz/", "a network mirror must be at an https:// URL with a host name"),
        ("https://mirror.example.test\\\\a/", "a network mirror must be at an https:// URL with a host name"),
        ("https://[fe80::1%eth0]/", "a network mirror must be at an https:// URL with a host name"),
        ("https://[fe80::1%25eth0]/", "no network mirror at [fe80::1%25eth0]: it is an IPv6 address"),
        ("https://[::1]:8443/", "no network mirror at [::1]:8443: it is an IPv6 address"),
        ("https://mirror.example.test:99999/", "its port is above 65535"),
        ("https://mirror.example.test:/", "mirror.example.test:: there is no port behind its colon"),
        ("https://u:pw@my_mirror.example.test/", "at my_mirror.example.test: its name has the character “_”"),
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
    assert "so that they fail for every provider of this method" in run(lockwarden, "config", folder=folder).out


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
