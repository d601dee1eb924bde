"""What governs HTTP: the clients' own settings and environment variables, and limits of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.http.client_certificates import CERTIFICATE, KEY
from lockwarden.core.values.late_patterns import LatePattern

_POSITIVE: Final = LatePattern(r"\+?0*([1-9][0-9]{0,6})\Z")
_LONGEST_SUFFIX: Final = 200


class HttpSettings(Struct, frozen=True, kw_only=True):
    """Times in seconds. The CLI configuration's values, which win over the environment's, are the caller's to set."""

    metadata_timeout: float = 10.0
    """For one exchange with its redirects and its body; waiting for a free slot does not count."""
    metadata_retries: int = 1
    package_retries: int = 2
    package_stall: float = 30.0
    """How long a package may take to begin, and how long it may pause."""
    package_timeout: float = 3600.0
    """For one whole package; one that takes longer is given up and not tried again."""
    package_least: int = 60 * 1024
    """Bytes that a package has to bring in each `package_window`; what comes slower is given up and not tried again."""
    package_window: float = 60.0
    documents_per_host: int = 8
    """Requests at the same time."""
    packages_per_host: int = 6
    """Downloads at the same time."""
    insecure_http_hosts: frozenset[str] = frozenset()
    """`host` or `host:port` in comparison form, for which the operator allows plain http."""
    offline: bool = False
    """Whether nothing may be asked over the network."""
    jitter: float = 0.0
    """By which part of itself a wait before another attempt may grow, so that many do not come again together."""
    user_agent: str = "lockwarden"
    ca_file: str = ""
    """SSL_CERT_FILE: certificates to trust instead of the system's."""
    ca_folders: str = ""
    """SSL_CERT_DIR: folders of certificates to trust instead of the system's, separated like PATH."""
    client_certificate: str = ""
    """LOCKWARDEN_CLIENT_CERT: the path of the certificate for servers that ask for one."""
    client_key: str = ""
    """LOCKWARDEN_CLIENT_KEY: the path of its private key; empty when the certificate's file holds it."""
    proxies: Mapping[str, str] = {}
    """The proxies to go through, by scheme, and by `no` the hosts that are asked without one."""

    @classmethod
    def from_environment(
        cls,
        environ: Mapping[str, str],
        *,
        user_agent: str = "lockwarden",
        insecure_http_hosts: frozenset[str] = frozenset(),
        offline: bool = False,
        proxies: Mapping[str, str] | None = None,
    ) -> Self:
        """Read the variables that the clients read, and two of our own for a client certificate.

        `proxies` are those of the process, by scheme. As with the clients, a value that is not a positive number is
        ignored.
        """
        return cls(
            metadata_timeout=float(_positive(environ, "TF_REGISTRY_CLIENT_TIMEOUT", 10)),
            metadata_retries=_positive(environ, "TF_REGISTRY_DISCOVERY_RETRY", 1),
            package_retries=_positive(environ, "TF_PROVIDER_DOWNLOAD_RETRY", 2),
            insecure_http_hosts=insecure_http_hosts,
            offline=offline,
            user_agent=_with_suffix(user_agent, environ.get("TF_APPEND_USER_AGENT", "")),
            ca_file=environ.get("SSL_CERT_FILE", ""),
            ca_folders=environ.get("SSL_CERT_DIR", ""),
            client_certificate=environ.get(CERTIFICATE, ""),
            client_key=environ.get(KEY, ""),
            proxies=proxies or {},
        )


def _positive(environ: Mapping[str, str], name: str, default: int) -> int:
    match = _POSITIVE.match(environ.get(name, ""))
    return int(match[1]) if match else default


def _with_suffix(user_agent: str, suffix: str) -> str:
    """The user agent with what the operator appends; what could not stand in a header is ignored."""
    text = suffix.strip()
    usable = text.isascii() and text.isprintable() and len(text) <= _LONGEST_SUFFIX
    return f"{user_agent} {text}" if text and usable else user_agent
