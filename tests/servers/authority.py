"""A certificate authority for one test session, and the one certificate that all the tests' hosts share."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import trustme

NAMES = (
    "registry.opentofu.org",
    "registry.terraform.io",
    "example.test",
    "*.example.test",
    "localhost",
    "127.0.0.1",
)
"""The host names that the shared certificate is good for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """The authority's certificate as a file for SSL_CERT_FILE, and contexts for both ends of a connection."""

    ca_file: Path
    server_context: ssl.SSLContext

    @classmethod
    def make(cls, folder: Path, *more_names: str) -> Authority:
        """Create the authority and the servers' certificate; only the authority's own is written to `folder`."""
        authority = trustme.CA(organization_name="Lockwarden tests")
        ca_file = folder / "test-ca.pem"
        authority.cert_pem.write_to_path(str(ca_file))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["http/1.1"])
        authority.issue_cert(*NAMES, *more_names).configure_cert(context)
        return cls(ca_file=ca_file, server_context=context)

    def client_context(self) -> ssl.SSLContext:
        """A context for a client that trusts this authority and nobody else."""
        return ssl.create_default_context(cafile=str(self.ca_file))
