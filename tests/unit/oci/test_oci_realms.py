"""Where a registry may send us for a token, and which token servers may see its credentials."""

from __future__ import annotations

import httpx
from builders.tables import table

from lockwarden.core.oci.realms import may_see_credentials, realm_objection, realm_url

PUBLIC = httpx.URL("https://registry.example.test/v2/")
LOOPBACK = httpx.URL("https://localhost:5000/v2/")
PLAIN = httpx.URL("http://127.0.0.1:5000/v2/")
PRIVATE = httpx.URL("https://10.0.0.1/v2/")


def objection(realm: str, registry: httpx.URL) -> str:
    return realm_objection(httpx.URL(realm), registry)


@table(
    ("realm", "registry"),
    [
        ("https://registry.example.test/token", PUBLIC),
        ("https://auth.other.test/token?a=b", PUBLIC),
        ("https://8.8.8.8/token", PUBLIC),
        ("https://localhost:5001/token", LOOPBACK),
        ("https://127.0.0.1/token", LOOPBACK),
        ("https://10.0.0.2/token", PRIVATE),
        ("https://10.0.0.2/token", LOOPBACK),
        ("http://127.0.0.1:5001/token", PLAIN),
        ("https://auth.other.test/token", PLAIN),
    ],
)
def test_a_token_may_be_asked_for(realm: str, registry: httpx.URL) -> None:
    assert objection(realm, registry) == ""


@table(
    ("realm", "registry", "reason"),
    [
        ("http://registry.example.test/token", PUBLIC, "plain http"),
        ("http://127.0.0.1/token", PUBLIC, "plain http"),
        ("http://localhost/token", LOOPBACK, "plain http"),
        ("http://auth.other.test/token", PLAIN, "plain http"),
        ("ftp://registry.example.test/token", PUBLIC, "scheme “ftp”"),
        ("file:///etc/passwd", PUBLIC, "scheme “file”"),
        ("//registry.example.test/token", PUBLIC, "not absolute"),
        ("/token", PUBLIC, "not absolute"),
        ("https:///token", PUBLIC, "no host"),
        ("https://user:pw@registry.example.test/token", PUBLIC, "user name"),
        ("https://localhost/token", PUBLIC, "inside this machine"),
        ("https://127.0.0.1/token", PUBLIC, "inside this machine"),
        ("https://2130706433/token", PUBLIC, "inside this machine"),
        ("https://[::1]/token", PUBLIC, "inside this machine"),
        ("https://[::ffff:127.0.0.1]/token", PUBLIC, "inside this machine"),
        ("https://169.254.169.254/latest/meta-data", PUBLIC, "inside this machine"),
        ("https://127.0.0.1/token", PRIVATE, "inside this machine"),
        ("https://10.1.2.3/token", PUBLIC, "private network"),
        ("https://192.168.0.1/token", PUBLIC, "private network"),
        ("https://[fd00::1]/token", PUBLIC, "private network"),
    ],
)
def test_a_realm_that_leads_astray_is_refused_with_its_reason(realm: str, registry: httpx.URL, reason: str) -> None:
    assert reason in objection(realm, registry)


@table(
    ("realm", "registry", "seen"),
    [
        ("https://registry.example.test/token", "https://registry.example.test/v2/", True),
        ("https://REGISTRY.example.test:443/token", "https://registry.example.test/v2/", True),
        ("https://registry.example.test:8443/token", "https://registry.example.test/v2/", False),
        ("https://auth.example.test/token", "https://registry.example.test/v2/", False),
        ("https://example.test/token", "https://registry.example.test/v2/", False),
        ("https://registry.example.test.evil.test/token", "https://registry.example.test/v2/", False),
        ("https://auth.docker.io/token", "https://registry-1.docker.io/v2/", True),
        ("https://gitlab.com/jwt/auth", "https://registry.gitlab.com/v2/", True),
        ("https://auth.docker.io/token", "https://registry.example.test/v2/", False),
        ("https://vouched.test/token", "https://registry.example.test/v2/", True),
    ],
)
def test_credentials_are_for_the_registry_and_for_whom_somebody_vouches(realm: str, registry: str, seen: bool) -> None:
    assert may_see_credentials(httpx.URL(realm), httpx.URL(registry), frozenset({"vouched.test"})) is seen


def test_what_is_no_url_is_no_realm() -> None:
    assert realm_url("https://a.test:port/") is None
    assert realm_url("https://a.test/" + "x" * 20_000) is None
    assert realm_url("https://a.test/#part") == httpx.URL("https://a.test/")
