"""The environment of a program that a test starts: the tests' servers, its own home, nothing by chance."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def environment(home: Path, *, proxy_url: str, ca_file: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables for a subprocess that may reach nothing but the tests' servers.

    `home` must exist; an empty CLI configuration is written into it. Plain HTTP goes to the proxy as well, which
    refuses and notes it. `extra` comes last.
    """
    configuration = home / "empty.tfrc"
    configuration.touch()
    variables = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_DATA_DIRS": str(home / "share"),
        "XDG_STATE_HOME": str(home / "state"),
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
        "LANG": "C.UTF-8",
        "HTTPS_PROXY": proxy_url,
        "HTTP_PROXY": proxy_url,
        "SSL_CERT_FILE": str(ca_file),
        "TF_CLI_CONFIG_FILE": str(configuration),
        "CHECKPOINT_DISABLE": "1",
        # A busy machine is no server that does not answer.
        "TF_REGISTRY_CLIENT_TIMEOUT": "60",
    }
    return variables | dict(extra or {})
